//! What bars the ways of a body: it goes through nothing firm, nor between two firm colliders that leave it no room.

use bevy::math::Vec2;

use super::world::{TOLERANCE, World};
use crate::{
    kernel::{Outline, Shape, Touching, cast_ray, contains_point, separation},
    placed::Rank,
};

/// Firm colliders that the colliders of a body may not go through.
#[derive(Clone, Debug, Default)]
pub(super) struct Bars {
    all: Vec<Bar>,
}

/// A firm collider in the way of a collider of the body.
#[derive(Clone, Copy, Debug)]
struct Bar {
    own: u32,
    shape: Shape,
    /// Where the center of that collider does not get without going deeper into the bar than it is in any bar now.
    around: Shape,
    /// Where its way begins, relative to the center of the bar.
    start: Vec2,
    /// At the start the collider is in the bar, and its center in something else: both may be parts of one floor.
    is_beside: bool,
}

impl Bars {
    /// Whether a way of a collider's body leads one of its colliders through something firm in which the center of that collider does not begin.
    pub(super) fn are_on(
        &mut self,
        world: &mut World,
        member: u32,
        (from, to): (Vec2, Vec2),
    ) -> bool {
        let (slots, way) = (world.slots_of(world.body(member)), to - from);
        // The walls of a room need no way.
        let may_go = |slot| {
            let own = world.enter(slot);
            world.is_room(own) || world.is_short(own, way)
        };
        if slots.clone().all(may_go) {
            return false;
        }
        self.clear();
        for slot in slots {
            let own = world.enter(slot);
            let aside = world.offset(own) - world.offset(member);
            self.find(
                world,
                (own, from + aside),
                (from.min(to) + aside, from.max(to) + aside),
            );
        }
        self.bar(way)
    }

    pub(super) fn clear(&mut self) {
        self.all.clear();
    }

    /// Adds what bars the ways of one collider of the body, which may not be squeezed on its way any more than where it is: with its center in `from`. Ways end between two corners.
    pub(super) fn find(
        &mut self,
        world: &mut World,
        (own, from): (u32, Vec2),
        (min, max): (Vec2, Vec2),
    ) {
        let Outline::Shape(shape) = world.outline(own) else {
            return;
        };
        let half = shape.half_extents();
        let (mut depth, mut is_held) = (0.0_f32, false);
        let first = self.all.len();
        world.find_firm(Rank::Kinematic, (min - half, max + half), |world, other| {
            let Outline::Shape(bar) = world.outline(other) else {
                return;
            };
            if !world.may_push(own, other) {
                return;
            }
            if holds(world, (own, other), from) {
                is_held = true;
                return;
            }
            let start = from - world.center(other);
            let tolerance = TOLERANCE.max(world.rounding((own, other)));
            let gap = separation(bar, shape, start);
            depth = depth.max(tolerance - gap);
            self.all.push(Bar {
                own,
                shape: bar,
                around: bar,
                start,
                is_beside: gap < -tolerance,
            });
        });
        let shape = shape.shrunk(depth);
        for bar in &mut self.all[first..] {
            bar.around = bar.shape.sum(shape);
            bar.is_beside &= is_held;
        }
    }

    /// Whether a way leads through one of them, or between two that leave no room there. Around the corner of a single one there is another way. Those that the body is in besides what holds its center count as parts of that, unless the body comes out behind them.
    pub(super) fn bar(&self, way: Vec2) -> bool {
        let close = || self.all.iter().filter(|bar| bar.is_close_to(way));
        // A bar that is only before the start of the way, or behind its end, closes nothing on it.
        let may_close = |bar: &Bar| bar.is_close_to(way) || !bar.is_in_line_with(way);
        close().any(|bar| bar.is_on(way) && !bar.is_left_beside(way))
            || close().any(|bar| {
                self.all.iter().any(|other| {
                    bar.is_left_of(way) != other.is_left_of(way)
                        && !(bar.is_left_beside(way) && other.is_left_beside(way))
                        && bar.is_next_to(other)
                        && may_close(other)
                })
            })
    }
}

impl Bar {
    fn is_on(&self, way: Vec2) -> bool {
        cast_ray(self.shape, self.start, way).is_some()
    }

    /// Whether the collider is in the bar like that at the start of a way, and does not come out on the other side.
    fn is_left_beside(&self, way: Vec2) -> bool {
        self.is_beside && !self.is_crossed_by(way)
    }

    /// Whether a way leads from one side of the bar to the opposite one, and not around one of its corners.
    fn is_crossed_by(&self, way: Vec2) -> bool {
        let ends = [self.start, self.start + way];
        if self.shape.radius() > 0.0 {
            let [from, to] = ends.map(|end| end.dot(way));
            return from < 0.0 && to > 0.0;
        }
        let half = self.shape.half_extents();
        (0..2).any(|axis| {
            let [from, to] = ends.map(|end| end[axis]);
            from.abs() >= half[axis] && to.abs() >= half[axis] && from * to < 0.0
        })
    }

    /// Whether the collider would at least graze the bar on a way.
    fn is_close_to(&self, way: Vec2) -> bool {
        cast_ray(self.around, self.start, way).is_some()
    }

    /// Whether the collider would graze the bar if the way went on at both ends.
    fn is_in_line_with(&self, way: Vec2) -> bool {
        let across = way.perp();
        let reach = self.around.half_size().dot(across.abs()) + self.around.radius() * way.length();
        across.dot(self.start).abs() < reach
    }

    /// Whether the bar is left of a way that does not meet it.
    fn is_left_of(&self, way: Vec2) -> bool {
        way.perp_dot(-self.start) > 0.0
    }

    /// Whether there is no room for the collider between two bars.
    fn is_next_to(&self, other: &Self) -> bool {
        let offset = self.start - other.start;
        self.own == other.own && separation(self.around, other.around, offset) < 0.0
    }
}

/// Whether a point is in the other collider of a pair, or at its edge; for a room, whether it is beyond the walls that are solid to the own one.
pub(super) fn holds(world: &World, (own, other): (u32, u32), point: Vec2) -> bool {
    let offset = point - world.center(other);
    match world.outline_for(own, other) {
        Outline::Shape(shape) => contains_point(shape, offset),
        room @ Outline::Bounds(_) => room
            .contact(Outline::Shape(Shape::POINT), offset, Touching::Ignored)
            .is_some_and(|contact| contact.depth > 0.0),
    }
}
