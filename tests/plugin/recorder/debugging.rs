use super::everything::Everything;
use bevy::prelude::*;
use bevy_nudge::{prelude::*, recorder::*};

#[test]
#[ignore]
fn debug() {
    for (seed, until, names) in [(21, 40, ["34v0", "35v0"]), (3, 300, ["36v0", "36v0"])] {
        let mut everything = Everything::new(seed);
        let mut lines = Vec::new();
        for tick in 0..until {
            everything.tick();
            let world = everything.app.world_mut();
            let settings = *world.resource::<CollisionSettings>();
            let mut query = world.query_filtered::<(
                Entity,
                Option<&Transform>,
                Option<&Body>,
                Option<&Velocity>,
                Option<&CollisionLayers>,
                Option<&ChildOf>,
                Has<Sensor>,
                Option<&Response>,
                (
                    Option<&Swept>,
                    Has<ColliderDisabled>,
                    Option<&IgnoreCollisions>,
                ),
            ), Or<(
                With<BoxCollider>,
                With<CircleCollider>,
                With<BoundsCollider>,
            )>>();
            for item in query.iter(world) {
                if names.contains(&item.0.to_string().as_str()) {
                    lines.push((tick + 1, format!("{item:?} {settings:?}")));
                }
            }
        }
        let recording = everything
            .app
            .world()
            .resource::<CollisionRecorder>()
            .recording();
        let difference = replay(&recording).unwrap_err();
        println!("{difference}");
        let at = difference.tick;
        for tick in at - 2..=at {
            let snapshot = recording.snapshot(tick).unwrap();
            println!("tick {tick}");
            for one in &snapshot.colliders {
                if names.contains(&one.entity.to_string().as_str()) {
                    println!("  {one:?}");
                }
            }
            for one in &snapshot.contacts {
                if names.contains(&one.a.to_string().as_str())
                    || names.contains(&one.b.to_string().as_str())
                {
                    println!("  {one:?}");
                }
            }
            for (t, line) in &lines {
                if *t == tick {
                    println!("  {line}");
                }
            }
        }
    }
}
