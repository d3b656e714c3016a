//! Work for several threads, whose results are joined in the order of the items.

use bevy::tasks::ComputeTaskPool;

/// With fewer colliders than this, waking another thread does not pay off.
pub(crate) const WORTH_IT: usize = 16384;

/// A thread answers so many questions at a time.
const STRETCH: usize = 64;

/// Returns how many threads share work that is worth it: those of the pool, and the one that waits for them.
pub(crate) fn threads(is_worth_it: bool) -> usize {
    let pool = ComputeTaskPool::try_get().filter(|_| is_worth_it);
    pool.map_or(1, |pool| pool.thread_num() + 1)
}

/// Runs `work` for each item: on all threads of Bevy's `ComputeTaskPool`, if it is worth it and there is one, else on this thread.
///
/// Items must not share what they write, so that the result does not depend on the order.
pub(crate) fn for_each<T: Send>(
    items: impl Iterator<Item = T>,
    is_worth_it: bool,
    work: impl Fn(T) + Sync,
) {
    match ComputeTaskPool::try_get() {
        Some(pool) if is_worth_it => {
            let work = &work;
            pool.scope(|scope| {
                for item in items {
                    scope.spawn(async move { work(item) });
                }
            });
        }
        _ => items.for_each(work),
    }
}

/// Returns the answers to many questions, in their order; uses several threads if there are many.
pub(crate) fn answer_many<Q: Sync, A: Send + Default>(
    questions: &[Q],
    answer: impl Fn(&Q) -> A + Sync,
) -> Vec<A> {
    let mut answers: Vec<A> = Vec::new();
    answers.resize_with(questions.len(), A::default);
    let stretches = answers.chunks_mut(STRETCH).zip(questions.chunks(STRETCH));
    let is_worth_it = questions.len() >= 2 * STRETCH;
    for_each(stretches, is_worth_it, |(answers, questions)| {
        for (place, question) in answers.iter_mut().zip(questions) {
            *place = answer(question);
        }
    });
    answers
}
