//! Queries that include disabled entities, whichever component disables them.

use bevy::ecs::{
    archetype::Archetype,
    change_detection::Tick,
    component::{ComponentId, Components},
    entity::Entity,
    entity_disabling::DefaultQueryFilters,
    prelude::World,
    query::{FilteredAccess, QueryFilter, WorldQuery},
    storage::{Table, TableRow},
    world::unsafe_world_cell::UnsafeWorldCell,
};

/// Like `Allow<Disabled>` for Bevy's own component, but for all components by which an app disables entities: those that are registered when a system is initialized, which is when Bevy decides what all other queries exclude.
pub(crate) struct AllowDisabled;

// SAFETY: it fetches nothing and reads no component, so it needs no access. What it adds as archetypal says only that the query handles these components itself, and every set of components matches.
#[expect(unsafe_code, reason = "a filter can't be written otherwise")]
unsafe impl WorldQuery for AllowDisabled {
    type Fetch<'w> = ();
    type State = Vec<ComponentId>;

    const IS_DENSE: bool = true;

    fn shrink_fetch<'wlong: 'wshort, 'wshort>((): Self::Fetch<'wlong>) -> Self::Fetch<'wshort> {}

    unsafe fn init_fetch<'w>(
        _: UnsafeWorldCell<'w>,
        _: &Self::State,
        _: Tick,
        _: Tick,
    ) -> Self::Fetch<'w> {
    }

    unsafe fn set_archetype<'w>(
        (): &mut Self::Fetch<'w>,
        _: &Self::State,
        _: &'w Archetype,
        _: &'w Table,
    ) {
    }

    unsafe fn set_table<'w>((): &mut Self::Fetch<'w>, _: &Self::State, _: &'w Table) {}

    fn update_component_access(disabling: &Self::State, access: &mut FilteredAccess) {
        for &id in disabling {
            access.access_mut().add_archetypal(id);
        }
    }

    fn init_state(world: &mut World) -> Self::State {
        let filters = world.get_resource::<DefaultQueryFilters>();
        filters.map_or_else(Vec::new, |filters| filters.disabling_ids().collect())
    }

    fn get_state(_: &Components) -> Option<Self::State> {
        // The components alone do not tell which of them disable entities.
        None
    }

    fn matches_component_set(_: &Self::State, _: &impl Fn(ComponentId) -> bool) -> bool {
        true
    }
}

// SAFETY: it accesses nothing.
#[expect(unsafe_code, reason = "a filter can't be written otherwise")]
unsafe impl QueryFilter for AllowDisabled {
    const IS_ARCHETYPAL: bool = true;

    #[inline(always)]
    unsafe fn filter_fetch(
        _: &Self::State,
        (): &mut Self::Fetch<'_>,
        _: Entity,
        _: TableRow,
    ) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use bevy::ecs::{entity_disabling::Disabled, prelude::Component};

    use super::*;

    #[derive(Component)]
    struct Hidden;

    #[derive(Component)]
    struct Known;

    #[test]
    fn whoever_is_disabled_is_seen() {
        let mut world = World::new();
        world.register_disabling_component::<Hidden>();
        let seen = world.spawn(Known).id();
        let disabled = world.spawn((Known, Disabled)).id();
        let hidden = world.spawn((Known, Hidden)).id();
        let both = world.spawn((Known, Disabled, Hidden)).id();
        world.spawn(Hidden);

        let mut plain = world.query::<(Entity, &Known)>();
        let all = plain.iter(&world).map(|(entity, _)| entity);
        assert_eq!(all.collect::<Vec<_>>(), [seen]);

        let mut allowed = world.query_filtered::<(Entity, &Known), AllowDisabled>();
        let all = allowed.iter(&world).map(|(entity, _)| entity);
        let mut all: Vec<Entity> = all.collect();
        all.sort_by_key(|entity| entity.index_u32());
        assert_eq!(all, [seen, disabled, hidden, both]);
        assert!(allowed.get(&world, hidden).is_ok());
    }
}
