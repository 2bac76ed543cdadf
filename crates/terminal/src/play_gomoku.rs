//! A game of Gomoku against the engine, line by line.

use crate::{
    output::{self, Status},
    play::Seats,
    text::gomoku::{self, points, value},
};
use outflank_gomoku::{Board, Color, Point, Rule};
use outflank_gomoku_engine::{Engine, Outcome, Request};
use outflank_records::text::{fold, without_mark};
use outflank_search::StopToken;
use std::{
    io::{self, BufRead as _, IsTerminal as _},
    time::Duration,
};

const HELP: &str = "a point (h8), or:\n  \
    hint   what the engine would play\n  \
    undo   take your last move back, and the engine's answer\n  \
    go     let the engine play this move and change sides\n  \
    new    start again\n  \
    moves  the moves so far\n  \
    board  draw the board\n  \
    quit";

/// A game with its engine.
struct Table {
    board: Board,
    seats: Seats,
    engine: Engine,
    time: Duration,
}

/// Plays until somebody leaves or the input ends; the engine thinks for `time` about each of its moves.
///
/// # Errors
///
/// Standard input cannot be read, or standard output written.
pub fn run(board: Board, engine: Engine, seats: Seats, time: Duration) -> anyhow::Result<Status> {
    let mut table = Table {
        board,
        seats,
        engine,
        time,
    };
    let prompt = io::stdin().is_terminal();
    let mut input = io::stdin().lock();
    output::line(&table.board.to_string())?;
    loop {
        if let Some(end) = table.board.end() {
            output::line(&format!("the game is over, result: {}", end.name()))?;
            if !prompt || table.seats == Seats::None {
                return Ok(Status::Success);
            }
        } else if !table.is_person(table.board.side()) {
            table.answer()?;
            continue;
        }
        if prompt {
            output::line(&format!("{} to move; help for help", table.board.side()))?;
        }
        let mut text = String::new();
        let n_read = input.read_line(&mut text)?;
        // Full-width letters of East Asian keyboards are letters.
        let line: String = without_mark(&text).chars().map(fold).collect();
        if n_read == 0 || !table.obey(line.trim())? {
            return Ok(Status::Success);
        }
    }
}

impl Table {
    fn is_person(&self, side: Color) -> bool {
        match self.seats {
            Seats::Black => side == Color::Black,
            Seats::White => side == Color::White,
            Seats::Both => true,
            Seats::None => false,
        }
    }

    fn think(&mut self) -> Outcome {
        let request = Request::new(self.board.clone()).time(self.time);
        self.engine.search(&request, &StopToken::new(), &mut |_| {})
    }

    /// Lets the engine play a move.
    fn answer(&mut self) -> anyhow::Result<()> {
        let outcome = self.think();
        let Some(best) = outcome.best_move() else {
            return Ok(());
        };
        self.board.play(best)?;
        let worth = value(outcome.best().value);
        output::line(&format!("{best} ({worth})\n{}", self.board))
    }

    /// Does what a line says; returns whether the game goes on.
    fn obey(&mut self, line: &str) -> anyhow::Result<bool> {
        match line.to_ascii_lowercase().as_str() {
            "" => {}
            "quit" | "exit" => return Ok(false),
            "help" => output::line(HELP)?,
            "board" => output::line(&self.board.to_string())?,
            "hint" => {
                let outcome = self.think();
                if let Some(best) = outcome.lines.first() {
                    output::line(&gomoku::line(best))?;
                }
            }
            "undo" => {
                self.board.undo_move();
                while !self.is_person(self.board.side()) && self.board.undo_move().is_some() {}
                output::line(&self.board.to_string())?;
            }
            "new" => {
                self.board = Board::new(self.board.rule(), self.board.size())?;
                output::line(&self.board.to_string())?;
            }
            "go" => {
                self.seats = match self.seats {
                    Seats::Black => Seats::White,
                    Seats::White => Seats::Black,
                    seats => seats,
                };
                self.answer()?;
            }
            "moves" => {
                let moves: Vec<Point> = self.board.history().into_iter().map(|(point, _)| point).collect();
                output::line(&points(&moves))?;
            }
            word => self.person(word)?,
        }
        Ok(true)
    }

    /// Plays the move that a person typed, or says what is wrong with it.
    fn person(&mut self, word: &str) -> anyhow::Result<()> {
        let played = Point::parse_on(word, self.board.size()).map_err(|error| error.to_string());
        let forbidden = played
            .as_ref()
            .is_ok_and(|&point| self.board.side() == Color::Black && self.board.is_forbidden(point));
        if self.board.rule() == Rule::Renju && forbidden {
            return output::line(&format!("{word} is forbidden for black: choose another point"));
        }
        match played.and_then(|point| self.board.play(point).map_err(|error| error.to_string())) {
            Ok(()) => output::line(&self.board.to_string()),
            Err(error) => output::line(&error),
        }
    }
}
