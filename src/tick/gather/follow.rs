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
    families::Families,
    judge::{Parts, gather_collider},
    returns::Returns,
    table::{ColliderData, ColliderDataItem, Table, blocks},
};
use crate::{
    components::{EnabledCollider, Leavers, Removals},
    kernel::is_in_world,
    state::{
        colliders::{Colliders, entity_key, is_known},
        contacts::Contacts,
        newcomers::Newcomers,
        pose::Poses,
        refusal::Refusal,
        traits::Posture,
    },
};

/// Brings the slots up to date with the components.
pub(crate) fn gather_colliders(
    (mut colliders, contacts): (ResMut<Colliders>, Res<Contacts>),
    (mut removals, mut leavers, mut newcomers_since): (
        ResMut<Removals>,
        ResMut<Leavers>,
        ResMut<Newcomers>,
    ),
    query: Query<ColliderData, EnabledCollider>,
    names: Query<&Name>,
    (poses, mut returns): (Poses, Returns),
    ticks: SystemChangeTick,
    mut buffers: Local<Buffers>,
) {
    let _span = debug_span!("gather").entered();
    // Positions change from here on, while the broad phase still has those of the last tick: until it is updated, queries get answers for the last tick.
    colliders.drift.clear();
    let have_many_returned = std::mem::take(&mut removals.have_many_returned);
    let are_doubtful = std::mem::take(&mut colliders.are_doubtful);
    // The report has rested: the ends of its contacts are yet to be told.
    let awaited: Option<EntityHashSet> = (!colliders.is_told).then(|| {
        let slots = contacts.current.iter();
        let slots = slots.flat_map(|meeting| [meeting.slots.0, meeting.slots.1]);
        slots
            .map(|slot| colliders.entities[slot as usize])
            .collect()
    });
    let mut gathering = Gathering {
        are_all_known: !have_many_returned && returns.are_noted() && !are_doubtful,
        are_doubtful,
        colliders: &mut colliders,
        poses: &poses,
        seen: 0,
        seen_children: 0,
        refused: EntityHashMap::default(),
        buffers: std::mem::take(&mut *buffers),
    };
    gathering.colliders.begin_gathering(awaited.as_ref());
    gathering.buffers.families.begin();
    gathering.note_returned(&mut removals);
    gathering.read_all(&query, ticks);
    leavers.begin_tick(awaited.as_ref());
    gathering.look_after(&mut removals, &query);
    if gathering.seen > gathering.colliders.count() {
        // A collider has come after all, for example with components whose change ticks are old.
        gathering.are_all_known = false;
        gathering.seen = 0;
        gathering.seen_children = 0;
        gathering.read_all(&query, ticks);
    }
    let are_some_gone = gathering.colliders.end_gathering();
    newcomers_since.end_gathering(gathering.colliders, are_some_gone);
    *buffers = gathering.buffers;

    let refused = gathering.refused;
    for (&entity, refusal) in &refused {
        if !colliders.refused.contains_key(&entity)
            && let Ok(row) = query.get(entity)
        {
            warn_of(&row, refusal, &names);
        }
    }
    colliders.refused = refused;
}

/// Buffers that are kept from tick to tick.
#[derive(Default)]
pub(crate) struct Buffers {
    /// Colliders that have no slot.
    newcomers: Vec<Entity>,
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
    /// Whether every collider with no changed component has a slot.
    are_all_known: bool,
    /// Whether slots may be out of date even where no change tick says so.
    are_doubtful: bool,
    /// The number of colliders that were seen and have a slot.
    seen: usize,
    /// How many of those are children.
    seen_children: usize,
    refused: EntityHashMap<Refusal>,
    buffers: Buffers,
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
        let Some(transforms) = table.root_transforms().filter(|_| !self.are_doubtful) else {
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
                    self.buffers.newcomers.push(entities[row]);
                    continue;
                };
                let is_changed = some_changed && table.is_changed(row);
                if !is_changed {
                    if !table.is_newer(moved[row]) {
                        self.seen += 1;
                        continue;
                    }
                    if self.move_plainly(slot, &transforms[row]) {
                        self.seen += 1;
                        continue;
                    }
                }
                self.read(&table.parts(row));
            }
        }
    }

    /// Follows rows of children. A child that stands still is as it was if its parents are.
    fn read_children(&mut self, table: &Table, block: Range<usize>) {
        // The removal of a `Transform` is not reported.
        let may_be_known = !self.are_doubtful && table.colliders.transform.is_some();
        let some_changed = table.is_anything_new(&block);
        for row in block {
            let entity = table.colliders.entity[row];
            let is_itself_as_it_was =
                || may_be_known && !(some_changed && table.is_anything_new(&(row..row + 1)));
            let parts = || table.parts(row);
            self.follow(entity, table.parent(row), is_itself_as_it_was, parts);
        }
    }

    /// Follows a single collider: reads it, unless it and its parents are as they were.
    #[inline]
    fn follow<'p>(
        &mut self,
        entity: Entity,
        parent: Option<Entity>,
        is_itself_as_it_was: impl FnOnce() -> bool,
        parts: impl FnOnce() -> Parts<'p>,
    ) {
        let Some(slot) = self.colliders.slot(entity) else {
            self.buffers.newcomers.push(entity);
            return;
        };
        // Asked even if the child is read anyway: it notes the parent, for the comparison in the next tick.
        let are_parents_as_they_were =
            parent.is_none_or(|parent| self.is_parent_as_it_was(parent, slot));
        if are_parents_as_they_were && is_itself_as_it_was() {
            self.seen += 1;
            self.seen_children += usize::from(parent.is_some());
        } else {
            self.read(&parts());
        }
    }

    /// Whether a child of a static body inherits from its parent what it inherited before.
    fn is_parent_as_it_was(&mut self, parent: Entity, slot: usize) -> bool {
        let families = &mut self.buffers.families;
        self.colliders.still.contains(slot)
            && families.is_as_it_was(parent, slot, self.poses, self.colliders)
    }

    /// Handles by far the most frequent change: a root has another position, and the same rotation and scale. Returns false if it is any other change.
    #[inline]
    fn move_plainly(&mut self, slot: usize, transform: &Transform) -> bool {
        let colliders = &mut *self.colliders;
        let (party, posture) = (colliders.parties[slot], Posture::of(transform));
        let position = transform.translation.truncate();
        let is_as_before = if party.is_upright() {
            posture.is_upright()
        } else {
            party.is_centered() && posture == colliders.postures[slot]
        };
        let is_plain = is_as_before
            && is_in_world(position)
            && (party.is_centered() || is_in_world(position + colliders.placed[slot].offset));
        if is_plain {
            colliders.move_to(slot, position);
        }
        is_plain
    }

    /// Reads a single collider, root or child, where there are no tables to go through.
    fn read_row(&mut self, row: &ColliderDataItem) {
        let may_be_known = !self.are_doubtful && row.transform.is_some();
        let is_itself_as_it_was = || may_be_known && !row.is_anything_new();
        self.follow(row.entity, row.parent(), is_itself_as_it_was, || {
            row.parts()
        });
    }

    /// Reads new colliders in the order of their entities, whichever tables they are in: so contacts, which are sorted by slots, are mostly sorted by entities too.
    fn read_newcomers(&mut self, query: &Query<ColliderData, EnabledCollider>) {
        let mut newcomers = std::mem::take(&mut self.buffers.newcomers);
        let key = |entity: &Entity| entity_key(*entity);
        newcomers.sort_unstable_by_key(key);
        let returned = &mut self.buffers.returned;
        if !returned.is_empty() {
            // Colliders that are back and were not met row by row were counted with a block in which nothing is new.
            let was_met =
                |entity: &Entity| newcomers.binary_search_by_key(&key(entity), key).is_ok();
            returned.retain(|entity| query.contains(*entity) && !was_met(entity));
            self.seen -= returned.len();
            newcomers.append(returned);
            newcomers.sort_unstable_by_key(key);
        }
        for entity in newcomers.drain(..) {
            if let Ok(row) = query.get(entity) {
                self.read(&row.parts());
            }
        }
        self.buffers.newcomers = newcomers;
    }

    /// Reads all components of a collider, whatever has changed.
    fn read(&mut self, parts: &Parts) {
        #[cfg(test)]
        {
            self.colliders.reads += 1;
        }
        match gather_collider(parts, self.poses) {
            Ok(gathered) => {
                self.colliders.store(&gathered);
                self.seen += 1;
                self.seen_children += usize::from(parts.is_child);
            }
            Err(refusal) => {
                self.refused.insert(parts.entity, refusal);
                if let Some(slot) = self.colliders.slot(parts.entity) {
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
                let parts = row.parts();
                // The collider was seen and counted already: it has a slot.
                self.seen -= 1;
                self.seen_children -= usize::from(parts.is_child);
                self.read(&parts);
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

#[cfg(test)]
mod tests {
    use bevy::{
        MinimalPlugins,
        app::App,
        ecs::{
            entity_disabling::Disabled,
            hierarchy::ChildOf,
            prelude::{Component, Res, ResMut, Resource},
            schedule::IntoScheduleConfigs,
            world::EntityWorldMut,
        },
        math::{Quat, Vec2},
        time::TimeUpdateStrategy,
        transform::components::Transform,
    };

    use crate::{
        components::{Body, BoxCollider, CircleCollider, ColliderDisabled, Velocity},
        memory::CollisionMemory,
        plugin::{CollisionPlugin, CollisionSystems},
        state::colliders::Colliders,
    };

    #[derive(Component)]
    struct Shelved;

    /// A collider that is back makes nobody search all others.
    #[test]
    fn nobody_is_looked_at_because_another_one_is_back() {
        type Change = fn(EntityWorldMut);
        let changes: [(&str, [Change; 2]); 3] = [
            (
                "disabled",
                [
                    |mut one| _ = one.insert(Disabled),
                    |mut one| _ = one.remove::<Disabled>(),
                ],
            ),
            (
                "disabled in the game's own way",
                [
                    |mut one| _ = one.insert(Shelved),
                    |mut one| _ = one.remove::<Shelved>(),
                ],
            ),
            (
                "its collider",
                [
                    |mut one| _ = one.insert(ColliderDisabled),
                    |mut one| _ = one.remove::<ColliderDisabled>(),
                ],
            ),
        ];
        for is_child in [false, true] {
            for (case, [go, come]) in changes {
                let mut app = App::new();
                app.add_plugins((MinimalPlugins, CollisionPlugin::new(bevy::app::Update)));
                let world = app.world_mut();
                world.register_disabling_component::<Shelved>();
                for _ in 0..1000 {
                    world.spawn((BoxCollider::square(10.0), Body::Static));
                }
                let one = world.spawn(CircleCollider::new(5.0)).id();
                if is_child {
                    let parent = world.spawn(Body::Dynamic).id();
                    world.entity_mut(one).insert(ChildOf(parent));
                }
                let colliders = |app: &App| {
                    let colliders = app.world().resource::<Colliders>();
                    (colliders.count(), colliders.looks, colliders.reads)
                };
                for _ in 0..3 {
                    app.update();
                }
                for _ in 0..3 {
                    go(app.world_mut().entity_mut(one));
                    app.update();
                    assert_eq!(colliders(&app).0, 1000, "{case}, {is_child}");
                    let (_, looks, reads) = colliders(&app);
                    come(app.world_mut().entity_mut(one));
                    app.update();
                    let (count, looks_then, reads_then) = colliders(&app);
                    assert_eq!(count, 1001, "{case}, {is_child}");
                    let (looks, reads) = (looks_then - looks, reads_then - reads);
                    assert!(
                        looks <= 128 && reads <= 2,
                        "{case}, {is_child}: {looks}, {reads}"
                    );
                }
            }
        }
    }

    /// If a game's own disabling component is not stored in tables, there are no tables to go through. Colliders with nothing new are still not read, and those with something new are.
    #[test]
    fn nobody_is_read_because_some_may_be_disabled_outside_of_the_tables() {
        #[derive(Component)]
        #[component(storage = "SparseSet")]
        struct Hidden;
        for are_children in [false, true] {
            let mut app = App::new();
            app.add_plugins((MinimalPlugins, CollisionPlugin::new(bevy::app::Update)));
            let world = app.world_mut();
            world.register_disabling_component::<Hidden>();
            let level = world.spawn((Body::Static, Transform::default())).id();
            let tiles: Vec<_> = (0..1000)
                .map(|_| {
                    let mut tile = world.spawn(BoxCollider::square(10.0));
                    if are_children {
                        tile.insert(ChildOf(level));
                    } else {
                        tile.insert(Body::Static);
                    }
                    tile.id()
                })
                .collect();
            let update = |app: &mut App| {
                let before = app.world().resource::<Colliders>().reads;
                app.update();
                let colliders = app.world().resource::<Colliders>();
                let slot = colliders.slot(tiles[7]);
                let center = slot.map(|slot| {
                    let placed = &colliders.placed[slot];
                    placed.center(&colliders.movers)
                });
                (colliders.reads - before, center)
            };
            for _ in 0..3 {
                update(&mut app);
            }
            let case = format!("children: {are_children}");
            assert_eq!(update(&mut app), (0, Some(Vec2::ZERO)), "{case}");

            let place = Transform::from_xyz(5.0, 0.0, 0.0);
            app.world_mut().entity_mut(tiles[7]).insert(place);
            let (reads, center) = update(&mut app);
            assert!(reads <= 1, "{case}: {reads}");
            assert_eq!(center, Some(Vec2::new(5.0, 0.0)), "{case}");
            app.world_mut().entity_mut(level).insert(place);
            let moved = usize::from(are_children);
            let center = Some(Vec2::new(5.0 + 5.0 * moved as f32, 0.0));
            assert_eq!(update(&mut app), (1000 * moved, center), "{case}");
            app.world_mut().entity_mut(tiles[7]).insert(Hidden);
            assert_eq!(update(&mut app), (0, None), "{case}");
            app.world_mut().entity_mut(tiles[7]).remove::<Hidden>();
            assert_eq!(update(&mut app), (1, center), "{case}");
            assert_eq!(update(&mut app), (0, center), "{case}");
            app.world_mut()
                .entity_mut(tiles[7])
                .remove::<(ChildOf, Transform)>();
            assert_eq!(update(&mut app).1, None, "{case}: nowhere");
        }
    }

    /// Neither does one that takes no part. A collider that is mended takes part again, even if it was its parent that was wrong.
    #[test]
    fn nobody_is_looked_at_because_another_one_is_refused() {
        for is_child in [false, true] {
            let mut app = App::new();
            app.add_plugins((MinimalPlugins, CollisionPlugin::new(bevy::app::Update)));
            let world = app.world_mut();
            for _ in 0..1000 {
                world.spawn((BoxCollider::square(10.0), Body::Static));
            }
            let lost = Transform::from_xyz(f32::NAN, 0.0, 0.0);
            let one = world.spawn((CircleCollider::new(5.0), lost)).id();
            let mut wrong = one;
            if is_child {
                wrong = world.spawn((Body::Dynamic, lost)).id();
                let child = (ChildOf(wrong), Transform::default());
                world.entity_mut(one).insert(child);
            }
            let update = |app: &mut App| {
                let before = app.world().resource::<Colliders>().looks;
                app.update();
                let colliders = app.world().resource::<Colliders>();
                let has_slot = colliders.slot(one).is_some();
                assert_eq!(colliders.refused.contains_key(&one), !has_slot);
                assert_eq!(colliders.count(), 1000 + usize::from(has_slot));
                (colliders.looks - before, has_slot)
            };
            for _ in 0..3 {
                update(&mut app);
            }
            let (looks, is_seen) = update(&mut app);
            assert!(looks <= 128 && !is_seen, "{is_child}: {looks}");
            // It goes, comes back, and is still wrong.
            for _ in 0..2 {
                app.world_mut().entity_mut(one).insert(Disabled);
                app.update();
                app.world_mut().entity_mut(one).remove::<Disabled>();
                assert!(!update(&mut app).1);
            }
            app.world_mut()
                .entity_mut(wrong)
                .insert(Transform::default());
            assert!(update(&mut app).1, "{is_child}");
            let (looks, is_seen) = update(&mut app);
            assert!(looks <= 128 && is_seen, "{is_child}: {looks}");
        }
    }

    /// A part of a body stays where it is within the body, to the bit, wherever the body goes.
    #[test]
    fn a_part_is_not_new_because_its_body_moves() {
        #[derive(Resource, Default)]
        struct Noted(Vec<usize>);
        let note = |colliders: Res<Colliders>, mut noted: ResMut<Noted>| {
            noted
                .0
                .push(colliders.fresh.members().map_or(0, <[u32]>::len));
        };
        for x in [0.0, 100.1, -70_000.3] {
            let mut app = App::new();
            let tick = std::time::Duration::from_millis(16);
            app.add_plugins((MinimalPlugins, CollisionPlugin::new(bevy::app::Update)))
                .insert_resource(TimeUpdateStrategy::ManualDuration(tick))
                .init_resource::<Noted>()
                .add_systems(
                    bevy::app::Update,
                    note.after(CollisionSystems::Gather)
                        .before(CollisionSystems::Sweep),
                );
            let turned = Transform::from_xyz(x, 0.3, 0.0).with_rotation(Quat::from_rotation_z(0.4));
            let body = (Body::Kinematic, Velocity(Vec2::new(33.3, 5.1)), turned);
            let body = app.world_mut().spawn(body).id();
            let between = (Transform::from_xyz(3.3, 40.7, 0.0), ChildOf(body));
            let between = app.world_mut().spawn(between).id();
            for (number, parent) in [body, between].into_iter().enumerate() {
                let place = Transform::from_xyz(200.1, 7.0 * number as f32, 0.0);
                let part = (BoxCollider::square(10.0), place, ChildOf(parent));
                app.world_mut().spawn(part);
            }
            for _ in 0..300 {
                app.update();
            }
            let noted = &app.world().resource::<Noted>().0;
            assert_eq!(noted.iter().skip(3).sum::<usize>(), 0, "{x}");
            let moved = app.world().get::<Transform>(body);
            assert!(moved.is_some_and(|moved| moved.translation.x > x + 100.0));
        }
    }

    /// When the collider of a body is back, it is still the body of the same children: none of them is read anew.
    #[test]
    fn the_collider_of_a_body_comes_back_to_the_same_body() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, CollisionPlugin::new(bevy::app::Update)));
        let world = app.world_mut();
        let level = world.spawn((BoxCollider::square(10.0), Body::Static)).id();
        for _ in 0..1000 {
            world.spawn((BoxCollider::square(10.0), ChildOf(level)));
        }
        for _ in 0..3 {
            app.update();
        }
        app.world_mut().entity_mut(level).insert(ColliderDisabled);
        for _ in 0..2 {
            app.update();
        }
        let reads = |app: &App| app.world().resource::<Colliders>().reads;
        let before = reads(&app);
        app.world_mut()
            .entity_mut(level)
            .remove::<ColliderDisabled>();
        app.update();
        assert!(reads(&app) - before <= 2, "{}", reads(&app) - before);
    }

    /// After the world was restored to what a tick has left, all colliders are read once.
    #[test]
    fn what_has_gone_back_is_read_once() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, CollisionPlugin::new(bevy::app::Update)));
        let world = app.world_mut();
        let level = world.spawn(Body::Static).id();
        for _ in 0..1000 {
            world.spawn((BoxCollider::square(10.0), ChildOf(level)));
        }
        for _ in 0..3 {
            app.update();
        }
        CollisionMemory::of(app.world()).restore(app.world_mut());
        let mut reads = || {
            let before = app.world().resource::<Colliders>().reads;
            app.update();
            app.world().resource::<Colliders>().reads - before
        };
        // What was restored does not include what was read since.
        assert!(reads() >= 1000);
        assert_eq!([reads(), reads()], [0, 0]);
    }

    /// A collider that goes is searched for only where it was, whatever is around: a thousand parts of a level, or as many single bodies.
    #[test]
    fn nobody_is_read_anew_because_another_one_goes() {
        type Go = fn(EntityWorldMut);
        #[derive(bevy::ecs::component::Component)]
        struct Shelved;
        let goes: [(&str, Go, usize); 6] = [
            ("despawned", |one| one.despawn(), 0),
            (
                "without a collider",
                |mut one| {
                    one.remove::<CircleCollider>();
                },
                0,
            ),
            (
                "disabled",
                |mut one| {
                    one.insert(Disabled);
                },
                0,
            ),
            (
                "put on a shelf of the game's own",
                |mut one| {
                    one.insert(Shelved);
                },
                0,
            ),
            (
                "a root put there",
                |mut one| {
                    one.insert(Shelved);
                },
                0,
            ),
            (
                "without its parent",
                |mut one| {
                    one.remove::<ChildOf>();
                },
                1,
            ),
        ];
        for are_children in [true, false] {
            for (case, go, left) in goes {
                let mut app = App::new();
                app.add_plugins((MinimalPlugins, CollisionPlugin::new(bevy::app::Update)));
                let world = app.world_mut();
                world.register_disabling_component::<Shelved>();
                let level = world.spawn(Body::Static).id();
                let other = world.spawn(Body::Dynamic).id();
                let one = world.spawn((CircleCollider::new(5.0), ChildOf(other))).id();
                if case.contains("root") {
                    world.entity_mut(one).remove::<ChildOf>();
                }
                for _ in 0..1000 {
                    let mut tile = world.spawn(BoxCollider::square(10.0));
                    if are_children {
                        tile.insert(ChildOf(level));
                    } else {
                        tile.insert(Body::Static);
                    }
                }
                let colliders = |app: &App| {
                    let colliders = app.world().resource::<Colliders>();
                    (colliders.reads, colliders.looks)
                };
                for _ in 0..3 {
                    app.update();
                }
                let (before, _) = colliders(&app);
                app.update();
                let (then, looks) = colliders(&app);
                let at_rest = then - before;
                go(app.world_mut().entity_mut(one));
                app.update();
                let (now, looks_now) = colliders(&app);
                let (read, looked_at) = (now - then, looks_now - looks);
                let most = at_rest + left;
                assert!(
                    read <= most && looked_at <= 128,
                    "{case}, children: {are_children}: {read}, {looked_at}"
                );
                let count = app.world().resource::<Colliders>().count();
                assert_eq!(count, 1000 + left, "{case}");
            }
        }
    }
}
