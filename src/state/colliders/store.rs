//! Writes what gather has read into the slots, and gives slots to those that come and takes them from those that go.

use bevy::{
    ecs::entity::{Entity, EntityHashSet},
    math::Vec2,
};

use super::{Colliders, entity_key};
use crate::{
    components::IgnoreCollisions,
    kernel::Outline,
    placed::{BodyState, Placed, Rank},
    state::traits::{ColliderFlags, Posture, Traits},
};

/// A collider whose input is valid, as gather has read it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gathered<'a> {
    pub(crate) entity: Entity,
    pub(crate) traits: Traits,
    pub(crate) outline: Outline,
    /// Center minus the position of the body.
    pub(crate) offset: Vec2,
    /// The entity whose `Transform` the collider moves with.
    pub(crate) body: Entity,
    pub(crate) body_state: BodyState,
    /// The topmost ancestor of the collider's entity, or the entity itself.
    pub(crate) root: Entity,
    pub(crate) ignores: Option<&'a IgnoreCollisions>,
    /// Velocity of the surface relative to that of the collider.
    pub(crate) surface_velocity: Vec2,
    pub(crate) posture: Posture,
}

impl Gathered<'_> {
    /// Returns the same without the list of ignored entities, for callers that keep it longer than that list may be borrowed.
    pub(crate) fn without_list(self) -> Gathered<'static> {
        Gathered {
            ignores: None,
            ..self
        }
    }
}

impl Colliders {
    /// Begins the gathering of a tick. Contacts refer to slots that were given back, and to bodies that were left, until a report has told of them.
    /// `unreported` has the colliders of contacts of which no report has told, if the report rested.
    pub(crate) fn begin_gathering(&mut self, unreported: Option<&EntityHashSet>) {
        let is_unreported = |entity: Entity| unreported.is_some_and(|all| all.contains(&entity));
        let entities = &self.entities;
        (self.left_bodies).retain(|slot| is_unreported(entities[slot as usize]));
        self.allotment.release(|entity| !is_unreported(entity));
    }

    /// Writes a gathered collider into the slot of its entity, which gets a slot if it has none.
    pub(crate) fn store(&mut self, gathered: &Gathered) {
        let is_new = self.slot(gathered.entity).is_none();
        let slot = self.slot_for(gathered.entity);
        if is_new {
            self.order.note(slot);
        }
        let body = if gathered.body == gathered.entity {
            slot
        } else {
            self.body_slot(gathered.body)
        };
        let placed = Placed {
            outline: gathered.outline,
            offset: gathered.offset,
            body: body as u32,
        };
        self.note_change(slot, is_new, &placed, gathered);
        self.set_body(slot, body, gathered.body);
        self.placed[slot] = placed;
        self.body_states[body] = gathered.body_state;
        self.set_traits(slot, gathered);
        self.bare_bodies.remove(slot);
        self.set_child(slot, gathered.root != gathered.entity);
    }

    /// Notes in what a gathered collider differs from what its slot holds so far. Stores what it ignores, and its root: where these are stored tells whether they have changed.
    fn note_change(&mut self, slot: usize, is_new: bool, placed: &Placed, gathered: &Gathered) {
        let body = placed.body as usize;
        let is_other_rank = self.body_states[body].rank != gathered.body_state.rank;
        let root = (gathered.root != gathered.entity).then_some(gathered.root);
        let have_rules_changed = self.rare.set_ignored(slot, gathered.ignores)
            | self.rare.set_root(slot, root)
            | is_other_rank
            | (self.traits[slot] != gathered.traits)
            | (self.placed[slot].body != placed.body)
            // The slot of the body may be the same and its entity another one.
            | (self.body_entities[slot] != gathered.body);
        self.rules_changed |= have_rules_changed;
        if have_rules_changed && self.parts.contains(slot) {
            self.solid_parts.take();
        }
        if is_new || have_rules_changed || self.placed[slot] != *placed {
            self.fresh.note(slot);
        }
        if is_other_rank || self.body_states[body].position != gathered.body_state.position {
            self.fresh.note(body);
        }
        let is_still = gathered.body_state.rank == Rank::Static;
        let was_still = self.still.contains(slot);
        let is_same = is_still == was_still
            && self.traits[slot] == gathered.traits
            && self.placed[slot] == *placed
            && (self.still_changes).was_noted_at(slot, gathered.body_state.position);
        if (is_still || was_still) && !is_same {
            self.still_changes
                .note_at(slot, gathered.body_state.position);
        }
    }

    /// Makes a collider a part of a body, and no longer of the one before. Its `Placed` is still that of before.
    fn set_body(&mut self, slot: usize, body: usize, entity: Entity) {
        let left = std::mem::replace(&mut self.body_entities[slot], entity);
        if left != entity && left != Entity::PLACEHOLDER {
            self.left_bodies.note(slot, left);
        }
        let body_before = self.placed[slot].body as usize;
        if body != body_before {
            self.leave_body(slot, body_before);
            if body != slot {
                self.child_counts[body] += 1;
            }
        }
    }

    /// Stores the properties of a collider of which the body is known, and updates the sets that follow from them.
    fn set_traits(&mut self, slot: usize, gathered: &Gathered) {
        let Gathered {
            body_state, traits, ..
        } = gathered;
        let flags = ColliderFlags::new(body_state.rank, traits, self.is_own_body(slot));
        self.flags[slot] = if gathered.root == gathered.entity {
            let is_centered = gathered.offset == Vec2::ZERO;
            let is_upright = gathered.posture.is_upright();
            if is_centered && !is_upright {
                if self.postures.len() <= slot {
                    self.postures.resize(slot + 1, Posture::UPRIGHT);
                }
                self.postures[slot] = gathered.posture;
            }
            flags.of_root(is_centered, is_upright)
        } else {
            flags
        };
        self.traits[slot] = *traits;
        let is_still = body_state.rank == Rank::Static;
        let is_room = matches!(gathered.outline, Outline::Bounds(_));
        self.rooms.set(slot, is_room);
        self.still.set(slot, is_still && !is_room);
        self.moving.set(slot, !is_still && !is_room);
        let is_pushable = body_state.rank == Rank::Dynamic && !traits.sensor;
        self.pushable.set(slot, is_pushable);
        let is_passable = traits.sensor || traits.one_way != Vec2::ZERO;
        self.passable.set(slot, is_passable);
        let rare = &mut self.rare;
        rare.set_surface_velocity(slot, gathered.surface_velocity);
    }

    /// Notes whether a collider that was just read belongs to an entity with a parent, and updates the sets that follow from it.
    fn set_child(&mut self, slot: usize, is_child: bool) {
        let moves = is_child && !self.flags[slot].is_static();
        let is_own = self.is_own_body(slot);
        let is_part = moves && !is_own;
        self.children.set(slot, is_child);
        self.inner.set(slot, moves && is_own);
        if self.parts.contains(slot) != is_part {
            self.parts.set(slot, is_part);
            self.solid_parts.take();
        }
    }

    fn slot_for(&mut self, entity: Entity) -> usize {
        if let Some(slot) = self.allotment.slot(entity) {
            return slot;
        }
        if let Some(slot) = self.allotment.predecessor(entity) {
            self.remove(slot);
            // Its children are read anew in this tick, for it is gone.
            if self.bare_bodies.contains(slot) {
                self.bare_bodies.remove(slot);
                self.allotment.give_back(self.entities[slot], slot);
            }
        }
        let slot = self.allotment.take(entity);
        while self.placed.len() <= slot {
            self.grow();
        }
        // The slot may have been a child's before.
        self.placed[slot].body = slot as u32;
        // Of an entity that is back in its own slot, it counts which body it was a part of.
        if std::mem::replace(&mut self.entities[slot], entity) != entity {
            self.body_entities[slot] = Entity::PLACEHOLDER;
        }
        slot
    }

    /// Returns the slot of a child's body: that of its own collider, or one for the body alone.
    fn body_slot(&mut self, body: Entity) -> usize {
        let is_new = self.allotment.slot(body).is_none();
        let slot = self.slot_for(body);
        if is_new {
            self.hold_bare_body(slot);
        }
        slot
    }

    fn grow(&mut self) {
        let slot = self.placed.len();
        self.entities.push(Entity::PLACEHOLDER);
        self.body_entities.push(Entity::PLACEHOLDER);
        self.traits.push(Traits::VACANT);
        self.flags.push(ColliderFlags::VACANT);
        self.placed.push(Placed::bare_body(slot as u32));
        self.child_counts.push(0);
        self.body_states.push(BodyState {
            position: Vec2::ZERO,
            inverse_mass: 1.0,
            rank: Rank::Static,
        });
    }

    /// The entity of a slot has no collider any more. It has the slot until the gathering ends, or as long as a child of it collides.
    pub(crate) fn remove(&mut self, slot: usize) {
        let is_collider = self.takes_part(slot);
        if self.still.contains(slot) {
            self.still_changes.note(slot);
        }
        if self.parts.contains(slot) {
            self.solid_parts.take();
        }
        for list in [
            &mut self.moving,
            &mut self.still,
            &mut self.rooms,
            &mut self.pushable,
            &mut self.passable,
            &mut self.children,
            &mut self.inner,
            &mut self.parts,
            &mut self.bare_bodies,
        ] {
            list.remove(slot);
        }
        self.rare.remove(slot);
        self.rules_changed = true;
        self.traits[slot] = Traits::VACANT;
        let rank = self.flags[slot].rank();
        self.flags[slot] = ColliderFlags::new(rank, &Traits::VACANT, false);
        if is_collider {
            self.leave_body(slot, self.placed[slot].body as usize);
        }
        self.hold_bare_body(slot);
        self.lost_a_collider.push(slot as u32);
    }

    /// A collider is no child of a body any more.
    fn leave_body(&mut self, slot: usize, body: usize) {
        if body != slot {
            self.child_counts[body] -= 1;
            self.lost_a_collider.push(body as u32);
        }
    }

    /// Makes a slot that of a body without a collider of its own. Nothing is left of an earlier collider; otherwise, the results of pushes would depend on it.
    fn hold_bare_body(&mut self, slot: usize) {
        self.bare_bodies.insert(slot);
        self.placed[slot] = Placed::bare_body(slot as u32);
    }

    /// Takes the slots from bodies that have neither a collider nor a child with one. Only once all colliders were read: in which order that is must make no difference.
    fn free_empty_bodies(&mut self) {
        while let Some(slot) = self.lost_a_collider.pop() {
            let slot = slot as usize;
            if self.bare_bodies.contains(slot) && self.child_counts[slot] == 0 {
                self.bare_bodies.remove(slot);
                self.allotment.give_back(self.entities[slot], slot);
            }
        }
    }

    /// Ends the gathering of a tick. Returns whether any collider may have gone.
    pub(crate) fn end_gathering(&mut self) -> bool {
        let may_be_gone = !self.lost_a_collider.is_empty();
        self.free_empty_bodies();
        self.left_bodies.sort();
        self.note_order();
        may_be_gone
    }

    pub(super) fn note_order(&mut self) {
        let mut order = std::mem::take(&mut self.order);
        order.update(self.entities.len(), |slot| {
            let entity = self.entities[slot];
            (self.slot(entity) == Some(slot)).then(|| entity_key(entity))
        });
        self.order = order;
    }

    /// Reserves slots for the coming tick, for entities that have none: used by a replay. Slots break ties between what is the
    /// same in every other respect, and the assignment of slots depends on the order in which earlier entities came and went.
    #[cfg(feature = "recorder")]
    pub(crate) fn reserve(&mut self, slots: impl Iterator<Item = (Entity, u32)>) {
        let has_it = |entity: Entity, slot: u32| self.body_slot_of(entity) == Some(slot as usize);
        let slots = slots.filter(|&(entity, slot)| !has_it(entity, slot));
        self.allotment.reserve(slots.collect());
    }
}
