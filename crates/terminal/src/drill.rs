//! A drill at the terminal or line by line: questions out, answers in, every answer kept at once.

use crate::{
    output::{self, Status, use_color},
    text::board::board,
};
use anyhow::Context as _;
use outflank_api::puzzles::{DrillAnswer, DrillEvent, DrillQuestion, DrillSummary};
use outflank_othello::Square;
use outflank_study::drill::{Card, Grade, Judged, Review, State, read};
use std::{
    fs::{self, OpenOptions},
    io::{self, BufRead as _, IsTerminal as _, Write as _},
    path::{Path, PathBuf},
    time::Instant,
};

/// How a drill goes.
#[derive(Clone, Copy, Debug)]
pub struct Manner<'a> {
    /// The file of answers.
    pub state: &'a Path,
    /// Today, counted from 1970-01-01.
    pub day: i64,
    /// Cards at most.
    pub count: usize,
    /// New ones among them at most.
    pub new: usize,
    /// One JSON object a line instead of boards.
    pub json: bool,
}

/// Returns the file of answers where none is named: in the folder where programs keep what people have made with them.
///
/// # Errors
///
/// The system names no such folder.
pub fn usual_state() -> anyhow::Result<PathBuf> {
    let folder = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let data = folder("XDG_DATA_HOME")
        .or_else(|| folder("HOME").map(|home| home.join(".local").join("share")))
        .or_else(|| folder("APPDATA"));
    let data = data.context("neither XDG_DATA_HOME nor HOME is set: name a file with --state")?;
    Ok(data.join("outflank").join("drill.jsonl"))
}

/// Asks what is due of `cards`, the answers coming from standard input, a line each.
///
/// # Errors
///
/// Says what is wrong with the file of answers.
pub fn run(cards: &[Card], manner: &Manner<'_>) -> anyhow::Result<Status> {
    let mut kept = Kept::open(manner.state)?;
    let names: Vec<String> = cards.iter().map(Card::id).collect();
    let mut due = kept.state.due(&names, manner.day, manner.new);
    due.truncate(manner.count);
    let (mut right, mut answered) = (0, 0);
    let total = due.len();
    for (number, at) in due.into_iter().enumerate() {
        let card = &cards[at];
        let question = DrillQuestion::new(card, kept.state.card(&names[at]).is_none(), [number + 1, total]);
        ask(card, &question, manner.json)?;
        let start = Instant::now();
        let answer = match answer(card, manner.json)? {
            Answer::Move(square) => Some(square),
            Answer::GivenUp => None,
            Answer::End => break,
        };
        let seconds = (start.elapsed().as_secs_f64() * 10.0).round() / 10.0;
        let judged = answer
            .and_then(|square| card.judge(square))
            .unwrap_or_else(|| card.solution());
        let review = Review {
            card: names[at].clone(),
            day: manner.day,
            grade: if judged.right { Grade::Right } else { Grade::Wrong },
            seconds,
        };
        kept.add(&review)?;
        answered += 1;
        right += usize::from(judged.right);
        let due = kept.state.card(&names[at]).map_or(manner.day, |known| known.due);
        tell(
            &DrillAnswer::new(card, answer, &judged, due),
            &judged,
            due - manner.day,
            manner.json,
        )?;
    }
    let summary = DrillSummary {
        drilled: [right, answered],
    };
    if manner.json {
        output::object(&DrillEvent::Summary(summary))?;
    } else if total == 0 {
        output::line("nothing is due today")?;
    } else {
        output::line(&format!("{right} of {answered} right"))?;
    }
    Ok(Status::Success)
}

fn ask(card: &Card, question: &DrillQuestion, json: bool) -> anyhow::Result<()> {
    if json {
        return output::object(&DrillEvent::Question(question.clone()));
    }
    let position = card.position();
    let [number, of] = question.number;
    output::line(&format!(
        "{number} of {of}: {}{}",
        question.hint,
        if question.new { ", new" } else { "" }
    ))?;
    output::line(&board(position, None, use_color()))?;
    output::line(&format!("{} to move", position.side()))
}

/// What was typed.
enum Answer {
    Move(Square),
    GivenUp,
    End,
}

/// Reads an answer.
fn answer(card: &Card, json: bool) -> anyhow::Result<Answer> {
    loop {
        if io::stdin().is_terminal() && !json {
            output::write_all(b"your move (? gives up, q ends): ")?;
        }
        let mut line = String::new();
        if io::stdin().lock().read_line(&mut line)? == 0 {
            return Ok(Answer::End);
        }
        let text = line.trim().to_lowercase();
        match text.as_str() {
            "" => {}
            "q" | "quit" => return Ok(Answer::End),
            "?" => return Ok(Answer::GivenUp),
            _ => match text.parse::<Square>() {
                Ok(square) if card.judge(square).is_some() => return Ok(Answer::Move(square)),
                Ok(square) => output::complain(&format!("{square} is no legal move here")),
                Err(error) => output::complain(&format!("{error}; ? gives up, q ends")),
            },
        }
    }
}

fn tell(answer: &DrillAnswer, judged: &Judged, days: i64, json: bool) -> anyhow::Result<()> {
    if json {
        return output::object(&DrillEvent::Answer(answer.clone()));
    }
    let best = answer.best.join(" or ");
    let verdict = match (judged.right, judged.loss, &answer.mv) {
        (true, ..) => "right".to_owned(),
        (false, Some(loss), Some(mv)) => format!("wrong: {mv} loses {loss} discs, {best} is best"),
        (false, None, Some(mv)) => format!("wrong: not {mv} but {best}"),
        (false, _, None) => format!("{best} is best"),
    };
    let remark = if answer.remark.is_empty() {
        String::new()
    } else {
        format!(" ({})", answer.remark)
    };
    let again = match days {
        1 => "again tomorrow".to_owned(),
        days => format!("again in {days} days"),
    };
    output::line(&format!("{verdict}{remark}; {again}\n"))
}

/// The file of answers, to which lines are only added.
struct Kept {
    path: PathBuf,
    state: State,
}

impl Kept {
    fn open(path: &Path) -> anyhow::Result<Self> {
        let name = || path.display().to_string();
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                    fs::create_dir_all(folder).with_context(name)?;
                }
                String::new()
            }
            Err(error) => return Err(error).with_context(name),
        };
        // What is left of a line that was cut off is ended, so that the next one stands alone; it was never an answer.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            output::complain(&format!(
                "{}: the last line was cut off and is dropped",
                path.display()
            ));
            outflank_jobs::write_atomic(path, &text.as_bytes()[..whole])?;
        }
        let state = State::replay(read(&text).with_context(name)?);
        Ok(Self {
            path: path.to_owned(),
            state,
        })
    }

    /// Adds an answer: one write of one line at the end.
    fn add(&mut self, review: &Review) -> anyhow::Result<()> {
        let name = || self.path.display().to_string();
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.path)
            .with_context(name)?;
        file.write_all(review.to_line().as_bytes()).with_context(name)?;
        file.sync_data().with_context(name)?;
        self.state.add(review);
        Ok(())
    }
}
