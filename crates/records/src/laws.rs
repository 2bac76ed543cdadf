//! The laws of the parsers, one for each fuzz target; the normal tests replay them on a small corpus.
//!
//! Each law takes any bytes and panics if it is broken: parsing never panics, and what was parsed is the same after
//! printing and parsing again.

use crate::{
    Content, Format, Stated, board, fen, ggf, gomoku, json, obf, paste_bytes, pgn, read_items, sgf,
    transcript::{self, Passes},
    tree,
    wthor::{NameFile, NameKind, Record, Wthor, write_games},
};
use outflank_game::ToyTree;
use outflank_othello::{Game, Move, Position, Square};
use std::{fmt, str::FromStr};

/// A law: panics if the bytes break it.
pub type Law = fn(&[u8]);

/// Every law with the name of its fuzz target and of the folder of its corpus.
pub const ALL: [(&str, Law); 19] = [
    ("square", square),
    ("mv", mv),
    ("position", position),
    ("toy_tree", toy_tree),
    ("board", board),
    ("transcript", transcript),
    ("obf", obf),
    ("fen", fen),
    ("ggf", ggf),
    ("sgf", sgf),
    ("sgf_tree", sgf_tree),
    ("pgn", pgn),
    ("json", json),
    ("wthor", wthor),
    ("paste", paste),
    ("othello_game", othello_game),
    ("gomoku_board", gomoku_board),
    ("gomoku", gomoku),
    ("stated", stated),
];

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// A value is the same after `Display` and `FromStr`.
fn identity<T: FromStr<Err: fmt::Display> + fmt::Display + PartialEq + fmt::Debug>(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    match text.parse::<T>() {
        Ok(value) => {
            let again = value.to_string().parse::<T>().ok();
            assert_eq!(again.as_ref(), Some(&value));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Squares.
pub fn square(bytes: &[u8]) {
    identity::<Square>(bytes);
}

/// Moves.
pub fn mv(bytes: &[u8]) {
    identity::<Move>(bytes);
}

/// Positions in plain notation.
pub fn position(bytes: &[u8]) {
    identity::<Position>(bytes);
}

/// Trees of the toy game.
pub fn toy_tree(bytes: &[u8]) {
    identity::<ToyTree>(bytes);
}

/// Boards in every dialect.
pub fn board(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    match board::parse(text) {
        Ok(parsed) => {
            let again = board::parse(&board::write(&parsed.value)).map(|parsed| parsed.value);
            assert_eq!(again, Ok(parsed.value));
        }
        Err(error) => assert!(error.offset <= text.len() && !error.to_string().is_empty()),
    }
}

/// A game is the same after its transcript.
fn game(game: &Game) {
    if game.moves().is_empty() {
        return;
    }
    let start = *game.start();
    let again = |passes| {
        let text = transcript::write(game, passes);
        transcript::parse_from(start, &text).map(|parsed| parsed.value)
    };
    assert_eq!(again(Passes::Write).as_ref(), Ok(game));
    if game.moves().last() != Some(&Move::Pass) {
        assert_eq!(again(Passes::Omit).as_ref(), Ok(game));
    }
}

/// Transcripts.
pub fn transcript(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    match transcript::parse(text) {
        Ok(parsed) => game(&parsed.value),
        Err(error) => assert!(error.offset <= text.len() && !error.to_string().is_empty()),
    }
}

/// OBF lines.
pub fn obf(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    match obf::parse(text) {
        Ok(parsed) => {
            let again = obf::parse(&obf::write(&parsed.value)).map(|parsed| parsed.value);
            assert_eq!(again, Ok(parsed.value));
        }
        Err(error) => assert!(error.offset <= text.len() && !error.to_string().is_empty()),
    }
}

/// FEN.
pub fn fen(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    if let Ok(parsed) = fen::parse(text) {
        for dialect in [fen::Dialect::Ugi, fen::Dialect::Xboard] {
            let again = fen::parse_as(dialect, &fen::write(&parsed.value, dialect));
            assert_eq!(again.map(|parsed| parsed.value), Ok(parsed.value));
        }
    }
}

/// GGF records.
pub fn ggf(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    match ggf::parse(text) {
        Ok(parsed) => {
            game(&parsed.value.game);
            let again = ggf::parse(&ggf::write(&parsed.value)).map(|parsed| parsed.value);
            assert_eq!(again, Ok(parsed.value));
        }
        Err(error) => assert!(error.offset <= text.len() && !error.to_string().is_empty()),
    }
}

/// SGF records.
pub fn sgf(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    match sgf::parse(text) {
        Ok(parsed) => {
            let again = sgf::parse(&sgf::write(&parsed.value)).map(|parsed| parsed.value);
            assert_eq!(again, Ok(parsed.value));
        }
        Err(error) => assert!(error.offset <= text.len() && !error.to_string().is_empty()),
    }
}

/// Trees of variations.
pub fn sgf_tree(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    match tree::sgf::parse(text) {
        Ok(parsed) => {
            let written = tree::sgf::write(&parsed.value);
            let again = tree::sgf::parse(&written).map(|parsed| parsed.value);
            assert_eq!(again, Ok(parsed.value));
        }
        Err(error) => assert!(error.offset <= text.len() && !error.to_string().is_empty()),
    }
}

/// PGN games, which are written as GGF.
pub fn pgn(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    match pgn::parse(text) {
        Ok(parsed) => {
            let again = ggf::parse(&ggf::write(&parsed.value)).map(|parsed| parsed.value);
            assert_eq!(again, Ok(parsed.value));
        }
        Err(error) => assert!(error.offset <= text.len() && !error.to_string().is_empty()),
    }
}

/// What was read is the same after being written in the format that holds most of it.
fn content(content: Content) {
    match content {
        Content::Position(scored) => {
            let again = obf::parse(&obf::write(&scored)).map(|parsed| parsed.value);
            assert_eq!(again, Ok(scored));
        }
        Content::Game(record) => {
            game(&record.game);
            let again = ggf::parse(&ggf::write(&record)).map(|parsed| parsed.value);
            assert_eq!(again, Ok(record));
        }
    }
}

/// JSON of other programs and of our own.
pub fn json(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    match json::parse(text) {
        Ok((_, games)) => {
            for parsed in games.into_iter().flatten() {
                content(parsed.value);
            }
        }
        Err(error) => assert!(error.offset <= text.len() && !error.to_string().is_empty()),
    }
}

/// WTHOR files, games and names: every whole record survives.
pub fn wthor(bytes: &[u8]) {
    if let Ok(file) = Wthor::read(bytes) {
        let records: Vec<Record> = file.games.iter().map(|game| game.record).collect();
        let mut again = Vec::new();
        write_games(&mut again, file.header, &records).expect("a vector takes every byte");
        if file.problems.is_empty() {
            assert_eq!(again, bytes);
        }
        let again = Wthor::read(again.as_slice()).expect("a whole header");
        assert!(again.problems.is_empty());
        for (first, second) in file.games.iter().zip(&again.games) {
            assert_eq!(first.game, second.game);
            let record = Record::from_game_record(&first.to_game_record(None, None));
            assert_eq!(record, Ok(first.record));
        }
        assert_eq!(file.games.len(), again.games.len());
    }
    for kind in [NameKind::Players, NameKind::Tournaments] {
        if let Ok(file) = NameFile::read(bytes, kind) {
            let again = NameFile::read(file.to_bytes().as_slice(), kind).expect("a whole header");
            assert_eq!(again.names, file.names);
        }
    }
}

/// Any bytes: every item is the same after being written in the format that holds most of it, and of a damaged game
/// the legal part is, too.
pub fn paste(bytes: &[u8]) {
    let n_lines = bytes.iter().filter(|b| matches!(b, b'\n' | b'\r')).count() + 1;
    let mut n_good = 0;
    for read in read_items(bytes) {
        let (line, format) = match &read {
            Ok(item) => (item.line, Some(item.format)),
            Err(bad) => (bad.line, bad.format),
        };
        if format != Some(Format::Wthor) {
            assert!((1..=n_lines).contains(&line));
        }
        match read {
            Ok(item) => {
                n_good += 1;
                content(item.content);
            }
            Err(bad) => {
                assert!(!bad.to_string().is_empty());
                if let Some(legal) = bad.legal {
                    assert!(!legal.game.moves().is_empty());
                    game(&legal.game);
                }
            }
        }
    }
    assert_eq!(paste_bytes(bytes).map_or(0, |pasted| pasted.items.len()), n_good);
}

/// Games of Othello in plain notation.
pub fn othello_game(bytes: &[u8]) {
    identity::<Game>(bytes);
}

/// Boards of Gomoku in plain notation.
pub fn gomoku_board(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    match text.parse::<outflank_gomoku::Board>() {
        // A drawing does not say who is to move: that is what the stones say.
        Ok(board) => {
            let again = board.to_string().parse::<outflank_gomoku::Board>();
            let again = again.expect("a board that was read can be drawn");
            for color in outflank_gomoku::Color::BOTH {
                assert_eq!(again.stones(color), board.stones(color));
            }
            assert_eq!(again.size(), board.size());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Gomoku in every notation: what was read is the same after SGF, and after a psq file where one can hold it.
pub fn gomoku(bytes: &[u8]) {
    let n_lines = bytes.split(|b| *b == b'\n').count();
    match gomoku::read_bytes(bytes) {
        Ok(parsed) => {
            let size = outflank_gomoku::MAX_SIZE;
            let whole = gomoku::Record {
                size: Some(parsed.value.size.unwrap_or(size)),
                ..parsed.value
            };
            let on_board = |point: &outflank_gomoku::Point| whole.size.is_some_and(|size| point.is_on(size));
            assert!(whole.stones.iter().all(|(point, _)| on_board(point)));
            if !whole.moves.iter().all(on_board) {
                return;
            }
            let again = gomoku::read(&gomoku::sgf::write(&whole, size)).map(|parsed| parsed.value);
            let sorted = |mut record: gomoku::Record| {
                record
                    .stones
                    .sort_unstable_by_key(|(point, color)| (*color, *point));
                record
            };
            assert_eq!(again.map(sorted), Ok(sorted(whole.clone())));
            if let Ok(file) = gomoku::psq::write(&whole, size) {
                let again = gomoku::read(&file).map(|parsed| parsed.value);
                let expected = gomoku::Record {
                    rule: None,
                    ..whole.clone()
                };
                assert_eq!(again, Ok(expected));
            }
            drop(whole.board(outflank_gomoku::Rule::Freestyle, 15));
        }
        Err(error) => {
            assert!((1..=n_lines).contains(&error.line) && !error.to_string().is_empty());
        }
    }
}

/// Results in every form: a stated margin is a number, and who won agrees with it.
pub fn stated(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let Some(stated) = Stated::parse(text) else { return };
    if let Some(margin) = stated.margin {
        assert!(margin.is_finite());
        assert_eq!(
            margin > 0.0,
            stated.winner == Some(outflank_othello::Color::Black)
        );
        let again = Stated::parse(&format!("{margin:+}")).and_then(|stated| stated.margin);
        assert_eq!(again, Some(margin));
    }
    if let Some(discs) = stated.discs(&Game::new()) {
        assert!(discs.abs() <= 64);
    }
}
