//! What movers have gone into or over since the newest tick. They move at once, and are where they end by the time the next tick looks.

use std::sync::{Mutex, PoisonError};

use bevy::{
    ecs::{
        entity::{Entity, EntityHashMap, EntityMapper},
        prelude::{Resource, World},
    },
    math::Vec2,
    transform::components::Transform,
};

use super::{colliders::Colliders, contacts::Contacts, rules::may_collide, stage::Filters};
use crate::sweep::Hit;

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
    length: f32,
    passes: Vec<Pass>,
}

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
            (mapper.get_mapped(body), walked)
        });
        *gone = all.collect();
    }

    /// Takes note of the way of a body. What it passed before counts no more if it did not set out from where that had led: then somebody tried a copy of its `Transform`, or has put it elsewhere since.
    pub(crate) fn add(
        &self,
        body: Entity,
        [from, to]: [Vec2; 2],
        (passes, length): (Vec<Pass>, f32),
    ) {
        // Who panicked meanwhile left nothing half done.
        let mut walks = self.gone.lock().unwrap_or_else(PoisonError::into_inner);
        let last = walks.get_mut(&body).filter(|last| last.to == from);
        let Some(last) = last else {
            walks.insert(body, Walked { to, length, passes });
            return;
        };
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
        last.length += length;
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
