//! Moves bodies along their velocities, and lets them slide, bounce or stop where they meet something on the way. Pure: bodies and colliders in; positions,
//! velocities and hits out.
//!
//! ```text
//! boxes around the ways of all that moves: the broad phase finds the pairs                  (course)
//! which of these pairs meet: cast along the difference of both motions                      (impact)
//! plan for each body: the first hit that stops it, and all that it passes before            (predict)
//!     a kinematic body, which nothing stops, plans all its hits at once, but for bodies that travel and can be moved: these plan them
//!     a body that begins in a seam of firm colliders is stopped by their common surface     (seam)
//! where each body presses more than one other, by and large: stop them all at once          (press, crowd)
//! until nothing is stopped any more:
//!     take the earliest hit of all                                                          (queue)
//!     move both bodies to that moment, and change their velocities                          (happen, respond)
//!     and those of the bodies that are pushed along                                         (rows, pushing)
//!     plan for both anew; bodies that have left their boxes are searched for apart          (course)
//! report all hits, and all that was passed on a course before that was changed
//! ```
//!
//! A body that has come to rest on something that gives no way gives no way either, in this tick and on that side: so a tower stops from the ground up, each crate by one hit, and a ball bounces off a resting crate as off
//! the floor. Sharing by masses alone would take endless hits. For the same reason a row of crates that push each other is pushed as one (pushing).
//!
//! A crowd that presses itself would hit without end as well, since its bodies touch already when they set out. So it is stopped as a whole: the bodies share their velocities a few times; then each, from the front to the back, takes a velocity that leads into no other body. A body that finds none, or would only be led around, stands, and all others mind it. So bodies that were near each other do not hit in this tick. A body that hits another one of its crowd all the same, from farther away, goes on beside it.
//!
//! A heap of balls is stopped as a crowd, from the floor up: each ball is pressed by several, and hit by hit there would be no end. A few balls do hit each other. A body that has hit too often stays where it is until the next tick, in the way of all others, and keeps no velocity that led it nowhere: so these balls come to rest as well.
//!
//! A body that meets nothing costs its share of the broad phase, and what is only passed needs no order. A collider that begins inside of another one and leaves it counts as passing it at the start. Only fresh colliders are tested for that: what all others were in was reported when the last tick ended.
//!
//! Time within a tick runs from 0 to 1. So a velocity, in world units a tick, is also how far a body goes that nothing turns; a motion is the part of that which lies ahead, alone or relative to another collider. Hits are taken in order of time, then by their properties and places, never by entity or slot unless all else is equal.

mod respond;
mod impact;
mod seam;
mod after;
mod limit;
mod agent;
mod hit;
mod queue;
mod pushing;
mod course;
mod crowd;
mod rules;
mod hits;

pub(crate) use after::{keep_part, velocity_after};
pub(crate) use agent::{Ride, Traveller};
pub(crate) use course::{Scene, StillAhead};
pub(crate) use hit::Hit;
pub(crate) use hits::Sweep;
pub(crate) use impact::{
    AT_ONCE, SweepImpact, axes_to_cast, first_impact, impact, impact_on_shape, slack,
    touching_position,
};
pub(crate) use rules::Rules;
pub(crate) use seam::{Across, MOST_ACROSS, each_over_a_seam, is_by_corner};
