//! `outflank match`: two or more players meet in either game, and the table says what that proves.

mod live;

use crate::options::{GameArgs, parse_clock, parse_seconds};
use anyhow::{Context, bail};
use live::Live;
use outflank_api::players;
use outflank_arena::{
    Access, Competition, Form, GameRules, History, MatchError, MatchEvent, MatchGame, MatchReport, Registry,
    RunEnd, Store, openings, report, stats::Sprt,
};
use outflank_gomoku::{Board, Rule};
use outflank_othello::Position;
use outflank_protocol::TimeControl;
use outflank_search::GameClock;
use outflank_terminal::{
    ending,
    output::{self, Status},
};
use std::{
    io::Write as _,
    num::NonZeroUsize,
    path::{Path, PathBuf},
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
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// Games of each pair of players, rounded up to an even number.
    #[arg(long, short, default_value_t = 100)]
    games: usize,
    /// Only the first player meets the others.
    #[arg(long)]
    gauntlet: bool,

    /// Openings from a file, "-" for standard input: an XOT list, transcripts, GGF, boards; Gomoku: moves, offsets from the
    /// center, SGF, psq.
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
    /// Random openings: number of plies [default: 8, Gomoku 4].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=40), help_heading = "Openings")]
    random_plies: Option<u32>,
    /// Random openings: greatest imbalance in discs, Gomoku: in percent of the chance to win [default: 4, Gomoku 20].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=64), help_heading = "Openings")]
    within: Option<u32>,
    /// Take the openings in a random order.
    #[arg(long, help_heading = "Openings")]
    shuffle: bool,

    /// A clock for the whole game, in seconds or minutes:seconds: 60, 5:00, 60+0.5, 5:00+2.
    #[arg(
        long,
        value_name = "MAIN[+INC]",
        value_parser = parse_clock,
        conflicts_with = "move_time",
        help_heading = "Time and rules"
    )]
    clock: Option<GameClock>,
    /// Seconds for every move.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, help_heading = "Time and rules")]
    move_time: Option<Duration>,
    /// Seconds by which a flag may be overstepped, for the transport of moves [default: a tenth of a usual move's time,
    /// 0.05 to 1, but not more than half].
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, help_heading = "Time and rules")]
    margin: Option<Duration>,
    /// Seconds to wait for an answer where there is no clock, and for a program to start.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "60", help_heading = "Time and rules")]
    patience: Duration,
    /// End a game of Othello with its exact result when N squares are empty; 0 plays to the end.
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
    /// Keep the games: PREFIX.log while playing, PREFIX.jsonl and PREFIX.ggf (Gomoku: PREFIX.sgf) at the end; "-" writes them
    /// to standard output, and the table to standard error.
    #[arg(long, value_name = "PREFIX")]
    out: Option<PathBuf>,
    /// Go on with the match kept under --out.
    #[arg(long, requires = "out")]
    resume: bool,
    /// Print one JSON object per game, then a summary.
    #[arg(long)]
    json: bool,
}

const PLAYERS: &str = "Players of both games:
  level N                       the engine at level 1 to 60, or human-1 to human-8, which err as people do
  depth N                       the engine, N discs or stones ahead
  time SECONDS                  the engine, so long for each move
  nodes N                       the engine, N positions a move
  clock                         the engine, managing the time that --clock or --move-time gives
  random                        any legal move
  lab: NAME                     a player of the laboratory: mcts/800n, phase/4; Gomoku: shapes/3 … (see docs/lab.md)
Players of Othello:
  greedy                        as many flips as possible
  plain N                       textbook search, N discs ahead, hand-made evaluation
  external: COMMAND             a program that speaks GTP
  nboard: [--depth N] COMMAND   a program that speaks NBoard
  ugi: COMMAND                  a program that speaks UGI
Players of Gomoku:
  external: COMMAND             a program that speaks the Gomocup protocol

  The engine takes options in its description: --threads N, --hash MB (16), --seed N (other chances); in Othello --confidence PERCENT (73),
  --model FILE (a file of `outflank train model`, or of weights alone), --hand-made (the evaluation without learning),
  --book FILE (an opening book, see `outflank book`) with --book-random DISCS or --book-human DISCS;
  in Gomoku --book (the built-in opening table).
  A program may have a time of its own: external: --time SECONDS COMMAND. Quotes hold words of a command together.

Exit code: 1 if the match was stopped, if one side lost every game away from the board (such a match ends early), or if
an engine got less than it had said was proven.

Examples:
  outflank match greedy random --games 1000
  outflank match \"depth 4\" \"depth 2\" --openings xot.txt --out m1 -j 2
  outflank match \"depth 4\" \"depth 2\" --openings xot.txt --out m1 -j 2 --resume
  outflank match \"time 0.1 --book my.ofb --book-random 0.5\" \"time 0.1\" --all-plies 0 --games 500
  outflank match clock \"external: gtp-rhino -l 3 -b 0\" --games 20 --clock 60
  outflank match \"depth 5\" \"depth 4\" --sprt 0,20 --games 10000
  outflank match random greedy \"level 2\" \"lab: phase/2\" --games 50
  outflank match --game gomoku clock \"external: ./pbrain-other\" --move-time 0.3 --games 20
  outflank match --game gomoku \"level club\" \"level casual\" --games 50
  outflank match --game gomoku --rule renju \"nodes 5000\" \"lab: shapes/3\" --games 50";

impl Args {
    fn competition<G: MatchGame>(&self, start: &G, registry: &Registry<G>) -> anyhow::Result<Competition<G>> {
        let players = self
            .players
            .iter()
            .map(|text| registry.parse(text))
            .collect::<Result<Vec<_>, _>>()?;
        let control = match (self.clock, self.move_time) {
            (Some(clock), _) => TimeControl::Clock {
                main: clock.remaining,
                increment: clock.increment,
            },
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
            openings: self.read_openings(start)?,
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

    fn read_openings<G: MatchGame>(&self, start: &G) -> anyhow::Result<Vec<History<G>>> {
        let choice = match (&self.openings, self.all_plies) {
            (Some(path), _) if path == Path::new("-") => {
                let mut bytes = Vec::new();
                std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes)?;
                openings::Choice::Listed(bytes)
            }
            (Some(path), _) => {
                openings::Choice::Listed(std::fs::read(path).with_context(|| path.display().to_string())?)
            }
            (None, Some(plies)) => openings::Choice::AllPlies(plies),
            (None, None) => openings::Choice::Random {
                count: self.games.div_ceil(2).max(1),
                plies: self.random_plies,
                within: self.within,
            },
        };
        let games = choice.games(start, self.shuffle, self.seed);
        match &self.openings {
            Some(path) => games.with_context(|| path.display().to_string()),
            None => Ok(games?),
        }
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

    /// Whether the games go to standard output.
    fn to_stdout(&self) -> bool {
        self.out.as_deref().is_some_and(output::is_stdout)
    }

    fn path(&self, extension: &str) -> Option<PathBuf> {
        let prefix = self.out.as_ref().filter(|_| !self.to_stdout())?;
        let mut name = prefix.as_os_str().to_owned();
        name.push(".");
        name.push(extension);
        Some(PathBuf::from(name))
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    if args.game.is_gomoku() {
        return run_gomoku(args);
    }
    play(args, &Position::start(), &players::othello(Access::ALL))
}

fn run_gomoku(args: &Args) -> anyhow::Result<Status> {
    if args.adjudicate > 0 {
        bail!("--adjudicate belongs to Othello: nothing is solved at the end of a game of Gomoku");
    }
    let start = Board::new(
        args.game.rule.unwrap_or(Rule::Freestyle),
        args.game.size.unwrap_or(15),
    )?;
    play(args, &start, &players::gomoku(Access::ALL))
}

fn play<G: MatchGame>(args: &Args, start: &G, registry: &Registry<G>) -> anyhow::Result<Status> {
    let stop = ending::stop_on_request().context("cannot watch for Ctrl-C")?;
    let competition = args.competition(start, registry)?;
    let names = competition.names();
    let store = match (args.path("log"), args.resume) {
        (None, true) => bail!("--out - keeps nothing to resume: name a prefix for the files"),
        (None, false) => Store::Temporary,
        (Some(path), false) => Store::New(path),
        (Some(path), true) => Store::Resume(path),
    };
    let repeats = competition.schedule().passes_through_openings();
    if repeats > 1 && !args.json {
        note(&format!(
            "{} openings are not enough: each comes up to {repeats} times, and players without chance repeat games",
            competition.openings.len()
        ));
    }

    let began = Instant::now();
    let clock = move || began.elapsed().as_secs_f64();
    let mut live = Live::new();
    let mut broken = None;
    let sprt = competition.sprt.as_ref();
    let outcome = competition.run(
        &store,
        args.concurrency,
        &stop,
        &clock,
        &mut |event| match event {
            MatchEvent::Resumed { games } if !args.json => note(&format!("games found: {games}")),
            MatchEvent::Game { game, standing, llr } => {
                let line = if args.json {
                    Some(Ok(game.to_json()))
                } else {
                    args.to_stdout().then(|| G::export(game))
                };
                let written = line.map(|line| output::line(&line?)).transpose();
                if let Err(error) = written {
                    // Nobody listens any more.
                    broken = Some(error);
                    stop.stop();
                }
                if !args.json {
                    live.update(|| report::table::<G>(&names, standing, sprt, *llr));
                }
            }
            _ => {}
        },
    );
    live.clear();
    if let Some(error) = broken {
        return Err(error);
    }
    let outcome = match outcome {
        Err(error @ MatchError::Refused { .. }) => {
            return Err(anyhow::Error::new(error).context("the match cannot be played"));
        }
        outcome => outcome?,
    };
    if let Some(path) = args.path("jsonl") {
        outcome.write_json(&path)?;
    }
    if let Some(path) = G::SUFFIX.and_then(|suffix| args.path(suffix)) {
        outcome.write_games::<G>(&path)?;
    }
    if args.json {
        output::line(&report::summary::<G>(&names, &outcome, sprt).to_string())?;
    } else {
        let llr = sprt.map(|sprt| sprt.llr(&outcome.standing.tally(0).pairs));
        let text =
            report::table::<G>(&names, &outcome.standing, sprt, llr) + &report::remarks(&names, &outcome);
        if args.to_stdout() {
            let _lost = std::io::stderr().lock().write_all(text.as_bytes());
        } else {
            output::write_all(text.as_bytes())?;
        }
    }
    let games = competition.schedule().games();
    Ok(verdict(args, &outcome, games))
}

/// Says why a match ended early, and whether all is right.
fn verdict(args: &Args, outcome: &MatchReport, games: usize) -> Status {
    let played = outcome.standing.games();
    match outcome.end {
        RunEnd::Stopped if args.path("log").is_some() => {
            note(&format!(
                "stopped after {played} of {games} games; go on with --resume"
            ));
        }
        RunEnd::Stopped => note(&format!("stopped after {played} of {games} games")),
        RunEnd::Forfeited => note(&format!(
            "ended after {played} of {games} games: there was nothing but losses away from the board; the reasons stand \
             above"
        )),
        _ => {}
    }
    if outcome.is_sound() {
        Status::Success
    } else {
        Status::CheckFailed
    }
}

/// One line to the person at the terminal; standard output stays clean.
fn note(text: &str) {
    let _lost = writeln!(std::io::stderr().lock(), "{text}");
}
