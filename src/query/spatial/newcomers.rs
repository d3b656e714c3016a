//! Notes colliders that are added or changed between two ticks, once a system uses `SpatialQuery`.

use bevy::ecs::{
    change_detection::Res,
    component::{ComponentId, ComponentIdFor},
    entity::Entity,
    event::EntityComponentsTrigger,
    hierarchy::ChildOf,
    lifecycle::{Insert, Remove},
    observer::{Observer, On},
    prelude::{FromWorld, Query, ResMut},
    system::{Commands, In, RunSystemOnce, SystemParam},
    world::World,
};

use crate::{
    components::{
        AnyCollider, Body, BoundsCollider, BoxCollider, CircleCollider, ColliderDisabled,
        CollisionLayers, EnabledCollider, IsCollider, OneWay, Response, Sensor, SurfaceVelocity,
    },
    state::{
        colliders::{Colliders, Gathered},
        newcomers::{Newcomers, Place},
        pose::Poses,
    },
    tick::gather::{ColliderData, ComesBack, Watch, gather_collider},
};

/// While no system of a world needs newcomers, none are noted, and spawning costs nothing more.
pub(super) struct Noting;

impl FromWorld for Noting {
    fn from_world(world: &mut World) -> Self {
        let mut newcomers = world.get_resource_or_init::<Newcomers>();
        if !newcomers.are_noted() {
            newcomers.note_enabled =
                Some(|commands, entity| note_later(entity, Place::Same, commands));
            // Some may have been disabled before.
            newcomers.note_disabled();
            world.init_resource::<Colliders>();
            observe_insertions(world);
            observe_losses(world);
            Watch::begin_if_there_is_none(world);
            world
                .run_system_once(note_those_there)
                .expect("a system without conditions, all resources of which are there");
        }
        Self
    }
}

/// Call this when the known tick was replaced by another one: notes the colliders that it does not know, if newcomers are needed.
pub(crate) fn note_newcomers_anew(world: &mut World) {
    if world.resource::<Newcomers>().are_noted() {
        world
            .run_system_cached(note_those_there)
            .expect("a system without conditions, all resources of which are there");
    }
}

fn observe_insertions(world: &mut World) {
    let observer = Observer::new(note_newcomer);
    world.spawn((observer, ComesBack(observe_insertions)));
}

fn observe_losses(world: &mut World) {
    let observer = Observer::new(note_loss);
    world.spawn((observer, ComesBack(observe_losses)));
}

/// Components of a collider whose insertion or removal makes it be read anew. Without `Transform`: every entity has one, and each that spawns would have to be checked.
type WhatCounts = (
    ChildOf,
    CircleCollider,
    BoxCollider,
    BoundsCollider,
    Body,
    Sensor,
    OneWay,
    SurfaceVelocity,
    Response,
    CollisionLayers,
    ColliderDisabled,
);

/// The components that say where a collider is: its parent, and its shapes.
#[derive(SystemParam)]
struct Places<'s> {
    child_of: ComponentIdFor<'s, ChildOf>,
    circle: ComponentIdFor<'s, CircleCollider>,
    rectangle: ComponentIdFor<'s, BoxCollider>,
    room: ComponentIdFor<'s, BoundsCollider>,
}

impl Places<'_> {
    /// Returns what a change of a collider's components leaves of its place.
    fn after(&self, trigger: &EntityComponentsTrigger) -> Place {
        let has = |component: ComponentId| trigger.components.contains(&component);
        if has(*self.child_of) {
            Place::New
        } else if has(*self.circle) || has(*self.rectangle) || has(*self.room) {
            Place::OfBody
        } else {
            Place::Same
        }
    }
}

/// Reads colliders for [`Newcomers`].
#[derive(SystemParam)]
struct Reader<'w, 's> {
    rows: Query<'w, 's, ColliderData, IsCollider>,
    poses: Poses<'w, 's>,
    colliders: Res<'w, Colliders>,
    newcomers: ResMut<'w, Newcomers>,
}

fn note_newcomer(insert: On<Insert, WhatCounts>, places: Places, mut reader: Reader) {
    reader.note(insert.entity, places.after(insert.trigger()));
}

fn note_loss(
    removal: On<Remove, WhatCounts>,
    places: Places,
    colliders: Query<(), AnyCollider>,
    mut newcomers: ResMut<Newcomers>,
    mut commands: Commands,
) {
    let trigger = removal.trigger();
    if trigger.new_archetype.is_none() {
        // It despawns. If no tick runs for long, many may come and go.
        newcomers.forget(removal.entity);
    } else if colliders.contains(removal.entity) {
        // Many entities without a collider have a parent.
        note_later(removal.entity, places.after(trigger), &mut commands);
    }
}

/// Notes an entity once it has lost what it is about to lose.
fn note_later(entity: Entity, place: Place, commands: &mut Commands) {
    commands.queue(move |world: &mut World| {
        if world.entities().contains_spawned(entity) {
            world
                .run_system_cached_with(note_one, (entity, place))
                .expect("a system without conditions, all resources of which are there");
        } else {
            world.resource_mut::<Newcomers>().forget(entity);
        }
    });
}

fn note_one(In((entity, place)): In<(Entity, Place)>, mut reader: Reader) {
    reader.note(entity, place);
}

/// Notes the colliders that were added before any were noted, and drops newcomers that do not exist.
fn note_those_there(all: Query<Entity, EnabledCollider>, mut reader: Reader) {
    reader.newcomers.retain(|entity| all.contains(entity));
    for entity in &all {
        if reader.colliders.slot(entity).is_none() && reader.newcomers.of(entity).is_none() {
            reader.note(entity, Place::Same);
        }
    }
}

impl Reader<'_, '_> {
    fn note(&mut self, entity: Entity, place: Place) {
        let slot = self.colliders.slot(entity);
        // What the newest tick does not know is read as it is in any case.
        let place = slot.map_or(place, |_| self.newcomers.place(entity, place));
        let Some(mut gathered) = self.read(entity) else {
            return self.newcomers.leave_out(entity, slot);
        };
        if let Some(slot) = slot
            && place != Place::New
            && self.colliders.body_entities[slot] == gathered.body
        {
            let known = self.colliders.placed[slot];
            gathered.body_state.position = self.colliders.body_states[known.body as usize].position;
            if place == Place::Same {
                (gathered.outline, gathered.offset) = (known.outline, known.offset);
            }
        }
        self.newcomers.note(slot, gathered);
    }

    /// Reads a collider, unless it is disabled or takes no part.
    fn read(&self, entity: Entity) -> Option<Gathered<'static>> {
        let row = self.rows.get(entity).ok()?;
        let gathered = gather_collider(&row.components(), &self.poses).ok()?;
        Some(gathered.without_list())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_and_goes_while_no_tick_runs_is_forgotten() {
        let mut world = World::new();
        Noting::from_world(&mut world);
        for _ in 0..100 {
            let entity = world.spawn(CircleCollider::new(1.0)).id();
            assert_eq!(world.resource::<Newcomers>().count(), 1);
            world.despawn(entity);
            world.flush();
            assert_eq!(world.resource::<Newcomers>().count(), 0);
        }
    }
}
