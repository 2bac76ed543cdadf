//! Players that are other programs.

use super::{Failure, Player, Reply, process::Process};
use outflank_othello::Game;
use outflank_protocol::{
    Client, ClientError, ClientEvent, GtpClient, NBoardClient, TimeControl, TurnClock, UgiClient,
};
use std::{
    fmt,
    time::{Duration, Instant},
};

/// Time a program has to start and to set up a game, when the match has no limit that says so.
const SETUP: Duration = Duration::from_secs(30);

/// A program to be run: a command and the protocol it speaks.
#[derive(Debug)]
pub struct External;

impl External {
    /// Returns a player that runs `command` (program and arguments) and speaks GTP with it.
    pub fn gtp(command: Vec<String>) -> ExternalPlayer {
        ExternalPlayer::new(command, || Box::new(GtpClient::new()))
    }

    /// Returns a player that runs `command` and speaks NBoard with it.
    pub fn nboard(command: Vec<String>) -> ExternalPlayer {
        ExternalPlayer::new(command, || Box::new(NBoardClient::new(None)))
    }

    /// Returns a player that runs `command` and speaks UGI with it.
    pub fn ugi(command: Vec<String>) -> ExternalPlayer {
        ExternalPlayer::new(command, || Box::new(UgiClient::new()))
    }
}

/// Another program as a player: a client for its protocol and a process.
///
/// The process is started with the first game and lives until the player is dropped.
pub struct ExternalPlayer {
    command: Vec<String>,
    client: Box<dyn Client>,
    process: Option<Process>,
}

impl fmt::Debug for ExternalPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExternalPlayer({:?})", self.command)
    }
}

impl ExternalPlayer {
    /// Returns a player that runs `command` and speaks with it through the client that `new_client` makes.
    pub fn new(command: Vec<String>, new_client: impl Fn() -> Box<dyn Client>) -> Self {
        Self {
            command,
            client: new_client(),
            process: None,
        }
    }

    /// Moves lines in both directions until the client has an event, or until `deadline`.
    fn talk(&mut self, game: &Game, deadline: Option<Instant>) -> Result<Option<ClientEvent>, Failure> {
        let Some(process) = &mut self.process else {
            return Err(Failure::Exited("it was never started".to_owned()));
        };
        loop {
            while let Some(line) = self.client.next_line() {
                process.send(&line)?;
            }
            let Some(line) = process.receive(deadline)? else {
                return Ok(None);
            };
            if let Some(event) = self.client.feed(&line, game)? {
                return Ok(Some(event));
            }
        }
    }

    /// What to say of a program that has not answered: if it has written something else, that is the news.
    fn silence(&self, waited: Duration) -> Failure {
        match self.client.stray_line() {
            Some(line) => ClientError::Garbage(line.to_owned()).into(),
            None => Failure::NoAnswer(waited),
        }
    }
}

impl Player for ExternalPlayer {
    fn new_game(&mut self, game: &Game, control: &TimeControl, _seed: u64) -> Result<(), Failure> {
        if self.process.is_none() {
            self.process = Some(Process::start(&self.command)?);
        }
        self.client.new_game(game, control)?;
        match self.talk(game, Some(Instant::now() + SETUP))? {
            Some(ClientEvent::Ready) => Ok(()),
            Some(event) => Err(Failure::Internal(format!("{event:?} while the game is set up"))),
            None => Err(self.silence(SETUP)),
        }
    }

    fn choose(
        &mut self,
        game: &Game,
        clock: &TurnClock,
        patience: Option<Duration>,
    ) -> Result<Reply, Failure> {
        self.client.go(game, clock)?;
        let deadline = patience.map(|patience| Instant::now() + patience);
        loop {
            match self.talk(game, deadline)? {
                Some(ClientEvent::Move(answer)) => return Ok(Reply::Move(answer)),
                Some(ClientEvent::Resigned) => return Ok(Reply::Resign),
                Some(ClientEvent::Ready) => {}
                None => return Err(self.silence(patience.unwrap_or_default())),
            }
        }
    }

    fn own_name(&self) -> Option<String> {
        self.client.name().map(str::to_owned)
    }
}

impl Drop for ExternalPlayer {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            self.client.quit();
            let mut reachable = true;
            while let Some(line) = self.client.next_line() {
                reachable &= process.send(&line).is_ok();
            }
            process.end(reachable);
        }
    }
}
