//! Rooms that travel.

use super::{
    super::{course::Scene, hit::PredictedHit, impact::beyond_room, rules::Rules},
    Sweep,
};

impl Sweep {
    /// Does the same as `look_from_room` for all rooms of a body.
    pub(super) fn look_from_rooms(&mut self, scene: &Scene, rules: &Rules, body: u32, from: f32) {
        for &room in scene.rooms {
            if scene.placed[room as usize].body == body {
                self.look_from_room(scene, rules, room, from);
            }
        }
    }

    /// Notes the colliders outside of a room that travels from this time on, if they have not been reported: they may be inside when the tick ends, and need not travel themselves. All others are met where they end, or look out for the room.
    pub(super) fn look_from_room(&mut self, scene: &Scene, rules: &Rules, room: u32, from: f32) {
        let target = &scene.placed[room as usize];
        if self.agent(target.body).is_none() {
            return;
        }
        let (there, velocity) = self.course_of(scene, room, from);
        for &own in scene.moving.iter().chain(scene.still.all()) {
            let pair = (own as usize, room as usize);
            if !(rules.is_untold)(pair.0, pair.1) {
                continue;
            }
            let placed = &scene.placed[own as usize];
            let (here, others) = self.course_of(scene, own, from);
            let beyond = beyond_room(placed, target, [here, there], others - velocity);
            // Filters are asked only about colliders that are beyond it.
            let beyond = beyond.filter(|_| (rules.may_collide)(pair.0, pair.1));
            let agents = [target, placed].map(|placed| self.agent_of[placed.body as usize]);
            self.passing.extend(beyond.map(|impact| PredictedHit {
                time: from,
                rank: scene.body_states[placed.body as usize].rank,
                closing: impact.closing,
                places: [there, here],
                outlines: 0,
                own: room,
                other: own,
                normal: -impact.normal,
                agents,
                versions: agents.map(|agent| self.version(agent)),
            }));
        }
    }
}
