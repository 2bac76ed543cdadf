//! `outflank show`: draws positions and games.

use crate::{
    engine::system_clock,
    gomoku,
    options::{GameArgs, GameName, parse_search_level},
};
use clap::builder::RangedI64ValueParser;
use outflank_api::{
    Call, Capabilities, Event, Input,
    analyze::{AnalyzeEvent, AnalyzeRequest, LineObject, history},
    picture::{self, Look, PictureObject},
    run as run_call,
    show::{BoardObject, PositionObject, at_ply, variations},
    wire::{self, GomokuRules, LimitsObject},
};
use outflank_gomoku::Board;
use outflank_othello::Game;
use outflank_records::{Content, Item, Warning};
use outflank_search::Level;
use outflank_terminal::{
    ending,
    input::{self, Source},
    output::{self, Status, use_color},
    text,
};
use std::path::PathBuf;

/// Draw positions: the board, who is to move, the legal moves, the result.
///
/// A game is drawn after its last move. Without input, the start position is drawn.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank show f5d6c3d3c4\n  \
    outflank show tiger                   an opening by its name, English or Japanese\n  \
    outflank show 'O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X'\n  \
    outflank show data/fforum-1-19.obf\n  \
    outflank show f5d6c3 --ply 2          after the second move\n  \
    outflank show f5d6c3d3c4 --svg board.svg --numbers\n  \
    outflank show f5d6c3 --png board.png --values 12 --mark e3=circle --arrow c3-c4\n  \
    outflank show --game gomoku --rule renju h8i9h9g9h7f8g7 --json\n  \
    cat games.ggf | outflank show - --json")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// Position, game, name of an opening, or file in any notation; `-` reads standard input.
    input: Vec<String>,
    /// Draw each game after this many moves (passes count) instead of at its end.
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    #[command(flatten)]
    drawing: Drawing,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
}

/// Pictures.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Pictures")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
struct Drawing {
    /// Draw the (last) position as SVG into this file; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Draw it as PNG into this file; `-` is standard output.
    #[cfg(feature = "png")]
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Width of the PNG in pixels.
    #[cfg(feature = "png")]
    #[arg(long, value_name = "PIXELS", default_value_t = 720, value_parser = pixels())]
    width: u32,
    /// Write the values of the moves on their squares, as a search at this level from 1 to 60 finds them.
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, default_missing_value = "12", value_parser = parse_search_level)]
    values: Option<Level>,
    /// Number the discs in the order of their moves.
    #[arg(long)]
    numbers: bool,
    /// Draw an arrow between two squares; can be given several times.
    #[arg(long, value_name = "D3-C5")]
    arrow: Vec<String>,
    /// Put a sign on a square: circle, square, triangle, cross, or up to three characters; can be given several times.
    #[arg(long, value_name = "D3=SIGN")]
    mark: Vec<String>,
    /// Write a line below the board.
    #[arg(long, value_name = "TEXT")]
    caption: Option<String>,
    /// See the board from the other side.
    #[arg(long)]
    turn: bool,
    /// Leave out the letters and numbers at the edge.
    #[arg(long)]
    bare: bool,
    /// Draw black lines on white, for print.
    #[arg(long)]
    print: bool,
}

#[cfg(feature = "png")]
fn pixels() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(16..=10_000)
}

impl Drawing {
    fn is_wanted(&self) -> bool {
        #[cfg(feature = "png")]
        if self.png.is_some() {
            return true;
        }
        self.svg.is_some()
    }

    /// Returns whether a picture goes where the text would go.
    fn takes_output(&self) -> bool {
        let to_output = |path: &Option<PathBuf>| path.as_deref().is_some_and(output::is_stdout);
        #[cfg(feature = "png")]
        if to_output(&self.png) {
            return true;
        }
        to_output(&self.svg)
    }

    /// Refuses what says how to draw where nothing is drawn.
    fn check(&self) -> anyhow::Result<()> {
        let options = [
            ("--values", self.values.is_some()),
            ("--numbers", self.numbers),
            ("--arrow", !self.arrow.is_empty()),
            ("--mark", !self.mark.is_empty()),
            ("--caption", self.caption.is_some()),
            ("--turn", self.turn),
            ("--bare", self.bare),
            ("--print", self.print),
        ];
        match options.iter().find(|option| option.1) {
            Some((name, _)) if !self.is_wanted() => {
                anyhow::bail!("{name} belongs to a picture: add --svg FILE or --png FILE")
            }
            _ => Ok(()),
        }
    }

    fn look(&self, values: Vec<LineObject>) -> Look {
        Look {
            values,
            numbers: self.numbers,
            arrows: self.arrow.clone(),
            marks: self.mark.clone(),
            caption: self.caption.clone(),
            turned: self.turn,
            bare: self.bare,
            print: self.print,
        }
    }

    fn othello(&self, game: &Game) -> anyhow::Result<()> {
        let values = self.search(
            wire::GameName::Othello,
            game.position().to_string(),
            GomokuRules::default(),
        )?;
        self.write(&picture::of_othello(game, &self.look(values))?)
    }

    fn gomoku(&self, board: &Board) -> anyhow::Result<()> {
        let rules = GomokuRules {
            rule: Some(board.rule().to_string()),
            size: Some(board.size()),
        };
        let values = self.search(wire::GameName::Gomoku, history(board), rules)?;
        self.write(&picture::of_gomoku(board, &self.look(values))?)
    }

    /// Values moves, if that was asked for: all of Othello's, the best ones of Gomoku's.
    fn search(
        &self,
        game: wire::GameName,
        position: String,
        rules: GomokuRules,
    ) -> anyhow::Result<Vec<LineObject>> {
        let Some(level) = self.values else {
            return Ok(Vec::new());
        };
        let request = AnalyzeRequest {
            game,
            rules,
            limits: LimitsObject {
                level: level.as_human().is_none().then(|| level.number()),
                human: level.as_human(),
                ..LimitsObject::default()
            },
            lines: if game == wire::GameName::Gomoku {
                GOMOKU_VALUES
            } else {
                usize::MAX
            },
            ..AnalyzeRequest::of(Input::Text(position))
        };
        let stop = ending::stop_on_interrupt()?;
        let mut values = Vec::new();
        let call = Call::Analyze(request);
        run_call(&call, &Capabilities::NONE, &system_clock(), &stop, &mut |event| {
            if let Event::Analyze(AnalyzeEvent::Result(analysis)) = event {
                values = analysis.lines;
            }
        })?;
        Ok(values)
    }

    fn write(&self, picture: &PictureObject) -> anyhow::Result<()> {
        if let Some(path) = &self.svg {
            output::file(path, picture.svg.as_bytes())?;
        }
        #[cfg(feature = "png")]
        if let Some(path) = &self.png {
            output::file(path, &outflank_draw::png(&picture.svg, self.width)?)?;
        }
        Ok(())
    }
}

/// How many moves of Gomoku are valued for a picture: of two hundred legal ones few are worth looking at.
const GOMOKU_VALUES: usize = 5;

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    args.drawing.check()?;
    if args.game.is_gomoku() {
        return show_gomoku(args);
    }
    if args.input.is_empty() {
        let game = Game::new();
        if args.drawing.is_wanted() {
            args.drawing.othello(&game)?;
        }
        print(&game, None, args)?;
        return Ok(Status::Success);
    }
    let (mut first, mut last) = (true, None);
    let kept =
        |item: &Item, warning: &Warning| matches!(warning, Warning::Variations(_)) && item.tree.is_some();
    let tally = input::for_each_kept(&Source::from_args(&args.input)?, &kept, |item| {
        let game = at_ply(item.game(), args.ply)
            .map_err(|reason| anyhow::anyhow!("line {}: --ply {reason}", item.line))?;
        if !first && !args.json && !args.drawing.takes_output() {
            output::line("")?;
        }
        first = false;
        print(&game, Some(&item), args)?;
        last = Some(game);
        Ok(())
    })?;
    if let Some(game) = last.filter(|_| args.drawing.is_wanted()) {
        args.drawing.othello(&game)?;
    }
    Ok(tally.status())
}

fn print(game: &Game, item: Option<&Item>, args: &Args) -> anyhow::Result<()> {
    if args.drawing.takes_output() {
        return Ok(());
    }
    if args.json {
        let mut object = PositionObject::new(game, item.map(|item| item.line));
        object.variations = item.and_then(variations);
        return output::object(&object);
    }
    let scores = match item.map(|item| &item.content) {
        Some(Content::Position(scored)) => &scored.scores[..],
        _ => &[],
    };
    output::line(&text::position::describe(game, scores, use_color()))?;
    match item.and_then(variations) {
        Some(moves) => output::line(&format!("with variations: {moves}")),
        None => Ok(()),
    }
}

fn show_gomoku(args: &Args) -> anyhow::Result<Status> {
    args.game
        .refuse(GameName::Gomoku, &[("--ply", args.ply.is_some())])?;
    let board = gomoku::board(&args.input, args.game)?;
    if args.drawing.is_wanted() {
        args.drawing.gomoku(&board)?;
    }
    if args.drawing.takes_output() {
        return Ok(Status::Success);
    }
    if args.json {
        output::object(&BoardObject::new(&board))?;
    } else {
        output::line(&text::gomoku::position(&board))?;
    }
    Ok(Status::Success)
}
