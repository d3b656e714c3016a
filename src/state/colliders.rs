//! The world as the tick sees it: flat arrays, with one slot for each collider, which it keeps for as long as it takes part.

use std::{borrow::BorrowMut, sync::OnceLock};

use bevy::{
    ecs::{
        entity::{Entity, EntityHashMap, EntityHashSet, EntityMapper},
        hierarchy::Children,
        prelude::{Query, Resource, World},
    },
    math::{Affine3A, Vec2},
};

use super::{
    allotment::Allotment,
    drift::Drift,
    fresh::Fresh,
    left_bodies::LeftBodies,
    order::Order,
    rare::Rare,
    refusal::Refusal,
    slots::SlotSet,
    still_changes::StillChanges,
    traits::{Party, Posture, Traits},
};
use crate::{
    allow_disabled::AllowDisabled,
    components::IgnoreCollisions,
    kernel::Outline,
    placed::{Mover, Placed, Rank, rounding, rounding_along},
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
    pub(crate) mover: Mover,
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

/// All colliders, and all bodies without a collider of their own. Slot `i` of `traits` and `placed` is one collider; `placed[i].body` is the slot of
/// its body in `movers`, which is also `i` unless the body is an ancestor.
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
    childless: Vec<u32>,
    /// There was a report since the last gathering.
    pub(crate) is_told: bool,
    pub(crate) rare: Rare,
    /// How many colliders have been read with all their components, ever.
    #[cfg(test)]
    pub(crate) reads: usize,
    /// How many colliders have been checked one by one for changes, ever.
    #[cfg(test)]
    pub(crate) looks: usize,
    pub(crate) order: Order,
    /// How far bodies were pushed since detection.
    pub(crate) drift: Drift,
    /// Set when something other than a position may have changed whether two colliders collide, since report last asked.
    pub(crate) rules_changed: bool,
    pub(crate) fresh: Fresh,
    /// Change detection can't be trusted for the time since: the next tick reads all components.
    pub(crate) are_doubtful: bool,
    /// An earlier state was restored since the last tick: components that count as added may not be new.
    pub(crate) have_gone_back: bool,
    /// How often an earlier tick was restored, ever.
    pub(crate) times_back: u32,
    pub(crate) traits: Vec<Traits>,
    /// By slot: the properties of the collider and its body that are asked for most often.
    pub(crate) parties: Vec<Party>,
    /// By slot, up to the last one that needs it: the rotation and scale with which the shapes of centered colliders were made that are not upright.
    pub(crate) postures: Vec<Posture>,
    pub(crate) placed: Vec<Placed>,
    pub(crate) movers: Vec<Mover>,
    allotment: Allotment,
    /// Colliders with an inside, of bodies that are not static.
    pub(crate) moving: SlotSet,
    /// Colliders with an inside, of static bodies.
    pub(crate) still: SlotSet,
    /// Colliders with an outside.
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
    spaces: EntityHashMap<Affine3A>,
    /// Of `children`, those that are parts of a non-static body: tiles of a level are not.
    pub(crate) parts: SlotSet,
    /// Of `parts`, those that are no sensors, each after the slot of its body, sorted. Empty after something that it depends on has changed.
    solid_parts: OnceLock<Vec<(u32, u32)>>,
    /// Slots that hold only a body for its children's colliders.
    bodies: SlotSet,
    /// By slot: the number of colliders of children that are parts of the body in it.
    child_counts: Vec<u32>,
    pub(crate) still_changes: StillChanges,
    /// Colliders that take no part because of invalid input, and for which a warning was given.
    pub(crate) refused: EntityHashMap<Refusal>,
}

/// Whether the collider took part in the newest tick.
pub(crate) fn is_known(world: &World, entity: Entity) -> bool {
    let colliders = world.get_resource::<Colliders>();
    colliders.is_some_and(|colliders| colliders.slot(entity).is_some())
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
            .filter(|&slot| !self.bodies.contains(slot))
    }

    /// The indices of all entities that have a slot, or had one, are below this.
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

    /// Returns the slots of all colliders that are parts of a body now. Walks along its descendants, with `family` as the buffer: a level has too many children to search them for each, and Bevy's own walk allocates a list each time.
    pub(crate) fn parts_of<'a>(
        &'a self,
        families: &'a Query<&Children, AllowDisabled>,
        (entity, body): (Entity, usize),
        mut family: impl BorrowMut<Vec<Entity>> + 'a,
    ) -> impl Iterator<Item = usize> + 'a {
        let children = |entity| families.get(entity).into_iter().flatten();
        family.borrow_mut().clear();
        family.borrow_mut().extend(children(entity));
        let mut at = 0;
        let descendants = std::iter::from_fn(move || {
            let family = family.borrow_mut();
            let one = *family.get(at)?;
            at += 1;
            family.extend(children(one));
            Some(one)
        });
        let family = std::iter::once(entity).chain(descendants);
        let slots = family.filter_map(|entity| self.slot(entity));
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

    /// Returns the rounding error at the places of two colliders, in world units: a smaller overlap can't be pushed apart, and with a smaller gap they touch.
    pub(crate) fn rounding(&self, (a, b): (u32, u32)) -> f32 {
        let [a, b] = [a, b].map(|slot| self.placed[slot as usize].center(&self.movers));
        rounding(a, b)
    }

    /// The same rounding error along a normal.
    pub(crate) fn rounding_along(&self, (a, b): (u32, u32), normal: Vec2) -> f32 {
        let [a, b] = [a, b].map(|slot| self.placed[slot as usize].center(&self.movers));
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
        if self.fresh.is_nobody() {
            return false;
        }
        let body = self.placed[slot].body as usize;
        self.fresh.contains(slot) || (body != slot && self.fresh.contains(body))
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
        self.movers[body] = gathered.mover;
        self.set_traits(slot, gathered);
        self.bodies.remove(slot);
        self.set_child(slot, gathered.root != gathered.entity);
    }

    /// Notes in what a gathered collider differs from what its slot holds so far. Stores what it ignores, and its root: where these are stored tells whether they have changed.
    fn note_change(&mut self, slot: usize, is_new: bool, placed: &Placed, gathered: &Gathered) {
        let body = placed.body as usize;
        let is_other_rank = self.movers[body].rank != gathered.mover.rank;
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
        if is_other_rank || self.movers[body].position != gathered.mover.position {
            self.fresh.note(body);
        }
        let is_still = gathered.mover.rank == Rank::Static;
        let was_still = self.still.contains(slot);
        let is_same = is_still == was_still
            && self.traits[slot] == gathered.traits
            && self.placed[slot] == *placed
            && (self.still_changes).was_noted_at(slot, gathered.mover.position);
        if (is_still || was_still) && !is_same {
            self.still_changes.note_at(slot, gathered.mover.position);
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
        let Gathered { mover, traits, .. } = gathered;
        let party = Party::new(mover.rank, traits, self.is_own_body(slot));
        self.parties[slot] = if gathered.root == gathered.entity {
            let is_centered = gathered.offset == Vec2::ZERO;
            let is_upright = gathered.posture.is_upright();
            if is_centered && !is_upright {
                if self.postures.len() <= slot {
                    self.postures.resize(slot + 1, Posture::UPRIGHT);
                }
                self.postures[slot] = gathered.posture;
            }
            party.of_root(is_centered, is_upright)
        } else {
            party
        };
        self.traits[slot] = *traits;
        let is_still = mover.rank == Rank::Static;
        let is_room = matches!(gathered.outline, Outline::Bounds(_));
        self.rooms.set(slot, is_room);
        self.still.set(slot, is_still && !is_room);
        self.moving.set(slot, !is_still && !is_room);
        let is_pushable = mover.rank == Rank::Dynamic && !traits.sensor;
        self.pushable.set(slot, is_pushable);
        let is_passable = traits.sensor || traits.one_way != Vec2::ZERO;
        self.passable.set(slot, is_passable);
        let rare = &mut self.rare;
        rare.set_surface_velocity(slot, gathered.surface_velocity);
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
    pub(crate) fn has_left_body(&self, (a, b): (u32, u32)) -> bool {
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

    /// Notes whether a collider that was just read belongs to an entity with a parent, and updates the sets that follow from it.
    fn set_child(&mut self, slot: usize, is_child: bool) {
        let moves = is_child && !self.parties[slot].is_static();
        let is_own = self.is_own_body(slot);
        let is_part = moves && !is_own;
        self.children.set(slot, is_child);
        self.inner.set(slot, moves && is_own);
        if self.parts.contains(slot) != is_part {
            self.parts.set(slot, is_part);
            self.solid_parts.take();
        }
    }

    /// Returns the parts of non-static bodies, each after the slot of its body, sorted; without sensors, which block nothing. Sorts them anew only after one of them was added, removed or changed.
    pub(crate) fn solid_parts(&self) -> &[(u32, u32)] {
        self.solid_parts.get_or_init(|| {
            let parts = self.parts.members().iter();
            let parts = parts.filter(|&&slot| !self.parties[slot as usize].is_sensor());
            let parts = parts.map(|&slot| (self.placed[slot as usize].body, slot));
            let mut parts: Vec<(u32, u32)> = parts.collect();
            parts.sort_unstable();
            parts
        })
    }

    /// Moves a plain collider, which is its own body, to a new position.
    #[inline]
    pub(crate) fn move_to(&mut self, slot: usize, position: Vec2) {
        let mover = &mut self.movers[slot];
        if mover.rank == Rank::Static && !self.still_changes.was_noted_at(slot, position) {
            self.still_changes.note_at(slot, position);
        }
        if self.fresh.are_noted() && mover.position != position {
            self.fresh.note(slot);
        }
        mover.position = position;
    }

    /// Notes the poses of all parents of non-static bodies. `parent` returns the parent of an entity, `pose` the pose of an entity.
    pub(crate) fn note_spaces(
        &mut self,
        parent: impl Fn(Entity) -> Option<Entity>,
        pose: impl Fn(Entity) -> Affine3A,
    ) {
        self.spaces.clear();
        // Mostly the next body has the same parent.
        let mut last = None;
        for &slot in self.bodies.members().iter().chain(self.inner.members()) {
            if self.movers[slot as usize].rank == Rank::Static {
                continue;
            }
            let parent = parent(self.entities[slot as usize]);
            if let Some(new) = parent.filter(|_| parent != last) {
                self.spaces.entry(new).or_insert_with(|| pose(new));
                last = parent;
            }
        }
    }

    /// Returns the pose that a parent of a body had at the end of the newest tick; `None` if the entity was not the parent of any.
    pub(crate) fn space(&self, parent: Entity) -> Option<Affine3A> {
        self.spaces.get(&parent).copied()
    }

    /// Call this after an earlier state was restored: it is not known what has changed since.
    pub(crate) fn doubt_all(&mut self) {
        self.are_doubtful = true;
        self.have_gone_back = true;
        // The broad phase has not been told of these static colliders as they are now.
        self.still_changes.replace(self.still.members());
    }

    /// Swaps the positions of bodies with those in a list, by slot.
    pub(crate) fn swap_places(&mut self, places: &mut [(u32, Vec2)]) {
        for (body, place) in places {
            std::mem::swap(&mut self.movers[*body as usize].position, place);
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
        let spaces = std::mem::take(&mut self.spaces).into_iter();
        let spaces = spaces.map(|(mut parent, pose)| {
            map(&mut parent);
            (parent, pose)
        });
        self.spaces = spaces.collect();
        self.rare.map_entities(mapper);
        // A collider that is still refused has been warned about already.
        let refused = std::mem::take(&mut self.refused).into_iter();
        let refused = refused.map(|(entity, refusal)| (mapper.get_mapped(entity), refusal));
        self.refused = refused.collect();
        self.order = Order::default();
        (0..self.entities.len()).for_each(|slot| self.order.note(slot));
    }

    /// The slots in use: by a collider, or by a body without a collider of its own.
    pub(crate) fn in_use(&self) -> impl Iterator<Item = u32> {
        let slots = (0..).zip(&self.entities);
        let slots = slots.filter(|(slot, one)| self.allotment.slot(**one) == Some(*slot as usize));
        slots.map(|(slot, _)| slot)
    }

    /// Tells a clone which slots are in use. Of two slots whose entities have the same index, the later one counts.
    pub(crate) fn find_slots(&mut self, in_use: &[u32]) {
        let in_use = in_use.iter().map(|slot| *slot as usize);
        let holders = in_use.map(|slot| (self.entities[slot], slot));
        self.allotment.replace_all(holders);
        // The slots may hold other entities by now.
        self.note_order();
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
            &mut self.bodies,
        ] {
            list.remove(slot);
        }
        self.rare.remove(slot);
        self.rules_changed = true;
        self.traits[slot] = Traits::NOBODY;
        let rank = self.parties[slot].rank();
        self.parties[slot] = Party::new(rank, &Traits::NOBODY, false);
        if is_collider {
            self.leave_body(slot, self.placed[slot].body as usize);
        }
        self.hold_bare_body(slot);
        self.childless.push(slot as u32);
    }

    /// A collider is no child of a body any more.
    fn leave_body(&mut self, slot: usize, body: usize) {
        if body != slot {
            self.child_counts[body] -= 1;
            self.childless.push(body as u32);
        }
    }

    /// Takes the slots from bodies that have neither a collider nor a child with one. Only once all colliders were read: in which order that is must make no difference.
    fn give_back_childless(&mut self) {
        while let Some(slot) = self.childless.pop() {
            let slot = slot as usize;
            if self.bodies.contains(slot) && self.child_counts[slot] == 0 {
                self.bodies.remove(slot);
                self.allotment.give_back(self.entities[slot], slot);
            }
        }
    }

    /// Makes a slot that of a body without a collider of its own. Nothing is left of an earlier collider; otherwise, the results of pushes would depend on it.
    fn hold_bare_body(&mut self, slot: usize) {
        self.bodies.insert(slot);
        self.placed[slot] = Placed::bare_body(slot as u32);
    }

    /// Ends the gathering of a tick. Returns whether any collider may have gone.
    pub(crate) fn end_gathering(&mut self) -> bool {
        let may_be_gone = !self.childless.is_empty();
        self.give_back_childless();
        self.left_bodies.sort();
        self.note_order();
        self.is_told = false;
        may_be_gone
    }

    /// All that has left its slot or its body has been reported.
    pub(crate) fn end_report(&mut self) {
        self.left_bodies.clear();
        self.rules_changed = false;
        self.is_told = true;
    }

    fn note_order(&mut self) {
        let mut order = std::mem::take(&mut self.order);
        order.update(self.entities.len(), |slot| {
            let entity = self.entities[slot];
            (self.slot(entity) == Some(slot)).then(|| entity_key(entity))
        });
        self.order = order;
    }

    /// Begins the gathering of a tick. Contacts refer to slots that were given back, and to bodies that were left, until a report has told of them.
    /// `awaited` has the colliders of contacts that were not reported since they may have ended, if there are any.
    pub(crate) fn begin_gathering(&mut self, awaited: Option<&EntityHashSet>) {
        let entities = &self.entities;
        let is_awaited =
            |slot: u32| awaited.is_some_and(|all| all.contains(&entities[slot as usize]));
        self.left_bodies.retain(is_awaited);
        self.allotment.release(|slot| !is_awaited(slot));
    }

    fn slot_for(&mut self, entity: Entity) -> usize {
        if let Some(slot) = self.allotment.slot(entity) {
            return slot;
        }
        if let Some(slot) = self.allotment.predecessor(entity) {
            self.remove(slot);
            // Its children are read anew in this tick, for it is gone.
            if self.bodies.contains(slot) {
                self.bodies.remove(slot);
                self.allotment.give_back(self.entities[slot], slot);
            }
        }
        let slot = self.allotment.take(entity);
        while self.placed.len() <= slot {
            self.grow();
        }
        // The slot may have been a child's before.
        self.placed[slot].body = slot as u32;
        self.entities[slot] = entity;
        self.body_entities[slot] = Entity::PLACEHOLDER;
        slot
    }

    /// Reserves slots for the coming tick, for entities that have none: used by a replay. Slots break ties between what is the
    /// same in every other respect, and the assignment of slots depends on the order in which earlier entities came and went.
    #[cfg(feature = "recorder")]
    pub(crate) fn reserve(&mut self, slots: impl Iterator<Item = (Entity, u32)>) {
        let has_it = |entity: Entity, slot: u32| self.body_slot_of(entity) == Some(slot as usize);
        let slots = slots.filter(|&(entity, slot)| !has_it(entity, slot));
        self.allotment.reserve(slots.collect());
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
        self.traits.push(Traits::NOBODY);
        self.parties.push(Party::NOBODY);
        self.placed.push(Placed::bare_body(slot as u32));
        self.child_counts.push(0);
        self.movers.push(Mover {
            position: Vec2::ZERO,
            inverse_mass: 1.0,
            rank: Rank::Static,
        });
    }
}

#[cfg(test)]
mod tests {
    use bevy::prelude::*;

    use super::Colliders;
    use crate::prelude::*;

    #[test]
    fn parts_are_sorted_anew_only_when_they_change() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, CollisionPlugin::new(Update)));
        let world = app.world_mut();
        // A body without a collider of its own, which has a slot for its child.
        let level = world.spawn(Body::Static).id();
        world.spawn((BoxCollider::square(10.0), ChildOf(level)));
        let knight = world.spawn(CircleCollider::new(5.0)).id();
        let place = Transform::from_xyz(3.0, 0.0, 0.0);
        let sword = (BoxCollider::square(4.0), place, ChildOf(knight));
        let sword = world.spawn(sword).id();
        let parts = |app: &mut App| {
            let mut transform = app.world_mut().get_mut::<Transform>(knight).unwrap();
            transform.translation.x += 1.0;
            app.update();
            let colliders = app.world().resource::<Colliders>();
            let parts = colliders.solid_parts();
            (parts.as_ptr(), parts.len())
        };
        parts(&mut app);
        let (before, count) = parts(&mut app);
        assert_eq!(count, 1);
        assert_eq!(parts(&mut app), (before, 1), "the parts are not read again");
        app.world_mut().entity_mut(sword).insert(Sensor);
        assert_eq!(parts(&mut app).1, 0);
        app.world_mut().entity_mut(sword).remove::<Sensor>();
        assert_eq!(parts(&mut app).1, 1);
        app.world_mut().entity_mut(knight).insert(Body::Static);
        assert_eq!(parts(&mut app).1, 0);
    }

    /// They are also not sorted anew because another collider is added, removed or changed, even that of another body.
    #[test]
    fn parts_are_still_sorted_when_somebody_else_comes_or_goes() {
        #[derive(Resource, Default)]
        struct Sorted(Vec<usize>);
        let note = |colliders: Res<Colliders>, mut sorted: ResMut<Sorted>| {
            let parts = colliders.solid_parts.get();
            sorted.0 = parts.map_or(vec![], |parts| vec![parts.len()]);
        };
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, CollisionPlugin::new(Update)))
            .init_resource::<Sorted>()
            .add_systems(
                Update,
                note.after(CollisionSystems::Gather)
                    .before(CollisionSystems::Sweep),
            );
        let place = |x: f32| Transform::from_xyz(x, 0.0, 0.0);
        let world = app.world_mut();
        let knight = world.spawn((CircleCollider::new(5.0), place(0.0))).id();
        let sword = (BoxCollider::square(4.0), place(3.0), ChildOf(knight));
        let sword = world.spawn(sword).id();
        let update = |app: &mut App| {
            app.update();
            let colliders = app.world().resource::<Colliders>();
            let body = colliders.body_slot_of(knight).unwrap() as u32;
            let part = colliders.slot(sword).unwrap() as u32;
            assert_eq!(colliders.solid_parts(), [(body, part)]);
            app.world().resource::<Sorted>().0.clone()
        };
        update(&mut app);
        let other = (CircleCollider::new(1.0), Sensor, place(500.0));
        let other = app.world_mut().spawn(other).id();
        assert_eq!(update(&mut app), [1], "one is added");
        app.world_mut().entity_mut(other).remove::<Sensor>();
        assert_eq!(update(&mut app), [1], "it changes");
        app.world_mut().entity_mut(other).insert(Body::Static);
        assert_eq!(update(&mut app), [1], "it is static");
        app.world_mut().despawn(other);
        assert_eq!(update(&mut app), [1], "it is removed");
        // The slot of the body is kept for the part, or the part refers to another one.
        app.world_mut()
            .entity_mut(knight)
            .insert((Body::Dynamic, ColliderDisabled));
        update(&mut app);
        assert_eq!(update(&mut app), [1]);
        app.world_mut()
            .entity_mut(knight)
            .remove::<ColliderDisabled>();
        update(&mut app);
        assert_eq!(update(&mut app), [1]);
    }

    /// Colliders that come and go take slots that others had, also in a game that never asks for reports.
    #[test]
    fn slots_are_used_again_where_nothing_is_reported() {
        for reported in [1000, 1, 0] {
            let mut app = App::new();
            let mut ticks = 0;
            let reports = move || {
                ticks += 1;
                ticks <= reported
            };
            app.add_plugins((MinimalPlugins, CollisionPlugin::new(Update)))
                .configure_sets(Update, CollisionSystems::Report.run_if(reports));
            // Two of which a contact may be told that waits for its end.
            for _ in 0..2 {
                app.world_mut().spawn((Sensor, BoxCollider::square(4.0)));
            }
            for _ in 0..20 {
                let one = (
                    CircleCollider::new(5.0),
                    Transform::from_xyz(90.0, 0.0, 0.0),
                );
                let one = app.world_mut().spawn(one).id();
                app.update();
                app.world_mut().despawn(one);
            }
            let slots = app.world().resource::<Colliders>().placed.len();
            assert!(slots <= 4, "{slots}, reported: {reported}");
        }
    }

    /// Bodies with and without a collider of their own come, go, and take over each other's children: each child is a part of its body, and whoever has no collider and no child has no slot.
    #[test]
    fn bodies_have_a_slot_as_long_as_anything_of_theirs_collides() {
        for seed in 0..20 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut app = App::new();
            app.add_plugins((MinimalPlugins, CollisionPlugin::new(Update)));
            let mut bodies = Vec::new();
            let mut children: Vec<Entity> = Vec::new();
            for _ in 0..60 {
                let world = app.world_mut();
                let kind = [Body::Dynamic, Body::Kinematic, Body::Static];
                let kind = kind[random.usize(..3)];
                for _ in 0..random.u32(1..4) {
                    bodies.retain(|body| world.get_entity(*body).is_ok());
                    children.retain(|child| world.get_entity(*child).is_ok());
                    let body = random.choice(bodies.iter().copied());
                    let child = random.choice(children.iter().copied());
                    let circle = CircleCollider::new(1.0);
                    match (random.u32(..10), body, child) {
                        (0, ..) => bodies.push(world.spawn((kind, circle)).id()),
                        (1, ..) => bodies.push(world.spawn(kind).id()),
                        (2, Some(body), _) => {
                            children.push(world.spawn((circle, ChildOf(body))).id());
                        }
                        (3, Some(body), Some(child)) => {
                            world.entity_mut(child).insert(ChildOf(body));
                        }
                        (4, Some(body), _) => world.entity_mut(body).despawn(),
                        (5, Some(body), _) => {
                            world.entity_mut(body).remove::<CircleCollider>();
                        }
                        (6, Some(body), _) => _ = world.entity_mut(body).insert(circle),
                        (7, _, Some(child)) => _ = world.entity_mut(child).remove::<ChildOf>(),
                        (8, _, Some(child)) => {
                            // Invalid, so it takes no part.
                            world.entity_mut(child).insert(CircleCollider::new(-1.0));
                        }
                        (9, _, Some(child)) => _ = world.entity_mut(child).insert(circle),
                        _ => {}
                    }
                }
                app.update();
                let world = app.world();
                let colliders = world.resource::<Colliders>();
                let mut used = Vec::new();
                for &one in bodies.iter().chain(&children) {
                    let body = world.get::<ChildOf>(one).map_or(one, ChildOf::parent);
                    let circle = world.get::<CircleCollider>(one);
                    let takes_part = circle.is_some_and(|circle| circle.radius > 0.0);
                    let slot = colliders.slot(one);
                    assert_eq!(slot.is_some(), takes_part, "seed {seed}");
                    if let Some(slot) = slot {
                        let body_slot = colliders.body_slot_of(body);
                        assert_eq!(body_slot, Some(colliders.placed[slot].body as usize));
                        assert_eq!(colliders.entities[slot], one);
                        used.extend([slot as u32, colliders.placed[slot].body]);
                    }
                }
                used.sort_unstable();
                used.dedup();
                assert_eq!(colliders.in_use().collect::<Vec<_>>(), used, "seed {seed}");
                assert!(colliders.placed.len() < 3 * (bodies.len() + children.len()) + 20);
            }
        }
    }
}
