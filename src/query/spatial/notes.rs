//! Queries that were made, for debug drawing.

use std::{
    ops::ControlFlow,
    sync::{Mutex, PoisonError},
};

use bevy::{ecs::prelude::Resource, math::Vec2};

use super::hits::{CastHit, NearHit};
use crate::{
    kernel::Shape,
    spatial::{Area, Cast},
};

/// A query by [`SpatialQuery`](super::SpatialQuery), and what it found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum QueryNote {
    /// A ray, or a shape that moves.
    Cast {
        /// What was cast.
        cast: Cast,
        /// The fraction of its way that was looked through.
        seen: f32,
        /// The hits that were returned.
        hits: Vec<CastHit>,
    },
    /// A search for all that is in an area.
    Overlap {
        /// The area.
        shape: Shape,
        /// The center of the area, in world space.
        center: Vec2,
        /// The hits that were returned.
        hits: Vec<NearHit>,
    },
    /// A search for what is near.
    Nearest {
        /// The point to search around.
        point: Vec2,
        /// The maximum distance, in world units; may be infinite.
        max_distance: f32,
        /// The hits that were returned.
        hits: Vec<NearHit>,
    },
}

impl QueryNote {
    /// A cast that `is_over` at its farthest hit, or looked through its whole way.
    pub(super) fn cast(cast: Cast, hits: &[CastHit], is_over: bool) -> Self {
        let farthest = hits.iter().map(|hit| hit.fraction).reduce(f32::max);
        Self::Cast {
            cast,
            seen: farthest.filter(|_| is_over).unwrap_or(1.0),
            hits: hits.to_vec(),
        }
    }

    /// What was found in an area.
    pub(super) fn overlap(area: &Area, hits: &[NearHit]) -> Self {
        Self::Overlap {
            shape: area.shape,
            center: area.center,
            hits: hits.to_vec(),
        }
    }

    /// What was found near a point.
    pub(super) fn nearest(point: Vec2, max_distance: f32, hits: &[NearHit]) -> Self {
        Self::Nearest {
            point,
            max_distance,
            hits: hits.to_vec(),
        }
    }
}

/// Notes every query, while it is [on](Self::is_on). In a world without this resource none are noted.
#[derive(Resource, Debug, Default)]
pub(crate) struct QueryNotes {
    pub(crate) is_on: bool,
    // Systems make queries in parallel.
    notes: Mutex<Vec<QueryNote>>,
}

impl QueryNotes {
    pub(super) fn add(&self, note: QueryNote) {
        // The list stays valid even if a thread panicked while adding to it.
        let notes = self.notes.lock();
        notes.unwrap_or_else(PoisonError::into_inner).push(note);
    }

    /// Returns the notes since the last call, in the order in which they were made.
    #[cfg(feature = "debug")]
    pub(crate) fn take(&mut self) -> Vec<QueryNote> {
        let notes = self.notes.get_mut();
        std::mem::take(notes.unwrap_or_else(PoisonError::into_inner))
    }
}

/// Runs a query, passes each hit on, and keeps it for a note.
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
