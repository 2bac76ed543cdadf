//! Lines of a manager as commands.

use outflank_gomoku::Point;

/// Whose stone a line of `BOARD` describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The brain's.
    Own,
    /// The other side's.
    Opponent,
}

/// One stone of a `BOARD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardStone {
    /// Where.
    pub point: Point,
    /// Whose.
    pub owner: Owner,
}

/// A command of the manager, on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GomocupCommand {
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
    /// `END`.
    End,
    /// A blank line.
    Blank,
    /// Anything else.
    Unknown(String),
}

impl GomocupCommand {
    /// Parses a line, with or without its line end; letters of commands may be of either case.
    pub fn parse(line: &str) -> Self {
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

/// Parses a line of `BOARD`: `x,y,1` (own) or `x,y,2` (opponent).
///
/// Returns what is wrong with it otherwise.
pub(super) fn parse_stone(line: &str) -> Result<BoardStone, String> {
    let (point, owner) = line
        .trim()
        .rsplit_once(',')
        .ok_or_else(|| format!("{line:?} is not x,y,owner"))?;
    let point = parse_point(point).ok_or_else(|| format!("{point:?} is not a point"))?;
    let owner = match owner.trim() {
        "1" => Owner::Own,
        "2" => Owner::Opponent,
        _ => return Err(format!("stone {line:?}: the owner must be 1 or 2")),
    };
    Ok(BoardStone { point, owner })
}
