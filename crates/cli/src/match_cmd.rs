//! `outflank match`: two or more players meet, and the table says what that proves.

mod report;

use crate::output::{self, Status};
use anyhow::{Context, bail};
use outflank_arena::{
    Competition, Failure, Form, GameRules, MatchEvent, Player, Registry, Reply, RunEnd, Standing, Store,
    openings, stats::Sprt,
};
use outflank_lab::players;
use outflank_othello::Game;
use outflank_protocol::{Answer, TimeControl, TurnClock};
use outflank_search::StopToken;
use std::{
    io::{IsTerminal as _, Write as _},
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

/// Let players meet: two in a match, more in a round-robin or a gauntlet.
///
/// A player is one line of text. Every opening is played with both colors. Elo, its interval and the sequential test
/// count pairs of games. A player that fails loses its game; the match goes on.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
#[derive(clap::Args, Debug)]
#[command(after_long_help = PLAYERS, after_help = "Players and examples: outflank match --help")]
pub(crate) struct Args {
    /// The players, each in quotes.
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    players: Vec<String>,
    /// Games of each pair of players, rounded up to an even number.
    #[arg(long, short, default_value_t = 100)]
    games: usize,
    /// Only the first player meets the others.
    #[arg(long)]
    gauntlet: bool,

    /// Openings from a file: an XOT list, transcripts, GGF, boards; "-" for standard input.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "all_plies",
        help_heading = "Openings"
    )]
    openings: Option<PathBuf>,
    /// All positions after N plies (up to symmetry).
    #[arg(long, value_name = "N", help_heading = "Openings")]
    all_plies: Option<u32>,
    /// Random openings: number of plies.
    #[arg(long, value_name = "N", default_value_t = 8, help_heading = "Openings")]
    random_plies: u32,
    /// Random openings: greatest imbalance in discs.
    #[arg(long, value_name = "DISCS", default_value_t = 4, help_heading = "Openings")]
    within: u32,
    /// Take the openings in a random order.
    #[arg(long, help_heading = "Openings")]
    shuffle: bool,

    /// A clock for the whole game, in seconds or minutes:seconds: 60, 5:00, 60+0.5.
    #[arg(
        long,
        value_name = "MAIN[+INC]",
        conflicts_with = "move_time",
        help_heading = "Time and rules"
    )]
    clock: Option<TimeControl>,
    /// Seconds for every move.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Time and rules")]
    move_time: Option<Duration>,
    /// Seconds by which a flag may be overstepped (transport of moves).
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "0.1", help_heading = "Time and rules")]
    margin: Duration,
    /// Seconds to wait for an answer where there is no clock.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60", help_heading = "Time and rules")]
    patience: Duration,
    /// End a game with its exact result when N squares are empty; 0 plays to the end.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=16),
          help_heading = "Time and rules")]
    adjudicate: u32,

    /// Stop as soon as one of two Elo differences is accepted.
    #[arg(
        long,
        value_name = "ELO0,ELO1",
        allow_hyphen_values = true,
        help_heading = "Sequential test"
    )]
    sprt: Option<String>,
    /// Risk of accepting ELO1 when ELO0 is true.
    #[arg(
        long,
        value_name = "P",
        default_value_t = 0.05,
        help_heading = "Sequential test"
    )]
    alpha: f64,
    /// Risk of accepting ELO0 when ELO1 is true.
    #[arg(
        long,
        value_name = "P",
        default_value_t = 0.05,
        help_heading = "Sequential test"
    )]
    beta: f64,

    /// Games at the same time.
    #[arg(long, short = 'j', default_value = "1")]
    concurrency: NonZeroUsize,
    /// Decides openings and players' chances.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Keep the games: PREFIX.log while playing, PREFIX.jsonl and PREFIX.ggf at the end.
    #[arg(long, value_name = "PREFIX")]
    out: Option<PathBuf>,
    /// Go on with the match kept under --out.
    #[arg(long, requires = "out")]
    resume: bool,
    /// Print one JSON object per game, then a summary.
    #[arg(long)]
    json: bool,
}

const PLAYERS: &str = "Players:
  level N                       the engine at level 1 to 60
  depth N                       the engine, N discs ahead
  time SECONDS                  the engine, so long for each move
  nodes N                       the engine, N positions a move
  clock                         the engine, managing the time that --clock or --move-time gives
  random                        any legal move
  greedy                        as many flips as possible
  plain N                       textbook search, N discs ahead, hand-made evaluation
  external: COMMAND             a program that speaks GTP
  nboard: COMMAND               a program that speaks NBoard
  ugi: COMMAND                  a program that speaks UGI
  lab: NAME                     a player of the laboratory: mcts/800n, phase/4, … (see outflank lab)

  The engine takes options in its description: --threads N, --hash MB (16), --confidence PERCENT (73),
  --weights FILE (the learned evaluation of `outflank train`), --hand-made (the evaluation without learning).

Examples:
  outflank match greedy random --games 1000
  outflank match \"depth 4\" \"depth 2\" --openings xot.txt --out m1 -j 2
  outflank match \"depth 4\" \"depth 2\" --openings xot.txt --out m1 -j 2 --resume
  outflank match clock \"external: gtp-rhino -l 3 -b 0\" --games 20 --clock 60
  outflank match \"depth 5\" \"depth 4\" --sprt 0,20 --games 10000
  outflank match random greedy \"level 2\" \"lab: phase/2\" --games 50";

fn seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .filter(|seconds| (0.0..=1e7).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "expected a number of seconds from 0 to 10000000".to_owned())
}

/// The arena's players and the laboratory's.
fn registry() -> Registry {
    let mut registry = Registry::standard();
    registry.add("lab:", "lab: NAME: a player of the laboratory", |arguments| {
        let name = arguments.to_owned();
        players::player(&name, 0).map_err(|error| error.to_string())?;
        Ok(Arc::new(move || match players::player(&name, 0) {
            Ok(player) => Ok(Box::new(LabPlayer(player))),
            Err(error) => Err(Failure::Internal(error.to_string())),
        }))
    });
    registry
}

/// A player of the laboratory as the arena wants it.
struct LabPlayer(Box<dyn players::Player>);

impl Player for LabPlayer {
    fn new_game(&mut self, _game: &Game, _control: &TimeControl, seed: u64) -> Result<(), Failure> {
        self.0.new_game(seed);
        Ok(())
    }

    fn choose(
        &mut self,
        game: &Game,
        _clock: &TurnClock,
        _patience: Option<Duration>,
    ) -> Result<Reply, Failure> {
        match self.0.choose(game.position()) {
            Some(mv) => Ok(Reply::Move(Answer::of(mv))),
            None => Err(Failure::Internal(
                "asked for a move in a finished game".to_owned(),
            )),
        }
    }
}

impl Args {
    fn competition(&self) -> anyhow::Result<Competition> {
        let registry = registry();
        let players = self
            .players
            .iter()
            .map(|text| registry.parse(text))
            .collect::<Result<Vec<_>, _>>()?;
        let control = match (self.clock, self.move_time) {
            (Some(clock), _) => clock,
            (_, Some(time)) => TimeControl::PerMove(time),
            _ => TimeControl::Unlimited,
        };
        Ok(Competition {
            players,
            form: if self.gauntlet {
                Form::Gauntlet
            } else {
                Form::RoundRobin
            },
            games: self.games,
            openings: self.read_openings()?,
            rules: GameRules {
                control,
                margin: self.margin,
                patience: self.patience,
                adjudicate: self.adjudicate,
            },
            sprt: self.read_sprt()?,
            seed: self.seed,
        })
    }

    fn read_openings(&self) -> anyhow::Result<Vec<Game>> {
        let mut games = match (&self.openings, self.all_plies) {
            (Some(path), _) => {
                let bytes = if path == Path::new("-") {
                    let mut bytes = Vec::new();
                    std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes)?;
                    bytes
                } else {
                    std::fs::read(path).with_context(|| path.display().to_string())?
                };
                openings::from_bytes(&bytes).with_context(|| path.display().to_string())?
            }
            (None, Some(plies)) => openings::all_positions(plies)?,
            (None, None) => openings::random_balanced(
                self.games.div_ceil(2).max(1),
                self.random_plies,
                self.within,
                self.seed,
            )?,
        };
        if self.shuffle {
            openings::shuffle(&mut games, self.seed);
        }
        Ok(games)
    }

    fn read_sprt(&self) -> anyhow::Result<Option<Sprt>> {
        let Some(text) = &self.sprt else {
            return Ok(None);
        };
        let bounds: Vec<f64> = text
            .split(',')
            .filter_map(|part| part.trim().parse().ok())
            .collect();
        let [elo0, elo1] = bounds[..] else {
            bail!("--sprt {text:?}: expected two Elo differences, as in --sprt 0,5");
        };
        Ok(Some(Sprt::new(elo0, elo1, self.alpha, self.beta)?))
    }

    fn path(&self, extension: &str) -> Option<PathBuf> {
        let prefix = self.out.as_ref()?;
        let mut name = prefix.as_os_str().to_owned();
        name.push(".");
        name.push(extension);
        Some(PathBuf::from(name))
    }
}

/// Shows the score on standard error while the match runs: in place on a terminal, now and then elsewhere.
struct Live {
    terminal: bool,
    shown: Option<Instant>,
    lines: usize,
}

impl Live {
    /// Time between two updates on a terminal.
    const TERMINAL: Duration = Duration::from_millis(200);
    /// Time between two updates in a file.
    const FILE: Duration = Duration::from_secs(30);

    fn new() -> Self {
        Self {
            terminal: std::io::stderr().is_terminal(),
            shown: None,
            lines: 0,
        }
    }

    fn update(&mut self, names: &[String], standing: &Standing, sprt: Option<&Sprt>, llr: Option<f64>) {
        let pause = if self.terminal { Self::TERMINAL } else { Self::FILE };
        // Nothing is shown of a match that is over before anyone could read it.
        if self.shown.get_or_insert_with(Instant::now).elapsed() < pause {
            return;
        }
        self.shown = Some(Instant::now());
        let text = report::table(names, standing, sprt, llr);
        let mut out = std::io::stderr().lock();
        if self.terminal && self.lines > 0 {
            // Up to where the last table began, and clear from there.
            let _lost = write!(out, "\x1b[{}A\x1b[J", self.lines);
        }
        self.lines = text.lines().count();
        // A terminal that is gone is no reason to lose a match.
        let _lost = out.write_all(text.as_bytes());
    }

    fn clear(&mut self) {
        if self.terminal && self.lines > 0 {
            let _lost = write!(std::io::stderr().lock(), "\x1b[{}A\x1b[J", self.lines);
            self.lines = 0;
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    let competition = args.competition()?;
    let names = competition.names();
    let store = match (args.path("log"), args.resume) {
        (None, _) => Store::Temporary,
        (Some(path), false) => Store::New(path),
        (Some(path), true) => Store::Resume(path),
    };
    let stop = StopToken::new();
    let handler = stop.clone();
    ctrlc::set_handler(move || handler.stop()).context("cannot watch for Ctrl-C")?;
    let repeats = competition.schedule().passes_through_openings();
    if repeats > 1 && !args.json {
        note(&format!(
            "{} openings are not enough: each comes up to {repeats} times, and players without chance repeat games",
            competition.openings.len()
        ));
    }

    let start = Instant::now();
    let clock = move || start.elapsed().as_secs_f64();
    let mut live = Live::new();
    let mut broken = None;
    let outcome = competition.run(
        &store,
        args.concurrency,
        &stop,
        &clock,
        &mut |event| match event {
            MatchEvent::Resumed { games } if !args.json => note(&format!("{games} games are there already")),
            MatchEvent::Game { game, standing, llr } => {
                if args.json {
                    if let Err(error) = output::line(&game.to_json()) {
                        // Nobody listens any more.
                        broken = Some(error);
                        stop.stop();
                    }
                } else {
                    live.update(&names, standing, competition.sprt.as_ref(), *llr);
                }
            }
            _ => {}
        },
    )?;
    live.clear();
    if let Some(error) = broken {
        return Err(error);
    }
    if let (Some(json), Some(ggf)) = (args.path("jsonl"), args.path("ggf")) {
        outcome.write_json(&json)?;
        outcome.write_ggf(&ggf)?;
    }
    let sprt = competition.sprt.as_ref();
    let llr = sprt.map(|sprt| sprt.llr(&outcome.standing.tally(0).pairs));
    if args.json {
        output::line(&report::summary(&names, &outcome, sprt).to_string())?;
    } else {
        output::write_all(report::table(&names, &outcome.standing, sprt, llr).as_bytes())?;
    }
    if outcome.end == RunEnd::Stopped && !args.json {
        let hint = if args.out.is_some() {
            "; go on with --resume"
        } else {
            ""
        };
        note(&format!(
            "stopped after {} of {} games{hint}",
            outcome.standing.games(),
            competition.schedule().games()
        ));
    }
    Ok(Status::Success)
}

/// One line to the person at the terminal; standard output stays clean.
fn note(text: &str) {
    let _lost = writeln!(std::io::stderr().lock(), "{text}");
}
