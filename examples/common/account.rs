//! An account of what collided, as lines of text, in the tutorials' pixels: from the top left, y down.

use bevy::prelude::*;
use bevy_nudge::prelude::*;

use super::window::to_pixels;

/// The lines so far. Scenes add lines of their own.
#[derive(Resource, Debug, Default)]
pub struct Account {
    /// Fixed ticks that have passed.
    pub tick: u32,
    /// Whether the lines will be read; if not, none are kept.
    pub is_read: bool,
    lines: Vec<String>,
}

impl Account {
    /// Adds a line with the tick in front of it.
    pub fn tell(&mut self, what: impl std::fmt::Display) {
        let tick = self.tick;
        if self.is_read {
            self.lines.push(format!("tick {tick:>4}: {what}"));
        }
    }
}

/// Keeps the account of a scene.
pub fn plugin(app: &mut App) {
    app.init_resource::<Account>()
        .add_systems(FixedFirst, count_tick)
        .add_systems(FixedLast, tell_of_collisions.run_if(account_is_read));
}

/// Run condition: the lines will be read, so it is worth finding out what they are to tell.
pub fn account_is_read(account: Res<Account>) -> bool {
    account.is_read
}

/// Returns all lines, with the final places of bodies that have names.
pub fn finish(app: &mut App) -> Vec<String> {
    let mut movers = app
        .world_mut()
        .query_filtered::<(&Name, &GlobalTransform, &Body), Or<(With<CircleCollider>, With<BoxCollider>)>>();
    let mut ends: Vec<String> = movers
        .iter(app.world())
        .filter(|(_, _, body)| **body != Body::Static)
        .map(|(name, transform, _)| {
            let end = to_pixels(transform.translation().truncate());
            let end = (end * 100.0).round() / 100.0;
            format!("{name} ends at ({}, {})", end.x, end.y)
        })
        .collect();
    let mut account = app.world_mut().resource_mut::<Account>();
    // Their order in memory must not matter.
    ends.sort_unstable();
    // A crowd is not listed one by one.
    if ends.len() < 10 {
        for end in ends {
            account.tell(end);
        }
    }
    std::mem::take(&mut account.lines)
}

fn count_tick(mut account: ResMut<Account>) {
    account.tick += 1;
}

/// Tells of pairs in which both have names.
fn tell_of_collisions(
    mut account: ResMut<Account>,
    mut started: MessageReader<CollisionStarted>,
    mut ended: MessageReader<CollisionEnded>,
    names: Query<&Name>,
) {
    let named = |a: Entity, b: Entity| Some((names.get(a).ok()?, names.get(b).ok()?));
    for hit in started.read() {
        if let Some((a, b)) = named(hit.a, hit.b) {
            let point = to_pixels(hit.point);
            // Downwards is positive in the tutorials.
            let (x, y) = (hit.normal.x, 0.0 - hit.normal.y);
            account.tell(format_args!(
                "{a} meets {b} at ({:.2}, {:.2}), normal ({x:.2}, {y:.2}), depth {:.2}",
                point.x, point.y, hit.depth
            ));
        }
    }
    for end in ended.read() {
        if let Some((a, b)) = named(end.a, end.b) {
            account.tell(format_args!("{a} leaves {b} ({:?})", end.reason));
        }
    }
}
