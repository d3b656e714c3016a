//! A replay comes to the same bits, wherever in the game it begins.

use bevy_nudge::recorder::{CollisionRecorder, Recording, replay};

use super::everything::Everything;

#[test]
fn what_is_saved_and_loaded_is_replayed_to_the_same_bits() {
    for seed in 0..12 {
        let mut everything = Everything::new(seed);
        for _ in 0..300 {
            everything.tick();
        }
        let recorder = everything.app.world().resource::<CollisionRecorder>();
        let recording = recorder.recording();
        assert_eq!(recording.len(), 300);
        let file = recording.to_bytes();
        let loaded = Recording::from_bytes(&file).expect("it was just written");
        assert_eq!(loaded, recording);
        let result = replay(&loaded);
        assert!(result.is_ok(), "seed {seed}: {}", result.unwrap_err());
    }
}
