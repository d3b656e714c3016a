//! Arrays with holes.

/// So many entries are made at once.
const PART: usize = 256;

/// An array of which only those parts take memory that something was written in, and a pointer each for those below them. In a game nearly all of it is in use; a file may name one that is far out, and nobody else.
#[derive(Clone, Debug, Default)]
pub(super) struct Table<T> {
    parts: Vec<Option<Box<[T; PART]>>>,
}

impl<T: Copy + Default> Table<T> {
    /// All that was written is below this.
    pub(super) fn end(&self) -> usize {
        self.parts.len() * PART
    }

    /// What was written, and the default where nothing was.
    #[inline]
    pub(super) fn get(&self, at: u32) -> T {
        self.peek(at).copied().unwrap_or_default()
    }

    /// The same by reference, as far as there is a part.
    #[inline]
    pub(super) fn peek(&self, at: u32) -> Option<&T> {
        let at = at as usize;
        let part = self.parts.get(at / PART)?.as_ref()?;
        Some(&part[at % PART])
    }

    /// To be written to.
    pub(super) fn at_mut(&mut self, at: u32) -> &mut T {
        let at = at as usize;
        if self.parts.len() <= at / PART {
            self.parts.resize(at / PART + 1, None);
        }
        let part = &mut self.parts[at / PART];
        let part = part.get_or_insert_with(|| Box::new([T::default(); PART]));
        &mut part[at % PART]
    }

    /// What was written, and what is beside it.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        let parts = (0..).step_by(PART).zip(&self.parts);
        let parts = parts.filter_map(|(first, part)| Some((first, part.as_ref()?)));
        parts.flat_map(|(first, part)| (first..).zip(part.iter()))
    }
}
