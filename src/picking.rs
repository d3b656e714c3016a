//! Colliders under the mouse, for Bevy's own picking. Behind the feature `picking`.

use bevy::{
    app::{App, Plugin, PreUpdate},
    camera::{Camera, Projection, visibility::RenderLayers},
    ecs::{
        entity::Entity,
        message::MessageWriter,
        prelude::{Has, Local, Query, Res},
        query::QueryData,
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
    components::{BoundsCollider, IsCollider},
    plugin::required_schedule,
    query::{QueryFilter, SpatialQuery},
};

/// Finds colliders under the pointers, so that `Pointer<Over>`, `Pointer<Click>`, `Pointer<Drag>` and all others of Bevy's picking events reach their entities.
///
/// It is a backend beside Bevy's own: add it with [`DefaultPickingPlugins`](bevy::picking::DefaultPickingPlugins), which `DefaultPlugins` bring along, and the
/// [`CollisionPlugin`](crate::plugin::CollisionPlugin). What is nearer to the camera, by the z of its entity, is on top; [`Pickable`](bevy::picking::Pickable) says which one lets others through. Sensors count, rooms
/// ([`BoundsCollider`]) don't. Colliders are where the newest tick has left them.
///
/// They are found where they are seen, at the z of their entities, by cameras that are tilted or have a perspective, too; of these each costs a look for each different z that there is.
/// What is beyond the far plane of a flat camera, 1000 below a `Camera2d`, is not seen.
///
/// A camera finds what is on its [`RenderLayers`], as for sprites and meshes: so one that draws a map or a menu over the game on layers of its own finds none of the game's colliders. The layers of a collider are said beside
/// it, also on a child, and are Bevy's first one without. `Visibility` makes no difference: what has no looks, or hides them, can be clicked too.
///
/// Without Bevy's picking it says so once, and finds nobody.
///
/// # Panics
/// As the app starts, if it has no [`CollisionPlugin`](crate::plugin::CollisionPlugin).
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
        required_schedule(app, "CollisionPickingPlugin");
        if !app.world().contains_resource::<RayMap>() {
            warn!(
                "CollisionPickingPlugin finds nobody, for the app has no PickingPlugin; DefaultPickingPlugins bring it"
            );
        }
    }
}

/// What of a collider decides who sees it, and where.
#[derive(QueryData)]
struct Looks {
    place: Option<&'static GlobalTransform>,
    layers: Option<&'static RenderLayers>,
    is_room: Has<BoundsCollider>,
}

impl LooksItem<'_, '_> {
    fn height(&self) -> f32 {
        self.place.map_or(0.0, |place| place.translation().z)
    }
}

/// Of a unit vector that leads straight down, rounding leaves less than this to the side.
const LEVEL: f32 = 1.0e-5;

/// Asks who is under each pointer, for each camera that sees it.
fn pick_colliders(
    rays: Res<RayMap>,
    cameras: Query<(
        &Camera,
        &GlobalTransform,
        Option<&Projection>,
        Option<&RenderLayers>,
    )>,
    colliders: Query<Looks, IsCollider>,
    space: SpatialQuery,
    mut hits: MessageWriter<PointerHits>,
    mut heights: Local<Vec<f32>>,
) {
    let height_of = |entity: Entity| colliders.get(entity).map_or(0.0, |looks| looks.height());
    // As those of flat cameras do, up to rounding: it is in one place at all heights.
    let leads_down = |ray: &Ray3d| ray.direction.truncate().abs().max_element() < LEVEL;
    heights.clear();
    if rays.iter().any(|(_, ray)| !leads_down(ray)) {
        heights.extend(colliders.iter().map(|looks| looks.height()));
        heights.sort_unstable_by(f32::total_cmp);
        heights.dedup();
    }
    for (ray_id, ray) in rays.iter() {
        let Ok((camera, place, projection, seen)) = cameras.get(ray_id.camera) else {
            continue;
        };
        // A perspective shows what is however far.
        let reach = match projection {
            Some(Projection::Orthographic(flat)) => {
                let ahead = place.affine().transform_vector3(Vec3::Z);
                (flat.far - flat.near) * ahead.length()
            }
            _ => f32::INFINITY,
        };
        let seen = seen.unwrap_or_default();
        let mut picks: Vec<(Entity, HitData)> = Vec::new();
        let mut pick_at = |ground: Vec3, height: Option<f32>| {
            let counts = |entity: Entity| {
                colliders.get(entity).is_ok_and(|looks| {
                    // All that is outside of a room is in it: it would be under most pointers.
                    seen.intersects(looks.layers.unwrap_or_default())
                        && !looks.is_room
                        && height.is_none_or(|height| looks.height() == height)
                })
            };
            let filter = QueryFilter {
                predicate: Some(&counts),
                ..QueryFilter::ALL
            };
            // The drawing shows what the game asks.
            let under = space.overlap_point(ground.truncate(), &filter).unnoted();
            picks.extend(under.all().iter().filter_map(|hit| {
                // Who is above the camera, or too far below, is not seen by it.
                let seen = at_height(ray, height_of(hit.entity));
                let (depth, position) = seen.filter(|(depth, _)| *depth <= reach)?;
                let data = HitData::new(ray_id.camera, depth, Some(position), Some(Vec3::Z));
                Some((hit.entity, data))
            }));
        };
        if leads_down(ray) {
            let ground = at_height(ray, 0.0);
            pick_at(ground.map_or(ray.origin, |(_, ground)| ground), None);
        } else {
            for &height in &heights {
                if let Some((_, ground)) = at_height(ray, height) {
                    pick_at(ground, Some(height));
                }
            }
        }
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
