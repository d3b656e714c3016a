//! Using the panel by keyboard alone, and which keys the game still gets.

use std::time::Duration;

use bevy::{
    input::{
        ButtonState,
        keyboard::{Key as TypedKey, KeyboardInput},
    },
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_egui::egui::{Key, Modifiers, accesskit::Role, vec2};
use bevy_nudge::{
    inspector::{CollisionInspector, CollisionInspectorPlugin},
    prelude::*,
};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::stage::{
    Panel, app, app_with, begin_typing, click, click_at, field, inspector, panel, reads, tick,
};

/// Presses a key, as from the keyboard.
fn press(app: &mut App, key_code: KeyCode) {
    turn(app, key_code, ButtonState::Pressed);
}

fn release(app: &mut App, key_code: KeyCode) {
    turn(app, key_code, ButtonState::Released);
}

fn turn(app: &mut App, key_code: KeyCode, state: ButtonState) {
    app.world_mut().write_message(KeyboardInput {
        key_code,
        logical_key: TypedKey::Character("x".into()),
        state,
        text: None,
        repeat: false,
        window: Entity::PLACEHOLDER,
    });
}

fn is_pressed(app: &App, key: KeyCode) -> bool {
    app.world().resource::<ButtonInput<KeyCode>>().pressed(key)
}

#[test]
fn a_key_opens_and_closes_it() {
    let mut app = app_with(CollisionInspectorPlugin::default().with_toggle_key(KeyCode::F2));
    let is_open = |app: &App| app.world().resource::<CollisionInspector>().is_open;
    assert!(is_open(&app));
    press(&mut app, KeyCode::F2);
    app.update();
    assert!(!is_open(&app));
}

/// A game with its panel may run without a keyboard, as on a server.
#[test]
fn without_keys_nobody_toggles_it_and_nothing_panics() {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        CollisionPlugin::default(),
        CollisionInspectorPlugin::default().with_toggle_key(KeyCode::F2),
    ));
    app.finish();
    app.cleanup();
    app.update();
    assert!(!app.world().resource::<CollisionInspector>().is_open);
}

/// A letter that toggles the panel can still be typed; a key that types nothing closes the panel from within a field, too.
#[test]
fn what_is_typed_into_the_panel_does_not_close_it() {
    let is_open = |panel: &Panel| {
        let inspector = panel.state().world().resource::<CollisionInspector>();
        inspector.is_open
    };
    for (key, text, stays_open) in [(KeyCode::KeyX, Some("x"), true), (KeyCode::F2, None, false)] {
        let plugin = CollisionInspectorPlugin::default().with_toggle_key(key);
        let mut panel = panel(app_with(plugin));
        begin_typing(&mut panel, "filter", "x");
        panel.state_mut().world_mut().write_message(KeyboardInput {
            key_code: key,
            logical_key: TypedKey::Character("x".into()),
            state: ButtonState::Pressed,
            text: text.map(Into::into),
            repeat: false,
            window: Entity::PLACEHOLDER,
        });
        tick(&mut panel);
        assert_eq!(is_open(&panel), stays_open, "{key:?}");
    }
}

#[test]
fn the_game_gets_all_keys_but_while_one_types_into_the_panel() {
    let mut panel = panel(app());
    press(panel.state_mut(), KeyCode::KeyX);
    tick(&mut panel);
    assert!(is_pressed(panel.state(), KeyCode::KeyX));

    begin_typing(&mut panel, "filter", "x");
    press(panel.state_mut(), KeyCode::KeyX);
    tick(&mut panel);
    assert!(!is_pressed(panel.state(), KeyCode::KeyX));
    let messages = panel.state().world().resource::<Messages<KeyboardInput>>();
    let mut cursor = messages.get_cursor();
    let told = cursor.read(messages).last();
    assert!(told.is_some_and(is_illegible), "{told:?}");

    // Escape leaves the field.
    panel.key_press(Key::Escape);
    panel.run();
    press(panel.state_mut(), KeyCode::KeyX);
    tick(&mut panel);
    assert!(is_pressed(panel.state(), KeyCode::KeyX));
}

/// Otherwise a player who walks by holding a key would walk on for ever.
#[test]
fn a_key_that_was_held_before_one_types_goes_up_for_the_game() {
    #[derive(Resource, Default)]
    struct Released(Vec<KeyCode>);
    let mut app = app();
    app.init_resource::<Released>().add_systems(
        Update,
        |keys: Res<ButtonInput<KeyCode>>, mut released: ResMut<Released>| {
            released.0.extend(keys.get_just_released());
        },
    );
    let mut panel = panel(app);
    press(panel.state_mut(), KeyCode::KeyD);
    tick(&mut panel);
    begin_typing(&mut panel, "filter", "x");
    // The game does not see this key.
    press(panel.state_mut(), KeyCode::KeyX);
    tick(&mut panel);
    for key in [KeyCode::KeyX, KeyCode::KeyD] {
        release(panel.state_mut(), key);
    }
    tick(&mut panel);
    let released = panel.state().world().resource::<Released>();
    assert_eq!(released.0, [KeyCode::KeyD]);
}

/// Whether a message tells of no key: what is typed is told to the game like this.
fn is_illegible(message: &KeyboardInput) -> bool {
    matches!(message.key_code, KeyCode::Unidentified(_))
        && matches!(message.logical_key, TypedKey::Unidentified(_))
        && message.state == ButtonState::Released
        && message.text.is_none()
}

/// What a game has read of the keyboard.
#[derive(Resource, Default)]
struct Told(Vec<(KeyCode, ButtonState)>);

fn note_keys(mut messages: MessageReader<KeyboardInput>, mut told: ResMut<Told>) {
    let known = messages.read().filter(|one| !is_illegible(one));
    told.0.extend(known.map(|one| (one.key_code, one.state)));
}

/// As above, for a game that tracks held keys by messages.
#[test]
fn a_key_that_goes_up_while_one_types_is_told_once() {
    let mut app = app();
    app.init_resource::<Told>().add_systems(Update, note_keys);
    let mut panel = panel(app);
    press(panel.state_mut(), KeyCode::KeyD);
    tick(&mut panel);
    begin_typing(&mut panel, "filter", "x");
    press(panel.state_mut(), KeyCode::KeyX);
    tick(&mut panel);
    release(panel.state_mut(), KeyCode::KeyD);
    for _ in 0..3 {
        tick(&mut panel);
    }
    let told = &panel.state().world().resource::<Told>().0;
    let expected = [ButtonState::Pressed, ButtonState::Released];
    assert_eq!(told[..], expected.map(|state| (KeyCode::KeyD, state)));
}

/// Bevy keeps messages until a tick has had the chance to read them, and so must the panel.
#[test]
fn a_key_that_goes_up_while_one_types_is_told_to_who_reads_in_ticks() {
    let half_a_tick = Duration::from_secs(1) / 128;
    let mut app = app();
    app.init_resource::<Told>()
        .add_systems(FixedUpdate, note_keys)
        .insert_resource(TimeUpdateStrategy::ManualDuration(half_a_tick));
    let has_ticked = |panel: &Panel| {
        let ticks = panel.state().world().resource::<Time<Fixed>>();
        ticks.overstep() < half_a_tick
    };
    let mut panel = panel(app);
    press(panel.state_mut(), KeyCode::KeyD);
    for _ in 0..2 {
        tick(&mut panel);
    }
    begin_typing(&mut panel, "filter", "x");
    tick(&mut panel);
    if !has_ticked(&panel) {
        tick(&mut panel);
    }
    release(panel.state_mut(), KeyCode::KeyD);
    tick(&mut panel);
    assert!(!has_ticked(&panel));
    press(panel.state_mut(), KeyCode::KeyX);
    for _ in 0..3 {
        tick(&mut panel);
    }
    let told = &panel.state().world().resource::<Told>().0;
    let expected = [ButtonState::Pressed, ButtonState::Released];
    assert_eq!(told[..], expected.map(|state| (KeyCode::KeyD, state)));
}

/// A camera, and with it the panel, may disappear while the user types.
#[test]
fn a_panel_that_is_not_shown_any_more_takes_nothing() {
    let mut panel = panel(app());
    begin_typing(&mut panel, "filter", "x");
    for is_pressed_now in [false, true] {
        press(panel.state_mut(), KeyCode::KeyX);
        panel.state_mut().update();
        assert_eq!(is_pressed(panel.state(), KeyCode::KeyX), is_pressed_now);
    }
}

#[test]
fn a_closed_panel_takes_nothing() {
    let mut panel = panel(app());
    begin_typing(&mut panel, "filter", "x");
    inspector(&mut panel).is_open = false;
    press(panel.state_mut(), KeyCode::KeyX);
    tick(&mut panel);
    assert!(is_pressed(panel.state(), KeyCode::KeyX));
}

#[test]
fn tab_reaches_every_button_field_and_box_and_shows_it() {
    let mut panel = panel(app());
    for header in ["Counts", "Stages", "Edit", "Drawing", "Recorder"] {
        click(&mut panel, header);
    }
    let mut seen = std::collections::BTreeSet::new();
    let mut was_cut_off = Vec::new();
    for _ in 0..120 {
        panel.key_press(Key::Tab);
        panel.run();
        let root = panel.root();
        let focused = root.children_recursive().find(|node| node.is_focused());
        let Some(node) = focused else {
            continue;
        };
        let rect = node.rect();
        let label = node.accesskit_node().label().unwrap_or_default();
        if rect.top() < 0.0 || rect.bottom() > 480.0 || rect.left() < 0.0 || rect.right() > 640.0 {
            was_cut_off.push(label.clone());
        }
        seen.insert(label);
    }
    for label in [
        "pause", "speed", "filter", "started", "freeze", "find", "draw", "record",
    ] {
        assert!(seen.contains(label), "{label} is not among {seen:?}");
    }
    assert_eq!(was_cut_off, Vec::<String>::new());
}

#[test]
fn space_and_enter_press_what_has_the_focus() {
    let mut panel = panel(app());
    for key in [Key::Space, Key::Enter] {
        let was_paused = reads(&panel, "paused at");
        let label = if was_paused { "go on" } else { "pause" };
        panel.get_by_label(label).focus();
        panel.run();
        panel.key_press(key);
        panel.run();
        assert_eq!(reads(&panel, "paused at"), !was_paused, "{key:?}");
    }
}

#[test]
fn shortcuts_lead_to_the_fields_even_of_closed_sections() {
    let mut panel = panel(app());
    click(&mut panel, "Contacts");
    click(&mut panel, "Entity");
    for (key, label) in [(Key::F, "filter"), (Key::E, "find")] {
        panel.key_press_modifiers(Modifiers::COMMAND, key);
        panel.run();
        panel.run();
        assert!(field(&panel, label).is_focused(), "{label}");
    }
}

#[test]
fn shortcuts_lead_to_the_fields_of_a_panel_that_is_but_a_title() {
    for (key, label) in [(Key::F, "filter"), (Key::E, "find")] {
        let mut panel = panel(app());
        let title = panel.get_by_role_and_label(Role::Window, "Collisions");
        // The triangle in front of the title.
        let triangle = title.rect().left_top() + vec2(14.0, 14.0);
        click_at(&mut panel, triangle, Modifiers::NONE);
        assert!(!reads(&panel, "Contacts"), "only the title is shown");
        panel.key_press_modifiers(Modifiers::COMMAND, key);
        panel.run();
        panel.run();
        assert!(field(&panel, label).is_focused(), "{label}");
    }
}

#[test]
fn an_entity_is_found_and_picked_by_keyboard_alone() {
    let mut app = app();
    let ball = (CircleCollider::new(4.0), Name::new("ball"));
    let ball = app.world_mut().spawn(ball).id();
    let mut panel = panel(app);
    tick(&mut panel);
    panel.key_press_modifiers(Modifiers::COMMAND, Key::E);
    panel.run();
    field(&panel, "find").type_text("bal");
    panel.run();
    panel.key_press(Key::Tab);
    panel.run();
    panel.key_press(Key::Space);
    panel.run();
    assert_eq!(inspector(&mut panel).first, Some(ball));
}

/// The panel acts on its shortcuts, and the game, which may use the same keys, does not get them.
#[test]
fn shortcuts_of_an_open_panel_are_not_for_the_game() {
    let typed = |app: &mut App, key_code: KeyCode, logical_key: TypedKey| {
        app.world_mut().write_message(KeyboardInput {
            key_code,
            logical_key,
            state: ButtonState::Pressed,
            text: None,
            repeat: false,
            window: Entity::PLACEHOLDER,
        });
    };
    let letter = |letter: &str| TypedKey::Character(letter.into());
    for (is_open, has_control) in [(true, true), (true, false), (false, true)] {
        let mut panel = panel(app());
        inspector(&mut panel).is_open = is_open;
        let app = panel.state_mut();
        if has_control {
            typed(app, KeyCode::ControlLeft, TypedKey::Control);
        }
        typed(app, KeyCode::KeyN, letter("n"));
        typed(app, KeyCode::ArrowLeft, TypedKey::ArrowLeft);
        // The letter is on another key of this keyboard than on an American one.
        typed(app, KeyCode::KeyR, letter("P"));
        typed(app, KeyCode::KeyW, letter("w"));
        // On a keyboard without Latin letters the place of the key counts.
        typed(app, KeyCode::KeyF, letter("а"));
        tick(&mut panel);
        let case = format!("open: {is_open}, Ctrl: {has_control}");
        let gets = !(is_open && has_control);
        for key in [
            KeyCode::KeyN,
            KeyCode::ArrowLeft,
            KeyCode::KeyR,
            KeyCode::KeyF,
        ] {
            assert_eq!(is_pressed(panel.state(), key), gets, "{case}, {key:?}");
        }
        assert!(is_pressed(panel.state(), KeyCode::KeyW), "{case}");
        assert_eq!(
            is_pressed(panel.state(), KeyCode::ControlLeft),
            has_control,
            "{case}"
        );
    }
}

/// After Ctrl is released before the letter, the letter goes on to repeat.
#[test]
fn what_is_left_of_a_shortcut_is_not_for_the_game() {
    let mut panel = panel(app());
    let typed = |panel: &mut Panel, state, repeat| {
        panel.state_mut().world_mut().write_message(KeyboardInput {
            key_code: KeyCode::KeyP,
            logical_key: TypedKey::Character("p".into()),
            state,
            text: None,
            repeat,
            window: Entity::PLACEHOLDER,
        });
    };
    press(panel.state_mut(), KeyCode::ControlLeft);
    typed(&mut panel, ButtonState::Pressed, false);
    tick(&mut panel);
    release(panel.state_mut(), KeyCode::ControlLeft);
    for _ in 0..3 {
        typed(&mut panel, ButtonState::Pressed, true);
        tick(&mut panel);
        assert!(!is_pressed(panel.state(), KeyCode::KeyP));
    }
    typed(&mut panel, ButtonState::Released, false);
    tick(&mut panel);
    typed(&mut panel, ButtonState::Pressed, false);
    tick(&mut panel);
    assert!(
        is_pressed(panel.state(), KeyCode::KeyP),
        "the next press is seen"
    );
}

#[test]
fn a_panel_that_opens_again_takes_nothing_either() {
    let plugin = CollisionInspectorPlugin::default().with_toggle_key(KeyCode::F2);
    let mut panel = panel(app_with(plugin));
    begin_typing(&mut panel, "filter", "x");
    press(panel.state_mut(), KeyCode::F2);
    tick(&mut panel);
    assert!(!inspector(&mut panel).is_open);
    let mut keys = panel
        .state_mut()
        .world_mut()
        .resource_mut::<ButtonInput<KeyCode>>();
    keys.release(KeyCode::F2);
    press(panel.state_mut(), KeyCode::ArrowRight);
    press(panel.state_mut(), KeyCode::F2);
    panel.state_mut().update();
    assert!(inspector(&mut panel).is_open);
    assert!(is_pressed(panel.state(), KeyCode::ArrowRight));
}

#[test]
fn a_key_that_went_down_before_goes_up_again() {
    let mut panel = panel(app());
    let send = |panel: &mut Panel, key_code, logical_key, state| {
        panel.state_mut().world_mut().write_message(KeyboardInput {
            key_code,
            logical_key,
            state,
            text: None,
            repeat: false,
            window: Entity::PLACEHOLDER,
        });
    };
    use ButtonState::{Pressed, Released};
    let letter = || TypedKey::Character("e".into());
    send(&mut panel, KeyCode::KeyE, letter(), Pressed);
    tick(&mut panel);
    assert!(is_pressed(panel.state(), KeyCode::KeyE));
    send(&mut panel, KeyCode::ControlLeft, TypedKey::Control, Pressed);
    send(&mut panel, KeyCode::KeyE, letter(), Released);
    panel.state_mut().update();
    let keys = panel.state().world().resource::<ButtonInput<KeyCode>>();
    assert!(keys.just_released(KeyCode::KeyE));
}
