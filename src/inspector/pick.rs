//! Clicks in the world.

use bevy::{
    camera::{Camera, RenderTarget, visibility::RenderLayers},
    ecs::prelude::{Entity, Has, In, Query, Res, With, World},
    gizmos::config::GizmoConfigStore,
    math::{Vec2, Vec3, primitives::InfinitePlane3d},
    transform::components::GlobalTransform,
    window::PrimaryWindow,
};
use bevy_egui::{
    PrimaryEguiContext,
    egui::{Context, PointerButton},
};

use super::{described::who_is_at, state::CollisionInspector};
use crate::debug::CollisionGizmos;

/// What is refused, or is but a line, is hit within so many pixels; and within as many a click is one in the same place.
const REACH: f32 = 6.0;

/// Picks who is where the world was clicked, if it was the world and not a panel.
pub(super) fn pick_by_click(
    world: &mut World,
    context: &Context,
    inspector: &mut CollisionInspector,
) {
    // For egui what a game shows on the layer of the background is not over the world; what of it can be clicked is.
    let is_on_widget = context.interaction_snapshot(|seen| seen.clicked.is_some());
    if !inspector.layout.picks || is_on_widget || context.is_pointer_over_egui() {
        return;
    }
    let clicked = context.input(|input| {
        let pointer = &input.pointer;
        let is_click = pointer.button_clicked(PointerButton::Primary);
        let place = is_click.then(|| pointer.interact_pos()).flatten()?;
        Some((place, input.modifiers.command))
    });
    let Some((place, as_second)) = clicked else {
        return;
    };
    let physical = Vec2::new(place.x, place.y) * context.pixels_per_point();
    let seen = world.run_system_cached_with(world_place, physical);
    let Some((point, pixel)) = seen.ok().flatten() else {
        return;
    };
    let found = who_is_at(world, point, REACH * pixel);
    // What was picked by a click here gives way to what is below.
    let known = if as_second {
        inspector.second
    } else {
        inspector.first
    };
    let last = inspector.last_click;
    let next = last
        .filter(|(there, picked)| there.distance(place) <= REACH && known == Some(*picked))
        .and_then(|(_, picked)| found.iter().position(|entity| *entity == picked))
        .map_or(0, |at| (at + 1) % found.len());
    if let Some(&entity) = found.get(next) {
        inspector.pick(entity, as_second);
        inspector.last_click = Some((place, entity));
    }
}

/// What is asked of a camera.
type CameraData = (
    &'static Camera,
    &'static GlobalTransform,
    Option<&'static RenderTarget>,
    Option<&'static RenderLayers>,
    Has<PrimaryEguiContext>,
);

/// What is seen at a pixel of the window: where that is in the world, and how large a logical pixel is there.
fn world_place(
    In(physical): In<Vec2>,
    cameras: Query<CameraData>,
    primary: Query<Entity, With<PrimaryWindow>>,
    store: Option<Res<GizmoConfigStore>>,
) -> Option<(Vec2, f32)> {
    let primary = primary.single().ok();
    // One for a menu or a map, which does not show what is drawn of the colliders, sees other places.
    let drawn = store
        .as_ref()
        .and_then(|store| store.get_config::<CollisionGizmos>())
        .map_or_else(RenderLayers::default, |(config, _)| {
            config.render_layers.clone()
        });
    let own = cameras.iter().find(|(.., is_own)| *is_own);
    let own_target = own.and_then(|(_, _, target, ..)| target);
    let mut seeing: Vec<_> = cameras
        .iter()
        .filter(|(camera, _, target, layers, _)| {
            let is_same = match (target, own_target) {
                (Some(one), Some(other)) => is_same_target(one, other, primary),
                _ => true,
            };
            let shows = layers.unwrap_or_default().intersects(&drawn);
            camera.is_active && is_same && shows
        })
        .collect();
    // What is drawn last is on top.
    seeing.sort_by_key(|(camera, ..)| -camera.order);
    seeing.into_iter().find_map(|(camera, place, ..)| {
        let logical = physical / camera.target_scaling_factor()?;
        let seen = camera.logical_viewport_rect()?;
        if !seen.contains(logical) {
            return None;
        }
        let in_plane = |logical| {
            let ray = camera.viewport_to_world(place, logical).ok()?;
            let point = ray.plane_intersection_point(Vec3::ZERO, InfinitePlane3d::new(Vec3::Z));
            point.map(Vec3::truncate)
        };
        let point = in_plane(logical)?;
        let beside = in_plane(logical + Vec2::X)?;
        Some((point, point.distance(beside)))
    })
}

/// Whether two cameras draw into one window, or one picture. The primary window may be told by its entity, too.
pub(super) fn is_same_target(
    one: &RenderTarget,
    other: &RenderTarget,
    primary: Option<Entity>,
) -> bool {
    one.normalize(primary) == other.normalize(primary)
}
