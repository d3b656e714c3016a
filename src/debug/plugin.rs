//! The plugin: when it draws.

use std::sync::Arc;

use bevy::{
    app::{App, First, FixedLast, Last, Plugin, RunFixedMainLoop, RunFixedMainLoopSystems},
    ecs::{
        entity::EntityHashSet,
        prelude::{Local, Res, ResMut, Resource},
        schedule::IntoScheduleConfigs,
        system::SystemParam,
    },
    gizmos::{
        AppGizmoBuilder, GizmoMeshSystems, GizmoPlugin, config::GizmoConfigStore, gizmos::Gizmos,
    },
    math::Vec2,
};
use tracing::warn;

use super::{
    colliders::draw_collider,
    contacts::{draw_contact, draw_hit, draw_leg},
    inactive::Inactive,
    layers::{CollisionColors, CollisionGizmos},
    lazily::run_lazily,
    pen::{Circles, Pen},
    questions::{DrawnQuestions, draw_question, forget_frame, note_of_frame, note_of_tick},
    strips::draw_strips,
    view::Cameras,
};
use crate::{
    messages::Collision,
    plugin::{CollisionSystems, add_beside_collisions, require_collisions},
    query::{ColliderView, QueryNotes},
    snapshot::{PathLeg, Snapshot, TickView},
    state::{candidates::Candidates, paths::want_paths},
};

/// Draws the state of the [`CollisionPlugin`](crate::plugin::CollisionPlugin) with Bevy's gizmos; [`CollisionGizmos`] chooses what is drawn.
///
/// It needs Bevy's `GizmoPlugin`, which is among the `DefaultPlugins` of an app with a renderer; the order of the two does not matter. Without it, this plugin warns once, and
/// draws nothing.
///
/// It draws in `Last`, and only what the cameras see. While the group is not enabled it costs nothing, and a layer that is off costs nothing either. Once it has drawn, colliders are noted as they are spawned, as by a system with a [`SpatialQuery`](crate::query::SpatialQuery).
///
/// # Panics
/// When the app starts without a [`CollisionPlugin`](crate::plugin::CollisionPlugin).
#[derive(Clone, Copy, Debug, Default)]
pub struct CollisionDebugPlugin;

/// The snapshot that is drawn instead of the newest tick, to look back at an earlier one; `None` draws the newest tick. Queries, strips, and colliders that take no part are not in a snapshot, and are not drawn then. The place of a hit is not in it either for pairs that still touch: these are marked at the point where the tick left them.
#[derive(Resource, Clone, Debug, Default)]
pub struct DrawnSnapshot(pub Option<Arc<Snapshot>>);

impl Plugin for CollisionDebugPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<DrawnSnapshot>()
            .init_resource::<DrawnQuestions>()
            .init_resource::<QueryNotes>()
            .register_type::<(CollisionGizmos, CollisionColors)>();
    }

    // Bevy's `GizmoPlugin` may be added after this one.
    fn finish(&self, app: &mut App) {
        require_collisions(app, "CollisionDebugPlugin");
        if !app.is_plugin_added::<GizmoPlugin>() {
            warn!(
                "CollisionDebugPlugin draws nothing, for the app has no GizmoPlugin; DefaultPlugins of an app with a renderer bring it"
            );
            return;
        }
        // Keep what the game has configured.
        if app
            .world()
            .resource::<GizmoConfigStore>()
            .get_config::<CollisionGizmos>()
            .is_none()
        {
            app.init_gizmo_group::<CollisionGizmos>();
        }
        app.add_systems(First, (switch_notes, forget_frame).chain())
            .add_systems(
                RunFixedMainLoop,
                note_of_frame.in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
            )
            .add_systems(FixedLast, note_of_tick)
            .add_systems(
                Last,
                (note_of_frame, run_lazily(draw).run_if(draws(|_| true)))
                    .chain()
                    .before(GizmoMeshSystems),
            );
        add_beside_collisions(app, |app, schedule| {
            let want_paths = want_paths
                .before(CollisionSystems::Gather)
                .run_if(draws(|layers| layers.paths));
            app.add_systems(schedule, want_paths);
        });
    }
}

/// Run condition: the drawing is enabled, and this layer of it is on.
fn draws(layer: fn(&CollisionGizmos) -> bool) -> impl Fn(Res<GizmoConfigStore>) -> bool + Clone {
    move |store| {
        let (config, layers) = store.config::<CollisionGizmos>();
        config.enabled && layer(layers)
    }
}

/// Has queries noted while they are drawn.
fn switch_notes(
    store: Res<GizmoConfigStore>,
    mut notes: ResMut<QueryNotes>,
    mut drawn: ResMut<DrawnQuestions>,
) {
    let (config, layers) = store.config::<CollisionGizmos>();
    let is_on = config.enabled && layers.queries;
    if notes.is_on != is_on {
        notes.is_on = is_on;
        drawn.clear();
    }
}

/// The current state of the world.
#[derive(SystemParam)]
struct Present<'w, 's> {
    tick: TickView<'w, 's>,
    inactive: Inactive<'w, 's>,
    questions: Res<'w, DrawnQuestions>,
    candidates: Res<'w, Candidates>,
}

fn draw(
    mut gizmos: Gizmos<CollisionGizmos>,
    circles: Local<Circles>,
    cameras: Cameras,
    past: Res<DrawnSnapshot>,
    present: Present,
) {
    let layers = gizmos.config_ext;
    let view = cameras.view(&gizmos.config.render_layers);
    let mut pen = Pen {
        gizmos: &mut gizmos,
        circles: &circles,
        view,
    };
    match &past.0 {
        Some(past) => draw_past(&mut pen, layers, past),
        None => present.draw(&mut pen, layers),
    }
}

fn draw_past(pen: &mut Pen, layers: &CollisionGizmos, past: &Snapshot) {
    let contacts = || past.contacts.iter().copied();
    draw_colliders(pen, layers, past.colliders.iter().copied(), contacts());
    let hits = contacts().filter(|contact| contact.time < 1.0);
    let hits = hits.map(|contact| contact.point);
    draw_ways(pen, layers, past.paths.iter().copied(), hits);
    draw_contacts(pen, layers, contacts());
}

impl Present<'_, '_> {
    fn draw(&self, pen: &mut Pen, layers: &CollisionGizmos) {
        let Self {
            tick,
            inactive,
            questions,
            candidates,
        } = self;
        if layers.strips {
            let colors = &layers.colors;
            let (moving, still) = candidates.strips();
            moving.for_each(|strips| draw_strips(pen, &strips, colors.moving_strip));
            still.for_each(|strips| draw_strips(pen, &strips, colors.still_strip));
        }
        draw_colliders(pen, layers, tick.colliders(), tick.contacts());
        if layers.inactive {
            inactive.draw(pen, &layers.colors);
        }
        draw_ways(pen, layers, tick.paths(), tick.hits());
        draw_contacts(pen, layers, tick.contacts());
        if layers.queries {
            for note in questions.iter() {
                draw_question(pen, note, &layers.colors);
            }
        }
    }
}

fn draw_colliders(
    pen: &mut Pen,
    layers: &CollisionGizmos,
    colliders: impl Iterator<Item = ColliderView>,
    contacts: impl Iterator<Item = Collision>,
) {
    if !(layers.shapes || layers.bounding_boxes || layers.one_way || layers.surface_velocities) {
        return;
    }
    // Only the shapes depend on what is touched.
    let contacts = contacts.filter(|_| layers.shapes);
    let touched: EntityHashSet = contacts
        .flat_map(|contact| [contact.a, contact.b])
        .collect();
    for collider in colliders {
        draw_collider(pen, &collider, layers, touched.contains(&collider.entity));
    }
}

fn draw_ways(
    pen: &mut Pen,
    layers: &CollisionGizmos,
    paths: impl Iterator<Item = PathLeg>,
    hits: impl Iterator<Item = Vec2>,
) {
    if layers.paths {
        paths.for_each(|leg| draw_leg(pen, &leg, &layers.colors));
        hits.for_each(|at| draw_hit(pen, at, &layers.colors));
    }
}

fn draw_contacts(
    pen: &mut Pen,
    layers: &CollisionGizmos,
    contacts: impl Iterator<Item = Collision>,
) {
    if layers.contacts {
        contacts.for_each(|contact| draw_contact(pen, &contact, &layers.colors));
    }
}
