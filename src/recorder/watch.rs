//! Looks at the world, and lists what has changed.

use std::time::Duration;

use bevy::{
    ecs::{
        archetype::Archetype,
        change_detection::DetectChanges,
        component::Components,
        entity::{Entity, EntityHashSet},
        entity_disabling::{DefaultQueryFilters, Disabled},
        hierarchy::ChildOf,
        name::Name,
        prelude::{Has, Or, Query, Ref, Res, ResMut, With},
        query::QueryData,
        system::SystemParam,
    },
    time::Time,
    transform::components::Transform,
};

use super::{
    bits::{SameBits, same_but_for_place},
    entities::{Attributes, Known},
    error::Senseless,
    frame::Frame,
    records::{Changes, Outcome, Record, SlotRecord},
    ring::CollisionRecorder,
};
use crate::{
    allow_disabled::AllowDisabled,
    components::{
        Body, BoundsCollider, BoxCollider, CircleCollider, ColliderDisabled, CollisionLayers,
        CollisionTag, DropThrough, IgnoreCollisions, IsCollider, Mass, OneWay, Response, Rider,
        Sensor, SurfaceVelocity, Swept, Velocity,
    },
    placed::Meeting,
    settings::CollisionSettings,
    state::{
        colliders::Colliders, contacts::Contacts, paths::Paths, report_counts::ReportCounts,
        walks::Walks,
    },
};

/// The components that say how an entity moves.
type Motion<'w> = (
    Option<Ref<'w, Velocity>>,
    Option<Ref<'w, Swept>>,
    Option<Ref<'w, Rider>>,
);

/// All that the plugin reads of an entity.
#[derive(QueryData)]
pub(super) struct Watched {
    entity: Entity,
    archetype: &'static Archetype,
    transform: Option<Ref<'static, Transform>>,
    child_of: Option<&'static ChildOf>,
    motion: Motion<'static>,
    circle: Option<Ref<'static, CircleCollider>>,
    rectangle: Option<Ref<'static, BoxCollider>>,
    bounds: Option<Ref<'static, BoundsCollider>>,
    body: Option<Ref<'static, Body>>,
    mass: Option<Ref<'static, Mass>>,
    layers: Option<Ref<'static, CollisionLayers>>,
    response: Option<Ref<'static, Response>>,
    one_way: Option<Ref<'static, OneWay>>,
    surface_velocity: Option<Ref<'static, SurfaceVelocity>>,
    ignores: Option<Ref<'static, IgnoreCollisions>>,
    tag: Option<Ref<'static, CollisionTag>>,
    name: Option<Ref<'static, Name>>,
    is_sensor: Has<Sensor>,
    drops_through: Has<DropThrough>,
    is_disabled: Has<ColliderDisabled>,
    is_off: Has<Disabled>,
}

impl WatchedItem<'_, '_> {
    /// Whether any of the [`Attributes`] has changed. That one has come or gone shows in the archetype.
    fn has_changed(&self) -> bool {
        fn has_changed<T>(component: &Option<Ref<T>>) -> bool {
            component.as_ref().is_some_and(Ref::is_changed)
        }
        // All by name, so that none can be forgotten.
        let Self {
            entity: _,
            archetype: _,
            transform: _,
            child_of: _,
            motion: _,
            circle,
            rectangle,
            bounds,
            body,
            mass,
            layers,
            response,
            one_way,
            surface_velocity,
            ignores,
            tag,
            name,
            is_sensor: _,
            drops_through: _,
            is_disabled: _,
            is_off: _,
        } = self;
        has_changed(circle)
            || has_changed(rectangle)
            || has_changed(bounds)
            || has_changed(body)
            || has_changed(mass)
            || has_changed(layers)
            || has_changed(response)
            || has_changed(one_way)
            || has_changed(surface_velocity)
            || has_changed(ignores)
            || has_changed(tag)
            || has_changed(name)
    }

    fn attributes(&self) -> Attributes {
        Attributes {
            circle: self.circle.as_deref().copied(),
            rectangle: self.rectangle.as_deref().copied(),
            bounds: self.bounds.as_deref().copied(),
            body: self.body.as_deref().copied(),
            mass: self.mass.as_deref().copied(),
            layers: self.layers.as_deref().copied(),
            is_sensor: self.is_sensor,
            response: self.response.as_deref().copied(),
            one_way: self.one_way.as_deref().copied(),
            surface_velocity: self.surface_velocity.as_deref().copied(),
            drops_through: self.drops_through,
            ignores: self.ignores.as_deref().cloned(),
            is_disabled: self.is_disabled,
            is_off: self.is_off,
            tag: self.tag.as_deref().copied(),
            name: self.name.as_deref().cloned(),
        }
    }

    fn parent(&self) -> Option<Entity> {
        self.child_of.map(ChildOf::parent)
    }

    /// Lists what differs from what is known of the entity.
    fn compare(&self, known: &mut Known, changes: &mut Changes) {
        let index = self.entity.index_u32();
        compare_transform(self.transform.as_deref(), known, changes);
        let parent = self.parent().map(Entity::index_u32);
        if parent != known.parent {
            changes.parents.push((index, parent));
        }
        compare_motion(&self.motion, known, changes);
        let kind = Some((self.archetype.id(), self.is_off));
        if self.has_changed() || kind != known.kind {
            known.kind = kind;
            let attributes = postcard::to_allocvec(&self.attributes());
            let attributes = attributes.expect("components can be written").into();
            if known.attributes != attributes {
                changes.attributes.push((index, attributes));
            }
        }
    }
}

fn compare_transform(transform: Option<&Transform>, known: &Known, changes: &mut Changes) {
    let index = known.entity.index_u32();
    match (transform, &known.transform) {
        (Some(now), Some(known)) if same_but_for_place(now, known) => {
            let [now, known] = [now, known].map(|transform| transform.translation.truncate());
            if !now.same_bits(&known) {
                changes.places.push((index, now));
            }
        }
        (None, None) => {}
        (now, _) => changes.transforms.push((index, now.copied())),
    }
}

fn compare_motion((velocity, swept, rider): &Motion, known: &Known, changes: &mut Changes) {
    fn compare<T: SameBits + Copy>(
        now: &Option<Ref<T>>,
        known: &Option<T>,
        index: u32,
        list: &mut Vec<(u32, Option<T>)>,
    ) {
        let now = now.as_deref().copied();
        if !now.same_bits(known) {
            list.push((index, now));
        }
    }
    let index = known.entity.index_u32();
    compare(velocity, &known.velocity, index, &mut changes.velocities);
    compare(swept, &known.swept, index, &mut changes.swept);
    compare(rider, &known.rider, index, &mut changes.riders);
}

/// Queries for all entities that matter: colliders, and their ancestors.
#[derive(SystemParam)]
pub(super) struct Watch<'w, 's> {
    colliders: Query<'w, 's, Watched, (IsCollider, AllowDisabled)>,
    all: Query<'w, 's, Watched, AllowDisabled>,
    enabled: Query<'w, 's, ()>,
    disabling: Option<Res<'w, DefaultQueryFilters>>,
    components: &'w Components,
}

impl Watch<'_, '_> {
    /// Lists what differs from the frame.
    fn look(&self, frame: &mut Frame, changes: &mut Changes) {
        let mut look = Look {
            now: frame.tick + 1,
            frame,
            changes,
            ancestors: Vec::new(),
            newcomers: EntityHashSet::default(),
            met: 0,
        };
        // If `Disabled` is not the only component that disables entities, disabled ones are found by a query that does not see them, which takes a search for each entity.
        let disabling = self.disabling.iter();
        let disabling = disabling.flat_map(|all| all.disabling_ids());
        let is_usual = disabling.eq(self.components.component_id::<Disabled>());
        let is_off = |item: &WatchedItem| {
            if is_usual {
                item.is_off
            } else {
                !self.enabled.contains(item.entity)
            }
        };
        for mut item in &self.colliders {
            item.is_off = is_off(&item);
            look.at(item.entity, Some(&item));
        }
        while let Some(ancestor) = look.ancestors.pop() {
            let mut item = self.all.get(ancestor).ok();
            if let Some(item) = &mut item {
                item.is_off = is_off(item);
            }
            look.at(ancestor, item.as_ref());
        }
        look.find_gone();
    }
}

/// One look at all entities.
struct Look<'a> {
    frame: &'a mut Frame,
    changes: &'a mut Changes,
    /// The tick after that of the frame.
    now: u64,
    /// Those that are still to be looked at.
    ancestors: Vec<Entity>,
    /// Entities that were met, and are not known yet.
    newcomers: EntityHashSet,
    /// How many known entities were met.
    met: usize,
}

impl Look<'_> {
    fn at(&mut self, entity: Entity, item: Option<&WatchedItem>) {
        let known = self.frame.entities.get_mut(entity.index_u32());
        match known.filter(|known| known.entity == entity) {
            Some(known) => {
                if known.seen == self.now {
                    return;
                }
                known.seen = self.now;
                self.met += 1;
                if let Some(item) = item {
                    item.compare(known, self.changes);
                } else {
                    hide(known, self.changes);
                }
            }
            None => {
                if !self.newcomers.insert(entity) {
                    return;
                }
                self.changes.came.push(entity);
                if let Some(item) = item {
                    item.compare(&mut Known::new(entity), self.changes);
                }
            }
        }
        self.ancestors.extend(item.and_then(WatchedItem::parent));
    }

    fn find_gone(&mut self) {
        if self.met < self.frame.entities.len() {
            let gone = self.frame.entities.iter();
            let gone = gone.filter(|known| known.seen != self.now);
            let gone = gone.map(|known| known.entity.index_u32());
            self.changes.gone.extend(gone);
        }
    }
}

/// Lists that all components of an entity are gone.
fn hide(known: &mut Known, changes: &mut Changes) {
    let index = known.entity.index_u32();
    known.kind = None;
    compare_transform(None, known, changes);
    compare_motion(&(None, None, None), known, changes);
    if known.parent.is_some() {
        changes.parents.push((index, None));
    }
    if !known.attributes.is_empty() {
        changes.attributes.push((index, Box::default()));
    }
}

/// Filter: all entities that a tick may move, or that may be the parent of one.
type MayBeMoved = (
    Or<(IsCollider, With<Body>, With<Velocity>, With<Swept>)>,
    AllowDisabled,
);

/// The components that a tick writes.
#[derive(QueryData)]
pub(super) struct Written {
    entity: Entity,
    transform: Option<Ref<'static, Transform>>,
    motion: Motion<'static>,
}

/// Lists what the tick wrote that differs from the frame.
fn look_at_written(bodies: &Query<Written, MayBeMoved>, frame: &Frame, changes: &mut Changes) {
    for item in bodies {
        let (velocity, swept, rider) = &item.motion;
        let is_changed = item.transform.as_ref().is_some_and(Ref::is_changed)
            || velocity.as_ref().is_some_and(Ref::is_changed)
            || swept.as_ref().is_some_and(Ref::is_changed)
            || rider.as_ref().is_some_and(Ref::is_changed);
        let known = frame.entities.get(item.entity.index_u32());
        let known = known.filter(|known| is_changed && known.entity == item.entity);
        if let Some(known) = known {
            compare_transform(item.transform.as_deref(), known, changes);
            compare_motion(&item.motion, known, changes);
        }
    }
}

/// Records what the game did since the last tick, right before the plugin looks at it.
pub(super) fn record_inputs(
    mut recorder: ResMut<CollisionRecorder>,
    watch: Watch,
    mut paths: ResMut<Paths>,
    settings: Res<CollisionSettings>,
    time: Option<Res<Time>>,
    counts: Res<ReportCounts>,
) {
    paths.are_wanted = true;
    recorder.stages = 1;
    let tick = counts.ticks + 1;
    let Some(frame) = recorder.before(tick) else {
        return;
    };
    let mut inputs = Changes::default();
    watch.look(frame, &mut inputs);
    let bytes = |settings: &CollisionSettings| postcard::to_allocvec(settings);
    let has_changed = bytes(&settings) != bytes(&frame.settings);
    let delta = time.map_or(Duration::ZERO, |time| time.delta());
    let record = Record {
        tick,
        nanoseconds: delta.as_nanos().try_into().unwrap_or(u64::MAX),
        settings: has_changed.then_some(*settings),
        inputs,
        outcome: Outcome::default(),
    };
    match frame.apply_inputs(&record) {
        Ok(()) => recorder.pending = Some(record),
        Err(reason) => recorder.give_up(reason),
    }
}

/// Counts the stages that run, for the game may have a run condition on one.
pub(super) fn note_stage(mut recorder: ResMut<CollisionRecorder>) {
    recorder.stages += 1;
}

/// Records the results of the tick, before observers hear of them; or begins a recording.
pub(super) fn record_outcome(
    mut recorder: ResMut<CollisionRecorder>,
    watch: Watch,
    bodies: Query<Written, MayBeMoved>,
    settings: Res<CollisionSettings>,
    tick: Tick,
) {
    // All stages before this one.
    if std::mem::take(&mut recorder.stages) != 4 {
        recorder.wait();
        return;
    }
    let number = tick.counts.ticks;
    let result = match recorder.under_way(number) {
        Some((mut record, frame)) => {
            let result = tick.finish(frame, &bodies, &mut record);
            result.map(|()| recorder.push(&record))
        }
        None => {
            let mut frame = Frame {
                tick: number,
                settings: *settings,
                ..Frame::default()
            };
            let result = tick.begin(&mut frame, &watch);
            result.map(|()| recorder.begin(frame))
        }
    };
    if let Err(reason) = result {
        recorder.give_up(reason);
    }
}

/// What the plugin knows when a tick is over.
#[derive(SystemParam)]
pub(super) struct Tick<'w> {
    colliders: Res<'w, Colliders>,
    contacts: Res<'w, Contacts>,
    paths: Res<'w, Paths>,
    walks: Res<'w, Walks>,
    counts: Res<'w, ReportCounts>,
}

impl Tick<'_> {
    /// Lists everything, for an empty frame.
    fn begin(&self, frame: &mut Frame, watch: &Watch) -> Result<(), Senseless> {
        let mut written = Changes::default();
        watch.look(frame, &mut written);
        frame.apply_changes(&written)?;
        self.outcome(frame).map(|_| ())?;
        frame.apply_changes(&Changes {
            came: Vec::new(),
            ..written
        })
    }

    fn finish(
        &self,
        frame: &mut Frame,
        bodies: &Query<Written, MayBeMoved>,
        record: &mut Record,
    ) -> Result<(), Senseless> {
        record.outcome = self.outcome(frame)?;
        let written = &mut record.outcome.written;
        look_at_written(bodies, frame, written);
        frame.apply_changes(written)
    }

    /// Lists the results that differ from the frame, except for written components, and brings the frame up to date.
    fn outcome(&self, frame: &mut Frame) -> Result<Outcome, Senseless> {
        let mut outcome = Outcome::default();
        self.list_slots(frame, &mut outcome);
        frame.apply_slots(&outcome)?;
        self.list_places(frame, &mut outcome);
        self.list_legs(frame, &mut outcome);
        outcome.is_swept = self.colliders.fresh.are_noted();
        let is_known = |slot| frame.slot(slot).is_some();
        let contacts = self.contacts.newest.iter();
        let contacts = contacts.filter(|meeting: &&Meeting| {
            let (a, b) = meeting.slots;
            is_known(a) && is_known(b)
        });
        outcome.compare_contacts(&frame.contacts, contacts);
        let passed = self.walks.noted.iter();
        let passed = passed.filter(|hit| is_known(hit.slots.0) && is_known(hit.slots.1));
        outcome.passed.extend(passed);
        frame.apply_outcome(&outcome)?;
        Ok(outcome)
    }

    fn list_slots(&self, frame: &Frame, outcome: &mut Outcome) {
        let colliders = &self.colliders;
        let slots = colliders.entities.len().max(frame.slots.end());
        for slot in 0..slots {
            // Also left out is a collider whose body is unknown: it may have got a parent that was spawned after the look.
            let known = colliders.holder(slot).filter(|entity| {
                let body = colliders.placed[slot].body as usize;
                let both = [*entity, colliders.entities[body]];
                both.into_iter().all(|one| frame.entities.knows(one))
            });
            let known = known.map(|_| SlotRecord::new(colliders, slot));
            if frame.slots.get(slot as u32) != known {
                outcome.slots.push((slot as u32, known));
            }
        }
    }

    fn list_places(&self, frame: &Frame, outcome: &mut Outcome) {
        for (slot, body_state) in (0..).zip(&self.colliders.body_states) {
            let is_body = frame.slot(slot).is_some_and(|record| record.body == slot);
            if is_body && !body_state.position.same_bits(&frame.places.get(slot)) {
                outcome.places.push((slot, body_state.position));
            }
        }
    }

    fn list_legs(&self, frame: &Frame, outcome: &mut Outcome) {
        for leg in &self.paths.legs {
            let slot = self.colliders.body_slot_of(leg.body);
            // An entity that was spawned after the look at what the game did is known from the next look on.
            let Some(slot) = slot.filter(|&slot| frame.slot(slot as u32).is_some()) else {
                continue;
            };
            let from = frame.places.get(slot as u32);
            let to = self.colliders.body_states[slot].position;
            let is_plain = from.same_bits(&leg.from) && to.same_bits(&leg.to);
            let leg = (!is_plain).then_some([leg.from, leg.to]);
            outcome.legs.push((slot as u32, leg));
        }
    }
}
