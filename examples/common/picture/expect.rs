//! What a picture of the window should show, according to the world.

use bevy::{camera::primitives::Aabb, ecs::system::SystemParam, prelude::*};
use bevy_nudge::{
    debug::CollisionGizmos,
    inspector::bevy_egui::{
        EguiContext, PrimaryEguiContext,
        egui::{Order, Pos2},
    },
    kernel::{Outline, Shape},
    prelude::*,
};

/// A shape in the picture, in pixels from its top left.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Its name in the report.
    pub name: String,
    pub center: Vec2,
    pub outline: Outline,
}

/// Everything that should be in the picture.
#[derive(Clone, Debug, Default)]
pub struct Sight {
    /// Shapes that are drawn, and must be found.
    pub shapes: Vec<Seen>,
    /// The texts on the picture, each with its rectangle.
    pub texts: Vec<(String, Rect)>,
    /// Parts of the picture in which the world is covered.
    pub covered: Vec<Rect>,
    /// How many pixels of the picture are one logical pixel of the window.
    pub scale: f32,
}

/// Query filter: entities with a picture of their own.
type IsDrawn = Or<(With<Mesh2d>, With<Sprite>)>;

type Collider = (
    Entity,
    &'static GlobalTransform,
    &'static InheritedVisibility,
    Option<&'static CircleCollider>,
    Option<&'static BoxCollider>,
);

/// Reads from the world what the picture should show.
#[derive(SystemParam)]
pub struct Expected<'w, 's> {
    camera: Single<'w, 's, (&'static Camera, &'static GlobalTransform), With<Camera2d>>,
    drawn: Query<'w, 's, Collider, IsDrawn>,
    names: Query<'w, 's, &'static Name>,
    texts: Query<
        'w,
        's,
        (
            &'static Text2d,
            &'static Aabb,
            &'static GlobalTransform,
            &'static InheritedVisibility,
        ),
    >,
    space: SpatialQuery<'w, 's>,
    collisions: Collisions<'w, 's>,
    gizmos: Res<'w, GizmoConfigStore>,
    panels: Query<'w, 's, &'static mut EguiContext, With<PrimaryEguiContext>>,
}

impl Expected<'_, '_> {
    pub fn sight(&mut self) -> Sight {
        let mut covered = self.covered();
        covered.extend(self.contacts());
        let drawn = self
            .drawn
            .iter()
            .filter(|(.., is_visible, _, _)| is_visible.get());
        let shapes = drawn.filter_map(|(entity, transform, _, circle, rectangle)| {
            let shape = match (circle, rectangle) {
                (Some(circle), _) => Shape::circle(circle.radius),
                (_, Some(rectangle)) => {
                    Shape::rounded_rectangle(rectangle.half_size, rectangle.corner_radius)
                }
                _ => return None,
            };
            let offset = circle.map(|circle| circle.offset);
            let offset = offset.or(rectangle.map(|rectangle| rectangle.offset))?;
            let center = transform.transform_point(offset.extend(0.0)).truncate();
            let shape = shape.ok()?.scaled(transform.scale().truncate()).ok()?;
            self.seen(entity, Outline::Shape(shape), center)
        });
        let outlined = self.is_outlined().then(|| self.space.iter());
        let outlined = outlined.into_iter().flatten();
        let outlined = outlined.filter_map(|one| self.seen(one.entity, one.outline, one.center));
        let texts = self
            .texts
            .iter()
            .filter(|(.., is_visible)| is_visible.get());
        let texts = texts.filter_map(|(text, aabb, transform, _)| {
            let [low, high] = [aabb.min(), aabb.max()].map(Vec3::from);
            let corners =
                [low, high].map(|corner| self.pixel(transform.transform_point(corner).truncate()));
            let [low, high] = corners;
            let is_there = !text.0.trim().is_empty();
            is_there.then_some((text.0.clone(), Rect::from_corners(low?, high?)))
        });
        Sight {
            shapes: shapes.chain(outlined).collect(),
            texts: texts.collect(),
            covered,
            scale: self.pixels_per_point(),
        }
    }

    /// Returns the rectangles of panels.
    fn covered(&mut self) -> Vec<Rect> {
        let scale = self.pixels_per_point();
        let Ok(mut context) = self.panels.single_mut() else {
            return Vec::new();
        };
        context.get_mut().memory(|memory| {
            let layers = memory.areas().visible_layer_ids();
            let panels = layers
                .iter()
                .filter(|layer| layer.order != Order::Background);
            let rects = panels.filter_map(|layer| memory.area_rect(layer.id));
            let corner = |at: Pos2| Vec2::new(at.x, at.y) * scale;
            rects
                .map(|rect| Rect::from_corners(corner(rect.min), corner(rect.max)))
                .collect()
        })
    }

    /// Returns rectangles around contacts, where the debug drawing has crosses and arrows.
    fn contacts(&self) -> Vec<Rect> {
        if !self.is_outlined() {
            return Vec::new();
        }
        let points = self
            .collisions
            .iter()
            .filter_map(|contact| self.pixel(contact.point));
        points
            .map(|point| {
                Rect::from_center_half_size(point, Vec2::splat(22.0 * self.pixels_per_point()))
            })
            .collect()
    }

    /// Whether the debug drawing outlines every collider.
    fn is_outlined(&self) -> bool {
        let layers = self.gizmos.get_config::<CollisionGizmos>();
        layers.is_some_and(|(config, layers)| config.enabled && layers.shapes)
    }

    fn seen(&self, entity: Entity, outline: Outline, center: Vec2) -> Option<Seen> {
        let name = self.names.get(entity);
        let name = name.map_or_else(|_| entity.to_string(), ToString::to_string);
        let (here, beside) = (self.pixel(center)?, self.pixel(center + Vec2::X)?);
        let scale = here.distance(beside);
        let outline = match outline {
            Outline::Shape(shape) => Outline::Shape(shape.scaled(Vec2::splat(scale)).ok()?),
            Outline::Bounds(half_size) => Outline::Bounds(half_size * scale),
        };
        Some(Seen {
            name,
            center: here,
            outline,
        })
    }

    fn pixel(&self, place: Vec2) -> Option<Vec2> {
        let (camera, transform) = *self.camera;
        let place = camera.world_to_viewport(transform, place.extend(0.0)).ok();
        place.map(|place| place * self.pixels_per_point())
    }

    fn pixels_per_point(&self) -> f32 {
        self.camera.0.target_scaling_factor().unwrap_or(1.0)
    }
}
