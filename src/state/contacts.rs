//! The contacts of this tick and of the last one, sorted by their slots.

use std::sync::OnceLock;

use bevy::ecs::{entity::Entity, prelude::Resource};

use crate::{
    messages::Collision,
    placed::Meeting,
    state::colliders::{Colliders, entity_key},
};

/// A contact with its slots, by which it is sorted. A slot does not change hands between a tick and the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// The lower one first.
    pub(crate) slots: (u32, u32),
    pub(crate) collision: Collision,
}

impl Known {
    /// Whether it is still these two that have the slots.
    pub(crate) fn is_between(&self, one: Entity, other: Entity) -> bool {
        self.collision.involves(one) && self.collision.involves(other)
    }
}

/// What collides. `found` is filled by detect and resolve, `current` and `previous` by report.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Contacts {
    /// This tick's contacts by slots; sorted, each pair once, when report reads it.
    pub(crate) found: Vec<Meeting>,
    /// The newest finished tick's contacts, sorted by their slots.
    pub(crate) current: Vec<Known>,
    /// Those of the tick before, in the same order.
    pub(crate) previous: Vec<Known>,
    /// Indices into `current`, sorted by the second slot; made when somebody asks.
    by_second: OnceLock<Vec<u32>>,
    sorting: Sorting,
}

/// Buffers of the sort.
#[derive(Clone, Debug, Default)]
struct Sorting {
    starts: Vec<u32>,
    sorted: Vec<Meeting>,
}

impl Contacts {
    /// Sorts `found`, in which each pair is but once, by slots, of which there are so many.
    ///
    /// By counting: each pair is written once to the stretch of its first slot. There are few of those with more than a few pairs, so what is left to
    /// sort is next to nothing.
    pub(crate) fn sort_found(&mut self, slots: usize) {
        let Sorting { starts, sorted } = &mut self.sorting;
        if self.found.len() < slots / 16 {
            self.found.sort_unstable_by_key(|found| found.slots);
        } else if let Some(&any) = self.found.first() {
            starts.clear();
            starts.resize(slots + 1, 0);
            for found in &self.found {
                starts[found.slots.0 as usize] += 1;
            }
            let mut end = 0;
            for count in &mut *starts {
                end += *count;
                *count = end;
            }
            sorted.resize(self.found.len(), any);
            for found in self.found.iter().rev() {
                let start = &mut starts[found.slots.0 as usize];
                *start -= 1;
                sorted[*start as usize] = *found;
            }
            for stretch in starts.windows(2) {
                let stretch = &mut sorted[stretch[0] as usize..stretch[1] as usize];
                if stretch.len() > 1 {
                    stretch.sort_unstable_by_key(|found| found.slots.1);
                }
            }
            std::mem::swap(&mut self.found, sorted);
        }
    }

    /// Adds meetings, sorted by slots, of pairs that are not among those found, which are sorted too.
    pub(crate) fn add_found(&mut self, met: &[Meeting], slots: usize) {
        let by_detection = self.found.len();
        let mut known = 0;
        for meeting in met {
            while known < by_detection && self.found[known].slots < meeting.slots {
                known += 1;
            }
            if known == by_detection || self.found[known].slots != meeting.slots {
                self.found.push(*meeting);
            }
        }
        if self.found.len() > by_detection {
            self.sort_found(slots);
        }
    }

    /// Makes `found` the current contacts, and the current ones the previous.
    pub(crate) fn advance(&mut self, colliders: &Colliders) {
        std::mem::swap(&mut self.current, &mut self.previous);
        self.current.clear();
        self.current
            .extend(self.found.iter().map(|found| known(found, colliders)));
        self.by_second = OnceLock::new();
    }

    /// The contact of a pair of slots.
    pub(crate) fn between(&self, one: usize, other: usize) -> Option<&Collision> {
        let slots = (one.min(other) as u32, one.max(other) as u32);
        let at = self
            .current
            .binary_search_by_key(&slots, |known| known.slots);
        Some(&self.current[at.ok()?].collision)
    }

    /// All contacts of a slot: where it is the second one, then where it is the first.
    pub(crate) fn of(&self, slot: usize) -> impl Iterator<Item = &Collision> {
        let slot = slot as u32;
        let by_second = self.by_second.get_or_init(|| {
            let mut by_second: Vec<u32> = (0..).take(self.current.len()).collect();
            by_second.sort_by_key(|&index| self.current[index as usize].slots.1);
            by_second
        });
        let second = |index: &u32| self.current[*index as usize].slots.1;
        let start = by_second.partition_point(|index| second(index) < slot);
        let end = by_second.partition_point(|index| second(index) <= slot);
        let as_second = by_second[start..end]
            .iter()
            .map(|&index| &self.current[index as usize]);

        let start = self.current.partition_point(|known| known.slots.0 < slot);
        let end = self.current.partition_point(|known| known.slots.0 <= slot);
        as_second
            .chain(&self.current[start..end])
            .map(|known| &known.collision)
    }
}

/// As it is told: the collider whose entity sorts first comes first.
fn known(found: &Meeting, colliders: &Colliders) -> Known {
    let (a, b) = found.slots;
    let [a, b] = [a, b].map(|slot| colliders.traits[slot as usize].entity);
    let in_order = entity_key(a) < entity_key(b);
    Known {
        slots: found.slots,
        collision: Collision {
            a: if in_order { a } else { b },
            b: if in_order { b } else { a },
            normal: if in_order {
                found.normal
            } else {
                // Adding 0 turns -0.0 into 0.0.
                -found.normal + bevy::math::Vec2::ZERO
            },
            depth: found.depth,
            point: found.point,
        },
    }
}
