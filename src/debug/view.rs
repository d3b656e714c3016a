//! Which part of the world is on a screen.

use bevy::{
    camera::{Camera, Projection, visibility::RenderLayers},
    ecs::{prelude::Query, system::SystemParam},
    math::{Affine3A, Rect, Vec2, Vec3, Vec3A, primitives::InfinitePlane3d},
    transform::components::GlobalTransform,
};

/// All cameras that may show something.
#[derive(SystemParam)]
pub(crate) struct Cameras<'w, 's> {
    cameras: Query<
        'w,
        's,
        (
            &'static Camera,
            &'static GlobalTransform,
            &'static Projection,
            Option<&'static RenderLayers>,
        ),
    >,
}

/// The visible part of the world, and its scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    area: Rect,
    /// World units in a logical pixel; in the middle of the screen, if it is not the same everywhere.
    pub(crate) pixel: f32,
}

impl View {
    /// The view if no camera tells what is visible: everything, with one pixel for each unit.
    const EVERYTHING: Self = Self {
        area: Rect {
            min: Vec2::NEG_INFINITY,
            max: Vec2::INFINITY,
        },
        pixel: 1.0,
    };

    /// Whether something within `reach` of a place may be on the screen.
    #[inline]
    pub(super) fn sees(&self, place: Vec2, reach: Vec2) -> bool {
        let Rect { min, max } = self.area;
        (place + reach).cmpge(min).all() && (place - reach).cmple(max).all()
    }

    pub(super) fn area(&self) -> Rect {
        self.area
    }

    fn and(self, other: Self) -> Self {
        Self {
            area: self.area.union(other.area),
            // If one thing is drawn in two sizes, the lines must be fine enough for the larger one.
            pixel: self.pixel.min(other.pixel),
        }
    }
}

impl Cameras<'_, '_> {
    /// Returns everything that any of the cameras sees of a drawing on these layers.
    pub(crate) fn view(&self, layers: &RenderLayers) -> View {
        let seeing = self.cameras.iter().filter(|(camera, .., seen)| {
            camera.is_active && seen.unwrap_or_default().intersects(layers)
        });
        let views = seeing.map(|(camera, place, projection, _)| {
            view(camera, place, projection).unwrap_or(View::EVERYTHING)
        });
        views.reduce(View::and).unwrap_or(View::EVERYTHING)
    }
}

/// How far the direction of a camera's view may lead to the side and still count as straight down, because of rounding.
const STRAIGHT: f32 = 1.0e-3;

/// Returns a camera's view; `None` if the plane is not in the middle of its screen.
fn view(camera: &Camera, place: &GlobalTransform, projection: &Projection) -> Option<View> {
    let seen = camera.logical_viewport_rect()?;
    let (_, pixel) = place_at(camera, place, seen.center())?;
    let area = area(camera, place, projection, seen);
    let area = area.unwrap_or(View::EVERYTHING.area);
    (pixel > 0.0).then_some(View { area, pixel })
}

/// Returns the part of the plane that a camera sees in this part of its window; `None` if the camera does not look at the plane from straight above, for then it is no rectangle.
fn area(
    camera: &Camera,
    place: &GlobalTransform,
    projection: &Projection,
    seen: Rect,
) -> Option<Rect> {
    let Projection::Orthographic(_) = projection else {
        return None;
    };
    let way = camera.viewport_to_world(place, seen.min).ok()?.direction;
    if way.truncate().length() > STRAIGHT {
        return None;
    }
    let corner = |at: Vec2| camera.viewport_to_world_2d(place, at).ok();
    let Rect { min, max } = seen;
    let corners = [
        corner(min)?,
        corner(max)?,
        corner(Vec2::new(min.x, max.y))?,
        corner(Vec2::new(max.x, min.y))?,
    ];
    let area = Rect {
        min: corners.into_iter().reduce(Vec2::min)?,
        max: corners.into_iter().reduce(Vec2::max)?,
    };
    (area.min.is_finite() && area.max.is_finite()).then_some(area)
}

/// Returns the place in the plane that a camera shows at a logical pixel of its window, and the size of that pixel in world units; `None` if it does not show the plane there.
pub(crate) fn place_at(
    camera: &Camera,
    place: &GlobalTransform,
    pixel: Vec2,
) -> Option<(Vec2, f32)> {
    // As if the camera were above the origin: far from there, two places that are a pixel apart may be rounded to the same one.
    let center = place.translation();
    let above = GlobalTransform::from(Affine3A {
        translation: Vec3A::Z * center.z,
        ..place.affine()
    });
    let in_plane = |pixel| {
        let ray = camera.viewport_to_world(&above, pixel).ok()?;
        let point = ray.plane_intersection_point(Vec3::ZERO, InfinitePlane3d::new(Vec3::Z));
        point.map(Vec3::truncate)
    };
    let point = in_plane(pixel)?;
    let beside = in_plane(pixel + Vec2::X)?;
    Some((center.truncate() + point, point.distance(beside)))
}
