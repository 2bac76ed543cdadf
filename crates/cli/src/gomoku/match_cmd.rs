//! `outflank match --game gomoku`: games between our engine and another Gomocup brain, or itself.

use super::{
    analyze::duration,
    input::{history_text, points},
};
use crate::{
    engine::system_clock,
    output::{self, Status},
};
use anyhow::{Context, bail};
use outflank_game::SplitMix64;
use outflank_gomoku::{Board, Color, Point, Rule};
use outflank_gomoku_engine::{Engine, EngineSettings, OpeningTable, SearchLimits, Value};
use outflank_protocol::{GomocupClient, GomocupEvent};
use outflank_records::gomoku;
use outflank_search::{Limits, StopToken};
use serde_json::json;
use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Arc,
        mpsc::{self, Receiver},
    },
    thread,
    time::{Duration, Instant},
};

/// Play our engine against another program that speaks the Gomocup protocol, in paired openings.
///
/// Each opening is played twice with colors exchanged. An illegal move, no answer in time or a crash loses.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank match --game gomoku --games 20 --time 0.1\n  \
    outflank match --game gomoku --opponent './pbrain-other' --games 20 --time 0.3 --json")]
pub(super) struct Args {
    /// Command line of the other program; our own engine if left out.
    #[arg(long, value_name = "COMMAND")]
    opponent: Option<String>,
    /// Number of games.
    #[arg(long, default_value_t = 20)]
    games: u32,
    /// Seconds a move.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.3)]
    time: f64,
    /// Seconds a move for the other program, if different.
    #[arg(long, value_name = "SECONDS")]
    opponent_time: Option<f64>,
    /// Positions a move for our engine instead of time.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Rule set: freestyle, standard, renju or caro.
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// Edge of the board in points.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u8).range(5..=20))]
    size: u8,
    /// Threads of our engine; when it is its own opponent, of the first of the two.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Let our engine play from the opening table that is built in; when it is its own opponent, the first of the two.
    #[arg(long)]
    book: bool,
    /// A file of openings, one game a line; random ones of four stones around the center if left out.
    #[arg(long, value_name = "FILE")]
    openings: Option<std::path::PathBuf>,
    /// Seed of the random openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
}

/// Grace beyond the time a move, as the tournament's judge gives.
const TOLERANCE: Duration = Duration::from_secs(1);

/// One of the two players.
enum Player {
    Own {
        engine: Box<Engine>,
        limits: SearchLimits,
    },
    Other(Process),
}

/// Another program behind pipes.
struct Process {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
    client: GomocupClient,
    time: Duration,
}

impl Drop for Process {
    fn drop(&mut self) {
        self.client.quit();
        drop(self.send());
        let deadline = Instant::now() + Duration::from_secs(1);
        while Instant::now() < deadline {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Process {
    fn start(command: &str, time: Duration) -> anyhow::Result<Self> {
        let mut words = command.split_whitespace();
        let program = words.next().context("--opponent needs a command")?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {program}"))?;
        let stdin = child.stdin.take().context("the program has no standard input")?;
        let stdout = child
            .stdout
            .take()
            .context("the program has no standard output")?;
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            child,
            stdin,
            lines,
            client: GomocupClient::new(),
            time,
        })
    }

    fn send(&mut self) -> std::io::Result<()> {
        while let Some(line) = self.client.next_line() {
            self.stdin.write_all(format!("{line}\r\n").as_bytes())?;
        }
        self.stdin.flush()
    }

    /// Waits for what the program says until it is neither chatter nor late.
    fn wait(&mut self, limit: Duration) -> Result<GomocupEvent, String> {
        let deadline = Instant::now() + limit;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self
                .lines
                .recv_timeout(left)
                .map_err(|_| "no answer in time".to_owned())?;
            match self.client.feed(&line) {
                GomocupEvent::Chatter(_) => {}
                event => return Ok(event),
            }
        }
    }

    fn new_game(&mut self, board: &Board) -> Result<(), String> {
        self.client.new_game(board, self.time, None);
        self.send().map_err(|error| error.to_string())?;
        match self.wait(Duration::from_secs(10))? {
            GomocupEvent::Ready => Ok(()),
            event => Err(format!("{event:?} after START")),
        }
    }

    fn choose(&mut self, board: &Board) -> Result<Point, String> {
        self.client.go(board, None);
        self.send().map_err(|error| error.to_string())?;
        match self.wait(self.time + TOLERANCE)? {
            GomocupEvent::Move(mv) => Ok(mv),
            event => Err(format!("{event:?} for a move")),
        }
    }
}

/// How a game ended.
struct Game {
    board: Board,
    winner: Option<Color>,
    /// Who lost by breaking the rules, and how.
    forfeit: Option<(usize, String)>,
    false_claims: u32,
    slowest: [Duration; 2],
}

/// Runs the command.
pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let time = duration(args.time)?;
    let own = |threads: u16, book: bool| -> anyhow::Result<Player> {
        let limits = SearchLimits {
            limits: Limits {
                time: args.nodes.is_none().then_some(time),
                nodes: args.nodes,
                ..Limits::default()
            },
            soft_time: args.nodes.is_none().then(|| time.mul_f64(0.75)),
            ..SearchLimits::default()
        };
        let mut engine = Engine::new(EngineSettings {
            threads: usize::from(threads),
            ..EngineSettings::default()
        })?;
        if book {
            engine.set_book(Some(Arc::new(OpeningTable::built_in())));
        }
        Ok(Player::Own {
            engine: Box::new(engine),
            limits,
        })
    };
    let other_time = args.opponent_time.map_or(Ok(time), duration)?;
    let second = match &args.opponent {
        Some(command) => Player::Other(Process::start(command, other_time)?),
        None => own(1, false)?,
    };
    let mut players = [own(args.threads, args.book)?, second];
    let openings = openings(args)?;
    let (mut wins, mut draws, mut losses) = (0u32, 0u32, 0u32);
    let (mut forfeits, mut false_claims) = ([0u32; 2], 0);
    for nth in 0..args.games {
        let opening = &openings[nth as usize / 2 % openings.len()];
        let first = (nth % 2) as usize;
        let game = play(args, opening, &mut players, first)?;
        let ours = if first == 0 { Color::Black } else { Color::White };
        let result = match game.winner {
            None => {
                draws += 1;
                "draw"
            }
            Some(winner) if winner == ours => {
                wins += 1;
                "win"
            }
            Some(_) => {
                losses += 1;
                "loss"
            }
        };
        if let Some((who, _)) = &game.forfeit {
            forfeits[*who] += 1;
        }
        false_claims += game.false_claims;
        let reason = game.forfeit.map_or("", |_| "forfeit");
        if args.json {
            let object = json!({"game": nth + 1, "color": ours.to_string(), "result": result, "forfeit": reason,
                "moves": history_text(&game.board), "plies": game.board.n_stones(),
                "slowest": game.slowest.map(|slowest| slowest.as_secs_f64())});
            output::line(&object.to_string())?;
        } else {
            output::line(&format!(
                "game {}: {ours}, {result} {reason} {}",
                nth + 1,
                history_text(&game.board)
            ))?;
        }
    }
    let n = f64::from(args.games.max(1));
    let score = (f64::from(wins) + 0.5 * f64::from(draws)) / n;
    if args.json {
        let object = json!({"summary": {"games": args.games, "wins": wins, "draws": draws, "losses": losses,
            "score": score, "forfeits": forfeits, "false_claims": false_claims}});
        output::line(&object.to_string())?;
    } else {
        output::line(&format!(
            "+{wins} ={draws} -{losses}: {:.1} %, forfeits {forfeits:?}, false claims of a win {false_claims}",
            score * 100.0
        ))?;
    }
    Ok(if forfeits[0] + false_claims > 0 {
        Status::CheckFailed
    } else {
        Status::Success
    })
}

fn openings(args: &Args) -> anyhow::Result<Vec<Vec<Point>>> {
    if let Some(path) = &args.openings {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let lines = text
            .lines()
            .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
        let openings: Result<Vec<_>, _> = lines
            .map(|line| gomoku::read(line).map(|parsed| parsed.value.moves))
            .collect();
        let openings = openings?;
        if openings.is_empty() {
            bail!("{} holds no opening", path.display());
        }
        return Ok(openings);
    }
    let mut random = SplitMix64::new(args.seed);
    let middle = i32::from(args.size / 2);
    let list = (0..args.games.div_ceil(2).max(1)).map(|_| {
        let mut moves: Vec<Point> = Vec::new();
        while moves.len() < 4 {
            let mut near = || (middle + random.below(5) as i32 - 2) as u8;
            let point = Point::new(near(), near());
            moves.extend(point.filter(|point| point.is_on(args.size) && !moves.contains(point)));
        }
        moves
    });
    Ok(list.collect())
}

/// Plays one game; `players[first]` has Black.
fn play(args: &Args, opening: &[Point], players: &mut [Player; 2], first: usize) -> anyhow::Result<Game> {
    let mut board = Board::new(args.rule, args.size)?;
    for &mv in opening {
        board
            .play(mv)
            .with_context(|| format!("the opening {}", points(opening).join(" ")))?;
    }
    let mut game = Game {
        board,
        winner: None,
        forfeit: None,
        false_claims: 0,
        slowest: [Duration::ZERO; 2],
    };
    for (who, player) in players.iter_mut().enumerate() {
        match player {
            Player::Own { engine, .. } => engine.clear(),
            Player::Other(process) => {
                if let Err(reason) = process.new_game(&game.board) {
                    game.forfeit = Some((who, reason));
                }
            }
        }
    }
    let clock = system_clock();
    let mut claims = [false; 2];
    while game.board.end().is_none() && game.forfeit.is_none() {
        let who = if game.board.side() == Color::Black {
            first
        } else {
            1 - first
        };
        let start = Instant::now();
        let answer = match &mut players[who] {
            Player::Own { engine, limits } => {
                let outcome = engine.search(&game.board, limits, &clock, &StopToken::new(), &mut |_| {});
                claims[who] |= matches!(outcome.lines.first().map(|line| line.value), Some(Value::Win(_)));
                outcome.best.ok_or_else(|| "no move".to_owned())
            }
            Player::Other(process) => process.choose(&game.board),
        };
        game.slowest[who] = game.slowest[who].max(start.elapsed());
        let played = answer.and_then(|mv| game.board.play(mv).map_err(|error| error.to_string()));
        if let Err(reason) = played {
            game.forfeit = Some((who, reason));
        }
    }
    let black = |who: usize| if who == first { Color::Black } else { Color::White };
    game.winner = match &game.forfeit {
        Some((who, _)) => Some(!black(*who)),
        None => game.board.end().and_then(outflank_gomoku::End::winner),
    };
    if game.forfeit.is_none() {
        let wrong = |who: &usize| claims[*who] && game.winner != Some(black(*who));
        game.false_claims = (0..2).filter(wrong).count() as u32;
    }
    Ok(game)
}
