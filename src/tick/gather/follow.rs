//! Follows the ECS tables with the slots: reads what has changed, and frees the slots of colliders that are gone.

use std::ops::Range;

use bevy::{
    ecs::{
        change_detection::{DetectChanges, MaybeLocation},
        entity::{Entity, EntityHashMap, EntityHashSet},
        name::Name,
        prelude::{Query, Ref, Res, ResMut},
        system::{Local, SystemChangeTick},
    },
    transform::components::Transform,
};
use tracing::{debug_span, warn};

use super::{
    families::{Ancestors, Families},
    judge::{ColliderComponents, gather_collider},
    returns::Returns,
    table::{ColliderData, ColliderDataItem, Table, blocks},
};
use crate::{
    components::{AnyCollider, CollisionTag, EnabledCollider, Leavers, Removals},
    kernel::is_in_world,
    state::{
        colliders::{Colliders, entity_key, is_known},
        contacts::Contacts,
        newcomers::Newcomers,
        pose::Poses,
        refusal::Refusal,
        traits::Posture,
    },
    tiles::MergedTiles,
};

/// Brings the slots up to date with the components.
pub(crate) fn gather_colliders(
    (mut colliders, contacts): (ResMut<Colliders>, Res<Contacts>),
    (mut removals, mut leavers, mut newcomers_since): (
        ResMut<Removals>,
        ResMut<Leavers>,
        ResMut<Newcomers>,
    ),
    (query, all): (Query<ColliderData, EnabledCollider>, Query<(), AnyCollider>),
    (names, tags): (Query<&Name>, Query<Tags>),
    (poses, ancestors, mut returns): (Poses, Ancestors, Returns),
    ticks: SystemChangeTick,
    mut buffers: Local<Buffers>,
) {
    let _span = debug_span!("gather").entered();
    // Positions change from here on, while the broad phase still has those of the last tick: until it is updated, queries get answers for the last tick.
    colliders.drift.clear();
    let have_many_returned = std::mem::take(&mut removals.have_many_returned);
    let must_read_all = std::mem::take(&mut colliders.must_read_all);
    let unreported = unreported(&colliders, &contacts);
    let mut gathering = Gathering {
        are_all_known: !have_many_returned && returns.are_noted() && !must_read_all,
        must_read_all,
        colliders: &mut colliders,
        poses: &poses,
        ancestors: &ancestors,
        tags: &tags,
        seen: 0,
        seen_children: 0,
        refused: EntityHashMap::default(),
        buffers: &mut buffers,
    };
    gathering.colliders.begin_gathering(unreported.as_ref());
    gathering.buffers.families.begin(must_read_all);
    gathering.note_returned(&mut removals);
    gathering.read_all(&query, ticks);
    leavers.begin_tick(unreported.as_ref(), |entity| all.contains(entity));
    gathering.look_after(&mut removals, &query);
    if gathering.seen > gathering.colliders.count() {
        // A collider has come after all, for example with components whose change ticks are old.
        gathering.are_all_known = false;
        gathering.seen = 0;
        gathering.seen_children = 0;
        gathering.read_all(&query, ticks);
    }
    #[cfg(test)]
    {
        gathering.colliders.finds = gathering.buffers.families.finds;
    }
    let are_some_gone = gathering.colliders.end_gathering();
    newcomers_since.end_gathering(gathering.colliders, are_some_gone);

    let refused = gathering.refused;
    for (&entity, refusal) in &refused {
        if colliders.warned.insert(entity)
            && let Ok(row) = query.get(entity)
        {
            warn_of(&row, refusal, &names);
        }
    }
    // Who is only off may come back as it is.
    let is_off = |entity| all.contains(entity) && !query.contains(entity);
    let is_still_bad = |entity: &Entity| refused.contains_key(entity) || is_off(*entity);
    colliders.warned.retain(is_still_bad);
    colliders.refused = refused;
}

/// Returns the colliders of contacts of whose ends no report may have told, since it rested, as under a run condition: they keep their slots until then. `None` if there was a report.
fn unreported(colliders: &Colliders, contacts: &Contacts) -> Option<EntityHashSet> {
    contacts.is_untold().then(|| {
        let slots = contacts.last_told().iter();
        let slots = slots.flat_map(|meeting| [meeting.slots.0, meeting.slots.1]);
        let entities = slots.map(|slot| colliders.entities[slot as usize]);
        entities.collect()
    })
}

/// What a game knows a collider by, and, in a grid of tiles, the cell.
type Tags = (&'static CollisionTag, Option<&'static MergedTiles>);

/// The tag of a new collider, and its cell in a grid, by row. Both are zero without a tag: then entities decide.
type Precedence = (u64, [i32; 2]);

/// Buffers that are kept from tick to tick.
#[derive(Default)]
pub(crate) struct Buffers {
    /// Colliders that have no slot, each with its precedence.
    newcomers: Vec<(Precedence, Entity)>,
    /// Colliders that have no slot, but had one before.
    returned: Vec<Entity>,
    /// Colliders that may be gone.
    suspects: Vec<Entity>,
    families: Families,
}

/// The work on the slots in one tick.
struct Gathering<'a, 'w, 's> {
    colliders: &'a mut Colliders,
    poses: &'a Poses<'w, 's>,
    ancestors: &'a Ancestors<'w, 's>,
    tags: &'a Query<'w, 's, Tags>,
    /// Whether every collider with no changed component has a slot.
    are_all_known: bool,
    /// Whether slots may be out of date even where no change tick says so.
    must_read_all: bool,
    /// The number of colliders that were seen and have a slot.
    seen: usize,
    /// How many of those are children.
    seen_children: usize,
    refused: EntityHashMap<Refusal>,
    buffers: &'a mut Buffers,
}

impl Gathering<'_, '_, '_> {
    /// Lists colliders that take part again, so that they need not be searched for; and colliders that were refused, since what was wrong may have been in another entity, such as the parent.
    fn note_returned(&mut self, removals: &mut Removals) {
        let returned = &mut self.buffers.returned;
        returned.clear();
        removals.returned.extend(self.colliders.refused.keys());
        returned.extend(removals.returned.drain());
        returned.retain(|entity| self.colliders.slot(*entity).is_none());
    }

    /// Reads whatever is new.
    fn read_all(&mut self, query: &Query<ColliderData, EnabledCollider>, ticks: SystemChangeTick) {
        match query.contiguous_iter() {
            Ok(tables) => {
                for colliders in tables {
                    self.read_table(&Table { colliders, ticks });
                }
            }
            // Not all filters are stored in tables: a game may have a disabling component of its own that is not.
            Err(_) => query.iter().for_each(|row| self.read_row(&row)),
        }
        self.read_newcomers(query);
    }

    /// Reads a table. Its entities have the same components, so what is asked of one is often known for all.
    fn read_table(&mut self, table: &Table) {
        let entities = table.colliders.entity;
        let rows = 0..entities.len();
        let Some(transforms) = table.root_transforms().filter(|_| !self.must_read_all) else {
            return blocks(rows).for_each(|block| self.read_children(table, block));
        };
        let moved = transforms.changed_ticks_slice();
        let transforms = transforms.as_ref();
        for block in blocks(rows) {
            let some_changed = table.have_changed(&block);
            let have_moved = some_changed || table.is_any_newer(&moved[block.clone()]);
            // A new collider has changed components, too.
            if !have_moved && self.are_all_known {
                self.seen += block.len();
                continue;
            }
            #[cfg(test)]
            {
                self.colliders.looks += block.len();
            }
            for row in block {
                let Some(slot) = self.colliders.slot(entities[row]) else {
                    self.note_newcomer(entities[row]);
                    continue;
                };
                let is_changed = some_changed && table.is_changed(row);
                if !is_changed {
                    if !table.is_newer(moved[row]) {
                        self.seen += 1;
                        continue;
                    }
                    if self.move_if_only_moved(slot, &transforms[row]) {
                        self.seen += 1;
                        continue;
                    }
                }
                self.read(&table.components(row));
            }
        }
    }

    /// Follows rows of children. A child that stands still is as it was if its parents are.
    fn read_children(&mut self, table: &Table, block: Range<usize>) {
        // The removal of a `Transform` is not reported.
        let may_be_known = !self.must_read_all && table.colliders.transform.is_some();
        let some_changed = table.is_anything_new(&block);
        for row in block {
            let entity = table.colliders.entity[row];
            let is_itself_as_it_was =
                || may_be_known && !(some_changed && table.is_anything_new(&(row..row + 1)));
            let components = || table.components(row);
            self.follow(entity, table.parent(row), is_itself_as_it_was, components);
        }
    }

    /// Follows a single collider: reads it, unless it and its parents are as they were.
    #[inline]
    fn follow<'p>(
        &mut self,
        entity: Entity,
        parent: Option<Entity>,
        is_itself_as_it_was: impl FnOnce() -> bool,
        components: impl FnOnce() -> ColliderComponents<'p>,
    ) {
        let Some(slot) = self.colliders.slot(entity) else {
            self.note_newcomer(entity);
            return;
        };
        // Asked even if the child is read anyway: it notes the parent, for the comparison in the next tick.
        let are_parents_as_they_were =
            parent.is_none_or(|parent| self.is_parent_as_it_was(parent, slot));
        if are_parents_as_they_were && is_itself_as_it_was() {
            self.seen += 1;
            self.seen_children += usize::from(parent.is_some());
        } else {
            self.read(&components());
        }
    }

    /// Whether a child of a static body inherits from its parent what it inherited before.
    fn is_parent_as_it_was(&mut self, parent: Entity, slot: usize) -> bool {
        let families = &mut self.buffers.families;
        let above = (self.ancestors, self.poses);
        self.colliders.still.contains(slot)
            && families.is_as_it_was(parent, slot, above, self.colliders)
    }

    /// Handles by far the most frequent change: a root has another position, and the same rotation and scale. Returns false if it is any other change.
    #[inline]
    fn move_if_only_moved(&mut self, slot: usize, transform: &Transform) -> bool {
        let colliders = &mut *self.colliders;
        let (flags, posture) = (colliders.flags[slot], Posture::of(transform));
        let position = transform.translation.truncate();
        let is_as_before = if flags.is_upright() {
            posture.is_upright()
        } else {
            flags.is_centered() && posture == colliders.postures[slot]
        };
        let is_plain = is_as_before
            && is_in_world(position)
            && (flags.is_centered() || is_in_world(position + colliders.placed[slot].offset));
        if is_plain {
            colliders.move_to(slot, position);
        }
        is_plain
    }

    /// Reads a single collider, root or child, where there are no tables to go through.
    fn read_row(&mut self, row: &ColliderDataItem) {
        let may_be_known = !self.must_read_all && row.transform.is_some();
        let is_itself_as_it_was = || may_be_known && !row.is_anything_new();
        self.follow(row.entity, row.parent(), is_itself_as_it_was, || {
            row.components()
        });
    }

    fn note_newcomer(&mut self, entity: Entity) {
        let precedence = self.precedence_of(entity);
        self.buffers.newcomers.push((precedence, entity));
    }

    fn precedence_of(&self, entity: Entity) -> Precedence {
        self.tags
            .get(entity)
            .map_or(Precedence::default(), |(tag, tiles)| {
                (
                    tag.0,
                    tiles.map_or([0; 2], |tiles| [tiles.min.y, tiles.min.x]),
                )
            })
    }

    /// Reads new colliders in the order of their tags, and cells of one grid in that of the grid: after going back to an earlier tick they may be other entities. Without tags they are read in the order of their entities, whichever tables they are in, so that contacts, which are sorted by slots, are mostly sorted by entities too.
    fn read_newcomers(&mut self, query: &Query<ColliderData, EnabledCollider>) {
        let mut newcomers = std::mem::take(&mut self.buffers.newcomers);
        let key = |(precedence, entity): &(Precedence, Entity)| (*precedence, entity_key(*entity));
        newcomers.sort_unstable_by_key(key);
        let mut returned = std::mem::take(&mut self.buffers.returned);
        if !returned.is_empty() {
            // Colliders that are back and were not met row by row were counted with a block in which nothing is new.
            let met = newcomers.len();
            for entity in returned.drain(..) {
                let returned = (self.precedence_of(entity), entity);
                let was_met = newcomers[..met].binary_search_by_key(&key(&returned), key);
                if query.contains(entity) && was_met.is_err() {
                    newcomers.push(returned);
                }
            }
            self.seen -= newcomers.len() - met;
            newcomers.sort_unstable_by_key(key);
        }
        for (_, entity) in newcomers.drain(..) {
            if let Ok(row) = query.get(entity) {
                self.read(&row.components());
            }
        }
        (self.buffers.newcomers, self.buffers.returned) = (newcomers, returned);
    }

    /// Reads all components of a collider, whatever has changed.
    fn read(&mut self, components: &ColliderComponents) {
        #[cfg(test)]
        {
            self.colliders.reads += 1;
        }
        match gather_collider(components, self.poses) {
            Ok(gathered) => {
                self.colliders.store(&gathered);
                self.seen += 1;
                self.seen_children += usize::from(components.is_child);
            }
            Err(refusal) => {
                self.refused.insert(components.entity, refusal);
                if let Some(slot) = self.colliders.slot(components.entity) {
                    self.colliders.remove(slot);
                }
            }
        }
    }

    /// Frees the slots of colliders that are gone, and reads anew those that have lost a component, which no change tick tells.
    fn look_after(
        &mut self,
        removals: &mut Removals,
        query: &Query<ColliderData, EnabledCollider>,
    ) {
        removals.is_known = Some(is_known);
        for suspect in removals.entities.drain() {
            self.check(suspect, query);
        }
        if self.seen_children != self.colliders.children.members().len() {
            // A collider was a child and is none any more: it has lost its parent, which is not reported. Colliders that still have a parent were seen as children.
            let mut suspects = std::mem::take(&mut self.buffers.suspects);
            let children = self.colliders.children.members().iter();
            let children = children.map(|&slot| self.colliders.entities[slot as usize]);
            suspects.extend(children.filter(|entity| self.poses.parent(*entity).is_none()));
            for suspect in suspects.drain(..) {
                self.check(suspect, query);
            }
            self.buffers.suspects = suspects;
        }

        // Entities that the game disables in its own way are not seen either, and nothing reports them. The count shows it.
        if self.seen != self.colliders.count() {
            let all: Vec<usize> = self.colliders.slots().collect();
            for slot in all {
                let entity = self.colliders.entities[slot];
                // After a rollback another entity may have this index.
                let is_there = self.colliders.slot(entity) == Some(slot) && query.contains(entity);
                if !is_there {
                    self.colliders.remove(slot);
                }
            }
        }
    }

    /// Frees the slot of a collider that is gone, and reads anew one that is there.
    fn check(&mut self, entity: Entity, query: &Query<ColliderData, EnabledCollider>) {
        let Some(slot) = self.colliders.slot(entity) else {
            return;
        };
        #[cfg(test)]
        {
            self.colliders.looks += 1;
        }
        match query.get(entity) {
            Ok(row) => {
                let components = row.components();
                // The collider was seen and counted already: it has a slot.
                self.seen -= 1;
                self.seen_children -= usize::from(components.is_child);
                self.read(&components);
            }
            Err(_) => self.colliders.remove(slot),
        }
    }
}

fn warn_of(row: &ColliderDataItem, refusal: &Refusal, names: &Query<&Name>) {
    let ColliderDataItem {
        entity,
        circle,
        rectangle,
        bounds,
        ..
    } = row;
    let name = names
        .get(*entity)
        .map(|name| format!(" ({name})"))
        .unwrap_or_default();
    let writer = circle
        .as_ref()
        .map(Ref::changed_by)
        .or(rectangle.as_ref().map(Ref::changed_by))
        .or(bounds.as_ref().map(Ref::changed_by))
        .and_then(MaybeLocation::into_option)
        .map(|place| format!("; last written at {place}"))
        .unwrap_or_default();
    warn!("The collider of {entity}{name} takes no part until this is mended: {refusal}{writer}");
}
