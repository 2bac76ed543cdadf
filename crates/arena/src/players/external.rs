//! Players that are other programs.

use super::{
    process::Process,
    talk::{GomocupTalk, Said, Talk},
};
use crate::{
    history::History,
    player::{Failure, Player, Reply, Setup, Turn},
};
use outflank_game::GameState;
use outflank_gomoku::Board;
use outflank_othello::Position;
use outflank_protocol::{Client, GtpClient, NBoardClient, TimeControl, UgiClient};
use outflank_search::StopToken;
use std::{
    fmt,
    time::{Duration, Instant},
};

/// Time between two looks at whether the game is still wanted.
const GLANCE: Duration = Duration::from_millis(50);
/// How long before its flag a program is told that its time is up, where the protocol has a way to say so: as much as our
/// own engines keep back, but at most a tenth.
const HURRY: Duration = Duration::from_millis(10);
/// Most silences of a program that are waited for before it is spoken to all the same: some never stop talking.
const MOST_QUIETS: u32 = 20;

/// A program to be run: a command and the protocol it speaks.
#[derive(Debug)]
pub struct External;

impl External {
    /// Returns a player of Othello that runs `command` (program and arguments) and speaks GTP with it.
    pub fn gtp(command: Vec<String>) -> ExternalPlayer<Position> {
        Self::client(command, || Box::new(GtpClient::new()))
    }

    /// Returns a player of Othello that runs `command` and speaks NBoard with it; `depth` is set for the program.
    pub fn nboard(command: Vec<String>, depth: Option<u32>) -> ExternalPlayer<Position> {
        Self::client(command, move || Box::new(NBoardClient::new(depth)))
    }

    /// Returns a player of Othello that runs `command` and speaks UGI with it.
    pub fn ugi(command: Vec<String>) -> ExternalPlayer<Position> {
        Self::client(command, || Box::new(UgiClient::new()))
    }

    /// Returns a player of Gomoku that runs `command` and speaks the Gomocup protocol with it.
    pub fn gomocup(command: Vec<String>) -> ExternalPlayer<Board> {
        ExternalPlayer::new(command, Box::new(GomocupTalk::new()))
    }

    fn client(command: Vec<String>, new: impl Fn() -> Box<dyn Client>) -> ExternalPlayer<Position> {
        ExternalPlayer::new(command, Box::new(new()))
    }
}

/// Another program as a player: a client for its protocol and a process.
///
/// The process is started with the first game and lives until the player is dropped.
pub struct ExternalPlayer<G: GameState> {
    command: Vec<String>,
    talk: Box<dyn Talk<G>>,
    process: Option<Process>,
    control: Option<TimeControl>,
}

impl<G: GameState> fmt::Debug for ExternalPlayer<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExternalPlayer({:?})", self.command)
    }
}

impl<G: GameState> ExternalPlayer<G> {
    /// Returns a player that runs `command` and speaks with it through `talk`.
    pub fn new(command: Vec<String>, talk: Box<dyn Talk<G>>) -> Self {
        Self {
            command,
            talk,
            process: None,
            control: None,
        }
    }

    /// Gives the program a time of its own instead of the match's.
    #[must_use]
    pub fn with_control(mut self, control: Option<TimeControl>) -> Self {
        self.control = control;
        self
    }

    /// Moves lines in both directions until the client has an event, or until `deadline`.
    fn exchange(
        &mut self,
        history: &History<G>,
        deadline: Instant,
        stop: &StopToken,
    ) -> Result<Option<Said<G::Move>>, Failure> {
        let Some(process) = &mut self.process else {
            return Err(Failure::Internal("the program was never started".to_owned()));
        };
        loop {
            while let Some(line) = self.talk.next_line() {
                process.send(&line, self.talk.line_end())?;
            }
            if stop.is_stopped() {
                return Err(Failure::Stopped);
            }
            let glance = deadline.min(Instant::now() + GLANCE);
            let Some(line) = process.receive(glance)? else {
                if glance == deadline {
                    return Ok(None);
                }
                continue;
            };
            if let Some(event) = self.talk.feed(&line, history)? {
                return Ok(Some(event));
            }
        }
    }

    /// Waits until the program has been quiet for as long as its protocol asks, and drops what it still says: no late
    /// answer may be read as the next one.
    fn wait_for_quiet(&mut self) -> Result<(), Failure> {
        let (Some(quiet), Some(process)) = (self.talk.quiet(), &mut self.process) else {
            return Ok(());
        };
        let last = Instant::now() + quiet * MOST_QUIETS;
        while Instant::now() < last {
            match process.receive(Instant::now() + quiet)? {
                Some(line) => self.talk.feed_idle(&line)?,
                None => return Ok(()),
            }
        }
        Ok(())
    }

    /// What to say of a program that has not answered: if it has written something else, that is the news.
    fn silence(&self, waited: Duration) -> Failure {
        match self.talk.stray_line() {
            Some(line) => Failure::Dialogue {
                message: format!("the program wrote something that is no answer: {line:?}"),
                last_words: String::new(),
            },
            None => Failure::NoAnswer {
                waited,
                last_words: String::new(),
            },
        }
    }

    /// Adds the program's last words to a failure that has room for them.
    fn with_last_words(&self, mut failure: Failure) -> Failure {
        if let Failure::NoAnswer { last_words, .. } | Failure::Dialogue { last_words, .. } = &mut failure
            && let Some(process) = &self.process
        {
            *last_words = process.last_words();
        }
        failure
    }

    fn set_up(&mut self, history: &History<G>, setup: &Setup<'_>) -> Result<(), Failure> {
        if self.process.is_none() {
            self.process = Some(Process::start(&self.command)?);
        }
        self.wait_for_quiet()?;
        self.talk.new_game(history, &setup.control)?;
        match self.exchange(history, Instant::now() + setup.patience, setup.stop)? {
            Some(Said::Ready) => Ok(()),
            Some(event) => Err(Failure::Dialogue {
                message: format!("{event:?} while the game is set up"),
                last_words: String::new(),
            }),
            None => Err(self.silence(setup.patience)),
        }
    }

    fn ask(&mut self, history: &History<G>, turn: &Turn<'_>) -> Result<Reply<G::Move>, Failure> {
        let start = Instant::now();
        let deadline = start + turn.patience;
        let mut flag = turn
            .flag
            .map(|flag| start + flag.saturating_sub(HURRY.min(flag / 10)));
        self.talk.go(history, &turn.clock)?;
        loop {
            let wait = flag.unwrap_or(deadline);
            match self.exchange(history, wait, turn.stop)? {
                Some(Said::Move(choice)) => return Ok(Reply::Move(choice)),
                Some(Said::Resigned) => return Ok(Reply::Resign),
                Some(Said::Ready) => {}
                None if flag.take().is_some() => self.talk.hurry(),
                None => return Err(self.silence(turn.patience)),
            }
        }
    }
}

impl<G: GameState> Player<G> for ExternalPlayer<G> {
    fn new_game(&mut self, history: &History<G>, setup: &Setup<'_>) -> Result<(), Failure> {
        self.set_up(history, setup)
            .map_err(|failure| self.with_last_words(failure))
    }

    fn get_ready(&mut self, _history: &History<G>) -> Result<(), Failure> {
        self.wait_for_quiet()
            .map_err(|failure| self.with_last_words(failure))
    }

    fn choose(&mut self, history: &History<G>, turn: &Turn<'_>) -> Result<Reply<G::Move>, Failure> {
        self.ask(history, turn)
            .map_err(|failure| self.with_last_words(failure))
    }

    fn own_control(&self) -> Option<TimeControl> {
        self.control
    }

    fn own_name(&self) -> Option<String> {
        self.talk.name().map(str::to_owned)
    }
}

impl<G: GameState> Drop for ExternalPlayer<G> {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            self.talk.quit();
            let mut reachable = true;
            while let Some(line) = self.talk.next_line() {
                reachable &= process.send(&line, self.talk.line_end()).is_ok();
            }
            process.end(reachable);
        }
    }
}
