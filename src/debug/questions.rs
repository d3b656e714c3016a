//! Draws the queries of systems, and their answers.

use bevy::{
    color::Color,
    ecs::prelude::{ResMut, Resource},
    math::Vec2,
};

use super::{layers::CollisionColors, pen::Pen};
use crate::{
    kernel::Shape,
    query::{QueryNote, QueryNotes},
    spatial::Cast,
};

/// The queries that are drawn: those of the newest tick, and those of this frame outside of ticks.
#[derive(Resource, Debug, Default)]
pub(super) struct DrawnQuestions {
    of_tick: Vec<QueryNote>,
    of_frame: Vec<QueryNote>,
}

impl DrawnQuestions {
    pub(super) fn iter(&self) -> impl Iterator<Item = &QueryNote> {
        self.of_tick.iter().chain(&self.of_frame)
    }

    pub(super) fn clear(&mut self) {
        self.of_tick.clear();
        self.of_frame.clear();
    }
}

/// Files the queries up to now under the frame: those before its ticks, and those at its end.
pub(super) fn note_of_frame(mut notes: ResMut<QueryNotes>, mut drawn: ResMut<DrawnQuestions>) {
    if notes.is_on {
        let asked = notes.take();
        drawn.of_frame.extend(asked);
    }
}

/// Files the queries up to now under the tick that is over. They are drawn until the next tick.
pub(super) fn note_of_tick(mut notes: ResMut<QueryNotes>, mut drawn: ResMut<DrawnQuestions>) {
    if notes.is_on {
        drawn.of_tick = notes.take();
    }
}

/// Drops the queries of the frame before.
pub(super) fn forget_frame(mut drawn: ResMut<DrawnQuestions>) {
    drawn.of_frame.clear();
}

pub(super) fn draw_question(pen: &mut Pen, note: &QueryNote, colors: &CollisionColors) {
    let CollisionColors { query, found, .. } = *colors;
    match note {
        QueryNote::Cast { cast, seen, hits } => {
            let Cast {
                shape,
                origin,
                motion,
                ..
            } = *cast;
            let end = origin + motion * *seen;
            pen.line(origin, end, query);
            if shape != Shape::POINT {
                pen.shape(shape, origin, query);
                pen.shape(shape, end, query);
            }
            for hit in hits {
                draw_found(pen, hit.point, hit.normal, found);
            }
        }
        QueryNote::Overlap {
            shape,
            center,
            hits,
        } => {
            pen.shape(*shape, *center, query);
            for hit in hits {
                draw_found(pen, hit.point, hit.normal, found);
            }
        }
        QueryNote::Nearest {
            point,
            max_distance,
            hits,
        } => {
            pen.cross(*point, 6.0, query);
            if let Ok(reach) = Shape::circle(*max_distance) {
                pen.shape(reach, *point, query);
            }
            for hit in hits {
                pen.line(*point, hit.point, found);
                draw_found(pen, hit.point, hit.normal, found);
            }
        }
    }
}

fn draw_found(pen: &mut Pen, point: Vec2, normal: Vec2, color: Color) {
    pen.cross(point, 6.0, color);
    let tip = point + normal * pen.pixels(10.0);
    pen.line(point, tip, color);
}
