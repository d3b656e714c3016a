//! Colliders under the mouse, for Bevy's own picking. Behind the feature `picking`.

use bevy::{
    app::{App, Plugin, PreUpdate},
    camera::{Camera, visibility::RenderLayers},
    ecs::{
        entity::Entity,
        message::MessageWriter,
        prelude::{Query, Res, With},
        schedule::{IntoScheduleConfigs, common_conditions::resource_exists},
    },
    math::{Ray3d, Vec3},
    picking::{
        PickingSystems,
        backend::{HitData, PointerHits, ray::RayMap},
    },
    transform::components::GlobalTransform,
};
use tracing::warn;

use crate::{
    components::BoundsCollider,
    query::{QueryFilter, SpatialQuery},
};

/// Finds colliders under the pointers, so that `Pointer<Over>`, `Pointer<Click>`, `Pointer<Drag>` and all others of Bevy's picking events reach their entities.
///
/// It is a backend beside Bevy's own: add it with [`DefaultPickingPlugins`](bevy::picking::DefaultPickingPlugins), which `DefaultPlugins` bring along, and the
/// [`CollisionPlugin`](crate::plugin::CollisionPlugin). What is nearer to the camera, by the z of its entity, is on top; [`Pickable`](bevy::picking::Pickable) says which one lets others through. Sensors count, rooms
/// ([`BoundsCollider`]) don't. Colliders are where the newest tick has left them.
///
/// A camera finds what is on its [`RenderLayers`], as for sprites and meshes: so one that draws a map or a menu over the game on layers of its own finds none of the game's colliders. The layers of a collider are said beside
/// it, also on a child, and are Bevy's first one without. `Visibility` makes no difference: what has no looks, or hides them, can be clicked too.
///
/// Without Bevy's picking it says so once, and finds nobody.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::{picking::CollisionPickingPlugin, prelude::*};
///
/// # let mut app = App::new();
/// # app.add_plugins(MinimalPlugins);
/// app.add_plugins((CollisionPlugin::default(), CollisionPickingPlugin));
/// app.world_mut()
///     .spawn(CircleCollider::new(20.0))
///     .observe(|click: On<Pointer<Click>>| println!("{} was clicked", click.entity));
/// # assert!(app.is_plugin_added::<CollisionPickingPlugin>());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CollisionPickingPlugin;

impl Plugin for CollisionPickingPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            PreUpdate,
            pick_colliders
                .in_set(PickingSystems::Backend)
                .run_if(resource_exists::<RayMap>),
        );
    }

    // Bevy's own plugins may come after this one.
    fn finish(&self, app: &mut App) {
        if !app.world().contains_resource::<RayMap>() {
            warn!(
                "CollisionPickingPlugin finds nobody, for the app has no PickingPlugin; DefaultPickingPlugins bring it"
            );
        }
    }
}

/// Asks who is under each pointer, for each camera that sees it.
fn pick_colliders(
    rays: Res<RayMap>,
    cameras: Query<(&Camera, Option<&RenderLayers>)>,
    places: Query<&GlobalTransform>,
    layers: Query<&RenderLayers>,
    rooms: Query<(), With<BoundsCollider>>,
    space: SpatialQuery,
    mut hits: MessageWriter<PointerHits>,
) {
    for (ray_id, ray) in rays.iter() {
        let (Ok((camera, seen)), Some(ground)) = (cameras.get(ray_id.camera), at_height(ray, 0.0))
        else {
            continue;
        };
        let seen = seen.unwrap_or_default();
        let counts = |entity: Entity| {
            let own = layers.get(entity).unwrap_or_default();
            // All that is outside of a room is in it: it would be under most pointers.
            seen.intersects(own) && !rooms.contains(entity)
        };
        let filter = QueryFilter {
            predicate: Some(&counts),
            ..QueryFilter::ALL
        };
        let point = ground.1.truncate();
        let picks: Vec<(Entity, HitData)> = space
            .overlap_point(point, &filter)
            // The drawing shows what the game asks.
            .unnoted()
            .all()
            .iter()
            .filter_map(|hit| {
                let place = places.get(hit.entity);
                let height = place.map_or(0.0, |place| place.translation().z);
                // Who is above the camera is not seen by it.
                let (depth, _) = at_height(ray, height)?;
                let position = Some(point.extend(height));
                Some((
                    hit.entity,
                    HitData::new(ray_id.camera, depth, position, Some(Vec3::Z)),
                ))
            })
            .collect();
        if !picks.is_empty() {
            hits.write(PointerHits::new(ray_id.pointer, picks, camera.order as f32));
        }
    }
}

/// Where a ray is at this z, and how far that is; `None` if it never gets there, or was there before it began.
fn at_height(ray: &Ray3d, z: f32) -> Option<(f32, Vec3)> {
    let distance = (z - ray.origin.z) / ray.direction.z;
    let is_ahead = (0.0..f32::INFINITY).contains(&distance);
    is_ahead.then(|| (distance, ray.get_point(distance)))
}
