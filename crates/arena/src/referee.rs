//! The referee: plays one game between two players, and says how it ended.
//!
//! - A forced pass is played by the referee; nobody is asked.
//! - The clock is real: it runs from the request to the answer. A move that comes after the flag (plus the stated margin
//!   for the transport) loses. A player that does not answer at all is given up some time after its flag.
//! - An illegal move is counted and the player asked again, on the same clock; the third one loses.
//! - With adjudication, a position with few empties ends the game with its *exact* result.

use crate::{
    adjudicate::exact_margin,
    player::{Failure, Player, Reply},
    record::{End, PlayedMove, forfeit_discs},
};
use outflank_othello::{Color, Game, Move};
use outflank_protocol::{Answer, ClientError, TimeControl, TurnClock};
use outflank_search::StopToken;
use std::time::{Duration, Instant};

/// Illegal moves that lose a game.
pub const MAX_ILLEGAL: u32 = 3;
/// How long the referee waits beyond the flag, to tell a late answer from none.
const GRACE: Duration = Duration::from_secs(1);

/// The rules of a match that concern every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameRules {
    /// Time of each player.
    pub control: TimeControl,
    /// Time by which the flag may be overstepped, for the transport of moves.
    pub margin: Duration,
    /// How long the referee waits for an answer where there is no flag.
    pub patience: Duration,
    /// Empties at or below which a position is adjudicated; 0 plays every game to its end.
    pub adjudicate: u32,
}

impl Default for GameRules {
    /// No limits of time, 60 seconds of patience, no adjudication.
    fn default() -> Self {
        Self {
            control: TimeControl::Unlimited,
            margin: Duration::from_millis(100),
            patience: Duration::from_mins(1),
            adjudicate: 0,
        }
    }
}

/// The course of a game.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    pub(crate) moves: Vec<PlayedMove>,
    /// Black's margin.
    pub(crate) discs: i32,
    pub(crate) end: End,
    pub(crate) detail: String,
    pub(crate) illegal: [u32; 2],
    /// The color whose player has failed and must be made anew.
    pub(crate) broken: Option<Color>,
}

/// A game in progress.
struct Table<'a> {
    rules: &'a GameRules,
    game: Game,
    moves: Vec<PlayedMove>,
    /// Time left, black first; meaningful with a clock only.
    left: [Duration; 2],
    illegal: [u32; 2],
}

/// How a turn ends a game.
struct Stop {
    discs: i32,
    end: End,
    detail: String,
    broken: Option<Color>,
}

const fn index(color: Color) -> usize {
    match color {
        Color::Black => 0,
        Color::White => 1,
    }
}

/// Plays a game from the end of `opening`, black's player first; `None` if one of the `stops` was asked for.
pub(crate) fn play_game(
    players: [&mut dyn Player; 2],
    opening: &Game,
    rules: &GameRules,
    seeds: [u64; 2],
    stops: [&StopToken; 2],
) -> Option<Course> {
    let main = match rules.control {
        TimeControl::Clock { main, .. } => main,
        _ => Duration::ZERO,
    };
    let mut table = Table {
        rules,
        game: opening.clone(),
        moves: opening.moves().iter().map(|mv| plain(*mv)).collect(),
        left: [main; 2],
        illegal: [0; 2],
    };
    let [black, white] = players;
    for (color, player, seed) in [
        (Color::Black, &mut *black, seeds[0]),
        (Color::White, &mut *white, seeds[1]),
    ] {
        if let Err(failure) = player.new_game(&table.game, &rules.control, seed) {
            return Some(table.finish(failed(color, &failure)));
        }
    }
    loop {
        if stops.iter().any(|stop| stop.is_stopped()) {
            return None;
        }
        if let Some(end) = table.over() {
            return Some(table.finish(end));
        }
        if table.game.position().board().must_pass() {
            table.play(plain(Move::Pass), Move::Pass);
            continue;
        }
        let player: &mut dyn Player = match table.game.position().side() {
            Color::Black => black,
            Color::White => white,
        };
        if let Err(end) = table.turn(player) {
            return Some(table.finish(end));
        }
    }
}

fn plain(mv: Move) -> PlayedMove {
    PlayedMove {
        mv: mv.to_string(),
        value: None,
        depth: None,
        nodes: None,
        seconds: None,
    }
}

fn failed(color: Color, failure: &Failure) -> Stop {
    let end = match failure {
        Failure::NoAnswer(_) => End::NoAnswer,
        Failure::Exited(_) => End::Exited,
        Failure::Start { .. } | Failure::Dialogue(ClientError::StartPosition) | Failure::Internal(_) => {
            End::NotStarted
        }
        Failure::Dialogue(_) => End::Dialogue,
    };
    Stop {
        discs: forfeit_discs(color),
        end,
        detail: format!("{color}: {failure}"),
        broken: Some(color),
    }
}

impl Table<'_> {
    /// Returns the result if the game is over or can be adjudicated.
    fn over(&self) -> Option<Stop> {
        let position = self.game.position();
        if let Some(result) = self.game.result() {
            return Some(Stop {
                discs: result.discs.get(),
                end: End::Board,
                detail: String::new(),
                broken: None,
            });
        }
        let empties = position.board().empties().count();
        if empties > self.rules.adjudicate {
            return None;
        }
        let margin = exact_margin(position)?.get();
        Some(Stop {
            discs: if position.side() == Color::Black {
                margin
            } else {
                -margin
            },
            end: End::Adjudicated,
            detail: format!("{empties} empties, solved"),
            broken: None,
        })
    }

    fn play(&mut self, played: PlayedMove, mv: Move) {
        self.game.play(mv).expect("the move was checked");
        self.moves.push(played);
    }

    /// Time until the flag of the player to move falls; `None` if there is no flag.
    fn flag(&self, used: Duration) -> Option<Duration> {
        let allowed = match self.rules.control {
            TimeControl::Unlimited => return None,
            TimeControl::PerMove(time) => time,
            TimeControl::Clock { .. } => self.left[index(self.game.position().side())],
        };
        Some(allowed.saturating_sub(used))
    }

    /// Asks `player` until it makes a legal move.
    fn turn(&mut self, player: &mut dyn Player) -> Result<(), Stop> {
        let color = self.game.position().side();
        // Time of earlier, illegal answers of this turn.
        let mut used = Duration::ZERO;
        let mut wrong: Vec<String> = Vec::new();
        loop {
            let flag = self.flag(used);
            let left = |color: Color| match self.rules.control {
                TimeControl::Clock { .. } if color == self.game.position().side() => flag,
                TimeControl::Clock { .. } => Some(self.left[index(color)]),
                _ => None,
            };
            let clock = TurnClock {
                control: self.rules.control,
                black: left(Color::Black),
                white: left(Color::White),
            };
            let patience = flag.map_or(self.rules.patience, |flag| flag + self.rules.margin + GRACE);
            let start = Instant::now();
            let reply = player.choose(&self.game, &clock, Some(patience));
            let taken = start.elapsed();
            used += taken;
            if let Some(flag) = flag
                && taken > flag + self.rules.margin
                && reply.is_ok()
            {
                let over = taken.saturating_sub(flag).as_secs_f64();
                return Err(Stop {
                    discs: forfeit_discs(color),
                    end: End::Time,
                    detail: format!("{color}: {over:.3} s after the flag"),
                    broken: None,
                });
            }
            let answer = match reply {
                Ok(Reply::Move(answer)) => answer,
                Ok(Reply::Resign) => {
                    return Err(Stop {
                        discs: forfeit_discs(color),
                        end: End::Resigned,
                        detail: format!("{color} gave up"),
                        broken: None,
                    });
                }
                Err(failure) => return Err(failed(color, &failure)),
            };
            match answer.mv {
                Some(mv) if self.game.position().board().is_legal(mv) => {
                    self.settle(color, used);
                    self.play(noted(&answer, mv, used), mv);
                    return Ok(());
                }
                _ => wrong.push(answer.text),
            }
            self.illegal[index(color)] += 1;
            if self.illegal[index(color)] >= MAX_ILLEGAL {
                return Err(Stop {
                    discs: forfeit_discs(color),
                    end: End::Illegal,
                    detail: format!("{color}: illegal move, the last answers were {wrong:?}"),
                    broken: Some(color),
                });
            }
        }
    }

    /// Books the time of a legal move.
    fn settle(&mut self, color: Color, used: Duration) {
        if let TimeControl::Clock { increment, .. } = self.rules.control {
            let left = &mut self.left[index(color)];
            *left = left.saturating_sub(used) + increment;
        }
    }

    fn finish(self, stop: Stop) -> Course {
        Course {
            moves: self.moves,
            discs: stop.discs,
            end: stop.end,
            detail: stop.detail,
            illegal: self.illegal,
            broken: stop.broken,
        }
    }
}

fn noted(answer: &Answer, mv: Move, used: Duration) -> PlayedMove {
    PlayedMove {
        mv: mv.to_string(),
        value: answer.value.filter(|value| value.is_finite()).map(hundredths),
        depth: answer.depth,
        nodes: answer.nodes,
        seconds: Some((used.as_secs_f64() * 1e6).round() / 1e6),
    }
}

/// Two decimals; adding zero turns −0 into 0.
fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0 + 0.0
}
