//! What may be wrong with a recording.

use std::io;

use thiserror::Error;

/// Why a [`Recording`](super::Recording) could not be read or written.
#[derive(Error, Debug)]
#[non_exhaustive]
pub enum RecordingError {
    /// The file itself.
    #[error("the file of the recording: {0}")]
    File(#[from] io::Error),
    /// It begins otherwise than a recording does.
    #[error("this is no recording of collisions")]
    NotARecording,
    /// It was written by another version of this crate, which kept other things.
    #[error("the recording is of version {found}, and only version {known} can be read")]
    Version {
        /// The version of the file.
        found: u32,
        /// The version of this crate's own.
        known: u32,
    },
    /// A part of it is missing, or has changed.
    #[error(
        "the recording is damaged: its checksum is {found:#010x}, and should be {expected:#010x}"
    )]
    Damaged {
        /// The checksum of what is there.
        found: u32,
        /// That of what was written.
        expected: u32,
    },
    /// It is whole, but no recorder has written it.
    #[error("the recording makes no sense at tick {tick}: {reason}")]
    Senseless {
        /// The tick that cannot be.
        tick: u64,
        /// What is wrong with it.
        reason: &'static str,
    },
}

/// What is wrong with a tick.
pub(super) type Senseless = &'static str;
