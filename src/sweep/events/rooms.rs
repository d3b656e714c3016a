//! Rooms that travel.

use super::{
    super::{agent::NONE, course::Scene, event::Event, impact::beyond_room},
    Rules, Sweep,
};

impl Sweep {
    /// Notes who does not travel himself and begins outside of a room that does, if nobody has been told of that. All others are met where they end, or look out for the room.
    pub(super) fn look_from_rooms(&mut self, scene: &Scene, rules: &Rules) {
        for &room in scene.rooms {
            let target = &scene.placed[room as usize];
            let Some(agent) = self.agent(target.body) else {
                continue;
            };
            let (number, motion) = (self.agent_of[target.body as usize], agent.velocity());
            let there = target.center(scene.movers);
            for &own in scene.moving.iter().chain(scene.still.all()) {
                let placed = &scene.placed[own as usize];
                let pair = (own as usize, room as usize);
                if self.agent(placed.body).is_some()
                    || !(rules.is_untold)(pair.0, pair.1)
                    || !(rules.may_collide)(pair.0, pair.1)
                {
                    continue;
                }
                let here = placed.center(scene.movers);
                let beyond = beyond_room(placed, target, there - here, -motion);
                self.passing.extend(beyond.map(|impact| Event {
                    time: impact.fraction,
                    rank: scene.movers[placed.body as usize].rank,
                    closing: impact.closing,
                    places: [there, here],
                    own: room,
                    other: own,
                    normal: -impact.normal,
                    agents: [number, NONE],
                    versions: [0; 2],
                }));
            }
        }
    }
}
