//! The layers of the drawing, and their colors.

use bevy::{
    color::Color,
    gizmos::config::GizmoConfigGroup,
    reflect::{Reflect, std_traits::ReflectDefault},
};

/// The layers of the drawing, each with its switch. This is a group of gizmos of its own: find it in Bevy's `GizmoConfigStore`, beside a `GizmoConfig` with the switch for the whole drawing
/// (`enabled`), the width of the lines, and the render layers.
///
/// A layer that is off costs nothing.
#[derive(Reflect, GizmoConfigGroup, Clone, Debug, PartialEq)]
#[reflect(Clone, Debug, Default, PartialEq)]
pub struct CollisionGizmos {
    /// The outline of every collider, with round corners. Default true.
    pub shapes: bool,
    /// Colliders that take no part: disabled ones with their outlines, and those refused for invalid input with a cross. Default true.
    pub inactive: bool,
    /// The points of contacts: a line across the overlap, as long as it is deep, and the normal, from the first collider to the second. Default true.
    pub contacts: bool,
    /// Which side of a one-way collider is solid. Default true.
    pub one_way: bool,
    /// How far a moving surface goes in a quarter of a second. Default true.
    pub surface_velocities: bool,
    /// The paths of bodies that were swept in this tick, and the hits on them. Default true.
    pub paths: bool,
    /// The rays, shapes and areas of queries in this frame, or in its newest tick, and what the queries found. Default true.
    pub queries: bool,
    /// The bounding box of each collider. Default false.
    pub bounding_boxes: bool,
    /// The strips of the broad phase, for each size of collider. Default false.
    pub strips: bool,
    /// Colors outlines by the lowest layer that a collider is on, instead of by its body. Default false.
    pub color_by_layer: bool,
    /// The colors of these layers.
    pub colors: CollisionColors,
}

/// The colors of the drawing.
#[derive(Reflect, Clone, Debug, PartialEq)]
#[reflect(Clone, Debug, Default, PartialEq)]
pub struct CollisionColors {
    /// Colliders of dynamic bodies.
    pub dynamic: Color,
    /// Colliders of kinematic bodies.
    pub kinematic: Color,
    /// Colliders of static bodies that something touches.
    pub fixed: Color,
    /// How much of its opacity a collider of a static body keeps while nothing touches it, from 0 to 1; values outside of that are clamped. Default 0.55.
    pub untouched: f32,
    /// Sensors, whatever their bodies.
    pub sensor: Color,
    /// Rooms: the edge where the solid outside begins.
    pub room: Color,
    /// Colliders that are disabled.
    pub disabled: Color,
    /// Colliders that are refused for invalid input.
    pub invalid: Color,
    /// Contacts and their normals.
    pub contact: Color,
    /// The solid sides of one-way colliders.
    pub one_way: Color,
    /// Moving surfaces.
    pub surface_velocity: Color,
    /// Paths, and hits on them.
    pub path: Color,
    /// Queries.
    pub query: Color,
    /// What queries have found.
    pub found: Color,
    /// Bounding boxes of colliders.
    pub bounding_box: Color,
    /// Strips of colliders that are not static, and of static ones that have changed lately, if these are few.
    pub moving_strip: Color,
    /// Strips of static colliders.
    pub still_strip: Color,
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
            strips: false,
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
            // Of medium lightness, so that it is visible on light and on dark backgrounds.
            fixed: Color::srgb(0.50, 0.54, 0.66),
            untouched: 0.55,
            sensor: Color::srgb(1.00, 0.85, 0.25),
            room: Color::srgb(0.75, 0.55, 1.00),
            // Fainter than an untouched static collider, so that a disabled wall looks different.
            disabled: Color::srgba(0.60, 0.60, 0.60, 0.25),
            invalid: Color::srgb(1.00, 0.10, 0.90),
            contact: Color::srgb(1.00, 0.30, 0.25),
            one_way: Color::srgb(0.30, 1.00, 0.95),
            surface_velocity: Color::srgb(0.80, 1.00, 0.35),
            path: Color::srgb(1.00, 0.60, 0.15),
            query: Color::srgba(0.95, 0.55, 0.85, 0.80),
            found: Color::srgb(1.00, 0.55, 0.85),
            bounding_box: Color::srgba(0.55, 0.60, 0.70, 0.60),
            moving_strip: Color::srgba(0.30, 0.70, 0.50, 0.35),
            still_strip: Color::srgba(0.70, 0.70, 0.80, 0.35),
        }
    }
}

/// The step between the hues of two layers. A golden section of the circle keeps the hues far apart, however many layers are in use.
const HUE_STEP: f32 = 137.507_77;

/// The hue of the first layer, on which most colliders are. Red is for contacts.
const FIRST_HUE: f32 = 140.0;

/// Returns the color of a layer by its number.
pub(super) fn layer_color(layer: u32) -> Color {
    Color::hsl((FIRST_HUE + layer as f32 * HUE_STEP) % 360.0, 0.75, 0.62)
}
