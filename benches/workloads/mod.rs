//! The worlds of the benches: from fixed seeds, the same arrays for every engine.
//!
//! Sizes are widths, half of the colliders are circles and half are boxes, and speeds are up to 1.5 units a tick on each axis. Every body turns back at the edges, and
//! every [`TURN`] ticks wherever it is: so bodies that push each other stay a crowd, and do not all pile up in front of obstacles. `swarm_pass` and `swarm_bounce` are `swarm`, moved by the
//! engine: through each other, and as solid bodies that bounce. Whoever moves the bodies, [`Motion`] says where they turn. In `horde` all bodies walk to the middle of the world, as enemies walk to the player, and press each other there.
#![allow(
    clippy::disallowed_methods,
    reason = "worlds to be measured may have any bits"
)]
#![allow(dead_code, reason = "each bench uses a part of it")]

use bevy::{
    ecs::{component::Component, world::EntityWorldMut},
    math::Vec2,
};
use bevy_nudge::{
    kernel::Shape,
    prelude::{Body, BoxCollider, CircleCollider, Response},
};

/// A collider, for any engine.
#[derive(Component, Clone, Copy, Debug)]
pub struct Spec {
    pub x: f32,
    pub y: f32,
    /// Width of the circle or the box; boxes are squares.
    pub size: f32,
    pub is_round: bool,
    /// Units a tick; 0 for a collider that stands still.
    pub drift: [f32; 2],
    pub is_static: bool,
}

impl Spec {
    pub fn place(&self) -> Vec2 {
        Vec2::new(self.x, self.y)
    }

    /// How far the body moves in its first tick.
    pub fn way(&self) -> Vec2 {
        self.drift.into()
    }

    /// # Panics
    /// If the size is not valid, which no workload has.
    pub fn shape(&self) -> Shape {
        let half = self.size * 0.5;
        let shape = if self.is_round {
            Shape::circle(half)
        } else {
            Shape::rectangle(Vec2::splat(half))
        };
        shape.expect("sizes of workloads are positive")
    }
}

/// A world full of colliders.
#[derive(Clone, Debug)]
pub struct Workload {
    pub name: &'static str,
    pub specs: Vec<Spec>,
    pub motion: Motion,
    /// Whether bodies are pushed apart, or pairs are only reported.
    pub is_solid: bool,
    /// Whether the engine moves the bodies; else the game does.
    pub by_velocity: bool,
}

/// How the bodies of a workload move.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    /// A body turns back where a coordinate is beyond this.
    pub half_side: f32,
    /// Whether all bodies walk to the middle of the world, at [`PACE`], and press each other there; else each goes its own way.
    pub gathers: bool,
}

impl Motion {
    /// Returns how far a body moves in this tick, by its way in the tick before: to the middle of the world if all gather there; otherwise straight on, back in a tick in which all turn, and inwards beyond an edge.
    pub fn next_way(&self, way: Vec2, place: Vec2, is_turn: bool) -> Vec2 {
        if self.gathers {
            return -place.clamp_length_max(PACE);
        }
        let way = if is_turn { -way } else { way };
        let is_out = place.abs().cmpgt(Vec2::splat(self.half_side));
        Vec2::select(is_out, -way.abs() * place.signum(), way)
    }

    /// Returns the new velocity, in units per second, of a body that its engine moves; `None` if it stays as it is.
    pub fn next_velocity(&self, velocity: Vec2, place: Vec2, is_turn: bool) -> Option<Vec2> {
        let way = velocity / TICKS_PER_SECOND as f32;
        let next = self.next_way(way, place, is_turn);
        (next != way).then_some(next * TICKS_PER_SECOND as f32)
    }
}

impl Workload {
    /// Inserts the components of this crate for a collider, except for its velocity.
    pub fn insert_nudge(&self, entity: &mut EntityWorldMut, spec: &Spec) {
        let body = match (spec.is_static, self.is_solid) {
            (true, _) => Body::Static,
            (false, true) => Body::Dynamic,
            (false, false) => Body::Kinematic,
        };
        if spec.is_round {
            entity.insert((CircleCollider::new(spec.size * 0.5), body));
        } else {
            entity.insert((BoxCollider::square(spec.size), body));
        }
        if self.by_velocity && !spec.is_static {
            entity.insert(match (self.is_solid, self.bounces()) {
                (true, true) => Response::Bounce { restitution: 1.0 },
                (true, false) => Response::Slide,
                (false, _) => Response::Pass,
            });
        }
    }

    /// Whether bodies that move by their velocities bounce off whatever they meet.
    pub fn bounces(&self) -> bool {
        self.by_velocity && self.is_solid && !self.motion.gathers
    }

    /// Whether bodies are so fast that they would go through others, unless their whole way is checked.
    pub fn is_fast(&self) -> bool {
        self.name == "bullets"
    }

    /// After how many ticks the world changes little any more.
    pub fn warm_up(&self) -> usize {
        if self.motion.gathers { 60 } else { 5 }
    }
}

/// A thousand bodies that move, while all others stand still: what the static ones cost. Not among [`NAMES`], since it is run with counts far beyond what the rivals can do.
pub const AMONG_STATICS: &str = "among_statics";

/// `swarm` with one collider far from all others: what that costs. Not among [`NAMES`] either.
pub const STRAYED: &str = "swarm_strayed";

/// The coordinate of that collider.
const FAR: f32 = -1.0e6;

/// `swarm` with one collider that the engine moves: what that costs. Not among [`NAMES`] either.
pub const ONE_SWEPT: &str = "swarm_one_swept";

/// The names of the workloads, except for the three above.
pub const NAMES: [&str; 11] = [
    "swarm",
    "swarm_pass",
    "swarm_bounce",
    "mostly_static",
    "mixed_sizes",
    "heavy_tail",
    "clumped",
    "pushout",
    "horde",
    "horde_seek",
    "bullets",
];

/// Whether a workload is run with so many colliders: a larger horde is more than any of the engines can do in a frame.
pub fn is_run_with(name: &str, count: usize) -> bool {
    !name.starts_with("horde") || count <= 10_000
}

pub const TICKS_PER_SECOND: u32 = 60;

/// Ticks from one change of direction to the next.
pub const TURN: u32 = 64;

/// The speed of a body that walks to the middle, in units a tick.
const PACE: f32 = 1.5;

/// The part of the area that is covered.
const COVERED: f32 = 0.25;

/// Makes a workload by its name.
///
/// # Panics
/// With a name that is not among [`NAMES`].
pub fn workload(name: &str, count: usize) -> Workload {
    let mut random = fastrand::Rng::with_seed(0x0b0b_5eed);
    let name = NAMES
        .into_iter()
        .chain([AMONG_STATICS, STRAYED, ONE_SWEPT])
        .find(|known| *known == name)
        .unwrap_or_else(|| panic!("no workload {name}; there are {NAMES:?}"));
    let static_part = match name {
        "mostly_static" | "bullets" => 0.9,
        "pushout" => 0.2,
        AMONG_STATICS => 1.0 - 1000.0 / count as f32,
        _ => 0.0,
    };
    let is_bullets = name == "bullets";
    let bounces = name == "swarm_bounce";
    let sizes: Vec<f32> = (0..count)
        .map(|_| match name {
            "mixed_sizes" => log_uniform(&mut random, 2.0, 512.0),
            // A few are a hundred times larger.
            "heavy_tail" if random.u32(0..1000) == 0 => between(&mut random, 400.0, 1200.0),
            _ => between(&mut random, 4.0, 12.0),
        })
        .collect();
    let area: f64 = sizes.iter().map(|size| f64::from(*size).powi(2)).sum();
    let half_side = ((area / f64::from(COVERED)).sqrt() * 0.5) as f32;
    if name.starts_with("horde") {
        return horde(name, &sizes, &mut random);
    }
    let mut specs: Vec<Spec> = sizes
        .into_iter()
        .map(|size| {
            // Half of all colliders are in a square of 5 % of the area.
            let part = if name == "clumped" && random.bool() {
                0.05_f32.sqrt()
            } else {
                1.0
            };
            let room = half_side * part;
            let is_static = random.f32() < static_part;
            let fastest = if is_bullets { 40.0 } else { 1.5 };
            let mut speed = || between(&mut random, -fastest, fastest);
            Spec {
                drift: if is_static {
                    [0.0; 2]
                } else {
                    [speed(), speed()]
                },
                x: between(&mut random, -room, room),
                y: between(&mut random, -room, room),
                size: if is_bullets && !is_static { 2.0 } else { size },
                is_round: if is_bullets {
                    !is_static
                } else {
                    random.bool()
                },
                is_static,
            }
        })
        .collect();
    if let Some(strayed) = specs.last_mut().filter(|_| name == STRAYED) {
        strayed.y = FAR;
    }
    Workload {
        name,
        specs,
        motion: Motion {
            half_side,
            gathers: false,
        },
        is_solid: name == "pushout" || is_bullets || bounces,
        by_velocity: is_bullets || bounces || name == "swarm_pass",
    }
}

/// Bodies side by side, in rows as high as the largest: none begins inside another, and all press each other soon.
fn horde(name: &'static str, sizes: &[f32], random: &mut fastrand::Rng) -> Workload {
    const HEIGHT: f32 = 12.0;
    let width: f32 = sizes.iter().sum();
    let half_side = (width * HEIGHT).sqrt() * 0.5;
    let (mut left, mut row) = (-half_side, 0.5);
    let specs = sizes.iter().map(|&size| {
        if left > half_side {
            (left, row) = (-half_side, row + 1.0);
        }
        let x = left + size * 0.5;
        left += size;
        Spec {
            x,
            y: row * HEIGHT - half_side,
            size,
            is_round: random.bool(),
            drift: [0.0; 2],
            is_static: false,
        }
    });
    Workload {
        name,
        specs: specs.collect(),
        motion: Motion {
            half_side,
            gathers: true,
        },
        is_solid: true,
        by_velocity: name == "horde_seek",
    }
}

fn between(random: &mut fastrand::Rng, low: f32, high: f32) -> f32 {
    low + (high - low) * random.f32()
}

/// As many of each magnitude: the logarithm is uniform.
fn log_uniform(random: &mut fastrand::Rng, low: f64, high: f64) -> f32 {
    (low * (high / low).powf(random.f64())) as f32
}
