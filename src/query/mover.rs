//! Moving bodies step by step, for games that write their own controllers.

use bevy::{
    ecs::{
        entity::Entity,
        hierarchy::{ChildOf, Children},
        prelude::{Query, Res},
        system::SystemParam,
    },
    math::{Affine3A, Vec2, Vec3},
    reflect::{Reflect, std_traits::ReflectDefault},
    transform::components::{GlobalTransform, Transform},
};

use self::{obstacles::Obstacles, walk::Walk};
use super::surface::Surface;
use crate::{
    allow_disabled::AllowDisabled,
    components::{CollisionLayers, EnabledCollider},
    kernel::is_in_world,
    state::{
        candidates::Candidates, colliders::Colliders, contacts::Contacts, places::way_within,
        walks::Walks,
    },
    sweep::velocity_after,
};

mod obstacles;
mod walk;
mod passes;
mod push;
mod steps;

/// How a body is to move. A number that is negative or NaN counts as 0.
///
/// `floor_snap_length` and `max_slides` are those of Godot's `CharacterBody2D`; its `up_direction` is `up`, and its `floor_max_angle` is `floor_max_slope`, the tangent of that angle. `step_height` and `corner_correction` have no like there.
///
/// ```
/// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// // A floor that steps down by 5 at x = 10.
/// for (from, to) in [((-90.0, -10.0), (10.0, 0.0)), ((10.0, -10.0), (90.0, -5.0))] {
///     app.world_mut().spawn((BoxCollider::from_corners(from.into(), to.into()), Body::Static));
/// }
/// let player = app.world_mut().spawn((BoxCollider::square(16.0), Body::Kinematic, Transform::from_xyz(0.0, 8.0, 0.0))).id();
/// let wooden = app.world_mut().spawn((BoxCollider::square(10.0), Transform::from_xyz(-30.0, 5.0, 0.0))).id();
/// app.world_mut().run_schedule(FixedPostUpdate);
///
/// app.world_mut().run_system_once(move |mover: Mover| {
///     let walk = |options| mover.project(player, Vec2::new(0.0, 8.0), Vec2::new(20.0, 0.0), &options).unwrap();
///     assert_eq!(walk(MoveOptions::default()).position, Vec2::new(20.0, 8.0)); // in the air
///     let snapping = MoveOptions { floor_snap_length: 6.0, ..default() };
///     assert_eq!(walk(snapping).position, Vec2::new(20.0, 3.0)); // on the lower floor
///
///     let back = |options| mover.project(player, Vec2::new(20.0, 3.0), Vec2::new(-20.0, 0.0), &options).unwrap();
///     assert_eq!(back(MoveOptions::default()).position, Vec2::new(18.0, 3.0)); // the step is a wall
///     let stepping = MoveOptions { step_height: 5.0, ..default() };
///     assert_eq!(back(stepping).position, Vec2::new(0.0, 8.0)); // on the upper floor
///
///     let left = |options| mover.project(player, Vec2::new(0.0, 8.0), Vec2::new(-34.0, 0.0), &options).unwrap();
///     assert_eq!(left(MoveOptions::default()).position, Vec2::new(-17.0, 8.0)); // the crate is a wall
///     let pushing = MoveOptions { push_layers: u32::MAX, ..default() };
///     assert_eq!(left(pushing).position, Vec2::new(-34.0, 8.0));
///     assert_eq!(left(pushing).pushed, [(wooden, Vec2::new(-17.0, 0.0))]);
///     let dashing = MoveOptions { layers: Some(CollisionLayers::NONE), ..default() };
///     assert_eq!(left(dashing).position, Vec2::new(-34.0, 8.0)); // nothing is in the way
/// })?;
/// # Ok::<(), bevy::ecs::system::RunSystemError>(())
/// ```
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Clone, Debug, Default, PartialEq)]
pub struct MoveOptions {
    /// The up direction, which decides what is a floor and what a ceiling. Default `None`: as [`CollisionSettings::up`](crate::settings::CollisionSettings::up) was in the newest tick. Zero if all surfaces are walls, as in a game seen from above. It need not be of length 1.
    pub up: Option<Vec2>,
    /// Up to this slope a surface is a floor, and upside down a ceiling: how far it rises for each unit across, which is the tangent of the angle between its normal and `up`.
    /// Default 1, for 45 degrees. A body does not stand on a steeper surface, but it is not stopped from walking up one.
    pub floor_max_slope: f32,
    /// A body that stood before it moved, and does not move up, is put onto a floor that is no farther below than this, in world units. While a round body moves around an edge, the surface below it is the edge, which is no floor, until it is past. Default 0.
    pub floor_snap_length: f32,
    /// A body that stood before it moved, does not move up, and meets a wall that is no higher than this above its feet, in world units, is put onto the wall, if there is room above and ahead; that does not count as a hit. It rises no higher than the step, so a larger value does no harm; only if `up` is not along an axis, it rises by all of this. Then it moves on, so it walks up stairs, several steps in one motion if that is long enough. A body that is round below is put onto a step only once its middle is near enough to stand there. At most 10,000. Default 0.
    pub step_height: f32,
    /// A body that moves up and meets a corner of a ceiling by no more than this, in world units, is moved aside instead of being stopped; that does not count as a hit. With `up` zero, this holds for a corner of anything ahead. The rest of the motion no longer leads towards the corner. [`Moved::motion`] keeps the part that did: the next motion takes the body over the corner that it has gone around, or into its side. Default 0.
    pub corner_correction: f32,
    /// Pushes `Dynamic` bodies that are met as a wall, across `up`, if the collider that is met is on one of these layers ([`CollisionLayers::memberships`](crate::components::CollisionLayers)): `u32::MAX` for all; colliders without that component are on `1`. Default 0: nothing.
    ///
    /// - A row of up to 16 is pushed as one, until one of them meets something else. A `Dynamic` mover shares its speed with them by [`Mass`](crate::components::Mass); a `Kinematic` one keeps it. The hit is listed as usual, and [`Moved::pushed`] says who is pushed how far.
    /// - The pushed bodies move at the beginning of the next tick, if the mover is still where its motion ended, and they are where the last tick left them. What stands on them is not carried, and their [`Velocity`](crate::components::Velocity) does not change, so they stay put once the push ends.
    /// - If any mover pushes, the order matters of all that are moved by a [`Mover`]: each takes over where others have pushed bodies since the tick, and one that pushes also where the others themselves have gone, and pushes nothing into them. So order their systems.
    pub push_layers: u32,
    /// What stops the body, as if all of its colliders had these layers. Default `None`: those that the newest tick has seen.
    ///
    /// For layers that the game has switched since that tick, as at the beginning of a dash: give the same ones here. In the tick the body's own [`CollisionLayers`](crate::components::CollisionLayers) count: by these it is reported, and pushed out of what it has ended in.
    pub layers: Option<CollisionLayers>,
    /// After so many hits the body moves no farther; with 0 it stays where it is. Default 4.
    pub max_slides: u32,
}

impl Default for MoveOptions {
    fn default() -> Self {
        Self {
            up: None,
            floor_max_slope: 1.0,
            floor_snap_length: 0.0,
            step_height: 0.0,
            corner_correction: 0.0,
            push_layers: 0,
            layers: None,
            max_slides: 4,
        }
    }
}

/// Something that was hit on the way. [`Moved`] has an example.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct MoveHit {
    /// The entity with the collider that was hit.
    pub entity: Entity,
    /// The body of that collider: an ancestor with a [`Body`](crate::components::Body), or the entity itself.
    pub body: Entity,
    /// Unit normal of the surface, towards the moving body.
    pub normal: Vec2,
    /// Where the two touched, in world space: for two flat sides, the middle of their common part.
    pub point: Vec2,
    /// Where the moving body was then.
    pub position: Vec2,
    /// What kind of surface was hit.
    pub surface: Surface,
}

/// The result of a motion.
///
/// ```
/// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::prelude::*;
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
/// let wall = app.world_mut().spawn((BoxCollider::from_corners(Vec2::new(30.0, 0.0), Vec2::new(40.0, 90.0)), Body::Static)).id();
/// let floor = app.world_mut().spawn((BoxCollider::from_corners(Vec2::new(-90.0, -10.0), Vec2::new(90.0, 0.0)), Body::Static)).id();
/// let player = app.world_mut().spawn((BoxCollider::square(10.0), Body::Kinematic, Transform::from_xyz(0.0, 20.0, 0.0))).id();
/// app.world_mut().run_schedule(FixedPostUpdate);
///
/// // Down to the floor after 15, on to the wall, and no farther.
/// let fall = move |mover: Mover| mover.project(player, Vec2::new(0.0, 20.0), Vec2::new(40.0, -40.0), &MoveOptions::default());
/// let moved: Moved = app.world_mut().run_system_once(fall)?.expect("it is a body");
/// assert_eq!(moved.position, Vec2::new(25.0, 5.0));
/// let hits: Vec<_> = moved.hits.iter().map(|hit: &MoveHit| (hit.entity, hit.point, hit.normal, hit.surface)).collect();
/// let feet = (floor, Vec2::new(15.0, 0.0), Vec2::Y, Surface::Floor);
/// let side = (wall, Vec2::new(30.0, 5.0), Vec2::NEG_X, Surface::Wall);
/// assert_eq!(hits, [feet, side]);
/// assert_eq!(moved.hits[1].body, wall); // that of a collider on a child would be the one that carries it
/// assert!(moved.is_on_floor() && moved.is_on_wall() && !moved.is_on_ceiling());
/// assert_eq!((moved.floor, moved.floor_entity, moved.floor_body), (Some(Vec2::Y), Some(floor), Some(floor)));
/// assert_eq!(moved.motion, Vec2::ZERO); // nothing of the speed is left
/// # Ok::<(), bevy::ecs::system::RunSystemError>(())
/// ```
#[derive(Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Clone, Debug, Default, PartialEq)]
pub struct Moved {
    /// Where the body ends.
    pub position: Vec2,
    /// The motion without what was lost to the surfaces that were hit: [`velocity_after`](Self::velocity_after) turns it into the velocity to continue with. It never leads up more than the motion did: up a hill, or over something round, the next motion leads by itself. On a floor, a body that does not move up loses the downward part, and nothing across; so does one that is put down onto a floor.
    pub motion: Vec2,
    /// Everything that was hit, in order; at most `max_slides`. What the motion ends at just where they touch is hit too, and takes the part that leads there.
    pub hits: Vec<MoveHit>,
    /// The normal of the floor on which the body stands in the end, if it does.
    pub floor: Option<Vec2>,
    /// The collider of that floor.
    pub floor_entity: Option<Entity>,
    /// The body of that floor: the entity that its collider moves with, such as a lift whose collider is on a child.
    pub floor_body: Option<Entity>,
    /// The bodies that were pushed by [`push_layers`](MoveOptions::push_layers), in the order in which they were met, and how far, in world units.
    pub pushed: Vec<(Entity, Vec2)>,
}

impl Moved {
    /// Whether the body stands on a floor in the end.
    pub fn is_on_floor(&self) -> bool {
        self.floor.is_some()
    }

    /// Whether a wall was hit.
    pub fn is_on_wall(&self) -> bool {
        self.has_hit(Surface::Wall)
    }

    /// Whether a ceiling was hit.
    pub fn is_on_ceiling(&self) -> bool {
        self.has_hit(Surface::Ceiling)
    }

    /// Returns the velocity to continue with, in world units a second: what is left of `before`, by which the body was moved for so many `seconds`. An axis that lost nothing keeps its bits; if no time passes, as in a frame of a paused game, nothing changes.
    ///
    /// ```
    /// # use bevy::math::Vec2; use bevy_nudge::query::Moved;
    /// // To the left, and down onto a floor.
    /// let moved = Moved { motion: Vec2::new(-5.0, 0.0), ..Moved::default() };
    /// assert_eq!(moved.velocity_after(Vec2::new(-50.0, -80.0), 0.1), Vec2::new(-50.0, 0.0));
    /// assert_eq!(Moved::default().velocity_after(Vec2::new(-50.0, -80.0), 0.0), Vec2::new(-50.0, -80.0));
    /// ```
    pub fn velocity_after(&self, before: Vec2, seconds: f32) -> Vec2 {
        // Without time, the motion says nothing of a velocity.
        if seconds > 0.0 {
            velocity_after(before, self.motion, seconds)
        } else {
            before
        }
    }

    /// Returns the first hit on a surface of a kind: the wall to jump off, or the brick overhead.
    ///
    /// ```
    /// # use bevy::math::Vec2; use bevy_nudge::prelude::*;
    /// /// Off the wall, and up.
    /// fn wall_jump(moved: &Moved) -> Option<Vec2> {
    ///     moved.hit_on(Surface::Wall).map(|wall| wall.normal * 200.0 + Vec2::new(0.0, 350.0))
    /// }
    /// assert_eq!(wall_jump(&Moved::default()), None);
    /// ```
    pub fn hit_on(&self, surface: Surface) -> Option<&MoveHit> {
        self.hits.iter().find(|hit| hit.surface == surface)
    }

    fn has_hit(&self, surface: Surface) -> bool {
        self.hit_on(surface).is_some()
    }
}

/// Moves bodies through the world at once, in a system of the game's own, and returns what they hit.
///
/// - **What it sees:** everything where the newest tick left it, except bodies pushed by movers since, which it sees at their new places. What was spawned or changed since is not seen yet, not even a `DropThrough` or a size of the body's own: change these after a move, for the next one. Layers of its own that were switched since are told by [`layers`](MoveOptions::layers). But colliders that are gone or disabled stop nothing, and former children of the body do not move with it.
/// - **What stops it:** layers, [`IgnoreCollisions`](crate::components::IgnoreCollisions), sensors and `OneWay`s count as always. [Filters](crate::filters) of the game are not asked. Walls, and other bodies of any kind, are in the way; `Dynamic` ones on the [`push_layers`](MoveOptions::push_layers) are pushed.
/// - **Its body:** where there are lifts, best `Dynamic`. Lifts carry it, up and down too, it stands on them in each tick, and moving walls push it. Where there are none it may be `Kinematic`, which nothing ever moves but its mover; not `Static`, which goes through all that is `Static`. It carries nobody by its walks: [a recipe](crate::guide::recipes#who-stands-on-my-head-comes-along) does. A walk that begins inside of something leads out of it or not at all, but puts nobody out: so look with [`overlap_collider`](crate::query::SpatialQuery::overlap_collider) before a body appears somewhere.
/// - **What is reported:** the next tick reports what the body meets where it is then, and each sensor or ledge that it has passed since the last tick, as started and ended. What it pushes is reported where it ends, and not what that passes. Colliders that are gone by then are left out; but if a grid of tiles was merged anew, the new tiles count that the body touched there. That holds as long as the body is where its motion ended: for a trial, use [`project`](Self::project) instead of moving the `Transform` back. The motion is not compared with those of other bodies that move in the same tick, by a `Velocity` or by their own movers: it meets everything where the last tick left it. So two bodies that cross each other's way within a tick, each by more than their sizes, may not be reported. With `Swept` in place of a `Mover` they are.
/// - **No [`Swept`](crate::components::Swept)** is needed. It would sweep the straight line from where the body was to where it is, through a step that the body has gone up. If the body has one all the same, call its [`teleport`](crate::components::Swept::teleport) after each move.
/// - **Cost:** a walk along the body's descendants, and a search along the way for each hit; one more for each straight part of the way, if there are any sensors or ledges. A mover that may push also checks all movers that have moved since the tick, a few nanoseconds each.
///
/// ```
/// # use bevy::{prelude::*, time::TimeUpdateStrategy}; use bevy_nudge::prelude::*;
/// #[derive(Component)]
/// struct Player { velocity: Vec2 }
///
/// fn walk(mover: Mover, time: Res<Time>, player: Single<(Entity, &mut Player, &mut Transform)>) {
///     let (entity, mut player, mut transform) = player.into_inner();
///     player.velocity.y -= 1000.0 * time.delta_secs();
///     let options = MoveOptions { floor_snap_length: 4.0, ..default() };
///     let motion = player.velocity * time.delta_secs();
///     if let Some(moved) = mover.move_and_slide(entity, &mut transform, motion, &options) {
///         player.velocity = moved.velocity_after(player.velocity, time.delta_secs());
///     }
/// }
///
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, CollisionPlugin::default())).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// # app.finish(); app.cleanup();
/// # app.update(); // passes no time
/// app.add_systems(FixedUpdate, walk);
/// app.world_mut().spawn((BoxCollider::new(500.0, 10.0), Body::Static));
/// let player = (Player { velocity: Vec2::new(64.0, 0.0) }, BoxCollider::square(10.0), Body::Kinematic);
/// let player = app.world_mut().spawn((player, Transform::from_xyz(0.0, 20.0, 0.0))).id();
/// for _ in 0..32 {
///     app.update();
/// }
/// // It has fallen, and walked: the first tick does not know it yet.
/// assert_eq!(app.world().get::<Transform>(player).unwrap().translation, Vec3::new(31.0, 10.0, 0.0));
/// assert_eq!(app.world().get::<Player>(player).unwrap().velocity, Vec2::new(64.0, 0.0));
/// ```
#[derive(SystemParam)]
pub struct Mover<'w, 's> {
    colliders: Res<'w, Colliders>,
    candidates: Res<'w, Candidates>,
    contacts: Res<'w, Contacts>,
    walks: Res<'w, Walks>,
    alive: Query<'w, 's, (), EnabledCollider>,
    // Tiles are children too: checking all children that there are would cost more than the move itself.
    families: Query<'w, 's, &'static Children, AllowDisabled>,
    parents: Query<'w, 's, &'static ChildOf, AllowDisabled>,
    places: Query<'w, 's, &'static GlobalTransform, AllowDisabled>,
}

impl Mover<'_, '_> {
    /// Moves a body by its `Transform`, as far as it gets. `motion` is the whole way of this call in world units, and not a velocity: `velocity * time.delta_secs()`. Only `x` and `y` of the translation change.
    ///
    /// Motion and result are in world space, also under a parent, such as the root of a level; the parent is taken to be where the newest tick left it (if it has become the parent since, where its `GlobalTransform` says).
    ///
    /// `None`, and nothing moves,
    /// - for an entity that is not a body with a collider that takes part,
    /// - for one that no tick has seen since it was spawned,
    /// - for a place or motion that is not finite or beyond 1e18,
    /// - under a parent that is scaled to zero.
    pub fn move_and_slide(
        &self,
        entity: Entity,
        transform: &mut Transform,
        motion: Vec2,
        options: &MoveOptions,
    ) -> Option<Moved> {
        let parent = self.parents.get(entity).ok().map(ChildOf::parent);
        // Without a parent, this changes no bit.
        let parent = parent.map_or(Affine3A::IDENTITY, |parent| self.space(parent));
        let from = parent.transform_point3(transform.translation);
        let mut walk = self.walk(entity, from.truncate(), motion, options)?;
        let moved = walk.run();
        let to = place_within(parent, (transform.translation, from), moved.position);
        to.map(|to| {
            let from = std::mem::replace(&mut transform.translation, to);
            let way = [from, to].map(Vec3::truncate);
            self.walks.add(entity, way, walk.met(&moved));
            moved
        })
    }

    /// Returns the pose of a parent as the newest tick left it, which is what the tick's position of the body refers to.
    fn space(&self, parent: Entity) -> Affine3A {
        let known = self.colliders.spaces.of(parent);
        known.unwrap_or_else(|| {
            let place = self.places.get(parent).ok();
            place.map_or(Affine3A::IDENTITY, GlobalTransform::affine)
        })
    }

    /// Returns what would become of a motion from a position of the body, and moves nothing. [`Moved`] and [`MoveOptions`] have examples. `None` as for [`move_and_slide`](Self::move_and_slide), but for the parent: `from` is in world space.
    pub fn project(
        &self,
        entity: Entity,
        from: Vec2,
        motion: Vec2,
        options: &MoveOptions,
    ) -> Option<Moved> {
        let mut walk = self.walk(entity, from, motion, options)?;
        Some(walk.run())
    }

    /// Prepares the walk of a body.
    fn walk<'a>(
        &'a self,
        entity: Entity,
        from: Vec2,
        motion: Vec2,
        options: &'a MoveOptions,
    ) -> Option<Walk<'a>> {
        let body = self.colliders.body_slot_of(entity)?;
        if ![from, motion, from + motion].into_iter().all(is_in_world) {
            return None;
        }
        let mut obstacles = Obstacles::new(self, (body as u32, options.layers));
        let slots = obstacles.parts_of(body);
        let up = options.up.unwrap_or(self.contacts.up);
        (!slots.is_empty()).then(|| {
            obstacles.take_over(&self.walks.pushed_before(entity, from));
            Walk::new(
                obstacles,
                (body as u32, slots),
                (from, motion),
                (options, up),
            )
        })
    }
}

/// Returns a world position in the space of a parent, for a body that is at `here` in that space and at `from` in world space. `None` if there is none, as below a parent that is scaled to zero.
fn place_within(parent: Affine3A, (here, from): (Vec3, Vec3), to: Vec2) -> Option<Vec3> {
    let way = way_within(parent, to - from.truncate())?;
    if to == from.truncate() {
        return Some(here);
    }
    let there = parent.inverse().transform_point3(to.extend(from.z));
    // That is rounded once. Of z it would change the last bits, although only a parent that is tilted changes z.
    Some(if there.is_finite() {
        there.with_z(here.z + way.z)
    } else {
        here + way
    })
}
