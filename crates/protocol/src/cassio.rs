//! Cassio's engine protocol, from the engine's side.
//!
//! Cassio decides itself how deep to search and how long; the engine answers one search at a time.
//! Every line begins with `ENGINE-PROTOCOL`; every answer ends with `ready.`, while a search runs with `ok.`.

use crate::{
    Action, Dialogue, Suggestion, Urgency,
    text::{command, discs, quoted},
};
use outflank_eval::Score;
use outflank_othello::{Color, Game, Move, Position};
use outflank_othello_engine::{Outcome, Progress, Request};
use outflank_search::{Goal, Limits, Verdict};
use std::{fmt::Write as _, time::Duration};

/// What every command begins with.
const PREFIX: &str = "ENGINE-PROTOCOL";

/// The engine's side of Cassio's protocol.
#[derive(Clone, Debug, Default)]
pub struct CassioEngine {
    running: Option<Running>,
    /// What is known of the running search: nodes and seconds.
    infos: (u64, f64),
}

/// The search that was asked for.
#[derive(Clone, Copy, Debug)]
struct Running {
    position: Position,
    alpha: f64,
    beta: f64,
    depth: u32,
    precision: u8,
}

impl CassioEngine {
    /// Returns an engine that has not heard anything yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// `midgame-search POSITION ALPHA BETA DEPTH PRECISION`, and without the depth `endgame-search`.
    fn search(&mut self, command: &str, text: &str) -> Result<Request, String> {
        let (position, rest) = split_position(text)?;
        let midgame = command == "midgame-search";
        let wanted = if midgame { 4 } else { 3 };
        let numbers = read_numbers(&rest, wanted)?;
        let empties = position.board().empties().count();
        let (alpha, beta) = (numbers[0], numbers[1]);
        if alpha >= beta {
            return Err(format!("the window {alpha} to {beta} is empty"));
        }
        let precision = numbers[wanted - 1].clamp(1.0, 100.0) as u8;
        let depth = if midgame {
            (numbers[2].clamp(1.0, 64.0) as u32).min(empties.max(1))
        } else {
            empties
        };
        let solve = depth >= empties && precision == 100;
        let request = Request {
            limits: Limits {
                depth: Some(depth.max(1)).filter(|_| !solve),
                ..Limits::default()
            },
            goal: match (solve, alpha >= -1.0 && beta <= 1.0) {
                (true, true) => Goal::WinLossDraw,
                (true, false) => Goal::Exact,
                (false, _) => Goal::Best,
            },
            confidence: precision,
            ..Request::default()
        };
        self.running = Some(Running {
            position,
            alpha,
            beta,
            depth,
            precision,
        });
        self.infos = (0, 0.0);
        Ok(request.at(position))
    }

    fn result(running: &Running, outcome: &Outcome) -> String {
        let position = &running.position;
        let best = outcome.best();
        let value = best.value.discs();
        let side = position.side();
        let letter = if side == Color::Black { 'B' } else { 'W' };
        // Only who wins is known after a search for that: the bounds say no more.
        let (low, high) = if best.verdict == Verdict::WinLossDraw && value > 0.0 {
            (1.0f64.max(running.beta.min(2.0)), 64.0)
        } else if best.verdict == Verdict::WinLossDraw && value < 0.0 {
            (-64.0, (-1.0f64).min(running.alpha.max(-2.0)))
        } else {
            (value, value)
        };
        let mut moves = String::new();
        for mv in &best.moves {
            match mv {
                Move::Place(square) => write!(moves, "{square}"),
                Move::Pass => write!(moves, "--"),
            }
            .expect("a string takes every text");
        }
        let first = match outcome.best_move() {
            Some(Move::Place(square)) => square.to_string(),
            _ => "--".to_owned(),
        };
        let board: String = position
            .to_string()
            .chars()
            .filter(|c| !c.is_whitespace())
            .collect();
        let (depth, precision) = match best.verdict {
            Verdict::Estimate { depth, confidence } => (depth, confidence),
            Verdict::Exact | Verdict::WinLossDraw => (running.depth, 100),
            _ => (0, running.precision),
        };
        format!(
            "{board}, move {first}, depth {depth}, @{precision}%, {letter}{} <= v <= {letter}{}, {moves}, node {}, time {:.3}",
            discs(low),
            discs(high),
            outcome.nodes,
            outcome.elapsed.as_secs_f64()
        )
    }

    fn state(&self) -> &'static str {
        if self.running.is_some() { "ok." } else { "ready." }
    }
}

/// `feed-hash POSITION LOWER UPPER DEPTH PRECISION LINE`: what Cassio has found elsewhere.
///
/// The line is taken as advice which moves to try first. The bounds are checked and not used: an exact value is one that
/// the engine has proved itself.
fn feed(text: &str) -> Result<Suggestion, String> {
    let (position, rest) = split_position(text)?;
    let (numbers, line) = rest.split_at(rest.len().min(4));
    read_numbers(numbers, 4)?;
    let mut game = Game::from_position(position);
    let line = line.concat();
    let mut letters = line.as_str();
    while let Some(name) = letters.get(..2).filter(|name| !name.is_empty()) {
        let mv = if name == "--" {
            Ok(Move::Pass)
        } else {
            name.parse()
        };
        let mv: Move = mv.map_err(|_| format!("{} is no move", quoted(name)))?;
        game.play(mv).map_err(|error| error.to_string())?;
        letters = &letters[2..];
    }
    if !letters.is_empty() {
        return Err(format!("{} is no move", quoted(letters)));
    }
    Ok(Suggestion {
        position,
        line: game.moves().to_vec(),
    })
}

/// Splits off the position; the side to move may stand apart from the squares.
fn split_position(text: &str) -> Result<(Position, Vec<&str>), String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (board, rest) = match words.split_first() {
        Some((board, rest)) if board.chars().count() == 64 => match rest.split_first() {
            Some((side, rest)) => (format!("{board}{side}"), rest),
            None => return Err("expected a side to move".to_owned()),
        },
        Some((board, rest)) => ((*board).to_owned(), rest),
        None => return Err("expected a position".to_owned()),
    };
    Ok((parse_position(&board)?, rest.to_vec()))
}

/// Reads exactly `wanted` numbers, which may be percentages.
fn read_numbers(words: &[&str], wanted: usize) -> Result<Vec<f64>, String> {
    words
        .iter()
        .map(|text| {
            text.trim_end_matches('%')
                .parse()
                .ok()
                .filter(|number: &f64| number.is_finite())
        })
        .collect::<Option<_>>()
        .filter(|numbers: &Vec<f64>| numbers.len() == wanted)
        .ok_or_else(|| {
            format!(
                "expected {wanted} numbers after the position, got {}",
                quoted(&words.join(" "))
            )
        })
}

/// 64 squares and the side to move, in capitals or not, `.` or `-` empty.
fn parse_position(text: &str) -> Result<Position, String> {
    let normal: String = text
        .chars()
        .map(|c| match c.to_ascii_uppercase() {
            '.' => '-',
            '*' | 'B' => 'X',
            'W' => 'O',
            c => c,
        })
        .collect();
    normal.parse().map_err(|error| format!("{error}"))
}

/// Removes the prefix; `None` if it is not there.
fn command_of(line: &str) -> Option<(String, &str)> {
    let line = line.trim();
    let (prefix, rest) = line.split_at_checked(PREFIX.len())?;
    prefix.eq_ignore_ascii_case(PREFIX).then(|| command(rest))
}

fn write(out: &mut Vec<Action>, line: impl Into<String>) {
    out.push(Action::Write(line.into()));
}

impl Dialogue for CassioEngine {
    type Game = Position;
    type Value = Score;

    fn urgency(&self, line: &str) -> Urgency {
        match command_of(line).as_ref().map(|(command, _)| command.as_str()) {
            Some("stop" | "quit") => Urgency::Interrupt,
            Some("get-search-infos" | "get-version" | "") | None => Urgency::Now,
            Some(_) => Urgency::Wait,
        }
    }

    fn execute(&mut self, line: &str, out: &mut Vec<Action>) {
        let Some((command, rest)) = command_of(line) else {
            if !line.trim().is_empty() {
                write(out, format!("ERROR: expected {PREFIX}, got {}", quoted(line)));
            }
            write(out, self.state());
            return;
        };
        match command.as_str() {
            "init" | "stop" | "new-position" | "" => {}
            "feed-hash" => match feed(rest) {
                Ok(suggestion) => out.push(Action::Suggest(Box::new(suggestion))),
                Err(message) => write(out, format!("ERROR: feed-hash: {message}")),
            },
            "get-version" => write(out, format!("version: Outflank {}", env!("CARGO_PKG_VERSION"))),
            "empty-hash" => out.push(Action::Forget),
            "get-search-infos" => {
                let (nodes, seconds) = self.infos;
                write(out, format!("node {nodes}, time {seconds:.3}"));
            }
            "quit" => {
                write(out, "bye bye.");
                out.push(Action::Quit);
                return;
            }
            "midgame-search" | "endgame-search" => match self.search(&command, rest) {
                Ok(task) if task.position.is_game_over() => {
                    let value = f64::from(task.position.board().final_discs().get());
                    let letter = if task.position.side() == Color::Black {
                        'B'
                    } else {
                        'W'
                    };
                    let value = discs(value);
                    let board: String = task.position.to_string().split_whitespace().collect();
                    write(
                        out,
                        format!(
                            "{board}, move --, depth 0, @100%, {letter}{value} <= v <= {letter}{value}, , node 1, time 0.000"
                        ),
                    );
                    self.running = None;
                }
                Ok(task) => {
                    out.push(Action::Search(Box::new(task)));
                    return;
                }
                Err(message) => write(out, format!("ERROR: {command}: {message}")),
            },
            _ => write(out, format!("ERROR: unknown command {}", quoted(&command))),
        }
        write(out, self.state());
    }

    fn progress(&mut self, news: &Progress, _out: &mut Vec<Action>) {
        self.infos = (news.nodes, news.elapsed.as_secs_f64());
    }

    fn finished(&mut self, outcome: &Outcome, _spent: Duration, out: &mut Vec<Action>) {
        let Some(running) = self.running.take() else {
            return;
        };
        self.infos = (outcome.nodes, outcome.elapsed.as_secs_f64());
        if outcome.best().verdict != Verdict::Aborted {
            write(out, Self::result(&running, outcome));
        }
        write(out, "ready.");
    }

    fn is_quit(&self, line: &str) -> bool {
        command_of(line).is_some_and(|(command, _)| command == "quit")
    }

    fn drops_queue(&self, line: &str) -> bool {
        command_of(line).is_some_and(|(command, _)| command == "stop")
    }
}
