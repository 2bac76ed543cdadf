//! Players of the arena and of the laboratory, by their descriptions.

use crate::{errors, game::Game, jobs::Job, moves};
use outflank_api::players;
use outflank_arena::{
    Access, Failure, History, Player as Plays, Reply, Setup, Turn,
    stats::{Decision, Sprt, Tally},
};
use outflank_othello::Position;
use outflank_protocol::{TimeControl, TurnClock};
use outflank_search::StopToken;
use pyo3::{
    IntoPyObjectExt as _,
    exceptions::{PyRuntimeError, PyValueError},
    prelude::*,
};
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// How long a player may be silent.
const PATIENCE: Duration = Duration::from_hours(1);

/// A player: `level 8`, `time 1`, `random`, `lab: mcts:policy=weighted/3s`; another program only where that is allowed.
#[pyclass(frozen, module = "outflank._core")]
pub(crate) struct Player {
    player: Arc<Mutex<Box<dyn Plays<Position>>>>,
    /// What the player was described as.
    #[pyo3(get)]
    text: String,
}

fn failed(failure: &Failure) -> PyErr {
    PyRuntimeError::new_err(failure.to_string())
}

/// Returns the game as the arena keeps it.
fn history(game: &Game) -> PyResult<History<Position>> {
    let state = game.lock();
    let mut history = History::new(*state.game.start());
    for &mv in state.game.moves() {
        history
            .play(mv)
            .map_err(|error| PyValueError::new_err(format!("{error:?}")))?;
    }
    Ok(history)
}

#[pymethods]
impl Player {
    /// The player of that description.
    #[new]
    fn new(text: &str, seed: u64, programs: bool) -> PyResult<Self> {
        let access = Access {
            programs,
            files: programs,
        };
        let spec = players::othello(access)
            .parse(text)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        let player = (spec.make)().map_err(|failure| failed(&failure))?;
        let made = Self {
            player: Arc::new(Mutex::new(player)),
            text: spec.text,
        };
        made.begin(seed)?;
        Ok(made)
    }

    /// Starts a new game.
    #[pyo3(name = "new_game")]
    fn begin(&self, seed: u64) -> PyResult<()> {
        let stop = StopToken::new();
        let setup = Setup {
            control: TimeControl::Unlimited,
            seed,
            patience: PATIENCE,
            stop: &stop,
        };
        let mut player = self.player.lock().unwrap_or_else(PoisonError::into_inner);
        player
            .new_game(&History::new(Position::start()), &setup)
            .map_err(|failure| failed(&failure))
    }

    /// Starts to choose a move in a game; the result of the job is a number, or nothing if the player gives up or was stopped.
    fn choose(&self, py: Python<'_>, game: &Game) -> PyResult<Job> {
        let history = history(game)?;
        if history.position().is_game_over() {
            let message = "the game is over: there is no move to choose";
            return Err(errors::raise(py, "SetupError", (message,)));
        }
        let player = Arc::clone(&self.player);
        Ok(Job::start(move |stop, _| {
            let turn = Turn {
                clock: TurnClock::default(),
                patience: PATIENCE,
                flag: None,
                stop,
            };
            let mut player = player.lock().unwrap_or_else(PoisonError::into_inner);
            let reply = player.choose(&history, &turn);
            Box::new(move |py| match reply {
                Ok(Reply::Move(choice)) => match choice.mv {
                    Some(mv) => moves::number(mv).into_py_any(py),
                    None => Err(PyRuntimeError::new_err(format!(
                        "the player said {:?}, which is no legal move",
                        choice.text
                    ))),
                },
                Ok(Reply::Resign) | Err(Failure::Stopped) => Ok(py.None()),
                Err(failure) => Err(failed(&failure)),
            })
        }))
    }
}

/// What the margins of pairs of games say: wins, draws, losses; Elo with its interval; how sure it is that the first player
/// is the stronger one; and with two hypotheses the sequential test: ratio, bounds, and which one is accepted.
#[pyfunction]
pub(crate) fn match_statistics(
    py: Python<'_>,
    pairs: Vec<(i32, i32)>,
    hypotheses: Option<(f64, f64)>,
    confidence: f64,
) -> PyResult<Py<PyAny>> {
    let mut tally = Tally::default();
    for (first, second) in pairs {
        tally.add_game(first);
        tally.add_game(second);
        tally.add_pair(first, second);
    }
    let sequential = match hypotheses {
        None => None,
        Some((elo0, elo1)) => {
            let test = Sprt::new(elo0, elo1, 0.05, 0.05)
                .map_err(|error| PyValueError::new_err(error.to_string()))?;
            let decision = match test.decision(&tally.pairs) {
                Decision::Continue => None,
                Decision::AcceptH0 => Some("H0"),
                Decision::AcceptH1 => Some("H1"),
            };
            Some((test.llr(&tally.pairs), test.bounds(), decision))
        }
    };
    let elo = tally.elo(confidence);
    (
        [tally.wins, tally.draws, tally.losses],
        [elo.elo, elo.low, elo.high],
        tally.los(),
        tally.mean_margin(),
        sequential,
    )
        .into_py_any(py)
}
