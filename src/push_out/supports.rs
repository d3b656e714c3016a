//! Which bodies are held: leaning on something firm, directly or through other dynamic bodies.

use bevy::math::Vec2;

use super::island::Touch;
use crate::{
    lists::Lists,
    placed::{Rank, compare_places},
};

/// A support holds against pushes within 60 degrees of its direction.
const HOLDS: f32 = 0.5;
/// A support is handed on to a body that leans on the supported one within 45 degrees of its direction.
const HANDED_ON: f32 = 0.7;

/// A chain that bends by less than a tenth of a degree is straight.
const STRAIGHT: f32 = 1.0 - 1.0e-6;

/// Of a push that leads straight into what holds a body, rounding leaves less than this part.
const HARDLY: f32 = 1.0e-3;

/// What a body leans on, on one of its four sides.
#[derive(Clone, Copy, Debug)]
struct Support {
    /// The direction to what holds the body.
    direction: Vec2,
    /// The rank of what is at the end of the chain.
    rank: Rank,
    /// How many steps away the end of the chain is.
    distance: u32,
    /// The chain does not bend: a body that is pushed along it has nowhere to go.
    is_straight: bool,
}

impl Support {
    /// Whether the support holds against a push by something of rank `by`, if chains longer than `longest_chain` hold no more. A straight chain always holds against something firm.
    fn still_holds(&self, by: Rank, longest_chain: u32) -> bool {
        self.distance <= longest_chain || (by > Rank::Dynamic && self.is_straight)
    }
}

/// The supports of all bodies, by body and side.
#[derive(Clone, Debug, Default)]
pub(super) struct Supports {
    sides: Vec<[Option<Support>; 4]>,
    /// Touches by body, as the other body and the direction to it.
    neighbours: Lists<(u32, Vec2)>,
    frontier: Vec<(u32, Support)>,
    /// Bodies and sides that had no support before the frontier.
    fresh: Vec<(u32, usize)>,
    next: Vec<(u32, Support)>,
}

impl Supports {
    /// Spreads supports from the fixed bodies, a step at a time, statics before kinematics, so that the shortest chain of the highest
    /// rank is what holds.
    pub(super) fn find(&mut self, ranks: &[Rank], touches: [&[Touch]; 2]) {
        self.sides.clear();
        self.sides.resize(ranks.len(), [None; 4]);
        if ranks.iter().all(|rank| *rank == Rank::Dynamic) {
            return;
        }
        self.index(ranks.len(), touches);

        for rank in [Rank::Static, Rank::Kinematic] {
            self.frontier.clear();
            for touch in touches.into_iter().flatten() {
                let [a, b] = touch.bodies;
                for (body, other, direction) in [(a, b, touch.normal), (b, a, -touch.normal)] {
                    let is_held =
                        ranks[body as usize] == Rank::Dynamic && ranks[other as usize] == rank;
                    if is_held {
                        self.frontier.push((
                            body,
                            Support {
                                direction,
                                rank,
                                distance: 1,
                                is_straight: true,
                            },
                        ));
                    }
                }
            }
            while !self.frontier.is_empty() {
                self.spread(ranks);
            }
        }
    }

    /// Returns how firmly a body is held against a push by something of a rank: the highest rank of its supports that are in the way of the push and still hold; `Dynamic` if there is none.
    pub(super) fn hold(&self, body: u32, push: Vec2, (by, longest_chain): (Rank, u32)) -> Rank {
        self.sides[body as usize]
            .iter()
            .flatten()
            .filter(|support| support.still_holds(by, longest_chain))
            .filter(|support| support.direction.dot(push) > HOLDS)
            .map(|support| support.rank)
            .max()
            .unwrap_or(Rank::Dynamic)
    }

    /// Returns what is left of a push without the part that leads into supports of the body that are of a higher rank than `rank` and at most `longest_chain` steps away; zero if the body is held all around.
    pub(super) fn along(&self, body: u32, push: Vec2, (rank, longest_chain): (Rank, u32)) -> Vec2 {
        let firmer = self.sides[body as usize].iter().flatten();
        let firmer = firmer
            .filter(|support| support.rank > rank && support.distance <= longest_chain)
            .map(|support| support.direction);
        let into = |way: Vec2| {
            firmer
                .clone()
                .map(move |direction| (way.dot(direction), direction))
        };
        let most = into(push).max_by(|(a, _), (b, _)| a.total_cmp(b));
        let most = most.filter(|(into, _)| *into > 0.0);
        let along = most.map_or(push, |(into, direction)| push - direction * into);
        let is_held = into(along).any(|(into, _)| into > HARDLY);
        if is_held || along.length_squared() < HARDLY * HARDLY {
            Vec2::ZERO
        } else {
            along
        }
    }

    /// Returns the steps from a body to the nearest thing that holds it.
    pub(super) fn distance(&self, body: u32) -> u32 {
        self.sides[body as usize]
            .iter()
            .flatten()
            .map(|support| support.distance)
            .min()
            .unwrap_or(u32::MAX)
    }

    /// Takes in the frontier, and makes the bodies that lean on it the next frontier.
    fn spread(&mut self, ranks: &[Rank]) {
        // Of several supports for one side the most upright one stays, in whatever order they came in.
        self.fresh.clear();
        for &(body, support) in &self.frontier {
            let number = side_of(support.direction);
            let side = &mut self.sides[body as usize][number];
            match side {
                None => self.fresh.push((body, number)),
                Some(other) => {
                    let is_as_near =
                        (other.rank, other.distance) == (support.rank, support.distance);
                    if is_as_near && other.direction == support.direction {
                        other.is_straight |= support.is_straight;
                        continue;
                    }
                    let upright = |direction: Vec2| direction.abs().max_element();
                    let is_better = upright(support.direction)
                        .total_cmp(&upright(other.direction))
                        .then_with(|| compare_places(other.direction, support.direction))
                        .is_gt();
                    if !(is_as_near && is_better) {
                        continue;
                    }
                }
            }
            *side = Some(support);
        }
        self.next.clear();
        for &(body, number) in &self.fresh {
            let Some(support) = self.sides[body as usize][number] else {
                continue;
            };
            for &(other, to_other) in self.neighbours.of(body) {
                let onwards = support.direction.dot(-to_other);
                if ranks[other as usize] == Rank::Dynamic && onwards > HANDED_ON {
                    self.next.push((
                        other,
                        Support {
                            direction: -to_other,
                            rank: support.rank,
                            distance: support.distance + 1,
                            is_straight: support.is_straight && onwards > STRAIGHT,
                        },
                    ));
                }
            }
        }
        std::mem::swap(&mut self.frontier, &mut self.next);
    }

    fn index(&mut self, bodies: usize, touches: [&[Touch]; 2]) {
        self.neighbours.begin(bodies);
        let touches = touches.into_iter().flatten();
        for body in touches.clone().flat_map(|touch| touch.bodies) {
            self.neighbours.announce(body, 1);
        }
        self.neighbours.fill(touches.flat_map(|touch| {
            let [a, b] = touch.bodies;
            [(a, (b, touch.normal)), (b, (a, -touch.normal))]
        }));
    }
}

/// Returns 0 to 3 for right, left, up, down, by the longer component.
fn side_of(direction: Vec2) -> usize {
    let (axis, value) = if direction.x.abs() >= direction.y.abs() {
        (0, direction.x)
    } else {
        (2, direction.y)
    };
    axis + usize::from(value < 0.0)
}
