//! The manager's side: what to send to a brain, and what its lines mean.

use super::command::{parse_point, point_text};
use outflank_gomoku::{Board, Point};
use std::{collections::VecDeque, time::Duration};

/// What a brain has said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GomocupEvent {
    /// It accepted the board size.
    Ready,
    /// Its move.
    Move(Point),
    /// It refuses: `ERROR` or `UNKNOWN` with this text.
    Refused(String),
    /// Something to ignore: a message, a debug line, or an answer to nothing.
    Chatter(String),
}

/// Drives one brain; whoever owns the pipes moves the lines.
#[derive(Debug, Default)]
pub struct GomocupClient {
    to_send: VecDeque<String>,
    starting: bool,
}

impl GomocupClient {
    /// Returns a client with nothing to say yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a game on the size and under the rule set of `board`, with a time for each move and for the game.
    pub fn new_game(&mut self, board: &Board, turn: Duration, total: Option<Duration>) {
        self.starting = true;
        self.to_send.push_back(format!("START {}", board.size()));
        self.info("timeout_turn", turn.as_millis());
        self.info("timeout_match", total.map_or(0, |total| total.as_millis()));
        self.info("max_memory", 367_001_600);
        self.info("game_type", 1);
        self.info("rule", u128::from(board.rule().to_gomocup()));
    }

    /// Asks for a move in `board`; the whole board is sent each time, in move order, as the tournament's judge does.
    pub fn go(&mut self, board: &Board, left: Option<Duration>) {
        self.info("time_left", left.map_or(2_147_483_647, |left| left.as_millis()));
        if board.n_stones() == 0 {
            self.to_send.push_back("BEGIN".to_owned());
            return;
        }
        self.to_send.push_back("BOARD".to_owned());
        for (point, color) in board.history() {
            let owner = if color == board.side() { 1 } else { 2 };
            self.to_send.push_back(format!("{},{owner}", point_text(point)));
        }
        self.to_send.push_back("DONE".to_owned());
    }

    /// Asks the brain to end.
    pub fn quit(&mut self) {
        self.to_send.push_back("END".to_owned());
    }

    fn info(&mut self, key: &str, value: u128) {
        self.to_send.push_back(format!("INFO {key} {value}"));
    }

    /// Returns the next line to send now, without its line end.
    pub fn next_line(&mut self) -> Option<String> {
        self.to_send.pop_front()
    }

    /// Takes a line of the brain.
    pub fn feed(&mut self, line: &str) -> GomocupEvent {
        let line = line.trim();
        let word = line.split_whitespace().next().unwrap_or("").to_ascii_uppercase();
        match word.as_str() {
            "OK" if self.starting => {
                self.starting = false;
                GomocupEvent::Ready
            }
            "ERROR" | "UNKNOWN" => GomocupEvent::Refused(line.to_owned()),
            _ => parse_point(line).map_or_else(|| GomocupEvent::Chatter(line.to_owned()), GomocupEvent::Move),
        }
    }
}
