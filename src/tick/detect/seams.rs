//! Corners that only touch. Where tiles lie side by side, a box on one of them touches the next one with a corner now and then, and which way such a corner faces,
//! nobody can tell from the two alone. But the floor that the box lies on tells: the corner is a part of it.

use bevy::math::Vec2;

use crate::{
    kernel::Outline,
    placed::{Meeting, Rank},
    state::colliders::Colliders,
};

/// Up to this depth, and level with each other by no more than this, boxes touch with corners only, in world units.
const CORNER: f32 = 0.005;

/// Buffers for a tick.
#[derive(Debug, Default)]
pub(crate) struct Seams {
    /// Indices of contacts that are corners.
    corners: Vec<usize>,
    /// By slot: whether it has such a contact.
    is_marked: Vec<bool>,
    /// What else the marked slots touch: in which direction, sorted by slot.
    surfaces: Vec<(u32, Vec2)>,
}

impl Seams {
    /// Turns the normals of corners to those of the surfaces that they continue.
    pub(crate) fn smooth(&mut self, colliders: &Colliders, found: &mut [Meeting]) {
        let Self {
            corners,
            is_marked,
            surfaces,
        } = self;
        corners.clear();
        let indices = found.iter().enumerate();
        let are_corners = indices.filter(|(_, found)| is_corner(colliders, found));
        corners.extend(are_corners.map(|(index, _)| index));
        if corners.is_empty() {
            return;
        }

        is_marked.clear();
        is_marked.resize(colliders.placed.len(), false);
        for &index in &*corners {
            for slot in moving_slots(colliders, &found[index]) {
                is_marked[slot as usize] = true;
            }
        }
        surfaces.clear();
        for meeting in &*found {
            let (a, b) = meeting.slots;
            let sides = [(a, meeting.normal), (b, -meeting.normal)];
            let marked = sides
                .into_iter()
                .filter(|(slot, _)| is_marked[*slot as usize]);
            surfaces.extend(marked.filter(|_| !is_corner(colliders, meeting)));
        }
        surfaces.sort_unstable_by(|(slot_a, a), (slot_b, b)| {
            let by_direction = a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y));
            slot_a.cmp(slot_b).then(by_direction)
        });
        for &index in &*corners {
            let meeting = &mut found[index];
            let offset = offset(colliders, meeting);
            // Both sides would turn it to the same axis.
            let turned = moving_slots(colliders, meeting).find_map(|slot| {
                let is_first = slot == meeting.slots.0;
                let to_other = if is_first { offset } else { -offset };
                let start = surfaces.partition_point(|(other, _)| *other < slot);
                let mut own = surfaces[start..]
                    .iter()
                    .take_while(|(other, _)| *other == slot);
                let (_, direction) = own.find(|(_, direction)| {
                    direction.dot(meeting.normal) == 0.0 && direction.dot(to_other) > 0.0
                })?;
                Some(if is_first { *direction } else { -*direction })
            });
            if let Some(normal) = turned {
                meeting.normal = normal + Vec2::ZERO;
            }
        }
    }
}

/// Two sharp boxes that touch, but have next to nothing level on either axis.
fn is_corner(colliders: &Colliders, meeting: &Meeting) -> bool {
    if meeting.depth > CORNER {
        return false;
    }
    let outline = |slot: u32| colliders.placed[slot as usize].outline;
    let (a, b) = meeting.slots;
    let (Outline::Shape(a), Outline::Shape(b)) = (outline(a), outline(b)) else {
        return false;
    };
    let sum = a.sum(b);
    let level = sum.half_extents() - offset(colliders, meeting).abs();
    sum.radius() == 0.0 && level.abs().max_element() <= CORNER
}

/// From the first to the second.
fn offset(colliders: &Colliders, meeting: &Meeting) -> Vec2 {
    let center = |slot: u32| colliders.placed[slot as usize].center(&colliders.movers);
    center(meeting.slots.1) - center(meeting.slots.0)
}

/// Those of the two that are not of a static body.
fn moving_slots(colliders: &Colliders, meeting: &Meeting) -> impl Iterator<Item = u32> + use<> {
    let is_moving = |slot: u32| {
        let body = colliders.placed[slot as usize].body;
        colliders.movers[body as usize].rank != Rank::Static
    };
    let (a, b) = meeting.slots;
    [(a, is_moving(a)), (b, is_moving(b))]
        .into_iter()
        .filter_map(|(slot, is_moving)| is_moving.then_some(slot))
}
