//! What the plugin tells the game, as messages and as events for observers.
//!
//! Three messages tell of pairs:
//!
//! - [`CollisionStarted`] in the tick in which two colliders meet.
//! - [`Collision`] in every tick in which they meet, the first one included.
//! - [`CollisionEnded`] in the first tick in which they do not meet any more, whatever the reason.
//!
//! Every start has exactly one end. Where a collider of a pair that meets becomes part of another body, the old collision ends and a new one starts in the same tick.
//! [`Crushed`] tells of a body that cannot be freed.
//!
//! Colliders that a body meets on its way by a [`Velocity`](crate::components::Velocity), or passes by a [`Mover`](crate::query::Mover), count as meeting in that tick, even if the body is far away at its end.
//!
//! # Messages
//!
//! The plugin writes them in `CollisionSystems::Report`, each pair once, sorted by the pair (what started, by time first). `a` is the entity with the smaller
//! index; indices are reused, so that says nothing of age. A system that looks for "a player has met a coin" reads [`CollisionReader`](crate::query::CollisionReader), which turns each pair so that the player is `a`.
//!
//! Messages wait for a reader in `Update`, through [frames without a tick, and with several](crate::guide::schedules#frames-without-a-tick-and-with-several). What collides *now* is asked of [`Collisions`](crate::query::Collisions).
//!
//! # Observers
//!
//! The same structs are entity events, triggered right after the messages of the tick are written: ended, then started, then ongoing, then crushed. An observer added by `entity.observe(...)` runs
//! once for each pair that the entity is part of, and the event is turned so that `a` is the observed entity. A global observer hears of each pair from both sides. The entities need no extra component.
//!
//! ```
//! # use bevy::prelude::*; use bevy_nudge::prelude::*;
//! # let mut app = App::new();
//! # app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
//! #[derive(Component)]
//! struct Spikes;
//!
//! #[derive(Resource, Default)]
//! struct Steps(Vec<(Entity, Entity)>);
//!
//! app.init_resource::<Steps>();
//! app.add_observer(|hit: On<CollisionStarted>, spikes: Query<(), With<Spikes>>, mut steps: ResMut<Steps>| {
//!     if spikes.contains(hit.a) {
//!         steps.0.push((hit.a, hit.b));
//!     }
//! });
//! let player = app.world_mut().spawn(CircleCollider::new(5.0)).id();
//! let spikes = app.world_mut().spawn((CircleCollider::new(5.0), Spikes)).id();
//! app.world_mut().run_schedule(FixedPostUpdate);
//! assert_eq!(app.world().resource::<Steps>().0, [(spikes, player)]);
//! ```
//!
//! - **Entities that are gone** cannot be observed: of a pair of which one entity despawned, only the other one is notified, while global observers hear both sides.
//! - **Ancestors:** an event bubbles up from a collider to its ancestors if [`CollisionSettings::bubble`](crate::settings::CollisionSettings::bubble) says so, or if an observer of the collider calls `propagate(true)`. Then `a` is the ancestor, and `original_event_target()` the collider. A global observer hears each step of that, as with all events of Bevy that propagate.
//! - **Colliders that are gone, or belong to another body now:** the end of their collision bubbles up from the body that they had, and `original_event_target()` is that body then. So a body that hears a start hears its end.
//!
//! A kind of event that nothing observes costs nothing. As soon as anything observes it, both sides of all pairs of that kind are looked up in each tick, besides about a tenth of a microsecond for each pair that an observer hears of. For many pairs in every tick, use messages.

mod collision;
mod ended;
mod crushed;
mod sides;

pub use collision::{Collision, CollisionStarted};
pub use crushed::Crushed;
pub use ended::{CollisionEnded, EndReason};
