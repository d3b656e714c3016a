//! Whether rounds still help, and what else is tried if they don't.

/// Rounds help as long as they bring the sum of all depths below this part, in percent, of the least one so far.
const HELPED: u64 = 95;
/// When so many rounds have not, only what touches a fixed thing itself is held by it, if another dynamic body pushes it.
///
/// Who leans on others that lean on a wall is held by it as well, so that rows are solved from their ends. In a crowd that is wrong: chains bend, and what they hold could give way. Between two
/// that are held like that a third one goes back and forth for good.
const STALLED: u32 = 12;
/// After so many a jam is given up, ...
const JAMMED: u32 = 24;
/// ... or when the sum has grown so often in a row since then: where there is no room, what gives way does so into the next one.
const GROWN: u32 = 4;

/// How the rounds come on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// The least sum of depths so far, and its round.
    least: u64,
    least_round: u32,
    is_stalled: bool,
    /// The sum with which the first round without chains began, and the last one.
    at_stall: Option<u64>,
    last: u64,
    /// So often in a row it has grown since.
    grown: u32,
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            least: u64::MAX,
            least_round: 0,
            is_stalled: false,
            at_stall: None,
            last: 0,
            grown: 0,
        }
    }
}

impl Progress {
    /// Takes in the sum of depths before a round. False if it is a jam, which no pushing frees.
    pub(super) fn goes_on(&mut self, round: u32, total: u64) -> bool {
        if total < self.least / 100 * HELPED {
            (self.least, self.least_round) = (total, round);
        }
        let idle = round - self.least_round;
        self.is_stalled |= idle >= STALLED;
        let has_grown = self.at_stall.is_some() && total > self.last;
        self.grown = if has_grown { self.grown + 1 } else { 0 };
        self.last = total;
        idle < JAMMED && self.grown < GROWN
    }

    /// Lets chains hold no more. False if they do not already.
    pub(super) fn stall(&mut self) -> bool {
        std::mem::replace(&mut self.is_stalled, true)
    }

    /// Whether the next round is the first one in which chains do not hold.
    pub(super) fn begins_to_stall(&mut self) -> bool {
        let begins = self.is_stalled && self.at_stall.is_none();
        if begins {
            self.at_stall = Some(self.last);
        }
        begins
    }

    /// The sum of depths before that round; `None` if there has been none.
    pub(super) fn at_stall(&self) -> Option<u64> {
        self.at_stall
    }

    /// So many steps from a fixed thing does it hold who is pushed by others.
    pub(super) fn longest_chain(&self) -> u32 {
        if self.is_stalled { 1 } else { u32::MAX }
    }
}
