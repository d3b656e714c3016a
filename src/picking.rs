//! A backend for Bevy's own picking: finds colliders under the mouse. Behind the feature `picking`.

use bevy::{
    app::{App, Plugin, PreUpdate},
    camera::{Camera, Projection, visibility::RenderLayers},
    ecs::{
        entity::Entity,
        hierarchy::ChildOf,
        message::MessageWriter,
        prelude::{Has, Local, Query, Res, With},
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
    plugin::require_collisions,
    query::{QueryFilter, SpatialQuery},
    tiles::{MergedTiles, TileColliders},
};

/// Finds colliders under the pointers, so that `Pointer<Over>`, `Pointer<Click>`, `Pointer<Drag>` and all other events of Bevy's picking reach their entities.
///
/// It is a backend beside Bevy's own: add it with [`DefaultPickingPlugins`](bevy::picking::DefaultPickingPlugins), which `DefaultPlugins` include, and the
/// [`CollisionPlugin`](crate::plugin::CollisionPlugin). The collider nearest to the camera, by the z of its entity, is on top; [`Pickable`](bevy::picking::Pickable) says which one lets others through. Sensors count, rooms
/// ([`BoundsCollider`]) don't. Colliders are where the newest tick has left them.
///
/// Colliders are found where they are seen, at the z of their entities, by tilted and perspective cameras too; each of these costs a query for each different z among the colliders.
/// What is beyond the far plane of an orthographic camera, 1000 below a `Camera2d`, is not found.
///
/// A camera finds the colliders on its [`RenderLayers`], as it does sprites and meshes: so one that draws a map or a menu over the game on layers of its own finds none of the game's colliders. A collider's `RenderLayers` go on its own
/// entity, also on a child, and those of all cells beside their [grid](TileColliders); without them it is on Bevy's first layer. `Visibility` makes no difference: an invisible collider can be clicked too.
///
/// Without Bevy's picking it warns once, and finds nothing.
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
        require_collisions(app, "CollisionPickingPlugin");
        if !app.world().contains_resource::<RayMap>() {
            warn!(
                "CollisionPickingPlugin finds no colliders, because the app has no PickingPlugin; add DefaultPickingPlugins"
            );
        }
    }
}

type IsGrid = With<TileColliders>;

/// The components of a collider that decide which cameras see it, and where.
#[derive(QueryData)]
struct Looks {
    place: Option<&'static GlobalTransform>,
    layers: Option<&'static RenderLayers>,
    is_room: Has<BoundsCollider>,
    cell_of: Option<(&'static ChildOf, &'static MergedTiles)>,
}

impl LooksItem<'_, '_> {
    /// Those of its own, or of its grid, since the plugin spawns the cells of a grid.
    fn layers<'a>(&'a self, grids: &'a Query<&RenderLayers, IsGrid>) -> &'a RenderLayers {
        let grid = self.cell_of.map(|(grid, _)| grid.parent());
        let of_grid = || grids.get(grid?).ok();
        self.layers.or_else(of_grid).unwrap_or_default()
    }

    fn height(&self) -> f32 {
        self.place.map_or(0.0, |place| place.translation().z)
    }
}

/// How far a unit vector that points straight down may lead to the side on an axis, because of rounding.
const LEVEL: f32 = 1.0e-5;

/// Finds the colliders under each pointer, for each camera that the pointer is over.
fn pick_colliders(
    rays: Res<RayMap>,
    cameras: Query<(
        &Camera,
        &GlobalTransform,
        Option<&Projection>,
        Option<&RenderLayers>,
    )>,
    colliders: Query<Looks, IsCollider>,
    grids: Query<&RenderLayers, IsGrid>,
    space: SpatialQuery,
    mut hits: MessageWriter<PointerHits>,
    mut heights: Local<Vec<f32>>,
) {
    let height_of = |entity: Entity| colliders.get(entity).map_or(0.0, |looks| looks.height());
    // The rays of orthographic cameras that are not tilted lead down, up to rounding: such a ray is in one place at all heights.
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
        // A perspective camera shows things at any distance.
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
                    // A room covers everything outside of its walls, so it would be under most pointers.
                    seen.intersects(looks.layers(&grids))
                        && !looks.is_room
                        && height.is_none_or(|height| looks.height() == height)
                })
            };
            let filter = QueryFilter {
                predicate: Some(&counts),
                ..QueryFilter::ALL
            };
            // The debug drawing shows only what the game asks.
            let under = space.overlap_point(ground.truncate(), &filter).unnoted();
            picks.extend(under.all().iter().filter_map(|hit| {
                // A collider above the camera, or too far below it, is not seen by it.
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

/// Returns how far a ray goes to this z, and the point there; `None` if it never gets there, or only behind its start.
fn at_height(ray: &Ray3d, z: f32) -> Option<(f32, Vec3)> {
    let distance = (z - ray.origin.z) / ray.direction.z;
    let is_ahead = (0.0..f32::INFINITY).contains(&distance);
    is_ahead.then(|| (distance, ray.get_point(distance)))
}
