//! The brain's side: lines in, answers and requests to think out.

use super::command::{BoardStone, GomocupCommand, Owner, parse_point, parse_stone, point_text};
use outflank_gomoku::{Board, Color, MAX_SIZE, MIN_SIZE, Point, Rule, Tables};
use std::{collections::VecDeque, fmt::Write as _, time::Duration};

/// What the owner of the brain must do after a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Reaction {
    /// Write this line at once.
    Say(String),
    /// Let the engine think; give its result to [`GomocupBrain::thought`].
    Think(Box<Thinking>),
    /// Let the engine end its thinking as soon as it can.
    Stop,
    /// Let the engine forget everything.
    Forget,
    /// The manager limits the memory to this many bytes.
    Memory(u64),
    /// The manager wants this many threads, 1 to 256.
    Threads(u32),
    /// End the program.
    Quit,
}

/// The most threads that a manager can ask for; what is more counts as this.
const MOST_THREADS: u32 = 256;

/// What the engine is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// A move.
    Move,
    /// A move after a report of this many best ones.
    NBest(u32),
    /// The answer to a `SWAP2BOARD` with 3 or 5 stones: a move, or another color.
    Swap2,
    /// One or two moves after which the position is even.
    Balance(u32),
}

/// A request to think.
#[derive(Clone, Debug, PartialEq)]
pub struct Thinking {
    /// The position.
    pub board: Board,
    /// What for.
    pub wish: Wish,
    /// Time that must not be passed.
    pub hard: Duration,
    /// Time after which no new iteration should start.
    pub soft: Duration,
    /// Greatest depth, if the manager set one.
    pub depth: Option<u32>,
    /// Greatest number of positions, if the manager set one.
    pub nodes: Option<u64>,
    /// Points that must not be played.
    pub excluded: Vec<Point>,
}

/// What the manager has told about time and effort, in milliseconds.
#[derive(Clone, Copy, Debug)]
struct Limits {
    turn: i64,
    total: i64,
    left: Option<i64>,
    depth: Option<u32>,
    nodes: Option<u64>,
}

/// `time_left` of a game without a limit.
const NO_LIMIT: i64 = 2_147_483_647;

/// Numbers of `INFO` are cut to this size: thirty thousand years in milliseconds.
const MOST_INFO: i64 = 1 << 50;

/// A list that the manager is in the middle of sending.
#[derive(Clone, Debug)]
enum Reading {
    Board {
        answer: bool,
        stones: Vec<BoardStone>,
        error: Option<String>,
    },
    Swap2 {
        points: Vec<Point>,
        error: Option<String>,
    },
    Block {
        points: Vec<Point>,
    },
}

/// The state of a brain between two lines.
#[derive(Debug)]
pub struct GomocupBrain {
    about: String,
    size: Option<u8>,
    rule: Result<Rule, String>,
    limits: Limits,
    stones: Vec<BoardStone>,
    blocked: Vec<Point>,
    reading: Option<Reading>,
    thinking: Option<Wish>,
    waiting: VecDeque<String>,
}

impl GomocupBrain {
    /// Returns a brain that has been told nothing; `about` is the answer to `ABOUT`.
    pub fn new(about: &str) -> Self {
        Self {
            about: about.to_owned(),
            size: None,
            rule: Ok(Rule::Freestyle),
            limits: Limits {
                turn: 30_000,
                total: 0,
                left: None,
                depth: None,
                nodes: None,
            },
            stones: Vec::new(),
            blocked: Vec::new(),
            reading: None,
            thinking: None,
            waiting: VecDeque::new(),
        }
    }

    /// Takes a line of the manager.
    pub fn feed(&mut self, line: &str) -> Vec<Reaction> {
        let mut reactions = Vec::new();
        if self.thinking.is_some() {
            match GomocupCommand::parse(line) {
                GomocupCommand::Info { key, value } => self.info(&key, &value, &mut reactions),
                GomocupCommand::Stop => reactions.push(Reaction::Stop),
                GomocupCommand::End => reactions.extend([Reaction::Stop, Reaction::Quit]),
                _ => self.waiting.push_back(line.to_owned()),
            }
            return reactions;
        }
        if self.reading.is_some() {
            self.read_on(line, &mut reactions);
        } else {
            self.command(GomocupCommand::parse(line), &mut reactions);
        }
        reactions
    }

    /// Takes the moves that the engine chose and whether the position is good for the side to move; then answers what
    /// came in the meantime.
    pub fn thought(&mut self, moves: &[Point], is_good: bool) -> Vec<Reaction> {
        let mut reactions = Vec::new();
        let Some(wish) = self.thinking.take() else {
            return reactions;
        };
        match (wish, moves.first()) {
            (_, None) => reactions.push(error("no move: the game is over")),
            (Wish::Swap2, Some(_)) if !is_good => reactions.push(say("SWAP")),
            (Wish::Balance(_), Some(_)) => {
                let texts: Vec<String> = moves.iter().map(|&mv| point_text(mv)).collect();
                reactions.push(say(&texts.join(" ")));
            }
            (Wish::Move | Wish::NBest(_) | Wish::Swap2, Some(&mv)) => {
                self.stones.push(BoardStone {
                    point: mv,
                    owner: Owner::Own,
                });
                reactions.push(say(&point_text(mv)));
            }
        }
        while self.thinking.is_none()
            && let Some(line) = self.waiting.pop_front()
        {
            reactions.extend(self.feed(&line));
        }
        reactions
    }

    /// Returns whether the engine is wanted or at work.
    pub fn is_thinking(&self) -> bool {
        self.thinking.is_some()
    }

    fn command(&mut self, command: GomocupCommand, reactions: &mut Vec<Reaction>) {
        match command {
            GomocupCommand::Blank | GomocupCommand::Stop => {}
            GomocupCommand::Start(size) => self.start(&size, reactions),
            GomocupCommand::RectStart(size) => match size.split_once(',') {
                Some((width, height)) if width.trim() == height.trim() => self.start(width, reactions),
                Some(_) => reactions.push(error("only square boards are supported")),
                None => reactions.push(error("RECTSTART needs width,height")),
            },
            GomocupCommand::Restart => {
                self.clear();
                reactions.push(if self.size.is_some() {
                    say("OK")
                } else {
                    error("RESTART before START")
                });
            }
            GomocupCommand::Begin => {
                if self.stones.is_empty() {
                    self.think(Wish::Move, reactions);
                } else {
                    reactions.push(error("BEGIN on a board with stones; use RESTART first"));
                }
            }
            GomocupCommand::Turn(text) => {
                if let Some(point) = self.free_point(&text, reactions) {
                    self.stones.push(BoardStone {
                        point,
                        owner: Owner::Opponent,
                    });
                    self.think(Wish::Move, reactions);
                }
            }
            GomocupCommand::Play(text) => {
                if let Some(point) = self.free_point(&text, reactions) {
                    self.stones.push(BoardStone {
                        point,
                        owner: Owner::Own,
                    });
                    reactions.push(say(&point_text(point)));
                }
            }
            GomocupCommand::Takeback(text) => {
                let at = parse_point(&text)
                    .and_then(|point| self.stones.iter().rposition(|stone| stone.point == point));
                match at {
                    Some(at) => {
                        self.stones.remove(at);
                        reactions.push(say("OK"));
                    }
                    None => reactions.push(error(&format!("TAKEBACK {text}: no stone there"))),
                }
            }
            GomocupCommand::Board { answer } => {
                self.reading = Some(Reading::Board {
                    answer,
                    stones: Vec::new(),
                    error: None,
                });
            }
            GomocupCommand::Swap2Board => {
                self.reading = Some(Reading::Swap2 {
                    points: Vec::new(),
                    error: None,
                });
            }
            GomocupCommand::Block => self.reading = Some(Reading::Block { points: Vec::new() }),
            GomocupCommand::BlockReset => self.blocked.clear(),
            GomocupCommand::Info { key, value } => self.info(&key, &value, reactions),
            GomocupCommand::About => reactions.push(say(&self.about.clone())),
            GomocupCommand::ShowForbidden => self.show_forbidden(reactions),
            GomocupCommand::HashClear => reactions.push(Reaction::Forget),
            GomocupCommand::NBest(n) => self.think(Wish::NBest(n), reactions),
            GomocupCommand::Balance { n_moves } => self.think(Wish::Balance(n_moves), reactions),
            GomocupCommand::End => reactions.push(Reaction::Quit),
            GomocupCommand::Unknown(text) => reactions.push(say(&format!("UNKNOWN {text}"))),
        }
    }

    fn start(&mut self, size: &str, reactions: &mut Vec<Reaction>) {
        let parsed = size
            .trim()
            .parse::<u8>()
            .ok()
            .filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size));
        let Some(size) = parsed else {
            reactions.push(error(&format!(
                "unsupported size {size:?}: the board must be {MIN_SIZE} to {MAX_SIZE}"
            )));
            return;
        };
        self.size = Some(size);
        self.clear();
        reactions.push(match &self.rule {
            Ok(_) => say("OK"),
            Err(number) => error(&format!("unsupported rule {number}")),
        });
    }

    fn clear(&mut self) {
        self.stones.clear();
        self.blocked.clear();
    }

    /// Returns the empty point that `text` names, or says what is wrong.
    fn free_point(&self, text: &str, reactions: &mut Vec<Reaction>) -> Option<Point> {
        let Some(size) = self.size else {
            reactions.push(error("START first"));
            return None;
        };
        let Some(point) = parse_point(text).filter(|point| point.is_on(size)) else {
            reactions.push(error(&format!("{text:?} is no point of the {size}x{size} board")));
            return None;
        };
        if self.stones.iter().any(|stone| stone.point == point) {
            reactions.push(error(&format!("{text} is occupied")));
            return None;
        }
        Some(point)
    }

    fn read_on(&mut self, line: &str, reactions: &mut Vec<Reaction>) {
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        if line.eq_ignore_ascii_case("END") {
            reactions.push(Reaction::Quit);
            return;
        }
        if !line.eq_ignore_ascii_case("DONE") {
            match &mut self.reading {
                Some(Reading::Board { stones, error, .. }) => match parse_stone(line) {
                    Ok(stone) => stones.push(stone),
                    Err(message) => drop(error.get_or_insert(message)),
                },
                Some(Reading::Swap2 { points, error }) => match parse_point(line.trim_end_matches(",1")) {
                    Some(point) => points.push(point),
                    None => match parse_stone(line) {
                        Ok(stone) => points.push(stone.point),
                        Err(message) => drop(error.get_or_insert(message)),
                    },
                },
                Some(Reading::Block { points }) => points.extend(parse_point(line)),
                None => {}
            }
            return;
        }
        match self.reading.take() {
            Some(
                Reading::Board {
                    error: Some(message), ..
                }
                | Reading::Swap2 {
                    error: Some(message), ..
                },
            ) => {
                reactions.push(error(&message));
            }
            Some(Reading::Board {
                answer,
                stones,
                error: None,
            }) => {
                if self.size.is_none() {
                    reactions.push(error("START first"));
                    return;
                }
                self.stones = stones;
                if let Err(message) = self.position() {
                    reactions.push(error(&message));
                    return;
                }
                reactions.extend(self.doubt());
                if answer {
                    self.think(Wish::Move, reactions);
                }
            }
            Some(Reading::Swap2 { points, error: None }) => self.swap2(&points, reactions),
            Some(Reading::Block { points }) => self.blocked.extend(points),
            None => {}
        }
    }

    fn swap2(&mut self, points: &[Point], reactions: &mut Vec<Reaction>) {
        let Some(size) = self.size else {
            reactions.push(error("START first"));
            return;
        };
        // After an odd number of stones White is to move; the colors are only settled by the answer.
        let owner = |i: usize| {
            if i.is_multiple_of(2) {
                Owner::Opponent
            } else {
                Owner::Own
            }
        };
        self.stones = points
            .iter()
            .enumerate()
            .map(|(i, &point)| BoardStone {
                point,
                owner: owner(i),
            })
            .collect();
        match points.len() {
            0 => {
                // A corner opening of the tournament lists: even enough that either color will do.
                let last = size - 1;
                let corner = [(0, last - 2), (0, last - 1), (1, last - 2)];
                let texts: Vec<String> = corner.iter().map(|(x, y)| format!("{x},{y}")).collect();
                reactions.push(say(&texts.join(" ")));
            }
            3 | 5 => self.think(Wish::Swap2, reactions),
            n => reactions.push(error(&format!("SWAP2BOARD with {n} stones: expected 0, 3 or 5"))),
        }
    }

    /// Returns the position with the brain to move.
    ///
    /// The brain is Black if it has as many stones as the other side or more: Black moved first.
    fn position(&self) -> Result<Board, String> {
        let size = self.size.ok_or("START first")?;
        let rule = self
            .rule
            .clone()
            .map_err(|number| format!("unsupported rule {number}"))?;
        let n_own = self
            .stones
            .iter()
            .filter(|stone| stone.owner == Owner::Own)
            .count();
        let own = if 2 * n_own >= self.stones.len() {
            Color::Black
        } else {
            Color::White
        };
        let color = |owner| if owner == Owner::Own { own } else { !own };
        let stones: Vec<_> = self
            .stones
            .iter()
            .map(|stone| (stone.point, color(stone.owner)))
            .collect();
        let board =
            Board::from_stones(Tables::new(rule), size, &stones, own).map_err(|error| error.to_string())?;
        match board.end() {
            Some(end) => Err(format!("the game is over: {}", end.name())),
            None => Ok(board),
        }
    }

    /// Returns a message if so many stones of either side cannot arise in play; the position is played all the same.
    fn doubt(&self) -> Option<Reaction> {
        let n_own = self
            .stones
            .iter()
            .filter(|stone| stone.owner == Owner::Own)
            .count();
        let n_other = self.stones.len() - n_own;
        (n_own > n_other || n_other > n_own + 1).then(|| {
            say(&format!(
                "MESSAGE {n_own} own stones and {n_other} of the opponent with the brain to move: not from a game"
            ))
        })
    }

    fn think(&mut self, wish: Wish, reactions: &mut Vec<Reaction>) {
        let board = match self.position() {
            Ok(board) => board,
            Err(message) => {
                reactions.push(error(&message));
                return;
            }
        };
        let (soft, hard) = self.limits.plan(board.n_stones());
        self.thinking = Some(wish);
        reactions.push(Reaction::Think(Box::new(Thinking {
            board,
            wish,
            hard,
            soft,
            depth: self.limits.depth,
            nodes: self.limits.nodes,
            excluded: self.blocked.clone(),
        })));
    }

    fn info(&mut self, key: &str, value: &str, reactions: &mut Vec<Reaction>) {
        let number = value
            .parse::<i64>()
            .ok()
            .map(|number| number.clamp(-MOST_INFO, MOST_INFO));
        match (key, number) {
            ("timeout_turn", Some(ms)) => self.limits.turn = ms.max(0),
            ("timeout_match", Some(ms)) => self.limits.total = ms.max(0),
            ("time_left", Some(ms)) => self.limits.left = (ms != NO_LIMIT).then_some(ms),
            ("max_memory", Some(bytes)) if bytes > 0 => reactions.push(Reaction::Memory(bytes as u64)),
            ("max_depth", Some(depth)) => {
                self.limits.depth = u32::try_from(depth).ok().filter(|&depth| depth > 0);
            }
            ("max_node", Some(nodes)) => {
                self.limits.nodes = u64::try_from(nodes).ok().filter(|&nodes| nodes > 0);
            }
            ("hash_size", Some(kilobytes)) if kilobytes > 0 => {
                reactions.push(Reaction::Memory((kilobytes as u64).saturating_mul(1024)));
            }
            // Of Yixin's protocol.
            ("thread_num", Some(threads)) if threads > 0 => {
                let threads = u32::try_from(threads).unwrap_or(MOST_THREADS);
                reactions.push(Reaction::Threads(threads.min(MOST_THREADS)));
            }
            ("rule", _) => {
                self.rule = number
                    .and_then(|number| u32::try_from(number).ok())
                    .and_then(Rule::from_gomocup)
                    .ok_or_else(|| value.to_owned());
                if self.rule.is_err() {
                    reactions.push(error(&format!(
                        "unsupported rule {value}: 0, 1, 4, 8 and 9 are supported"
                    )));
                }
            }
            _ => {}
        }
    }

    fn show_forbidden(&self, reactions: &mut Vec<Reaction>) {
        match self.position() {
            Ok(board) => {
                let mut text = String::from("FORBID ");
                for point in board.forbidden_points() {
                    let _ = write!(text, "{:02}{:02}", point.x(), point.y());
                }
                reactions.push(say(&(text + ".")));
            }
            Err(message) => reactions.push(error(&message)),
        }
    }
}

impl Limits {
    /// Returns the soft and the hard time for a move with `n_stones` on the board.
    fn plan(&self, n_stones: usize) -> (Duration, Duration) {
        let ms = |ms: i64| Duration::from_millis(ms.max(1) as u64);
        let left = self.left.or((self.total > 0).then_some(self.total));
        // Writing the answer and a busy machine cost something too.
        let turn = if self.turn == 0 {
            30
        } else {
            self.turn - (self.turn / 20).clamp(10, 100)
        };
        let Some(left) = left else {
            return (ms(turn * 7 / 10), ms(turn));
        };
        let moves_to_go = (30 - n_stones as i64 / 4).clamp(8, 21);
        let fair = (left / moves_to_go).max(1);
        let hard = turn.min(left - 100).min(fair * 3);
        (ms(fair.min(hard * 7 / 10)), ms(hard))
    }
}

fn say(text: &str) -> Reaction {
    Reaction::Say(text.to_owned())
}

fn error(text: &str) -> Reaction {
    Reaction::Say(format!("ERROR {text}"))
}
