//! The laboratory's players as the arena wants them: the two crates do not know each other.

use outflank_arena::{Choice, Failure, History, MatchGame, Player, Registry, Reply, Setup, Turn};
use outflank_gomoku::Board;
use outflank_lab::players;
use outflank_othello::Position;
use std::sync::Arc;

/// Makes a player of the laboratory from its name.
type Make<G> = fn(&str, u64) -> Result<Box<dyn players::Player<G>>, players::PlayerError>;

/// A player of the laboratory.
struct LabPlayer<G: MatchGame>(Box<dyn players::Player<G>>);

impl<G: MatchGame> Player<G> for LabPlayer<G> {
    fn new_game(&mut self, _history: &History<G>, setup: &Setup<'_>) -> Result<(), Failure> {
        self.0.new_game(setup.seed);
        Ok(())
    }

    fn choose(&mut self, history: &History<G>, turn: &Turn<'_>) -> Result<Reply<G::Move>, Failure> {
        self.0.stopped_by(turn.stop);
        let chosen = self.0.choose(history.position());
        if turn.stop.is_stopped() {
            return Err(Failure::Stopped);
        }
        match chosen {
            Some(mv) => Ok(Reply::Move(Choice::of(mv))),
            None => Err(Failure::no_move()),
        }
    }
}

/// Adds `lab: NAME` for Othello.
pub(super) fn add_othello(registry: &mut Registry<Position>) {
    add(registry, players::player);
}

/// Adds `lab: NAME` for Gomoku.
pub(super) fn add_gomoku(registry: &mut Registry<Board>) {
    add(registry, players::gomoku_player);
}

fn add<G: MatchGame>(registry: &mut Registry<G>, make: Make<G>) {
    registry.add(
        "lab:",
        "lab: NAME: a player of the laboratory",
        move |arguments| {
            let name = arguments.to_owned();
            make(&name, 0).map_err(|error| error.to_string())?;
            Ok(Arc::new(move || match make(&name, 0) {
                Ok(player) => Ok(Box::new(LabPlayer(player))),
                Err(error) => Err(Failure::Internal(error.to_string())),
            }))
        },
    );
}
