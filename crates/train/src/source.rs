//! Where positions come from: games of people, deviations from them, and random-prefix self-play.
//!
//! A search asks its evaluation about positions after every legal move, most of which are bad; an evaluation fitted
//! to good play alone is blind to them. So most positions here lie some random moves away from sensible play.

use crate::{
    label::Labeler,
    sample::{self, Sample, SampleError, Source, Split},
    watched::Draw,
};
use outflank_eval::{Evaluator, Score, fnv1a};
use outflank_othello::{Board, Game, Square};
use outflank_records::wthor::{Wthor, WthorError};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::{
    fs, io,
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

/// The generator behind every random choice of this crate.
pub type Random = Xoshiro256PlusPlus;

/// The years of WTHOR that may be trained on; later ones are validation.
pub const TRAINING_YEARS: RangeInclusive<u16> = 1900..=2009;

/// The years of WTHOR to validate with.
pub const VALIDATION_YEARS: RangeInclusive<u16> = 2010..=u16::MAX;

/// The positions of a game that have a move, and which part of the data it belongs to.
#[derive(Clone, Debug)]
pub struct Record {
    /// Positions from the start, each from the side of its player to move; positions that must pass are left out.
    pub boards: Vec<Board>,
    /// Final margin for the player to move on the first board; `None` if the game stops early.
    pub result: Option<i32>,
    /// For each board, whether its player to move is the one of the first board.
    pub same_side: Vec<bool>,
    /// The board that WTHOR's theoretical score belongs to, and the score for its player, if there is one.
    pub theoretical: Option<(Board, i32)>,
    /// Part of the data.
    pub split: Split,
}

/// Why game records cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The operating system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// A sample file.
    #[error(transparent)]
    Samples(#[from] SampleError),
    /// The file is not WTHOR.
    #[error("{}: {error}", path.display())]
    Wthor {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: WthorError,
    },
    /// Nothing in the folder or file can be trained on.
    #[error("{}: no games of {years:?} in it", path.display())]
    NoGames {
        /// The file or folder.
        path: PathBuf,
        /// The years asked for.
        years: RangeInclusive<u16>,
    },
    /// A line of a list of games is not a game.
    #[error("{} line {line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

impl Record {
    fn new(game: &Game, theoretical: Option<(Board, i32)>) -> Self {
        let first = game.start().side();
        let (mut boards, mut same_side) = (Vec::new(), Vec::new());
        for position in game.positions() {
            if !position.board().legal_moves().is_empty() {
                boards.push(position.board());
                same_side.push(position.side() == first);
            }
        }
        Self {
            boards,
            same_side,
            result: game.result().map(|_| game.position().final_discs(first).get()),
            theoretical,
            split: Split::of_hash(fnv1a(game.transcript().as_bytes())),
        }
    }
}

fn read(path: &Path) -> Result<Vec<u8>, SourceError> {
    fs::read(path).map_err(|error| SourceError::Io {
        path: path.to_owned(),
        error,
    })
}

/// Reads the games of one WTHOR file or of all in a folder, if their year is among `years`.
///
/// Every game is then of the part `split`, or assigned by a hash of its moves where that is `None`.
///
/// # Errors
///
/// Returns the first file that cannot be read.
pub fn read_wthor(
    path: &Path,
    years: RangeInclusive<u16>,
    split: Option<Split>,
) -> Result<Vec<Record>, SourceError> {
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        let io = |error| SourceError::Io {
            path: path.to_owned(),
            error,
        };
        files = fs::read_dir(path)
            .map_err(io)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()
            .map_err(io)?;
        files.retain(|file| is_wthor(file));
        files.sort();
    }
    let mut records = Vec::new();
    for file in files {
        let wthor = Wthor::read(read(&file)?.as_slice()).map_err(|error| SourceError::Wthor {
            path: file.clone(),
            error,
        })?;
        if !years.contains(&wthor.header.year) {
            continue;
        }
        for game in &wthor.games {
            // A theoretical score at 24 empties is what the federation computes; other depths are no labels.
            let theoretical = (wthor.header.depth == 24)
                .then(|| game.theoretical_position())
                .flatten()
                .filter(|(position, _)| position.board().empties().count() == 24)
                .map(|(position, discs)| {
                    let black = position.side() == outflank_othello::Color::Black;
                    (position.board(), if black { discs.get() } else { -discs.get() })
                });
            let mut record = Record::new(&game.game, theoretical);
            record.split = split.unwrap_or(record.split);
            records.push(record);
        }
    }
    if records.is_empty() {
        return Err(SourceError::NoGames {
            path: path.to_owned(),
            years,
        });
    }
    Ok(records)
}

fn is_wthor(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("wtb"))
}

/// Reads the games of a `.wtb` file of any year, or of a list of games.
///
/// # Errors
///
/// Returns what cannot be read.
pub fn read_games(path: &Path) -> Result<Vec<Record>, SourceError> {
    if is_wthor(path) {
        read_wthor(path, 0..=u16::MAX, None)
    } else {
        read_list(path)
    }
}

/// Reads labeled positions: a sample file, or those with a theoretical score of a `.wtb` file or a folder of them.
///
/// Only validation positions if `validation` is set; of a folder of WTHOR files, those of later years then.
///
/// # Errors
///
/// Returns what cannot be read.
pub fn read_labeled(path: &Path, validation: bool) -> Result<Vec<Sample>, SourceError> {
    let mut samples = if !path.is_dir() && !is_wthor(path) {
        sample::read(path)?
    } else if validation {
        theoretical(&read_wthor(path, VALIDATION_YEARS, Some(Split::Validation))?)
    } else {
        theoretical(&read_wthor(path, 0..=u16::MAX, None)?)
    };
    if validation {
        samples.retain(|sample| sample.split == Split::Validation);
    }
    Ok(samples)
}

/// Reads a list of games: one transcript a line, in the last of its comma-separated fields; a first line that is no
/// game is a heading.
///
/// # Errors
///
/// Returns the first line that is not a game.
pub fn read_list(path: &Path) -> Result<Vec<Record>, SourceError> {
    let content = read(path)?;
    let text = String::from_utf8_lossy(&content);
    let mut records = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let moves = line.rsplit(',').next().unwrap_or_default().trim();
        match parse_transcript(moves) {
            Ok(game) => records.push(Record::new(&game, None)),
            Err(_) if number == 0 || moves.is_empty() => {}
            Err(reason) => {
                return Err(SourceError::Line {
                    path: path.to_owned(),
                    line: number + 1,
                    reason,
                });
            }
        }
    }
    Ok(records)
}

fn parse_transcript(moves: &str) -> Result<Game, String> {
    let mut game = Game::new();
    for pair in moves.as_bytes().chunks(2) {
        let square = std::str::from_utf8(pair).unwrap_or("?").parse::<Square>();
        let square = square.map_err(|error| error.to_string())?;
        game.place(square).map_err(|error| error.to_string())?;
    }
    Ok(game)
}

/// Returns an unlabeled sample.
const fn unlabeled(board: Board, split: Split) -> Sample {
    Sample {
        board,
        value: Sample::NO_VALUE,
        source: Source::Unlabeled,
        split,
    }
}

/// Plays `n` random moves, passes not counted; `None` if the game ends before or there.
fn play_random(mut board: Board, n: usize, random: &mut Random) -> Option<Board> {
    for _ in 0..n {
        board = settle(board)?;
        let moves = board.legal_moves();
        let square = moves
            .into_iter()
            .nth(random.random_range(0..moves.count() as usize))?;
        board = board.play_unchecked(square, board.flips(square));
    }
    settle(board)
}

/// Returns the board, or the other side's view where the player to move must pass; `None` if the game is over.
fn settle(board: Board) -> Option<Board> {
    if !board.legal_moves().is_empty() {
        Some(board)
    } else if !board.passed().legal_moves().is_empty() {
        Some(board.passed())
    } else {
        None
    }
}

/// Returns a position with `empties` empties after random play, where random play gets that far.
pub fn random_board(seed: u64, empties: usize) -> Board {
    let mut random = Random::seed_from_u64(seed);
    loop {
        if let Some(board) = play_random(Board::start(), 60 - empties, &mut random) {
            return board;
        }
    }
}

/// Plays `n` moves that look one disc ahead, each evaluation changed by up to ±`noise` discs at random; `None` if the
/// game ends before or there.
fn play_sensibly<E: Evaluator>(
    evaluator: &E,
    mut board: Board,
    n: usize,
    noise: i32,
    random: &mut Random,
) -> Option<Board> {
    let noise = noise * Score::PER_DISC;
    for _ in 0..n {
        let best = board
            .legal_moves()
            .into_iter()
            .map(|square| board.play_unchecked(square, board.flips(square)))
            .max_by_key(|&after| {
                let value = evaluator.evaluate(after, &evaluator.state(after)).units();
                -value + random.random_range(-noise..=noise)
            });
        board = best.and_then(settle)?;
    }
    Some(board)
}

/// Picks a position of a game of `records`, or one that follows a few random moves from it.
///
/// The numbers of empties are equally frequent. In 2 of 5 cases the position is the game's own; in 2 one random move
/// was made some time ago, in 1 two in a row. The last random move lies zero to three moves back, each equally often,
/// with sensible moves since: so the side to move has blundered as often, and as long ago, as its opponent, and an
/// evaluation fitted to such positions leans neither way.
pub fn from_records<E: Evaluator>(
    records: &[Record],
    empties: &RangeInclusive<usize>,
    evaluator: &E,
    random: &mut Random,
) -> Option<Sample> {
    /// Discs by which the evaluation of a move is changed, so that the moves after a blunder vary.
    const NOISE: i32 = 2;
    let record = &records[random.random_range(0..records.len())];
    let blunders = [0, 0, 1, 1, 2][random.random_range(0..5)];
    let since = if blunders == 0 {
        0
    } else {
        random.random_range(0..4)
    };
    let target = random.random_range(empties.clone());
    let board = record
        .boards
        .iter()
        .find(|board| board.empties().count() as usize <= target + blunders + since)?;
    let board = play_random(*board, blunders, random)?;
    let board = play_sensibly(evaluator, board, since, NOISE, random)?;
    (board.empties().count() as usize == target).then(|| unlabeled(board, record.split))
}

/// Picks a position of a game of `records`, one in three after a random move, and returns the end of the best line of a
/// search of 6 to 13 discs from there.
pub fn principal_leaf<E: Evaluator + Clone + 'static>(
    records: &[Record],
    empties: &RangeInclusive<usize>,
    labeler: &mut Labeler<E>,
    random: &mut Random,
) -> Option<Sample> {
    let (root, depth, split) = search_root(records, empties, 6..=13, random)?;
    let leaf = settle(labeler.principal_leaf(root, depth)?)?;
    Some(unlabeled(leaf, split))
}

/// Searches such a position 8 to 15 discs deep, and adds positions that it evaluated close to the bound that it asked
/// about: there an error changes what the search finds, on its best line and in the refutations beside it.
pub fn visited<E: Evaluator + Clone + 'static>(
    records: &[Record],
    empties: &RangeInclusive<usize>,
    labeler: &mut Labeler<E>,
    random: &mut Random,
    samples: &mut Vec<Sample>,
) {
    /// Positions of one search: more would be alike.
    const EACH: usize = 12;
    let Some((root, depth, split)) = search_root(records, empties, 8..=15, random) else {
        return;
    };
    let range = *empties.start() as u32..=*empties.end() as u32;
    let draw = Draw::new(EACH, range, Random::seed_from_u64(random.random()));
    let found = labeler.visited(root, depth, draw).into_iter();
    samples.extend(found.filter_map(settle).map(|board| unlabeled(board, split)));
}

/// Picks a position of a game of `records`, one in three after a random move, and a depth, so that a search of it ends
/// with one of these numbers of empties.
fn search_root(
    records: &[Record],
    empties: &RangeInclusive<usize>,
    depths: RangeInclusive<usize>,
    random: &mut Random,
) -> Option<(Board, u32, Split)> {
    let record = &records[random.random_range(0..records.len())];
    let target = random.random_range(empties.clone());
    let depth = random.random_range(depths);
    let blunders = usize::from(random.random_range(0..3) == 0);
    let board = record
        .boards
        .iter()
        .find(|board| board.empties().count() as usize <= target + depth + blunders)?;
    let board = play_random(*board, blunders, random)?;
    (board.empties().count() as usize == target + depth).then_some((board, depth as u32, record.split))
}

/// Plays a game whose first moves are random and the rest sensible with some noise, and picks positions of it.
///
/// The random prefix has 2 to 48 moves, each length equally frequent. After it, the move with the best evaluation is
/// played, each evaluation changed by up to ±4 discs at random. Positions are taken from the end of the prefix on,
/// three moves apart.
pub fn self_play<E: Evaluator>(
    evaluator: &E,
    empties: &RangeInclusive<usize>,
    seed: u64,
    samples: &mut Vec<Sample>,
) {
    let mut random = Random::seed_from_u64(seed);
    let split = Split::of_hash(seed);
    let prefix = random.random_range(2..=48);
    let mut next = play_random(Board::start(), prefix, &mut random);
    let offset = random.random_range(0..3);
    let mut number = 0;
    while let Some(board) = next {
        if number % 3 == offset && empties.contains(&(board.empties().count() as usize)) {
            samples.push(unlabeled(board, split));
        }
        number += 1;
        next = play_sensibly(evaluator, board, 1, 4, &mut random);
    }
}

/// Returns the samples that records label themselves: the positions with a theoretical score.
pub fn theoretical(records: &[Record]) -> Vec<Sample> {
    records
        .iter()
        .filter_map(|record| {
            let (board, discs) = record.theoretical?;
            Some(Sample {
                board,
                value: (discs * Score::PER_DISC) as i16,
                source: Source::Theoretical,
                split: record.split,
            })
        })
        .collect()
}

/// Returns every position of the finished games with the result as its label: exact play it is not, so the label is
/// noisy.
pub fn results(records: &[Record], empties: &RangeInclusive<usize>) -> Vec<Sample> {
    let mut samples = Vec::new();
    for record in records {
        let Some(result) = record.result else { continue };
        for (&board, &same_side) in record.boards.iter().zip(&record.same_side) {
            if empties.contains(&(board.empties().count() as usize)) {
                let discs = if same_side { result } else { -result };
                samples.push(Sample {
                    board,
                    value: (discs * Score::PER_DISC) as i16,
                    source: Source::Result,
                    split: record.split,
                });
            }
        }
    }
    samples
}
