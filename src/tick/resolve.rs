//! Contacts into corrections, and those into `Transform`s.

use bevy::ecs::{
    prelude::World,
    system::{Local, SystemState},
};

use tracing::debug_span;

use crate::{
    placed::{Meeting, Mover, Rank},
    push_out::PushOut,
    settings::CollisionSettings,
    state::{
        candidates::Still,
        colliders::Colliders,
        pose::Places,
        rules::may_push,
        stage::{Filters, Stage},
    },
};

/// Pushes apart what overlaps, adds the contacts that pushing brought about, and writes what has moved.
pub(crate) fn resolve_contacts(
    world: &mut World,
    places: &mut SystemState<Places>,
    mut buffers: Local<Buffers>,
) {
    let _span = debug_span!("resolve").entered();
    Stage::run(world, |world, stage| {
        stage.contacts.stuck.clear();
        stage.colliders.moved.clear();
        if !buffers.part(world, stage) {
            return;
        }
        if let Ok(mut places) = places.get_mut(world) {
            buffers.write_places(&mut stage.colliders, &mut places);
        }
        note_children(&mut stage.colliders);
    });
}

/// Buffers that are kept from tick to tick.
#[derive(Default)]
pub(crate) struct Buffers {
    push_out: PushOut,
    /// Everybody, where they are afterwards.
    movers: Vec<Mover>,
    /// Who has moved.
    moved: Vec<u32>,
}

impl Buffers {
    /// Finds out where everybody is when all are apart, if they are not. Changes nothing in the world.
    fn part(&mut self, world: &World, stage: &mut Stage) -> bool {
        let Stage {
            colliders,
            candidates,
            contacts,
        } = stage;
        if colliders.pushable.members().is_empty() {
            return false;
        }
        let filters = Filters::new(world);
        let may_push = |a, b| may_push(colliders, a, b) && filters.allow_stop(colliders, a, b);
        let is_overlap = |found: &Meeting| {
            let (a, b) = found.slots;
            found.depth > 0.0 && may_push(a as usize, b as usize)
        };
        if !contacts.found.iter().any(is_overlap) {
            return false;
        }

        self.movers.clone_from(&colliders.movers);
        let still = Still {
            candidates,
            colliders,
        };
        let rounds = world.resource::<CollisionSettings>().push_out_rounds;
        let outcome = (self.push_out).run(
            &mut self.movers,
            &colliders.placed,
            &still,
            may_push,
            rounds,
        );
        contacts.add_found(outcome.met());
        contacts.stuck.extend_from_slice(outcome.stuck);
        self.moved.clear();
        self.moved.extend_from_slice(outcome.moved);
        true
    }

    /// Writes where the pushed bodies are now.
    fn write_places(&self, colliders: &mut Colliders, places: &mut Places) {
        for &slot in &self.moved {
            let slot = slot as usize;
            let mover = &self.movers[slot];
            let from = colliders.movers[slot].position;
            if mover.rank != Rank::Dynamic || mover.position == from {
                continue;
            }
            colliders.movers[slot] = *mover;
            colliders.moved.push(slot as u32);
            places.move_to(colliders.entities[slot], from, mover.position);
        }
    }
}

/// Whoever was moved has moved its children.
fn note_children(colliders: &mut Colliders) {
    let Colliders {
        moved,
        children,
        placed,
        ..
    } = colliders;
    if children.members().is_empty() {
        return;
    }
    moved.sort_unstable();
    let bodies = moved.len();
    for &child in children.members() {
        let body = placed[child as usize].body;
        if moved[..bodies].binary_search(&body).is_ok() {
            moved.push(child);
        }
    }
}
