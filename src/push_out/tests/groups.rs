//! Who is judged with whom.

use bevy::math::Vec2;

use super::{
    super::{
        groups::Groups, island::Island, met::Met, near::Near, overlaps::Overlaps, world::Members,
        world::World,
    },
    Scene, circle,
};
use crate::placed::Rank;

/// The first round without chains, when the sum of depths is the same in each.
const STALL: u32 = 13;

#[test]
fn who_joins_a_jam_that_gets_worse_goes_back_too() {
    let mut scene = Scene::default();
    let places = [0.0, 4.0, 20.0].map(|x| Vec2::new(x, 0.0));
    for place in places {
        scene.add(circle(5.0), Rank::Dynamic, place.x, place.y);
    }
    let (mut members, mut near, mut overlaps) = <(Members, Near, Overlaps)>::default();
    let (mut island, mut groups, mut met) = <(Island, Groups, Met)>::default();
    let mut world = World::new(&mut members, &scene, None);
    near.start(2.5);
    overlaps.start();
    groups.start();
    overlaps.add(&mut world, &mut near, (0, 1));
    overlaps.update(&mut world, &mut near);
    let bodies = [0, 1, 2].map(|slot| world.enter(slot));

    for round in 0..STALL + 5 {
        let depth = 100 + u64::from(round.saturating_sub(STALL)) * 10;
        groups.add(bodies[0], depth);
        let goes_on = groups.judge(round, false, &met);
        assert_eq!(goes_on, round < STALL + 4, "round {round}");
        let goes_back = groups.go_back(&mut world, &mut near.pairs, &mut met);
        assert_eq!(goes_back, round == STALL + 4, "round {round}");
        if !goes_on {
            break;
        }
        assert_eq!(
            groups.begin_round(&world),
            round % 4 == 0 || round == STALL,
            "round {round}"
        );
        if round == STALL + 1 {
            world.move_to(bodies[1], Vec2::new(12.0, 0.0));
            overlaps.update(&mut world, &mut near);
        }
        assert!(island.collect(&world, &mut near.pairs, overlaps.over[0], round + 1));
        groups.unite(&world, &island);
        let chain = groups.longest_chain(&island);
        assert_eq!(chain == 1, round >= STALL, "round {round}");
        if round == STALL + 1 {
            assert_eq!(groups.of(bodies[2]), groups.of(bodies[0]));
            world.move_to(bodies[2], Vec2::new(40.0, 0.0));
        }
    }
    assert_eq!(bodies.map(|body| world.position(body)), places);
}
