//! Algorithms × depths × positions: nodes, time, hit rate, and whether they agree.
//!
//! The positions are those of one game, so that the table per move is document E's: minimax against alpha-beta at
//! depths 2, 4 and 6. The other rows are document A's: table on and off, symmetry on and off.
//! [`gomoku`] is the same on the second game.

mod generic;
pub mod gomoku;

use super::{LabError, Progress, Size, evaluation};
use crate::{players::player, probcut::fitted, report::Report, sample::openings};
use generic::{Plan, Subject};
use outflank_othello::Position;
use serde_json::{Map, Value, json};

/// What is compared.
#[derive(Clone, Debug)]
pub struct Options {
    /// Names of methods; the first is the reference of factors.
    pub methods: Vec<String>,
    /// Depths in placed discs.
    pub depths: Vec<u32>,
    /// Name of the evaluation.
    pub evaluation: String,
    /// Positions given by the user; if there are none, those of a game played from `seed`.
    pub positions: Vec<Position>,
    /// Every how many plies of the game a position is taken.
    pub stride: usize,
    /// Seed of the game.
    pub seed: u64,
}

/// The methods compared by default.
const METHODS: [&str; 12] = [
    "minimax",
    "minimax+table",
    "alpha-beta",
    "alpha-beta-stack",
    "alpha-beta+order",
    "alpha-beta+table",
    "alpha-beta+table+canonical",
    "alpha-beta+table+direct",
    "pvs",
    "pvs+table",
    "mtdf+table",
    "mtdf+table+reorder",
];

impl Options {
    /// Returns the options of this size.
    pub fn of_size(size: Size, seed: u64) -> Self {
        let (depths, stride): (&[u32], _) = match size {
            Size::Full => (&[2, 4, 6], 2),
            Size::Quick => (&[2, 4, 5], 6),
            Size::Tiny => (&[1, 3], 20),
        };
        Self {
            methods: METHODS.map(str::to_owned).to_vec(),
            depths: depths.to_vec(),
            evaluation: "e".to_owned(),
            positions: Vec::new(),
            stride,
            seed,
        }
    }
}

/// Returns the positions of a game between two simple players in which there is a choice.
fn game_positions(seed: u64, stride: usize) -> Vec<Position> {
    let mut position = openings(1, 4, seed)[0];
    let mut players = ["e/2", "phase/2"].map(|text| player(text, seed).expect("a known player"));
    let mut positions = Vec::new();
    let mut ply = 0;
    while let Some(mv) = players[ply % 2].choose(&position) {
        if ply % stride.max(1) == 0 && position.legal_moves().len() > 1 {
            positions.push(position);
        }
        if position.play(mv).is_err() {
            break;
        }
        ply += 1;
    }
    positions
}

/// Document E's own figures.
const DOCUMENT_E: &str =
    "(Document E, 实验 2：黑白棋游戏: 1.6 at depth 4; 6.2 on average, 3.6 to 11.7, at depth 6.) ";

impl Subject for Position {
    const STONES: &'static str = "discs";

    fn n_stones(&self) -> usize {
        self.board().occupied().count() as usize
    }

    fn fields(&self) -> Map<String, Value> {
        let board: String = self.to_string().chars().take(64).collect();
        let fields = [
            ("board", json!(board)),
            ("side", json!(self.side().symbol().to_string())),
        ];
        fields
            .map(|(name, value)| (name.to_owned(), value))
            .into_iter()
            .collect()
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

/// Runs the comparison.
///
/// # Errors
///
/// Returns which option is wrong.
pub fn run(options: &Options, progress: Progress<'_>) -> Result<Report, LabError> {
    let evaluation = evaluation(&options.evaluation)?;
    let mut methods = generic::settings(&options.methods, &options.depths)?;
    for settings in &mut methods {
        settings.method = fitted(settings.method, &evaluation);
    }
    let positions = if options.positions.is_empty() {
        game_positions(options.seed, options.stride)
    } else {
        options.positions.clone()
    };
    let plan = Plan {
        name: "compare",
        names: &options.methods,
        methods,
        depths: &options.depths,
        setting: format!("evaluation {}", options.evaluation),
        source: " (document E)",
        claim: DOCUMENT_E,
    };
    Ok(generic::run(&plan, &positions, &evaluation, progress))
}
