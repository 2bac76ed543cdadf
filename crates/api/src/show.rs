//! What there is to see on a board.

use crate::{
    access::{Capabilities, Input},
    analyze::{gomoku_board, history, side},
    error::Error,
    wire::{GameName, GomokuRules, Opening, board_and_side, texts},
};
use outflank_gomoku::{Board, Class, End, Point};
use outflank_othello::{Color, Game, Position};
use outflank_records::Item;
use outflank_study::names;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks for positions to be described.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowRequest {
    /// The game.
    #[serde(default)]
    pub game: GameName,
    /// Positions, or games, whose last position is meant.
    pub input: Input,
    /// Rule set and board of Gomoku.
    #[serde(default)]
    pub rules: GomokuRules,
    /// Othello: moves to go into each game, passes counted, instead of to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
}

/// A position of Othello.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PositionObject {
    /// 64 characters, a1 first.
    pub board: String,
    /// `X` or `O`, to move.
    pub side: String,
    /// Empty squares.
    pub empties: u32,
    /// Black discs.
    pub black: u32,
    /// White discs.
    pub white: u32,
    /// Legal moves.
    pub legal: Vec<String>,
    /// Whether nobody can move.
    pub over: bool,
    /// The result for black; empty squares count for the winner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<i32>,
    /// Black discs less white discs at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<i32>,
    /// The position before the first move, where it is not the usual one: 64 characters and the side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The moves that led here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// The moves with the variations of the record in parentheses, each behind the move that it replaces; only where
    /// there are variations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variations: Option<String>,
    /// The last named position of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
    /// Line of the source, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

impl PositionObject {
    /// Returns the position at the end of `game`, which stands in this line of its source.
    pub fn new(game: &Game, line: Option<usize>) -> Self {
        let position = game.position();
        let (board, side) = board_and_side(position);
        let result = game.result();
        Self {
            board,
            side,
            empties: position.board().empties().count(),
            black: position.discs(Color::Black).count(),
            white: position.discs(Color::White).count(),
            legal: texts(&position.legal_moves()),
            over: position.is_game_over(),
            result: result.map(|result| result.discs.get()),
            raw: result.map(|result| result.raw_difference),
            start: unusual_start(game).filter(|_| !game.moves().is_empty()),
            moves: texts(game.moves()),
            variations: None,
            opening: names::of_game(game).map(Into::into),
            line,
        }
    }
}

/// Returns the moves of `item` with its variations, if it has any.
pub fn variations(item: &Item) -> Option<String> {
    let tree = item.tree.as_ref().filter(|tree| tree.variations() > 0)?;
    Some(tree.movetext())
}

/// Returns the position before the first move where it is not the usual one.
pub(crate) fn unusual_start(game: &Game) -> Option<String> {
    let start = game.start();
    (*start != Position::start()).then(|| start.to_string())
}

/// A position of Gomoku.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BoardObject {
    /// The stones in the order in which they were placed, or an SGF record.
    pub history: String,
    /// The rule set.
    pub rule: String,
    /// Edge of the board in points.
    pub size: u8,
    /// `X` or `O`, to move.
    pub side: String,
    /// Whether the game is over.
    pub over: bool,
    /// How it ended.
    pub result: Option<String>,
    /// Points that make five at once.
    pub fives: Vec<String>,
    /// Points where the other side would make five.
    pub opponent_fives: Vec<String>,
    /// Points that make an open four.
    pub open_fours: Vec<String>,
    /// Points that are forbidden for black.
    pub forbidden: Vec<String>,
}

impl BoardObject {
    /// Returns what there is to see on `board`.
    pub fn new(board: &Board) -> Self {
        let of = |color, class| -> Vec<Point> { board.points_of(color, class).iter().collect() };
        let mover = board.side();
        let forbidden: Vec<Point> = board.forbidden_points().iter().collect();
        Self {
            history: history(board),
            rule: board.rule().to_string(),
            size: board.size(),
            side: side(board).to_owned(),
            over: board.end().is_some(),
            result: board.end().map(|end: End| end.name().to_string()),
            fives: texts(&of(mover, Class::Five)),
            opponent_fives: texts(&of(!mover, Class::Five)),
            open_fours: texts(&of(mover, Class::OpenFour)),
            forbidden: texts(&forbidden),
        }
    }
}

/// What is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ShowEvent {
    /// A position of Othello.
    Othello(Box<PositionObject>),
    /// A position of Gomoku.
    Gomoku(Box<BoardObject>),
}

/// Describes every position of the input.
///
/// # Errors
///
/// Returns why the request cannot be answered.
pub fn show(
    request: &ShowRequest,
    capabilities: &Capabilities<'_>,
    on_event: &mut dyn FnMut(ShowEvent),
) -> Result<(), Error> {
    let source = request.input.open(capabilities)?;
    if request.game == GameName::Gomoku {
        let board = gomoku_board(&source.gomoku()?.0, &request.rules)?;
        on_event(ShowEvent::Gomoku(Box::new(BoardObject::new(&board))));
        return Ok(());
    }
    for item in source.othello()? {
        let game = at_ply(item.game(), request.ply).map_err(|reason| Error::Value { name: "ply", reason })?;
        let mut object = PositionObject::new(&game, Some(item.line));
        object.variations = variations(&item);
        on_event(ShowEvent::Othello(Box::new(object)));
    }
    Ok(())
}

/// Returns the game after so many moves.
///
/// # Errors
///
/// Says that the game is shorter.
pub fn at_ply(mut game: Game, ply: Option<usize>) -> Result<Game, String> {
    if let Some(ply) = ply {
        let moves = game.moves().len();
        if ply > moves {
            return Err(format!("{ply} is beyond the last move ({moves})"));
        }
        while game.moves().len() > ply {
            game.undo();
        }
    }
    Ok(game)
}
