//! Lines of a manager as commands.

use outflank_gomoku::Point;
use std::ops::Not;

/// Whose stone a line of `BOARD` describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The brain's.
    Own,
    /// The other side's.
    Opponent,
}

impl Not for Owner {
    type Output = Self;

    /// Returns the other one.
    fn not(self) -> Self {
        match self {
            Self::Own => Self::Opponent,
            Self::Opponent => Self::Own,
        }
    }
}

/// One stone of a `BOARD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoardStone {
    /// Where.
    pub(super) point: Point,
    /// Whose.
    pub(super) owner: Owner,
}

/// A stage of the opening rule Swap2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Swap2Stage {
    /// The first player puts three stones on the empty board.
    Propose,
    /// The second player takes Black, stays White with a fourth stone, or adds two stones and leaves the choice.
    AfterThree,
    /// The first player chooses after those two stones: Black, or White with a sixth stone.
    AfterFive,
}

impl Swap2Stage {
    /// Returns the number of stones on the board at this stage.
    pub(super) const fn n_stones(self) -> usize {
        match self {
            Self::Propose => 0,
            Self::AfterThree => 3,
            Self::AfterFive => 5,
        }
    }

    /// Returns the command for this stage.
    pub(super) const fn command(self) -> &'static str {
        match self {
            Self::Propose => "YXSWAP2STEP1",
            Self::AfterThree => "YXSWAP2STEP2",
            Self::AfterFive => "YXSWAP2STEP3",
        }
    }

    /// Returns the stage at which `n_stones` stones are on the board.
    pub(super) const fn with_stones(n_stones: usize) -> Option<Self> {
        match n_stones {
            0 => Some(Self::Propose),
            3 => Some(Self::AfterThree),
            5 => Some(Self::AfterFive),
            _ => None,
        }
    }
}

/// A command of the manager, on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GomocupCommand {
    /// `START n`: a new game on a square board; the text is what stood for the size.
    Start(String),
    /// `RECTSTART w,h`.
    RectStart(String),
    /// `RESTART`: a new game of the same size.
    Restart,
    /// `BEGIN`: play the first move.
    Begin,
    /// `TURN x,y`: the other side's move; the text is what stood for the point.
    Turn(String),
    /// `BOARD` (answer with a move) or `YXBOARD` (say nothing): stones follow, then `DONE`.
    Board {
        /// Whether a move is wanted.
        answer: bool,
    },
    /// `SWAP2BOARD`: stones follow, then `DONE`.
    Swap2Board,
    /// `YXBLOCK`: points that must not be played follow, then `DONE`.
    Block,
    /// `YXBLOCKRESET`: every point may be played again.
    BlockReset,
    /// `TAKEBACK x,y`.
    Takeback(String),
    /// `PLAY x,y`: the manager plays the brain's move itself.
    Play(String),
    /// `INFO key value`.
    Info {
        /// In lower case.
        key: String,
        /// As written.
        value: String,
    },
    /// `ABOUT`.
    About,
    /// `STOP` or `YXSTOP`: answer now.
    Stop,
    /// `YXSHOWFORBID`.
    ShowForbidden,
    /// `YXHASHCLEAR`.
    HashClear,
    /// `YXNBEST n`: think and report the `n` best moves.
    NBest(u32),
    /// `YXBALANCEONE` or `YXBALANCETWO`: find one or two moves that make the position even.
    Balance {
        /// Number of moves, 1 or 2.
        n_moves: u32,
    },
    /// `YXSWAP2STEP1` to `3`: one stage of Swap2 on the board that is there.
    Swap2Step(Swap2Stage),
    /// `DONE`: the list is complete.
    Done,
    /// `END`.
    End,
    /// A blank line.
    Blank,
    /// Anything else.
    Unknown(String),
}

impl GomocupCommand {
    /// Parses a line, with or without its line end; letters of commands may be of either case.
    pub(super) fn parse(line: &str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let text = || rest.to_owned();
        match word.to_ascii_uppercase().as_str() {
            "" => Self::Blank,
            "START" => Self::Start(text()),
            "RECTSTART" => Self::RectStart(text()),
            "RESTART" => Self::Restart,
            "BEGIN" => Self::Begin,
            "TURN" => Self::Turn(text()),
            "BOARD" => Self::Board { answer: true },
            "YXBOARD" => Self::Board { answer: false },
            "SWAP2BOARD" => Self::Swap2Board,
            "YXBLOCK" => Self::Block,
            "YXBLOCKRESET" => Self::BlockReset,
            "TAKEBACK" => Self::Takeback(text()),
            "PLAY" => Self::Play(text()),
            "INFO" => {
                let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                Self::Info {
                    key: key.to_ascii_lowercase(),
                    value: value.trim().to_owned(),
                }
            }
            "ABOUT" => Self::About,
            "STOP" | "YXSTOP" => Self::Stop,
            "YXSHOWFORBID" => Self::ShowForbidden,
            "YXHASHCLEAR" => Self::HashClear,
            "YXNBEST" => Self::NBest(rest.parse().unwrap_or(1).clamp(1, 400)),
            "YXBALANCEONE" => Self::Balance { n_moves: 1 },
            "YXBALANCETWO" => Self::Balance { n_moves: 2 },
            "YXSWAP2STEP1" => Self::Swap2Step(Swap2Stage::Propose),
            "YXSWAP2STEP2" => Self::Swap2Step(Swap2Stage::AfterThree),
            "YXSWAP2STEP3" => Self::Swap2Step(Swap2Stage::AfterFive),
            "DONE" => Self::Done,
            "END" => Self::End,
            _ => Self::Unknown(line.chars().take(80).collect()),
        }
    }
}

/// Parses `x,y`.
pub(super) fn parse_point(text: &str) -> Option<Point> {
    let (x, y) = text.split_once(',')?;
    Point::new(x.trim().parse().ok()?, y.trim().parse().ok()?)
}

/// Writes `x,y`.
pub(super) fn point_text(point: Point) -> String {
    format!("{},{}", point.x(), point.y())
}

/// Parses a line of a list: `x,y`, or `x,y,owner` with 1 for the brain and 2 for the opponent.
///
/// Returns what is wrong with it otherwise.
pub(super) fn parse_item(line: &str) -> Result<(Point, Option<Owner>), String> {
    let line = line.trim();
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let (point, owner) = match fields[..] {
        [_, _] => (line, None),
        [x, y, owner] => {
            let owner = match owner {
                "1" => Owner::Own,
                "2" => Owner::Opponent,
                "3" => return Err(format!("stone {line:?}: walls (owner 3) are not supported")),
                _ => return Err(format!("stone {line:?}: the owner must be 1 or 2")),
            };
            (&*format!("{x},{y}"), Some(owner))
        }
        _ => return Err(format!("{line:?} is not x,y or x,y,owner")),
    };
    let point = parse_point(point).ok_or_else(|| format!("{point:?} is not a point"))?;
    Ok((point, owner))
}

/// Parses the size of `START` or `RECTSTART`: `15`, `15 15`, `15,15` or `15x15`; a number that does not fit counts as
/// the largest.
///
/// Returns `None` if it is no size at all.
pub(super) fn parse_size(text: &str) -> Option<(u32, u32)> {
    let numbers = text
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | 'x' | 'X'))
        .filter(|part| !part.is_empty())
        .map(|part| {
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| part.parse().unwrap_or(u32::MAX))
        })
        .collect::<Option<Vec<u32>>>()?;
    match numbers[..] {
        [size] => Some((size, size)),
        [width, height] => Some((width, height)),
        _ => None,
    }
}
