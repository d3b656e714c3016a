//! Moving step by step, for games that write their own controllers.

use std::ops::ControlFlow;

use bevy::{
    ecs::{
        entity::Entity,
        hierarchy::Children,
        prelude::{Query, Res},
        system::SystemParam,
    },
    math::Vec2,
    reflect::{Reflect, std_traits::ReflectDefault},
    transform::components::Transform,
};

use super::surface::Surface;
use crate::{
    allow_disabled::AllowDisabled,
    kernel::{MAX_COORDINATE, Outline, is_in_world},
    placed::{Placed, Rank, compare_places, extent_at, rounding_along},
    state::{
        candidates::Candidates,
        colliders::Colliders,
        rules::{are_solid, is_one_way, is_solid_side, meet_solid_sides},
    },
    sweep::{AT_ONCE, Across, Impact, each_over_a_seam, first_impact, impact, touching_coordinate},
};

/// How a body is to move, in the terms of Godot's `CharacterBody2D`. A number that is negative or NaN counts as 0.
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
/// })?;
/// # Ok::<(), bevy::ecs::system::RunSystemError>(())
/// ```
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Clone, Debug, Default, PartialEq)]
pub struct MoveOptions {
    /// What is a floor, and what a ceiling. Default `Vec2::Y`; zero in a game seen from above, where all is wall. It need not be of length 1.
    pub up: Vec2,
    /// Up to this slope a surface is a floor, and upside down a ceiling: how far it rises for each unit across, which is the tangent of the angle between its normal and `up`.
    /// Default 1, for 45 degrees.
    pub floor_max_slope: f32,
    /// A body that stood before it moved, and does not move up, is put onto a floor that is no farther below than this, in world units. Default 0.
    pub floor_snap_length: f32,
    /// A body that stood before it moved, does not move up, and meets a wall that is no higher than this above its feet, in world units, is put onto that, if there is room above and ahead; that is no hit. It rises no higher than what it is put onto, so more than needed does no harm; only where `up` is not along an axis it rises by all of this. From there it goes on. So stairs are walked up, in one motion several steps if it is long enough. What is round below is not put onto a step before its middle is near enough to stand there. At most 10,000. Default 0.
    pub step_height: f32,
    /// A body that moves up and meets a corner of a ceiling by no more than this, in world units, is moved aside instead of being stopped; that is no hit. What is left of the motion leads no more towards the corner. [`Moved::motion`] keeps that part: the next motion takes the body over what it has gone around, or meets its side. Default 0.
    pub corner_correction: f32,
    /// After so many hits it goes no farther; with 0 it stays where it is. Default 4.
    pub max_slides: u32,
}

impl Default for MoveOptions {
    fn default() -> Self {
        Self {
            up: Vec2::Y,
            floor_max_slope: 1.0,
            floor_snap_length: 0.0,
            step_height: 0.0,
            corner_correction: 0.0,
            max_slides: 4,
        }
    }
}

/// So many corners of a motion are gone around, at most.
const MOST_CORNERS: u32 = 4;
/// And so many steps are gone up.
const MOST_STEPS: u32 = 64;
/// Of a higher one, rounding would lose where it is.
const HIGHEST_STEP: f32 = 1.0e4;
/// How far a body has to get on to be on a step, in world units: twice as far, so that rounding does not matter.
const LEAST_STEP: f32 = 4.0 * AT_ONCE;

/// Something that was hit on the way. [`Moved`] has an example.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct MoveHit {
    /// The collider that was hit.
    pub entity: Entity,
    /// Unit normal of its surface, towards the body.
    pub normal: Vec2,
    /// Where the body was then.
    pub position: Vec2,
    /// What kind of surface it is.
    pub surface: Surface,
}

/// What became of a motion.
///
/// ```
/// # use bevy::{ecs::system::RunSystemOnce, prelude::*}; use bevy_nudge::{prelude::*, query::{MoveHit, Moved, Surface}};
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
/// let hits: Vec<_> = moved.hits.iter().map(|hit: &MoveHit| (hit.entity, hit.normal, hit.surface)).collect();
/// assert_eq!(hits, [(floor, Vec2::Y, Surface::Floor), (wall, Vec2::NEG_X, Surface::Wall)]);
/// assert!(moved.is_on_floor() && moved.is_on_wall() && !moved.is_on_ceiling());
/// assert_eq!((moved.floor, moved.floor_entity), (Some(Vec2::Y), Some(floor)));
/// assert_eq!(moved.motion, Vec2::ZERO); // nothing of the speed is left
/// # Ok::<(), bevy::ecs::system::RunSystemError>(())
/// ```
#[derive(Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Clone, Debug, Default, PartialEq)]
pub struct Moved {
    /// Where the body ends.
    pub position: Vec2,
    /// The motion without what was lost to the surfaces that were hit: divided by the time, this is the velocity to go on with. Up a hill, which is a floor, it leads along and not up: the next motion goes uphill by itself.
    pub motion: Vec2,
    /// Everything that was hit, in order; at most `max_slides`.
    pub hits: Vec<MoveHit>,
    /// The normal of the floor on which it stands in the end, if it does.
    pub floor: Option<Vec2>,
    /// The collider of that floor.
    pub floor_entity: Option<Entity>,
}

impl Moved {
    /// Whether it stands on a floor.
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

    fn has_hit(&self, surface: Surface) -> bool {
        self.hits.iter().any(|hit| hit.surface == surface)
    }
}

/// Moves bodies through the world at once, in a system of the game's own, and tells what they hit.
///
/// It sees everything where the newest tick has left it; what was spawned or changed since is not seen yet, a `DropThrough` of its own included; but what no longer hangs on the body does not move with it. Layers, sensors and `OneWay`s count as ever, filters of the game are not asked. Other `Dynamic` bodies are in the way, and are not
/// pushed. Where there are lifts the body is best `Dynamic`: they carry it, up and down too, and it stands on them in each tick; walls that come push it. Where there are none it may be `Kinematic`, which nothing ever moves but its mover. Nothing is reported by messages but what the next tick finds. It needs no [`Swept`](crate::components::Swept), which would sweep the straight way from where the body was to where it is, through the step that it has gone up; one that it has all the same is told to [`teleport`](crate::components::Swept::teleport) after each move. Costs a look at what hangs on the body, and one at what is on the way for each hit.
///
/// ```
/// # use bevy::{prelude::*, time::TimeUpdateStrategy}; use bevy_nudge::{prelude::*, query::{Mover, MoveOptions}};
/// #[derive(Component)]
/// struct Player { velocity: Vec2 }
///
/// fn walk(mover: Mover, time: Res<Time>, player: Single<(Entity, &mut Player, &mut Transform)>) {
///     let (entity, mut player, mut transform) = player.into_inner();
///     player.velocity.y -= 1000.0 * time.delta_secs();
///     let options = MoveOptions { floor_snap_length: 4.0, ..default() };
///     let motion = player.velocity * time.delta_secs();
///     if let Some(moved) = mover.move_and_slide(entity, &mut transform, motion, &options) {
///         player.velocity = moved.motion / time.delta_secs();
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
    // Tiles are children too: a look at all there are would cost more than the way.
    families: Query<'w, 's, &'static Children, AllowDisabled>,
}

/// A body on its way.
struct Walk<'a> {
    options: &'a MoveOptions,
    slots: Vec<u32>,
    around: Vec<u32>,
    position: Vec2,
}

impl Walk<'_> {
    fn surface(&self, normal: Vec2, up: Vec2) -> Surface {
        Surface::of(normal, up, self.options.floor_max_slope)
    }
}

/// An impact with both colliders.
type Hit = (u32, u32, Impact);

impl Mover<'_, '_> {
    /// Moves a body by its `Transform`, which must be that of an entity without a parent. `None`, and nothing moves, for an entity that is not a body with a collider that takes part, or a place or motion that is not finite or beyond 1e18.
    pub fn move_and_slide(
        &self,
        entity: Entity,
        transform: &mut Transform,
        motion: Vec2,
        options: &MoveOptions,
    ) -> Option<Moved> {
        let moved = self.project(entity, transform.translation.truncate(), motion, options)?;
        transform.translation.x = moved.position.x;
        transform.translation.y = moved.position.y;
        Some(moved)
    }

    /// Tells what would become of a motion from a position of the body, and moves nothing. [`Moved`] and [`MoveOptions`] have examples. `None` as for [`move_and_slide`](Self::move_and_slide).
    pub fn project(
        &self,
        entity: Entity,
        from: Vec2,
        motion: Vec2,
        options: &MoveOptions,
    ) -> Option<Moved> {
        let body = self.colliders.body_slot_of(entity)?;
        if ![from, motion, from + motion].into_iter().all(is_in_world) {
            return None;
        }
        let parts = self.colliders.parts_of(&self.families, (entity, body));
        let mut walk = Walk {
            options,
            slots: parts.map(|slot| slot as u32).collect(),
            around: Vec::new(),
            position: from,
        };
        if walk.slots.is_empty() {
            return None;
        }
        // Divided, which is exact along an axis.
        let up = options.up / options.up.length();
        let up = if up.is_finite() { up } else { Vec2::ZERO };
        let stood = self
            .floor_below(&mut walk, up, at_once(from, from, up))
            .is_some();
        let mut moved = Moved {
            motion,
            ..Moved::default()
        };
        let steps_up = stood && motion.dot(up) <= 0.0;
        self.slide(&mut walk, motion, (up, steps_up), &mut moved);
        if motion.dot(up) <= 0.0 {
            let nothing = at_once(walk.position, walk.position, up);
            let reach = if stood {
                options.floor_snap_length.max(nothing)
            } else {
                nothing
            };
            // Nothing is farther away, and infinity is no motion.
            let reach = reach.min(MAX_COORDINATE);
            if let Some((hit, way)) = self.floor_below(&mut walk, up, reach) {
                if stood && way > nothing {
                    self.advance(&mut walk, &hit, -up * reach);
                }
                moved.floor = Some(hit.2.normal);
                moved.floor_entity = Some(self.colliders.entities[hit.1 as usize]);
            }
        }
        moved.position = walk.position;
        Some(moved)
    }

    /// Goes on until the motion is used up, along whatever is met, and up steps or not.
    fn slide(
        &self,
        walk: &mut Walk,
        motion: Vec2,
        (up, steps_up): (Vec2, bool),
        moved: &mut Moved,
    ) {
        let mut left = motion;
        let (mut corners, mut steps) = (0, 0);
        while moved.hits.len() < walk.options.max_slides as usize {
            let Some(hit) = self.go(walk, left) else {
                return;
            };
            left *= 1.0 - hit.2.fraction;
            if corners < MOST_CORNERS
                && motion.dot(up) > 0.0
                && let Some(rest) = self.go_around(walk, &hit, left, up)
            {
                corners += 1;
                left = rest;
                continue;
            }
            if steps_up
                && steps < MOST_STEPS
                && walk.surface(hit.2.normal, up) == Surface::Wall
                && let Some(rest) = self.step_up(walk, &hit, (left, motion), up)
            {
                steps += 1;
                left = rest;
                // It stands on the step: what led down is lost there.
                moved.motion -= up * moved.motion.dot(up).min(0.0);
                continue;
            }
            let normal = hit.2.normal;
            moved.hits.push(MoveHit {
                entity: self.colliders.entities[hit.1 as usize],
                normal,
                position: walk.position,
                surface: walk.surface(normal, up),
            });
            left -= normal * left.dot(normal).min(0.0);
            moved.motion -= normal * moved.motion.dot(normal).min(0.0);
            // Uphill it goes by the floor, and not by itself: else it would be in the air in the next motion.
            if motion.dot(up) <= 0.0 && walk.surface(normal, up) == Surface::Floor {
                moved.motion -= up * moved.motion.dot(up).max(0.0);
            }
            // Back against the wish is no slide.
            if left.dot(motion) < 0.0 {
                moved.motion = Vec2::ZERO;
                return;
            }
        }
    }

    /// Goes by a motion, or as far as to what is hit on the way.
    fn go(&self, walk: &mut Walk, motion: Vec2) -> Option<Hit> {
        let hit = self.first(walk, motion);
        match &hit {
            Some(hit) => self.advance(walk, hit, motion),
            None => walk.position += motion,
        }
        hit
    }

    /// Goes as far as a hit, to the very coordinate of a side.
    fn advance(&self, walk: &mut Walk, hit: &Hit, motion: Vec2) {
        let impact = &hit.2;
        walk.position += motion * impact.fraction;
        if impact.fraction > 0.0
            && let Some(there) = self.beside(hit, walk.position, impact.normal)
            && (there - walk.position).abs().max_element()
                <= at_once(walk.position, self.center(hit.1), impact.normal)
        {
            walk.position = there;
        }
    }

    /// From a position, the nearest one in which both colliders of a hit touch by the side of the other one that has this normal. `None` if that is not along an axis.
    fn beside(&self, (own, other, _): &Hit, from: Vec2, normal: Vec2) -> Option<Vec2> {
        let axis = normal.abs();
        if axis != Vec2::X && axis != Vec2::Y {
            return None;
        }
        let anchor = self.center(*other);
        let [own, other] = [own, other].map(|slot| &self.colliders.placed[*slot as usize]);
        let place = touching_coordinate(own, other, anchor, normal)?;
        let there = Vec2::splat(place) - own.offset;
        Some(Vec2::select(axis.cmpgt(Vec2::ZERO), there, from))
    }

    /// Puts a body that has come to the corner of a ceiling aside of it. What is left then of its motion; `None`, and it stays, if that is too far or not free, or leads into another ceiling there.
    fn go_around(&self, walk: &mut Walk, hit: &Hit, left: Vec2, up: Vec2) -> Option<Vec2> {
        let (own, other, impact) = hit;
        let is_ceiling = walk.surface(impact.normal, up) == Surface::Ceiling;
        // What is slanted, or round, has no side that could be missed.
        let is_small = impact.level > 0.0 && impact.level <= walk.options.corner_correction;
        if !(is_ceiling && is_small) {
            return None;
        }
        let from = walk.position;
        let from_other = from + self.colliders.placed[*own as usize].offset - self.center(*other);
        let side = impact.normal.perp();
        let side = if from_other.dot(side) < 0.0 {
            -side
        } else {
            side
        };
        // Corner to corner, what leads back would lead into the same ceiling.
        let rest = left - side * left.dot(side).min(0.0);
        let mut ceiling = *hit;
        let mut aside = 0.0;
        // Flush pieces are one ceiling, and the one that was hit need not be the last of them.
        for _ in 0..MOST_CORNERS {
            let there = self.beside(&ceiling, from, side)?;
            let so_far = (there - from).dot(side);
            let is_small = so_far <= walk.options.corner_correction;
            if so_far <= aside || !is_small || self.first(walk, there - from).is_some() {
                return None;
            }
            aside = so_far;
            walk.position = there;
            let next = self.first(walk, rest).filter(|(.., next)| {
                let is_at_once = next.fraction * rest.length() <= at_once(there, there, up);
                is_at_once && walk.surface(next.normal, up) == Surface::Ceiling
            });
            let Some(next) = next else {
                return Some(rest);
            };
            ceiling = next;
            walk.position = from;
        }
        None
    }

    /// Puts a body that has come to a wall onto it, by what is left of a motion, and no farther than it takes to stand there. What is left then; `None`, and it stays, if that way it gets on by nothing.
    fn step_up(
        &self,
        walk: &mut Walk,
        wall: &Hit,
        (left, motion): (Vec2, Vec2),
        up: Vec2,
    ) -> Option<Vec2> {
        let [left, motion] = [left, motion].map(|way| way - up * way.dot(up));
        let from = walk.position;
        // By less than this it would not be on the step, but over its corner. Who has come to it with no more than that left goes up the next time, and has not been stopped; and who never has more goes as far as it takes.
        let least_step = LEAST_STEP.max(rounding_along(from, from, up.perp()));
        let least = motion.normalize_or_zero() * least_step;
        let is_enough = left.length_squared() >= least.length_squared();
        let waits = !is_enough && motion.length_squared() >= least.length_squared();
        let across = if is_enough {
            // By half of its width it stands, round or not; by more it might be beyond the step.
            let shape = self.colliders.placed[wall.0 as usize].outline.shape()?;
            let half = shape.half_extents().dot(up.perp().abs());
            left.clamp_length_max(half.max(least_step))
        } else {
            least
        };
        let gone = self.step_onto(walk, wall, (across, least_step * 0.5), up);
        if gone.is_none() || waits {
            walk.position = from;
        }
        gone.map(|gone| if is_enough { left - gone } else { Vec2::ZERO })
    }

    /// Up as far as it takes to get on, it may and there is room, on across, and down again to a floor. How far it has got across; if that is `None`, or would be too little, it may end anywhere.
    fn step_onto(
        &self,
        walk: &mut Walk,
        wall: &Hit,
        (across, least): (Vec2, f32),
        up: Vec2,
    ) -> Option<Vec2> {
        let highest = HIGHEST_STEP.min(walk.options.step_height.max(0.0));
        let from = walk.position;
        let (mut wall, mut risen) = (*wall, 0.0);
        loop {
            let (own, other, _) = wall;
            // Who is let in from above would end within.
            if !is_solid_side(&self.colliders, other as usize, own as usize, up) {
                return None;
            }
            // It is as high as it is above the feet, whichever part has met it.
            let most = highest - self.above_feet(walk, own, up);
            // Seen from a slanted up, what is met has no top that could be told.
            let top = self.beside(&wall, from, up);
            let height = top.map_or(most, |top| most.min((top - from).dot(up)));
            if height <= risen {
                return None;
            }
            self.go(walk, up * (height - risen));
            risen = height;
            let above = walk.position;
            let next = self.go(walk, across);
            let gone = walk.position - above;
            let reach = (above - from).dot(up) + at_once(above, above, up);
            if gone.length() >= least
                && let Some((floor, _)) = self.floor_below(walk, up, reach)
            {
                self.advance(walk, &floor, -up * reach);
                return Some(gone);
            }
            // What is in the way there may be part of the step.
            walk.position = above;
            wall = next?;
        }
    }

    /// How far the bottom of a collider is above the lowest one of its body.
    fn above_feet(&self, walk: &Walk, own: u32, up: Vec2) -> f32 {
        let bottom = |slot: u32| {
            let placed = &self.colliders.placed[slot as usize];
            let half = placed.outline.shape().map(|shape| shape.half_extents());
            half.map(|half| placed.offset.dot(up) - half.dot(up.abs()))
        };
        let is_sensor = |slot: u32| self.colliders.traits[slot as usize].sensor;
        let solid = walk.slots.iter().copied().filter(|slot| !is_sensor(*slot));
        let feet = solid.filter_map(bottom).fold(f32::INFINITY, f32::min);
        bottom(own).map_or(0.0, |own| own - feet)
    }

    /// Where a collider is.
    fn center(&self, slot: u32) -> Vec2 {
        self.colliders.placed[slot as usize].center(&self.colliders.movers)
    }

    /// What is met below, and how far.
    fn floor_below(&self, walk: &mut Walk, up: Vec2, reach: f32) -> Option<(Hit, f32)> {
        if up == Vec2::ZERO {
            return None;
        }
        let hit = self.first(walk, -up * reach)?;
        let is_floor = walk.surface(hit.2.normal, up) == Surface::Floor;
        is_floor.then_some((hit, hit.2.fraction * reach))
    }

    /// The first solid thing that a motion from where the body is leads into. Of several at once it is what is flat, and of that what gives no way: all of them stop it.
    fn first(&self, walk: &mut Walk, motion: Vec2) -> Option<Hit> {
        if motion == Vec2::ZERO {
            return None;
        }
        let Colliders { placed, movers, .. } = &*self.colliders;
        let mut hits: Vec<Hit> = Vec::new();
        // What some collider of it is in, and lets the others in as well if it is solid on one side only.
        let mut within = Vec::new();
        let mut sunk = Vec::new();
        for &own in &walk.slots {
            let collider: &Placed = &placed[own as usize];
            let Outline::Shape(shape) = collider.outline else {
                continue;
            };
            let center = walk.position + collider.offset;
            let way = extent_at(shape, center, 0.0).along(motion.to_array());
            walk.around.clear();
            let _ = self.candidates.around(&self.colliders, &way, |seen| {
                walk.around.push(seen.slot() as u32);
                ControlFlow::Continue(())
            });
            for &other in &walk.around {
                let target = &placed[other as usize];
                if target.body == collider.body {
                    continue;
                }
                let offset = target.center(movers) - center;
                let met = impact(collider, target, offset, motion);
                let is_in_it = met.is_some_and(|impact| impact.is_deep);
                if is_in_it && is_solid_one_way(&self.colliders, own, other) {
                    within.push(other);
                }
                let hit = met
                    .filter(|impact| !impact.is_parting() && self.is_stopped(own, other, impact));
                hits.extend(hit.map(|impact| (own, other, impact)));
                let across = self.across(own, other, offset, motion);
                sunk.extend(across.map(|across| (own, other, across)));
            }
        }
        hits.retain(|(_, other, _)| !within.contains(other));
        each_over_a_seam(
            &mut sunk,
            |(_, other, across)| (*other, *across),
            |(own, other, across)| {
                hits.retain(|hit| (hit.0, hit.1) != (*own, *other));
                let is_hit = !across.impact.is_parting();
                hits.extend(is_hit.then_some((*own, *other, across.impact)));
            },
        );
        let place = |hit: &&Hit| placed[hit.1 as usize].center(movers);
        let rank = |hit: &&Hit| movers[placed[hit.1 as usize].body as usize].rank;
        first_impact(
            hits.iter(),
            |hit| &hit.2,
            |_| Rank::Static,
            motion.length(),
            |a, b| {
                let firmer = rank(b).cmp(&rank(a));
                let places = compare_places(place(a), place(b));
                firmer.then(places).then((a.0, a.1).cmp(&(b.0, b.1)))
            },
        )
        .copied()
    }

    /// The way across what a collider at an offset from it begins sunk in, if that gives no way and stops it.
    fn across(&self, own: u32, other: u32, offset: Vec2, motion: Vec2) -> Option<Across> {
        let Colliders { placed, movers, .. } = &*self.colliders;
        let target = &placed[other as usize];
        let (Outline::Shape(shape), Outline::Shape(wall)) =
            (placed[own as usize].outline, target.outline)
        else {
            return None;
        };
        let across = Across::new(shape, wall, offset, motion)?;
        let gives_way = movers[target.body as usize].rank == Rank::Dynamic;
        let counts = !gives_way && self.is_stopped(own, other, &across.impact);
        counts.then_some(across)
    }

    /// A kinematic body that moves itself is stopped too.
    fn is_stopped(&self, own: u32, other: u32, impact: &Impact) -> bool {
        let (own, other) = (own as usize, other as usize);
        are_solid(&self.colliders, own, other)
            && meet_solid_sides(&self.colliders, own, other, impact)
    }
}

/// Whether it is solid to a collider, and on one side only.
fn is_solid_one_way(colliders: &Colliders, own: u32, other: u32) -> bool {
    let (own, other) = (own as usize, other as usize);
    is_one_way(colliders, other)
        && !colliders.traits[own].drops_through
        && are_solid(colliders, own, other)
}

/// So far along a direction counts as nothing where these two are: far out, places are less exact.
fn at_once(one: Vec2, other: Vec2, along: Vec2) -> f32 {
    AT_ONCE.max(rounding_along(one, other, along))
}
