//! What movers have pushed since the last tick: it goes where they have pushed it before anybody is gathered, so that this tick finds both side by side.

use bevy::ecs::prelude::{Query, Res, ResMut};

use crate::{
    allow_disabled::AllowDisabled,
    components::Swept,
    placed::{CORNER, rounding},
    state::{colliders::Colliders, pose::Places, walks::Walks},
};

/// Moves what was pushed. What is not where the last tick has left it was not pushed from there, but has moved by itself since, as a mover may, or was put elsewhere, as in somebody's hand: that stays where it is.
pub(crate) fn follow_pushes(
    mut walks: ResMut<Walks>,
    colliders: Res<Colliders>,
    mut places: Places,
    mut swept: Query<&mut Swept, AllowDisabled>,
) {
    let pushes = walks.take_pushes(|body| places.local_place(body));
    for (body, way) in pushes {
        let known = colliders.body_slot_of(body);
        let known = known.map(|slot| colliders.movers[slot].position);
        let has_stayed = known
            .zip(places.place(body))
            .is_some_and(|(then, now)| then.distance(now) <= CORNER.max(rounding(then, now)));
        if !has_stayed {
            continue;
        }
        let from = places.local_place(body);
        places.move_by(body, way);
        // Nothing was in its way: the walk has looked. From where it was it would meet who has pushed it.
        if let (Ok(mut swept), Some(now)) = (swept.get_mut(body), places.place(body))
            && swept.last().is_some()
        {
            swept.leave_at(now);
        }
        // It may be a mover as well, that has come back to where it was.
        if let (Some(from), Some(to)) = (from, places.local_place(body)) {
            walks.shift(body, [from, to]);
        }
    }
}
