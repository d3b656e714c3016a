//! What children have from their ancestors, so that those who have nothing new need not be read.

use bevy::{
    ecs::entity::{Entity, EntityHashMap},
    math::{Affine3A, Vec2},
};

use crate::{
    components::{Body, Mass, Response},
    state::{colliders::Colliders, pose::Poses},
};

/// All that a collider has from above: the same for all children of a parent.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Inheritance {
    /// The space that its `Transform` is in.
    pose: Affine3A,
    /// Its body, what that is like, and where; `None` if it is its own.
    body: Option<(Entity, Body, Mass, Response, Vec2)>,
    root: Entity,
}

/// What is found out of a parent in a tick.
#[derive(Clone, Copy, Debug)]
struct Found {
    inheritance: Inheritance,
    is_as_it_was: bool,
    /// The slot of the body, if that is not the children's own.
    body: Option<usize>,
}

/// Parents of what stands still, by what their children have from them.
#[derive(Default)]
pub(super) struct Families {
    /// In this tick, as far as they have been met.
    now: EntityHashMap<Found>,
    /// In the last one.
    before: EntityHashMap<Found>,
    /// The one that was met last: mostly the next child is of the same one.
    last: Option<(Entity, Found)>,
}

impl Families {
    /// A tick begins.
    pub(super) fn begin(&mut self) {
        std::mem::swap(&mut self.now, &mut self.before);
        self.now.clear();
        self.last = None;
    }

    /// Whether a child has from its parent what it had in the last tick, when it was read or had nothing new either. Its slot is that of a collider without anything new of its own.
    pub(super) fn is_as_it_was(
        &mut self,
        parent: Entity,
        slot: usize,
        poses: &Poses,
        colliders: &mut Colliders,
    ) -> bool {
        let found = match self.last {
            Some((last, found)) if last == parent => found,
            _ => {
                let Some(found) = self.find(parent, colliders.entities[slot], poses, colliders)
                else {
                    return false;
                };
                self.last = Some((parent, found));
                found
            }
        };
        let body = found.body.unwrap_or(slot);
        found.is_as_it_was && colliders.placed[slot].body as usize == body
    }

    fn find(
        &mut self,
        parent: Entity,
        child: Entity,
        poses: &Poses,
        colliders: &mut Colliders,
    ) -> Option<Found> {
        if let Some(found) = self.now.get(&parent) {
            return Some(*found);
        }
        let body = poses.body_of(child);
        let body = if body == child {
            None
        } else {
            let place = poses.global(body)?.translation().truncate();
            let (kind, mass, response) = poses.body(body);
            Some((body, kind, mass, response, place))
        };
        let inheritance = Inheritance {
            pose: poses.parent_affine(child),
            body,
            root: poses.root_of(child),
        };
        let before = self.before.get(&parent);
        let mut found = Found {
            inheritance,
            is_as_it_was: before.is_some_and(|before| before.inheritance == inheritance),
            body: None,
        };
        if let Some((body, ..)) = body.filter(|_| found.is_as_it_was) {
            // A static one, which nothing but its game moves.
            found.body = Some(colliders.body_slot(body));
        }
        self.now.insert(parent, found);
        Some(found)
    }
}
