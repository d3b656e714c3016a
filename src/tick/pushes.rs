//! What movers have pushed since the last tick: it goes where they have pushed it before anybody is gathered, so that this tick finds both side by side.

use bevy::ecs::prelude::ResMut;

use crate::state::{pose::Places, walks::Walks};

/// Moves what was pushed.
pub(crate) fn follow_pushes(mut walks: ResMut<Walks>, mut places: Places) {
    if !walks.have_pushed() {
        return;
    }
    let mut pushes = Vec::new();
    walks.take_pushes(|body| places.local_place(body), |push| pushes.push(push));
    for (body, way) in pushes {
        let from = places.local_place(body);
        places.move_by(body, way);
        // It may be a mover as well.
        if let (Some(from), Some(to)) = (from, places.local_place(body)) {
            walks.shift(body, [from, to]);
        }
    }
}
