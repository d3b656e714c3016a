//! Triggers observers: one event for each side that has a listener.

use bevy::ecs::{
    entity::Entity,
    event::{EntityEvent, Event, PropagateEntityTrigger, SetEntityEventTarget},
    hierarchy::ChildOf,
    message::{Message, Messages},
    observer::CachedObservers,
    prelude::World,
    system::{Local, SystemState},
};

use crate::{
    messages::{Collision, CollisionEnded, CollisionStarted, Crushed},
    settings::CollisionSettings,
    state::{colliders::Colliders, contacts::Contacts, pose::Poses, report_counts::ReportCounts},
};

/// An event about a collider, and the body that it belongs or belonged to.
trait Told: EntityEvent + SetEntityEventTarget {
    /// The body to which the event bubbles on if the collider is gone, or has left its body, so that the body is no ancestor any more.
    fn body(&self) -> Entity;
}

impl Told for CollisionEnded {
    fn body(&self) -> Entity {
        self.body_a
    }
}

impl Told for CollisionStarted {
    fn body(&self) -> Entity {
        self.body_a
    }
}

impl Told for Collision {
    fn body(&self) -> Entity {
        self.body_a
    }
}

impl Told for Crushed {
    fn body(&self) -> Entity {
        self.body
    }
}

/// Events until they are triggered: they are collected first, since an observer may do anything to the world.
#[derive(Default)]
pub(crate) struct Buffers {
    ended: Vec<CollisionEnded>,
    started: Vec<CollisionStarted>,
    ongoing: Vec<Collision>,
    crushed: Vec<Crushed>,
}

/// Triggers the events for which there are observers; costs nothing if there are none.
pub(crate) fn notify_observers(
    world: &mut World,
    poses: &mut SystemState<Poses>,
    mut buffers: Local<Buffers>,
) {
    let Buffers {
        ended,
        started,
        ongoing,
        crushed,
    } = &mut *buffers;
    let counts = *world.resource::<ReportCounts>();
    let bubbles = world.resource::<CollisionSettings>().bubble;
    if let Some(audience) = Audience::of::<CollisionEnded>(world, bubbles) {
        let newest = newest::<CollisionEnded>(world, counts.ended);
        let sides = newest.flat_map(|one| [one.clone(), one.clone().swapped()]);
        ended.extend(sides.filter(|side| audience.listens(side)));
    }
    if let Some(audience) = Audience::of::<CollisionStarted>(world, bubbles) {
        let newest = newest::<CollisionStarted>(world, counts.started);
        let sides = newest.flat_map(|one| [*one, one.swapped()]);
        started.extend(sides.filter(|side| audience.listens(side)));
    }
    if let Some(audience) = Audience::of::<Collision>(world, bubbles) {
        let contacts = world.resource::<Contacts>();
        let all = contacts.in_order(world.resource::<Colliders>());
        let sides = all.flat_map(|one| [one, one.swapped()]);
        ongoing.extend(sides.filter(|side| audience.listens(side)));
    }
    if let Some(audience) = Audience::of::<Crushed>(world, bubbles) {
        let newest = newest::<Crushed>(world, counts.crushed).copied();
        crushed.extend(newest.filter(|one| audience.listens(one)));
    }
    trigger(world, poses, ended, bubbles);
    trigger(world, poses, started, bubbles);
    trigger(world, poses, ongoing, bubbles);
    trigger(world, poses, crushed, bubbles);
}

/// Returns the `count` messages that were written last.
fn newest<M: Message>(world: &World, count: usize) -> impl Iterator<Item = &M> {
    let messages = world.resource::<Messages<M>>();
    let older = messages
        .iter_current_update_messages()
        .len()
        .saturating_sub(count);
    messages.iter_current_update_messages().skip(older)
}

/// The observers of one kind of event.
struct Audience<'w> {
    world: &'w World,
    observers: &'w CachedObservers,
    bubbles: bool,
}

impl<'w> Audience<'w> {
    /// Returns `None` if nothing observes this kind of event.
    fn of<E: Event>(world: &'w World, bubbles: bool) -> Option<Self> {
        let key = world.event_key::<E>()?;
        let observers = world.observers().try_get_observers(key)?;
        let is_heard =
            !observers.global_observers().is_empty() || !observers.entity_observers().is_empty();
        is_heard.then_some(Self {
            world,
            observers,
            bubbles,
        })
    }

    /// Whether any observer hears an event.
    fn listens(&self, event: &impl Told) -> bool {
        let is_observed = |entity| self.observers.entity_observers().contains_key(&entity);
        let goes_up_to_one = |from| is_observed(from) || self.ancestors(from).any(is_observed);
        let (entity, body) = (event.event_target(), event.body());
        !self.observers.global_observers().is_empty()
            || is_observed(entity)
            // An entity that is gone has no ancestors, and one that has left its body has others; but the event still names that body.
            || (self.bubbles && (goes_up_to_one(entity) || goes_up_to_one(body)))
    }

    fn ancestors(&self, entity: Entity) -> impl Iterator<Item = Entity> {
        let parent = |entity: Entity| self.world.get::<ChildOf>(entity).map(ChildOf::parent);
        std::iter::successors(parent(entity), move |ancestor| parent(*ancestor))
    }
}

fn trigger<E>(world: &mut World, poses: &mut SystemState<Poses>, events: &mut Vec<E>, bubbles: bool)
where
    E: Told + for<'a> Event<Trigger<'a> = PropagateEntityTrigger<false, E, &'static ChildOf>>,
{
    for mut event in events.drain(..) {
        let (target, body) = (event.event_target(), event.body());
        let Ok(poses) = poses.get(world) else {
            return;
        };
        // The collider is gone, or is a part of another body now; that body has nothing to do with this event.
        let has_left = poses.body_of(target) != body;
        let goes_on = bubbles && has_left && body != target;
        let goes_on = goes_on && world.entities().contains_spawned(body);
        let is_body_its_own = poses.body_of(body) == body;
        let mut trigger = PropagateEntityTrigger::default();
        trigger.propagate = bubbles && !has_left;
        world.trigger_ref_with(&mut event, &mut trigger);
        if goes_on {
            event.set_event_target(body);
            trigger.propagate = is_body_its_own;
            world.trigger_ref_with(&mut event, &mut trigger);
        }
        // Each observer is to find done what the one before it did.
        world.flush();
    }
}

#[cfg(test)]
mod tests {
    use bevy::prelude::*;

    use super::*;
    use crate::plugin::CollisionPlugin;

    fn app() -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
        app
    }

    /// A kind of event that nothing observes costs nothing, whatever is observed besides.
    #[test]
    fn only_what_is_observed_has_an_audience() {
        let mut app = app();
        let heard = |app: &App| {
            let world = app.world();
            [
                Audience::of::<CollisionStarted>(world, false).is_some(),
                Audience::of::<Collision>(world, false).is_some(),
                Audience::of::<CollisionEnded>(world, false).is_some(),
                Audience::of::<Crushed>(world, false).is_some(),
            ]
        };
        assert_eq!(heard(&app), [false; 4]);
        let mut dot = app.world_mut().spawn_empty();
        let dot = dot.observe(|_: On<CollisionStarted>| {}).id();
        app.world_mut().flush();
        assert_eq!(heard(&app), [true, false, false, false]);
        app.add_observer(|_: On<Crushed>| {});
        assert_eq!(heard(&app), [true, false, false, true]);
        app.world_mut().despawn(dot);
        assert_eq!(heard(&app), [false, false, false, true]);
    }

    /// An event is only triggered for an entity that is observed or, if events bubble, one of whose ancestors is, or the body that it has left, or an ancestor of that.
    #[test]
    fn only_those_listen_that_hear_of_it() {
        let mut app = app();
        let world = app.world_mut();
        let squad = world.spawn_empty().id();
        let body = world.spawn(ChildOf(squad)).id();
        let arm = world.spawn(ChildOf(body)).id();
        let hand = world.spawn(ChildOf(arm)).id();
        let finger = world.spawn(ChildOf(hand)).id();
        let other = world.spawn_empty().id();
        let loose = world.spawn_empty().id();
        let hit = |a: Entity, body_a: Entity, b: Entity, body_b: Entity| CollisionStarted {
            a,
            b,
            body_a,
            body_b,
            normal: Vec2::X,
            depth: 0.0,
            point: Vec2::ZERO,
            time: 0.0,
            approach_speed: 0.0,
        };
        let hits = [
            hit(hand, body, other, other),
            hit(other, other, hand, body),
            // It has left the body since.
            hit(loose, body, other, other),
        ];
        for (case, observed, direct, bubbling) in [
            (
                "the collider",
                hand,
                [true, false, false],
                [true, false, false],
            ),
            ("a part between", arm, [false; 3], [true, false, false]),
            ("the body", body, [false; 3], [true, false, true]),
            ("above the body", squad, [false; 3], [true, false, true]),
            ("below the collider", finger, [false; 3], [false; 3]),
            (
                "the other one",
                other,
                [false, true, false],
                [false, true, false],
            ),
            (
                "what is loose",
                loose,
                [false, false, true],
                [false, false, true],
            ),
        ] {
            let mut observer = Observer::new(|_: On<CollisionStarted>| {});
            observer.watch_entity(observed);
            let observer = app.world_mut().spawn(observer).id();
            app.world_mut().flush();
            for (bubbles, expected) in [(false, direct), (true, bubbling)] {
                let audience = Audience::of::<CollisionStarted>(app.world(), bubbles);
                let audience = audience.expect("one entity is observed");
                let listens = hits.map(|hit| audience.listens(&hit));
                assert_eq!(listens, expected, "{case}, {bubbles}");
            }
            app.world_mut().despawn(observer);
        }
    }
}
