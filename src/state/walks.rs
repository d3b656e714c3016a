//! What movers have gone into or over since the newest tick, and what they have pushed. They move at once, and are where they end by the time the next tick looks.

use std::sync::{Mutex, MutexGuard, PoisonError};

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
    verdicts::Filters,
};
use crate::{
    broad_phase::Extent,
    placed::{CORNER, compare_places, rounding},
    sweep::Hit,
};

/// The ways of all bodies that were moved since the newest tick, until the next one.
// Systems that move different bodies may run at the same time.
#[derive(Resource, Debug, Default)]
pub(crate) struct Walks {
    gone: Mutex<Gone>,
    /// What was met on the ways that the newest tick has taken, for who records it.
    #[cfg(feature = "recorder")]
    pub(crate) noted: Vec<Hit>,
    /// The same of a recorded tick, for the next one to take over.
    #[cfg(feature = "recorder")]
    pub(crate) played: Vec<Hit>,
}

/// All ways, by body.
#[derive(Clone, Debug, Default)]
struct Gone {
    ways: EntityHashMap<Walked>,
    /// Who of them has pushed somebody, each once. Mostly nobody.
    pushing: Vec<Entity>,
}

/// The way of a body, of one motion or of several that each began where the one before had ended.
#[derive(Clone, Debug)]
struct Walked {
    /// Its place at the end, below its parent. How far in front of others it is drawn may change.
    to: Vec2,
    /// The same in the world.
    position: Vec2,
    /// Around its colliders there.
    extent: Extent,
    length: f32,
    passes: Vec<Pass>,
    pushes: Vec<Push>,
}

/// What a motion has met, beside what has stopped it.
#[derive(Clone, Debug)]
pub(crate) struct Met {
    /// Where it ends, in the world.
    pub(crate) position: Vec2,
    /// Around its colliders there.
    pub(crate) extent: Extent,
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
    /// Whose body the other one was a part of.
    pub(crate) others_body: Entity,
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
        Self {
            gone: Mutex::new(self.lock().clone()),
            #[cfg(feature = "recorder")]
            noted: Vec::new(),
            #[cfg(feature = "recorder")]
            played: Vec::new(),
        }
    }
}

impl Walks {
    fn lock(&self) -> MutexGuard<'_, Gone> {
        // Who panicked meanwhile left nothing half done.
        self.gone.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get_mut(&mut self) -> &mut Gone {
        self.gone.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Who was one entity is another one now.
    pub(crate) fn map_entities(&mut self, mapper: &mut impl EntityMapper) {
        let Gone { ways, pushing } = self.get_mut();
        let all = std::mem::take(ways).into_iter();
        let all = all.map(|(body, mut walked)| {
            let passes = walked.passes.iter_mut();
            let pushes = walked.pushes.iter_mut();
            let met = passes.flat_map(|pass| {
                let others_body = std::iter::once(&mut pass.others_body);
                pass.colliders.iter_mut().chain(others_body)
            });
            for one in met.chain(pushes.map(|(pushed, _)| pushed)) {
                *one = mapper.get_mapped(*one);
            }
            (mapper.get_mapped(body), walked)
        });
        *ways = all.collect();
        for one in pushing {
            *one = mapper.get_mapped(*one);
        }
    }

    /// Takes note of the way of a body. What it met before counts no more if it did not set out from where that had led: then somebody tried a copy of its `Transform`, or has put it elsewhere since.
    pub(crate) fn add(&self, body: Entity, [from, to]: [Vec2; 2], met: Met) {
        let Met {
            position,
            extent,
            passes,
            length,
            pushes,
        } = met;
        let mut gone = self.lock();
        let Gone { ways, pushing } = &mut *gone;
        if !pushes.is_empty() && !pushing.contains(&body) {
            pushing.push(body);
        }
        let last = ways.get_mut(&body).filter(|last| last.to == from);
        let Some(last) = last else {
            let walked = Walked {
                to,
                position,
                extent,
                length,
                passes,
                pushes,
            };
            ways.insert(body, walked);
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
        last.extent = extent;
        last.length += length;
    }

    /// What has been pushed since the newest tick, as far as it counts for a body that sets out from somewhere in the world: all that others have pushed, and what it has itself, if that is where its way led.
    pub(crate) fn pushed_before(&self, body: Entity, from: Vec2) -> Vec<Push> {
        let gone = self.lock();
        let pushing = gone.pushing.iter().filter_map(|one| {
            let walked = gone.ways.get(one)?;
            // Below a parent it is rounded on its way to there and back.
            let nothing = CORNER.max(rounding(walked.position, from));
            let counts = *one != body || walked.position.distance(from) <= nothing;
            counts.then_some(&walked.pushes)
        });
        summed(pushing.flatten().copied().collect())
    }

    /// Who has gone somewhere into a box since the newest tick, and where he is now: but for one who is there, and those who have come upon him, for they push him.
    pub(crate) fn walked_into(
        &self,
        extent: &Extent,
        (who, here): (Entity, &Extent),
    ) -> Vec<(Entity, Vec2)> {
        let gone = self.lock();
        let ways = gone.ways.iter();
        let here = here.grown(-CORNER);
        let inside = ways.filter(|(body, way)| {
            **body != who && way.extent.meets(extent) && !way.extent.meets(&here)
        });
        inside.map(|(body, way)| (*body, way.position)).collect()
    }

    /// Hands out all that was pushed by whoever is now where his way led, each once.
    pub(crate) fn take_pushes(
        &mut self,
        mut place: impl FnMut(Entity) -> Option<Vec2>,
    ) -> Vec<Push> {
        let Gone { ways, pushing } = self.get_mut();
        let mut all = Vec::new();
        for one in pushing.drain(..) {
            if let Some(walked) = ways.get_mut(&one) {
                let pushes = std::mem::take(&mut walked.pushes);
                if place(one) == Some(walked.to) {
                    all.extend(pushes);
                }
            }
        }
        summed(all)
    }

    /// A body that was moved itself, below its parent, is where its way led all the same.
    pub(crate) fn shift(&mut self, body: Entity, [from, to]: [Vec2; 2]) {
        let ways = &mut self.get_mut().ways;
        if let Some(walked) = ways.get_mut(&body).filter(|walked| walked.to == from) {
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
        let Gone { ways, pushing } = self.get_mut();
        pushing.clear();
        let filters = Filters::new(world);
        for (body, walked) in ways.drain() {
            let transform = world.get::<Transform>(body);
            if transform.is_none_or(|transform| transform.translation.truncate() != walked.to) {
                continue;
            }
            for pass in &walked.passes {
                let [own, other] = pass.colliders.map(|entity| colliders.slot(entity));
                let Some(own) = own.filter(|&own| colliders.body_entities[own] == body) else {
                    continue;
                };
                let mut tell = |other: usize, (place, normal): (Vec2, Vec2)| {
                    if may_collide(colliders, own, other) && filters.allow(colliders, own, other) {
                        let sides = [own, other].map(|slot| slot as u32);
                        let places = [pass.places[0], place];
                        found.push(Hit::of(sides, places, normal, pass.at / walked.length));
                    }
                };
                // Who parts from something was told of that, as a rule.
                match other {
                    Some(other) if pass.parts && contacts.between(own, other).is_some() => {}
                    Some(other) => tell(other, (pass.places[1], pass.normal)),
                    None if pass.parts => {}
                    None => each_in_its_place(colliders, (own, pass), |part, place| {
                        // What it was in before it has not come to.
                        if contacts.between(own, part).is_none() {
                            tell(part, place);
                        }
                    }),
                }
            }
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

/// Calls `found` with the parts of a body where one of them was passed that has gone since, as tiles do when their grid changes: with all that the other one touches where it met that, where they are, and their normals to it.
fn each_in_its_place(
    colliders: &Colliders,
    (own, pass): (usize, &Pass),
    mut found: impl FnMut(usize, (Vec2, Vec2)),
) {
    let Some(body) = colliders.body_slot_of(pass.others_body) else {
        return;
    };
    let Colliders {
        placed,
        movers,
        passable,
        children,
        ..
    } = colliders;
    let here = pass.places[0];
    let children = children.members().iter().map(|&child| child as usize);
    for part in children.filter(|&part| placed[part].body as usize == body) {
        if !(passable.contains(own) || passable.contains(part)) {
            continue;
        }
        let place = placed[part].center(movers);
        let nothing = CORNER.max(rounding(here, place));
        let (outline, target) = (placed[own].outline, placed[part].outline);
        if let Some(contact) = outline.contact_within(target, place - here, nothing) {
            found(part, (place, -contact.normal));
        }
    }
}

/// What each was pushed, all in all: whoever has pushed it, and in whatever order, to the same bits.
fn summed(mut pushes: Vec<Push>) -> Vec<Push> {
    pushes.sort_unstable_by(|(one, way), (other, others_way)| {
        let by_entity = entity_key(*one).cmp(&entity_key(*other));
        by_entity.then_with(|| compare_places(*way, *others_way))
    });
    let same = pushes.chunk_by(|one, other| one.0 == other.0);
    let summed = same.map(|pushes| {
        let ways = pushes.iter().map(|(_, way)| *way);
        (pushes[0].0, ways.sum())
    });
    summed.collect()
}
