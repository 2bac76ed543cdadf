//! The brain's side, as a dialogue.

use super::{
    command::{
        BoardStone, GomocupCommand, Owner, Swap2Stage, parse_item, parse_point, parse_size, point_text,
    },
    effort::{Effort, MOST_INFO, NO_LIMIT},
    list::{List, ListKind},
};
use crate::{Action, Dialogue, DialogueOutcome, DialogueProgress, Setting, Urgency};
use outflank_game::SplitMix64;
use outflank_gomoku::{Board, Color, MAX_SIZE, MIN_SIZE, Point, Rule, Tables};
use outflank_gomoku_engine::{OpeningTable, Value};
use outflank_search::{Line, Request};
use std::{fmt::Write as _, sync::Arc, time::Duration};

type Out = Vec<Action<Board>>;

/// The most threads that a manager can ask for; what is more counts as this.
const MOST_THREADS: u32 = 256;

/// Moves that are valued in the search for an even one.
const BALANCE_LINES: usize = 60;

/// What the running search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    /// A move.
    Move,
    /// A move after a report of this many best ones.
    NBest(u32),
    /// The answer to three or five stones of Swap2: a move, or another color.
    Swap2,
    /// One or two moves after which the position is even.
    Balance(u32),
    /// Nothing: the other side thinks, and what is found here helps with the next move.
    Ponder,
}

/// The engine's side of the Gomocup protocol.
#[derive(Debug)]
pub struct GomocupEngine {
    about: String,
    /// Whether every iteration is reported.
    verbose: bool,
    /// Whether to search while the other side thinks.
    ponders: bool,
    /// Where the openings come from that it proposes, and its choices among them.
    openings: Option<(Arc<OpeningTable>, SplitMix64)>,
    size: Option<u8>,
    rule: Result<Rule, String>,
    effort: Effort,
    stones: Vec<BoardStone>,
    blocked: Vec<Point>,
    /// The answer to the last `YXNBEST`: it counts as played only if the other side's move follows.
    offered: Option<Point>,
    list: Option<List>,
    /// What the running search is for.
    wish: Option<Wish>,
}

impl GomocupEngine {
    /// Returns an engine that has been told nothing; `about` is the answer to `ABOUT`.
    pub fn new(about: &str) -> Self {
        Self {
            about: about.to_owned(),
            verbose: false,
            ponders: false,
            openings: None,
            size: None,
            rule: Ok(Rule::Freestyle),
            effort: Effort::default(),
            stones: Vec::new(),
            blocked: Vec::new(),
            offered: None,
            list: None,
            wish: None,
        }
    }

    /// Reports every iteration of every search in a `MESSAGE` line, or only those of `YXNBEST`.
    #[must_use]
    pub const fn verbose(mut self, verbose: bool) -> Self {
        self.verbose = verbose;
        self
    }

    /// Searches while the other side thinks, until `INFO pondering` says otherwise.
    #[must_use]
    pub const fn pondering(mut self, ponders: bool) -> Self {
        self.ponders = ponders;
        self
    }

    /// Proposes the even positions of `table` under Swap2, chosen by `seed`.
    #[must_use]
    pub fn with_openings(mut self, table: Arc<OpeningTable>, seed: u64) -> Self {
        self.openings = Some((table, SplitMix64::new(seed)));
        self
    }

    fn command(&mut self, command: GomocupCommand, out: &mut Out) {
        match command {
            GomocupCommand::Blank | GomocupCommand::Stop => {}
            GomocupCommand::Done => out.push(say("UNKNOWN DONE: no list was begun")),
            GomocupCommand::Start(size) => self.start("START", &size, out),
            GomocupCommand::RectStart(size) => self.start("RECTSTART", &size, out),
            GomocupCommand::Restart => {
                self.clear();
                out.push(if self.size.is_some() {
                    say("OK")
                } else {
                    error("RESTART before START")
                });
            }
            GomocupCommand::Begin => {
                if self.stones.is_empty() {
                    self.think(Wish::Move, out);
                } else {
                    out.push(error("BEGIN on a board with stones; use RESTART first"));
                }
            }
            GomocupCommand::Turn(text) => {
                if let Some(point) = self.free_point(&text, out) {
                    if let Some(offered) = self.offered.take() {
                        self.put(offered, Owner::Own);
                    }
                    self.put(point, Owner::Opponent);
                    self.think(Wish::Move, out);
                }
            }
            GomocupCommand::Play(text) => {
                self.offered = None;
                if let Some(point) = self.free_point(&text, out) {
                    self.put(point, Owner::Own);
                    out.push(say(&point_text(point)));
                }
            }
            GomocupCommand::Takeback(text) => self.take_back(&text, out),
            GomocupCommand::Board { answer } => self.begin_list(ListKind::Board { answer }),
            GomocupCommand::Swap2Board => self.begin_list(ListKind::Swap2),
            GomocupCommand::Block => self.begin_list(ListKind::Block),
            GomocupCommand::BlockReset => self.blocked.clear(),
            GomocupCommand::Info { key, value } => self.info(&key, &value, out),
            GomocupCommand::About => out.push(say(&self.about.clone())),
            GomocupCommand::ShowForbidden => self.show_forbidden(out),
            GomocupCommand::HashClear => out.push(Action::Forget),
            GomocupCommand::NBest(n) => self.think(Wish::NBest(n), out),
            GomocupCommand::Balance { n_moves } => self.think(Wish::Balance(n_moves), out),
            GomocupCommand::End => out.push(Action::Quit),
            GomocupCommand::Swap2Step(stage) => self.swap2_step(stage, out),
            GomocupCommand::Unknown(text) => {
                // A list may follow, for which nobody expects an answer.
                self.begin_list(ListKind::Unknown);
                out.push(say(&format!("UNKNOWN {text}")));
            }
        }
    }

    fn start(&mut self, command: &str, size: &str, out: &mut Out) {
        let range = u32::from(MIN_SIZE)..=u32::from(MAX_SIZE);
        let size = match parse_size(size) {
            Some((width, height)) if width != height => {
                out.push(error(&format!(
                    "{command} {size}: rectangular boards are not supported, only square ones"
                )));
                return;
            }
            Some((width, _)) if range.contains(&width) => width as u8,
            Some(_) => {
                out.push(error(&format!(
                    "unsupported size {size:?}: the board must be {MIN_SIZE} to {MAX_SIZE}"
                )));
                return;
            }
            None => {
                out.push(error(&format!(
                    "{command} needs a size, such as {command} 15; got {size:?}"
                )));
                return;
            }
        };
        self.size = Some(size);
        self.clear();
        out.push(match &self.rule {
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

    fn take_back(&mut self, text: &str, out: &mut Out) {
        let point = parse_point(text);
        if point.is_some() && point == self.offered {
            self.offered = None;
            out.push(say("OK"));
            return;
        }
        let at = point.and_then(|point| self.stones.iter().rposition(|stone| stone.point == point));
        match at {
            Some(at) => {
                self.stones.remove(at);
                out.push(say("OK"));
            }
            None => out.push(error(&format!("TAKEBACK {text}: no stone there"))),
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
    fn free_point(&self, text: &str, out: &mut Out) -> Option<Point> {
        let Some(size) = self.size else {
            out.push(error("START first"));
            return None;
        };
        let Some(point) = parse_point(text).filter(|point| point.is_on(size)) else {
            out.push(error(&format!("{text:?} is no point of the {size}x{size} board")));
            return None;
        };
        if self.offered == Some(point) || self.stones.iter().any(|stone| stone.point == point) {
            out.push(error(&format!("{text} is occupied")));
            return None;
        }
        Some(point)
    }

    /// Takes a line while a list is being sent.
    fn read_on(&mut self, mut list: List, line: &str, out: &mut Out) {
        match GomocupCommand::parse(line) {
            GomocupCommand::Blank | GomocupCommand::Stop => {}
            GomocupCommand::Info { key, value } => self.info(&key, &value, out),
            GomocupCommand::Done => {
                self.end_list(list, out);
                return;
            }
            GomocupCommand::Unknown(_) => match (list.kind, parse_item(line)) {
                (ListKind::Unknown, Ok(_)) => {}
                (ListKind::Unknown, Err(_)) => {
                    self.command(GomocupCommand::parse(line), out);
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
                    out.push(error(&format!("{} was not ended by DONE", list.kind.command())));
                }
                self.command(command, out);
                return;
            }
        }
        self.list = Some(list);
    }

    /// Does what the complete list is for.
    fn end_list(&mut self, list: List, out: &mut Out) {
        if let Some(message) = list.error {
            out.push(error(&message));
            return;
        }
        match list.kind {
            ListKind::Unknown => {}
            ListKind::Block => self.blocked.extend(list.items.iter().map(|(point, _)| *point)),
            _ if self.size.is_none() => out.push(error("START first")),
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
                    out.push(error(&message));
                    return;
                }
                // Whoever only sets a position up waits for no line.
                if answer {
                    out.extend(self.doubt());
                    self.think(Wish::Move, out);
                }
            }
            ListKind::Swap2 => match Swap2Stage::with_stones(list.items.len()) {
                Some(stage) => self.swap2(stage, &list.items, out),
                None => out.push(error(&format!(
                    "SWAP2BOARD with {} stones: expected 0, 3 or 5",
                    list.items.len()
                ))),
            },
        }
    }

    /// Carries out `YXSWAP2STEP1` to `3` on the stones that are there.
    fn swap2_step(&mut self, stage: Swap2Stage, out: &mut Out) {
        let items: Vec<_> = self
            .stones
            .iter()
            .map(|stone| (stone.point, Some(stone.owner)))
            .collect();
        if Swap2Stage::with_stones(items.len()) == Some(stage) {
            self.swap2(stage, &items, out);
        } else {
            out.push(error(&format!(
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
    fn swap2(&mut self, stage: Swap2Stage, items: &[(Point, Option<Owner>)], out: &mut Out) {
        let Some(size) = self.size else {
            out.push(error("START first"));
            return;
        };
        self.offered = None;
        if stage == Swap2Stage::Propose {
            let proposed = self.proposed(size);
            self.stones.clear();
            for (i, &point) in proposed.iter().enumerate() {
                self.put(point, if i == 1 { Owner::Opponent } else { Owner::Own });
            }
            let texts: Vec<String> = proposed.into_iter().map(point_text).collect();
            out.push(say(&texts.join(" ")));
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
        self.think(Wish::Swap2, out);
    }

    /// Returns three stones, black, white and black, after which either color will do.
    fn proposed(&mut self, size: u8) -> Vec<Point> {
        if let (Ok(rule), Some((table, random))) = (&self.rule, &mut self.openings) {
            let even = table.even(*rule, size);
            if !even.is_empty() {
                let stones = &even[random.below(even.len())];
                let of = |wanted| stones.iter().filter(move |(_, color)| *color == wanted);
                let mut black = of(Color::Black);
                let in_order = [black.next(), of(Color::White).next(), black.next()];
                return in_order.into_iter().flatten().map(|(point, _)| *point).collect();
            }
        }
        // A corner opening of the tournament lists.
        let last = size - 1;
        let corner = [(0, last - 2), (0, last - 1), (1, last - 2)];
        corner.into_iter().filter_map(|(x, y)| Point::new(x, y)).collect()
    }

    /// Returns the position with the brain to move.
    ///
    /// The brain is Black if it has as many stones as the other side or more: Black moved first.
    fn position(&self) -> Result<Board, String> {
        self.position_of(Owner::Own)
    }

    /// Returns the position with `mover` to move, who is Black with as many stones as the other side or more.
    fn position_of(&self, mover: Owner) -> Result<Board, String> {
        let size = self.size.ok_or("START first")?;
        let rule = self
            .rule
            .clone()
            .map_err(|number| format!("unsupported rule {number}"))?;
        let of_mover = self.stones.iter().filter(|stone| stone.owner == mover).count();
        let side = if 2 * of_mover >= self.stones.len() {
            Color::Black
        } else {
            Color::White
        };
        let color = |owner| if owner == mover { side } else { !side };
        let stones: Vec<_> = self
            .stones
            .iter()
            .map(|stone| (stone.point, color(stone.owner)))
            .collect();
        let board =
            Board::from_stones(Tables::new(rule), size, &stones, side).map_err(|error| error.to_string())?;
        match board.end() {
            Some(end) => Err(format!("the game is over: {}", end.name())),
            None => Ok(board),
        }
    }

    /// Returns a message if so many stones of either side cannot arise in play; the position is played all the same.
    fn doubt(&self) -> Option<Action<Board>> {
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

    fn think(&mut self, wish: Wish, out: &mut Out) {
        self.offered = None;
        match self.position() {
            Ok(board) => {
                self.wish = Some(wish);
                let lines = match wish {
                    Wish::Move | Wish::Swap2 | Wish::Ponder => 1,
                    Wish::NBest(n) => n as usize,
                    Wish::Balance(_) => BALANCE_LINES,
                };
                let request = Request::new(board)
                    .limits(self.effort.limits())
                    .lines(lines)
                    .excluding(self.blocked.iter().copied());
                out.push(Action::Search(Box::new(request)));
            }
            Err(message) => out.push(error(&message)),
        }
    }

    /// Begins to think about the answer that is expected to the last move, the first of `line`.
    fn ponder(&mut self, line: &[Point], out: &mut Out) {
        let Some(mut board) = self.position_of(Owner::Opponent).ok().filter(|_| self.ponders) else {
            return;
        };
        // Without an expected answer, about all of them.
        let is_over = line
            .get(1)
            .is_some_and(|&answer| board.play(answer).is_ok() && board.end().is_some());
        if !is_over {
            self.wish = Some(Wish::Ponder);
            out.push(Action::Search(Box::new(Request::new(board))));
        }
    }

    fn info(&mut self, key: &str, value: &str, out: &mut Out) {
        let number = value
            .parse::<i64>()
            .ok()
            .map(|number| number.clamp(-MOST_INFO, MOST_INFO));
        match (key, number) {
            ("timeout_turn", Some(ms)) => self.effort.turn = ms.max(0),
            ("timeout_match", Some(ms)) => self.effort.total = ms.max(0),
            ("time_left", Some(ms)) => self.effort.left = (ms != NO_LIMIT).then_some(ms),
            ("max_memory", Some(bytes)) if bytes > 0 => {
                out.push(Action::Configure(Setting::MostBytes(bytes as u64)));
            }
            ("max_depth", Some(depth)) => {
                self.effort.depth = u32::try_from(depth).ok().filter(|&depth| depth > 0);
            }
            ("max_node", Some(nodes)) => {
                self.effort.nodes = u64::try_from(nodes).ok().filter(|&nodes| nodes > 0);
            }
            ("hash_size", Some(kilobytes)) if kilobytes > 0 => {
                let bytes = (kilobytes as u64).saturating_mul(1024);
                out.push(Action::Configure(Setting::TableBytes(bytes)));
            }
            // Of Yixin's protocol, as the next.
            ("pondering", Some(ponders)) => {
                self.ponders = ponders > 0;
                if !self.ponders && self.is_background() {
                    out.push(Action::Stop);
                }
            }
            ("thread_num", Some(threads)) if threads > 0 => {
                let threads = u32::try_from(threads).unwrap_or(MOST_THREADS);
                out.push(Action::Configure(Setting::Threads(threads.min(MOST_THREADS))));
            }
            ("rule", _) => {
                self.rule = number
                    .and_then(|number| u32::try_from(number).ok())
                    .and_then(Rule::from_gomocup)
                    .ok_or_else(|| value.to_owned());
                if self.rule.is_err() {
                    out.push(error(&format!(
                        "unsupported rule {value}: 0, 1, 4, 8 and 9 are supported"
                    )));
                }
            }
            // What every dialogue knows; other keys are nothing to us.
            _ => out.extend(Setting::parse(key, value).ok().map(Action::Configure)),
        }
    }

    fn show_forbidden(&self, out: &mut Out) {
        match self.position() {
            Ok(board) => {
                let mut text = String::from("FORBID ");
                for point in board.forbidden_points() {
                    let _ = write!(text, "{:02}{:02}", point.x(), point.y());
                }
                out.push(say(&(text + ".")));
            }
            Err(message) => out.push(error(&message)),
        }
    }
}

fn say(text: &str) -> Action<Board> {
    Action::Write(text.to_owned())
}

fn error(text: &str) -> Action<Board> {
    Action::Write(format!("ERROR {text}"))
}

/// Returns the first moves of the line that leaves the position most even.
fn balanced(lines: &[Line<Point, Value>], n_moves: u32) -> Vec<Point> {
    let odds = |line: &Line<Point, Value>| (line.value.win_probability() - 0.5).abs();
    let line = lines.iter().min_by(|a, b| odds(a).total_cmp(&odds(b)));
    let moves = line.map(|line| line.moves.iter().copied().take(n_moves as usize).collect());
    moves.unwrap_or_default()
}

impl Dialogue for GomocupEngine {
    type Game = Board;
    type Value = Value;

    fn urgency(&self, line: &str) -> Urgency {
        match GomocupCommand::parse(line) {
            GomocupCommand::Info { .. } => Urgency::Now,
            GomocupCommand::Stop | GomocupCommand::End => Urgency::Interrupt,
            _ if self.is_background() => Urgency::Interrupt,
            _ => Urgency::Wait,
        }
    }

    fn execute(&mut self, line: &str, out: &mut Out) {
        match (GomocupCommand::parse(line), self.list.take()) {
            // Heeded at once while a search runs, whatever list is being sent.
            (GomocupCommand::Info { key, value }, list) => {
                self.list = list;
                self.info(&key, &value, out);
            }
            (_, Some(list)) => self.read_on(list, line, out),
            (command, None) => self.command(command, out),
        }
    }

    fn progress(&mut self, news: &DialogueProgress<Self>, out: &mut Out) {
        if self.verbose && !self.is_background() || matches!(self.wish, Some(Wish::NBest(2..))) {
            let moves: Vec<String> = news.line.moves.iter().map(Point::to_string).collect();
            out.push(Action::Write(format!(
                "MESSAGE depth {} value {} nodes {} pv {}",
                news.stage.depth,
                news.line.value,
                news.nodes,
                moves.join(" ")
            )));
        }
    }

    fn finished(&mut self, outcome: &DialogueOutcome<Self>, _spent: Duration, out: &mut Out) {
        let best = outcome.best_move();
        match (self.wish.take(), best) {
            (None | Some(Wish::Ponder), _) => {}
            (Some(_), None) => out.push(error("no move: the game is over")),
            (Some(Wish::Swap2), Some(_)) if outcome.best().value.win_probability() < 0.5 => {
                for stone in &mut self.stones {
                    stone.owner = !stone.owner;
                }
                out.push(say("SWAP"));
            }
            (Some(Wish::Balance(n_moves)), Some(_)) => {
                let moves = balanced(&outcome.lines, n_moves);
                let texts: Vec<String> = moves.into_iter().map(point_text).collect();
                out.push(say(&texts.join(" ")));
            }
            (Some(Wish::NBest(_)), Some(mv)) => {
                self.offered = Some(mv);
                out.push(say(&point_text(mv)));
            }
            (Some(Wish::Move | Wish::Swap2), Some(mv)) => {
                self.put(mv, Owner::Own);
                out.push(say(&point_text(mv)));
                self.ponder(&outcome.best().moves, out);
            }
        }
    }

    fn is_background(&self) -> bool {
        self.wish == Some(Wish::Ponder)
    }

    fn remark(&self, text: &str) -> Option<String> {
        Some(format!("MESSAGE {text}"))
    }

    fn is_quit(&self, line: &str) -> bool {
        GomocupCommand::parse(line) == GomocupCommand::End
    }
}
