//! Whether rounds still help a group, and what else is tried if they don't.

/// Rounds help as long as they bring the sum of all depths below this part, in percent, of the least sum so far; or at all, if bodies that were free have come in.
const HELPED: u64 = 95;

/// How long to go on with bodies that press each other.
struct Patience {
    /// After this many rounds that have not helped, chains hold no more: against other dynamic bodies, something firm holds only bodies that touch it.
    ///
    /// Bodies that lean on others that lean on a wall are held by the wall as well, so that rows are solved from their ends. In a crowd that is wrong: chains bend, and the bodies that they hold could give way. Between two
    /// bodies that are held like that a third one goes back and forth forever.
    stalled: u32,
    /// After this many such rounds a jam is given up, ...
    jammed: u32,
    /// ... or once the sum has grown in this many rounds in a row since chains hold no more: where there is no room, a body that gives way only goes into the next one.
    grown: u32,
}

const USUAL: Patience = Patience {
    stalled: 12,
    jammed: 24,
    grown: 4,
};
/// For groups for which no room was found. They may have some in later ticks, but hardly in this one.
const SHORT: Patience = Patience {
    stalled: 4,
    jammed: 8,
    grown: 2,
};

/// How far the rounds have helped a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// The least sum of depths so far, and its round.
    least: u64,
    least_round: u32,
    /// For groups that have been joined: the part of `least` from the group with the deepest jam; `least_round` is from that group.
    deepest: u64,
    /// Bodies that were free have come in since the last round.
    has_taken_in: bool,
    /// No body has moved in a round in which everything was tried.
    is_settled: bool,
    /// The sum before the first round without chains, and the sum before the last round.
    at_stall: Option<u64>,
    last: u64,
    /// In how many rounds in a row the sum has grown since then.
    grown: u32,
    /// No room was found for all of the group.
    is_full: bool,
}

/// What a group does in a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// What it did in the last round.
    GoOn,
    /// From now on chains hold no more.
    Stall,
    /// Stop: nothing helps any more.
    GiveUp {
        /// The sum has become worse since chains hold no more.
        has_done_harm: bool,
    },
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            least: u64::MAX,
            least_round: 0,
            deepest: u64::MAX,
            has_taken_in: false,
            is_settled: false,
            at_stall: None,
            last: 0,
            grown: 0,
            is_full: false,
        }
    }
}

impl Progress {
    /// Joins the progress of groups: what the group with the deepest jam has tried in vain counts for all of them. The order in which groups are joined makes no difference.
    pub(super) fn join<'a>(parts: impl Iterator<Item = &'a Self> + Clone) -> Self {
        let deepest = parts
            .clone()
            .max_by_key(|part| (part.deepest, part.least_round));
        deepest.map_or_else(Self::default, |deepest| Self {
            least: parts
                .clone()
                .fold(0, |sum, part| sum.saturating_add(part.least)),
            least_round: deepest.least_round,
            deepest: deepest.deepest,
            has_taken_in: parts.clone().any(|part| part.has_taken_in),
            is_full: parts.clone().any(|part| part.is_full),
            ..Self::default()
        })
    }

    /// Decides what to do in a round, by the sum of depths before it. `is_last` if no round is left.
    pub(super) fn judge(&mut self, round: u32, total: u64, is_last: bool) -> Step {
        let has_taken_in = std::mem::take(&mut self.has_taken_in);
        // An overlap that walks along a row with gaps loses only a gap in each round.
        let percent = if has_taken_in { 100 } else { HELPED };
        if total < self.least / 100 * percent {
            (self.least, self.least_round, self.deepest) = (total, round, total);
        }
        let idle = round - self.least_round;
        let patience = if self.is_full { SHORT } else { USUAL };
        let has_grown = self.at_stall.is_some() && total > self.last;
        self.grown = if has_grown { self.grown + 1 } else { 0 };
        self.last = total;
        match self.at_stall {
            None if !is_last && (self.is_settled || idle >= patience.stalled) => {
                self.at_stall = Some(total);
                self.is_settled = false;
                Step::Stall
            }
            at_stall
                if is_last
                    || self.is_settled
                    || idle >= patience.jammed
                    || self.grown >= patience.grown =>
            {
                Step::GiveUp {
                    has_done_harm: at_stall.is_some_and(|before| total > before),
                }
            }
            _ => Step::GoOn,
        }
    }

    /// Notes that bodies that were free have come in: the overlaps go on to where there may be room.
    pub(super) fn take_in(&mut self) {
        self.has_taken_in = true;
    }

    /// Notes that no room was found for all of the group.
    pub(super) fn fill(&mut self) {
        self.is_full = true;
    }

    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Notes that a round in which everything was tried has moved no body: no other round like it will.
    pub(super) fn settle(&mut self) {
        self.is_settled = true;
    }

    pub(super) fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// Whether chains hold no more.
    pub(super) fn has_stalled(&self) -> bool {
        self.at_stall.is_some()
    }

    /// Returns through how many steps, at most, something firm holds a body that other dynamic bodies push.
    pub(super) fn longest_chain(&self) -> u32 {
        if self.has_stalled() { 1 } else { u32::MAX }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IN_VAIN: Step = Step::GiveUp {
        has_done_harm: false,
    };

    /// Judges these rounds, with this sum in each.
    fn idle(rounds: std::ops::RangeInclusive<u32>, total: u64) -> (Progress, Vec<Step>) {
        let mut progress = Progress::default();
        let steps = rounds.map(|round| progress.judge(round, total, false));
        let steps = steps.collect();
        (progress, steps)
    }

    #[test]
    fn what_does_not_help_is_given_up_after_chains_hold_no_more() {
        let (_, steps) = idle(3..=27, 1000);
        for (at, step) in steps.into_iter().enumerate() {
            let expected = match at {
                12 => Step::Stall,
                24 => IN_VAIN,
                _ => Step::GoOn,
            };
            assert_eq!(step, expected, "{at} rounds without progress");
        }
    }

    #[test]
    fn who_has_no_room_is_given_up_sooner() {
        let mut progress = Progress::default();
        progress.fill();
        let steps: Vec<Step> = (0..=8)
            .map(|round| progress.judge(round, 1000, false))
            .collect();
        let number_of = |step: Step| steps.iter().position(|one| *one == step);
        assert_eq!([Step::Stall, IN_VAIN].map(number_of), [Some(4), Some(8)]);
        // A group that is joined with it has no room either.
        let (pocket, _) = idle(10..=11, 10);
        let mut joined = Progress::join([pocket, progress].iter());
        assert_eq!(joined.judge(13, 1010, false), Step::Stall);
    }

    #[test]
    fn what_helps_a_little_in_each_round_goes_on() {
        let mut progress = Progress::default();
        let mut total = 1_000_000_000_000_000;
        for round in 0..200 {
            assert_eq!(progress.judge(round, total, false), Step::GoOn);
            total = total / 100 * 94;
        }
    }

    #[test]
    fn where_others_come_in_whatever_helps_counts() {
        let mut progress = Progress::default();
        for round in 0..100 {
            progress.take_in();
            let total = 1_000_000 - u64::from(round) * 1000;
            assert_eq!(progress.judge(round, total, false), Step::GoOn);
        }
        // What does not help is given up, whoever comes in.
        for (round, step) in [(110, Step::GoOn), (111, Step::Stall), (123, IN_VAIN)] {
            progress.take_in();
            assert_eq!(progress.judge(round, 901_000, false), step, "{round}");
        }
    }

    #[test]
    fn what_makes_it_worse_ends_soon_and_is_known_for_it() {
        for (totals, has_done_harm) in [
            ([100, 110, 120, 130, 140], true),
            // At the stall the sum was higher than that.
            ([89, 90, 91, 92, 93], false),
        ] {
            let (mut progress, steps) = idle(0..=12, 100);
            assert_eq!(steps[12], Step::Stall);
            let steps = (13..).zip(totals);
            let steps = steps.map(|(round, total)| progress.judge(round, total, false));
            let mut expected = [Step::GoOn; 5];
            expected[4] = Step::GiveUp { has_done_harm };
            assert_eq!(steps.collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn who_is_stuck_costs_two_rounds() {
        let mut progress = Progress::default();
        assert_eq!(progress.judge(0, 100, false), Step::GoOn);
        progress.settle();
        assert_eq!(progress.judge(1, 100, false), Step::Stall);
        progress.settle();
        assert_eq!(progress.judge(2, 100, false), IN_VAIN);
    }

    #[test]
    fn who_comes_to_a_jam_does_not_make_it_a_new_one() {
        let (jam, _) = idle(0..=24, 1000);
        let (pocket, _) = idle(30..=31, 10);
        for parts in [[jam, pocket], [pocket, jam]] {
            let mut joined = Progress::join(parts.iter());
            assert_eq!(joined.judge(32, 1010, false), Step::Stall);
            assert_eq!(joined.judge(33, 1010, false), IN_VAIN);
        }
        // Joined two by two, or all at once.
        let (middle, _) = idle(26..=28, 700);
        let all = [jam, middle, pocket];
        for [a, b, c] in [[0, 1, 2], [1, 2, 0], [2, 0, 1]].map(|order| order.map(|at| all[at])) {
            let two = Progress::join([a, b].iter());
            let joined = Progress::join([two, c].iter());
            assert_eq!(joined.least_round, jam.least_round);
            assert_eq!(joined.least, Progress::join(all.iter()).least);
        }
        let mut new = Progress::join(std::iter::empty());
        assert_eq!(new.judge(32, 1010, false), Step::GoOn);
    }
}
