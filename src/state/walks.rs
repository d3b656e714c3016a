//! What movers have passed and pushed since the newest tick. A mover moves its body at once, so the next tick sees only where the body ends up.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bevy::{
    ecs::{
        entity::{Entity, EntityHashMap, EntityMapper},
        prelude::{Resource, World},
    },
    math::Vec2,
    platform::collections::HashMap,
    transform::components::Transform,
};

use super::{
    candidates::Still,
    colliders::{Colliders, entity_key},
    contacts::Contacts,
    rules::may_collide,
    verdicts::Filters,
};
use crate::{
    broad_phase::Extent,
    placed::{CORNER, Rank, compare_places, rounding},
    sweep::Hit,
};

/// The walks of all bodies that movers have moved since the newest tick, until the next one.
// In a mutex, because systems that move different bodies may run at the same time.
#[derive(Resource, Debug, Default)]
pub(crate) struct Walks {
    by_body: Mutex<WalksByBody>,
    /// What was met on the walks that the newest tick has taken, for the recorder.
    #[cfg(feature = "recorder")]
    pub(crate) noted: Vec<Hit>,
    /// The same of a recorded tick, for the next tick to take over.
    #[cfg(feature = "recorder")]
    pub(crate) played: Vec<Hit>,
}

/// All walks, by body.
#[derive(Clone, Debug, Default)]
struct WalksByBody {
    ways: EntityHashMap<Walked>,
    /// The bodies that have pushed others, each once. Mostly empty.
    pushing: Vec<Entity>,
}

/// The walk of a body, by one motion or by several that each began where the last one ended.
#[derive(Clone, Debug)]
struct Walked {
    /// Position at the end, relative to the parent. Only x and y: the game may change the draw order.
    to: Vec2,
    /// What was met on the whole walk.
    met: Met,
}

/// What one motion, or several in a row, have met besides what has stopped them.
#[derive(Clone, Debug)]
pub(crate) struct Met {
    /// Where it ends, in world space.
    pub(crate) position: Vec2,
    /// The box around the colliders of the body there.
    pub(crate) extent: Extent,
    /// The box around them there and where the newest tick left them.
    pub(crate) since_tick: Extent,
    /// The colliders that were passed. A pair may be listed several times, its first meeting first.
    pub(crate) passes: Vec<Pass>,
    /// The length of the way; 0 if no passes are looked for.
    pub(crate) length: f32,
    pub(crate) pushes: Vec<Push>,
}

/// A body that was pushed, and how far, in world space.
pub(crate) type Push = (Entity, Vec2);

/// Two colliders that met and did not stop each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    /// The collider of the moving body, then the other one.
    pub(crate) colliders: [Entity; 2],
    /// The body that the other collider was a part of.
    pub(crate) others_body: Entity,
    /// The centers of both at that moment.
    pub(crate) places: [Vec2; 2],
    /// Points from the other collider to that of the moving body.
    pub(crate) normal: Vec2,
    /// How far the body had gone by then.
    pub(crate) at: f32,
    /// The body began inside of the other collider, and only left it.
    pub(crate) parts: bool,
}

impl Met {
    /// Adds a motion that began where this one ends.
    fn add(&mut self, motion: Self) {
        let Self {
            position,
            extent,
            since_tick,
            passes,
            length,
            pushes,
        } = motion;
        for (pushed, way) in pushes {
            match self.pushes.iter_mut().find(|known| known.0 == pushed) {
                Some(known) => known.1 += way,
                None => self.pushes.push((pushed, way)),
            }
        }
        // A paused game may move the body any number of times before the next tick, with a sensor that meets thousands.
        let mut first: HashMap<[Entity; 2], usize> = HashMap::default();
        for (number, known) in self.passes.iter().enumerate() {
            first.entry(known.colliders).or_insert(number);
        }
        for pass in passes {
            let at = self.length + pass.at;
            let pass = Pass { at, ..pass };
            let number = *first.entry(pass.colliders).or_insert(self.passes.len());
            match self.passes.get_mut(number) {
                None => self.passes.push(pass),
                // A body that has left something and comes back meets it anew.
                Some(known) if known.parts && !pass.parts => *known = pass,
                Some(_) => {}
            }
        }
        self.position = position;
        self.extent = extent;
        self.since_tick = since_tick;
        self.length += length;
    }
}

impl Clone for Walks {
    /// Without what the newest tick has noted, and without what a recorded one had.
    fn clone(&self) -> Self {
        Self {
            by_body: Mutex::new(self.lock().clone()),
            #[cfg(feature = "recorder")]
            noted: Vec::new(),
            #[cfg(feature = "recorder")]
            played: Vec::new(),
        }
    }
}

impl Walks {
    fn lock(&self) -> MutexGuard<'_, WalksByBody> {
        // A panic while the lock was held left nothing half done.
        self.by_body.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get_mut(&mut self) -> &mut WalksByBody {
        self.by_body
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces each known entity by the one that `mapper` has for it.
    pub(crate) fn map_entities(&mut self, mapper: &mut impl EntityMapper) {
        let WalksByBody { ways, pushing } = self.get_mut();
        let all = std::mem::take(ways).into_iter();
        let all = all.map(|(body, mut walked)| {
            let passes = walked.met.passes.iter_mut();
            let pushes = walked.met.pushes.iter_mut();
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

    /// Adds a motion of a body. If it does not start where the last one ended, what the body met before counts no more: then the last motion was a trial on a copy of the `Transform`, or the game has moved the body since.
    pub(crate) fn add(&self, body: Entity, [from, to]: [Vec2; 2], met: Met) {
        let mut walks = self.lock();
        let WalksByBody { ways, pushing } = &mut *walks;
        if !met.pushes.is_empty() && !pushing.contains(&body) {
            pushing.push(body);
        }
        let last = ways.get_mut(&body).filter(|last| last.to == from);
        let Some(last) = last else {
            ways.insert(body, Walked { to, met });
            return;
        };
        last.to = to;
        last.met.add(met);
    }

    /// Returns what was pushed since the newest tick, as far as it counts for a body that starts at `from` in world space: all pushes by others, and its own if its walk ended there.
    pub(crate) fn pushed_before(&self, body: Entity, from: Vec2) -> Vec<Push> {
        let walks = self.lock();
        let pushing = walks.pushing.iter().filter_map(|one| {
            let walked = walks.ways.get(one)?;
            // Below a parent, the position is rounded on conversion to the parent's space and back.
            let slack = CORNER.max(rounding(walked.met.position, from));
            let counts = *one != body || walked.met.position.distance(from) <= slack;
            counts.then_some(&walked.met.pushes)
        });
        summed(pushing.flatten().copied().collect())
    }

    /// Returns the bodies that have walked into a box since the newest tick, or out of it, with their positions; without the body `who`, and without those that now overlap its box `here`, for they push it.
    pub(crate) fn walkers_around(
        &self,
        extent: &Extent,
        (who, here): (Entity, &Extent),
    ) -> Vec<(Entity, Vec2)> {
        let walks = self.lock();
        let ways = walks.ways.iter();
        let here = here.grown(-CORNER);
        let ways = ways.map(|(body, walked)| (*body, &walked.met));
        let around = ways.filter(|(body, met)| {
            *body != who && met.since_tick.meets(extent) && !met.extent.meets(&here)
        });
        around.map(|(body, met)| (body, met.position)).collect()
    }

    /// Takes all pushes, summed by body, by movers whose bodies are still where their walks ended.
    pub(crate) fn take_pushes(
        &mut self,
        mut place: impl FnMut(Entity) -> Option<Vec2>,
    ) -> Vec<Push> {
        let WalksByBody { ways, pushing } = self.get_mut();
        let mut all = Vec::new();
        for one in pushing.drain(..) {
            if let Some(walked) = ways.get_mut(&one) {
                let pushes = std::mem::take(&mut walked.met.pushes);
                if place(one) == Some(walked.to) {
                    all.extend(pushes);
                }
            }
        }
        summed(all)
    }

    /// If the tick itself moves a body, updates the end of its walk, relative to its parent, so that the walk still counts.
    pub(crate) fn shift(&mut self, body: Entity, [from, to]: [Vec2; 2]) {
        let ways = &mut self.get_mut().ways;
        if let Some(walked) = ways.get_mut(&body).filter(|walked| walked.to == from) {
            walked.to = to;
        }
    }

    /// Takes all walks, and lists, in no order, what was met on them and may collide; only of bodies that are still where their walks ended.
    pub(crate) fn take(
        &mut self,
        world: &World,
        (still, contacts): (&Still, &Contacts),
        found: &mut Vec<Hit>,
    ) {
        let colliders = still.colliders;
        let WalksByBody { ways, pushing } = self.get_mut();
        pushing.clear();
        let filters = Filters::new(world);
        for (body, walked) in ways.drain() {
            let transform = world.get::<Transform>(body);
            if transform.is_none_or(|transform| transform.translation.truncate() != walked.to) {
                continue;
            }
            for pass in &walked.met.passes {
                let [own, other] = pass.colliders.map(|entity| colliders.slot(entity));
                let Some(own) = own.filter(|&own| colliders.body_entities[own] == body) else {
                    continue;
                };
                let mut tell = |other: usize, (place, normal): (Vec2, Vec2)| {
                    if may_collide(colliders, own, other) && filters.allow(colliders, own, other) {
                        let sides = [own, other].map(|slot| slot as u32);
                        let places = [pass.places[0], place];
                        found.push(Hit::of(sides, places, normal, pass.at / walked.met.length));
                    }
                };
                // If the body was in contact with the collider that it left, the last tick has mostly reported that already.
                match other {
                    Some(other) if pass.parts && contacts.between(own, other).is_some() => {}
                    Some(other) => tell(other, (pass.places[1], pass.normal)),
                    None if pass.parts => {}
                    None => each_in_its_place(still, (own, pass), |part, place| {
                        // A part that the body was in contact with before is not new to it.
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

/// For a pass of a part of a body that is gone since, as happens to tiles when their grid changes: calls `found` with each part of that body that the moving collider touches at the place where it met the old one, with the part's center and the normal towards the moving collider.
fn each_in_its_place(
    still: &Still,
    (own, pass): (usize, &Pass),
    mut found: impl FnMut(usize, (Vec2, Vec2)),
) {
    let colliders = still.colliders;
    let Colliders {
        placed,
        body_states,
        passable,
        ..
    } = colliders;
    let (here, outline) = (pass.places[0], placed[own].outline);
    let mut parts = Vec::new();
    let body = still.parts_in_place(pass.others_body, (outline, here), CORNER, &mut parts);
    let Some(body) = body else {
        return;
    };
    if body_states[body].rank != Rank::Static {
        let sensors = passable.members().iter().copied();
        parts.extend(sensors.filter(|&slot| {
            let is_part = slot as usize != body && placed[slot as usize].body as usize == body;
            is_part && colliders.flags[slot as usize].is_sensor()
        }));
    }
    for part in parts.into_iter().map(|part| part as usize) {
        if !(passable.contains(own) || passable.contains(part)) {
            continue;
        }
        let place = placed[part].center(body_states);
        let slack = CORNER.max(rounding(here, place));
        if let Some(contact) = outline.contact_within(placed[part].outline, place - here, slack) {
            found(part, (place, -contact.normal));
        }
    }
}

/// Returns the sum of the pushes of each body, with the same bits in whatever order they were made.
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
