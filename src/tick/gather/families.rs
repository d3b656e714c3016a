//! What children inherit from their ancestors. Children whose own components are unchanged need not be read if this is unchanged as well.

use bevy::{
    ecs::{
        change_detection::DetectChanges,
        entity::{Entity, EntityHashMap},
        hierarchy::ChildOf,
        prelude::{Component, Query, Ref},
        query::QueryData,
    },
    math::{Affine3A, Vec2},
    transform::components::Transform,
};

use crate::{
    allow_disabled::AllowDisabled,
    components::{Body, Mass, Response},
    state::{colliders::Colliders, pose::Poses},
};

/// All that a collider inherits: the same for all children of a parent.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Inheritance {
    /// The space that the collider's `Transform` is in.
    pose: Affine3A,
    /// Its body, with the components and the position of that; `None` if the collider is its own body.
    body: Option<(Entity, Body, Mass, Response, Vec2)>,
    root: Entity,
}

/// Components of an ancestor from which follows what it hands down, with their change ticks.
#[derive(QueryData)]
pub(crate) struct Sources {
    child_of: Option<Ref<'static, ChildOf>>,
    transform: Option<Ref<'static, Transform>>,
    body: Option<Ref<'static, Body>>,
    mass: Option<Ref<'static, Mass>>,
    response: Option<Ref<'static, Response>>,
}

impl SourcesItem<'_, '_> {
    /// Yields for each of the components that are there whether it has changed.
    fn are_new(&self) -> impl Iterator<Item = bool> {
        fn is_new<T: Component>(source: &Option<Ref<T>>) -> Option<bool> {
            source.as_ref().map(Ref::is_changed)
        }
        let all = [
            is_new(&self.child_of),
            is_new(&self.transform),
            is_new(&self.body),
            is_new(&self.mass),
            is_new(&self.response),
        ];
        all.into_iter().flatten()
    }
}

pub(crate) type Ancestors<'w, 's> = Query<'w, 's, Sources, AllowDisabled>;

/// Returns how many sources a parent and its own ancestors have, and whether any of these is new. If none is, and there are as many as before, they are the same ones: a source that is lost is missing in the number, and one that came in its place is new.
fn count_sources(parent: Entity, ancestors: &Ancestors) -> (usize, bool) {
    let (mut count, mut is_any_new) = (0, false);
    let mut next = Some(parent);
    while let Some(sources) = next.and_then(|ancestor| ancestors.get(ancestor).ok()) {
        for is_new in sources.are_new() {
            count += 1;
            is_any_new |= is_new;
        }
        next = sources.child_of.map(|child_of| child_of.parent());
    }
    (count, is_any_new)
}

/// What was found out about a parent in a tick.
#[derive(Clone, Copy, Debug)]
struct Found {
    is_as_it_was: bool,
    /// The slot of the body, if that is not the child itself.
    body: Option<usize>,
}

/// What is known of a parent since it was last asked for.
#[derive(Clone, Copy, Debug)]
struct Family {
    inheritance: Inheritance,
    /// From how many sources the inheritance follows.
    sources: usize,
    /// The tick in which it was asked for.
    tick: u64,
    found: Found,
}

/// What the parents of static children hand down to them.
#[derive(Default)]
pub(super) struct Families {
    tick: u64,
    /// Parents that were asked for in this tick or in the last one.
    all: EntityHashMap<Family>,
    /// How many parents were asked for in this tick.
    asked: usize,
    /// The parent that was asked for last: mostly the next child has the same one.
    last: Option<(Entity, Found)>,
    /// How often it was found out anew what a parent hands down.
    #[cfg(test)]
    pub(super) finds: usize,
}

impl Families {
    /// Begins a tick. If change ticks can't be trusted, nothing that is known counts.
    pub(super) fn begin(&mut self, must_forget: bool) {
        if must_forget {
            self.all.clear();
        } else if self.asked < self.all.len() {
            // Of parents that were not asked for, it is not known what has changed meanwhile.
            self.all.retain(|_, family| family.tick == self.tick);
        }
        self.tick += 1;
        self.asked = 0;
        self.last = None;
    }

    /// Whether a child inherits from its parent what it inherited in the last tick, when the child was read or found unchanged. `slot` is that of the child, whose own components have not changed.
    pub(super) fn is_as_it_was(
        &mut self,
        parent: Entity,
        slot: usize,
        (ancestors, poses): (&Ancestors, &Poses),
        colliders: &Colliders,
    ) -> bool {
        let found = match self.last {
            Some((last, found)) if last == parent => found,
            _ => {
                let child = colliders.entities[slot];
                let Some(found) = self.ask(parent, child, (ancestors, poses), colliders) else {
                    return false;
                };
                self.last = Some((parent, found));
                found
            }
        };
        let body = found.body.unwrap_or(slot);
        found.is_as_it_was && colliders.placed[slot].body as usize == body
    }

    fn ask(
        &mut self,
        parent: Entity,
        child: Entity,
        (ancestors, poses): (&Ancestors, &Poses),
        colliders: &Colliders,
    ) -> Option<Found> {
        let before = self.all.get(&parent);
        if let Some(before) = before
            && before.tick == self.tick
        {
            return Some(before.found);
        }
        let (sources, is_any_new) = count_sources(parent, ancestors);
        let unchanged = before.filter(|before| !is_any_new && before.sources == sources);
        let inheritance = match unchanged {
            Some(before) => before.inheritance,
            None => {
                #[cfg(test)]
                {
                    self.finds += 1;
                }
                inheritance(child, poses)?
            }
        };
        let body = inheritance.body;
        let found = Found {
            is_as_it_was: before.is_some_and(|before| before.inheritance == inheritance),
            body: body.and_then(|(body, ..)| colliders.body_slot_of(body)),
        };
        let family = Family {
            inheritance,
            sources,
            tick: self.tick,
            found,
        };
        self.all.insert(parent, family);
        self.asked += 1;
        Some(found)
    }
}

/// Returns what a child inherits now. `None` if its body has no place.
fn inheritance(child: Entity, poses: &Poses) -> Option<Inheritance> {
    let body = poses.body_of(child);
    let body = if body == child {
        None
    } else {
        let place = poses.global(body)?.translation().truncate();
        let (kind, mass, response) = poses.body(body);
        Some((body, kind, mass, response, place))
    };
    Some(Inheritance {
        pose: poses.parent_affine(child),
        body,
        root: poses.root_of(child),
    })
}
