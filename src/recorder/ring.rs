//! The recorder's ring of the newest ticks.

use std::{ops::RangeInclusive, time::Duration};

use bevy::ecs::prelude::Resource;
use tracing::warn;

use super::{
    error::Senseless,
    frame::Frame,
    recording::{Recording, Segment},
    records::Record,
};
use crate::snapshot::Snapshot;

/// After so many ticks a new segment begins, with the whole state.
const TICKS_PER_SEGMENT: usize = 64;
/// A new segment begins earlier if the ticks of this one take more than the memory divided by this.
const SEGMENTS_IN_MEMORY: usize = 8;

/// The newest ticks, recorded by a [`CollisionRecorderPlugin`](super::CollisionRecorderPlugin).
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::{prelude::*, recorder::{CollisionRecorder, CollisionRecorderPlugin}};
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, CollisionPlugin::default(), CollisionRecorderPlugin));
/// let dot = app.world_mut().spawn(CircleCollider::new(1.0)).id();
/// for x in 0..10 {
///     app.world_mut().get_mut::<Transform>(dot).unwrap().translation.x = x as f32;
///     app.world_mut().run_schedule(FixedPostUpdate);
/// }
///
/// let recorder = app.world().resource::<CollisionRecorder>();
/// let ticks = recorder.ticks().unwrap();
/// let places = ticks.map(|tick| recorder.snapshot(tick).unwrap().colliders[0].center.x);
/// assert_eq!(places.collect::<Vec<_>>(), (0..10).map(|x| x as f32).collect::<Vec<_>>());
/// ```
#[derive(Resource, Debug)]
pub struct CollisionRecorder {
    /// Whether ticks are recorded; default true. While it is off, it costs nothing, and the recorded ticks can still be looked at; when it is switched on again, the recording begins anew.
    pub is_on: bool,
    /// How many seconds of the game's fixed time are kept; default 10. Up to 64 ticks more are kept. 0, a negative number or NaN keeps only those, and infinity all that the memory holds. Ticks without duration do not count.
    pub seconds: f32,
    /// How many bytes the ticks may take; default 64 MiB. Where they would take more, the oldest ones are dropped, up to 64 at a time, and fewer [`seconds`](Self::seconds) are kept.
    ///
    /// The newest segment of up to 64 ticks is kept in any case. The state after the newest tick takes some 300 bytes for each collider besides that.
    ///
    /// A collider that moves takes some 15 bytes a tick, one that stands still none, and a contact that has changed 30. The whole state, some 150 bytes for each collider, is written again every 64 ticks,
    /// or earlier, when these take an eighth of the memory. So 64 MiB hold about five seconds of 10,000 moving colliders.
    pub max_bytes: usize,
    recording: Recording,
    /// The state after the newest recorded tick, or in the tick that is under way; `None` if the next tick does not follow from it.
    frame: Option<Frame>,
    /// The record of the tick that is under way: what the game did before it.
    pub(super) pending: Option<Record>,
    /// How many stages of that tick have run.
    pub(super) stages: u32,
    /// Whether it has warned of a tick without one of its stages. A game may let a stage rest in every other tick.
    has_warned: bool,
}

impl Default for CollisionRecorder {
    fn default() -> Self {
        Self {
            is_on: true,
            seconds: 10.0,
            max_bytes: 64 << 20,
            recording: Recording::default(),
            frame: None,
            pending: None,
            stages: 0,
            has_warned: false,
        }
    }
}

impl CollisionRecorder {
    /// Returns the first and the last tick that can be looked at, counted from when the plugin was added; `None` as long as there are none.
    pub fn ticks(&self) -> Option<RangeInclusive<u64>> {
        self.recording.ticks()
    }

    /// How many ticks can be looked at.
    pub fn len(&self) -> usize {
        self.recording.len()
    }

    /// Whether there are no ticks.
    pub fn is_empty(&self) -> bool {
        self.recording.is_empty()
    }

    /// How many bytes the ticks take, see [`max_bytes`](Self::max_bytes).
    pub fn bytes(&self) -> usize {
        self.recording.bytes()
    }

    /// How long the recorded ticks lasted, in the game's fixed time.
    pub fn duration(&self) -> Duration {
        self.recording.duration()
    }

    /// Returns the collision world as a tick left it, before observers heard of it: what a [`TickView`](crate::snapshot::TickView) showed then. `None` for a tick that is not recorded.
    ///
    /// Costs reading up to 64 ticks, and any ticks without duration between these: about as much as recording them did.
    pub fn snapshot(&self, tick: u64) -> Option<Snapshot> {
        self.recording.snapshot(tick)
    }

    /// Returns what has been recorded so far, to be saved or replayed. Copies no ticks.
    pub fn recording(&self) -> Recording {
        self.recording.clone()
    }

    /// Forgets all ticks. If the recorder is on, it begins anew with the next tick, and warns again of a tick without one of its stages.
    pub fn clear(&mut self) {
        self.recording = Recording::default();
        self.has_warned = false;
        self.lose_track();
    }

    /// Notes that the next tick does not follow from the known state. The recorded ticks are kept until that tick is recorded.
    pub(crate) fn lose_track(&mut self) {
        self.frame = None;
        self.pending = None;
    }

    /// Begins anew, because the observed state is impossible.
    pub(super) fn give_up(&mut self, reason: Senseless) {
        warn!("The recorder of collisions begins anew: {reason}");
        self.clear();
    }

    /// Notes that a stage of this tick did not run. Its results are left over from the tick before, or missing, and no frame contains that.
    pub(super) fn wait(&mut self) {
        if !std::mem::replace(&mut self.has_warned, true) {
            warn!(
                "the recorder of collisions waits for a tick with all of its stages: one has not run"
            );
        }
        self.lose_track();
    }

    /// Returns the record and the state of the tick that is under way, if it is this one.
    pub(super) fn under_way(&mut self, tick: u64) -> Option<(Record, &mut Frame)> {
        let record = self.pending.take().filter(|record| record.tick == tick)?;
        Some((record, self.frame.as_mut()?))
    }

    /// Returns the state after the newest recorded tick, if that tick is the one before `tick`.
    pub(super) fn before(&mut self, tick: u64) -> Option<&mut Frame> {
        // A record that is still pending has not become a tick.
        let was_pending = self.pending.take().is_some();
        let frame = self.frame.as_mut().filter(|_| !was_pending)?;
        (frame.tick.checked_add(1) == Some(tick)).then_some(frame)
    }

    /// Begins a new recording with this state.
    pub(super) fn begin(&mut self, frame: Frame) {
        self.recording = Recording::default();
        self.recording.segments.push_back(Segment::new(&frame));
        self.frame = Some(frame);
    }

    /// Adds the record of a tick; `frame` is already the state after it.
    pub(super) fn push(&mut self, record: &Record) {
        let segments = &mut self.recording.segments;
        let (Some(newest), Some(frame)) = (segments.back_mut(), &self.frame) else {
            return;
        };
        newest.push(record);
        // Ticks without duration, as in a game that is paused, do not fill a segment.
        let is_long = newest.len() >= TICKS_PER_SEGMENT && !newest.duration().is_zero();
        // Without the whole state at its beginning: in a large world that alone takes as much.
        let is_large = newest.bytes_of_records() > self.max_bytes / SEGMENTS_IN_MEMORY;
        if is_long || is_large {
            segments.push_back(Segment::new(frame));
        }
        self.drop_oldest();
    }

    fn drop_oldest(&mut self) {
        // Negative numbers and NaN count as 0.
        let wanted = Duration::try_from_secs_f32(self.seconds.max(0.0)).unwrap_or(Duration::MAX);
        // Without ticks of its own, the newest segment leaves nothing to replay.
        let has_ticks = |segment: &Segment| segment.len() > 0;
        while self.recording.segments.iter().skip(1).any(has_ticks) {
            let rest: Duration = self
                .recording
                .segments
                .iter()
                .skip(1)
                .map(Segment::duration)
                .sum();
            if self.recording.bytes() <= self.max_bytes && rest < wanted {
                return;
            }
            self.recording.segments.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A paused game, in a schedule other than a fixed one. If each tick went through all those before it, this would take minutes.
    #[test]
    fn a_tick_of_no_length_costs_the_same_after_many_others() {
        let mut recorder = CollisionRecorder {
            max_bytes: usize::MAX,
            ..CollisionRecorder::default()
        };
        recorder.begin(Frame::default());
        for tick in 1..=1_000_000 {
            recorder.push(&Record {
                tick,
                ..Record::default()
            });
        }
        assert_eq!(recorder.ticks(), Some(0..=1_000_000));
        assert_eq!(recorder.bytes(), recorder.recording().bytes());
    }
}
