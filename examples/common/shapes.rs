//! The look of colliders in all scenes: filled with one color, or outlined.
#![allow(clippy::disallowed_methods, reason = "only drawn")]

use bevy::{ecs::query::QueryData, prelude::*};
use bevy_nudge::prelude::*;

use super::window::Palette;

/// The number of corners of a circle that is drawn as a polygon, or of all four corners of a box together.
const CORNERS: u16 = 64;

/// The color that fills a collider where there is a window, by [`paint_plugin`]. A scene may change it at any time.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct Paint(pub Color);

/// Draws [`Paint`], as large as the collider.
pub fn paint_plugin(app: &mut App) {
    app.add_systems(Update, fill);
}

/// The outline of a collider, and its place. Goes into a query with [`HasShape`].
#[derive(QueryData)]
pub struct Outlined {
    pub circle: Option<&'static CircleCollider>,
    pub rectangle: Option<&'static BoxCollider>,
    pub transform: &'static Transform,
}

/// Query filter: entities with a shape to be drawn.
pub type HasShape = Or<(With<CircleCollider>, With<BoxCollider>)>;

impl OutlinedItem<'_, '_> {
    pub fn place(&self) -> Vec2 {
        self.transform.translation.truncate()
    }

    /// Draws the outline for one frame.
    pub fn draw(&self, gizmos: &mut Gizmos, color: Color) {
        if let Some(circle) = self.circle {
            gizmos.circle_2d(self.place(), circle.radius, color);
        }
        if let Some(rectangle) = self.rectangle {
            gizmos
                .rounded_rect_2d(self.place(), rectangle.size(), color)
                .corner_radius(rectangle.corner_radius);
        }
    }
}

/// Draws the edges of the rooms in a scene. The rooms are neither rotated nor scaled, and have no offset.
pub fn draw_rooms(rooms: Query<(&BoundsCollider, &Transform)>, mut gizmos: Gizmos) {
    for (bounds, transform) in &rooms {
        let middle = transform.translation.truncate();
        gizmos.rect_2d(middle, bounds.size(), Palette::INK);
    }
}

/// Returns the points of a circle, clamped to the walls of a room, beyond which there is text.
pub fn ring(center: Vec2, radius: f32, room: Rect) -> impl Iterator<Item = Vec2> {
    (0..=CORNERS).map(move |part| {
        let turn = f32::from(part) / f32::from(CORNERS) * std::f32::consts::TAU;
        let rim = center + Vec2::from_angle(turn) * radius;
        rim.clamp(room.min, room.max)
    })
}

/// Returns a sprite of a shaded disc.
pub fn disc(assets: &AssetServer, color: Color, radius: f32) -> Sprite {
    Sprite {
        image: assets.load("dot.png"),
        color,
        custom_size: Some(Vec2::splat(2.0 * radius)),
        ..default()
    }
}

type Painted = (
    Entity,
    &'static Paint,
    Option<&'static CircleCollider>,
    Option<&'static BoxCollider>,
);

fn fill(
    mut commands: Commands,
    painted: Query<Painted, Changed<Paint>>,
    assets: Res<AssetServer>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    for (entity, paint, circle, rectangle) in &painted {
        let Paint(color) = *paint;
        let mut entity = commands.entity(entity);
        match (circle, rectangle) {
            (Some(circle), _) => {
                entity.insert(disc(&assets, color, circle.radius));
            }
            (
                _,
                Some(BoxCollider {
                    half_size,
                    corner_radius: 0.0,
                    ..
                }),
            ) => {
                entity.insert(Sprite::from_color(color, half_size * 2.0));
            }
            (_, Some(rectangle)) => {
                let mesh = rounded(rectangle).mesh().build();
                let look = (
                    Mesh2d(meshes.add(mesh)),
                    MeshMaterial2d(materials.add(color)),
                );
                entity.insert(look);
            }
            _ => {}
        }
    }
}

/// Returns a box with round corners as a polygon: each corner is a quarter of a circle.
fn rounded(rectangle: &BoxCollider) -> ConvexPolygon {
    let straight = rectangle.half_size - rectangle.corner_radius;
    ConvexPolygon::new_unchecked((0..CORNERS).map(|number| {
        // Offset by half a step, so that no direction is exactly along an axis, where it would belong to two corners.
        let turn = (f32::from(number) + 0.5) / f32::from(CORNERS) * std::f32::consts::TAU;
        let outwards = Vec2::from_angle(turn);
        outwards.signum() * straight + outwards * rectangle.corner_radius
    }))
}
