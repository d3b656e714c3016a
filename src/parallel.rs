//! Work for several threads, joined in the order in which it was given.

use bevy::tasks::ComputeTaskPool;

/// Less than so many colliders are not worth waking another thread for.
pub(crate) const WORTH_IT: usize = 16384;

/// How many threads share work that is worth it: those of the pool, and who waits for them.
pub(crate) fn threads(is_worth_it: bool) -> usize {
    let pool = ComputeTaskPool::try_get().filter(|_| is_worth_it);
    pool.map_or(1, |pool| pool.thread_num() + 1)
}

/// Does the work for each item: on all threads that Bevy has for what a frame waits for, if it is worth it and there are any, else here.
///
/// Items must not share what they write, so that nobody can tell who did what first.
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
