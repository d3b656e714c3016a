//! The plugin, and the order of the tick's stages.

use bevy::{
    app::{App, FixedPostUpdate, Plugin},
    ecs::{
        intern::Interned,
        message::signal_message_update_system,
        prelude::{Res, Resource},
        schedule::{IntoScheduleConfigs, ScheduleLabel, SystemSet},
    },
};

use crate::{
    components::{
        Body, BoundsCollider, BoxCollider, CircleCollider, ColliderDisabled, CollidingWith,
        CollisionLayers, CollisionTag, DropThrough, IgnoreCollisions, LayerNames, Leavers, Mass,
        OneWay, PlatformOnLeave, Removals, Response, Rider, Sensor, SurfaceVelocity, Swept,
        Velocity,
    },
    filters::{Pair, Verdict},
    kernel::{Contact, Impact, Shape},
    messages::{Collision, CollisionEnded, CollisionStarted, Crushed},
    query::{
        CastHit, Contactless, Explanation, MoveHit, MoveOptions, Moved, NearHit, Surface,
        SurfaceHit,
    },
    settings::CollisionSettings,
    state::{
        candidates::Candidates, colliders::Colliders, contacts::Contacts, newcomers::Newcomers,
        paths::Paths, report_counts::ReportCounts, walks::Walks,
    },
    tick::{
        carry_over::{advance_untold, note_spaces, note_swept},
        detect::detect_contacts,
        gather::{Watch, gather_colliders},
        groups::move_groups,
        passes::note_walks,
        pushes::follow_pushes,
        report::{notify_observers, report_contacts, write_partners},
        resolve::resolve_contacts,
        sweep::{forget_rides, sweep_bodies},
    },
    tiles::{CellRect, FollowedGrids, MergedFrom, MergedTiles, TileColliders, follow_grids},
};

/// Detects collisions, reports them, and pushes bodies apart, once per run of its schedule.
///
/// The schedule is [`FixedPostUpdate`] by default: move things in `FixedUpdate`, and by the end of the
/// tick they are where they may be. With `CollisionPlugin::new(Update)` everything happens once a frame instead.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::prelude::*;
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// app.world_mut().spawn((CircleCollider::new(10.0), Transform::from_xyz(295.0, 0.0, 0.0)));
/// app.world_mut().spawn((BoxCollider::new(40.0, 400.0), Body::Static, Transform::from_xyz(320.0, 0.0, 0.0)));
/// app.world_mut().run_schedule(FixedPostUpdate);
///
/// let mut dots = app.world_mut().query_filtered::<&Transform, With<CircleCollider>>();
/// let dot = dots.single(app.world()).unwrap();
/// assert_eq!(dot.translation.x, 290.0); // pushed out of the wall
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CollisionPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl CollisionPlugin {
    /// Runs in another schedule. The app must run that schedule; if it is a fixed one, so is the tick.
    ///
    /// ```
    /// # use bevy::prelude::*; use bevy_nudge::prelude::*;
    /// let mut app = App::new();
    /// app.add_plugins((MinimalPlugins, CollisionPlugin::new(Update))); // a tick in every frame
    /// app.world_mut().spawn((CircleCollider::new(5.0), CollidingWith::default()));
    /// let coin = app.world_mut().spawn((CircleCollider::new(5.0), Sensor)).id();
    /// app.update();
    /// let partners = app.world_mut().query::<&CollidingWith>().single(app.world()).unwrap().to_vec();
    /// assert_eq!(partners, [coin]);
    /// ```
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }
}

type AddSystems = Box<dyn FnOnce(&mut App, Interned<dyn ScheduleLabel>) + Send + Sync>;

/// What other plugins add once there is a [`CollisionPlugin`].
#[derive(Resource, Default)]
struct Waiting(Vec<AddSystems>);

/// Adds systems of another plugin to the schedule of the [`CollisionPlugin`], at once or as soon as that is added: a game may add the two in any order.
pub(crate) fn add_beside_collisions(
    app: &mut App,
    add: impl FnOnce(&mut App, Interned<dyn ScheduleLabel>) + Send + Sync + 'static,
) {
    if let Some(collisions) = app.get_added_plugins::<CollisionPlugin>().first() {
        let schedule = collisions.schedule;
        add(app, schedule);
    } else {
        let mut waiting = app.world_mut().get_resource_or_init::<Waiting>();
        waiting.0.push(Box::new(add));
    }
}

/// Panics with a clear message if another plugin is added without the [`CollisionPlugin`] that it needs. Otherwise, a system would panic later with an unhelpful one, or nothing would happen.
///
/// # Panics
/// Without a [`CollisionPlugin`].
pub(crate) fn require_collisions(app: &App, plugin: &str) {
    assert!(
        app.is_plugin_added::<CollisionPlugin>(),
        "{plugin} needs a CollisionPlugin, and the app has none"
    );
}

impl Default for CollisionPlugin {
    fn default() -> Self {
        Self::new(FixedPostUpdate)
    }
}

/// The stages of a tick, in this order, and the whole tick. Order your own systems against them.
///
/// ```
/// # use bevy::{prelude::*, time::TimeUpdateStrategy}; use bevy_nudge::prelude::*;
/// # #[derive(Resource, Default)] struct Places(Vec<f32>);
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// fn note(dot: Single<&Transform, With<Velocity>>, mut places: ResMut<Places>) {
///     places.0.push(dot.translation.x);
/// }
///
/// app.init_resource::<Places>().add_systems(
///     FixedPostUpdate,
///     (
///         note.before(CollisionSystems::Gather), // what moves here is seen in this tick
///         note.after(CollisionSystems::Sweep).before(CollisionSystems::Detect), // velocities have led where they lead
///         note.after(CollisionSystems::Report), // all bodies have been pushed, and the messages are there
///     ),
/// );
/// # app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// # app.finish(); app.cleanup();
/// # app.update(); // passes no time
/// app.world_mut().spawn((CircleCollider::new(5.0), Velocity(Vec2::new(128.0, 0.0))));
/// app.world_mut().spawn((CircleCollider::new(5.0), Body::Kinematic, Response::Pass, Transform::from_xyz(8.0, 0.0, 0.0)));
/// app.update();
/// assert_eq!(app.world().resource::<Places>().0, [0.0, 2.0, 2.0]);
/// ```
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CollisionSystems {
    /// The whole tick, which contains all other sets. For what does not concern a single stage, above all a run condition, which is evaluated once for all of them.
    ///
    /// ```
    /// # use bevy::prelude::*; use bevy_nudge::prelude::*;
    /// # let mut app = App::new();
    /// #[derive(Resource)]
    /// struct Level;
    ///
    /// app.add_plugins((MinimalPlugins, CollisionPlugin::new(Update)))
    ///     .configure_sets(Update, CollisionSystems::All.run_if(resource_exists::<Level>));
    /// let dot = app.world_mut().spawn((CircleCollider::new(10.0), Transform::from_xyz(295.0, 0.0, 0.0))).id();
    /// app.world_mut().spawn((BoxCollider::new(40.0, 400.0), Body::Static, Transform::from_xyz(320.0, 0.0, 0.0)));
    /// app.update();
    /// assert_eq!(app.world().get::<Transform>(dot).unwrap().translation.x, 295.0); // not pushed
    /// app.insert_resource(Level);
    /// app.update();
    /// assert_eq!(app.world().get::<Transform>(dot).unwrap().translation.x, 290.0);
    /// ```
    ///
    /// Ticks that did not run are not made up for: the next one takes everything as it is then.
    All,
    /// After it, grids of tiles have their up-to-date colliders, entities with a [`Velocity`] and neither a collider nor a [`Body`] have moved, and the plugin knows where every collider is now, children through their parents; what moves from here on is seen in the next tick.
    Gather,
    /// After it, all other bodies have moved by their [`Velocity`].
    Sweep,
    /// After it, the contacts of the tick are known.
    ///
    /// If a condition keeps it from running, the tick has no contacts: every collision ends, nothing is pushed, and nothing stands on anything. Queries may miss what has moved since it last ran.
    Detect,
    /// After it, `Transform`s are final: bodies have been pushed apart.
    Resolve,
    /// After it, the messages are written, observers have been called, and [`Collisions`](crate::query::Collisions) has the contacts of this tick.
    ///
    /// If a condition keeps it from running, everything goes on, but no message and no observer tells of it; [`Collisions`](crate::query::Collisions) and [`CollidingWith`] have the contacts of the tick when [`All`](Self::All) is over. The next report tells what has begun and ended since the last one.
    Report,
}

impl Plugin for CollisionPlugin {
    fn build(&self, app: &mut App) {
        use CollisionSystems::{All, Detect, Gather, Report, Resolve, Sweep};

        Watch::begin(app.world_mut());
        app.init_resource::<CollisionSettings>()
            .init_resource::<LayerNames>()
            .init_resource::<Removals>()
            .init_resource::<Leavers>()
            .init_resource::<Colliders>()
            .init_resource::<FollowedGrids>()
            .init_resource::<Newcomers>()
            .init_resource::<Candidates>()
            .init_resource::<Contacts>()
            .init_resource::<ReportCounts>()
            .init_resource::<Paths>()
            .init_resource::<Walks>()
            .add_message::<Collision>()
            .add_message::<CollisionStarted>()
            .add_message::<CollisionEnded>()
            .add_message::<Crushed>()
            .register_type::<(CircleCollider, BoxCollider, BoundsCollider)>()
            .register_type::<(Body, Mass, Sensor, CollisionLayers)>()
            .register_type::<(Velocity, Swept, Response)>()
            .register_type::<(OneWay, DropThrough, SurfaceVelocity)>()
            .register_type::<(ColliderDisabled, IgnoreCollisions)>()
            .register_type::<(CollidingWith, CollisionTag)>()
            .register_type::<(Pair, Verdict)>()
            .register_type::<(Rider, PlatformOnLeave)>()
            .register_type::<(Collision, CollisionStarted, CollisionEnded, Crushed)>()
            .register_type::<(TileColliders, MergedTiles, MergedFrom)>()
            .register_type::<(CollisionSettings, LayerNames)>()
            // Answers, which a game may keep in components of its own, or pass to scripts.
            .register_type::<(CastHit, NearHit, Surface, SurfaceHit)>()
            .register_type::<(MoveOptions, MoveHit, Moved)>()
            .register_type::<(Explanation, Contactless)>()
            .register_type::<(Shape, Contact, Impact, CellRect)>()
            .configure_sets(
                self.schedule,
                (Gather, Sweep, Detect, Resolve, Report).chain().in_set(All),
            )
            .add_systems(
                self.schedule,
                (
                    // `follow_grids` is first in the set, and not before it: so it runs after all that a game does before the set, such as spawning grids.
                    (
                        follow_grids,
                        follow_pushes,
                        move_groups,
                        gather_colliders,
                        forget_rides,
                        note_walks,
                    )
                        .chain()
                        .in_set(Gather),
                    sweep_bodies.in_set(Sweep),
                    detect_contacts.in_set(Detect),
                    resolve_contacts.in_set(Resolve),
                    // The next sweep and a `Mover` need these, whether or not anything is pushed.
                    (note_swept, note_spaces)
                        .chain()
                        .in_set(All)
                        .after(Resolve)
                        .before(Report),
                    (report_contacts, write_partners, notify_observers)
                        .chain()
                        .in_set(Report),
                    // The next tick goes on from this one's contacts, whether or not they are reported. After a report these do nothing, so who looks at the contacts then need not be ordered.
                    (
                        advance_untold,
                        write_partners.run_if(|contacts: Res<Contacts>| contacts.is_untold()),
                    )
                        .chain()
                        .in_set(All)
                        .after(Report)
                        .ambiguous_with_all(),
                )
                    // That system only counts the ticks, so the order does not matter.
                    .ambiguous_with(signal_message_update_system),
            );
        let waiting = app.world_mut().remove_resource::<Waiting>();
        for add in waiting.unwrap_or_default().0 {
            add(app, self.schedule);
        }
    }
}
