//! Gomoku's screen, drawn into memory and compared with captures in `golden/`, and what its keys do.
//!
//! `UPDATE_GOLDEN=1 cargo test -p outflank-terminal tui` writes the captures anew.

use super::{
    keys::App,
    state::{Mode, Prompt, Question, Style, View},
    tests::{ASCII, COLORED, check_size, screen},
};
use crate::play::table::{News, Table};
use outflank_gomoku::{Point, Rule};
use outflank_gomoku_engine::{Engine, EngineConfig, Line, Outcome, Value};
use outflank_search::{GameClock, Level, Verdict};
use outflank_study::play::{
    Options, Purpose, Seat,
    gomoku::{Game, Session, Turn},
};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::{path::Path, sync::mpsc::channel, time::Duration};

const T0: Duration = Duration::ZERO;
const PERSON_BLACK: [Seat; 2] = [Seat::Person, Seat::Engine];
const PERSONS: [Seat; 2] = [Seat::Person; 2];

fn at(text: &str) -> Point {
    text.parse().expect("a point")
}

/// A game by these rules on a board of this size.
fn session(seats: [Seat; 2], (rule, size): (Rule, u8), moves: &str) -> Session {
    let options = Options {
        seats,
        level: Level::human(3).expect("a level"),
        move_time: None,
        clock: None,
    };
    let mut session = Session::new(options, rule, size, T0).expect("a size");
    let record = outflank_records::gomoku::read(moves).expect("moves").value;
    session.load(&record, T0).expect("legal");
    session
}

fn view<'a>(session: &'a Session, mode: &'a Mode, style: Style) -> View<'a, Game> {
    View {
        session,
        now: Duration::from_secs(5),
        busy: None,
        mode,
        cursor: at("h8"),
        message: "",
        style,
    }
}

/// Answers what the session wants with chances that go up and down, and hints beside the last stones.
fn feed(session: &mut Session) {
    while let Some(search) = session.wanted(T0) {
        let board = &search.request.position;
        let swing = (f64::from(board.n_stones() as u32) / 4.0).sin() * 900.0;
        let near = board
            .stones(board.side())
            .spread(1)
            .intersection(&board.empties());
        let lines = near.iter().take(search.request.lines).zip(0..);
        let mut lines: Vec<Line> = lines
            .map(|(point, rank)| {
                let moves = vec![point, at("a1"), at("o15"), at("b10"), at("c3"), at("d12")];
                let verdict = Verdict::Estimate {
                    depth: 9,
                    confidence: 95,
                };
                Line::searched(moves, Value::Estimate(swing as i32 - 60 * rank), verdict)
            })
            .collect();
        if board.end().is_some() || lines.is_empty() {
            lines = vec![Line::searched(Vec::new(), Value::Loss(0), Verdict::Exact)];
        }
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

const MIDDLE: &str = "h8 i9 g9 i7 i8 g8 j8 k8 h10 f8 h7 h9 j11";
/// Black to move; h8 is a double three.
const FOUL: &str = "h9 a1 h10 c1 i8 e1 j8 g1";

#[test]
fn the_start() {
    let session = session(PERSON_BLACK, (Rule::Freestyle, 15), "");
    let mode = Mode::Board(None);
    let mut view = view(&session, &mode, COLORED);
    view.message = "you are black (X), the engine white (O), human-3 (casual)";
    check_size("gomoku_start", (80, 24), &view);
}

#[test]
fn a_hint_the_graph_and_clocks() {
    let mut session = session(PERSONS, (Rule::Freestyle, 15), MIDDLE);
    session.fill_values(true);
    assert!(session.ask_hint(4));
    feed(&mut session);
    check_size(
        "gomoku_hint",
        (80, 24),
        &view(&session, &Mode::Board(Some("h1".to_owned())), COLORED),
    );
    check_size(
        "gomoku_hint_ascii",
        (80, 24),
        &view(&session, &Mode::Board(None), ASCII),
    );
    let text = screen(80, 24, &view(&session, &Mode::Board(None), ASCII));
    assert!(text.is_ascii(), "{text}");
    let clock = GameClock {
        remaining: Duration::from_mins(5),
        increment: Duration::from_secs(2),
    };
    let options = Options {
        clock: Some(clock),
        ..*session.options()
    };
    let timed = Session::new(options, Rule::Freestyle, 15, T0).expect("a size");
    let text = screen(80, 24, &view(&timed, &Mode::Board(None), COLORED));
    assert!(text.contains("4:55") && text.contains("5:00"), "{text}");
}

#[test]
fn forbidden_points_are_marked() {
    let session = session(PERSON_BLACK, (Rule::Renju, 15), FOUL);
    let mode = Mode::Board(None);
    let mut view = view(&session, &mode, COLORED);
    view.cursor = at("k11");
    check_size("gomoku_renju", (80, 24), &view);
}

#[test]
fn the_end_of_a_game() {
    let mut won = session(PERSONS, (Rule::Freestyle, 15), "h8 i9 h9 i10 h10 i11 h11 i12 h12");
    assert_eq!(won.turn(), Turn::Over);
    won.fill_values(true);
    feed(&mut won);
    check_size("gomoku_over", (80, 24), &view(&won, &Mode::Board(None), COLORED));
    check_size(
        "gomoku_over_ascii",
        (80, 24),
        &view(&won, &Mode::Board(None), ASCII),
    );
}

#[test]
fn the_engine_thinks() {
    let session = session(PERSON_BLACK, (Rule::Freestyle, 15), "h8");
    let mode = Mode::Prompt(Prompt::Save, "games/a long name.sgf".to_owned());
    let mut view = view(&session, &mode, COLORED);
    view.busy = Some((Purpose::Move, "thinking", Duration::from_millis(3400)));
    check_size("gomoku_thinking", (80, 24), &view);
}

#[test]
fn the_help_page_fits() {
    let session = session(PERSON_BLACK, (Rule::Freestyle, 15), "h8 i9");
    check_size("gomoku_help", (80, 24), &view(&session, &Mode::Help, COLORED));
    let text = screen(80, 24, &view(&session, &Mode::Help, COLORED));
    assert!(
        text.contains("board, moves, graph                       show them"),
        "cut off:\n{text}"
    );
}

#[test]
fn boards_of_every_size_fit_the_least_terminal_that_they_name() {
    for (size, least) in [(5, (80, 24)), (15, (80, 24)), (19, (80, 25)), (20, (80, 26))] {
        let session = session(PERSONS, (Rule::Freestyle, size), "c3 b2");
        let mode = Mode::Board(None);
        let mut view = view(&session, &mode, COLORED);
        view.cursor = at("a1");
        let text = screen(least.0, least.1, &view);
        let corner = format!("{size:>2} ┌");
        assert!(text.contains(&corner) && text.contains(" 1[└]"), "{size}\n{text}");
        assert!(text.contains("Black's chance to win"), "{text}");
        let small = screen(least.0, least.1 - 1, &view).replace('\n', " ");
        assert!(
            small.contains("This terminal is") && small.contains(&format!("{} by {}", least.0, least.1)),
            "{small}"
        );
        for (width, height) in [
            (1, 1),
            (0, 5),
            (40, 10),
            (81, 27),
            (120, 40),
            (200, 60),
            (300, 24),
        ] {
            for mode in [Mode::Board(None), Mode::Help, Mode::Confirm(Question::Quit)] {
                screen(width, height, &self::view(&session, &mode, ASCII));
            }
        }
    }
    let mut large = session(PERSONS, (Rule::Renju, 15), MIDDLE);
    large.fill_values(true);
    feed(&mut large);
    check_size(
        "gomoku_large",
        (120, 40),
        &view(&large, &Mode::Board(None), COLORED),
    );
}

/// A game at a table with a real engine, keys pressed one after the other.
struct Played {
    app: App<Game>,
    news: std::sync::mpsc::Receiver<News<Game>>,
}

impl Played {
    fn new(session: Session) -> Self {
        let config = EngineConfig {
            table_bytes: 1 << 20,
            threat_bits: 12,
            ..EngineConfig::default()
        };
        let (sender, news) = channel();
        let table = Table::new(session, Engine::with(config).expect("an engine"), move |told| {
            let _unheard = sender.send(told);
        });
        Self {
            app: App::new(table),
            news,
        }
    }

    fn press(&mut self, code: KeyCode) {
        self.app.key(KeyEvent::new(code, KeyModifiers::NONE));
    }

    fn control(&mut self, letter: char) {
        self.app
            .key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL));
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
        let moves = self.app.table.session.moves().iter();
        moves.map(Point::to_string).collect::<Vec<_>>().join(" ")
    }

    fn screen(&self) -> String {
        screen(80, 24, &self.app.view(COLORED))
    }

    #[track_caller]
    fn shows(&self, text: &str) {
        let screen = self.screen();
        assert!(screen.contains(text), "no {text:?}:\n{screen}");
    }
}

#[test]
fn moves_are_typed_or_pointed_at() {
    let mut played = Played::new(session(PERSONS, (Rule::Freestyle, 15), ""));
    played.press(KeyCode::Enter);
    assert_eq!(played.moves(), "h8", "the cursor begins in the middle");
    played.press(KeyCode::Up);
    played.press(KeyCode::Right);
    played.press(KeyCode::Enter);
    // A row that could go on waits for its second digit or Enter; columns are no commands.
    played.type_text("m2");
    played.type_text("n1");
    played.shows("Point: n1");
    played.press(KeyCode::Enter);
    played.type_text("Ｏ１５");
    played.type_text("o16");
    assert_eq!(played.moves(), "h8 i9 m2 n1 o15");
    played.type_text("h8");
    played.shows("h8 is occupied");
    played.type_text("u");
    assert_eq!(played.moves(), "h8 i9 m2 n1");
    played.control('z');
    played.control('y');
    played.press(KeyCode::Backspace);
    assert_eq!(played.moves(), "h8 i9 m2");
    for code in [KeyCode::Left, KeyCode::Down, KeyCode::Right, KeyCode::Up] {
        for _ in 0..30 {
            played.press(code);
        }
    }
    played.shows("15 ");
}

#[test]
fn the_engine_answers_and_hints() {
    let mut played = Played::new(session(PERSON_BLACK, (Rule::Freestyle, 15), ""));
    played.type_text("h8");
    played.shows("White is thinking");
    played.settle();
    assert_eq!(played.app.table.session.moves().len(), 2);
    played.press(KeyCode::Tab);
    played.settle();
    played.shows("─ Hint ─");
    played.shows(" 1 ");
    played.press(KeyCode::Tab);
    played.shows("Hint (Tab)");
    played.type_text("u");
    assert_eq!(played.moves(), "");
    played.control('g');
    played.settle();
    assert_eq!(played.app.table.session.moves().len(), 2);
    played.type_text("+");
    played.shows("level human-4, regular");
    // Against itself to the end.
    played.type_text("www");
    played.settle();
    assert_eq!(played.app.table.session.turn(), Turn::Over);
    played.shows("The game is over, result:");
    assert_eq!(
        played.app.table.session.values_missing(),
        0,
        "how it went is shown"
    );
}

#[test]
fn a_forbidden_point_is_refused_with_the_reason() {
    let mut played = Played::new(session(PERSONS, (Rule::Renju, 15), FOUL));
    played.shows("×");
    played.type_text("h8");
    played.shows("h8 is forbidden for black: a double three");
    assert_eq!(played.app.table.session.moves().len(), 8);
}

#[test]
fn prompts_save_load_and_ask_before_anything_is_lost() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tmp/tui_gomoku");
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut played = Played::new(session(PERSONS, (Rule::Renju, 9), ""));
    for (ending, text) in [
        (
            "sgf",
            "(;GM[4]FF[4]CA[UTF-8]AP[Outflank]SZ[9]PB[You]PW[You]RU[renju];B[ee];W[ff])",
        ),
        ("psq", "Piskvorky 9x9, 11:11, 0\n5,5,0\n6,6,0\n-1"),
        ("txt", "e5 f4"),
        ("json", "\"history\":\"e5f4\""),
    ] {
        let path = folder.join(format!("a game.{ending}"));
        let _missing = std::fs::remove_file(&path);
        let name = path.display().to_string();
        played.type_text("e5f4");
        played.control('s');
        played.control('u');
        played.type_text(&name);
        played.press(KeyCode::Enter);
        played.shows("saved to");
        let saved = std::fs::read_to_string(&path).expect("saved");
        assert!(saved.contains(text), "{saved}");
        played.control('n');
        assert_eq!(played.moves(), "", "nothing was unsaved");
        played.control('o');
        played.type_text(&name);
        played.press(KeyCode::Enter);
        assert_eq!(played.moves(), "e5 f4");
        assert_eq!(played.app.table.session.board().size(), 9);
        played.control('n');
    }
    played.type_text("e5");
    played.control('q');
    played.shows("Leave it? (y/n)");
    played.press(KeyCode::Esc);
    played.control('c');
    assert!(played.app.is_over(), "Ctrl-C always leaves");
    let mut played = Played::new(session(PERSONS, (Rule::Freestyle, 9), ""));
    played.type_text("e5q");
    played.shows("The game is not saved. Leave it?");
    played.type_text("n");
    played.control('n');
    played.shows("Start a new one?");
    played.type_text("y");
    assert_eq!(played.moves(), "");
    played.type_text(":save x.ggf");
    played.press(KeyCode::Enter);
    played.shows("the name of the file has to say in which form");
    played.type_text(":level club");
    played.press(KeyCode::Enter);
    played.shows("level human-5, club");
    played.type_text(":pass");
    played.press(KeyCode::Enter);
    played.shows("nobody passes in Gomoku");
    played.app.paste("1. e5 d4\n2. c3");
    played.press(KeyCode::Enter);
    assert_eq!(played.moves(), "e5 d4 c3");
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
        KeyCode::End,
        KeyCode::Char('漢'),
    ];
    for rule in [Rule::Freestyle, Rule::Renju] {
        let mut played = Played::new(session(PERSON_BLACK, (rule, 15), MIDDLE));
        for _ in 0..250 {
            let code = match random.below(3) {
                0 => codes[random.below(codes.len())],
                1 => KeyCode::Char(char::from(b"abcdefghijklmno123456789"[random.below(24)])),
                _ => match char::from(b' ' + random.below(95) as u8) {
                    's' | ':' | '/' | '+' | '=' => KeyCode::Null,
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
