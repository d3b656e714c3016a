//! Contacts in other orders than that of their slots.

use std::sync::OnceLock;

use super::{
    colliders::{Colliders, entity_key},
    told::told,
};
use crate::{
    counting::{CountingSort, Entry},
    placed::Meeting,
};

/// The order by second slot, once it was used, is made in advance for so many ticks, in case it is used again.
const PATIENCE: u8 = 3;

/// Indices into a list of contacts that is sorted by slots.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactOrders {
    /// Sorted by the entities; empty if the contacts are in that order already.
    by_entity: Vec<u32>,
    /// Sorted by the second slot. Made at the end of the tick if it was used lately, else on demand.
    by_second: OnceLock<Vec<u32>>,
    /// Set when `by_second` is used.
    was_used: OnceLock<()>,
    /// For so many more ticks, `by_second` is made at the end of the tick.
    patience: u8,
    sort: CountingSort,
}

impl ContactOrders {
    /// The contacts are others now.
    pub(super) fn renew(&mut self, contacts: &[Meeting], colliders: &Colliders) {
        self.order_by_second(contacts, colliders.placed.len());
        self.order_by_entity(contacts, colliders);
    }

    fn order_by_second(&mut self, contacts: &[Meeting], slots: usize) {
        self.patience = match self.was_used.take() {
            Some(()) => PATIENCE,
            None => self.patience.saturating_sub(1),
        };
        let buffer = self.by_second.take();
        if self.patience > 0 {
            let mut by_second = buffer.unwrap_or_default();
            let entries = contacts.iter().zip(0..).map(|(meeting, at)| Entry {
                bucket: meeting.slots.1,
                key: meeting.slots.0,
                at,
            });
            self.sort.sort(slots, entries, |at| at, &mut by_second);
            self.by_second = by_second.into();
        }
    }

    /// Sorts by entity, because the order of reports must not depend on the assignment of slots.
    pub(super) fn order_by_entity(&mut self, contacts: &[Meeting], colliders: &Colliders) {
        self.by_entity.clear();
        if colliders.order.is_kept() {
            return;
        }
        // No two living entities have the same index.
        let entries = contacts.iter().zip(0..).map(|(meeting, at)| {
            let pair = told(meeting, colliders);
            let [bucket, key] = [pair.a, pair.b].map(|entity| entity_key(entity).0);
            Entry { bucket, key, at }
        });
        let indices = colliders.indices();
        (self.sort).sort(indices, entries, |at| at, &mut self.by_entity);
    }

    /// All contacts sorted by their entities, or nothing if they are in that order.
    pub(super) fn by_entity(&self) -> &[u32] {
        &self.by_entity
    }

    /// The contacts in which a slot is the second one.
    pub(super) fn of_second(&self, contacts: &[Meeting], slot: u32) -> &[u32] {
        let _ = self.was_used.set(());
        let by_second = self.by_second.get_or_init(|| {
            let slots = contacts.iter().zip(0..);
            let slots = slots.map(|(meeting, index)| (meeting.slots.1, index));
            let mut by_second: Vec<(u32, u32)> = slots.collect();
            by_second.sort_unstable();
            by_second.into_iter().map(|(_, index)| index).collect()
        });
        let second = |index: &u32| contacts[*index as usize].slots.1;
        let start = by_second.partition_point(|index| second(index) < slot);
        let end = by_second.partition_point(|index| second(index) <= slot);
        &by_second[start..end]
    }
}
