//! Recorded ticks, as they are kept in memory and in files.
//!
//! ```text
//! segment     everything after tick 100, then the differences 101 102 103 ... 164
//! segment                                                everything after tick 164, then 165 166 ...
//! ```
//!
//! So the oldest ticks can be dropped, and each tick can be looked at, without going through all of them.

use std::{collections::VecDeque, fs, ops::RangeInclusive, path::Path, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};

use super::{
    entities::read_attributes,
    error::{RecordingError, Senseless},
    frame::Frame,
    records::Record,
};
use crate::snapshot::Snapshot;

/// What a file begins with.
const MAGIC: [u8; 8] = *b"nudgerec";
/// The version of the file format; other versions are refused.
const VERSION: u32 = 6;
/// Magic, version, checksum.
const HEADER: usize = MAGIC.len() + 4 + 4;
/// The bytes that an entry takes in memory besides its data.
const OVERHEAD: usize = 32;

/// A row of ticks, as plain data: to look at, to save, and to [replay](fn@super::replay).
///
/// [`CollisionRecorder::recording`](super::CollisionRecorder::recording) returns one, [`load`](Self::load) reads one. Cloning it copies no ticks.
///
/// A file has a header of 16 bytes (`nudgerec`, then the version of the format and the CRC-32 of the rest, as little-endian `u32`), and then the ticks as serialized by [postcard](https://docs.rs/postcard).
/// It depends neither on the machine nor on the game; entities have the numbers that they had in the game. Versions of this crate with another format refuse the file with an error.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// The oldest one first.
    pub(super) segments: VecDeque<Segment>,
}

/// The whole state after a tick, and the differences that lead on from there.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Segment {
    first: u64,
    /// How long the ticks after the first one lasted in the game.
    nanoseconds: u64,
    key: Arc<[u8]>,
    records: Vec<Arc<[u8]>>,
    /// The bytes that the records take.
    bytes_of_records: usize,
}

/// A segment in a file.
#[derive(Serialize, Deserialize)]
struct Saved<'a> {
    #[serde(borrow)]
    key: &'a [u8],
    #[serde(borrow)]
    records: Vec<&'a [u8]>,
}

impl Segment {
    pub(super) fn new(frame: &Frame) -> Self {
        Self {
            first: frame.tick,
            key: encode(&frame.to_record()),
            ..Self::default()
        }
    }

    pub(super) fn push(&mut self, record: &Record) {
        self.push_encoded(record.nanoseconds, encode(record));
    }

    fn push_encoded(&mut self, nanoseconds: u64, record: Arc<[u8]>) {
        self.nanoseconds = self.nanoseconds.saturating_add(nanoseconds);
        self.bytes_of_records += record.len() + OVERHEAD;
        self.records.push(record);
    }

    fn last(&self) -> u64 {
        self.first + self.records.len() as u64
    }

    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// How many bytes the segment takes in memory.
    pub(super) fn bytes(&self) -> usize {
        self.key.len() + OVERHEAD + self.bytes_of_records
    }

    /// How many bytes the ticks after the first one take.
    pub(super) fn bytes_of_records(&self) -> usize {
        self.bytes_of_records
    }

    /// How long the ticks after the first one lasted.
    pub(super) fn duration(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds)
    }

    /// Returns the state after one of its ticks.
    fn frame(&self, tick: u64) -> Result<Frame, Senseless> {
        let mut frame = Frame::default();
        let records = (tick - self.first) as usize;
        for entry in [&self.key].into_iter().chain(&self.records[..records]) {
            frame.apply(&decode(entry)?)?;
        }
        Ok(frame)
    }
}

impl Recording {
    /// Returns the first and the last tick that can be looked at, counted from when the plugin was added; `None` if there are none.
    ///
    /// Of the first tick only the result is known, and not what led to it: a replay begins with the second tick.
    pub fn ticks(&self) -> Option<RangeInclusive<u64>> {
        let (first, last) = (self.segments.front()?, self.segments.back()?);
        Some(first.first..=last.last())
    }

    /// How many ticks can be looked at.
    pub fn len(&self) -> usize {
        self.ticks()
            .map_or(0, |ticks| (ticks.end() - ticks.start()) as usize + 1)
    }

    /// Whether there are no ticks.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// How many bytes the recording takes in memory.
    pub fn bytes(&self) -> usize {
        self.segments.iter().map(Segment::bytes).sum()
    }

    /// How long the ticks lasted in the game, without the first one.
    pub fn duration(&self) -> Duration {
        self.segments.iter().map(Segment::duration).sum()
    }

    /// Returns the collision world as a tick left it, before observers heard of it; `None` for a tick that is not recorded.
    ///
    /// Costs reading up to 64 ticks, and any ticks without duration between these: about as much as recording them did.
    pub fn snapshot(&self, tick: u64) -> Option<Snapshot> {
        let mut segments = self.segments.iter().rev();
        let segment = segments.find(|segment| segment.first <= tick)?;
        let frame = (tick <= segment.last()).then(|| segment.frame(tick))?;
        Some(frame.ok()?.snapshot())
    }

    /// Writes the recording to a file, which is overwritten.
    ///
    /// # Errors
    /// [`RecordingError::File`].
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), RecordingError> {
        Ok(fs::write(path, self.to_bytes())?)
    }

    /// Reads a recording from a file, and checks that all of it can be looked at and replayed.
    ///
    /// # Errors
    /// Any [`RecordingError`]. No content of a file makes this panic.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, RecordingError> {
        Self::from_bytes(&fs::read(path)?)
    }

    /// Returns the content that [`save`](Self::save) writes to a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let saved = self.segments.iter().map(|segment| Saved {
            key: &segment.key,
            records: segment.records.iter().map(|record| &**record).collect(),
        });
        let saved: Vec<Saved> = saved.collect();
        let body = postcard::to_allocvec(&saved).expect("bytes and lists of them can be written");
        let mut bytes = Vec::with_capacity(HEADER + body.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// Reads a recording from the content of a file, as [`load`](Self::load) does.
    ///
    /// # Errors
    /// All but [`RecordingError::File`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RecordingError> {
        let header = bytes.split_first_chunk::<8>();
        let (_, rest) = header
            .filter(|(magic, _)| **magic == MAGIC)
            .ok_or(RecordingError::NotARecording)?;
        let header =
            |bytes| <[u8]>::split_first_chunk::<4>(bytes).ok_or(RecordingError::NotARecording);
        let (version, rest) = header(rest)?;
        let found = u32::from_le_bytes(*version);
        if found != VERSION {
            return Err(RecordingError::Version {
                found,
                known: VERSION,
            });
        }
        let (checksum, body) = header(rest)?;
        let (found, expected) = (crc32fast::hash(body), u32::from_le_bytes(*checksum));
        if found != expected {
            return Err(RecordingError::Damaged { found, expected });
        }
        let saved: Vec<Saved> =
            postcard::from_bytes(body).map_err(|_| RecordingError::Senseless {
                tick: 0,
                reason: "the data is not a list of ticks",
            })?;
        let mut recording = Self::default();
        let mut played = Frame::default();
        for saved in saved {
            let before = recording.segments.back();
            let last = before.map(Segment::last);
            // Otherwise a file could make this read the whole state over and over.
            if before.is_some_and(|before| before.records.is_empty()) {
                return Err(RecordingError::Senseless {
                    tick: last.unwrap_or_default(),
                    reason: "a segment without ticks is followed by another one",
                });
            }
            let segment = read(&saved, last, &mut played)?;
            recording.segments.push_back(segment);
        }
        Ok(recording)
    }

    /// Returns the state after the first tick.
    pub(super) fn first(&self) -> Option<Frame> {
        let first = self.segments.front()?;
        first.frame(first.first).ok()
    }

    /// Returns the records of all ticks after the first one.
    pub(super) fn records(&self) -> impl Iterator<Item = Record> {
        let records = self.segments.iter().flat_map(|segment| &segment.records);
        records.filter_map(|record| decode(record).ok())
    }

    /// Returns a copy in which one tick is altered.
    #[cfg(test)]
    pub(super) fn altered(&self, tick: u64, alter: impl FnOnce(&mut Record)) -> Self {
        let mut altered = self.clone();
        let mut segments = altered.segments.iter_mut();
        let segment = segments.find(|segment| segment.first < tick && tick <= segment.last());
        let segment = segment.expect("the tick was recorded");
        let number = (tick - segment.first - 1) as usize;
        let mut record = decode(&segment.records[number]).expect("it was recorded");
        alter(&mut record);
        segment.records[number] = encode(&record);
        altered
    }
}

fn encode(record: &Record) -> Arc<[u8]> {
    postcard::to_allocvec(record)
        .expect("what is in a record can be written")
        .into()
}

fn decode(bytes: &[u8]) -> Result<Record, Senseless> {
    postcard::from_bytes(bytes).map_err(|_| "the record cannot be read")
}

/// Reads a segment, tick by tick, in two ways: by itself, as it is looked at, and after all others, as it is replayed. `last` is the tick with which the segment before it ends.
fn read(saved: &Saved, last: Option<u64>, played: &mut Frame) -> Result<Segment, RecordingError> {
    let mut frame = Frame::default();
    let mut segment = Segment {
        key: saved.key.into(),
        ..Segment::default()
    };
    let mut expected = last;
    for (number, entry) in [saved.key].iter().chain(&saved.records).enumerate() {
        let tick = expected.unwrap_or_default();
        let senseless = |reason| RecordingError::Senseless { tick, reason };
        let record = decode(entry).map_err(senseless)?;
        if expected.is_some_and(|expected| expected != record.tick) {
            return Err(senseless("a tick is missing"));
        }
        frame.apply(&record).map_err(senseless)?;
        if number > 0 || last.is_none() {
            played.apply(&record).map_err(senseless)?;
        }
        let new = [&record.inputs, &record.outcome.written].into_iter();
        let mut new = new.flat_map(|changes| &changes.attributes);
        if new.any(|(_, bytes)| read_attributes(bytes).is_none()) {
            return Err(senseless("the components of an entity cannot be read"));
        }
        if number == 0 {
            segment.first = record.tick;
        } else {
            segment.push_encoded(record.nanoseconds, (*entry).into());
        }
        let next = record.tick.checked_add(1);
        expected = Some(next.ok_or(senseless("the number of the tick is too large"))?);
    }
    Ok(segment)
}

#[cfg(test)]
mod tests {
    use bevy::{ecs::entity::Entity, math::Vec2, transform::components::Transform};

    use super::*;
    use crate::recorder::records::Changes;

    /// Nothing in a file tells which fields its numbers are: only the version does. So a sum of each kind of field belongs to it.
    #[test]
    fn a_format_has_a_version_of_its_own() {
        let mut segment = Segment::new(&Frame::default());
        segment.push(&Record::full());
        let recording = Recording {
            segments: [segment].into(),
        };
        let bytes = recording.to_bytes();
        let sum = crc32fast::hash(&bytes[HEADER..]);
        assert_eq!(
            (VERSION, sum),
            (6, 2_772_258_937),
            "the format has changed: count VERSION up, and write the new sum here"
        );
    }

    /// Such ticks are never recorded, but a file may contain them.
    #[test]
    fn after_the_last_tick_that_can_be_counted_nothing_is_read() {
        let at = |tick| {
            encode(&Record {
                tick,
                ..Record::default()
            })
        };
        for (key, records, is_read) in [
            (0, vec![1, 2], true),
            (u64::MAX - 2, vec![u64::MAX - 1], true),
            (u64::MAX, vec![0], false),
            (u64::MAX, vec![], false),
            (u64::MAX - 1, vec![u64::MAX], false),
        ] {
            let case = format!("{key}, {records:?}");
            let key = at(key);
            let records: Vec<Arc<[u8]>> = records.into_iter().map(at).collect();
            let saved = Saved {
                key: &key,
                records: records.iter().map(|record| &record[..]).collect(),
            };
            assert_eq!(
                read(&saved, None, &mut Frame::default()).is_ok(),
                is_read,
                "{case}"
            );
        }
    }

    /// Each segment makes sense by itself; but a dot that moves in the second one must be there at the end of the first.
    #[test]
    fn what_does_not_go_on_from_what_was_before_is_not_read() {
        let dot = Entity::from_raw_u32(7).expect("its index is valid");
        let empty = Frame {
            tick: 1,
            ..Frame::default()
        };
        let mut with_dot = empty.clone();
        let comes = Changes {
            came: vec![dot],
            transforms: vec![(7, Some(Transform::IDENTITY))],
            ..Changes::default()
        };
        with_dot.apply_changes(&comes).expect("its index is free");
        let moves = Record {
            tick: 2,
            inputs: Changes {
                places: vec![(7, Vec2::X)],
                ..Changes::default()
            },
            ..Record::default()
        };
        let mut goes_on = Segment::new(&with_dot);
        goes_on.push(&moves);
        for (before, is_read) in [(&with_dot, true), (&empty, false)] {
            let mut leads_there = Segment::new(&Frame {
                tick: 0,
                ..before.clone()
            });
            leads_there.push(&Record {
                tick: 1,
                ..Record::default()
            });
            let segments = [leads_there, goes_on.clone()];
            let written = Recording {
                segments: segments.into(),
            };
            let read = Recording::from_bytes(&written.to_bytes());
            assert_eq!(read.is_ok(), is_read);
        }
    }

    /// A segment without ticks makes sense only at the end, for ticks that are yet to come. Otherwise a file could repeat the whole state over and over.
    #[test]
    fn only_the_last_part_may_be_without_ticks() {
        let frame = Frame {
            tick: 1,
            ..Frame::default()
        };
        let mut one = Segment::new(&frame);
        let mut last = one.clone();
        one.push(&Record {
            tick: 2,
            ..Record::default()
        });
        last.key = encode(&Record {
            tick: 2,
            ..Record::default()
        });
        for (segments, is_read) in [
            (vec![&one], true),
            (vec![&one, &last], true),
            (vec![&last], true),
            (vec![&one, &last, &last], false),
            (vec![&last, &last], false),
        ] {
            let case = format!("{segments:?}");
            let written = Recording {
                segments: segments.into_iter().cloned().collect(),
            };
            let read = Recording::from_bytes(&written.to_bytes());
            assert_eq!(read.is_ok(), is_read, "{case}");
        }
    }
}
