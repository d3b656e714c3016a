//! Errors of recordings.

use std::io;

use thiserror::Error;

/// Why a [`Recording`](super::Recording) could not be read or written.
#[derive(Error, Debug)]
#[non_exhaustive]
pub enum RecordingError {
    /// The file could not be read or written.
    #[error("the file of the recording: {0}")]
    File(#[from] io::Error),
    /// The data does not begin as a recording does.
    #[error("this is no recording of collisions")]
    NotARecording,
    /// The recording was written by a version of this crate with another format.
    #[error("the recording is of version {found}, and only version {known} can be read")]
    Version {
        /// The version of the file.
        found: u32,
        /// The version of this crate's own.
        known: u32,
    },
    /// A part of the recording is missing, or has changed.
    #[error(
        "the recording is damaged: its checksum is {found:#010x}, and should be {expected:#010x}"
    )]
    Damaged {
        /// The checksum of the data as it is.
        found: u32,
        /// The checksum of the data as it was written.
        expected: u32,
    },
    /// The data is complete, but no recorder can have written it.
    #[error("the recording makes no sense at tick {tick}: {reason}")]
    Senseless {
        /// The tick that is impossible.
        tick: u64,
        /// What is wrong with it.
        reason: &'static str,
    },
}

/// What is wrong with a tick that is impossible.
pub(super) type Senseless = &'static str;
