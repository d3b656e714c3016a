//! A steady game allocates nothing: once all buffers have grown, ticks come and go without a single call of the allocator.

#[path = "../common/mod.rs"]
mod common;

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicU64, Ordering},
};

use bevy::{
    ecs::schedule::{ScheduleLabel, SingleThreadedExecutor},
    prelude::*,
};
use bevy_nudge::prelude::*;

/// The system's allocator, counted.
struct Counting;

static CALLS: AtomicU64 = AtomicU64::new(0);

#[expect(unsafe_code, reason = "the only way to see what is allocated")]
// SAFETY: every call is handed on as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Tick;

/// Where it is turned about, and how far from there it goes.
#[derive(Component)]
struct Orbit {
    center: Vec2,
    radius: f32,
}

/// How many calls of the allocator the plugin makes in 64 ticks, after it has seen all of them twice.
fn calls(body: Body) -> u64 {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, CollisionPlugin::new(Tick)))
        .edit_schedule(Tick, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        });
    app.finish();
    app.cleanup();
    let mut random = fastrand::Rng::with_seed(3);
    for number in 0..1500 {
        let mut place = || random.f32() * 300.0;
        let center = Vec2::new(place(), place());
        let body = if number % 3 == 0 { Body::Static } else { body };
        let mut entity = app
            .world_mut()
            .spawn((body, Transform::from_translation(center.extend(0.0))));
        if number % 2 == 0 {
            entity.insert(CircleCollider::new(2.0));
        } else {
            entity.insert(BoxCollider::square(4.0));
        }
        if body != Body::Static {
            let radius = 4.0 * (number % 7) as f32 / 7.0;
            entity.insert(Orbit { center, radius });
        }
    }
    let mut orbits = app.world_mut().query::<(&Orbit, &mut Transform)>();
    let mut counted = 0;
    for tick in 0..3 * 64 {
        let turn = Vec2::from_angle((tick % 64) as f32 / 64.0 * std::f32::consts::TAU);
        for (orbit, mut transform) in orbits.iter_mut(app.world_mut()) {
            transform.translation = (orbit.center + turn * orbit.radius).extend(0.0);
        }
        let before = CALLS.load(Ordering::Relaxed);
        app.world_mut().run_schedule(Tick);
        if tick >= 2 * 64 {
            counted += CALLS.load(Ordering::Relaxed) - before;
        }
        let found = app.world().resource::<Messages<Collision>>().len();
        assert!(found > 100, "a tick without collisions shows nothing");
        // As Bevy does in each frame.
        app.world_mut()
            .resource_mut::<Messages<Collision>>()
            .clear();
        app.world_mut()
            .resource_mut::<Messages<CollisionStarted>>()
            .clear();
        app.world_mut()
            .resource_mut::<Messages<CollisionEnded>>()
            .clear();
    }
    counted
}

/// In one test, for the count is that of the whole program.
#[test]
fn a_steady_tick_allocates_nothing() {
    assert_eq!(calls(Body::Kinematic), 0, "reports only");
    assert_eq!(calls(Body::Dynamic), 0, "pushed apart");
}
