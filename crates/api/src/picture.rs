//! Positions as pictures.

use crate::{
    access::{Capabilities, Input},
    analyze::{LineObject, gomoku_board},
    error::Error,
    show::at_ply,
    wire::{GameName, GomokuRules, Kind, Number},
};
use outflank_gomoku::{Board, Color as Stone, Point};
use outflank_othello::{Color, Game, Square};
use outflank_study::{
    picture::{Frame, Ground, Picture, Sign, Style, Value},
    tree::Shape,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks for pictures of positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PictureRequest {
    /// The game.
    #[serde(default)]
    pub game: GameName,
    /// Positions, or games, whose last position is meant.
    pub input: Input,
    /// Rule set and board of Gomoku.
    #[serde(default)]
    pub rules: GomokuRules,
    /// Othello: moves to go into each game, passes counted, instead of to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// What is drawn beside the position.
    #[serde(flatten)]
    pub look: Look,
}

/// What is drawn on a position, and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one independent switch of a request"
)]
pub struct Look {
    /// Values that stand on their squares: lines of an analysis.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<LineObject>,
    /// Whether the discs that moves put bear their numbers.
    #[serde(default)]
    pub numbers: bool,
    /// Arrows, `d3-c5` each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arrows: Vec<String>,
    /// Signs: `d3=circle`, `square`, `triangle`, `cross`, or a text of at most 3 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
    /// A line below the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
    /// Whether the board is seen from the other side.
    #[serde(default)]
    pub turned: bool,
    /// Whether the letters and numbers at the edge are left out.
    #[serde(default)]
    pub bare: bool,
    /// Whether the picture is black lines on white, for print.
    #[serde(default)]
    pub print: bool,
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PictureObject {
    /// The whole file, as SVG.
    pub svg: String,
}

/// Most characters of a text on a square.
const MOST_LETTERS: usize = 3;
/// Most characters below a board.
const MOST_CAPTION: usize = 200;

/// Draws every position of the input.
///
/// # Errors
///
/// Returns why the request cannot be answered.
pub fn picture(
    request: &PictureRequest,
    capabilities: &Capabilities<'_>,
    on_event: &mut dyn FnMut(PictureObject),
) -> Result<(), Error> {
    let source = request.input.open(capabilities)?;
    if request.game == GameName::Gomoku {
        let board = gomoku_board(&source.gomoku()?.0, &request.rules)?;
        on_event(of_gomoku(&board, &request.look)?);
        return Ok(());
    }
    for item in source.othello()? {
        let game = at_ply(item.game(), request.ply).map_err(|reason| Error::Value { name: "ply", reason })?;
        on_event(of_othello(&game, &request.look)?);
    }
    Ok(())
}

/// Draws the position at the end of a game of Othello.
///
/// # Errors
///
/// A mark, an arrow or a value is not on the board.
pub fn of_othello(game: &Game, look: &Look) -> Result<PictureObject, Error> {
    let mut picture = Picture::othello(game);
    if look.numbers {
        picture.number_moves(game);
    }
    let cell = |text: &str| text.parse::<Square>().ok().map(Square::index);
    draw(picture, GameName::Othello, look, &cell)
}

/// Draws a position of Gomoku.
///
/// # Errors
///
/// A mark, an arrow or a value is not on the board.
pub fn of_gomoku(board: &Board, look: &Look) -> Result<PictureObject, Error> {
    let size = board.size();
    let cell = |point: Point| usize::from(size - 1 - point.y()) * usize::from(size) + usize::from(point.x());
    let mut picture = Picture::new(Ground::Crossings, usize::from(size));
    for (color, seen) in [(Stone::Black, Color::Black), (Stone::White, Color::White)] {
        for point in board.stones(color) {
            picture.cells[cell(point)] = Some(seen);
        }
    }
    picture.forbidden = board.forbidden_points().iter().map(cell).collect();
    picture.last = board.last_move().map(|(point, _)| cell(point));
    picture.title = format!("{}, {} x {}", board.rule(), size, size);
    if look.numbers {
        let history = board.history();
        picture.numbers = history.iter().map(|stone| cell(stone.0)).zip(1..).collect();
    }
    let named = |text: &str| Point::parse_on(text, size).ok().map(cell);
    draw(picture, GameName::Gomoku, look, &named)
}

/// Adds what is asked for.
fn draw(
    mut picture: Picture,
    game: GameName,
    look: &Look,
    cell: &dyn Fn(&str) -> Option<usize>,
) -> Result<PictureObject, Error> {
    let place = |name: &'static str, text: &str| {
        cell(text).ok_or_else(|| Error::Value {
            name,
            reason: format!("{text:?} is not on the board"),
        })
    };
    let best = look
        .values
        .iter()
        .map(|line| discs(line.value))
        .fold(f64::NEG_INFINITY, f64::max);
    for line in &look.values {
        // A pass stands on no square.
        if let Some(mv) = line.mv.as_deref().filter(|mv| cell(mv).is_some()) {
            picture.values.push(Value {
                cell: place("values", mv)?,
                text: value_text(line, game),
                detail: detail(line),
                frame: frame(line.kind),
                is_best: line.kind != Kind::Bounds && discs(line.value) >= best,
            });
        }
    }
    for text in &look.arrows {
        let Some((from, to)) = text.split_once('-') else {
            return Err(Error::Value {
                name: "arrows",
                reason: format!("{text:?} is no arrow: two squares such as d3-c5"),
            });
        };
        picture
            .arrows
            .push((place("arrows", from)?, place("arrows", to)?));
    }
    for text in &look.marks {
        let Some((at, sign)) = text.split_once('=') else {
            return Err(Error::Value {
                name: "marks",
                reason: format!(
                    "{text:?} is no sign: a square and what stands on it, such as d3=circle or d3=A"
                ),
            });
        };
        picture.marks.push((place("marks", at)?, read_sign(sign)?));
    }
    picture.caption = look.caption.clone().unwrap_or_default();
    if picture.caption.chars().count() > MOST_CAPTION {
        return Err(Error::Value {
            name: "caption",
            reason: format!("more than {MOST_CAPTION} characters"),
        });
    }
    picture.is_turned = look.turned;
    picture.has_coordinates = !look.bare;
    picture.style = if look.print { Style::Print } else { Style::Board };
    Ok(PictureObject {
        svg: picture.to_svg(),
    })
}

fn read_sign(text: &str) -> Result<Sign, Error> {
    Ok(match text {
        "circle" => Sign::Shape(Shape::Circle),
        "square" => Sign::Shape(Shape::Square),
        "triangle" => Sign::Shape(Shape::Triangle),
        "cross" => Sign::Shape(Shape::Cross),
        _ if (1..=MOST_LETTERS).contains(&text.chars().count()) => Sign::Text(text.to_owned()),
        _ => {
            return Err(Error::Value {
                name: "marks",
                reason: format!(
                    "{text:?} is no sign: circle, square, triangle, cross, or a text of 1 to {MOST_LETTERS} characters"
                ),
            });
        }
    })
}

const fn discs(number: Number) -> f64 {
    match number {
        Number::Whole(whole) => whole as f64,
        Number::Decimal(decimal) => decimal,
    }
}

const fn frame(kind: Kind) -> Frame {
    match kind {
        Kind::Exact | Kind::Wld | Kind::Win | Kind::Loss => Frame::Proven,
        Kind::Bounds => Frame::Limit,
        Kind::Book => Frame::Book,
        Kind::Estimate | Kind::Aborted => Frame::Estimate,
    }
}

/// Returns what stands on the square of a move: as on the page.
fn value_text(line: &LineObject, game: GameName) -> String {
    let value = discs(line.value);
    // Adding zero turns −0 into 0.
    let rounded = value.round() + 0.0;
    let signed = if rounded < 0.0 {
        format!("−{}", -rounded)
    } else {
        format!("{}{rounded}", if rounded > 0.0 { "+" } else { "" })
    };
    let stones = line.stones.map_or_else(String::new, |stones| stones.to_string());
    match line.kind {
        Kind::Exact => signed,
        Kind::Win => format!("W{stones}"),
        Kind::Loss => format!("L{stones}"),
        Kind::Wld if value > 0.0 => "W".to_owned(),
        Kind::Wld if value < 0.0 => "L".to_owned(),
        Kind::Wld => "D".to_owned(),
        Kind::Bounds => format!("≥{signed}"),
        Kind::Aborted => "…".to_owned(),
        Kind::Estimate | Kind::Book if game == GameName::Gomoku => rounded.to_string(),
        Kind::Estimate | Kind::Book => format!("≈{}", signed.trim_start_matches('+')),
    }
}

/// Returns what an estimate goes by.
fn detail(line: &LineObject) -> String {
    match (line.kind, line.confidence) {
        (Kind::Estimate, Some(confidence)) => format!("{}·{confidence}%", line.depth),
        (Kind::Estimate, None) => line.depth.to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(mv: &str, value: Number, kind: Kind) -> LineObject {
        LineObject {
            mv: Some(mv.to_owned()),
            value,
            kind,
            depth: 12,
            confidence: Some(73),
            pv: Vec::new(),
            stones: None,
            units: None,
        }
    }

    fn drawn(look: &Look) -> Result<String, String> {
        of_othello(&Game::new(), look)
            .map(|picture| picture.svg)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn values_are_written_as_on_the_page() {
        let values = [
            (Number::Whole(4), Kind::Exact, "+4"),
            (Number::Whole(-4), Kind::Exact, "−4"),
            (Number::Whole(0), Kind::Exact, "0"),
            (Number::Whole(2), Kind::Wld, "W"),
            (Number::Whole(0), Kind::Wld, "D"),
            (Number::Whole(-2), Kind::Wld, "L"),
            (Number::Whole(2), Kind::Bounds, "≥+2"),
            (Number::Decimal(3.6), Kind::Estimate, "≈4"),
            (Number::Decimal(-0.4), Kind::Estimate, "≈0"),
            (Number::Decimal(-3.6), Kind::Book, "≈−4"),
        ];
        for (value, kind, text) in values {
            assert_eq!(value_text(&line("d3", value, kind), GameName::Othello), text);
        }
    }

    #[test]
    fn what_is_asked_for_is_drawn_and_what_cannot_be_is_named() {
        let look = Look {
            values: vec![
                line("d3", Number::Decimal(0.2), Kind::Estimate),
                line("c4", Number::Decimal(-1.0), Kind::Estimate),
                line("pass", Number::Decimal(0.0), Kind::Estimate),
            ],
            arrows: vec!["d3-c5".to_owned()],
            marks: vec!["a1=circle".to_owned(), "h8=Z".to_owned()],
            caption: Some("Who moves?".to_owned()),
            ..Look::default()
        };
        let svg = drawn(&look).expect("a picture");
        for text in [
            ">≈0</text>",
            ">≈−1</text>",
            ">12·73%</text>",
            ">Z</text>",
            ">Who moves?</text>",
        ] {
            assert!(svg.contains(text), "{text}");
        }
        let refused = |marks: &[&str], arrows: &[&str]| {
            let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
            drawn(&Look {
                marks: owned(marks),
                arrows: owned(arrows),
                ..Look::default()
            })
            .expect_err("no picture")
        };
        assert!(refused(&["i9=circle"], &[]).contains("\"i9\" is not on the board"));
        assert!(refused(&["d3"], &[]).contains("d3=circle"));
        assert!(refused(&["d3=long text"], &[]).contains("1 to 3 characters"));
        assert!(refused(&[], &["d3"]).contains("d3-c5"));
        assert!(refused(&[], &["d3-z9"]).contains("\"z9\" is not on the board"));
    }

    #[test]
    fn stones_have_their_numbers_and_points_their_names() {
        let request = PictureRequest {
            game: GameName::Gomoku,
            input: Input::Text("h8i9h9".to_owned()),
            rules: GomokuRules::default(),
            ply: None,
            look: Look {
                numbers: true,
                marks: vec!["o15=A".to_owned()],
                ..Look::default()
            },
        };
        let mut events = Vec::new();
        picture(&request, &Capabilities::NONE, &mut |event| events.push(event)).expect("a picture");
        let [PictureObject { svg }] = &events[..] else {
            panic!("one picture");
        };
        // h8 is the middle, i9 to the right of it and above.
        assert!(
            svg.contains("cx=\"320.0\" cy=\"320.0\" r=\"16.8\" fill=\"#141618\""),
            "{svg}"
        );
        assert!(
            svg.contains("cx=\"360.0\" cy=\"280.0\" r=\"16.8\" fill=\"#fbfaf6\""),
            "{svg}"
        );
        assert!(svg.contains("x=\"600.0\""), "o15 is the upper right corner");
    }
}
