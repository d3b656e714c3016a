//! What is drawn, and in which colours.

use bevy::{
    color::Color,
    gizmos::config::GizmoConfigGroup,
    reflect::{Reflect, std_traits::ReflectDefault},
};

/// The layers of the drawing, each with its switch. This is a group of gizmos of its own: find it in Bevy's `GizmoConfigStore`, beside a `GizmoConfig` with the switch for all of them
/// (`enabled`), the width of the lines, and the render layers.
///
/// A layer that is off costs nothing.
#[derive(Reflect, GizmoConfigGroup, Clone, Debug, PartialEq)]
#[reflect(Clone, Debug, Default, PartialEq)]
pub struct CollisionGizmos {
    /// The outline of every collider, round corners round. By default on.
    pub shapes: bool,
    /// Colliders that take no part: switched off, with their outlines, and refused for bad input, with a cross. By default on.
    pub inactive: bool,
    /// Where two collide, with a line across, as long as the overlap is deep, and from there the normal, from the first to the second. By default on.
    pub contacts: bool,
    /// Which side of a one-way collider is solid. By default on.
    pub one_way: bool,
    /// The way that a moving surface goes in a quarter of a second. By default on.
    pub surface_velocities: bool,
    /// The ways of bodies that were swept in this tick, and where they hit something on them. By default on.
    pub paths: bool,
    /// The rays, shapes and areas that systems asked about in this frame, or in its newest tick, and what they found. By default on.
    pub queries: bool,
    /// The box around each collider. By default off.
    pub bounding_boxes: bool,
    /// The strips of the broad phase, for each size of collider. By default off.
    pub cells: bool,
    /// Colours outlines by the lowest layer that a collider is on, and not by what it does. By default off.
    pub color_by_layer: bool,
    /// What each of these looks like.
    pub colors: CollisionColors,
}

/// Colours of the drawing.
#[derive(Reflect, Clone, Debug, PartialEq)]
#[reflect(Clone, Debug, Default, PartialEq)]
pub struct CollisionColors {
    /// Colliders of dynamic bodies.
    pub dynamic: Color,
    /// Colliders of kinematic bodies.
    pub kinematic: Color,
    /// Colliders of static bodies that something touches.
    pub fixed: Color,
    /// How much of its colour a collider of a static body keeps while nothing touches it, from 0 to 1.
    pub untouched: f32,
    /// Sensors, whatever their bodies.
    pub sensor: Color,
    /// Rooms: the edge of what is solid outside.
    pub room: Color,
    /// Colliders that are switched off.
    pub disabled: Color,
    /// Bad input.
    pub invalid: Color,
    /// Contacts and their normals.
    pub contact: Color,
    /// The solid sides of one-way colliders.
    pub one_way: Color,
    /// Moving surfaces.
    pub surface_velocity: Color,
    /// Ways, and hits on them.
    pub path: Color,
    /// Questions.
    pub query: Color,
    /// What questions have found.
    pub found: Color,
    /// Boxes around colliders.
    pub bounding_box: Color,
    /// Strips of what is not static.
    pub moving_cell: Color,
    /// Strips of what is static.
    pub still_cell: Color,
}

impl Default for CollisionGizmos {
    fn default() -> Self {
        Self {
            shapes: true,
            inactive: true,
            contacts: true,
            one_way: true,
            surface_velocities: true,
            paths: true,
            queries: true,
            bounding_boxes: false,
            cells: false,
            color_by_layer: false,
            colors: CollisionColors::default(),
        }
    }
}

impl Default for CollisionColors {
    fn default() -> Self {
        Self {
            dynamic: Color::srgb(0.20, 0.85, 0.45),
            kinematic: Color::srgb(0.25, 0.65, 1.00),
            // Between the two, so as to be seen on light and on dark.
            fixed: Color::srgb(0.50, 0.54, 0.66),
            untouched: 0.55,
            sensor: Color::srgb(1.00, 0.85, 0.25),
            room: Color::srgb(0.75, 0.55, 1.00),
            // Fainter than what stands untouched, or a wall that is switched off looks like one that is not.
            disabled: Color::srgba(0.60, 0.60, 0.60, 0.25),
            invalid: Color::srgb(1.00, 0.10, 0.90),
            contact: Color::srgb(1.00, 0.30, 0.25),
            one_way: Color::srgb(0.30, 1.00, 0.95),
            surface_velocity: Color::srgb(0.80, 1.00, 0.35),
            path: Color::srgb(1.00, 0.60, 0.15),
            query: Color::srgba(0.95, 0.55, 0.85, 0.80),
            found: Color::srgb(1.00, 0.55, 0.85),
            bounding_box: Color::srgba(0.55, 0.60, 0.70, 0.60),
            moving_cell: Color::srgba(0.30, 0.70, 0.50, 0.35),
            still_cell: Color::srgba(0.70, 0.70, 0.80, 0.35),
        }
    }
}

/// Hues as far from each other as can be, however many layers are in use: each is a golden section of the circle on from the one before.
const HUE_STEP: f32 = 137.507_77;

/// The hue of the first layer, on which most are. Red is for contacts.
const FIRST_HUE: f32 = 140.0;

/// The colour of a layer by its number.
pub(super) fn layer_color(layer: u32) -> Color {
    Color::hsl((FIRST_HUE + layer as f32 * HUE_STEP) % 360.0, 0.75, 0.62)
}
