//! The horde: the player walks 2 units a tick and has a radius of 8, a bullet flies 10 units a tick and has a radius of 2.

use std::ops::Deref;

use bevy::prelude::*;
use bevy_nudge::{
    kernel::{Shape, separation},
    prelude::*,
};

use crate::horde::{
    self, BITE, BLAST, BLAST_HURTS, BLAST_PAUSE, Bullet, ENEMIES, Enemy, Game, HEALTH, Health,
    PILLARS, Player, RADIUS, ROOM, STAGE,
};

struct Horde(App);

/// The shape and the place of a character or a pillar.
struct Shaped {
    entity: Entity,
    shape: Shape,
    place: Vec2,
}

impl Shaped {
    fn gap(&self, other: &Self) -> f32 {
        separation(self.shape, other.shape, other.place - self.place)
    }
}

impl Horde {
    fn new() -> Self {
        Self(common::rehearsal(&STAGE, horde::scene))
    }

    fn hold(&mut self, ticks: u32, keys: &'static [KeyCode]) -> &mut Self {
        common::hold(&mut self.0, &common::Step::keys(ticks, keys));
        self
    }

    fn game(&self) -> impl Deref<Target = Game> {
        self.0.world().resource_ref::<Game>()
    }

    fn count<T: Component>(&mut self) -> usize {
        let world = self.0.world_mut();
        world.query::<&T>().iter(world).len()
    }

    /// Returns all solid colliders except the room.
    fn shapes(&mut self) -> Vec<Shaped> {
        type Parts = (
            Entity,
            Option<&'static CircleCollider>,
            Option<&'static BoxCollider>,
            &'static Transform,
        );
        let world = self.0.world_mut();
        let mut all = world.query_filtered::<Parts, Without<Sensor>>();
        let shaped = all
            .iter(world)
            .filter_map(|(entity, circle, rectangle, transform)| {
                let shape = circle.map(CircleCollider::shape);
                let shape = shape.or(rectangle.map(BoxCollider::shape))?;
                Some(Shaped {
                    entity,
                    shape: shape.expect("valid"),
                    place: transform.translation.truncate(),
                })
            });
        shaped.collect()
    }

    fn player(&mut self) -> (Entity, Vec2) {
        let world = self.0.world_mut();
        let mut players = world.query_filtered::<(Entity, &Transform), With<Player>>();
        let (entity, transform) = players.single(world).expect("one player");
        (entity, transform.translation.truncate())
    }

    fn enemy(&mut self, x: f32, y: f32, health: f32) -> Entity {
        let enemy = (
            Enemy {
                speed: 0.0,
                thrust: Vec2::ZERO,
            },
            CircleCollider::new(7.0),
            CollisionLayers::new(ENEMIES, u32::MAX),
            Health::new(health),
            Velocity::default(),
            Transform::from_xyz(x, y, 0.0),
        );
        self.0.world_mut().spawn(enemy).id()
    }

    fn health(&self, entity: Entity) -> Option<f32> {
        let health = self.0.world().get::<Health>(entity)?;
        Some(health.left)
    }

    /// Asserts that no collider is deeper in another one or in a pillar, or farther out of the room, than the plugin promises.
    fn assert_nobody_is_in_anybody(&mut self, when: &str) {
        let all = self.shapes();
        for (number, one) in all.iter().enumerate() {
            for other in &all[..number] {
                let gap = one.gap(other);
                let (a, b) = (one.place, other.place);
                assert!(gap > -0.01, "{when}: {a} and {b} overlap by {}", -gap);
            }
            let reach = one.place.abs() + one.shape.half_extents();
            let is_inside = (reach - ROOM * 0.5).max_element() < 0.01;
            assert!(is_inside, "{when}: {} is in the wall", one.place);
        }
    }
}

#[test]
fn the_player_walks_as_fast_aslant_as_straight() {
    use KeyCode::{ArrowLeft, ArrowRight, KeyD, KeyS, KeyW};
    // 30 ticks lead 60 units, and 60 / √2 on each axis along a diagonal.
    let aslant = 42.426_407;
    for (case, keys, end) in [
        ("right", &[ArrowRight][..], Vec2::new(60.0, 0.0)),
        ("up", &[KeyW], Vec2::new(0.0, 60.0)),
        ("down left", &[KeyS, ArrowLeft], Vec2::splat(-aslant)),
        ("both ways at once", &[KeyD, ArrowLeft], Vec2::ZERO),
    ] {
        let mut horde = Horde::new();
        let (_, place) = horde.hold(30, keys).player();
        assert!(place.distance(end) < 1.0e-3, "{case}: {place}");
    }
}

/// The pillar is a disc with a radius of 30 around (110, 10), and the player comes along y = 0. A step of 2 along its tangent leads √(38² + 2²) − 38 = 0.053 away from it at most.
#[test]
fn the_player_glides_round_the_pillar() {
    let mut horde = Horde::new();
    let (_, place) = horde.hold(50, &[KeyCode::ArrowRight]).player();
    let (size, radius, middle) = PILLARS[0];
    assert_eq!(size, Vec2::splat(2.0 * radius), "it is a disc");
    let gap = place.distance(middle) - radius - RADIUS;
    assert!((-0.01..0.053).contains(&gap), "{gap}");
    assert!(place.y < -1.0, "along it, downwards: {place}");
}

/// The bullet is fired in the tenth tick, and is 40 away after the thirteenth. The near edge of the enemy is at 50, and the bullet's front would be at 52 after the next tick.
#[test]
fn the_first_bullet_flies_at_the_nearest_and_takes_health_off_it() {
    let mut horde = Horde::new();
    let near = horde.enemy(57.0, 0.0, 3.0);
    let far = horde.enemy(0.0, 60.0, 3.0);
    horde.hold(9, &[]);
    assert_eq!(horde.count::<Bullet>(), 0);
    horde.hold(4, &[]);
    assert_eq!(horde.count::<Bullet>(), 1);
    assert_eq!(horde.health(near), Some(3.0));
    horde.hold(1, &[]);
    assert_eq!(horde.count::<Bullet>(), 0);
    assert_eq!(
        (horde.health(near), horde.health(far)),
        (Some(2.0), Some(3.0))
    );
    // The next bullets hit in ticks 24 and 34, and take the rest of the health.
    horde.hold(19, &[]);
    assert_eq!((horde.health(near), horde.game().killed), (Some(1.0), 0));
    horde.hold(1, &[]);
    assert_eq!((horde.health(near), horde.game().killed), (None, 1));
}

#[test]
fn a_bullet_ends_at_the_wall_before_the_enemy() {
    let mut horde = Horde::new();
    // The pillar reaches from -142 to -118, and this enemy touches it from behind.
    let behind = horde.enemy(-149.0, -80.0, 3.0);
    let mut all = horde
        .0
        .world_mut()
        .query_filtered::<&mut Transform, With<Player>>();
    let mut player = all.single_mut(horde.0.world_mut()).expect("one player");
    player.translation = Vec3::new(-90.0, -80.0, 0.0);
    horde.hold(60, &[]);
    assert_eq!(horde.health(behind), Some(3.0));
}

#[test]
fn a_blast_hurts_and_thrusts_those_in_its_radius_and_no_others() {
    let mut horde = Horde::new();
    horde.hold(415, &[]);
    // So that nothing else does damage in this tick; the next shot is five ticks later.
    let world = horde.0.world_mut();
    let mut bullets = world.query_filtered::<Entity, With<Bullet>>();
    for bullet in bullets.iter(world).collect::<Vec<_>>() {
        world.despawn(bullet);
    }
    let (player, center) = horde.player();
    let point = Shaped {
        entity: player,
        shape: Shape::POINT,
        place: center,
    };
    let before: Vec<(Shaped, f32)> = horde
        .shapes()
        .into_iter()
        .filter(|one| horde.0.world().get::<Enemy>(one.entity).is_some())
        .map(|one| {
            let health = horde.health(one.entity).expect("an enemy has health");
            (one, health)
        })
        .collect();
    let killed = horde.game().killed;
    horde.hold(1, &[KeyCode::Space]);
    let (mut fallen, mut hurt, mut spared) = (0, 0, 0);
    for (one, health) in &before {
        let is_in_reach = one.gap(&point) <= BLAST;
        let left = if is_in_reach {
            health - BLAST_HURTS
        } else {
            *health
        };
        let expected = (left > 0.0).then_some(left);
        assert_eq!(horde.health(one.entity), expected, "{}", one.place);
        match (is_in_reach, expected) {
            (true, None) => fallen += 1,
            (true, Some(_)) => hurt += 1,
            _ => spared += 1,
        }
        let world = horde.0.world();
        if let Some(enemy) = world.get::<Enemy>(one.entity) {
            // The thrust has lost a tenth after the tick.
            let mass = world.get::<Mass>(one.entity).expect("each has one").0;
            let thrust = if is_in_reach { 480.0 * 0.9 / mass } else { 0.0 };
            assert!((enemy.thrust.length() - thrust).abs() < 0.01);
        }
    }
    assert!(
        fallen > 10 && hurt > 3 && spared > 10,
        "{fallen} {hurt} {spared}"
    );
    assert_eq!(horde.game().killed, killed + fallen);
}

#[test]
fn a_blast_needs_three_seconds_to_be_ready_again() {
    let mut horde = Horde::new();
    let press = |horde: &mut Horde| {
        horde.hold(1, &[KeyCode::Space]);
        horde.game().until_blast
    };
    assert_eq!(press(&mut horde), BLAST_PAUSE - 1);
    horde.hold(1, &[]);
    assert_eq!(press(&mut horde), BLAST_PAUSE - 3);
    horde.hold(BLAST_PAUSE - 3, &[]);
    assert_eq!(press(&mut horde), BLAST_PAUSE - 1);
}

#[test]
fn a_blast_during_a_pause_is_not_lost() {
    let mut horde = Horde::new();
    let near = horde.enemy(60.0, 0.0, 3.0);
    horde.hold(1, &[]);
    horde.0.world_mut().resource_mut::<Time<Virtual>>().pause();
    horde.hold(1, &[KeyCode::Space]).hold(1, &[]);
    assert_eq!(horde.game().until_blast, 0);
    assert_eq!(horde.health(near), Some(3.0));
}

#[test]
fn who_touches_the_player_costs_health() {
    let mut horde = Horde::new();
    // One enemy is beside the player, and another a tenth too far away. The first bullet is fired after the third tick.
    horde.enemy(15.0, 0.0, 3.0);
    horde.enemy(0.0, 15.1, 3.0);
    let (player, _) = horde.player();
    horde.hold(3, &[]);
    let lost = HEALTH - horde.health(player).expect("alive");
    // The damage of the enemy beside the player, in three ticks.
    assert!((lost - 3.0 * BITE).abs() < 1.0e-4, "{lost}");
}

#[test]
fn nobody_is_in_anybody_and_nobody_is_in_a_wall() {
    let standing: &[common::Step] = &[common::Step::keys(700, &[])];
    for (case, recording) in [("the recording", STAGE.recording), ("standing", standing)] {
        let mut horde = Horde::new();
        let (mut tick, mut at_the_player) = (0, 0);
        for step in recording {
            for _ in 0..step.ticks {
                horde.hold(1, step.keys);
                tick += 1;
                horde.assert_nobody_is_in_anybody(&format!("{case}, tick {tick}"));
                let (player, _) = horde.player();
                let told = horde.0.world().resource::<Messages<Collision>>();
                let told = told.iter_current_update_messages();
                at_the_player += told.filter(|hit| hit.involves(player)).count();
            }
        }
        let crowd = horde.count::<Enemy>();
        assert!(crowd > 100, "{case}: {crowd} enemies");
        assert!(at_the_player > 300, "{case}: {at_the_player} contacts");
    }
}

#[test]
fn when_health_is_gone_all_stand_and_it_starts_anew() {
    let mut horde = Horde::new();
    horde.hold(400, &[]);
    let (player, _) = horde.player();
    let mut health = horde
        .0
        .world_mut()
        .get_mut::<Health>(player)
        .expect("has one");
    health.left = 0.01;
    horde.hold(60, &[]);
    assert_eq!(horde.count::<Player>(), 0);
    let places =
        |horde: &mut Horde| -> Vec<Vec2> { horde.shapes().iter().map(|one| one.place).collect() };
    let before = places(&mut horde);
    horde.hold(60, &[KeyCode::ArrowLeft, KeyCode::Space]);
    assert_eq!(places(&mut horde), before);

    horde.hold(1, &[KeyCode::KeyR]);
    let (player, place) = horde.player();
    assert_eq!((horde.health(player), place), (Some(HEALTH), Vec2::ZERO));
    assert_eq!((horde.count::<Enemy>(), horde.count::<Bullet>()), (0, 0));
    let Game {
        tick,
        killed,
        until_blast,
        ..
    } = *horde.game();
    assert_eq!((tick, killed, until_blast), (1, 0, 0));
    horde.hold(60, &[]);
    assert!(horde.count::<Enemy>() > 10);
}

/// A blast may take more health than there was, and the enemy is drawn before the tick that despawns it.
#[test]
fn what_is_drawn_of_the_end() {
    let still = common::Stage {
        recording: &[],
        ..STAGE
    };
    let app = common::draw_unseen(&still, horde::scene, horde::drawing);
    let mut horde = Horde(app);
    let enemy = horde.enemy(57.0, 0.0, 1.0);
    let (player, _) = horde.player();
    let world = horde.0.world_mut();
    world.resource_mut::<Time<Virtual>>().pause();
    let paint = common::Paint(common::Palette::OTHER);
    world.entity_mut(enemy).insert(paint);
    let mut health = world.get_mut::<Health>(enemy).expect("it has health");
    health.left = 1.0 - BLAST_HURTS;
    world.despawn(player);
    for (ticks, seconds) in [(59, "0 s"), (60, "1 s"), (125, "2 s")] {
        let world = horde.0.world_mut();
        world.resource_mut::<Game>().tick = ticks;
        horde.0.update();
        let world = horde.0.world_mut();
        let mut texts = world.query::<&Text2d>();
        let line = format!("You have fallen after {seconds}, and 0 before you. R starts anew.");
        let is_there = texts.iter(world).any(|text| text.0 == line);
        assert!(is_there, "{line}");
    }
    let paint = horde.0.world().get::<common::Paint>(enemy);
    let color = paint.expect("it is painted").0.to_srgba().to_vec3();
    let red = common::Palette::HIT.to_srgba().to_vec3();
    assert!(color.distance(red) < 1.0e-3, "{color}");
}

#[test]
fn the_last_blast_fades_when_nobody_is_left_who_set_it_off() {
    let mut horde = Horde::new();
    horde.hold(400, &[]);
    horde.hold(1, &[KeyCode::Space]);
    let until_blast = horde.game().until_blast;
    assert!(until_blast > 0);
    let (player, _) = horde.player();
    horde.0.world_mut().entity_mut(player).despawn();
    horde.hold(60, &[]);
    assert_eq!(horde.game().until_blast, until_blast - 60);
}

#[test]
fn the_recording_played_twice_gives_the_same_bits() {
    let play = || common::fingerprint(&STAGE, horde::scene);
    assert_eq!(play(), play());
}
