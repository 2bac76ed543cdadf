//! What is written is read back as it was, in every format, for games and positions of every kind.

use outflank_othello::{Bitboard, Color, Discs, Game, Move, Position, Setup};
use outflank_records::{
    Content, GameRecord, MoveNote, MoveScore, ScoredPosition, board, fen, ggf, obf, paste, read_items, sgf,
    transcript::{self, Passes},
    wthor::{Header, NameFile, NameKind, Record, Wthor, write_games},
};
use proptest::prelude::*;

/// Positions of any discs, reachable or not.
fn any_position() -> impl Strategy<Value = Position> {
    (any::<u64>(), any::<u64>(), any::<u64>(), any::<bool>()).prop_map(|(discs, sparse, colors, black)| {
        let discs = if sparse.is_multiple_of(4) {
            discs
        } else {
            discs | sparse
        };
        let side = if black { Color::Black } else { Color::White };
        Setup {
            black: Bitboard::new(discs & colors),
            white: Bitboard::new(discs & !colors),
            side,
        }
        .build()
        .expect("disjoint")
    })
}

/// Games from a position: each number chooses among the legal moves.
fn play(start: Position, choices: &[usize]) -> Game {
    let mut game = Game::from_position(start);
    for choice in choices {
        let moves = game.position().legal_moves();
        if moves.is_empty() {
            break;
        }
        game.play(moves[choice % moves.len()]).expect("a legal move");
    }
    game
}

fn any_game() -> impl Strategy<Value = Game> {
    proptest::collection::vec(0_usize..100, 0..70).prop_map(|choices| play(Position::start(), &choices))
}

fn any_record() -> impl Strategy<Value = GameRecord> {
    let start = prop_oneof![3 => Just(Position::start()), 1 => any_position()];
    let choices = proptest::collection::vec(0_usize..100, 0..70);
    let number = "(-?[0-9]{1,2}(\\.[0-9]{1,2})?)?";
    let notes = proptest::collection::vec((number, "([0-9]{1,3}(\\.[0-9]{1,3})?)?"), 0..70);
    let tags = proptest::collection::vec(("(PB|PW|RB|RW|PC|DT|TI|TB|TW|CO|XYZ|K2)", "\\PC{1,12}"), 0..8);
    (start, choices, notes, tags).prop_map(|(start, choices, notes, tags)| {
        let game = play(start, &choices);
        let mut notes: Vec<MoveNote> = notes
            .into_iter()
            .take(game.moves().len())
            .map(|(eval, time)| MoveNote { eval, time })
            .collect();
        while notes.last() == Some(&MoveNote::default()) {
            notes.pop();
        }
        GameRecord { game, tags, notes }
    })
}

fn game_of(text: &str) -> GameRecord {
    let mut pasted = paste(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!((pasted.items.len(), pasted.bad.len()), (1, 0), "{text}");
    match pasted.items.remove(0).content {
        Content::Game(record) => record,
        Content::Position(_) => panic!("{text}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn boards(position in any_position()) {
        for text in [board::write(&position), board::draw(&position), fen::write(&position, fen::Dialect::Xboard), fen::write(&position, fen::Dialect::Ugi)] {
            let pasted = paste(&text).unwrap();
            prop_assert_eq!(pasted.items.len(), 1);
            prop_assert_eq!(pasted.items[0].position(), &position);
            prop_assert!(pasted.items[0].warnings.is_empty());
        }
    }

    #[test]
    fn obf_lines(position in any_position(), scores in proptest::collection::vec(-64..=64, 0..40),
                 best in proptest::option::of(-64..=64), comment in "([a-z%;:]{1,5} ?){0,3}") {
        let scores = position.legal_moves().into_iter().zip(scores)
            .map(|(mv, n)| MoveScore { mv, discs: Discs::saturating(n) }).collect();
        let comment = comment.trim().to_owned();
        let scored = ScoredPosition { position, best: best.map(Discs::saturating), scores, comment };
        let line = obf::write(&scored);
        let parsed = obf::parse(&line).unwrap();
        prop_assert_eq!(&parsed.value, &scored);
        prop_assert!(parsed.warnings.is_empty());
        prop_assert_eq!(&paste(&line).unwrap().items[0].content, &Content::Position(scored));
    }

    #[test]
    fn transcripts(game in any_game()) {
        prop_assume!(!game.moves().is_empty());
        prop_assert_eq!(&game_of(&transcript::write(&game, Passes::Write)).game, &game);
        let upper = transcript::write(&game, Passes::Write).to_uppercase();
        prop_assert_eq!(&game_of(&upper).game, &game);
        if game.moves().last() != Some(&Move::Pass) {
            prop_assert_eq!(&game_of(&transcript::write(&game, Passes::Omit)).game, &game);
        }
    }

    #[test]
    fn ggf_records(record in any_record()) {
        let text = ggf::write(&record);
        let parsed = ggf::parse(&text).unwrap();
        prop_assert_eq!(&parsed.value, &record);
        prop_assert_eq!(&game_of(&text), &record);
    }

    #[test]
    fn sgf_records(record in any_record()) {
        let mut record = record;
        record.notes.clear();
        let text = sgf::write(&record);
        prop_assert_eq!(&sgf::parse(&text).unwrap().value, &record);
        prop_assert_eq!(&game_of(&text), &record);
    }

    #[test]
    fn wthor_files(games in proptest::collection::vec(any_game(), 0..5), ids in any::<[u16; 3]>(), scores in any::<[u8; 2]>()) {
        let records: Vec<Record> = games.iter().map(|game| Record {
            tournament: ids[0], black: ids[1], white: ids[2], real_score: scores[0], theoretical_score: scores[1],
            ..Record::from_game(game).unwrap()
        }).collect();
        let mut bytes = Vec::new();
        write_games(&mut bytes, Header::for_games(0, 2001), &records).unwrap();
        let file = Wthor::read(bytes.as_slice()).unwrap();
        prop_assert!(file.problems.is_empty());
        let again: Vec<Record> = file.games.iter().map(|game| game.record).collect();
        prop_assert_eq!(&again, &records);
        // WTHOR to GGF to WTHOR keeps every byte; through a transcript the moves survive.
        for game in &file.games {
            let ggf = ggf::write(&game.to_game_record(None, None));
            let record = ggf::parse(&ggf).unwrap().value;
            prop_assert_eq!(Record::from_game_record(&record).unwrap(), game.record);
            if !record.game.moves().is_empty() {
                let text = transcript::write(&record.game, Passes::Omit);
                let moves = Record::from_game(&game_of(&text).game).unwrap().moves;
                prop_assert_eq!(moves, game.record.moves);
            }
        }
    }

    #[test]
    fn name_files(names in proptest::collection::vec("[ -~\u{a1}-\u{ff}]{0,19}", 0..20)) {
        for kind in [NameKind::Players, NameKind::Tournaments] {
            let file = NameFile::from_names(names.clone(), kind);
            prop_assert_eq!(&NameFile::read(file.to_bytes().as_slice(), kind).unwrap(), &file);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        drop(paste(&text));
    }

    #[test]
    fn text_like_records_is_read_or_refused(text in "[-XO.*a-h1-8PAS \\[\\](;:+)%GMBO\\n]{0,120}") {
        drop(paste(&text));
    }
}

#[test]
fn items_and_paste_agree() {
    let text = "f5d6\n\nbad\n1. f5 d6\n2. c3\n";
    let items: Vec<_> = read_items(text.as_bytes()).collect();
    let pasted = paste(text).unwrap();
    assert_eq!(items.iter().flatten().count(), pasted.items.len());
    assert_eq!(items.len(), pasted.items.len() + pasted.bad.len());
}
