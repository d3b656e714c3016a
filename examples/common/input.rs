//! Keys and mouse, from a person, a recording, or a test.

use bevy::{
    ecs::system::SystemParam,
    input::{
        ButtonState, InputSystems,
        keyboard::{Key, KeyboardInput, NativeKey},
    },
    prelude::*,
    time::common_conditions::paused,
    window::WindowFocused,
};

/// Some ticks of a recording with the same input.
#[derive(Clone, Copy, Debug, Default)]
pub struct Step {
    /// How many ticks.
    pub ticks: u32,
    /// The keys that are held meanwhile.
    pub keys: &'static [KeyCode],
    /// Where the mouse is, in pixels from the top left, if it is in the window.
    pub mouse: Option<(f32, f32)>,
    /// Whether its left button is held.
    pub button: bool,
}

impl Step {
    /// Keys alone.
    pub const fn keys(ticks: u32, keys: &'static [KeyCode]) -> Self {
        Self {
            ticks,
            keys,
            mouse: None,
            button: false,
        }
    }

    /// The mouse alone, its left button held or not.
    pub const fn mouse(ticks: u32, x: f32, y: f32, button: bool) -> Self {
        Self {
            ticks,
            keys: &[],
            mouse: Some((x, y)),
            button,
        }
    }
}

/// The input that is held now, where it does not come from a person.
#[derive(Resource, Clone, Debug, Default)]
pub struct Held {
    keys: Vec<KeyCode>,
    mouse: Option<(f32, f32)>,
    button: bool,
}

impl From<&Step> for Held {
    fn from(step: &Step) -> Self {
        Self {
            keys: step.keys.to_vec(),
            mouse: step.mouse,
            button: step.button,
        }
    }
}

/// Where the mouse points, in the world; `None` outside the window.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct Pointer(pub Option<Vec2>);

/// Recorded steps that are played into the window.
#[derive(Resource)]
struct Recording {
    steps: &'static [Step],
    /// Ticks of the first step that have passed.
    passed: u32,
}

/// Input from [`Held`] instead of a person.
pub fn plugin(app: &mut App) {
    app.init_resource::<Held>()
        .init_resource::<Pointer>()
        .add_systems(
            PreUpdate,
            (
                press_keys.before(InputSystems),
                press_button.after(InputSystems),
            ),
        );
}

/// Lets go of the mouse when the window loses the focus, as Bevy does of the keys: the window is not told that the button comes up elsewhere.
pub fn focus_plugin(app: &mut App) {
    app.add_message::<WindowFocused>()
        .add_systems(PreUpdate, let_go.after(InputSystems).after(press_button));
}

fn let_go(mut focus: MessageReader<WindowFocused>, mut buttons: ResMut<ButtonInput<MouseButton>>) {
    if focus.read().any(|window| !window.focused) {
        buttons.release_all();
    }
}

/// Plays a recording, one tick in each frame.
pub fn replay(app: &mut App, steps: &'static [Step]) {
    app.add_plugins(plugin)
        .insert_resource(Recording { steps, passed: 0 })
        .add_systems(PreUpdate, advance_recording.before(press_keys));
}

/// The keys that let a player jump.
pub const JUMP_KEYS: [KeyCode; 3] = [KeyCode::ArrowUp, KeyCode::KeyW, KeyCode::Space];

/// Returns the direction of the arrow keys or WASD: -1, 0 or 1 on each axis, y up.
pub fn direction(keys: &ButtonInput<KeyCode>) -> Vec2 {
    let axis = |less: [KeyCode; 2], more: [KeyCode; 2]| {
        f32::from(i8::from(keys.any_pressed(more)) - i8::from(keys.any_pressed(less)))
    };
    use KeyCode::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp, KeyA, KeyD, KeyS, KeyW};
    Vec2::new(
        axis([ArrowLeft, KeyA], [ArrowRight, KeyD]),
        axis([ArrowDown, KeyS], [ArrowUp, KeyW]),
    )
}

/// The keys that are held in a tick, or were tapped since the one before it: where ticks are few a second, a tap may begin and end between two of them.
#[derive(Resource, Deref, Default)]
pub struct TickKeys {
    #[deref]
    keys: ButtonInput<KeyCode>,
    tapped: Vec<KeyCode>,
}

/// Maintains [`TickKeys`] for scenes that use it.
pub fn tick_keys_plugin(app: &mut App) {
    let before = RunFixedMainLoopSystems::BeforeFixedMainLoop;
    app.init_resource::<TickKeys>()
        .add_systems(
            RunFixedMainLoop,
            note_taps.in_set(before).run_if(not(paused)),
        )
        .add_systems(FixedFirst, hold_keys);
}

/// Notes tapped keys. During a pause it does not run, or they would count in the tick after it.
fn note_taps(keys: Res<ButtonInput<KeyCode>>, mut of_tick: ResMut<TickKeys>) {
    of_tick.tapped.extend(keys.get_just_pressed());
}

fn hold_keys(keys: Res<ButtonInput<KeyCode>>, mut of_tick: ResMut<TickKeys>) {
    of_tick.keys.reset_all();
    let tapped = std::mem::take(&mut of_tick.tapped);
    for key in tapped.into_iter().chain(keys.get_pressed().copied()) {
        of_tick.keys.press(key);
    }
}

/// Reads typed characters, for keys that are named by what is on them and not by their place, which differs between keyboards.
///
/// Not a `ButtonInput<Key>`: if Shift is released before the `+` that needs it, the `+` counts as held forever.
#[derive(SystemParam)]
pub struct Typed<'w, 's> {
    keys: MessageReader<'w, 's, KeyboardInput>,
}

impl Typed<'_, '_> {
    /// Returns all characters whose keys went down since the last call, in lower case.
    pub fn read(&mut self) -> String {
        let keys = self.keys.read();
        let pressed = keys.filter(|key| key.state == ButtonState::Pressed && !key.repeat);
        pressed.filter_map(character).collect()
    }
}

fn character(key: &KeyboardInput) -> Option<char> {
    let written = match &key.logical_key {
        Key::Character(text) => text.chars().next(),
        _ => None,
    };
    match written.filter(char::is_ascii) {
        // On an American keyboard `+` needs Shift, so `=` counts too.
        Some('=') => Some('+'),
        Some(written) => Some(written.to_ascii_lowercase()),
        // With keyboards of other scripts, and in a recording, the place on an American keyboard counts.
        None => match key.key_code {
            KeyCode::Equal => Some('+'),
            KeyCode::Minus => Some('-'),
            KeyCode::KeyM => Some('m'),
            KeyCode::KeyY => Some('y'),
            _ => None,
        },
    }
}

fn advance_recording(
    mut recording: ResMut<Recording>,
    mut held: ResMut<Held>,
    mut has_begun: Local<bool>,
) {
    // No time passes in the first frame, so there is no tick.
    if !std::mem::replace(&mut *has_begun, true) {
        return;
    }
    while let [first, rest @ ..] = recording.steps {
        if recording.passed < first.ticks {
            recording.passed += 1;
            *held = Held::from(first);
            return;
        }
        recording.steps = rest;
        recording.passed = 0;
    }
    *held = Held::default();
}

/// Sends the held keys as if they came from a keyboard.
fn press_keys(
    held: Res<Held>,
    keys: Res<ButtonInput<KeyCode>>,
    mut messages: MessageWriter<KeyboardInput>,
) {
    let mut send = |key_code, state| {
        messages.write(KeyboardInput {
            key_code,
            logical_key: Key::Unidentified(NativeKey::Unidentified),
            state,
            text: None,
            repeat: false,
            window: Entity::PLACEHOLDER,
        });
    };
    for &key in keys.get_pressed().filter(|key| !held.keys.contains(key)) {
        send(key, ButtonState::Released);
    }
    for &key in held.keys.iter().filter(|key| !keys.pressed(**key)) {
        send(key, ButtonState::Pressed);
    }
}

fn press_button(
    held: Res<Held>,
    mut buttons: ResMut<ButtonInput<MouseButton>>,
    mut pointer: ResMut<Pointer>,
) {
    if held.button {
        buttons.press(MouseButton::Left);
    } else {
        buttons.release(MouseButton::Left);
    }
    pointer.0 = held.mouse.map(|(x, y)| super::window::to_world(x, y));
}
