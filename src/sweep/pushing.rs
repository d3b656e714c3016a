//! Which bodies push which: if one of a row of bodies that touch is pushed, it takes along all that are in front of it.
//!
//! In pairs they would share their velocities without end, a little more with each hit; a row shares at once.

use super::agent::NONE;

/// The pairs that have met in this tick, and push each other since.
#[derive(Clone, Debug, Default)]
pub(super) struct Pushing {
    links: Vec<Link>,
    /// By agent: its newest link, or [`NONE`].
    newest: Vec<u32>,
}

/// What an agent touches on one of its sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) touch: Touch,
    side: usize,
    /// The time at which they joined.
    pub(super) time: f32,
    /// The speed of the other agent along the axis until then.
    pub(super) before: f32,
    /// The link before this one of the same agent, or [`NONE`].
    next: u32,
}

/// Two agents that touch each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// Both agents.
    pub(super) agents: [u32; 2],
    /// Their colliders.
    pub(super) slots: [u32; 2],
}

/// A member of a row, and the agent that pushes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowMember {
    pub(super) agent: u32,
    pub(super) by: u32,
    /// Set if it goes along from the opposite side, or with a member that does.
    pub(super) share: Option<Share>,
}

/// How a member of a row shares a push from the opposite side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    /// Its speed along the axis before it was pushed itself.
    pub(super) before: f32,
    /// The first member on this branch of the row: the one that touches a member that goes along anyway.
    pub(super) root: u32,
}

impl Touch {
    /// Returns the same as seen from the other agent.
    fn turned(self) -> Self {
        let [[one, other], [slot, others_slot]] = [self.agents, self.slots];
        Self {
            agents: [other, one],
            slots: [others_slot, slot],
        }
    }
}

impl Pushing {
    pub(super) fn clear(&mut self) {
        self.links.clear();
        self.newest.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// Notes that two push each other from this time on. The second one is on this side of the first, and the first on the opposite side of it. The speeds are those along the axis before.
    pub(super) fn join(&mut self, touch: Touch, side: usize, time: f32, [one, other]: [f32; 2]) {
        // Sides along the same axis come in pairs.
        for (touch, side, before) in [(touch, side, other), (touch.turned(), side ^ 1, one)] {
            let agent = touch.agents[0] as usize;
            if self.newest.len() <= agent {
                self.newest.resize(agent + 1, NONE);
            }
            let link = self.links.len() as u32;
            let next = std::mem::replace(&mut self.newest[agent], link);
            self.links.push(Link {
                touch,
                side,
                time,
                before,
                next,
            });
        }
    }

    /// Adds to a row, which has its first member, all that go along if that one is pushed to a side: agents on that side of others in the row, and agents on the opposite side for which `shares` is true. For both, `are_one` has to say that they still go together.
    pub(super) fn extend(
        &self,
        row: &mut Vec<RowMember>,
        side: usize,
        are_one: impl Fn(&Touch) -> bool,
        shares: impl Fn(&Link) -> bool,
    ) {
        let mut at = 0;
        while let Some(&RowMember {
            agent: by, share, ..
        }) = row.get(at)
        {
            at += 1;
            let mut link = self.newest.get(by as usize).copied().unwrap_or(NONE);
            while let Some(known) = self.links.get(link as usize) {
                let agent = known.touch.agents[1];
                let is_before_it = known.side == side;
                let may_go = is_before_it || (known.side == side ^ 1 && shares(known));
                let is_new = || row.iter().all(|member| member.agent != agent);
                if may_go && is_new() && are_one(&known.touch) {
                    let root = share.map(|share| share.root);
                    let root = root.or_else(|| (!is_before_it).then_some(agent));
                    let before = known.before;
                    let share = root.map(|root| Share { before, root });
                    row.push(RowMember { agent, by, share });
                }
                link = known.next;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_all_that_is_in_front() {
        //        4
        // 1 - 2 -     with 2 below both, and 5 on top of 4.
        //        3
        let mut pushing = Pushing::default();
        let touch = |one, other| Touch {
            agents: [one, other],
            slots: [one, other],
        };
        let [right, left, up, down] = [0, 1, 2, 3];
        pushing.join(touch(1, 2), right, 0.0, [2.0, 0.0]);
        pushing.join(touch(4, 2), left, 0.0, [0.0; 2]);
        pushing.join(touch(2, 3), right, 0.5, [1.0, 0.0]);
        pushing.join(touch(4, 5), up, 0.0, [0.0; 2]);
        let row_since = |since: f32, first: u32, side: usize| {
            let first = RowMember {
                agent: first,
                by: 0,
                share: None,
            };
            let mut row = vec![first];
            let are_one = |touch: &Touch| touch.agents != [2, 4];
            pushing.extend(&mut row, side, are_one, |link| link.time >= since);
            let mut agents: Vec<u32> = row.iter().map(|member| member.agent).collect();
            agents.sort_unstable();
            agents
        };
        let row = |first: u32, side: usize| row_since(1.0, first, side);
        assert_eq!(row(1, right), [1, 2, 3], "4 is not in the row");
        assert_eq!(row(2, left), [1, 2]);
        assert_eq!(row(4, left), [1, 2, 4]);
        assert_eq!(row(4, up), [4, 5]);
        assert_eq!(row(5, down), [4, 5]);
        assert_eq!(row(5, up), [5]);
        assert_eq!(row(9, right), [9], "it has no links");
        assert_eq!(row_since(0.5, 2, left), [1, 2, 3], "3 is in the row");
        assert_eq!(row_since(0.5, 3, right), [2, 3], "2 pushes it");
    }
}
