//! What children inherit from their ancestors. Children whose own components are unchanged need not be read if this is unchanged as well.

use bevy::{
    ecs::entity::{Entity, EntityHashMap},
    math::{Affine3A, Vec2},
};

use crate::{
    components::{Body, Mass, Response},
    state::{colliders::Colliders, pose::Poses},
};

/// All that a collider inherits: the same for all children of a parent.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Inheritance {
    /// The space that the collider's `Transform` is in.
    pose: Affine3A,
    /// Its body, with the components and the position of that; `None` if the collider is its own body.
    body: Option<(Entity, Body, Mass, Response, Vec2)>,
    root: Entity,
}

/// What was found out about a parent in a tick.
#[derive(Clone, Copy, Debug)]
struct Found {
    inheritance: Inheritance,
    is_as_it_was: bool,
    /// The slot of the body, if that is not the child itself.
    body: Option<usize>,
}

/// What the parents of static children hand down to them.
#[derive(Default)]
pub(super) struct Families {
    /// Of this tick, as far as they have been asked for.
    now: EntityHashMap<Found>,
    /// Of the last tick.
    before: EntityHashMap<Found>,
    /// The parent that was asked for last: mostly the next child has the same one.
    last: Option<(Entity, Found)>,
}

impl Families {
    /// Begins a tick.
    pub(super) fn begin(&mut self) {
        std::mem::swap(&mut self.now, &mut self.before);
        self.now.clear();
        self.last = None;
    }

    /// Whether a child inherits from its parent what it inherited in the last tick, when the child was read or found unchanged. `slot` is that of the child, whose own components have not changed.
    pub(super) fn is_as_it_was(
        &mut self,
        parent: Entity,
        slot: usize,
        poses: &Poses,
        colliders: &Colliders,
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
        colliders: &Colliders,
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
        let is_as_it_was = before.is_some_and(|before| before.inheritance == inheritance);
        let found = Found {
            inheritance,
            is_as_it_was,
            body: body.and_then(|(body, ..)| colliders.body_slot_of(body)),
        };
        self.now.insert(parent, found);
        Some(found)
    }
}
