//! What movers have gone into or over since the newest tick, and what they have pushed. They move at once, and are where they end by the time the next tick looks.

use std::sync::{Mutex, PoisonError};

use bevy::{
    ecs::{
        entity::{Entity, EntityHashMap, EntityMapper},
        prelude::{Resource, World},
    },
    math::Vec2,
    transform::components::Transform,
};

use super::{
    colliders::{Colliders, entity_key},
    contacts::Contacts,
    rules::may_collide,
    stage::Filters,
};
use crate::{
    placed::{CORNER, rounding},
    sweep::Hit,
};

/// The ways of all bodies that were moved since the newest tick, until the next one.
// Systems that move different bodies may run at the same time.
#[derive(Resource, Debug, Default)]
pub(crate) struct Walks {
    gone: Mutex<EntityHashMap<Walked>>,
    /// What was met on the ways that the newest tick has taken, for who records it.
    #[cfg(feature = "recorder")]
    pub(crate) noted: Vec<Hit>,
    /// The same of a recorded tick, for the next one to take over.
    #[cfg(feature = "recorder")]
    pub(crate) played: Vec<Hit>,
}

/// The way of a body, of one motion or of several that each began where the one before had ended.
#[derive(Clone, Debug)]
struct Walked {
    /// Its place at the end, below its parent. How far in front of others it is drawn may change.
    to: Vec2,
    /// The same in the world.
    position: Vec2,
    length: f32,
    passes: Vec<Pass>,
    pushes: Vec<Push>,
}

/// What a motion has met, beside what has stopped it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Met {
    /// Where it ends, in the world.
    pub(crate) position: Vec2,
    /// Of each pair of colliders first as they first met.
    pub(crate) passes: Vec<Pass>,
    /// How long the way was; 0 where nobody asks what was passed.
    pub(crate) length: f32,
    pub(crate) pushes: Vec<Push>,
}

/// A body that was pushed, and how far, in the world.
pub(crate) type Push = (Entity, Vec2);

/// Two colliders that met, and did not stop each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    /// That of the body, and the other one.
    pub(crate) colliders: [Entity; 2],
    /// Where they were then.
    pub(crate) places: [Vec2; 2],
    /// From the other one to that of the body.
    pub(crate) normal: Vec2,
    /// How much of the way the body had gone.
    pub(crate) at: f32,
    /// It began in it, and only left it.
    pub(crate) parts: bool,
}

impl Clone for Walks {
    /// Without what the newest tick has noted, and what a recorded one had.
    fn clone(&self) -> Self {
        let gone = self.gone.lock().unwrap_or_else(PoisonError::into_inner);
        Self {
            gone: Mutex::new(gone.clone()),
            #[cfg(feature = "recorder")]
            noted: Vec::new(),
            #[cfg(feature = "recorder")]
            played: Vec::new(),
        }
    }
}

impl Walks {
    /// Who was one entity is another one now.
    pub(crate) fn map_entities(&mut self, mapper: &mut impl EntityMapper) {
        let gone = self.gone.get_mut().unwrap_or_else(PoisonError::into_inner);
        let all = std::mem::take(gone).into_iter();
        let all = all.map(|(body, mut walked)| {
            for one in walked
                .passes
                .iter_mut()
                .flat_map(|pass| &mut pass.colliders)
            {
                *one = mapper.get_mapped(*one);
            }
            for (pushed, _) in &mut walked.pushes {
                *pushed = mapper.get_mapped(*pushed);
            }
            (mapper.get_mapped(body), walked)
        });
        *gone = all.collect();
    }

    /// Takes note of the way of a body. What it met before counts no more if it did not set out from where that had led: then somebody tried a copy of its `Transform`, or has put it elsewhere since.
    pub(crate) fn add(&self, body: Entity, [from, to]: [Vec2; 2], met: Met) {
        let Met {
            position,
            passes,
            length,
            pushes,
        } = met;
        // Who panicked meanwhile left nothing half done.
        let mut walks = self.gone.lock().unwrap_or_else(PoisonError::into_inner);
        let last = walks.get_mut(&body).filter(|last| last.to == from);
        let Some(last) = last else {
            let walked = Walked {
                to,
                position,
                length,
                passes,
                pushes,
            };
            walks.insert(body, walked);
            return;
        };
        for (pushed, way) in pushes {
            match last.pushes.iter_mut().find(|known| known.0 == pushed) {
                Some(known) => known.1 += way,
                None => last.pushes.push((pushed, way)),
            }
        }
        for pass in passes {
            let at = last.length + pass.at;
            let pass = Pass { at, ..pass };
            // A game that is paused may move it any number of times before the next tick.
            let mut passes = last.passes.iter_mut();
            match passes.find(|known| known.colliders == pass.colliders) {
                None => last.passes.push(pass),
                // Who has left something, and comes back, meets it anew.
                Some(known) if known.parts && !pass.parts => *known = pass,
                Some(_) => {}
            }
        }
        last.to = to;
        last.position = position;
        last.length += length;
    }

    /// What has been pushed since the newest tick, as far as it counts for a body that sets out from somewhere in the world: all that others have pushed, and what it has itself, if that is where its way led.
    pub(crate) fn pushed_before(&self, body: Entity, from: Vec2) -> Vec<Push> {
        let walks = self.gone.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = walks.iter().filter(|(one, walked)| {
            // Below a parent it is rounded on its way to there and back.
            let nothing = CORNER.max(rounding(walked.position, from));
            **one != body || walked.position.distance(from) <= nothing
        });
        let pushes = counts.flat_map(|(_, walked)| walked.pushes.iter().copied());
        pushes.collect()
    }

    /// Whether there is anything to be handed out.
    pub(crate) fn have_pushed(&mut self) -> bool {
        let walks = self.gone.get_mut().unwrap_or_else(PoisonError::into_inner);
        walks.values().any(|walked| !walked.pushes.is_empty())
    }

    /// Hands out all that was pushed by whoever is now where his way led, one mover after the other in the order of their entities.
    pub(crate) fn take_pushes(
        &mut self,
        mut place: impl FnMut(Entity) -> Option<Vec2>,
        mut push: impl FnMut(Push),
    ) {
        let walks = self.gone.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut pushing: Vec<_> = walks
            .iter_mut()
            .filter(|(_, walked)| !walked.pushes.is_empty())
            .collect();
        pushing.sort_unstable_by_key(|(body, _)| entity_key(**body));
        for (body, walked) in pushing {
            let pushes = std::mem::take(&mut walked.pushes);
            if place(*body) == Some(walked.to) {
                pushes.into_iter().for_each(&mut push);
            }
        }
    }

    /// A body that was moved itself, by so much below its parent, is where its way led all the same.
    pub(crate) fn shift(&mut self, body: Entity, [from, to]: [Vec2; 2]) {
        let walks = self.gone.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(walked) = walks.get_mut(&body).filter(|walked| walked.to == from) {
            walked.to = to;
        }
    }

    /// Forgets all ways, and lists what was met on them by whoever is now where his led, and may collide, in no order.
    pub(crate) fn take(
        &mut self,
        world: &World,
        (colliders, contacts): (&Colliders, &Contacts),
        found: &mut Vec<Hit>,
    ) {
        let walks = self.gone.get_mut().unwrap_or_else(PoisonError::into_inner);
        let filters = Filters::new(world);
        for (body, walked) in walks.drain() {
            let transform = world.get::<Transform>(body);
            if transform.is_none_or(|transform| transform.translation.truncate() != walked.to) {
                continue;
            }
            let hits = walked.passes.iter().filter_map(|pass| {
                let [Some(own), Some(other)] = pass.colliders.map(|entity| colliders.slot(entity))
                else {
                    return None;
                };
                let is_of_body = colliders.body_entities[own] == body;
                // Who parts from something was told of that, as a rule.
                let is_told = is_of_body
                    && may_collide(colliders, own, other)
                    && (!pass.parts || contacts.between(own, other).is_none())
                    && filters.allow(colliders, own, other);
                is_told.then(|| {
                    let sides = [own, other].map(|slot| slot as u32);
                    Hit::of(sides, pass.places, pass.normal, pass.at / walked.length)
                })
            });
            found.extend(hits);
        }
        #[cfg(feature = "recorder")]
        {
            let takes_part = |slot: u32| colliders.takes_part(slot as usize);
            let played = self.played.drain(..);
            found.extend(played.filter(|hit| takes_part(hit.slots.0) && takes_part(hit.slots.1)));
            self.noted.clone_from(found);
        }
    }
}
