//! Which part of the world is on a screen.

use bevy::{
    camera::{Camera, Projection, visibility::RenderLayers},
    ecs::{prelude::Query, system::SystemParam},
    math::{Rect, Vec2},
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
    /// World units in a logical pixel.
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

/// Returns a camera's view; `None` if the camera does not look at the plane from straight above.
fn view(camera: &Camera, place: &GlobalTransform, projection: &Projection) -> Option<View> {
    let Projection::Orthographic(_) = projection else {
        return None;
    };
    let seen = camera.logical_viewport_rect()?;
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
    let pixel = corners[0].distance(corners[3]) / seen.width();
    (area.min.is_finite() && area.max.is_finite() && pixel > 0.0).then_some(View { area, pixel })
}
