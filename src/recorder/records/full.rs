//! A record of everything, to test how it is written.

use bevy::{
    ecs::{entity::Entity, name::Name},
    math::{Quat, Vec2, Vec3},
    transform::components::Transform,
};

use super::{Changes, Outcome, Record, SlotRecord};
use crate::{
    components::{
        Body, BoundsCollider, BoxCollider, CircleCollider, CollisionLayers, CollisionTag,
        IgnoreCollisions, Mass, OneWay, PlatformOnLeave, Response, Rider, SurfaceVelocity, Swept,
        Velocity,
    },
    kernel::Touching,
    placed::Meeting,
    recorder::entities::Attributes,
    settings::CollisionSettings,
    sweep::Hit,
};

impl Record {
    /// Returns a record in which nothing is empty, and nearly each number is another one. It makes no sense.
    pub(in crate::recorder) fn full() -> Self {
        let two = |first: f32| Vec2::new(first, first + 0.5);
        let entity = |index| Entity::from_raw_u32(index).expect("it is valid");
        let mut swept = Swept::default();
        swept.leave_at(two(1.0));
        let attributes = Attributes {
            circle: Some(CircleCollider::new(2.0).with_offset(two(3.0))),
            rectangle: Some(
                BoxCollider::new(20.0, 30.0)
                    .with_corner_radius(4.0)
                    .with_offset(two(5.0)),
            ),
            bounds: Some(BoundsCollider::new(40.0, 50.0).with_offset(two(6.0))),
            body: Some(Body::Static),
            mass: Some(Mass(7.0)),
            layers: Some(CollisionLayers::new(8, 9)),
            is_sensor: true,
            response: Some(Response::Bounce { restitution: 0.5 }),
            one_way: Some(OneWay(two(10.0))),
            drops_through: true,
            surface_velocity: Some(SurfaceVelocity(two(11.0))),
            ignores: Some(IgnoreCollisions {
                entities: vec![entity(12)],
                family: true,
            }),
            is_disabled: true,
            is_off: false,
            tag: Some(CollisionTag(13)),
            name: Some(Name::new("crate")),
        };
        let attributes = postcard::to_allocvec(&attributes).expect("it can be written");
        let changes = Changes {
            gone: vec![14],
            came: vec![entity(15)],
            places: vec![(16, two(17.0))],
            transforms: vec![(
                18,
                Some(Transform {
                    translation: Vec3::new(19.0, 20.0, 21.0),
                    rotation: Quat::from_xyzw(0.1, 0.2, 0.3, 0.4),
                    scale: Vec3::new(22.0, 23.0, 24.0),
                }),
            )],
            parents: vec![(25, Some(26)), (27, None)],
            velocities: vec![(28, Some(Velocity(two(29.0))))],
            swept: vec![(30, Some(swept))],
            riders: vec![(
                31,
                Some(Rider {
                    on_leave: PlatformOnLeave::AddUpwardVelocity,
                    platform_velocity: two(32.0),
                }),
            )],
            attributes: vec![(33, attributes.into())],
        };
        let slot = SlotRecord {
            entity: 34,
            body: 35,
            kind: Body::Kinematic,
            is_collider: true,
            is_sensor: false,
            is_room: true,
            outline: [36, 37, 38],
            offset: [39, 40],
            one_way: [41, 42],
            surface_velocity: [43, 44],
            layers: CollisionLayers::new(45, 46),
        };
        let meeting = Meeting {
            slots: (47, 48),
            normal: two(49.0),
            depth: 50.0,
            point: two(51.0),
            time: 0.25,
        };
        Self {
            tick: 52,
            nanoseconds: 53,
            settings: Some(CollisionSettings {
                touching: Touching::Ignored,
                margin: 54.0,
                up: two(55.0),
                bounce_threshold: 56.0,
                bubble: true,
                push_out_rounds: 57,
            }),
            inputs: changes.clone(),
            outcome: Outcome {
                slots: vec![(58, Some(slot)), (59, None)],
                places: vec![(60, two(61.0))],
                passed: vec![Hit::of([62, 63], [two(64.0), two(65.0)], two(66.0), 0.75)],
                met: vec![meeting],
                parted: vec![(67, 68)],
                legs: vec![(69, Some([two(70.0), two(71.0)])), (72, None)],
                is_swept: true,
                written: changes,
            },
        }
    }
}
