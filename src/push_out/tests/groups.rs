//! Which bodies are judged together.

use bevy::math::Vec2;

use super::{
    super::{
        groups::Groups, island::Island, met::NewOverlaps, near::Near, overlaps::Overlaps,
        world::Members, world::World,
    },
    Scene, circle,
};
use crate::placed::Rank;

/// The first round without chains, if the sum of depths is the same in each round.
const STALL: u32 = 13;

#[test]
fn who_joins_a_jam_that_gets_worse_goes_back_too() {
    let mut scene = Scene::default();
    let places = [0.0, 4.0, 20.0].map(|x| Vec2::new(x, 0.0));
    for place in places {
        scene.add(circle(5.0), Rank::Dynamic, place.x, place.y);
    }
    let (mut members, mut near, mut overlaps) = <(Members, Near, Overlaps)>::default();
    let (mut island, mut groups, mut met) = <(Island, Groups, NewOverlaps)>::default();
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

/// Collects all overlapping pairs, and the pairs near them.
fn find_all(scene: &Scene, world: &mut World, (near, overlaps): (&mut Near, &mut Overlaps)) {
    near.start(2.5);
    overlaps.start();
    for pair in scene.overlapping() {
        overlaps.add(world, near, pair);
    }
    overlaps.update(world, near);
}

/// A row of 140 circles, a bridge, and 20 more. Once the bridge is gone there are two islands of one group; whichever comes first, the group does not count as one in which few pairs overlap.
#[test]
fn of_two_islands_of_a_group_it_does_not_matter_which_is_first() {
    let told = |[first, second]: [usize; 2]| {
        let mut scene = Scene::default();
        let (mut x, mut seeds) = (0.0, [(0, 0); 2]);
        for slot in 0..161 {
            scene.add(circle(5.0), Rank::Dynamic, x, 0.0);
            // Eight pairs overlap on the left of the bridge, which is number 140, and four on the right.
            let is_over = slot < 80 && slot % 10 == 0 || slot > 140 && slot % 5 == 1;
            if is_over {
                seeds[usize::from(slot > 140)] = (slot, slot + 1);
            }
            x += if is_over { 9.5 } else { 10.0 };
        }
        let (mut members, mut near, mut overlaps) = <(Members, Near, Overlaps)>::default();
        let (mut island, mut groups, met) = <(Island, Groups, NewOverlaps)>::default();
        let mut world = World::new(&mut members, &scene, None);
        groups.start();
        find_all(&scene, &mut world, (&mut near, &mut overlaps));
        let bodies: Vec<u32> = (0..161).map(|slot| world.enter(slot)).collect();
        groups.add(bodies[0], 100);
        assert!(groups.judge(1, false, &met));
        assert!(island.collect(&world, &mut near.pairs, overlaps.over[0], 1));
        assert_eq!(island.bodies.len(), 161);
        groups.unite(&world, &island);
        groups.note(&island, 12);

        world.move_to(bodies[140], Vec2::new(0.0, 1000.0));
        overlaps.update(&mut world, &mut near);
        groups.add(bodies[0], 100);
        assert!(groups.judge(2, false, &met));
        let seed = |(a, b): (u32, u32)| {
            let pair = [a, b].map(|slot| bodies[slot as usize]);
            let mut over = overlaps.over.iter().copied();
            over.find(|&number| {
                let (a, b) = near.pairs.get(number).numbers();
                pair.contains(&a) && pair.contains(&b)
            })
        };
        let seeds = seeds.map(|pair| seed(pair).expect("it overlaps"));
        let over = [8, 4];
        let mut may_press = [false; 2];
        for which in [first, second] {
            assert!(island.collect(&world, &mut near.pairs, seeds[which], 2));
            assert_eq!(island.bodies.len(), [140, 20][which]);
            groups.unite(&world, &island);
            groups.note(&island, over[which]);
        }
        for which in [first, second] {
            let body = bodies[[0, 141][which]];
            may_press[which] = groups.may_press(body, [1000, 900][which]);
        }
        (groups.is_sparse(bodies[0]), may_press)
    };
    let expected = (false, [true; 2]);
    assert_eq!([[0, 1], [1, 0]].map(told), [expected; 2]);
}

/// The depths from before both crowds came together do not count for this round.
#[test]
fn crowds_that_have_come_together_are_pressed_again_only_if_that_helped() {
    let mut scene = Scene::default();
    for x in [0.0, 9.0, 30.0, 39.0] {
        scene.add(circle(5.0), Rank::Dynamic, x, 0.0);
    }
    let (mut members, mut near, mut overlaps) = <(Members, Near, Overlaps)>::default();
    let (mut island, mut groups, met) = <(Island, Groups, NewOverlaps)>::default();
    let mut world = World::new(&mut members, &scene, None);
    groups.start();
    find_all(&scene, &mut world, (&mut near, &mut overlaps));
    let bodies = [0, 1, 2, 3].map(|slot| world.enter(slot));
    let mut told = Vec::new();
    for (round, depths) in [(1, vec![1000, 900]), (2, vec![800]), (3, vec![1300])] {
        if round == 2 {
            world.move_to(bodies[2], Vec2::new(18.0, 0.0));
            world.move_to(bodies[3], Vec2::new(27.0, 0.0));
            near.follow(&mut world);
            overlaps.update(&mut world, &mut near);
        }
        groups.add(bodies[0], 100);
        assert!(groups.judge(round, false, &met));
        let pressed = || depths.iter().zip((0..).map(|number| bodies[2 * number]));
        for (_, body) in pressed() {
            let seed = near
                .pairs
                .of(body)
                .find(|seed| overlaps.over.contains(seed));
            let seed = seed.expect("it overlaps another body");
            assert!(island.collect(&world, &mut near.pairs, seed, round));
            assert_eq!(island.bodies.len(), if round == 1 { 2 } else { 4 });
            groups.unite(&world, &island);
            groups.note(&island, 2);
        }
        for (&depth, body) in pressed() {
            told.push(groups.may_press(body, depth));
        }
    }
    assert_eq!(told, [true, true, true, false]);
}
