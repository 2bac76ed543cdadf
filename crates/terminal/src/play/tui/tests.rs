//! The screen at 80 by 24, drawn into memory and compared with captures in `golden/`, and what keys do.
//!
//! `UPDATE_GOLDEN=1 cargo test -p outflank-terminal tui` writes the captures anew.

use super::{
    keys::App,
    screen::OnScreen,
    state::{Mode, Prompt, Question, Style, View},
    view::draw,
};
use crate::play::table::{News, Table};
use outflank_eval::Score;
use outflank_othello::{Color, Square};
use outflank_othello_engine::{Engine, EngineConfig, Line, Outcome};
use outflank_records::{GameRecord, transcript};
use outflank_search::{GameClock, Level, StopToken, SystemClock, Verdict};
use outflank_study::{
    opening::Booked,
    play::{Options, Purpose, Search, Seat, Session, Turn},
    review::{ReviewOptions, review},
};
use ratatui::{
    Terminal,
    backend::TestBackend,
    crossterm::event::{KeyCode, KeyEvent, KeyModifiers},
};
use std::{num::NonZeroUsize, path::Path, sync::mpsc::channel, time::Duration};

const T0: Duration = Duration::ZERO;
pub(super) const COLORED: Style = Style {
    ascii: false,
    color: true,
};
pub(super) const ASCII: Style = Style {
    ascii: true,
    color: false,
};

/// A game whose 44th move is a pass of white (report 1 of docs/play.md).
const GAME: &str = "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3";
/// "Reversi Wars" (input 5): 60 discs and four passes.
const WHOLE: &str = "f5d6c3d3c4f4f6f3e3b4b5e6e7f2e2g5g6f7g3e1c5c6h4g4d2h6f8h5h7h3h2c1d1a4a6a5f1a7d7c7b6g1b3e8d8g2b7b8a8c8g8g7h8a2a3h1a1b2c2b1";

fn session(seats: [Seat; 2], moves: &str, clock: Option<GameClock>) -> Session {
    let options = Options {
        seats,
        level: Level::new(6).expect("a level"),
        move_time: None,
        clock,
    };
    let mut session = Session::new(options, T0);
    if !moves.is_empty() {
        session.load(
            GameRecord::new(transcript::parse(moves).expect("moves").value),
            T0,
        );
    }
    session
}

const PERSON_BLACK: [Seat; 2] = [Seat::Person, Seat::Engine];
const PERSONS: [Seat; 2] = [Seat::Person; 2];

pub(super) fn screen<G: OnScreen>(width: u16, height: u16, view: &View<'_, G>) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("memory");
    terminal.draw(|frame| draw(frame, view)).expect("drawn");
    let buffer = terminal.backend().buffer();
    let mut text = String::new();
    for y in 0..height {
        let mut x = 0;
        let mut line = String::new();
        while x < width {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            // A wide character takes two cells, of which the second one is blank.
            x += ratatui::text::Span::raw(symbol).width().max(1) as u16;
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn view<'a>(session: &'a Session, mode: &'a Mode, style: Style) -> View<'a> {
    View {
        session,
        now: Duration::from_secs(5),
        busy: None,
        mode,
        cursor: Square::F5,
        message: "",
        style,
    }
}

#[track_caller]
fn check(name: &str, view: &View<'_>) {
    check_size(name, (80, 24), view);
}

#[track_caller]
pub(super) fn check_size<G: OnScreen>(name: &str, (width, height): (u16, u16), view: &View<'_, G>) {
    let text = screen(width, height, view);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/play/tui/golden/{name}.txt"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).expect("written");
        return;
    }
    let expected = std::fs::read_to_string(&path).expect("the capture");
    assert_eq!(text, expected, "{name}: the screen has changed\n{text}");
}

/// Answers what the session wants with values that go up and down.
fn feed(session: &mut Session) {
    while let Some(search) = session.wanted(T0) {
        let empties = search.request.position.board().empties().count();
        let exact = empties < 20;
        let value = |rank: usize| {
            let side = if search.request.position.side() == Color::Black {
                1.0
            } else {
                -1.0
            };
            let swing = side * (f64::from(empties) / 5.0).sin() * 9.0 - rank as f64 * 1.25;
            Score::saturating(if exact {
                swing.round() as i32 * 128
            } else {
                (swing * 128.0) as i32
            })
        };
        let lines = search
            .request
            .position
            .legal_moves()
            .into_iter()
            .take(search.request.lines)
            .enumerate();
        let lines: Vec<Line> = lines
            .map(|(rank, mv)| {
                let mut next = search.request.position;
                next.play(mv).expect("legal");
                let moves = std::iter::once(mv)
                    .chain(next.legal_moves().first().copied())
                    .collect();
                let verdict = if exact {
                    Verdict::Exact
                } else {
                    Verdict::Estimate {
                        depth: 12,
                        confidence: 73,
                    }
                };
                Line::searched(moves, value(rank), verdict)
            })
            .collect();
        let lines = if lines.is_empty() {
            vec![Line::searched(Vec::new(), value(0), Verdict::Exact)]
        } else {
            lines
        };
        let outcome = Outcome {
            lines,
            rest: None,
            nodes: 1,
            elapsed: T0,
            complete: true,
        };
        session.found(&search, &outcome, T0);
    }
}

#[test]
fn the_start() {
    let session = session(PERSON_BLACK, "", None);
    let mode = Mode::Board(None);
    let mut view = view(&session, &mode, COLORED);
    view.message = "you are black (X), the engine white (O), level 6";
    check("start", &view);
}

#[test]
fn a_hint_the_graph_and_clocks() {
    let clock = GameClock {
        remaining: Duration::from_mins(5),
        increment: Duration::from_secs(2),
    };
    let mut session = session(PERSON_BLACK, &GAME[..48], Some(clock));
    session.fill_values(true);
    assert!(session.ask_hint(4));
    feed(&mut session);
    check(
        "hint",
        &view(&session, &Mode::Board(Some("d".to_owned())), COLORED),
    );
    let mut ascii = view(&session, &Mode::Board(None), ASCII);
    ascii.cursor = Square::A1;
    check("hint_ascii", &ascii);
    assert!(screen(80, 24, &ascii).is_ascii());
}

#[test]
fn a_pass_is_shown() {
    let session = session(PERSON_BLACK, GAME, None);
    assert_eq!(session.turn(), Turn::Pass(Color::White));
    check("pass", &view(&session, &Mode::Board(None), COLORED));
}

#[test]
fn the_end_of_a_game() {
    let mut session = session(PERSONS, WHOLE, None);
    session.fill_values(true);
    feed(&mut session);
    check("over", &view(&session, &Mode::Board(None), COLORED));
}

#[test]
fn the_engine_thinks() {
    let session = session(PERSON_BLACK, "f5", None);
    let mode = Mode::Prompt(Prompt::Save, "games/a long name.ggf".to_owned());
    let mut view = view(&session, &mode, COLORED);
    view.busy = Some((Purpose::Move, "thinking", Duration::from_millis(3400)));
    check("thinking", &view);
}

#[test]
fn the_help_page_fits() {
    let session = session(PERSON_BLACK, "f5d6c3d3c4", None);
    check("help", &view(&session, &Mode::Help, COLORED));
    let text = screen(80, 24, &view(&session, &Mode::Help, COLORED));
    assert!(
        text.contains("board, moves, graph                       show them"),
        "cut off:\n{text}"
    );
}

/// Every size gives a screen; a small one says what is wrong.
#[test]
fn every_size_is_drawn() {
    let mut session = session(PERSONS, WHOLE, None);
    session.fill_values(true);
    feed(&mut session);
    for (width, height) in [
        (1, 1),
        (0, 5),
        (20, 10),
        (79, 24),
        (80, 23),
        (80, 24),
        (81, 25),
        (200, 60),
        (300, 24),
    ] {
        for mode in [Mode::Board(None), Mode::Help, Mode::Confirm(Question::Quit)] {
            let text = screen(width, height, &view(&session, &mode, COLORED));
            if (width < 80 || height < 24) && width >= 40 {
                assert!(text.contains("This terminal is"), "{width}x{height}: {text}");
            }
        }
    }
    let small = screen(60, 20, &view(&session, &Mode::Board(None), COLORED));
    let words = small.replace('\n', " ");
    assert!(
        words.contains("60 by 20") && words.contains("80 by 24"),
        "{small}"
    );
}

/// A game at a table with a real engine, keys pressed one after the other.
struct Played {
    app: App,
    news: std::sync::mpsc::Receiver<News>,
}

impl Played {
    fn new(session: Session) -> Self {
        let config = EngineConfig {
            table_bytes: 1 << 20,
            ..EngineConfig::default()
        };
        let (sender, news) = channel();
        let table = Table::new(
            session,
            Booked::without(Engine::with(config).expect("an engine")),
            move |told| {
                let _unheard = sender.send(told);
            },
        );
        Self {
            app: App::new(table),
            news,
        }
    }

    fn press(&mut self, code: KeyCode) {
        self.app.key(KeyEvent::new(code, KeyModifiers::NONE));
    }

    fn type_text(&mut self, text: &str) {
        for letter in text.chars() {
            self.press(KeyCode::Char(letter));
        }
    }

    /// Lets the engine finish what is wanted.
    fn settle(&mut self) {
        loop {
            self.app.watch();
            self.app.table.pump().expect("the engine lives");
            if self.app.table.is_idle() {
                return;
            }
            let told = self
                .news
                .recv_timeout(Duration::from_mins(2))
                .expect("the engine answers");
            self.app.table.news(told).expect("the engine lives");
        }
    }

    fn moves(&self) -> String {
        self.app.table.session.game().transcript()
    }

    fn screen(&self) -> String {
        screen(80, 24, &self.app.view(COLORED))
    }
}

#[test]
fn moves_are_typed_or_pointed_at() {
    let mut played = Played::new(session(PERSONS, "", None));
    played.type_text("f5");
    assert_eq!(played.moves(), "f5");
    played.press(KeyCode::Up);
    played.press(KeyCode::Enter);
    played.type_text("E3");
    assert_eq!(played.moves(), "f5f4e3", "f4 was pointed at");
    // Not a square, then another letter, then one that flips nothing.
    played.type_text("d9");
    played.type_text("ca1");
    assert_eq!(played.moves(), "f5f4e3");
    assert!(
        played.screen().contains("a1 flips nothing"),
        "{}",
        played.screen()
    );
    played.press(KeyCode::Char('u'));
    assert_eq!(played.moves(), "f5f4");
    played
        .app
        .key(KeyEvent::new(KeyCode::Char('z'), KeyModifiers::CONTROL));
    assert_eq!(played.moves(), "f5");
    played.press(KeyCode::Char('r'));
    assert_eq!(played.moves(), "f5f4");
    for code in [KeyCode::Left, KeyCode::Down, KeyCode::Right, KeyCode::Up] {
        for _ in 0..20 {
            played.press(code);
        }
    }
    assert!(played.screen().contains("[ ]"), "the cursor stays on the board");
}

#[test]
fn the_engine_answers_and_hints() {
    let mut played = Played::new(session(PERSON_BLACK, "", None));
    played.press(KeyCode::Tab);
    played.settle();
    assert!(played.screen().contains("depth 10 73%"), "{}", played.screen());
    played.press(KeyCode::Tab);
    assert!(played.screen().contains("Hint (Tab)"), "{}", played.screen());
    played.type_text("f5");
    assert!(
        played.screen().contains("White is thinking"),
        "{}",
        played.screen()
    );
    played.press(KeyCode::Esc);
    played.settle();
    assert_eq!(played.moves().len(), 4);
    played.type_text("u");
    assert_eq!(played.moves(), "");
    // The engine for oneself, then against itself to the end.
    played.type_text("m");
    played.settle();
    assert_eq!(played.moves().len(), 4);
    played.type_text("---w");
    played.type_text("ww");
    played.settle();
    assert_eq!(played.app.table.session.turn(), Turn::Over);
    assert!(played.screen().contains("Game over"), "{}", played.screen());
    assert!(played.app.farewell().contains("game over"));
}

#[test]
fn a_pass_waits_for_enter() {
    let mut played = Played::new(session(PERSON_BLACK, GAME, None));
    played.settle();
    assert!(
        played
            .screen()
            .contains("White has no move and must pass: press Enter"),
        "{}",
        played.screen()
    );
    played.type_text("a7");
    assert!(
        played.screen().contains("white has no move and must pass"),
        "{}",
        played.screen()
    );
    played.press(KeyCode::Enter);
    assert!(
        played.screen().contains("Black to move: 12 moves"),
        "{}",
        played.screen()
    );
}

#[test]
fn prompts_save_load_and_ask_before_anything_is_lost() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tmp/tui");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("a game.sgf");
    let _missing = std::fs::remove_file(&path);
    let name = path.display().to_string();
    let mut played = Played::new(session(PERSONS, "", None));
    played.type_text("f5");
    let save = |played: &mut Played| {
        played.press(KeyCode::Char('s'));
        played
            .app
            .key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL));
        played.type_text(&name);
        played.press(KeyCode::Enter);
    };
    save(&mut played);
    assert!(played.screen().contains("saved to"), "{}", played.screen());
    // Another game may not take its place unasked.
    played.type_text("n");
    assert_eq!(played.moves(), "", "nothing was unsaved");
    played.type_text("d3");
    save(&mut played);
    assert!(
        played.screen().contains("Overwrite it? (y/n)"),
        "{}",
        played.screen()
    );
    played.type_text("xn");
    assert!(std::fs::read_to_string(&path).expect("there").contains("f5"));
    save(&mut played);
    played.type_text("y");
    assert!(std::fs::read_to_string(&path).expect("there").contains("d3"));
    played.type_text("c5n");
    assert!(
        played.screen().contains("Start a new one?"),
        "{}",
        played.screen()
    );
    played.press(KeyCode::Esc);
    assert_eq!(played.moves(), "d3c5");
    played.type_text("o");
    played.type_text(&name);
    played.press(KeyCode::Enter);
    assert!(
        played
            .screen()
            .contains("The game is not saved. Load another one?"),
        "{}",
        played.screen()
    );
    played.type_text("n");
    assert_eq!(played.moves(), "d3c5");
    played.type_text("o");
    played.type_text(&name);
    played.press(KeyCode::Enter);
    played.type_text("y");
    assert_eq!(played.moves(), "d3");
    assert!(
        played.screen().contains("loaded SGF: 1 moves"),
        "{}",
        played.screen()
    );
    played.type_text("of5d6c3d3c4");
    played.press(KeyCode::Enter);
    assert!(
        played.screen().contains("Opening: Tiger (虎定石)"),
        "{}",
        played.screen()
    );
    played.type_text(":level 12");
    played.press(KeyCode::Enter);
    assert!(
        played.screen().contains("level 12: 12 discs ahead"),
        "{}",
        played.screen()
    );
    played.type_text(":nonsense");
    played.press(KeyCode::Enter);
    assert!(
        played.screen().contains("neither a square nor a command"),
        "{}",
        played.screen()
    );
    played.type_text("f4q");
    assert!(
        played.screen().contains("The game is not saved. Leave it?"),
        "{}",
        played.screen()
    );
    played.type_text("n");
    assert!(!played.app.is_over());
    played
        .app
        .key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
    assert!(played.app.is_over(), "Ctrl-C always leaves");
}

/// Any keys in any order: no panic, and always a screen.
#[test]
fn random_keys_do_no_harm() {
    let mut random = outflank_game::SplitMix64::new(7);
    let codes = [
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Tab,
        KeyCode::Backspace,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::F(1),
        KeyCode::Home,
        KeyCode::Char('é'),
        KeyCode::Char('漢'),
    ];
    for _ in 0..3 {
        let mut played = Played::new(session(PERSON_BLACK, GAME, None));
        // Level 1, so that nothing takes long; neither `s` nor `o`, which reach for files.
        played.type_text("-----");
        for _ in 0..250 {
            let code = match random.below(3) {
                0 => codes[random.below(codes.len())],
                1 => KeyCode::Char(char::from(b"abcdefgh12345678"[random.below(16)])),
                _ => match char::from(b' ' + random.below(95) as u8) {
                    's' | 'o' | ':' | '/' | '+' | '=' => KeyCode::Null,
                    letter => KeyCode::Char(letter),
                },
            };
            played.press(code);
            if random.below(5) == 0 {
                played.settle();
            }
            if random.below(10) == 0 {
                assert_eq!(played.screen().lines().count(), 24);
            }
            if played.app.is_over() {
                break;
            }
        }
    }
}

/// A game of ten lines in which every letter would be a key.
const TEN_LINES: &str = "1. f5 d6\r\n2. c3 d3\r\n3. c4 f4\r\n4. f6 f3\r\n5. e3 b4\r\n6. c5 c6\r\n7. e6 e2\r\n8. e7 d2\r\n9. f1 d7\r\n10. a3 a4\r\n";

#[test]
fn what_is_pasted_is_one_text_and_never_acts() {
    let mut played = Played::new(session(PERSONS, "", None));
    played.type_text("f5");
    for harm in ["nyq", "n\ny\nq\n", "u", "mmm", "d6", "\u{3}\u{11}q", "", "\n"] {
        played.app.paste(harm);
        assert_eq!(played.moves(), "f5", "{harm:?}");
        assert!(!played.app.is_over(), "{harm:?}");
        played.press(KeyCode::Esc);
    }
    // Nor does it answer a question, or stay on the help page.
    played.type_text("q");
    played.app.paste("y");
    assert!(!played.app.is_over());
    assert!(played.screen().contains("Leave it? (y/n)"), "{}", played.screen());
    played.press(KeyCode::Esc);
    played.press(KeyCode::F(1));
    played.app.paste(TEN_LINES);
    assert!(
        played.screen().contains("Load a file or any notation"),
        "{}",
        played.screen()
    );
    assert!(played.screen().contains("10. a3 a4"), "{}", played.screen());
    played.press(KeyCode::Enter);
    played.type_text("y");
    assert_eq!(played.moves(), &GAME[..40]);
    // A terminal that does not mark what is pasted: many keys at once.
    let keys: Vec<KeyEvent> = "f5d6\nc3d3\nq\nnyny\n"
        .chars()
        .map(|letter| match letter {
            '\n' => KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE),
            letter => KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE),
        })
        .collect();
    played.app.keys(&keys);
    assert_eq!(played.moves(), &GAME[..40]);
    assert!(!played.app.is_over());
    // The name of a file and a command are of one line.
    played.press(KeyCode::Esc);
    played.type_text(":");
    played.app.paste("level 3\n");
    played.press(KeyCode::Enter);
    assert!(
        played.screen().contains("level 3: 3 discs ahead"),
        "{}",
        played.screen()
    );
}

#[test]
fn one_goes_through_a_game_by_jumps() {
    let mut played = Played::new(session(PERSON_BLACK, WHOLE, None));
    let at = |played: &Played| played.app.table.session.game().moves().len();
    let all = at(&played);
    for (code, moves) in [
        (KeyCode::Home, 0),
        (KeyCode::PageDown, 10),
        (KeyCode::Char('.'), 11),
        (KeyCode::PageUp, 1),
        (KeyCode::PageUp, 0),
        (KeyCode::Char(','), 0),
        (KeyCode::End, all),
        (KeyCode::PageDown, all),
    ] {
        played.press(code);
        played.settle();
        assert_eq!(at(&played), moves, "{code:?}");
        assert!(!played.app.table.is_unsaved());
    }
    played.type_text(":goto 11");
    played.press(KeyCode::Enter);
    played.settle();
    assert_eq!(at(&played), 11, "the engine, whose turn it is, waits");
    assert!(
        played
            .screen()
            .contains("the engine waits (m: it moves, End: the end)"),
        "{}",
        played.screen()
    );
    assert!(
        played.screen().contains(&format!("move 11 of {all}")),
        "{}",
        played.screen()
    );
    played.type_text(":goto 999");
    played.press(KeyCode::Enter);
    assert!(
        played.screen().contains("there is no move 999"),
        "{}",
        played.screen()
    );
    played.type_text("m");
    played.settle();
    assert_eq!(at(&played), 12);
}

#[test]
fn full_width_letters_are_keys_too() {
    let mut played = Played::new(session(PERSONS, "", None));
    played.type_text("ｆ５Ｄ６");
    assert_eq!(played.moves(), "f5d6");
    played.type_text("：ｇｏｔｏ １");
    played.press(KeyCode::Enter);
    assert_eq!(played.moves(), "f5");
}

#[test]
fn values_and_marks_come_when_they_are_asked_for() {
    let mut played = Played::new(session(PERSONS, WHOLE, None));
    assert_eq!(played.app.table.session.values_missing(), 65);
    played.type_text("v");
    assert!(
        played.screen().contains("valuing every position"),
        "{}",
        played.screen()
    );
    played.type_text("v");
    assert!(
        played.screen().contains("valuing has stopped"),
        "{}",
        played.screen()
    );
    played.type_text("v");
    played.settle();
    assert_eq!(played.app.table.session.values_missing(), 0);
    played.type_text("v");
    assert!(
        played
            .screen()
            .contains("every position has its value, every move its mark"),
        "{}",
        played.screen()
    );
    played.settle();
    assert_eq!(played.app.table.session.values_missing(), 0, "and they stay");
    // Marks stand beside their moves, and are those of a review.
    let marks = crate::play::othello::mistakes(&played.app.table.session);
    assert!(
        !marks.is_empty()
            && marks
                .iter()
                .all(|line| line.contains("? ") || line.contains("?:") || line.contains("?!:")),
        "{marks:?}"
    );
    played.press(KeyCode::Home);
    let shown: String = std::iter::once(KeyCode::Home)
        .chain([KeyCode::PageDown; 6])
        .map(|code| {
            played.press(code);
            played.screen()
        })
        .collect();
    for line in &marks {
        let mv = line.split(['.', ':']).nth(1).expect("a move").trim();
        assert!(shown.contains(mv), "{mv} is not shown in\n{shown}");
    }
    let game = transcript::parse(WHOLE).expect("moves").value;
    let options = ReviewOptions {
        level: Level::new(8).expect("a level"),
        workers: NonZeroUsize::MIN,
        budget: None,
    };
    let clock = SystemClock::shared();
    let found = review(&game, &options, &clock, &StopToken::new(), &mut |_, _| {}).expect("an engine");
    let judgments = played.app.table.session.judgments();
    let mut compared = 0;
    for (reviewed, judgment) in found.moves.iter().zip(judgments) {
        let judgment = judgment.expect("judged");
        if reviewed.exact {
            assert!(
                (reviewed.loss - judgment.loss).abs() < 1e-9,
                "{reviewed:?} {judgment:?}"
            );
            compared += 1;
        }
    }
    assert!(compared >= 10, "{compared}");
}

#[test]
fn a_large_terminal_has_a_large_board() {
    let mut session = session(PERSONS, &GAME[..48], None);
    session.fill_values(true);
    feed(&mut session);
    let mode = Mode::Board(None);
    for (size, rule) in [
        ((80, 24), "┌───┬"),
        ((100, 33), "┌─────┬"),
        ((100, 40), "┌─────┬"),
        ((120, 40), "┌───────┬"),
        ((120, 33), "┌─────┬"),
        ((400, 100), "┌─────────────────┬"),
    ] {
        for style in [COLORED, ASCII] {
            let text = screen(size.0, size.1, &view(&session, &mode, style));
            assert!(style == ASCII || text.contains(rule), "{size:?}\n{text}");
            assert!(style == COLORED || text.is_ascii(), "{size:?}\n{text}");
        }
    }
    check_size("large", (120, 40), &view(&session, &mode, COLORED));
    check_size("large_ascii", (120, 40), &view(&session, &mode, ASCII));
}

/// A search is told apart by what it was for, so a late answer is not played.
#[test]
fn a_search_that_is_not_asked_for_any_more_plays_nothing() {
    let mut played = Played::new(session(PERSON_BLACK, "", None));
    played.type_text("f5");
    played.app.table.pump().expect("the engine lives");
    played.type_text("u");
    played.settle();
    assert_eq!(played.moves(), "");
    let search: Option<Search> = played.app.table.session.wanted(T0);
    assert_eq!(search, None);
}
