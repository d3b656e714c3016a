//! What the plugin tells the game, as messages and as events for observers.
//!
//! Three tell of pairs: [`CollisionStarted`] in the tick in which two colliders meet, [`Collision`] in every tick in which they do, that
//! one included, and [`CollisionEnded`] in the first tick in which they don't, whatever the reason; and where one of two becomes a part of another body, both in one tick. Every started has exactly one ended.
//! [`Crushed`] tells of a body that cannot be freed.
//!
//! What met on the way of a [`Velocity`](crate::components::Velocity), or was passed by a [`Mover`](crate::query::Mover), counts as meeting in that tick, also if it is far away in the end.
//!
//! # Messages
//!
//! They are written in `CollisionSystems::Report`, each pair once, sorted by the pair (what started, by time first), `a` being the entity with the smaller
//! index; indices are reused, so that says nothing of age. A system that looks for "a player has met a coin" reads [`CollisionReader`](crate::query::CollisionReader), which turns each pair the way round that was asked for.
//!
//! Buffered messages outlive frames without a fixed tick: a reader in `Update` sees those of all ticks since it last ran, none in a frame without a tick, several ticks' in a long frame. So count started
//! and ended there, and ask [`Collisions`](crate::query::Collisions) for what is going on *now*; reading [`Collision`] in `Update` counts ticks.
//!
//! # Observers
//!
//! The same structs are entity events, triggered right after the messages of the tick are written: ended, then started, then those that go on, then crushed. `entity.observe(...)` is called
//! once for each pair that the entity is part of, and `a` is the observed entity: the event is turned so. A global observer hears of each pair from both sides. Nothing has to be put on the entities.
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
//! An entity that is gone cannot be observed: of a pair of which one despawned only the other one is notified, while global observers hear both sides. An event goes up from a collider to its ancestors if
//! [`CollisionSettings::bubble`](crate::settings::CollisionSettings::bubble) says so, or if an observer of the collider calls `propagate(true)`; then `a` is the ancestor, and `original_event_target()` the collider. A global observer hears each step of that, as of all of Bevy's events that go up. Where a collider is gone, or belongs to another body now, its event goes on at the body that it had, and `original_event_target()` is that body then: what has begun for it ends for it.
//!
//! Without an observer, events cost nothing. An observer costs about a tenth of a microsecond for each pair that it hears of; many pairs in every tick are for messages.

mod collision;
mod ended;
mod crushed;
mod sides;

pub use collision::{Collision, CollisionStarted};
pub use crushed::Crushed;
pub use ended::{CollisionEnded, EndReason};
