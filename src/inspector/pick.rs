//! Picks entities by clicks in the world.

use std::cmp::Reverse;

use bevy::{
    camera::{Camera, RenderTarget, visibility::RenderLayers},
    ecs::prelude::{Entity, In, Query, Res, With, World},
    gizmos::config::GizmoConfigStore,
    math::Vec2,
    transform::components::GlobalTransform,
    window::PrimaryWindow,
};
use bevy_egui::{
    EguiContext, PrimaryEguiContext,
    egui::{Context, PointerButton},
};

use super::{described::who_is_at, state::CollisionInspector};
use crate::debug::{CollisionGizmos, view::place_at};

/// How far in pixels a click may be from a refused collider or a thin one to hit it, and from the last click to be in the same place.
const REACH: f32 = 6.0;

/// Picks the entity where the world was clicked, if the click was in the world and not on a panel.
pub(super) fn pick_by_click(
    world: &mut World,
    context: &Context,
    inspector: &mut CollisionInspector,
) {
    // For egui, what a game shows on the background layer does not cover the world. But a clickable widget there does.
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
    let camera = camera_of(world, context);
    let seen = world.run_system_cached_with(world_place, (camera, physical));
    let Some((point, pixel)) = seen.ok().flatten() else {
        return;
    };
    let found = who_is_at(world, point, REACH * pixel);
    // If the entity here was picked by the last click in this place, the next one below it is picked.
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

/// Returns the camera that shows the panel: the one with this context, or else the one with the primary context.
fn camera_of(world: &mut World, context: &Context) -> Option<Entity> {
    let mut shown = world.query::<(Entity, &mut EguiContext)>();
    let mut shown = shown.iter_mut(world);
    let own = shown.find_map(|(camera, mut other)| (other.get_mut() == context).then_some(camera));
    own.or_else(|| {
        let mut primary = world.query_filtered::<Entity, With<PrimaryEguiContext>>();
        primary.iter(world).next()
    })
}

/// The components of cameras that matter for a click.
type CameraData = (
    &'static Camera,
    &'static GlobalTransform,
    Option<&'static RenderTarget>,
    Option<&'static RenderLayers>,
);

/// Returns the place in the world at a pixel of the window that a camera draws to, or of the primary one; and the size of a logical pixel there, in world units.
fn world_place(
    In((own, physical)): In<(Option<Entity>, Vec2)>,
    cameras: Query<CameraData>,
    primary: Query<Entity, With<PrimaryWindow>>,
    store: Option<Res<GizmoConfigStore>>,
) -> Option<(Vec2, f32)> {
    let primary = primary.single().ok();
    // A camera of a menu or a map, which does not show the drawing, is left out: it shows other places.
    let drawn = store
        .as_ref()
        .and_then(|store| store.get_config::<CollisionGizmos>())
        .map_or_else(RenderLayers::default, |(config, _)| {
            config.render_layers.clone()
        });
    let window = RenderTarget::default();
    let own = own.and_then(|own| cameras.get(own).ok());
    let own_target = own.and_then(|(_, _, target, _)| target).unwrap_or(&window);
    let mut seeing: Vec<_> = cameras
        .iter()
        .filter(|(camera, _, target, layers)| {
            let is_same = is_same_target(target.unwrap_or(&window), own_target, primary);
            let shows = layers.unwrap_or_default().intersects(&drawn);
            camera.is_active && is_same && shows
        })
        .collect();
    // The camera that draws last is on top.
    seeing.sort_by_key(|(camera, ..)| Reverse(camera.order));
    seeing.into_iter().find_map(|(camera, place, ..)| {
        let logical = physical / camera.target_scaling_factor()?;
        let seen = camera.logical_viewport_rect()?;
        if !seen.contains(logical) {
            return None;
        }
        place_at(camera, place, logical)
    })
}

/// Whether two cameras draw to the same window, or to the same image. The primary window may also be given by its entity.
pub(super) fn is_same_target(
    one: &RenderTarget,
    other: &RenderTarget,
    primary: Option<Entity>,
) -> bool {
    one.normalize(primary) == other.normalize(primary)
}
