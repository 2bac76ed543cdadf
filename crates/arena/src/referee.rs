//! The referee: plays one game between two players, and says how it ended.
//!
//! - A forced pass is played by the referee; nobody is asked.
//! - The clock is real: it runs from the request to the answer. A move that comes after the flag (plus a margin for the
//!   transport) loses. A player that does not answer at all is given up some time after its flag.
//! - An illegal move is counted and the player asked again, on the same clock; the third one loses.
//! - With adjudication, a position with few empties ends the game with its *exact* result.
//! - A player that does not know the game's rules, start or kind of time does not lose: the game cannot be played.

use crate::{
    game::MatchGame,
    history::{History, color, index},
    player::{Choice, Claim, Failure, Player, Reply, Setup, Turn},
    record::{End, PlayedMove, Thinking, microseconds},
};
use outflank_game::Player as Side;
use outflank_protocol::{TimeControl, TurnClock};
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
    /// Time by which the flag may be overstepped, for the transport of moves; `None` for [`scaled_margin`].
    pub margin: Option<Duration>,
    /// How long the referee waits for an answer where there is no flag, and for a program to start.
    pub patience: Duration,
    /// Empties at or below which a position is adjudicated; 0 plays every game to its end.
    pub adjudicate: u32,
}

impl Default for GameRules {
    /// No limits of time, 60 seconds of patience, no adjudication.
    fn default() -> Self {
        Self {
            control: TimeControl::Unlimited,
            margin: None,
            patience: Duration::from_mins(1),
            adjudicate: 0,
        }
    }
}

/// Returns the margin of a match that states none: a tenth of the time of a usual move, but at least 50 milliseconds (what
/// a busy machine may lose) or half that time, and at most a second.
///
/// ```
/// use outflank_arena::scaled_margin;
/// use outflank_protocol::TimeControl;
/// let of = |seconds| scaled_margin(&TimeControl::PerMove(std::time::Duration::from_secs_f64(seconds))).as_secs_f64();
/// assert_eq!([of(0.02), of(0.1), of(2.0), of(60.0)], [0.01, 0.05, 0.2, 1.0]);
/// ```
pub fn scaled_margin(control: &TimeControl) -> Duration {
    let usual = match *control {
        TimeControl::Unlimited => Duration::ZERO,
        TimeControl::PerMove(time) => time,
        // A game of Othello has 30 moves of each side.
        TimeControl::Clock { main, increment } => main / 30 + increment,
    };
    let least = Duration::from_millis(50).min(usual / 2);
    (usual / 10).clamp(least, Duration::from_secs(1))
}

/// The course of a game.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    pub(crate) moves: Vec<PlayedMove>,
    /// The first player's margin.
    pub(crate) margin: i32,
    pub(crate) end: End,
    pub(crate) detail: String,
    pub(crate) illegal: [u32; 2],
    pub(crate) claims: [Option<Claim>; 2],
    pub(crate) thinking: [Thinking; 2],
    /// The side whose player has failed and must be made anew.
    pub(crate) broken: Option<Side>,
}

/// How playing a game ended.
#[derive(Clone, Debug)]
pub(crate) enum Sitting {
    /// With a result.
    Played(Course),
    /// Nobody wants the game any more.
    Stopped,
    /// This side's player cannot play such games.
    Refused(Side, String),
}

/// Why the table is left before or after a move.
enum Leave {
    End(Stop),
    Stopped,
    Refused(Side, String),
}

/// How a turn ends a game.
struct Stop {
    margin: i32,
    end: End,
    detail: String,
    broken: Option<Side>,
}

/// A game in progress.
struct Table<'a, G: MatchGame> {
    rules: &'a GameRules,
    /// Time of each player, black first.
    controls: [TimeControl; 2],
    history: History<G>,
    moves: Vec<PlayedMove>,
    /// Time left, black first; meaningful with a clock only.
    left: [Duration; 2],
    illegal: [u32; 2],
    claims: [Option<Claim>; 2],
    thinking: [Thinking; 2],
    stop: &'a StopToken,
}

/// Plays a game from the end of `opening`, black's player first.
pub(crate) fn play_game<G: MatchGame>(
    players: [&mut dyn Player<G>; 2],
    opening: &History<G>,
    rules: &GameRules,
    seeds: [u64; 2],
    stop: &StopToken,
) -> Sitting {
    let [black, white] = players;
    let controls = [&*black, &*white].map(|player| player.own_control().unwrap_or(rules.control));
    let mut table = Table {
        rules,
        history: opening.clone(),
        moves: opening.moves().iter().map(plain).collect(),
        left: controls.map(|control| match control {
            TimeControl::Clock { main, .. } => main,
            _ => Duration::ZERO,
        }),
        controls,
        illegal: [0; 2],
        claims: [None; 2],
        thinking: [Thinking::default(); 2],
        stop,
    };
    for (side, player) in [(Side::First, &mut *black), (Side::Second, &mut *white)] {
        let at = index(side);
        let setup = Setup {
            control: controls[at],
            seed: seeds[at],
            patience: rules.patience,
            stop,
        };
        if let Err(failure) = player.new_game(&table.history, &setup) {
            return table.leave(failed::<G>(side, &failure));
        }
    }
    loop {
        if stop.is_stopped() {
            return Sitting::Stopped;
        }
        if let Some(end) = table.over() {
            return table.leave(Leave::End(end));
        }
        let legal = table.history.position().legal_moves();
        if let [only] = legal[..]
            && table.history.position().is_pass(only)
        {
            table.play(plain(&only), only);
            continue;
        }
        let player: &mut dyn Player<G> = match table.history.position().player() {
            Side::First => black,
            Side::Second => white,
        };
        if let Err(leave) = table.turn(player) {
            return table.leave(leave);
        }
    }
}

fn plain(mv: &impl ToString) -> PlayedMove {
    PlayedMove {
        mv: mv.to_string(),
        value: None,
        depth: None,
        nodes: None,
        seconds: None,
        book: false,
    }
}

/// The margin of a game that `loser` has lost away from the board.
fn forfeit<G: MatchGame>(loser: Side) -> i32 {
    match loser {
        Side::First => -G::FORFEIT,
        Side::Second => G::FORFEIT,
    }
}

fn lost<G: MatchGame>(side: Side, end: End, detail: &str) -> Stop {
    Stop {
        margin: forfeit::<G>(side),
        end,
        detail: format!("{}: {detail}", color(side)),
        broken: None,
    }
}

fn failed<G: MatchGame>(side: Side, failure: &Failure) -> Leave {
    let end = match failure {
        Failure::NoAnswer { .. } => End::NoAnswer,
        Failure::Exited { .. } => End::Exited,
        Failure::Start { .. } | Failure::Internal(_) => End::NotStarted,
        Failure::Dialogue { .. } => End::Dialogue,
        Failure::Unsupported(reason) => return Leave::Refused(side, reason.clone()),
        Failure::Stopped => return Leave::Stopped,
    };
    Leave::End(Stop {
        broken: Some(side),
        ..lost::<G>(side, end, &failure.to_string())
    })
}

impl<G: MatchGame> Table<'_, G> {
    /// Returns the result if the game is over or can be adjudicated.
    fn over(&self) -> Option<Stop> {
        let on_board = self.history.margin().map(|margin| Stop {
            margin,
            end: End::Board,
            detail: self.history.position().ending(),
            broken: None,
        });
        on_board.or_else(|| {
            let (margin, detail) = self.history.position().adjudicated(self.rules.adjudicate)?;
            Some(Stop {
                margin,
                end: End::Adjudicated,
                detail,
                broken: None,
            })
        })
    }

    fn play(&mut self, played: PlayedMove, mv: G::Move) {
        self.history.play(mv).expect("the move was checked");
        self.moves.push(played);
    }

    /// Time until the flag of the player to move falls; `None` if there is no flag.
    fn flag(&self, used: Duration) -> Option<Duration> {
        let at = index(self.history.position().player());
        let allowed = match self.controls[at] {
            TimeControl::Unlimited => return None,
            TimeControl::PerMove(time) => time,
            TimeControl::Clock { .. } => self.left[at],
        };
        Some(allowed.saturating_sub(used))
    }

    /// What the clocks show to the player to move.
    fn clock(&self, flag: Option<Duration>) -> TurnClock {
        let to_move = self.history.position().player();
        let left = |side: Side| match self.controls[index(side)] {
            TimeControl::Clock { .. } if side == to_move => flag,
            TimeControl::Clock { .. } => Some(self.left[index(side)]),
            _ => None,
        };
        TurnClock {
            control: self.controls[index(to_move)],
            black: left(Side::First),
            white: left(Side::Second),
        }
    }

    /// Asks `player` until it makes a legal move.
    fn turn(&mut self, player: &mut dyn Player<G>) -> Result<(), Leave> {
        let side = self.history.position().player();
        let control = self.controls[index(side)];
        let margin = self.rules.margin.unwrap_or_else(|| scaled_margin(&control));
        // Time of earlier, illegal answers of this turn.
        let mut used = Duration::ZERO;
        let mut wrong: Vec<String> = Vec::new();
        loop {
            player
                .get_ready(&self.history)
                .map_err(|failure| failed::<G>(side, &failure))?;
            let flag = self.flag(used);
            let turn = Turn {
                clock: self.clock(flag),
                patience: flag.map_or(self.rules.patience, |flag| flag + margin + GRACE),
                flag,
                stop: self.stop,
            };
            let start = Instant::now();
            let reply = player.choose(&self.history, &turn);
            let taken = start.elapsed();
            used += taken;
            if reply.is_ok() {
                self.thinking[index(side)].add(microseconds(taken.as_secs_f64()));
            }
            if let Some(flag) = flag
                && taken > flag + margin
                && reply.is_ok()
            {
                let over = taken.saturating_sub(flag).as_secs_f64();
                let detail = format!(
                    "{over:.3} s after the flag ({:.3} s allowed)",
                    margin.as_secs_f64()
                );
                return Err(Leave::End(lost::<G>(side, End::Time, &detail)));
            }
            let choice = match reply {
                Ok(Reply::Move(choice)) => choice,
                Ok(Reply::Resign) => {
                    return Err(Leave::End(Stop {
                        detail: format!("{} gave up", color(side)),
                        ..lost::<G>(side, End::Resigned, "")
                    }));
                }
                Err(failure) => return Err(failed::<G>(side, &failure)),
            };
            match choice.mv {
                Some(mv) if self.history.position().is_legal(mv) => {
                    let best = &mut self.claims[index(side)];
                    *best = (*best).max(choice.claim);
                    self.settle(side, used);
                    self.thinking[index(side)].book += u64::from(choice.is_book);
                    self.play(noted(&choice, &mv, used), mv);
                    return Ok(());
                }
                _ => wrong.push(choice.text),
            }
            self.illegal[index(side)] += 1;
            if self.illegal[index(side)] >= MAX_ILLEGAL {
                let detail = format!("illegal move, the last answers were {wrong:?}");
                return Err(Leave::End(Stop {
                    broken: Some(side),
                    ..lost::<G>(side, End::Illegal, &detail)
                }));
            }
        }
    }

    /// Books the time of a legal move.
    fn settle(&mut self, side: Side, used: Duration) {
        if let TimeControl::Clock { increment, .. } = self.controls[index(side)] {
            let left = &mut self.left[index(side)];
            *left = left.saturating_sub(used) + increment;
        }
    }

    fn leave(self, leave: Leave) -> Sitting {
        match leave {
            Leave::Stopped => Sitting::Stopped,
            Leave::Refused(side, reason) => Sitting::Refused(side, reason),
            Leave::End(stop) => Sitting::Played(Course {
                moves: self.moves,
                margin: stop.margin,
                end: stop.end,
                detail: stop.detail,
                illegal: self.illegal,
                claims: self.claims,
                thinking: self.thinking,
                broken: stop.broken,
            }),
        }
    }
}

fn noted<M: ToString>(choice: &Choice<M>, mv: &M, used: Duration) -> PlayedMove {
    PlayedMove {
        value: choice.value.filter(|value| value.is_finite()).map(hundredths),
        depth: choice.depth,
        nodes: choice.nodes,
        seconds: Some(microseconds(used.as_secs_f64())),
        book: choice.is_book,
        ..plain(mv)
    }
}

/// Two decimals; adding zero turns −0 into 0.
fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0 + 0.0
}
