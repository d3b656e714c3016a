//! Who stands on what moves, and is carried along.

use bevy::{math::Vec2, platform::collections::HashMap};

use crate::{
    placed::Rank,
    state::{colliders::Colliders, contacts::Contacts, rules::is_solid_side},
    sweep::Traveller,
};

/// What has a normal within this cosine of up is stood on.
const STANDING: f32 = 0.71;
/// Stacks are carried up to this height, in bodies.
const STACK: usize = 16;

/// Buffers for a tick.
#[derive(Debug, Default)]
pub(super) struct Boarding {
    /// By body.
    traveller_of: HashMap<u32, usize>,
    /// Bodies that stand on another one, and that one.
    stands: Vec<(u32, u32)>,
    /// Bodies that are carried from now on, by what, and how far.
    boarding: Vec<(u32, u32, Vec2)>,
}

impl Boarding {
    /// Puts whatever stands on a moving platform on it, and whatever stands on that, and so on. It stands on what touched it from below when the last tick was over, if it does not go up
    /// by itself.
    pub(super) fn board(
        &mut self,
        colliders: &Colliders,
        contacts: &Contacts,
        may_stop: &dyn Fn(usize, usize) -> bool,
        up: Vec2,
        travellers: &mut Vec<Traveller>,
    ) {
        let rank = |body: u32| colliders.movers[body as usize].rank;
        let up = up.normalize_or_zero();
        let is_platform =
            |one: &Traveller| rank(one.body) == Rank::Kinematic && one.velocity != Vec2::ZERO;
        if up == Vec2::ZERO || !travellers.iter().any(is_platform) {
            return;
        }

        let Self {
            traveller_of,
            stands,
            boarding,
        } = self;
        traveller_of.clear();
        let numbered = travellers.iter().enumerate();
        traveller_of.extend(numbered.map(|(number, one)| (one.body, number)));
        stands.clear();
        for meeting in &contacts.current {
            let (a, b) = (meeting.slots.0 as usize, meeting.slots.1 as usize);
            for (below, above, normal) in [(a, b, meeting.normal), (b, a, -meeting.normal)] {
                let [lower, upper] = [below, above].map(|slot| colliders.placed[slot].body);
                let is_stood_on = normal.dot(up) > STANDING
                    && rank(upper) == Rank::Dynamic
                    && rank(lower) != Rank::Static
                    && may_stop(below, above)
                    && is_solid_side(colliders, below, above, normal);
                let goes_up = traveller_of
                    .get(&upper)
                    .is_some_and(|&number| travellers[number].velocity.dot(up) > 0.0);
                if is_stood_on && !goes_up {
                    stands.push((upper, lower));
                }
            }
        }

        for _ in 0..STACK {
            boarding.clear();
            for &(upper, lower) in &*stands {
                let traveller = |body: u32| traveller_of.get(&body).map(|&at| &travellers[at]);
                let along = traveller(lower).and_then(|lower| match rank(lower.body) {
                    Rank::Kinematic => Some(lower.velocity),
                    _ => lower.carried.map(|(_, along)| along),
                });
                let is_aboard = traveller(upper).is_some_and(|upper| upper.carried.is_some());
                if let Some(along) = along.filter(|along| *along != Vec2::ZERO && !is_aboard) {
                    boarding.push((upper, lower, along));
                }
            }
            if boarding.is_empty() {
                return;
            }
            // On two at once, it is the one that goes farther; of two that go as far, the one that goes farther to the right, or up.
            boarding.sort_unstable_by(|(upper_a, _, a), (upper_b, _, b)| {
                let far = b.length_squared().total_cmp(&a.length_squared());
                let place = b.x.total_cmp(&a.x).then(b.y.total_cmp(&a.y));
                upper_a.cmp(upper_b).then(far).then(place)
            });
            boarding.dedup_by_key(|(upper, ..)| *upper);
            for &(upper, lower, along) in &*boarding {
                let number = *traveller_of.entry(upper).or_insert_with(|| {
                    travellers.push(Traveller::standing(upper));
                    travellers.len() - 1
                });
                travellers[number].carried = Some((lower, along));
            }
        }
    }
}
