//! The state of the panel that is remembered from run to run.

use std::{fs, io::ErrorKind, path::Path};

use serde::{Deserialize, Serialize};
use tracing::warn;

/// A section of the panel, which opens and closes.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Time,
    Counts,
    Stages,
    Contacts,
    Entity,
    Edit,
    Drawing,
    Recorder,
}

/// Where the window is, and its size, in egui's points.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) left: f32,
    pub(super) top: f32,
    pub(super) width: f32,
    pub(super) height: f32,
}

/// Which reports are listed.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(default)]
pub(super) struct Filter {
    pub(super) text: String,
    pub(super) started: bool,
    pub(super) ongoing: bool,
    pub(super) ended: bool,
    pub(super) crushed: bool,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            text: String::new(),
            started: true,
            ongoing: true,
            ended: true,
            crushed: true,
        }
    }
}

/// All that is remembered of the panel.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(default)]
pub(super) struct Layout {
    /// `None` before the window has been shown.
    pub(super) place: Option<Place>,
    /// Whether only the title is shown.
    pub(super) is_collapsed: bool,
    pub(super) open: Vec<Section>,
    pub(super) filter: Filter,
    /// Whether a click in the world picks.
    pub(super) picks: bool,
    /// The file that recordings are saved to.
    pub(super) recording_file: String,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            place: None,
            is_collapsed: false,
            open: vec![Section::Time, Section::Contacts, Section::Entity],
            filter: Filter::default(),
            picks: true,
            recording_file: "collisions.nudgerec".to_owned(),
        }
    }
}

impl Layout {
    pub(super) fn is_open(&self, section: Section) -> bool {
        self.open.contains(&section)
    }

    pub(super) fn set_open(&mut self, section: Section, is_open: bool) {
        if is_open != self.is_open(section) {
            self.open.retain(|known| *known != section);
            if is_open {
                self.open.push(section);
            }
        }
    }

    /// Reads the layout from a file; the default if there is none. Returns `None`, with a warning, if the file cannot be read or parsed.
    pub(super) fn load(file: &Path) -> Option<Self> {
        let layout = match fs::read_to_string(file) {
            Ok(text) => ron::from_str(&text).map_err(|error| error.to_string()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error.to_string()),
        };
        layout
            .inspect_err(|error| {
                warn!(
                    "The inspector's layout cannot be read from {}, which stays as it is: {error}",
                    file.display()
                );
            })
            .ok()
    }

    pub(super) fn save(&self, file: &Path) -> Result<(), String> {
        let text = ron::ser::to_string_pretty(self, ron::ser::PrettyConfig::default());
        let text = text.map_err(|error| error.to_string())?;
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        }
        fs::write(file, text).map_err(|error| error.to_string())
    }
}
