use crate::common::at;
use bevy::prelude::*;
use bevy_nudge::{prelude::*, recorder::*};
use std::time::Instant;

#[derive(Component)]
struct Drift(Vec2);

#[test]
#[ignore]
fn measure() {
    for (count, by_velocity, density) in [
        (1000, false, 0.1),
        (10_000, false, 0.1),
        (1000, true, 0.1),
        (10_000, true, 0.1),
        (10_000, false, 0.5),
        (10_000, true, 0.5),
    ] {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins,
            CollisionPlugin::default(),
            CollisionRecorderPlugin::default(),
        ));
        app.finish();
        app.cleanup();
        app.world_mut()
            .resource_mut::<Time>()
            .advance_by(std::time::Duration::from_millis(16));
        let mut random = fastrand::Rng::with_seed(1);
        let side = (count as f32 * 3.14 * 4.0 / density).sqrt();
        app.world_mut().spawn(BoundsCollider::new(side, side));
        for _ in 0..count {
            let place = at((random.f32() - 0.5) * side, (random.f32() - 0.5) * side);
            let speed = Vec2::new(random.f32() - 0.5, random.f32() - 0.5) * 100.0;
            let mut one = app.world_mut().spawn((CircleCollider::new(2.0), place));
            if by_velocity {
                one.insert((Velocity(speed), Response::Bounce { restitution: 1.0 }));
            } else {
                one.insert(Drift(speed / 60.0));
            }
        }
        for is_on in [false, true, false, true] {
            app.world_mut().resource_mut::<CollisionRecorder>().is_on = is_on;
            app.world_mut().resource_mut::<CollisionRecorder>().clear();
            let mut total = 0.0;
            let mut most: f64 = 0.0;
            let mut all = Vec::new();
            for tick in 0..130 {
                let mut query = app.world_mut().query::<(&mut Transform, &Drift)>();
                for (mut transform, drift) in query.iter_mut(app.world_mut()) {
                    transform.translation += drift.0.extend(0.0);
                }
                let start = Instant::now();
                app.world_mut().run_schedule(FixedPostUpdate);
                let time = start.elapsed().as_secs_f64() * 1000.0;
                if tick >= 2 {
                    total += time;
                    most = most.max(time);
                    all.push(time);
                }
            }
            all.sort_by(f64::total_cmp);
            let contacts = app
                .world_mut()
                .run_system_cached(|c: Collisions| c.len())
                .unwrap();
            let recorder = app.world().resource::<CollisionRecorder>();
            println!(
                "{count} velocity {by_velocity} density {density} on {is_on}: mean {:.3} ms median {:.3} max {most:.3}; {} ticks, {} bytes, {:.0} a tick; {contacts} contacts",
                total / 128.0,
                all[64],
                recorder.len(),
                recorder.bytes(),
                recorder.bytes() as f64 / recorder.len() as f64
            );
            if is_on {
                let start = Instant::now();
                let last = *recorder.ticks().unwrap().end();
                recorder.snapshot(last - 3);
                println!(
                    "   snapshot {:.2} ms",
                    start.elapsed().as_secs_f64() * 1000.0
                );
                let start = Instant::now();
                let bytes = recorder.recording().to_bytes();
                let loaded = Recording::from_bytes(&bytes).unwrap();
                println!(
                    "   file {} bytes, there and back {:.2} ms",
                    bytes.len(),
                    start.elapsed().as_secs_f64() * 1000.0
                );
                let start = Instant::now();
                replay(&loaded).unwrap();
                println!("   replay {:.2} ms", start.elapsed().as_secs_f64() * 1000.0);
            }
        }
    }
}
