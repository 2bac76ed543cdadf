//! The brain's side: lines in, answers and requests to think out.

use super::command::{
    BoardStone, GomocupCommand, Owner, Swap2Stage, parse_item, parse_point, parse_size, point_text,
};
use outflank_gomoku::{Board, Color, MAX_SIZE, MIN_SIZE, Point, Rule, Tables};
use outflank_search::{GameClock, Request};
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
    /// What for.
    pub wish: Wish,
    /// The position, the limits of time, depth and positions, and the points that must not be played.
    pub request: Request<Board>,
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
struct List {
    kind: ListKind,
    items: Vec<(Point, Option<Owner>)>,
    /// The first thing wrong with it.
    error: Option<String>,
}

/// What a list is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListKind {
    /// A position; `answer` if a move is wanted in it.
    Board {
        answer: bool,
    },
    Swap2,
    /// Points that must not be played.
    Block,
    /// Whatever follows a command that is not known.
    Unknown,
}

impl ListKind {
    /// Returns the command that begins the list.
    const fn command(self) -> &'static str {
        match self {
            Self::Board { answer: true } => "BOARD",
            Self::Board { answer: false } => "YXBOARD",
            Self::Swap2 => "SWAP2BOARD",
            Self::Block => "YXBLOCK",
            Self::Unknown => "an unknown command",
        }
    }
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
    /// The answer to the last `YXNBEST`: it counts as played only if the other side's move follows.
    offered: Option<Point>,
    list: Option<List>,
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
            offered: None,
            list: None,
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
        match self.list.take() {
            Some(list) => self.read_on(list, line, &mut reactions),
            None => self.command(GomocupCommand::parse(line), &mut reactions),
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
            (Wish::Swap2, Some(_)) if !is_good => {
                for stone in &mut self.stones {
                    stone.owner = !stone.owner;
                }
                reactions.push(say("SWAP"));
            }
            (Wish::Balance(_), Some(_)) => {
                let texts: Vec<String> = moves.iter().map(|&mv| point_text(mv)).collect();
                reactions.push(say(&texts.join(" ")));
            }
            (Wish::NBest(_), Some(&mv)) => {
                self.offered = Some(mv);
                reactions.push(say(&point_text(mv)));
            }
            (Wish::Move | Wish::Swap2, Some(&mv)) => {
                self.put(mv, Owner::Own);
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
            GomocupCommand::Done => reactions.push(say("UNKNOWN DONE: no list was begun")),
            GomocupCommand::Start(size) => self.start("START", &size, reactions),
            GomocupCommand::RectStart(size) => self.start("RECTSTART", &size, reactions),
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
                    if let Some(offered) = self.offered.take() {
                        self.put(offered, Owner::Own);
                    }
                    self.put(point, Owner::Opponent);
                    self.think(Wish::Move, reactions);
                }
            }
            GomocupCommand::Play(text) => {
                self.offered = None;
                if let Some(point) = self.free_point(&text, reactions) {
                    self.put(point, Owner::Own);
                    reactions.push(say(&point_text(point)));
                }
            }
            GomocupCommand::Takeback(text) => self.take_back(&text, reactions),
            GomocupCommand::Board { answer } => self.begin_list(ListKind::Board { answer }),
            GomocupCommand::Swap2Board => self.begin_list(ListKind::Swap2),
            GomocupCommand::Block => self.begin_list(ListKind::Block),
            GomocupCommand::BlockReset => self.blocked.clear(),
            GomocupCommand::Info { key, value } => self.info(&key, &value, reactions),
            GomocupCommand::About => reactions.push(say(&self.about.clone())),
            GomocupCommand::ShowForbidden => self.show_forbidden(reactions),
            GomocupCommand::HashClear => reactions.push(Reaction::Forget),
            GomocupCommand::NBest(n) => self.think(Wish::NBest(n), reactions),
            GomocupCommand::Balance { n_moves } => self.think(Wish::Balance(n_moves), reactions),
            GomocupCommand::End => reactions.push(Reaction::Quit),
            GomocupCommand::Swap2Step(stage) => self.swap2_step(stage, reactions),
            GomocupCommand::Unknown(text) => {
                // A list may follow, for which nobody expects an answer.
                self.begin_list(ListKind::Unknown);
                reactions.push(say(&format!("UNKNOWN {text}")));
            }
        }
    }

    fn start(&mut self, command: &str, size: &str, reactions: &mut Vec<Reaction>) {
        let range = u32::from(MIN_SIZE)..=u32::from(MAX_SIZE);
        let size = match parse_size(size) {
            Some((width, height)) if width != height => {
                reactions.push(error(&format!(
                    "{command} {size}: rectangular boards are not supported, only square ones"
                )));
                return;
            }
            Some((width, _)) if range.contains(&width) => width as u8,
            Some(_) => {
                reactions.push(error(&format!(
                    "unsupported size {size:?}: the board must be {MIN_SIZE} to {MAX_SIZE}"
                )));
                return;
            }
            None => {
                reactions.push(error(&format!(
                    "{command} needs a size, such as {command} 15; got {size:?}"
                )));
                return;
            }
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
        self.offered = None;
    }

    fn put(&mut self, point: Point, owner: Owner) {
        self.stones.push(BoardStone { point, owner });
    }

    fn take_back(&mut self, text: &str, reactions: &mut Vec<Reaction>) {
        let point = parse_point(text);
        if point.is_some() && point == self.offered {
            self.offered = None;
            reactions.push(say("OK"));
            return;
        }
        let at = point.and_then(|point| self.stones.iter().rposition(|stone| stone.point == point));
        match at {
            Some(at) => {
                self.stones.remove(at);
                reactions.push(say("OK"));
            }
            None => reactions.push(error(&format!("TAKEBACK {text}: no stone there"))),
        }
    }

    fn begin_list(&mut self, kind: ListKind) {
        self.list = Some(List {
            kind,
            items: Vec::new(),
            error: None,
        });
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
        if self.offered == Some(point) || self.stones.iter().any(|stone| stone.point == point) {
            reactions.push(error(&format!("{text} is occupied")));
            return None;
        }
        Some(point)
    }

    /// Takes a line while a list is being sent.
    fn read_on(&mut self, mut list: List, line: &str, reactions: &mut Vec<Reaction>) {
        match GomocupCommand::parse(line) {
            GomocupCommand::Blank | GomocupCommand::Stop => {}
            GomocupCommand::Info { key, value } => self.info(&key, &value, reactions),
            GomocupCommand::Done => {
                self.end_list(list, reactions);
                return;
            }
            GomocupCommand::Unknown(_) => match (list.kind, parse_item(line)) {
                (ListKind::Unknown, Ok(_)) => {}
                (ListKind::Unknown, Err(_)) => {
                    self.command(GomocupCommand::parse(line), reactions);
                    return;
                }
                (ListKind::Board { .. }, Ok((_, None))) => {
                    list.error.get_or_insert(format!("{line:?} is not x,y,owner"));
                }
                (_, Ok(item)) => list.items.push(item),
                (_, Err(message)) => drop(list.error.get_or_insert(message)),
            },
            // The list was forgotten: what came next counts.
            command => {
                if list.kind != ListKind::Unknown && command != GomocupCommand::End {
                    reactions.push(error(&format!("{} was not ended by DONE", list.kind.command())));
                }
                self.command(command, reactions);
                return;
            }
        }
        self.list = Some(list);
    }

    /// Does what the complete list is for.
    fn end_list(&mut self, list: List, reactions: &mut Vec<Reaction>) {
        if let Some(message) = list.error {
            reactions.push(error(&message));
            return;
        }
        match list.kind {
            ListKind::Unknown => {}
            ListKind::Block => self.blocked.extend(list.items.iter().map(|(point, _)| *point)),
            _ if self.size.is_none() => reactions.push(error("START first")),
            ListKind::Board { answer } => {
                self.offered = None;
                self.stones = list
                    .items
                    .iter()
                    .map(|&(point, owner)| BoardStone {
                        point,
                        owner: owner.unwrap_or(Owner::Opponent),
                    })
                    .collect();
                if let Err(message) = self.position() {
                    reactions.push(error(&message));
                    return;
                }
                // Whoever only sets a position up waits for no line.
                if answer {
                    reactions.extend(self.doubt());
                    self.think(Wish::Move, reactions);
                }
            }
            ListKind::Swap2 => match Swap2Stage::with_stones(list.items.len()) {
                Some(stage) => self.swap2(stage, &list.items, reactions),
                None => reactions.push(error(&format!(
                    "SWAP2BOARD with {} stones: expected 0, 3 or 5",
                    list.items.len()
                ))),
            },
        }
    }

    /// Carries out `YXSWAP2STEP1` to `3` on the stones that are there.
    fn swap2_step(&mut self, stage: Swap2Stage, reactions: &mut Vec<Reaction>) {
        let items: Vec<_> = self
            .stones
            .iter()
            .map(|stone| (stone.point, Some(stone.owner)))
            .collect();
        if Swap2Stage::with_stones(items.len()) == Some(stage) {
            self.swap2(stage, &items, reactions);
        } else {
            reactions.push(error(&format!(
                "{} with {} stones on the board: expected {}",
                stage.command(),
                items.len(),
                stage.n_stones()
            )));
        }
    }

    /// Answers a stage of Swap2, in which Black has one stone more than White and White is to move.
    ///
    /// Whose stones they are is only settled by the answer. Which are black is told by the order in which they were put,
    /// unless owners say otherwise: then those of the side that has one more are.
    fn swap2(&mut self, stage: Swap2Stage, items: &[(Point, Option<Owner>)], reactions: &mut Vec<Reaction>) {
        let Some(size) = self.size else {
            reactions.push(error("START first"));
            return;
        };
        self.offered = None;
        if stage == Swap2Stage::Propose {
            // A corner opening of the tournament lists: even enough that either color will do.
            let last = size - 1;
            let corner = [(0, last - 2), (0, last - 1), (1, last - 2)];
            self.stones.clear();
            for (i, point) in corner
                .into_iter()
                .filter_map(|(x, y)| Point::new(x, y))
                .enumerate()
            {
                self.put(point, if i == 1 { Owner::Opponent } else { Owner::Own });
            }
            let texts: Vec<String> = corner.iter().map(|(x, y)| format!("{x},{y}")).collect();
            reactions.push(say(&texts.join(" ")));
            return;
        }
        let n_own = items
            .iter()
            .filter(|(_, owner)| *owner == Some(Owner::Own))
            .count();
        let n_other = items
            .iter()
            .filter(|(_, owner)| *owner == Some(Owner::Opponent))
            .count();
        let black = match (n_own + n_other == items.len(), n_own.abs_diff(n_other)) {
            (true, 1) if n_own > n_other => Some(Owner::Own),
            (true, 1) => Some(Owner::Opponent),
            _ => None,
        };
        self.stones = items
            .iter()
            .enumerate()
            .map(|(i, &(point, owner))| {
                let is_black = black.map_or(i.is_multiple_of(2), |black| owner == Some(black));
                BoardStone {
                    point,
                    owner: if is_black { Owner::Opponent } else { Owner::Own },
                }
            })
            .collect();
        self.think(Wish::Swap2, reactions);
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
        self.offered = None;
        let board = match self.position() {
            Ok(board) => board,
            Err(message) => {
                reactions.push(error(&message));
                return;
            }
        };
        let lines = match wish {
            Wish::Move | Wish::Swap2 => 1,
            Wish::NBest(n) => n as usize,
            // The evenest of many.
            Wish::Balance(_) => 60,
        };
        let request = self
            .limits
            .request(board)
            .lines(lines)
            .excluding(self.blocked.iter().copied());
        self.thinking = Some(wish);
        reactions.push(Reaction::Think(Box::new(Thinking { wish, request })));
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
    /// Returns the request for a move on `board`.
    fn request(&self, board: Board) -> Request<Board> {
        let ms = |ms: i64| Duration::from_millis(ms.max(0) as u64);
        let left = self.left.or((self.total > 0).then_some(self.total));
        // No time at all means as fast as can be. Else writing the answer and a busy machine cost something too.
        let (turn, reserve) = if self.turn == 0 {
            (30, 0)
        } else {
            (self.turn, (self.turn / 20).clamp(10, 100))
        };
        let mut request = Request::new(board).time(ms(turn)).reserve(ms(reserve));
        request.limits.clock = left.map(|left| GameClock {
            remaining: ms(left),
            increment: Duration::ZERO,
        });
        request.limits.depth = self.depth;
        request.limits.nodes = self.nodes;
        request
    }
}

fn say(text: &str) -> Reaction {
    Reaction::Say(text.to_owned())
}

fn error(text: &str) -> Reaction {
    Reaction::Say(format!("ERROR {text}"))
}
