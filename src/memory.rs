//! What a tick takes over from the one before: for rollback.
//!
//! All that a game sees is in components: places, velocities, shapes. Besides, a tick uses the contacts of the last one, so that a collision starts only once, bodies on a lift are carried, and resting contacts
//! don't flicker. A game that goes back to an earlier tick restores its components, and then this: the page on [rollback](crate::guide::network#back-to-an-earlier-tick) shows all of it.
//!
//! ```
//! use bevy::{prelude::*, time::TimeUpdateStrategy};
//! use bevy_nudge::{memory::CollisionMemory, prelude::*};
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, CollisionPlugin::default())).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
//! app.finish();
//! app.cleanup();
//! app.update(); // passes no time
//! // A hero falls onto spikes, 2 units a tick. It gets there in the second one.
//! let hero = app.world_mut().spawn((CircleCollider::new(3.0), Velocity(Vec2::new(0.0, -128.0)), Transform::from_xyz(0.0, 8.0, 0.0))).id();
//! app.world_mut().spawn((BoxCollider::new(20.0, 4.0), Body::Static, Sensor));
//! let began = |app: &mut App| {
//!     app.update();
//!     app.world_mut().resource_mut::<Messages<CollisionStarted>>().drain().count()
//! };
//! assert_eq!(began(&mut app), 0);
//! let memory = CollisionMemory::of(app.world());
//! let place = *app.world().get::<Transform>(hero).unwrap();
//! assert_eq!(began(&mut app), 1);
//!
//! // A message came late: back to the first tick.
//! *app.world_mut().get_mut(hero).unwrap() = place;
//! memory.restore(app.world_mut());
//! assert_eq!(began(&mut app), 1); // and not 0, as for two that have met before
//! ```

use bevy::ecs::{
    entity::{Entity, EntityMapper, MapEntities},
    prelude::World,
};

#[cfg(feature = "recorder")]
use crate::recorder::CollisionRecorder;
use crate::{
    allow_disabled::AllowDisabled,
    components::{IsCollider, Leavers, Left},
    query::note_newcomers_anew,
    settings::CollisionSettings,
    state::{
        candidates::Candidates, colliders::Colliders, contacts::Contacts, kept::KeptColliders,
        newcomers::Newcomers, resting::Resting, walks::Walks,
    },
    tick::report::write_partners,
    tiles::KnownCells,
};

/// What the next tick takes over from the newest one, besides the components. The [module](self) has an example.
///
/// Save it at the end of a tick, together with [`Transform`](bevy::prelude::Transform), [`Velocity`](crate::components::Velocity), [`Swept`](crate::components::Swept) and [`Rider`](crate::components::Rider), which
/// ticks write, and with all that the game itself changes: shapes, bodies, layers, parents. If all of that is restored, the ticks that follow have exactly the same results, and report the same. [`CollidingWith`](crate::components::CollidingWith) follows from this.
///
/// - **Entities that are spawned anew** for that: call [`map_entities`](MapEntities::map_entities) before, with an `EntityHashMap<Entity>` of the new ones; those that are not in it stay as they are. (The trait is `bevy::ecs::entity::MapEntities`.) It maps only the memory: entities in the game's own components, and in [`IgnoreCollisions`](crate::components::IgnoreCollisions) and `ChildOf`, are for the game to map.
/// - **Grids of tiles:** restore the [`TileColliders`](crate::tiles::TileColliders) and what stands beside them; the boxes, which are entities too, are made to fit at once, new ones in the place of those that are gone. Those of a grid that the game had changed after the tick are what they were until the next one. Their components, and [`MergedFrom`](crate::tiles::MergedFrom), may be restored or left. Only what the game itself has given to a box, and the grid got too in the undone ticks, restore after this.
/// - **Who was not there then, or is gone now:** colliders that are gone end their collisions in the next tick, and those that did not exist then start theirs.
///
/// Takes less than 200 bytes for a collider that meets one other, and 12 more for one that was pushed in the newest tick; and about half of that for each place that is free since, if there were more colliders at once before. Messages that were written since still exist: clear them, or read them in the tick.
///
/// It is for the running program, not for files: [saved games](crate::guide::recipes#how-do-i-save-and-load-a-game) do without it.
///
/// ```
/// use bevy::{ecs::entity::{EntityHashMap, MapEntities}, prelude::*};
/// use bevy_nudge::{memory::CollisionMemory, prelude::*};
///
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// # let began = |app: &mut App| {
/// #     app.world_mut().run_schedule(FixedPostUpdate);
/// #     app.world_mut().resource_mut::<Messages<CollisionStarted>>().drain().count()
/// # };
/// app.world_mut().spawn((BoxCollider::new(20.0, 4.0), Body::Static, Sensor));
/// let hero = app.world_mut().spawn(CircleCollider::new(3.0)).id();
/// assert_eq!(began(&mut app), 1);
/// let mut memory = CollisionMemory::of(app.world());
/// app.world_mut().despawn(hero);
/// assert_eq!(began(&mut app), 0);
///
/// // Back to the first tick, in which the hero was alive.
/// let again = app.world_mut().spawn(CircleCollider::new(3.0)).id();
/// memory.map_entities(&mut EntityHashMap::from_iter([(hero, again)]));
/// memory.restore(app.world_mut());
/// assert_eq!(began(&mut app), 0); // they have met before
/// ```
#[derive(Clone, Debug, Default)]
pub struct CollisionMemory {
    colliders: KeptColliders,
    contacts: Contacts,
    left: Left,
    newcomers: Newcomers,
    walks: Walks,
    cells: KnownCells,
}

impl CollisionMemory {
    /// Returns what the newest tick has left. Call it between two ticks, or in `FixedLast`, where a `Transform` is not yet what is [drawn](crate::guide::network#back-to-an-earlier-tick). For a world without a [`CollisionPlugin`](crate::plugin::CollisionPlugin) it is empty.
    pub fn of(world: &World) -> Self {
        let Some(colliders) = world.get_resource::<Colliders>() else {
            return Self::default();
        };
        let contacts = world.resource::<Contacts>();
        let leavers = world.resource::<Leavers>();
        // A report that rested has their ends still to tell.
        let left = if contacts.is_untold() {
            leavers.all()
        } else {
            leavers.left().clone()
        };
        Self {
            colliders: KeptColliders::of(colliders),
            contacts: contacts.finished(),
            left,
            newcomers: world.resource::<Newcomers>().clone(),
            walks: world.resource::<Walks>().clone(),
            cells: KnownCells::of(world),
        }
    }

    /// Restores what was saved, for the next tick and for all queries before it. Call it between two ticks, after the components have been restored.
    ///
    /// Costs about what finding all collisions of a tick costs, plus sorting all static colliders; the next tick reads all colliders anew, once. A [`CollisionRecorder`](crate#features) that is on starts anew with the next tick, because its last tick does not lead to this one. Does nothing in a world without a
    /// [`CollisionPlugin`](crate::plugin::CollisionPlugin).
    pub fn restore(&self, world: &mut World) {
        if !world.contains_resource::<Candidates>() {
            return;
        }
        let mut who_is_who = self.cells.who_is_who(world);
        if who_is_who.is_empty() {
            self.put_back(world);
        } else {
            let mut memory = self.clone();
            memory.map_entities(&mut who_is_who);
            memory.put_back(world);
        }
    }

    fn put_back(&self, world: &mut World) {
        let settings = *world.resource::<CollisionSettings>();
        let mut colliders = self.colliders.to_colliders();
        colliders.doubt_all();
        colliders.restored_at = Some(world.increment_change_tick());
        colliders.times_back = world.resource::<Colliders>().times_back.wrapping_add(1);
        // These follow from the colliders, and queries may use them before the next tick.
        let mut candidates = Candidates::default();
        candidates.settle(&mut colliders, 0);
        let resting = Resting {
            colliders: &colliders,
            touching: settings.touching,
            margin: settings.margin(),
        };
        let reach = resting.reach();
        let mut contacts = self.contacts.clone();
        // In the middle of the next tick, queries find pushed bodies where detection found them.
        colliders.swap_places(&mut contacts.pushed_from);
        candidates.find(&colliders, settings.touching, reach);
        colliders.swap_places(&mut contacts.pushed_from);
        contacts.order_by_entity(&colliders);
        let known = colliders.slots().map(|slot| colliders.entities[slot]);
        let mut all = world.query_filtered::<(), (IsCollider, AllowDisabled)>();
        let all = all.query(world);
        let missing: Vec<Entity> = known.filter(|&one| !all.contains(one)).collect();
        let mut leavers = world.resource_mut::<Leavers>();
        leavers.go_back(&self.left, missing.into_iter());
        world.insert_resource(candidates);
        world.insert_resource(colliders);
        world.insert_resource(contacts);
        world.insert_resource(self.walks.clone());
        let mut newcomers = world.resource_mut::<Newcomers>();
        newcomers.go_back(&self.newcomers);
        note_newcomers_anew(world);
        world
            .run_system_cached(write_partners)
            .expect("a system without conditions, all resources of which are there");
        #[cfg(feature = "recorder")]
        if let Some(mut recorder) = world.get_resource_mut::<CollisionRecorder>() {
            recorder.lose_track();
        }
    }
}

impl MapEntities for CollisionMemory {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        self.colliders.map_entities(mapper);
        let left = std::mem::take(&mut self.left).into_iter();
        let left = left.map(|(one, had)| (mapper.get_mapped(one), had));
        self.left = left.collect();
        self.newcomers.map_entities(mapper);
        self.walks.map_entities(mapper);
        self.cells.map_entities(mapper);
    }
}
