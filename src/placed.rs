//! Bodies and colliders as flat data: where they are, which gives way, how two of them meet. No ECS.

mod order;
mod rounding;
mod body;
mod meeting;

pub(crate) use self::{
    body::{BodyState, Placed, Rank, SIDES, edges_at, extent_at, gap_to_wall_of_room, parts_of},
    meeting::{
        Closeness, Located, Meeting, Side, Sighting, SlotPair, in_order_of_places, meet, meet_at,
        pair_of, see, see_at,
    },
    order::{compare_outlines, compare_places, in_order},
    rounding::{
        CORNER, FLUSH, POSITION_ROUNDING, STANDING_DEPTH, beyond, is_by_a_corner, position_for,
        rounding, rounding_along, rounding_on_axes, side_met, within, within_reach,
    },
};
