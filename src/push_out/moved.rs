//! Who has been moved, for those who have to look again.

/// Bodies that have been moved, since each of those who need to know last looked.
#[derive(Clone, Debug, Default)]
pub(super) struct Moved {
    /// For the overlaps.
    pub(super) unasked: Marks,
    /// For the near pairs.
    pub(super) unfollowed: Marks,
    /// In the whole push-out.
    pub(super) ever: Marks,
    /// To places found by a search, which may be far away; for the near pairs too.
    pub(super) jumped: Vec<u32>,
}

impl Moved {
    /// For so many bodies, none of which has been moved.
    pub(super) fn start(&mut self, bodies: usize) {
        for marks in [&mut self.unasked, &mut self.unfollowed, &mut self.ever] {
            marks.clear();
            marks.is_marked.resize(bodies, false);
        }
        self.jumped.clear();
    }

    #[inline]
    pub(super) fn add(&mut self, body: u32) {
        self.unasked.add(body);
        self.unfollowed.add(body);
        self.ever.add(body);
    }
}

/// A list of bodies, each of them once.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    pub(super) bodies: Vec<u32>,
    is_marked: Vec<bool>,
}

impl Marks {
    pub(super) fn clear(&mut self) {
        for body in self.bodies.drain(..) {
            self.is_marked[body as usize] = false;
        }
    }

    fn add(&mut self, body: u32) {
        if !std::mem::replace(&mut self.is_marked[body as usize], true) {
            self.bodies.push(body);
        }
    }
}
