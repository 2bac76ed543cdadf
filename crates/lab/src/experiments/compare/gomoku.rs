//! The same comparison on Gomoku.
//!
//! Moves are restricted to points near stones ([`NearStones`]), or a search of three stones would see ten million
//! states; the evaluation is [`Shapes`].

use super::generic::{Plan, Subject, run as compare, settings};
use crate::{
    experiments::{LabError, Progress, Size},
    gomoku::{NearStones, Shapes, game_positions},
    report::Report,
};
use outflank_gomoku::{Board, Color, Point, Rule, notation::moves_text};
use outflank_textbook::{Keys, Method, Settings, TableOptions};
use serde_json::{Map, Value, json};

/// What is compared.
#[derive(Clone, Debug)]
pub struct Options {
    /// Names of methods; the first is the reference of factors.
    pub methods: Vec<String>,
    /// Depths in placed stones.
    pub depths: Vec<u32>,
    /// The rule set, where no positions are given.
    pub rule: Rule,
    /// Edge of the board in points, where no positions are given.
    pub size: u8,
    /// Lines between a new stone and its nearest neighbor, at most; 0 for the whole board.
    pub reach: u8,
    /// Positions given by the user; if there are none, those of a game played from `seed`.
    pub positions: Vec<Board>,
    /// Every how many stones of the game a position is taken, and up to how many stones.
    pub sample: (usize, usize),
    /// Seed of the game.
    pub seed: u64,
}

/// The methods compared by default: without direct keys, which keep a whole board for every state.
const METHODS: [&str; 11] = [
    "minimax",
    "minimax+table",
    "alpha-beta",
    "alpha-beta-stack",
    "alpha-beta+order",
    "alpha-beta+table",
    "alpha-beta+table+canonical",
    "pvs",
    "pvs+table",
    "mtdf+table",
    "mtdf+table+reorder",
];

/// Entries of a table with direct keys, at 10 kB each.
const DIRECT_ENTRIES: usize = 1 << 14;

impl Options {
    /// Returns the options of this size.
    pub fn of_size(size: Size, seed: u64) -> Self {
        let (depths, sample): (&[u32], _) = match size {
            Size::Full => (&[2, 3, 4], (2, 25)),
            Size::Quick => (&[2, 3], (4, 25)),
            Size::Tiny => (&[1, 2], (6, 15)),
        };
        Self {
            methods: METHODS.map(str::to_owned).to_vec(),
            depths: depths.to_vec(),
            rule: Rule::Freestyle,
            size: 15,
            reach: 1,
            positions: Vec::new(),
            sample,
            seed,
        }
    }
}

impl Subject for NearStones {
    const STONES: &'static str = "stones";

    fn n_stones(&self) -> usize {
        self.board().n_stones()
    }

    fn fields(&self) -> Map<String, Value> {
        let side = match self.board().side() {
            Color::Black => "X",
            Color::White => "O",
        };
        let fields = [("history", json!(self.text())), ("side", json!(side))];
        fields
            .map(|(name, value)| (name.to_owned(), value))
            .into_iter()
            .collect()
    }

    /// Returns the stones as they were placed.
    fn text(&self) -> String {
        let points: Vec<Point> = self
            .board()
            .history()
            .into_iter()
            .map(|(point, _)| point)
            .collect();
        moves_text(&points)
    }
}

/// Returns the method as it is fit for boards: with direct keys its table is small.
fn fit(settings: Settings) -> Result<Settings, LabError> {
    let small = |table: TableOptions| TableOptions {
        max_entries: match table.keys {
            Keys::Direct => DIRECT_ENTRIES,
            Keys::Zobrist => table.max_entries,
        },
        ..table
    };
    let method = match settings.method {
        Method::ProbCut(..) => {
            return Err(LabError::Option(
                "Multi-ProbCut is fitted to Othello: leave probcut+table out",
            ));
        }
        Method::AlphaBetaTable(table) => Method::AlphaBetaTable(small(table)),
        Method::MinimaxCached(table) => Method::MinimaxCached(small(table)),
        Method::Pvs(Some(table)) => Method::Pvs(Some(small(table))),
        Method::MtdF(table, reorder) => Method::MtdF(small(table), reorder),
        other => other,
    };
    Ok(Settings { method, ..settings })
}

/// Returns the position with the weights of the evaluation.
fn weighted(board: &Board, reach: u8) -> Result<NearStones, LabError> {
    let tables = Shapes::tables(board.rule());
    let board = Board::from_stones(tables, board.size(), &board.history(), board.side())?;
    Ok(NearStones::new(board, reach))
}

/// Runs the comparison.
///
/// # Errors
///
/// Returns which option is wrong.
pub fn run(options: &Options, progress: Progress<'_>) -> Result<Report, LabError> {
    let methods = settings(&options.methods, &options.depths)?
        .into_iter()
        .map(fit)
        .collect::<Result<_, _>>()?;
    let positions = if options.positions.is_empty() {
        game_positions(
            options.rule,
            options.size,
            options.reach,
            options.sample,
            options.seed,
        )?
    } else {
        let boards = options.positions.iter();
        boards
            .map(|board| weighted(board, options.reach))
            .collect::<Result<_, _>>()?
    };
    let (rule, size) = positions.first().map_or((options.rule, options.size), |game| {
        (game.board().rule(), game.board().size())
    });
    let moves = match options.reach {
        0 => "the whole board".to_owned(),
        1 => "moves next to a stone".to_owned(),
        reach => format!("moves within {reach} lines of a stone"),
    };
    let plan = Plan {
        name: "compare-gomoku",
        names: &options.methods,
        methods,
        depths: &options.depths,
        setting: format!(
            "{rule} Gomoku {size}×{size}, {moves}, evaluation {}",
            Shapes::NAME
        ),
        source: "",
        claim: "",
    };
    Ok(compare(&plan, &positions, &Shapes, progress))
}
