//! Pushes apart what overlaps. Pure: bodies and colliders in, new positions out.
//!
//! ```text
//! where many overlap, divide the world into districts that have nothing to do with each other, and solve them apart, by several threads        (districts, problems, joins)
//! take the pairs that detection found to overlap, and whoever touches them directly or through others; the rest of the world is not asked     (world)
//! collect the pairs near enough to matter                                                                                               (near, pairs)
//! many in one place make room around their middle, and on their side of walls                                                      (heaps, walls)
//! round:  re-test those of which somebody moved; stop when none overlaps                                                             (overlaps, rounds)
//!         for each island in which many press each other:                                                                                       (crowd)
//!             one after the other from the middle outwards takes the nearest place that is free                                          (turns, places, place)
//!             who is wedged goes another way, or around whatever bars it                                                                 (detour)
//!             who is squeezed into less than all the room that he can get to is known to have none
//!         for each other island, which is a pair that overlaps and whoever touches it directly or through others:                     (islands, island)
//!         of a large one that is afloat and in which few overlap, only those who touch these:
//!             find out who is held: leaning on something fixed, directly or through others                                                   (supports)
//!             a few times, until none overlaps; for each pair in touch, fixed things first, then outwards from them, the deepest first:         (queue)
//!                 re-test it: an earlier push may have freed it, or made it overlap
//!                 move who is free to move; two who are equally free share by mass; who is held goes along what holds it                   (parting)
//!                 whoever has been moved into a static leaves it at once, and is not moved through one, nor by others through a kinematic   (statics)
//! first, last and now and then:
//!         whatever is in a static leaves it, by the shortest way around several if need be                                            (statics, escape)
//! where rounds do not help any more: who is held through others gives way, and who is held himself goes along what holds him; if that does not help either, it ends there   (groups, progress, parting)
//! at the end, if pushing does not help:
//!         one of each pair goes to a free place near by                                                                                  (jams, escape)
//! ```
//!
//! **Members.** Slots lie in memory as their entities came, anywhere in space. Who takes part in a push-out is numbered anew, in the order in which one leads to
//! the next, and copied: so an island is a few neighbouring lines of memory, whatever the size of the world, and a lone overlap in it costs as much as in an empty one.
//!
//! **Districts.** Where many overlap, detection has told who is near whom, so it is known from the beginning who may come to whom: bodies of different districts do not, unless somebody goes far. Some districts at a time are a problem of their own,
//! solved from its first round to its last one by whichever thread has time. Who was led away may have met others after all: then it is those who are solved once more, together. The answer is that of all of them in one problem, to the bit.
//!
//! **Held bodies** make rows work. A crate that leans on a wall can't be pushed into it, so it takes part as if it were the wall; so does
//! the next crate that leans on this one. The overlap at the end of a row is thereby solved in one round, where sharing it pair by pair would
//! take rounds by the square of the row's length. What a static holds outranks what a kinematic holds, which outranks the free.
//!
//! **Crowds** that press each other have nothing to lean on, and sharing each push would take rounds by the square of their width: what one passes on comes back from the next. So where more than one other overlaps each, by and large,
//! they find new places one after the other, and nobody who has his is moved any more. What is too few for that, and not apart after a few rounds, is gone through from its middle outwards, or from the wall on whose side it is, and who is
//! nearer to that hardly moves.
//!
//! A crowd at rest is an island as well, of which a few overlap in each tick. It has nothing to lean on, so whoever is farther away than the next one has no part in a push: one round more, of those few, costs less than one of all.
//!
//! **Order.** Nothing here depends on the order of the arrays: overlaps are sorted by what they are (rank, depth, place), not by who they are. Walls line things up, so equal ones often come to lie
//! in one place on the way: then who came from farther left counts as the one on the left. Only where they have lain there from the start does the lower slot.
//!
//! **Exact rest.** A push along an axis against something that stays puts the body at the very coordinate where the two
//! touch, rather than adding a depth to where it was: pressed against a wall in every tick, it is at the same bits in every tick.

mod surroundings;
mod districts;
mod world;
mod moves;
mod pairs;
mod near;
mod overlaps;
mod walls;
mod heaps;
mod island;
mod supports;
mod queue;
mod place;
mod escape;
mod statics;
mod jams;
mod stuck;
mod progress;
mod met;
mod groups;
mod parting;
mod turns;
mod detour;
mod places;
mod crowd;
mod islands;
mod rounds;
mod joins;
mod problems;
#[cfg(test)]
mod tests;

pub(crate) use problems::{MANY, PushOut, Pushed};
pub(crate) use stuck::Stuck;
pub(crate) use surroundings::{StillColliders, Surroundings};
