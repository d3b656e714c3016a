//! Questions that were asked, for those who want to see them.

use std::{
    ops::ControlFlow,
    sync::{Mutex, PoisonError},
};

use bevy::{ecs::prelude::Resource, math::Vec2};

use super::hits::{CastHit, NearHit};
use crate::{kernel::Shape, spatial::Cast};

/// A question to [`SpatialQuery`](super::SpatialQuery), and whom it found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum QueryNote {
    /// A ray, or a shape that moves.
    Cast {
        /// What was cast.
        cast: Cast,
        /// Those of its hits that were asked for.
        hits: Vec<CastHit>,
    },
    /// Who is in an area.
    Overlap {
        /// The area.
        shape: Shape,
        /// The middle of it, in the world.
        center: Vec2,
        /// Those in it that were asked for.
        hits: Vec<NearHit>,
    },
    /// Who is near.
    Nearest {
        /// The point that was asked about.
        point: Vec2,
        /// How far away somebody may have been, in world units; may be infinite.
        max_distance: f32,
        /// Who was found.
        hits: Vec<NearHit>,
    },
}

/// Takes note of every question, while it is [on](Self::is_on). In a world without this resource nobody takes note of any.
#[derive(Resource, Debug, Default)]
pub(crate) struct QueryNotes {
    pub(crate) is_on: bool,
    // Systems ask in parallel.
    notes: Mutex<Vec<QueryNote>>,
}

impl QueryNotes {
    pub(super) fn add(&self, note: QueryNote) {
        // A list is a list, whatever became of who added to it.
        let notes = self.notes.lock();
        notes.unwrap_or_else(PoisonError::into_inner).push(note);
    }

    /// The notes since the last time, in the order in which they were made.
    #[cfg(feature = "debug")]
    pub(crate) fn take(&mut self) -> Vec<QueryNote> {
        let notes = self.notes.get_mut();
        std::mem::take(notes.unwrap_or_else(PoisonError::into_inner))
    }
}

/// Asks for each hit, hands it on, and keeps it: for somebody who wants to see what was asked.
#[cold]
pub(super) fn each_and_keep<H: Copy>(
    each: &mut dyn FnMut(H) -> ControlFlow<()>,
    ask: impl FnOnce(&mut dyn FnMut(H) -> ControlFlow<()>) -> ControlFlow<()>,
) -> (ControlFlow<()>, Vec<H>) {
    let mut seen = Vec::new();
    let flow = ask(&mut |hit| {
        seen.push(hit);
        each(hit)
    });
    (flow, seen)
}
