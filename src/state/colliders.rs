//! The world as the tick sees it: flat arrays, with one slot for each collider, which it keeps for as long as it takes part.

mod store;

use std::{borrow::BorrowMut, sync::OnceLock};

use bevy::{
    ecs::{
        change_detection::Tick,
        entity::{Entity, EntityHashMap, EntityHashSet, EntityMapper},
        hierarchy::Children,
        prelude::{Query, Resource, World},
    },
    math::{Affine3A, Vec2},
};

pub(crate) use self::store::Gathered;
use super::{
    allotment::Allotment,
    drift::Drift,
    fresh::Fresh,
    left_bodies::LeftBodies,
    order::Order,
    rare::RareTraits,
    refusal::Refusal,
    slots::SlotSet,
    spaces::Spaces,
    still_changes::StillChanges,
    traits::{ColliderFlags, Posture, Traits},
};
use crate::{
    allow_disabled::AllowDisabled,
    placed::{BodyState, Placed, Rank, SlotPair, parts_of, rounding, rounding_along},
};

/// All colliders, and all bodies without a collider of their own. Slot `i` of `traits` and `placed` is one collider; `placed[i].body` is the slot of
/// its body in `body_states`, which is also `i` unless the body is an ancestor.
///
/// ```text
/// entities                        slot    placed[slot].body    body_states[slot]
/// crate, a collider                0             0             of the crate
/// cart, a body without a collider  2             2             of the cart
///   wheel, a collider below it     1             2             not used
/// ```
///
/// A clone does not know which entity has which slot before it is [told](Self::find_slots).
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Colliders {
    /// By slot: the entity that has it, or had it last. A contact may be reported when its colliders are gone.
    pub(crate) entities: Vec<Entity>,
    /// By slot: the body that the collider is a part of, or was last.
    pub(crate) body_entities: Vec<Entity>,
    left_bodies: LeftBodies,
    /// Slots of bodies that have lost a collider in this gathering, their own or that of a child; some several times.
    lost_a_collider: Vec<u32>,
    pub(crate) rare: RareTraits,
    /// How many colliders have been read with all their components, ever.
    #[cfg(test)]
    pub(crate) reads: usize,
    /// How many colliders have been checked one by one for changes, ever.
    #[cfg(test)]
    pub(crate) looks: usize,
    /// How often it was found out anew what a parent hands down to still colliders, ever.
    #[cfg(test)]
    pub(crate) finds: usize,
    pub(crate) order: Order,
    /// How far bodies were pushed since detection.
    pub(crate) drift: Drift,
    /// Set when something other than a position may have changed whether two colliders collide, since report last asked.
    pub(crate) rules_changed: bool,
    pub(crate) fresh: Fresh,
    /// Change detection can't be trusted for the time since: the next tick reads all components.
    pub(crate) must_read_all: bool,
    /// When an earlier state was restored, if that was since the last tick: components that were there by then may count as added, and are not new.
    pub(crate) restored_at: Option<Tick>,
    /// How often an earlier tick was restored, ever.
    pub(crate) times_back: u32,
    pub(crate) traits: Vec<Traits>,
    /// By slot: the properties of the collider and its body that are asked for most often.
    pub(crate) flags: Vec<ColliderFlags>,
    /// By slot, up to the last one that needs it: the rotation and scale with which the shapes of centered colliders were made that are not upright.
    pub(crate) postures: Vec<Posture>,
    pub(crate) placed: Vec<Placed>,
    pub(crate) body_states: Vec<BodyState>,
    allotment: Allotment,
    /// Circles and boxes, of bodies that are not static.
    pub(crate) moving: SlotSet,
    /// Circles and boxes, of static bodies.
    pub(crate) still: SlotSet,
    /// Rooms: each a `BoundsCollider`.
    pub(crate) rooms: SlotSet,
    /// Colliders that may be pushed.
    pub(crate) pushable: SlotSet,
    /// Colliders that others may be inside of without being pushed out: sensors, and one-way colliders.
    pub(crate) passable: SlotSet,
    /// Colliders of entities with a parent.
    pub(crate) children: SlotSet,
    /// Of `children`, those that are bodies of their own and not static.
    inner: SlotSet,
    /// Poses of all parents of non-static bodies, as of the end of the newest tick.
    pub(crate) spaces: Spaces,
    /// Of `children`, those that are parts of a non-static body: tiles of a level are not.
    pub(crate) parts: SlotSet,
    /// Of `parts`, those that are no sensors, each after the slot of its body, sorted. Empty after something that it depends on has changed.
    solid_parts: OnceLock<Vec<(u32, u32)>>,
    /// Slots that hold only a body for its children's colliders.
    bare_bodies: SlotSet,
    /// By slot: the number of colliders of children that are parts of the body in it.
    child_counts: Vec<u32>,
    pub(crate) still_changes: StillChanges,
    /// Colliders that take no part because of invalid input.
    pub(crate) refused: EntityHashMap<Refusal>,
    /// Those that a warning was given for, also while they are disabled.
    pub(crate) warned: EntityHashSet,
}

/// Whether the collider took part in the newest tick, or did before and a report may still have to tell how its contacts have ended.
pub(crate) fn is_known(world: &World, entity: Entity) -> bool {
    let colliders = world.get_resource::<Colliders>();
    colliders.is_some_and(|colliders| {
        colliders.slot(entity).is_some() || colliders.allotment.has_given_back(entity)
    })
}

/// The key by which entities are sorted: index, then generation. (`Entity: Ord` runs the other way round.)
pub(crate) fn entity_key(entity: Entity) -> (u32, u32) {
    (entity.index_u32(), entity.generation().to_bits())
}

impl Colliders {
    /// Returns the slot of a collider.
    #[inline]
    pub(crate) fn slot(&self, entity: Entity) -> Option<usize> {
        self.allotment
            .slot(entity)
            .filter(|&slot| !self.bare_bodies.contains(slot))
    }

    /// The indices of all entities that have a slot are below this.
    pub(crate) fn indices(&self) -> usize {
        self.allotment.indices()
    }

    /// Returns the slot of a body, whether it has a collider of its own or only children with one.
    pub(crate) fn body_slot_of(&self, entity: Entity) -> Option<usize> {
        self.allotment.slot(entity)
    }

    /// Whether a collider is not a part of another entity's body.
    #[inline]
    pub(crate) fn is_own_body(&self, slot: usize) -> bool {
        self.placed[slot].body as usize == slot
    }

    /// Returns the slots of all colliders that are parts of a body now. Walks along its descendants, with `family` as the buffer: a level has too many children to search them for each.
    pub(crate) fn parts_of<'a>(
        &'a self,
        families: &'a Query<&Children, AllowDisabled>,
        (entity, body): (Entity, usize),
        family: impl BorrowMut<Vec<Entity>> + 'a,
    ) -> impl Iterator<Item = usize> + 'a {
        let slots = family_of(families, entity, family).filter_map(|entity| self.slot(entity));
        slots.filter(move |&slot| self.placed[slot].body as usize == body)
    }

    /// Returns the slot of the collider alone if the entity is a part of another body, else the slots of all colliders of the body.
    pub(crate) fn colliders_of<'a>(
        &'a self,
        families: &'a Query<&Children, AllowDisabled>,
        entity: Entity,
        family: impl BorrowMut<Vec<Entity>> + 'a,
    ) -> impl Iterator<Item = usize> + 'a {
        let slot = self.slot(entity);
        let part = slot.filter(|&slot| !self.is_own_body(slot));
        let body = self.body_slot_of(entity).filter(|_| part.is_none());
        let of_body = body.map(|body| self.parts_of(families, (entity, body), family));
        part.into_iter().chain(of_body.into_iter().flatten())
    }

    /// Returns the centers of two colliders.
    #[inline]
    pub(crate) fn centers(&self, (a, b): SlotPair) -> [Vec2; 2] {
        [a, b].map(|slot| self.placed[slot as usize].center(&self.body_states))
    }

    /// Returns the rounding error at the places of two colliders, in world units: a smaller overlap can't be pushed apart, and with a smaller gap they touch.
    pub(crate) fn rounding(&self, slots: SlotPair) -> f32 {
        let [a, b] = self.centers(slots);
        rounding(a, b)
    }

    /// The same rounding error along a normal.
    pub(crate) fn rounding_along(&self, slots: SlotPair, normal: Vec2) -> f32 {
        let [a, b] = self.centers(slots);
        rounding_along(a, b, normal)
    }

    /// Number of colliders that take part.
    pub(crate) fn count(&self) -> usize {
        self.moving.members().len() + self.still.members().len() + self.rooms.members().len()
    }

    /// The slots of all colliders that take part.
    pub(crate) fn slots(&self) -> impl Iterator<Item = usize> {
        let lists = [&self.moving, &self.still, &self.rooms];
        lists
            .into_iter()
            .flat_map(|list| list.members().iter().map(|&slot| slot as usize))
    }

    /// Whether a collider may have an overlap that was not reported yet, because something other than the sweep moved it or its body, or because it has changed.
    pub(crate) fn is_fresh(&self, slot: usize) -> bool {
        if self.fresh.is_certainly_empty() {
            return false;
        }
        let body = self.placed[slot].body as usize;
        self.fresh.contains(slot) || (body != slot && self.fresh.contains(body))
    }

    /// Whether there is a collider in a slot.
    pub(crate) fn takes_part(&self, slot: usize) -> bool {
        let lists = [&self.moving, &self.still, &self.rooms];
        lists.into_iter().any(|list| list.contains(slot))
    }

    /// The body that a collider was a part of in the last report.
    pub(crate) fn last_body(&self, slot: u32) -> Entity {
        let left = self.left_bodies.of(slot);
        left.unwrap_or(self.body_entities[slot as usize])
    }

    /// Whether one of two colliders is a part of another body than in the last report.
    pub(crate) fn has_left_body(&self, (a, b): SlotPair) -> bool {
        let has_left = |slot: u32| self.last_body(slot) != self.body_entities[slot as usize];
        !self.left_bodies.is_empty() && (has_left(a) || has_left(b))
    }

    /// Whether one of two colliders ignores the other, by its list or because both have the same root.
    pub(crate) fn are_ignored(&self, a: usize, b: usize) -> bool {
        let root = |slot: usize| {
            let root = self.rare.root(slot);
            root.unwrap_or(self.entities[slot])
        };
        let ignores = |slot: usize, other: usize| {
            let who = [self.entities[other], self.body_entities[other]];
            self.traits[slot].ignores
                && self.rare.ignored(slot).is_some_and(|ignoring| {
                    let is_listed = who.iter().any(|who| ignoring.entities.contains(who));
                    is_listed || (ignoring.family && root(slot) == root(other))
                })
        };
        ignores(a, b) || ignores(b, a)
    }

    /// Returns the parts of non-static bodies, each after the slot of its body, sorted; without sensors, which block nothing. Sorts them anew only after one of them was added, removed or changed.
    pub(crate) fn solid_parts(&self) -> &[(u32, u32)] {
        self.solid_parts.get_or_init(|| {
            let parts = self.parts.members().iter();
            let parts = parts.filter(|&&slot| !self.flags[slot as usize].is_sensor());
            let parts = parts.map(|&slot| (self.placed[slot as usize].body, slot));
            let mut parts: Vec<(u32, u32)> = parts.collect();
            parts.sort_unstable();
            parts
        })
    }

    /// Yields the collider in a slot, and those of its parts if it is a body that is not static, without sensors.
    pub(crate) fn solid_colliders_of(&self, slot: u32) -> impl Iterator<Item = u32> {
        let is_solid = !self.flags[slot as usize].is_sensor();
        let own = (is_solid && self.takes_part(slot as usize)).then_some(slot);
        let parts = parts_of(self.solid_parts(), slot).iter();
        own.into_iter().chain(parts.map(|(_, part)| *part))
    }

    /// Moves a plain collider, which is its own body, to a new position.
    #[inline]
    pub(crate) fn move_to(&mut self, slot: usize, position: Vec2) {
        let body_state = &mut self.body_states[slot];
        if body_state.rank == Rank::Static && !self.still_changes.was_noted_at(slot, position) {
            self.still_changes.note_at(slot, position);
        }
        if self.fresh.are_noted() && body_state.position != position {
            self.fresh.note(slot);
        }
        body_state.position = position;
    }

    /// Notes the poses of all parents of non-static bodies. `parent` returns the parent of an entity, `pose` the pose of an entity.
    pub(crate) fn note_spaces(
        &mut self,
        parent: impl Fn(Entity) -> Option<Entity>,
        pose: impl Fn(Entity) -> Affine3A,
    ) {
        let bodies = self
            .bare_bodies
            .members()
            .iter()
            .chain(self.inner.members());
        let bodies = bodies.map(|&slot| slot as usize);
        let bodies = bodies.filter(|&slot| self.body_states[slot].rank != Rank::Static);
        let parents = bodies.filter_map(|slot| parent(self.entities[slot]));
        self.spaces.note(parents, pose);
    }

    /// Call this after an earlier state was restored: it is not known what has changed since.
    pub(crate) fn doubt_all(&mut self) {
        self.must_read_all = true;
        // The broad phase has not been told of these static colliders as they are now.
        self.still_changes.replace(self.still.members());
    }

    /// Swaps the positions of bodies with those in a list, by slot.
    pub(crate) fn swap_places(&mut self, places: &mut [(u32, Vec2)]) {
        for (body, place) in places {
            std::mem::swap(&mut self.body_states[*body as usize].position, place);
        }
    }

    /// Replaces each known entity by the one that `mapper` has for it.
    pub(crate) fn map_entities(&mut self, mapper: &mut impl EntityMapper) {
        let nobody = Entity::PLACEHOLDER;
        let mut map = |entity: &mut Entity| {
            if *entity != nobody {
                *entity = mapper.get_mapped(*entity);
            }
        };
        self.entities.iter_mut().for_each(&mut map);
        self.body_entities.iter_mut().for_each(&mut map);
        self.left_bodies.bodies_mut().for_each(&mut map);
        self.spaces.map_entities(&mut map);
        self.rare.map_entities(mapper);
        let refused = std::mem::take(&mut self.refused).into_iter();
        let refused = refused.map(|(entity, refusal)| (mapper.get_mapped(entity), refusal));
        self.refused = refused.collect();
        let warned = std::mem::take(&mut self.warned).into_iter();
        self.warned = warned.map(|entity| mapper.get_mapped(entity)).collect();
        self.order = Order::default();
        (0..self.entities.len()).for_each(|slot| self.order.note(slot));
    }

    /// The slots in use: by a collider, or by a body without a collider of its own.
    pub(crate) fn in_use(&self) -> impl Iterator<Item = u32> {
        let slots = 0..self.entities.len();
        let slots = slots.filter(|slot| self.holder(*slot).is_some());
        slots.map(|slot| slot as u32)
    }

    /// Returns the entity that has a slot now, with or without a collider of its own.
    pub(crate) fn holder(&self, slot: usize) -> Option<Entity> {
        let entity = *self.entities.get(slot)?;
        (self.allotment.slot(entity) == Some(slot)).then_some(entity)
    }

    /// Tells a clone which slots are in use. Of two slots whose entities have the same index, the later one counts.
    pub(crate) fn find_slots(&mut self, in_use: &[u32]) {
        let in_use = in_use.iter().map(|slot| *slot as usize);
        let holders = in_use.map(|slot| (self.entities[slot], slot));
        self.allotment.replace_all(holders, &self.entities);
        // The slots may hold other entities by now.
        self.note_order();
    }

    /// All that has left its slot or its body has been reported.
    pub(crate) fn end_report(&mut self) {
        self.left_bodies.clear();
        self.rules_changed = false;
    }
}

/// Yields an entity and its descendants, with `family` as the buffer: Bevy's own walk allocates a list each time.
pub(crate) fn family_of<'a>(
    families: &'a Query<&Children, AllowDisabled>,
    entity: Entity,
    mut family: impl BorrowMut<Vec<Entity>> + 'a,
) -> impl Iterator<Item = Entity> + 'a {
    let children = |entity| families.get(entity).into_iter().flatten();
    family.borrow_mut().clear();
    family.borrow_mut().push(entity);
    let mut at = 0;
    std::iter::from_fn(move || {
        let family = family.borrow_mut();
        let one = *family.get(at)?;
        at += 1;
        family.extend(children(one));
        Some(one)
    })
}

#[cfg(test)]
mod tests;
