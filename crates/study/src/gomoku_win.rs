//! Forced wins of Gomoku: looked for, proved, and checked against every answer.

use outflank_gomoku::{Board, Class, Color, Point};
use outflank_gomoku_engine::{Answer, Budget, Proof, ThreatSearch, ThreatSettings, verify};
use outflank_search::{Clock, Control, StopToken};
use serde::{Deserialize, Serialize};
use std::{sync::Arc, time::Duration};

/// Most moves of a proof.
const MOST_MOVES: u64 = 1_000_000;
/// Most moves of a proof for each position that the search may enter: positions that it knows already cost it nothing.
const MOVES_A_NODE: u64 = 8;
/// Positions below which a proof is no shorter.
const FEW_NODES: u64 = 5_000;

/// How a win was looked for and found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum WinKind {
    /// A win by continuous fours.
    Vcf,
    /// A win by continuous threats.
    Vct,
    /// It is proven that there is no such win.
    None,
    /// The limits were reached.
    Unknown,
}

impl WinKind {
    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vcf => "vcf",
            Self::Vct => "vct",
            Self::None => "none",
            Self::Unknown => "unknown",
        }
    }
}

/// How a forced win is looked for.
#[derive(Clone, Debug)]
pub struct WinSearch {
    /// How the search works.
    pub settings: ThreatSettings,
    /// Whether only wins by fours count.
    pub fours: bool,
    /// Most threats in a line; `None` for any number.
    pub depth: Option<u32>,
    /// Time for the search, again for its proof, and again for the check; `None` for as long as it takes.
    pub time: Option<Duration>,
    /// Positions to enter, and again for the proof; the check takes what it takes.
    pub nodes: Option<u64>,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// By which method a win was found; unknown if it could not be proved.
    pub kind: WinKind,
    /// The proof, which was checked against every answer.
    pub proof: Option<Proof>,
    /// Moves in the proof, also of one that was not checked to the end.
    pub proof_moves: usize,
    /// Positions entered by the search.
    pub nodes: u64,
    /// Time of the search, without that of the proof.
    pub elapsed: Duration,
}

impl WinSearch {
    /// Returns a search for any kind of win in at most `nodes` positions.
    pub fn within(nodes: u64) -> Self {
        Self {
            settings: ThreatSettings {
                // Little memory is soon filled with nothing.
                cache_bits: 16,
                ..ThreatSettings::default()
            },
            fours: false,
            depth: None,
            time: None,
            nodes: Some(nodes),
        }
    }

    fn budget(&self, clock: &Arc<dyn Clock>, stop: &StopToken) -> Budget {
        let control = Control::new(stop.clone(), Arc::clone(clock), self.time, self.nodes);
        Budget::new(control)
    }

    /// Returns most moves of a proof: the check of a larger one would take longer than the search.
    fn most_moves(&self) -> usize {
        let most = self.nodes.map_or(MOST_MOVES, |nodes| {
            MOST_MOVES.min(nodes.max(FEW_NODES).saturating_mul(MOVES_A_NODE))
        });
        usize::try_from(most).unwrap_or(usize::MAX)
    }

    /// Returns the budget of a check.
    fn checking(&self, clock: &Arc<dyn Clock>, stop: &StopToken) -> Budget {
        Budget::new(Control::new(stop.clone(), Arc::clone(clock), self.time, None))
    }

    /// Looks for a win of `attacker`, who is to move whatever the side of `board`; proves it, and checks the proof against
    /// every answer.
    ///
    /// Nobody may have won on `board`.
    pub fn find(&self, board: &Board, attacker: Color, clock: &Arc<dyn Clock>, stop: &StopToken) -> Found {
        let begin = clock.now();
        let mut search = ThreatSearch::new(self.settings);
        let (mut own, mut spent) = (board.clone(), self.budget(clock, stop));
        let (found, depth) = self.search(&mut search, &mut own, attacker, &mut spent);
        let elapsed = clock.now().saturating_sub(begin);
        let is_win = matches!(found, WinKind::Vcf | WinKind::Vct);
        // The proof may take as long again: without it nothing is said.
        let mut proving = self.budget(clock, stop);
        let proof = is_win
            .then(|| search.prove(&mut own, attacker, depth, self.most_moves(), &mut proving))
            .flatten();
        let proof_moves = proof.as_ref().map_or(0, Proof::n_moves);
        let mut checking = self.checking(clock, stop);
        let proof = proof.filter(|proof| verify(board, attacker, proof, &mut checking).is_ok());
        Found {
            kind: if is_win && proof.is_none() {
                WinKind::Unknown
            } else {
                found
            },
            proof,
            proof_moves,
            nodes: spent.nodes(),
            elapsed,
        }
    }

    /// Returns the checked proof of a win of `attacker` that begins with `mv`, if one is found within the limits, and the
    /// number of positions entered.
    pub fn find_with(
        &self,
        board: &Board,
        attacker: Color,
        mv: Point,
        clock: &Arc<dyn Clock>,
        stop: &StopToken,
    ) -> (Option<Proof>, u64) {
        let mut search = ThreatSearch::new(self.settings);
        let mut proving = self.budget(clock, stop);
        let proof = search.prove_move(&mut board.clone(), attacker, mv, self.most_moves(), &mut proving);
        let mut checking = self.checking(clock, stop);
        let proof = proof.filter(|proof| verify(board, attacker, proof, &mut checking).is_ok());
        (proof, proving.nodes())
    }

    /// Looks for a win: by fours, then by few threats, then by proof numbers.
    fn search(
        &self,
        search: &mut ThreatSearch,
        board: &mut Board,
        attacker: Color,
        budget: &mut Budget,
    ) -> (WinKind, u32) {
        let nothing = |unknown: bool| (if unknown { WinKind::Unknown } else { WinKind::None }, 0);
        let fours = search.vcf(board, attacker, u32::MAX, budget);
        if matches!(fours, Answer::Win { .. }) {
            return (WinKind::Vcf, 0);
        }
        let unknown = fours == Answer::Unknown;
        if self.fours {
            return nothing(unknown);
        }
        let threats = if let Some(depth) = self.depth {
            search.vct(board, attacker, depth, budget)
        } else {
            let mut part = budget.part(30_000, 0.2);
            let few = search.vct(board, attacker, 3, &mut part);
            budget.add_spent(&part);
            if matches!(few, Answer::Win { .. }) {
                few
            } else {
                search.vct_by_proof_numbers(board, attacker, budget)
            }
        };
        match threats {
            Answer::Win { depth, .. } => (WinKind::Vct, depth),
            Answer::Unknown => nothing(true),
            Answer::NoWin { .. } => nothing(unknown),
        }
    }
}

/// Returns the win that the side which is not to move threatens: what it would win by if the side to move passed.
///
/// `None` where the game is over, where the side to move makes five at once, or where nothing is found within `nodes`
/// positions.
pub fn threat(board: &Board, nodes: u64, clock: &Arc<dyn Clock>, stop: &StopToken) -> Option<Proof> {
    if board.end().is_some() || board.count_of(board.side(), Class::Five) > 0 {
        return None;
    }
    WinSearch::within(nodes)
        .find(board, !board.side(), clock, stop)
        .proof
}
