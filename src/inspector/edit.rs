//! The section that edits the components of the picked entity.

use bevy::{
    ecs::{
        component::Mutable,
        entity::Entity,
        prelude::{Bundle, Component, World},
    },
    math::Vec2,
};
use bevy_egui::egui::{CollapsingHeader, Grid, RichText, Ui, WidgetInfo, WidgetType};

use super::{
    described::describe,
    entity::show_wrong,
    names::{full_name_of, name_of, shortened},
    number::show_number,
    state::CollisionInspector,
};
use crate::components::{
    Body, BoundsCollider, BoxCollider, CircleCollider, ColliderDisabled, CollisionLayers,
    LayerNames, Mass, Response, Sensor, Velocity,
};

/// Shows all that can be changed of the entity that is picked first. Values are applied as they are, and the panel shows what is wrong with them.
pub(super) fn show_edit(ui: &mut Ui, world: &mut World, inspector: &CollisionInspector) {
    let Some(entity) = inspector.first else {
        ui.weak("Pick an entity first.");
        return;
    };
    if world.get_entity(entity).is_err() {
        ui.weak(format!("{entity} is gone."));
        return;
    }
    ui.strong(full_name_of(world, entity));
    let described = describe(world, entity);
    let refusal = described.refusal.as_ref();
    show_wrong(ui, refusal.map(|why| format!("Takes no part: {why}.")));
    show_collider(ui, world, entity);
    ui.horizontal_wrapped(|ui| {
        show_marker::<Sensor>(ui, world, entity, "Sensor");
        show_marker::<ColliderDisabled>(ui, world, entity, "ColliderDisabled");
    });
    show_layers(ui, world, entity);
    let body = described.body.unwrap_or(entity);
    ui.separator();
    if body != entity {
        ui.label(format!("Its body is {}:", name_of(world, body)));
    }
    show_body(ui, world, body);
}

fn show_collider(ui: &mut Ui, world: &mut World, entity: Entity) {
    change(world, entity, |circle: &mut CircleCollider| {
        let size = show_number(ui, "radius", &mut circle.radius);
        size | show_place(ui, "offset", &mut circle.offset)
    });
    change(world, entity, |rectangle: &mut BoxCollider| {
        let size = show_place(ui, "half size", &mut rectangle.half_size);
        let corners = show_number(ui, "corner radius", &mut rectangle.corner_radius);
        size | corners | show_place(ui, "offset", &mut rectangle.offset)
    });
    change(world, entity, |room: &mut BoundsCollider| {
        let size = show_place(ui, "half size", &mut room.half_size);
        size | show_place(ui, "offset", &mut room.offset)
    });
}

fn show_place(ui: &mut Ui, label: &str, place: &mut Vec2) -> bool {
    let shown = ui.horizontal_wrapped(|ui| {
        let x = show_number(ui, &format!("{label} x"), &mut place.x);
        let y = show_number(ui, "y", &mut place.y);
        x | y
    });
    shown.inner
}

/// Shows body, mass, response and velocity. A component that is missing is shown with its default, and inserted when that is changed.
fn show_body(ui: &mut Ui, world: &mut World, body: Entity) {
    change_or_insert(world, body, |kind: &mut Body| {
        let before = *kind;
        ui.horizontal_wrapped(|ui| {
            ui.label("body");
            for one in [Body::Dynamic, Body::Kinematic, Body::Static] {
                ui.radio_value(kind, one, format!("{one:?}"));
            }
        });
        *kind != before
    });
    change_or_insert(world, body, |mass: &mut Mass| {
        show_number(ui, "mass", &mut mass.0)
    });
    let mass = world.get::<Mass>(body).copied().unwrap_or_default().0;
    let is_right = mass > 0.0;
    let wrong = (!is_right).then(|| format!("mass must be > 0, got {mass}"));
    show_wrong(ui, wrong);
    change_or_insert(world, body, |response: &mut Response| {
        show_response(ui, response)
    });
    change_or_insert(world, body, |velocity: &mut Velocity| {
        show_place(ui, "velocity", &mut velocity.0)
    });
    let velocity = world.get::<Velocity>(body).copied().unwrap_or_default();
    let is_wrong = !velocity.0.is_finite();
    let wrong = is_wrong.then_some("A velocity that is not finite moves nothing.");
    show_wrong(ui, wrong);
}

fn show_response(ui: &mut Ui, response: &mut Response) -> bool {
    let before = *response;
    let bounce = match before {
        Response::Bounce { .. } => before,
        _ => Response::Bounce { restitution: 1.0 },
    };
    let all = [
        ("Slide", Response::Slide),
        ("Bounce", bounce),
        ("Stop", Response::Stop),
        ("Pass", Response::Pass),
    ];
    let mut is_changed = false;
    ui.horizontal_wrapped(|ui| {
        ui.label("response");
        for (label, one) in all {
            let is_it = std::mem::discriminant(&one) == std::mem::discriminant(&before);
            if ui.radio(is_it, label).clicked() && !is_it {
                *response = one;
                is_changed = true;
            }
        }
    });
    if let Response::Bounce { restitution } = response {
        is_changed |= show_number(ui, "restitution", restitution);
        let is_wrong = restitution.is_nan() || *restitution < 0.0;
        let wrong = is_wrong.then_some("What is less than 0, or NaN, counts as 0.");
        show_wrong(ui, wrong);
    }
    is_changed
}

/// Shows check boxes for the layers that have names or are in use; the others are under a header of their own.
fn show_layers(ui: &mut Ui, world: &mut World, entity: Entity) {
    let names = world.get_resource::<LayerNames>();
    let names = names.cloned().unwrap_or_default();
    change_or_insert(world, entity, |layers: &mut CollisionLayers| {
        let before = *layers;
        ui.label(format!(
            "on layers {}, collides with {}",
            names.describe(before.memberships),
            names.describe(before.filters)
        ));
        let is_known = |layer: usize| {
            let is_used = before.memberships & (1 << layer) != 0;
            names.name(layer).is_some() || is_used
        };
        let (known, others): (Vec<usize>, Vec<usize>) = (0..32).partition(|&layer| is_known(layer));
        show_layer_boxes(ui, layers, &known, &names);
        CollapsingHeader::new("layers without names").show(ui, |ui| {
            show_layer_boxes(ui, layers, &others, &names);
        });
        *layers != before
    });
}

fn show_layer_boxes(
    ui: &mut Ui,
    layers: &mut CollisionLayers,
    which: &[usize],
    names: &LayerNames,
) {
    Grid::new(("layers", which.first()))
        .num_columns(3)
        .show(ui, |ui| {
            for heading in ["layer", "is on", "collides with"] {
                ui.label(RichText::new(heading).weak());
            }
            ui.end_row();
            for &layer in which {
                let name = names
                    .name(layer)
                    .map_or_else(|| layer.to_string(), str::to_owned);
                ui.label(shortened(&name)).on_hover_text(&name);
                show_bit(ui, &mut layers.memberships, layer, &format!("is on {name}"));
                show_bit(
                    ui,
                    &mut layers.filters,
                    layer,
                    &format!("collides with {name}"),
                );
                ui.end_row();
            }
        });
}

fn show_bit(ui: &mut Ui, mask: &mut u32, bit: usize, label: &str) {
    let mut is_set = *mask & (1 << bit) != 0;
    let response = ui.checkbox(&mut is_set, "");
    response.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, is_set, label));
    if response.changed() {
        *mask ^= 1 << bit;
    }
}

/// Shows a check box for a component without data.
fn show_marker<C: Bundle + Component + Default>(
    ui: &mut Ui,
    world: &mut World,
    entity: Entity,
    label: &str,
) {
    let mut is_there = world.get::<C>(entity).is_some();
    if ui.checkbox(&mut is_there, label).changed() {
        let mut entity = world.entity_mut(entity);
        if is_there {
            entity.insert(C::default());
        } else {
            entity.remove::<C>();
        }
    }
}

/// Edits a component, if it is there. Change detection sees it only if `edit` returns true.
fn change<C: Component<Mutability = Mutable> + Clone>(
    world: &mut World,
    entity: Entity,
    edit: impl FnOnce(&mut C) -> bool,
) {
    if let Some(mut component) = world.get_mut::<C>(entity) {
        let mut edited = component.clone();
        if edit(&mut edited) {
            *component = edited;
        }
    }
}

/// Edits a component, or its default if it is not there: then it is inserted if `edit` returns true.
fn change_or_insert<C: Component<Mutability = Mutable> + Clone + Default>(
    world: &mut World,
    entity: Entity,
    edit: impl FnOnce(&mut C) -> bool,
) {
    if world.get::<C>(entity).is_some() {
        change(world, entity, edit);
        return;
    }
    let mut new = C::default();
    if edit(&mut new)
        && let Ok(mut entity) = world.get_entity_mut(entity)
    {
        entity.insert(new);
    }
}
