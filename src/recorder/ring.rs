//! The ring of the newest ticks.

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

/// After so many ticks everything is kept once more.
const SEGMENT: usize = 64;
/// Or when the ticks since then use up this part of the memory.
const PARTS: usize = 8;

/// The newest ticks, as a [`CollisionRecorderPlugin`](super::CollisionRecorderPlugin) records them.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_nudge::{prelude::*, recorder::{CollisionRecorder, CollisionRecorderPlugin}};
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, CollisionPlugin::default(), CollisionRecorderPlugin::default()));
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
    /// Whether ticks are recorded. Off, it costs nothing, and what was recorded stays to be looked at; switched on again, it begins anew.
    pub is_on: bool,
    /// How long it looks back, in seconds of the game's fixed time; default 10. Up to 64 ticks more are kept. 0 keeps no more than those, and infinity all that the memory holds. Ticks of no length do not count.
    pub seconds: f32,
    /// How many bytes the ticks may take, default 64 MiB. Where they would take more, the oldest ones go first, up to 64 at a time, and it looks back less far than [`seconds`](Self::seconds) says.
    ///
    /// The newest part stays in any case. The newest tick is kept in another form beside that, with some 300 bytes for each collider.
    ///
    /// A collider that moves takes some 15 bytes a tick, one that stands still nothing, and a contact that is not as it was 30. All that is known, some 150 bytes for each collider, is kept once more every 64 ticks,
    /// or before, if these take an eighth of the memory. So of 10,000 colliders on the move, 64 MiB hold about five seconds.
    pub max_bytes: usize,
    recording: Recording,
    bytes: usize,
    frame: Frame,
    /// Whether the frame is of the newest recorded tick.
    has_begun: bool,
    /// The tick that is under way: what the game did before it.
    pub(super) pending: Option<Record>,
    /// How many of its stages have run.
    pub(super) stages: u32,
    /// It waits for a whole tick, and has said so.
    is_waiting: bool,
}

impl Default for CollisionRecorder {
    fn default() -> Self {
        Self {
            is_on: true,
            seconds: 10.0,
            max_bytes: 64 << 20,
            recording: Recording::default(),
            bytes: 0,
            frame: Frame::default(),
            has_begun: false,
            pending: None,
            stages: 0,
            is_waiting: false,
        }
    }
}

impl CollisionRecorder {
    /// The first and the last tick that can be looked at, counted from when the plugin was added; `None` as long as there are none.
    pub fn ticks(&self) -> Option<RangeInclusive<u64>> {
        self.recording.ticks()
    }

    /// How many ticks can be looked at.
    pub fn len(&self) -> usize {
        self.recording.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.recording.is_empty()
    }

    /// How many bytes they take, see [`max_bytes`](Self::max_bytes).
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// How far it looks back, in the game's fixed time.
    pub fn duration(&self) -> Duration {
        self.recording.duration()
    }

    /// The world of colliders as a tick left it, before observers heard of it: what a [`TickView`](crate::snapshot::TickView) showed then. `None` for a tick that is not there.
    ///
    /// Costs reading up to 64 ticks, and those of no length that came first: about as much as recording them did.
    pub fn snapshot(&self, tick: u64) -> Option<Snapshot> {
        self.recording.snapshot(tick)
    }

    /// What has been recorded so far, to be saved or replayed. Copies no ticks.
    pub fn recording(&self) -> Recording {
        self.recording.clone()
    }

    /// Forgets all ticks. If it is on, it begins anew with the next one.
    pub fn clear(&mut self) {
        self.recording = Recording::default();
        self.bytes = 0;
        self.frame = Frame::default();
        self.has_begun = false;
        self.pending = None;
    }

    /// The next tick does not follow from the one that is known. What is kept stays until that one is recorded.
    pub(crate) fn lose_track(&mut self) {
        self.has_begun = false;
        self.pending = None;
    }

    /// Begins anew, for what has been seen cannot be.
    pub(super) fn give_up(&mut self, reason: Senseless) {
        warn!("The recorder of collisions begins anew: {reason}");
        self.clear();
    }

    /// A stage of this tick did not run. What it was to do is left from the tick before, or undone, and that is in no frame.
    pub(super) fn wait(&mut self) {
        if !std::mem::replace(&mut self.is_waiting, true) {
            warn!(
                "the recorder of collisions waits for a tick with all of its stages: one has not run"
            );
        }
        self.lose_track();
    }

    /// What is known of the tick that is under way.
    pub(super) fn under_way(&mut self) -> &mut Frame {
        &mut self.frame
    }

    /// What is known after the newest recorded tick, if that was the one before this one.
    pub(super) fn before(&mut self, tick: u64) -> Option<&mut Frame> {
        // What is pending has not become a tick.
        let was_pending = self.pending.take().is_some();
        let is_next =
            self.has_begun && !was_pending && self.frame.tick.checked_add(1) == Some(tick);
        is_next.then_some(&mut self.frame)
    }

    /// Begins with what is known now.
    pub(super) fn begin(&mut self, frame: Frame) {
        self.clear();
        self.frame = frame;
        self.has_begun = true;
        self.is_waiting = false;
        self.begin_segment();
    }

    fn begin_segment(&mut self) {
        let segment = Segment::new(&self.frame);
        self.bytes += segment.bytes();
        self.recording.segments_mut().push_back(segment);
    }

    /// Adds a tick, which has led to the frame.
    pub(super) fn push(&mut self, record: &Record) {
        let Some(newest) = self.recording.segments_mut().back_mut() else {
            return;
        };
        let before = newest.bytes_of_records();
        newest.push(record);
        // Without what is kept of the first tick: in a large world that alone is as much.
        let after = newest.bytes_of_records();
        // Ticks of no length, as of a game that pauses, need none of their own.
        let is_long = newest.len() >= SEGMENT && !newest.duration().is_zero();
        let is_full = is_long || after > self.max_bytes / PARTS;
        self.bytes += after - before;
        if is_full {
            self.begin_segment();
        }
        self.drop_oldest();
    }

    fn drop_oldest(&mut self) {
        // Negative and NaN are as good as nothing.
        let wanted = Duration::try_from_secs_f32(self.seconds.max(0.0)).unwrap_or(Duration::MAX);
        while self.recording.segments().len() > 1 {
            let mut segments = self.recording.segments().iter();
            let oldest = segments.next().map_or(0, Segment::bytes);
            let is_long: Duration = segments.map(Segment::duration).sum();
            if self.bytes <= self.max_bytes && is_long < wanted {
                return;
            }
            self.recording.segments_mut().pop_front();
            self.bytes -= oldest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game that pauses, in another schedule than a fixed one. If each tick went through those before it, this would take minutes.
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
