//! Bodies that a `Mover` has pushed since the last tick: each goes to where it was pushed before colliders are gathered, so that this tick finds both side by side.

use bevy::ecs::prelude::{Query, Res, ResMut};

use crate::{
    allow_disabled::AllowDisabled,
    components::Swept,
    placed::{CORNER, rounding},
    state::{
        colliders::Colliders,
        places::{Places, way_within},
        walks::Walks,
    },
};

/// Moves the bodies that were pushed. A body that is not where the last tick left it was not pushed from there: a `Mover` has moved it since, or the game has put it elsewhere. It stays where it is.
///
/// For a body below a parent, its position and the push are taken in the space that the parent had in the last tick, as the `Mover` took them: a crate on a raft has stayed where it was, though the raft has moved.
pub(crate) fn follow_pushes(
    mut walks: ResMut<Walks>,
    colliders: Res<Colliders>,
    mut places: Places,
    mut swept: Query<&mut Swept, AllowDisabled>,
) {
    let pushes = walks.take_pushes(|body| places.local_place(body));
    for (body, way) in pushes {
        let known = colliders.body_slot_of(body);
        let known = known.map(|slot| colliders.body_states[slot].position);
        let [then, now] = places.spaces_of(body, |parent| colliders.spaces.of(parent));
        let has_stayed =
            known
                .zip(places.place_within(body, then))
                .is_some_and(|(known, place)| {
                    known.distance(place) <= CORNER.max(rounding(known, place))
                });
        let Some(way) = way_within(then, way).filter(|_| has_stayed) else {
            continue;
        };
        let from = places.local_place(body);
        places.move_by(body, now.transform_vector3(way).truncate());
        // Nothing was in its way: the `Mover` has checked that. A sweep from the old position would meet the body that pushed it.
        if let (Ok(mut swept), Some(now)) = (swept.get_mut(body), places.place(body))
            && swept.last().is_some()
        {
            swept.leave_at(now);
        }
        // A `Mover` may have moved the pushed body as well, and back to where it was.
        if let (Some(from), Some(to)) = (from, places.local_place(body)) {
            walks.shift(body, [from, to]);
        }
    }
}
