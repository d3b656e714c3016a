//! Moves bodies along their velocities, and lets them slide, bounce or stop where they meet something on the way. Pure: bodies and colliders in; positions,
//! velocities and hits out.
//!
//! ```text
//! boxes around the ways of whatever moves: the broad phase finds the pairs                  (course)
//! of these, who meets: cast along the difference of both motions                            (impact)
//! plan for each body: the first hit that stops it, and all that it passes before            (predict)
//!     who begins in a seam of what gives no way is stopped by the surface that it makes     (seam)
//! where each presses more than one other, by and large: stop them all at once                   (press, crowd)
//! until nobody is stopped any more:
//!     take the earliest hit of all                                                          (queue)
//!     move both bodies to that moment, and change their velocities                          (happen, respond)
//!     and those of whoever is pushed along                                                  (rows, pushing)
//!     plan for both anew; who has left its box is looked for apart                          (course)
//! tell of all hits, and of all that was passed before somebody turned
//! ```
//!
//! What has come to rest on something that gives no way gives none either, in this tick and on that side: so a tower stops from the ground up, each crate by one hit, and a ball bounces off it as off
//! the floor. By shares of their masses alone it would take hits without end. For the same reason a row of crates that push each other is pushed as one (pushing).
//!
//! A crowd that presses itself would hit without end as well, for all touch already when they set out. So it is stopped as a whole: each shares what he has a few times, and then goes, from the front to the back, where it leads into nobody; who finds no such way, or would only be led around, stands, and all others mind him. So those who were near each other do not hit in this tick. Who hits another one of the crowd all the same, from farther away, goes on beside him.
//!
//! A heap of balls is stopped as a crowd, from the floor up: each of them is pressed by several, and hit by hit there would be no end. A few of them do hit each other. Who has hit too often stays where it is until the next tick, in everybody's way, and keeps no velocity that led it nowhere: so they come to rest as well.
//!
//! Who meets nothing costs its share of the broad phase, and what is only passed needs no order. What somebody was put into and leaves counts as passed at the start; only what is fresh is asked for that, for everybody else was told where he was when the last tick ended.
//!
//! Time within a tick runs from 0 to 1. Hits are taken in order of time, then by what they are and where, never by who they are.

mod impact;
mod seam;
mod respond;
mod after;
mod limit;
mod agent;
mod event;
mod queue;
mod pushing;
mod course;
mod crowd;
mod events;

pub(crate) use after::{keep_part, velocity_after};
pub(crate) use agent::{Ride, Traveller};
pub(crate) use course::{Scene, StillAhead};
pub(crate) use event::Hit;
pub(crate) use events::{Rules, Sweep};
pub(crate) use impact::{
    AT_ONCE, Impact, first_impact, impact, impact_on_shape, parts_of_motion, slack,
    touching_coordinate,
};
pub(crate) use seam::{Across, MOST_ACROSS, each_over_a_seam};
