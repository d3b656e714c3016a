//! Sparse arrays.

/// The number of entries that are allocated at once.
const PART: usize = 256;

/// An array in which only those parts take memory that were written to, and a pointer each for the parts below them. In a game nearly all of it is in use; only a file may name an entry that is far out.
#[derive(Clone, Debug, Default)]
pub(super) struct Table<T> {
    parts: Vec<Option<Box<[T; PART]>>>,
}

impl<T: Copy + Default> Table<T> {
    /// Returns an upper bound: all entries that were written are below it.
    pub(super) fn end(&self) -> usize {
        self.parts.len() * PART
    }

    /// Returns an entry, or the default where nothing was written.
    #[inline]
    pub(super) fn get(&self, at: u32) -> T {
        self.peek(at).copied().unwrap_or_default()
    }

    /// Returns a reference to an entry, if its part is allocated.
    #[inline]
    pub(super) fn peek(&self, at: u32) -> Option<&T> {
        let at = at as usize;
        let part = self.parts.get(at / PART)?.as_ref()?;
        Some(&part[at % PART])
    }

    /// Returns an entry to write to; allocates its part.
    pub(super) fn at_mut(&mut self, at: u32) -> &mut T {
        let at = at as usize;
        if self.parts.len() <= at / PART {
            self.parts.resize(at / PART + 1, None);
        }
        let part = &mut self.parts[at / PART];
        let part = part.get_or_insert_with(|| Box::new([T::default(); PART]));
        &mut part[at % PART]
    }

    /// Returns all entries of the allocated parts.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        let parts = (0..).step_by(PART).zip(&self.parts);
        let parts = parts.filter_map(|(first, part)| Some((first, part.as_ref()?)));
        parts.flat_map(|(first, part)| (first..).zip(part.iter()))
    }
}
