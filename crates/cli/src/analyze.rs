//! `outflank analyze`: the best moves of a position, what they are worth, and what that is worth.

use crate::{
    engine::{BookFileArgs, system_clock},
    gomoku,
    options::{
        GameArgs, GameName, LimitArgs, Resources, parse_clock, parse_confidence, parse_search_level,
        parse_top, parse_within,
    },
};
use outflank_api::analyze::{
    Analysis, BookNews, DEFAULT_TIME, Explanation, LineObject, Progress as StageEvent, threat,
};
use outflank_api::book::{self, BookPosition};
use outflank_gomoku_engine as gomoku_engine;
use outflank_othello::{Game, Position};
use outflank_othello_engine::{Progress, Request};
use outflank_search::{GameClock, Goal, Level, Limits};
use outflank_study::book::Shelf;
use outflank_terminal::{
    ending,
    input::{self, Source},
    live::{Live, WIDE},
    output::{self, Status, grouped},
    text::{
        self,
        analysis::{Swing, cost, explained},
        value::{line_text, opening_of, rest_text, value_text},
    },
};

/// Search positions for their best moves: exact where the end is in reach, an estimate with its depth and confidence
/// elsewhere.
///
/// Values are final disc differences expected for the side to move; in Gomoku its chance to win in percent, then the value
/// in 1/500 of the logarithm of the odds, or +M7 for a proved win within 7 stones. The search ends at the first limit it reaches;
/// without any it lasts 5 seconds a position. Ctrl-C ends it early with what is known, and exit code 1.
/// On a terminal the lines are drawn in place as they get better; elsewhere only the result is written.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank analyze f5d6c3                                  5 seconds, the best move\n  \
    outflank analyze f5d6c3 --depth 14 --top 3               the three best moves, 14 discs ahead\n  \
    outflank analyze f5d6c3 --depth 14 --within 4            all moves at most 4 discs worse than the best\n  \
    outflank analyze game.ggf --level 20 --json              the last position of each game\n  \
    outflank analyze f5d6c3 --explain                        and what the evaluation goes by\n  \
    outflank analyze --game gomoku h8g7f6g8g9 --time 2       chances to win in percent, and what White threatens\n  \
    outflank analyze 'O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X' --exact --top all")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one independent switch of the command line"
)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// Positions, games (their last position) or files in any notation; `-` reads standard input.
    #[arg(required = true)]
    input: Vec<String>,
    #[command(flatten)]
    far: LimitArgs,
    /// Search at a level from 1 to 60; see `outflank levels`.
    #[arg(long, value_name = "N", value_parser = parse_search_level)]
    level: Option<Level>,
    /// Choose the time for one move from a game clock, in seconds or minutes:seconds: `300+2`, `5:00+2`.
    #[arg(long, value_name = "MAIN+INC", value_parser = parse_clock)]
    clock: Option<GameClock>,
    /// Search until the value is exact.
    #[arg(long)]
    exact: bool,
    /// Search until the winner is proven.
    #[arg(long, conflicts_with_all = ["exact", "depth", "level"])]
    wld: bool,
    /// Search without a limit, until everything is solved or Ctrl-C.
    #[arg(long, conflicts_with_all = ["depth", "time", "nodes", "level", "clock"])]
    forever: bool,
    /// How many of the best moves to value, or `all`.
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_top)]
    top: usize,
    /// Value every move that is at most this many discs worse than the best, and give one bound for all others.
    #[arg(long, value_name = "DISCS", value_parser = parse_within, conflicts_with_all = ["top", "wld"])]
    within: Option<i32>,
    /// Confidence of midgame values in percent: 73, 87, 95, 98, 99, or 100 for a search of the full width.
    #[arg(long, value_name = "PERCENT", default_value_t = 73, value_parser = parse_confidence)]
    confidence: u8,
    #[command(flatten)]
    book: BookFileArgs,
    #[command(flatten)]
    resources: Resources,
    /// Say what the evaluation of the position itself is made of: which patterns speak for and against the side to move.
    #[arg(long)]
    explain: bool,
    /// Print one JSON object a position.
    #[arg(long)]
    json: bool,
    /// With --json, also print an object for every finished stage of every move.
    #[arg(long, requires = "json")]
    progress: bool,
    /// Print every finished stage of every move, and then the result.
    #[arg(long, conflicts_with = "json")]
    verbose: bool,
}

impl Args {
    /// Returns the limits, with a time where there is none.
    fn limits(&self) -> Limits {
        let mut limits = Limits {
            clock: self.clock,
            level: self.level,
            ..self.far.limits()
        };
        if limits == Limits::default() && !(self.exact || self.wld || self.forever) {
            limits.time = Some(DEFAULT_TIME);
        }
        limits
    }

    fn request(&self) -> Request {
        let goal = match (self.exact, self.wld) {
            (true, _) => Goal::Exact,
            (_, true) => Goal::WinLossDraw,
            _ => Goal::Best,
        };
        let request = Request::default()
            .limits(self.limits())
            .goal(goal)
            .lines(self.top)
            .confidence(self.confidence);
        match self.within {
            Some(units) => request.within(units),
            None => request,
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    if args.game.is_gomoku() {
        return analyze_gomoku(args);
    }
    let request = args.request();
    let mut engine = args.resources.engine()?;
    let stop = ending::stop_on_interrupt()?;
    let mut live = Live::new(args.json, args.verbose);
    let shelf = args.book.open(Shelf::starter())?;
    let tally = input::for_each(&Source::from_args(&args.input)?, |item| {
        let position = *item.position();
        let game = item.game();
        if stop.is_stopped() {
            return Ok(());
        }
        engine.clear();
        live.begin();
        let known = shelf
            .as_ref()
            .map(|shelf| in_book(shelf, &game, args))
            .transpose()?
            .flatten();
        if !args.json {
            output::line(&position.to_string())?;
            if let Some(name) = opening_of(&game) {
                output::line(&format!("opening: {name}"))?;
            }
            if let Some(known) = &known {
                output::line(&format!("book: {}", text::book::position(known)))?;
            }
        }
        let known = known.map(Box::new);
        if let Some(book) = known.clone().filter(|_| args.progress) {
            output::object(&BookNews { book })?;
        }
        let (mut swing, mut failure) = (Swing::default(), None);
        let outcome = engine.search(&request.at(position), &stop, &mut |progress: &Progress| {
            swing.see(progress);
            if failure.is_none() {
                failure = show(args, &mut live, &position, progress).err();
            }
        });
        if let Some(error) = failure {
            return Err(error);
        }
        let explanation = args
            .explain
            .then(|| Explanation::new(engine.evaluator(), &position));
        if args.json {
            let mut analysis = Analysis::othello(&game, &outcome);
            analysis.explanation = explanation;
            analysis.book = known;
            return output::object(&analysis);
        }
        if outcome.best_move().is_none() {
            let value = value_text(outcome.best());
            return output::line(&format!("the game is over: {value} for the side to move"));
        }
        let mut took = cost(outcome.nodes, outcome.elapsed);
        if !outcome.complete {
            took.push_str(", ended by its limit");
        }
        if let Some(note) = swing.note(outcome.best()) {
            took.push('\n');
            took.push_str(&note);
        }
        let mut lines: Vec<String> = outcome.lines.iter().map(|line| line_text(line, WIDE)).collect();
        lines.extend(outcome.rest.map(|bound| rest_text(bound, outcome.best().verdict)));
        live.end(lines, &took)?;
        explanation.map_or(Ok(()), |explanation| output::line(&explained(&explanation)))
    })?;
    Ok(match tally.status() {
        Status::Success if stop.is_stopped() => Status::CheckFailed,
        status => status,
    })
}

/// Returns what the book says about a position. Of the one inside the program only what is worth more than a short search.
fn in_book(shelf: &Shelf, game: &Game, args: &Args) -> anyhow::Result<Option<BookPosition>> {
    let shown = book::show(shelf, game)?;
    let is_shallow = shown.grade.as_deref().is_none_or(|grade| grade == "F");
    Ok(Some(shown).filter(|shown| shown.known && (args.book.book.is_some() || !is_shallow)))
}

/// Shows a finished stage.
fn show(args: &Args, live: &mut Live, position: &Position, progress: &Progress) -> anyhow::Result<()> {
    if args.json {
        if !args.progress {
            return Ok(());
        }
        let line = LineObject::othello(position, &progress.line);
        let stage = StageEvent::new(line, progress.rank, progress.nodes, progress.elapsed);
        return output::object(&stage);
    }
    let name = progress.line.best().map_or_else(String::new, |mv| mv.to_string());
    let took = if args.verbose {
        format!("{:.3} s", progress.elapsed.as_secs_f64())
    } else {
        cost(progress.nodes, progress.elapsed)
    };
    live.stage(progress.rank, &name, line_text(&progress.line, WIDE), &took)
}

/// Thinks about a position of Gomoku.
fn analyze_gomoku(args: &Args) -> anyhow::Result<Status> {
    args.game.refuse(
        GameName::Gomoku,
        &[
            ("--exact", args.exact),
            ("--model", args.resources.model.path.is_some()),
            ("--explain", args.explain),
            ("--book", args.book.book.is_some()),
            ("--within", args.within.is_some()),
            ("--wld", args.wld),
            ("--confidence", args.confidence != 73),
        ],
    )?;
    let board = gomoku::board(&args.input, args.game)?;
    let request = gomoku_engine::Request::new(board.clone())
        .limits(args.limits())
        .lines(args.top);
    let mut engine = args.resources.gomoku_engine()?;
    let stop = ending::stop_on_interrupt()?;
    let mut live = Live::new(args.json, args.verbose);
    let mut failed = Ok(());
    let outcome = engine.search(&request, &stop, &mut |news| {
        if failed.is_err() {
            return;
        }
        if args.json && args.progress {
            let line = LineObject::gomoku(&news.line);
            failed = output::object(&StageEvent::new(line, news.rank, news.nodes, news.elapsed));
            return;
        }
        let took = format!(
            "depth {}, {} nodes, {:.2} s",
            news.stage.depth,
            grouped(news.nodes),
            news.elapsed.as_secs_f64()
        );
        let name = news
            .line
            .best()
            .map_or_else(String::new, |point| point.to_string());
        failed = live.stage(news.rank, &name, text::gomoku::line(&news.line), &took);
    });
    failed?;
    if args.json {
        let threat = threat(&board, &system_clock(), &stop);
        output::object(&Analysis::gomoku(&board, &outcome, engine.proof(), threat))?;
    } else if outcome.best_move().is_none() {
        output::line("the game is over")?;
    } else {
        let seconds = outcome.elapsed.as_secs_f64();
        let took = format!("{} nodes, {seconds:.2} s", grouped(outcome.nodes));
        live.end(outcome.lines.iter().map(text::gomoku::line).collect(), &took)?;
        let threat = threat(&board, &system_clock(), &stop);
        for line in text::gomoku::certain(&board, outcome.best(), engine.proof(), threat.as_ref()) {
            output::line(&line)?;
        }
    }
    Ok(if stop.is_stopped() {
        Status::CheckFailed
    } else {
        Status::Success
    })
}
