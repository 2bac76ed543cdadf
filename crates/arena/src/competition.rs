//! Running a competition: several games at a time, stopped and resumed at will, with the same result.
//!
//! Games may finish in any order, but they are *counted* in the order of the schedule.
//! So the table, the files and the moment at which a sequential test stops depend on nothing but the games, not on
//! which worker was faster or how often the process was killed.

use crate::{
    game::MatchGame,
    history::{History, index},
    player::{Failure, Player, Reply, Setup, Turn},
    players::registry::PlayerSpec,
    record::{PlayedGame, RecordError, Thinking},
    referee::{GameRules, Sitting, play_game},
    schedule::{Form, Schedule},
    standing::Standing,
    stats::{Decision, Sprt},
};
use outflank_game::SplitMix64;
use outflank_jobs::{
    Event, FileError, Fingerprint, Job, LogError, ResultLog, RunError, Runner, Shard, write_atomic,
};
use outflank_search::StopToken;
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    thread,
    time::Duration,
};

/// Time between two looks at whether the match shall be stopped.
const GLANCE: Duration = Duration::from_millis(20);

/// A competition to be played.
#[derive(Clone, Debug)]
pub struct Competition<G: MatchGame> {
    /// The players.
    pub players: Vec<PlayerSpec<G>>,
    /// Who meets whom.
    pub form: Form,
    /// Games of each pairing; rounded up to an even number.
    pub games: usize,
    /// The openings; both games of a pair start from the same one.
    pub openings: Vec<History<G>>,
    /// The rules of every game.
    pub rules: GameRules,
    /// A test that stops a match between two players as soon as it has decided.
    pub sprt: Option<Sprt>,
    /// Decides everything that is left to chance.
    pub seed: u64,
}

/// Where a competition keeps its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Store {
    /// Nowhere: when the process ends, the games are gone.
    Temporary,
    /// In a new file.
    New(PathBuf),
    /// In a file that may hold games already, which are not played again.
    Resume(PathBuf),
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// All games are played.
    Complete,
    /// The sequential test has decided.
    Decided(Decision),
    /// One player lost every game away from the board, or every game ended so: more games would show nothing else.
    Forfeited,
    /// Someone asked for the stop; resume to go on.
    Stopped,
}

/// What happens in a competition.
#[derive(Debug)]
#[non_exhaustive]
pub enum MatchEvent<'a> {
    /// Games of an earlier run were found.
    Resumed {
        /// Games found, in whatever order they were finished.
        games: usize,
    },
    /// The next game of the schedule is counted.
    Game {
        /// The game.
        game: &'a PlayedGame,
        /// The score with this game.
        standing: &'a Standing,
        /// The log-likelihood ratio of the sequential test after the last complete pair.
        llr: Option<f64>,
    },
}

/// The end of a run.
#[derive(Clone, Debug)]
pub struct MatchReport {
    /// How it ended.
    pub end: RunEnd,
    /// The final score.
    pub standing: Standing,
    /// The games that were counted, in order.
    pub games: Vec<PlayedGame>,
    /// How long each player thought in them.
    pub thinking: Vec<Thinking>,
}

/// Why a competition cannot be played or kept.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// Fewer than two players.
    #[error("a match needs two players, but there is {0}")]
    TooFewPlayers(usize),
    /// No games.
    #[error("nothing to play: the number of games is 0")]
    NoGames,
    /// No openings.
    #[error("nothing to start from: there are no openings")]
    NoOpenings,
    /// A sequential test with more than one pairing.
    #[error("a sequential test compares two players, but there are {0}")]
    SprtNeedsTwo(usize),
    /// The games could not be kept.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A file could not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A temporary file could not be made.
    #[error("cannot create a temporary file: {0}; check the space in the temporary folder")]
    Temporary(std::io::Error),
    /// The run failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A player cannot play such games at all, which is nobody's loss.
    #[error("{player}: {reason}")]
    Refused {
        /// The player.
        player: String,
        /// What it cannot do, and what helps.
        reason: String,
    },
    /// The log holds something else than games.
    #[error("{}: {error}", path.display())]
    Record {
        /// The log.
        path: PathBuf,
        /// What is wrong.
        error: RecordError,
    },
}

/// Counts games in the order of the schedule, whatever order they come in.
struct Counter<'a> {
    standing: Standing,
    games: Vec<PlayedGame>,
    thinking: Vec<Thinking>,
    waiting: BTreeMap<usize, PlayedGame>,
    sprt: Option<Sprt>,
    llr: Option<f64>,
    /// Why no more games are wanted.
    decided: Option<RunEnd>,
    on_event: &'a mut dyn FnMut(&MatchEvent<'_>),
}

impl Counter<'_> {
    fn take(&mut self, game: PlayedGame) {
        self.waiting.insert(game.game, game);
        while self.decided.is_none()
            && let Some(game) = self.waiting.remove(&self.standing.games())
        {
            self.standing.add(&game);
            for (thinking, player) in game.thinking.iter().zip(game.players) {
                self.thinking[player].join(thinking);
            }
            if let Some(sprt) = self.sprt
                && self.standing.is_even()
            {
                let pairs = &self.standing.tally(0).pairs;
                self.llr = Some(sprt.llr(pairs));
                let decision = sprt.decision(pairs);
                self.decided = (decision != Decision::Continue).then_some(RunEnd::Decided(decision));
            }
            let more = self.standing.games() < self.standing.schedule().games();
            if more && self.standing.is_hopeless() {
                self.decided = Some(RunEnd::Forfeited);
            }
            (self.on_event)(&MatchEvent::Game {
                game: &game,
                standing: &self.standing,
                llr: self.llr,
            });
            self.games.push(game);
        }
    }
}

/// Stands in for a player that could not be made, and loses.
struct Absent(Failure);

impl<G: MatchGame> Player<G> for Absent {
    fn new_game(&mut self, _history: &History<G>, _setup: &Setup<'_>) -> Result<(), Failure> {
        Err(self.0.clone())
    }

    fn choose(&mut self, _history: &History<G>, _turn: &Turn<'_>) -> Result<Reply<G::Move>, Failure> {
        Err(self.0.clone())
    }
}

/// The players of one worker thread, made when they are first needed.
struct Worker<G: MatchGame>(Vec<Option<Box<dyn Player<G>>>>);

impl<G: MatchGame> Worker<G> {
    /// Makes a player, unless it is there from an earlier game.
    fn prepare(&mut self, player: usize, spec: &PlayerSpec<G>) {
        if self.0[player].is_none() {
            let made = (spec.make)();
            self.0[player] = Some(made.unwrap_or_else(|failure| Box::new(Absent(failure))));
        }
    }
}

/// What the workers of a run share.
struct Hall<'a> {
    schedule: &'a Schedule,
    names: &'a [String],
    /// Ends every game in progress.
    halt: StopToken,
    /// The player that refused to play, and why.
    refused: Mutex<Option<(usize, String)>>,
}

impl<G: MatchGame> Competition<G> {
    /// Returns the schedule of all games.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.form, self.players.len(), self.games, self.openings.len())
    }

    /// Returns the players' names: their descriptions, numbered where two are the same.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for player in &self.players {
            let same = |number: usize| match number {
                1 => player.text.clone(),
                _ => format!("{} ({number})", player.text),
            };
            let name = (1..=self.players.len())
                .map(same)
                .find(|name| !names.contains(name));
            names.extend(name);
        }
        names
    }

    fn check(&self) -> Result<(), MatchError> {
        match (self.players.len(), self.games, self.openings.len()) {
            (n @ 0..=1, ..) => Err(MatchError::TooFewPlayers(n)),
            (_, 0, _) => Err(MatchError::NoGames),
            (.., 0) => Err(MatchError::NoOpenings),
            (n @ 3.., ..) if self.sprt.is_some() => Err(MatchError::SprtNeedsTwo(n)),
            _ => Ok(()),
        }
    }

    /// The digest of all that decides the games; the test only decides how many of them are needed.
    fn fingerprint(&self) -> Fingerprint {
        let mut digest = Fingerprint::default().with(b"outflank match 2");
        for player in &self.players {
            digest = digest.with(player.text.as_bytes());
        }
        for opening in &self.openings {
            let start = opening.start();
            digest = digest.with(start.rules().as_bytes());
            digest = digest.with(&start.key().to_le_bytes());
            digest = digest.with(start.start_text().unwrap_or_default().as_bytes());
            digest = digest.with(opening.moves_text().as_bytes());
        }
        digest
            .with(format!("{:?}", self.form).as_bytes())
            .with(format!("{:?}", self.rules).as_bytes())
            .with(&self.seed.to_le_bytes())
    }

    /// Plays the games that `store` does not hold yet, `concurrency` at a time, until all are played, the test has decided,
    /// or `stop` is asked for.
    ///
    /// Events come on the calling thread.
    ///
    /// # Errors
    ///
    /// Returns why the games cannot be played or kept. A player that fails is not an error: it loses its game.
    pub fn run(
        &self,
        store: &Store,
        concurrency: NonZeroUsize,
        stop: &StopToken,
        clock: &dyn Fn() -> f64,
        on_event: &mut dyn FnMut(&MatchEvent<'_>),
    ) -> Result<MatchReport, MatchError> {
        self.check()?;
        let schedule = self.schedule();
        let names = self.names();
        let folder;
        let job = Job {
            title: format!("match: {}", names.join(" against ")),
            fingerprint: self.fingerprint(),
            items: schedule.games(),
            shard: Shard::WHOLE,
        };
        let mut log = match store {
            Store::Temporary => {
                folder = tempfile::tempdir().map_err(MatchError::Temporary)?;
                ResultLog::create(folder.path().join("games.log"), job)?
            }
            Store::New(path) => ResultLog::create(path, job)?,
            Store::Resume(path) => ResultLog::resume(path, job)?,
        };
        let mut counter = Counter {
            standing: Standing::new(schedule.clone(), self.players.len()),
            games: Vec::new(),
            thinking: vec![Thinking::default(); self.players.len()],
            waiting: BTreeMap::new(),
            sprt: self.sprt,
            llr: None,
            decided: None,
            on_event,
        };
        let path = log.path().to_path_buf();
        let read = |line: &str| {
            PlayedGame::from_json(line).map_err(|error| MatchError::Record {
                path: path.clone(),
                error,
            })
        };
        if log.n_done() > 0 {
            (counter.on_event)(&MatchEvent::Resumed { games: log.n_done() });
            for line in log.results()? {
                counter.take(read(&line)?);
            }
        }
        if counter.decided.is_none() {
            let hall = Hall {
                schedule: &schedule,
                names: &names,
                halt: StopToken::new(),
                refused: Mutex::new(None),
            };
            self.play_on(&hall, &mut log, concurrency, stop, clock, &mut |line, halt| {
                counter.take(read(line)?);
                if counter.decided.is_some() {
                    halt.stop();
                }
                Ok(())
            })?;
            let refused = hall.refused.into_inner().unwrap_or_else(PoisonError::into_inner);
            if let Some((player, reason)) = refused {
                let player = names[player].clone();
                return Err(MatchError::Refused { player, reason });
            }
        }
        let end = match counter.decided {
            Some(end) => end,
            None if counter.standing.games() == schedule.games() => RunEnd::Complete,
            None => RunEnd::Stopped,
        };
        Ok(MatchReport {
            end,
            standing: counter.standing,
            games: counter.games,
            thinking: counter.thinking,
        })
    }

    /// Plays the games that `log` lacks; `on_game` gets the line of each and what ends all others.
    fn play_on(
        &self,
        hall: &Hall<'_>,
        log: &mut ResultLog,
        concurrency: NonZeroUsize,
        stop: &StopToken,
        clock: &dyn Fn() -> f64,
        on_game: &mut dyn FnMut(&str, &StopToken) -> Result<(), MatchError>,
    ) -> Result<(), MatchError> {
        let mut broken_line = None;
        let halt = &hall.halt;
        let done = StopToken::new();
        let outcome = thread::scope(|scope| {
            // A player that thinks for long must hear of a stop that comes meanwhile.
            scope.spawn(|| {
                while !done.is_stopped() {
                    if stop.is_stopped() {
                        halt.stop();
                    }
                    thread::sleep(GLANCE);
                }
            });
            let enough = || stop.is_stopped() || halt.is_stopped();
            let mut runner = Runner::new(clock);
            runner.workers = concurrency;
            runner.stop = &enough;
            let outcome = runner.run(
                log,
                || Worker(self.players.iter().map(|_| None).collect()),
                |worker, number| self.play(worker, hall, number),
                &mut |event| {
                    if let Event::ItemDone { result, .. } = event
                        && broken_line.is_none()
                    {
                        broken_line = on_game(result, halt).err();
                    }
                    if broken_line.is_some() {
                        halt.stop();
                    }
                },
            );
            done.stop();
            outcome
        });
        match broken_line {
            Some(error) => Err(error),
            None => outcome.map(drop).map_err(MatchError::Run),
        }
    }

    /// Plays one game; `None` if it was stopped or refused.
    fn play(&self, worker: &mut Worker<G>, hall: &Hall<'_>, number: usize) -> Option<String> {
        let appointment = hall.schedule.appointment(number);
        let opening = &self.openings[appointment.opening];
        let [black, white] = appointment.players;
        worker.prepare(black, &self.players[black]);
        worker.prepare(white, &self.players[white]);
        let mut both = worker.0.get_disjoint_mut([black, white]).ok()?;
        let [Some(first), Some(second)] = &mut both else {
            return None;
        };
        // Both games of a pair get the same chances.
        let mut random =
            SplitMix64::new(self.seed ^ (appointment.pair as u64).wrapping_mul(0xA24B_AED4_963E_E407));
        let chances = [random.next_u64(), random.next_u64()];
        let seeds = if appointment.second {
            [chances[1], chances[0]]
        } else {
            chances
        };
        let players: [&mut dyn Player<G>; 2] = [first.as_mut(), second.as_mut()];
        let course = match play_game(players, opening, &self.rules, seeds, &hall.halt) {
            Sitting::Played(course) => course,
            Sitting::Stopped => {
                // Programs may be in the middle of a thought.
                worker.0.iter_mut().for_each(|player| *player = None);
                return None;
            }
            Sitting::Refused(side, reason) => {
                let player = appointment.players[index(side)];
                let mut refused = hall.refused.lock().unwrap_or_else(PoisonError::into_inner);
                refused.get_or_insert((player, reason));
                hall.halt.stop();
                return None;
            }
        };
        if let Some(side) = course.broken {
            worker.0[appointment.players[index(side)]] = None;
        }
        let game = PlayedGame {
            game: number,
            opening: appointment.opening,
            rules: opening.start().rules(),
            black: hall.names[black].clone(),
            white: hall.names[white].clone(),
            players: appointment.players,
            margin: course.margin,
            end: course.end,
            detail: course.detail,
            illegal: course.illegal,
            claims: course.claims,
            thinking: course.thinking,
            opening_moves: opening.moves().len(),
            start: opening.start().start_text(),
            moves: course.moves,
        };
        Some(game.to_json())
    }
}

impl MatchReport {
    /// Returns whether all is right: the match was not stopped, nobody lost every game away from the board, and nobody
    /// got less than it had said was proven.
    pub fn is_sound(&self) -> bool {
        let false_claims =
            (0..self.thinking.len()).any(|player| self.standing.player(player).false_claims > 0);
        self.end != RunEnd::Stopped && !self.standing.is_forfeited_throughout() && !false_claims
    }

    /// Writes the games as JSON Lines, completely or not at all.
    ///
    /// # Errors
    ///
    /// Returns why the file cannot be written.
    pub fn write_json(&self, path: &Path) -> Result<(), MatchError> {
        let mut text = String::new();
        for game in &self.games {
            writeln!(text, "{}", game.to_json()).expect("a string takes every text");
        }
        Ok(write_atomic(path, text.as_bytes())?)
    }

    /// Writes the games as other programs read them ([`MatchGame::SUFFIX`]), one a line, completely or not at all.
    ///
    /// # Errors
    ///
    /// Returns why the file cannot be written.
    pub fn write_games<G: MatchGame>(&self, path: &Path) -> Result<(), MatchError> {
        let mut text = String::new();
        for game in &self.games {
            let line = G::export(game).map_err(|error| MatchError::Record {
                path: path.to_path_buf(),
                error,
            })?;
            writeln!(text, "{line}").expect("a string takes every text");
        }
        Ok(write_atomic(path, text.as_bytes())?)
    }
}
