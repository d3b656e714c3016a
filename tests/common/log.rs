//! What is logged.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::{
    io,
    sync::{Arc, Mutex},
};

use tracing_subscriber::fmt::MakeWriter;

/// The captured log.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

impl Log {
    /// Runs a function and returns the lines that it logged. The subscriber is set for this thread only, so the app must use no other threads.
    pub fn lines_of(run: impl FnOnce()) -> Vec<String> {
        let log = Self::default();
        let subscriber = tracing_subscriber::fmt()
            .with_writer(log.clone())
            .with_ansi(false)
            .finish();
        tracing::subscriber::with_default(subscriber, run);
        let bytes = log.0.lock().unwrap();
        let text = str::from_utf8(&bytes).unwrap();
        text.lines().map(str::to_owned).collect()
    }
}
