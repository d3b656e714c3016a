//! Notes colliders that are added or changed between two ticks, once a system uses `SpatialQuery`.

use bevy::ecs::{
    change_detection::Res,
    entity::Entity,
    entity_disabling::DefaultQueryFilters,
    hierarchy::ChildOf,
    lifecycle::{HookContext, Insert, Remove},
    observer::{Observer, On},
    prelude::{Component, FromWorld, Query, ResMut},
    system::{Commands, In, RunSystemOnce},
    world::{DeferredWorld, World},
};

use crate::{
    allow_disabled::AllowDisabled,
    components::{
        Body, BoundsCollider, BoxCollider, CircleCollider, ColliderDisabled, CollisionLayers,
        EnabledCollider, IsCollider, OneWay, Response, Sensor, SurfaceVelocity,
    },
    state::{
        colliders::{Colliders, Gathered},
        newcomers::Newcomers,
        pose::Poses,
    },
    tick::gather::{ColliderData, gather_collider},
};

/// While no system of a world needs newcomers, none are noted, and spawning costs nothing more.
pub(super) struct Noting;

impl FromWorld for Noting {
    fn from_world(world: &mut World) -> Self {
        let mut newcomers = world.get_resource_or_init::<Newcomers>();
        if !std::mem::replace(&mut newcomers.are_noted, true) {
            world.init_resource::<Colliders>();
            observe_insertions(world);
            observe_losses(world);
            observe_disabling(world);
            observe_enabling(world);
            world
                .run_system_once(note_those_there)
                .expect("a system without conditions, all resources of which are there");
        }
        Self
    }
}

/// Call this when the known tick was replaced by another one: notes the colliders that it does not know, if newcomers are needed.
pub(crate) fn note_newcomers_anew(world: &mut World) {
    if world.resource::<Newcomers>().are_noted {
        world
            .run_system_cached(note_those_there)
            .expect("a system without conditions, all resources of which are there");
    }
}

/// On an observer: restores it if the game despawns it, as a game does that despawns all entities.
#[derive(Component)]
#[component(on_remove = come_back)]
struct ComesBack(fn(&mut World));

fn come_back(mut world: DeferredWorld, context: HookContext) {
    if let Some(&ComesBack(observe)) = world.get(context.entity) {
        world.commands().queue(observe);
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

fn observe_disabling(world: &mut World) {
    let note = |_: On<Insert>, mut newcomers: ResMut<Newcomers>| {
        newcomers.may_lack_disabled = true;
    };
    if let Some(observer) = about_disabling(world, Observer::new(note)) {
        world.spawn((observer, ComesBack(observe_disabling)));
    }
    // And some may have been disabled before.
    world.resource_mut::<Newcomers>().may_lack_disabled = true;
}

fn observe_enabling(world: &mut World) {
    let note = |removal: On<Remove>, commands: Commands| note_later(removal.entity, commands);
    if let Some(observer) = about_disabling(world, Observer::new(note)) {
        world.spawn((observer, ComesBack(observe_enabling)));
    }
}

/// Restricts an observer to the components that are known by now to disable entities; `None` if there are none.
fn about_disabling(world: &mut World, observer: Observer) -> Option<Observer> {
    let filters = world.get_resource_or_init::<DefaultQueryFilters>();
    let mut disabling = filters.disabling_ids().peekable();
    // Without components, an observer would be called for all.
    disabling.peek()?;
    Some(observer.with_components(disabling))
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

fn note_newcomer(
    insert: On<Insert, WhatCounts>,
    query: Query<ColliderData, IsCollider>,
    poses: Poses,
    colliders: Res<Colliders>,
    mut newcomers: ResMut<Newcomers>,
) {
    note(insert.entity, &query, &poses, &colliders, &mut newcomers);
}

fn note_loss(
    removal: On<Remove, WhatCounts>,
    colliders: Query<(), (IsCollider, AllowDisabled)>,
    commands: Commands,
) {
    // Many entities without a collider have a parent, and most of them lose it by being despawned.
    if colliders.contains(removal.entity) {
        note_later(removal.entity, commands);
    }
}

/// Notes an entity once it has lost what it is about to lose.
fn note_later(entity: Entity, mut commands: Commands) {
    commands.queue(move |world: &mut World| {
        if world.entities().contains_spawned(entity) {
            world
                .run_system_cached_with(note_one, entity)
                .expect("a system without conditions, all resources of which are there");
        } else {
            // Most are despawned. If no tick runs for long, many may come and go.
            world.resource_mut::<Newcomers>().forget(entity);
        }
    });
}

fn note_one(
    In(entity): In<Entity>,
    query: Query<ColliderData, IsCollider>,
    poses: Poses,
    colliders: Res<Colliders>,
    mut newcomers: ResMut<Newcomers>,
) {
    note(entity, &query, &poses, &colliders, &mut newcomers);
}

/// Notes the colliders that were added before any were noted, and drops newcomers that do not exist.
fn note_those_there(
    all: Query<Entity, EnabledCollider>,
    query: Query<ColliderData, IsCollider>,
    poses: Poses,
    colliders: Res<Colliders>,
    mut newcomers: ResMut<Newcomers>,
) {
    newcomers.retain(|entity| all.contains(entity));
    for entity in &all {
        if colliders.slot(entity).is_none() && newcomers.of(entity).is_none() {
            note(entity, &query, &poses, &colliders, &mut newcomers);
        }
    }
}

fn note(
    entity: Entity,
    query: &Query<ColliderData, IsCollider>,
    poses: &Poses,
    colliders: &Colliders,
    newcomers: &mut Newcomers,
) {
    let Ok(row) = query.get(entity) else {
        // Disabled, or without a collider.
        return newcomers.note(entity, colliders.slot(entity), None);
    };
    let gathered = gather_collider(&row.parts(), poses).ok();
    newcomers.note(
        entity,
        colliders.slot(entity),
        gathered.map(Gathered::without_list),
    );
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
