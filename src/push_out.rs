//! Pushes overlapping colliders apart. Pure: takes bodies and colliders, returns new positions.
//!
//! ```text
//! where many pairs overlap, divide the world into independent districts and solve these separately, on several threads                          (districts, problems, joins)
//! take the pairs that detection found to overlap, and everything that touches these, directly or through others; ignore the rest of the world     (world)
//! collect the pairs near enough to matter                                                                                                        (near, pairs)
//! bodies that are crowded into one place spread around its middle, and stay on their side of walls                                               (heaps, walls)
//! round:  re-test the pairs of which a collider moved; stop when no pair overlaps                                                                (overlaps, solver)
//!         for each island in which many bodies press each other:                                                                                 (crowd)
//!             one body after the other, from the middle outwards, takes the nearest free place                                                   (turns, places, place)
//!             a wedged body goes another way, or around what bars it                                                                             (detour)
//!             a crowd that needs more room than it can reach is recognized, and gets no new places
//!         for each other island, which is an overlapping pair and everything that touches it, directly or through others:                        (islands, island)
//!         of a large island that is afloat and in which few pairs overlap, only the bodies that touch an overlapping one take part:
//!             find out which bodies are held: leaning on something firm (static or kinematic), directly or through others                        (supports)
//!             a few times, until no pair overlaps; for each touching pair, firm things first, then outwards from them, the deepest first:        (queue)
//!                 re-test the pair: an earlier push may have freed it, or made it overlap
//!                 move the body that is free to move; two equally free bodies share the push by mass; a held body slides along what holds it     (parting)
//!                 a body that has been moved into a static leaves it at once; no body is moved through a static, nor by others through a kinematic   (statics, barriers)
//! at the start, at the end, and every few rounds:
//!         every body in a static leaves it, by the shortest way around several statics if need be                                                (statics, seams, escape, bars)
//! where rounds stop helping: bodies held through others give way, and bodies held directly slide along what holds them; if that does not help either, the group gives up   (groups, progress, parting)
//! at the end, for pairs that pushing could not free:
//!         one body of each pair goes to a free place nearby                                                                                      (jams, escape)
//! ```
//!
//! **Members.** The slot of a collider says nothing of where it is in space. Colliders that take part in a push-out become members: they are numbered anew, in the order in which one leads to
//! the next, and copied. So an island is a few neighboring cache lines, whatever the size of the world, and a lone overlap in a large world costs as much as in an empty one.
//!
//! **Districts.** Where many pairs overlap, detection has reported which bodies are near each other, so it is known from the start which bodies can meet: bodies of different districts cannot, unless one of them goes far. A batch of districts is a problem of its own,
//! solved from its first round to its last by any free thread. A body that was pushed far may have met bodies of another district after all: then these districts are solved once more, together. The result is the same, to the bit, as if all of them were one problem.
//!
//! **Held bodies** make rows work. A crate that leans on a wall can't be pushed into it, so the crate acts as if it were the wall; so does
//! the next crate that leans on this one. The overlap at the end of a row is thereby solved in one round, where sharing each push between the two of a pair would
//! take rounds by the square of the row's length. What a static holds outranks what a kinematic holds, and that outranks free bodies.
//!
//! **Crowds** that press each other have nothing to lean on, and sharing each push would take rounds by the square of their width: what one body passes on comes back from the next. So where each body overlaps more than one other on average,
//! the bodies find new places one after the other, and a body that has its place is not moved any more. A group too small for that, and not apart after a few rounds, is processed from its middle outwards, or from the wall beside it, and of two bodies
//! the one nearer to that middle or wall hardly moves.
//!
//! A crowd at rest is an island too, of which a few pairs overlap in each tick. It has nothing to lean on, so only the bodies that touch an overlapping one take part in a push: one more round with these few costs less than a round with all of them.
//!
//! **Order.** Nothing here depends on the order of the arrays: overlaps are sorted by properties (rank, depth, place), not by slot. Walls line things up, so equal bodies often come to lie
//! in one place on the way: then the body that came from farther left counts as the left one. The lower slot decides only for bodies that lay in one place from the start.
//!
//! **Exact rest.** A push along an axis against something that does not move puts the body at the exact coordinate where the two
//! touch, rather than adding a depth to its position: a body that is pressed against a wall in every tick has the same bits in every tick.

mod surroundings;
mod districts;
mod world;
mod moves;
mod pairs;
mod met;
mod near;
mod overlaps;
mod walls;
mod barriers;
mod heaps;
mod island;
mod supports;
mod queue;
mod place;
mod bars;
mod escape;
mod seams;
mod statics;
mod stuck;
mod progress;
mod groups;
mod jams;
mod parting;
mod round;
mod turns;
mod detour;
mod places;
mod crowd;
mod islands;
mod solver;
mod joins;
mod problems;
#[cfg(test)]
mod tests;

pub(crate) use problems::{PAIRS_TO_DIVIDE, PushOut, Pushed};
pub(crate) use stuck::Stuck;
pub(crate) use surroundings::Surroundings;
