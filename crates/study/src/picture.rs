//! A position as a picture for pages, print and programs that show no boards: discs or stones, values, marks, arrows and
//! move numbers, as SVG.
//!
//! How sure a value is shows in shapes, not in colors: a full frame is proven, half a frame is a limit, no frame an estimate,
//! and a corner marks an opening book.

use crate::tree::Shape;
use outflank_draw::{Letters, Paint, Svg};
use outflank_othello::{Color, Game, Position, Square};

/// How sure a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// Proven: a full frame.
    Proven,
    /// A limit: half a frame.
    Limit,
    /// An estimate: none.
    Estimate,
    /// From an opening book: a corner.
    Book,
}

/// What stands on an empty square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The square, counted from the upper left corner row by row.
    pub cell: usize,
    /// The value itself, `+4` or `≈2`.
    pub text: String,
    /// What it goes by, in small letters: depth and confidence.
    pub detail: String,
    /// How sure it is.
    pub frame: Frame,
    /// Whether no other move is better.
    pub is_best: bool,
}

/// A sign that somebody put on a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// A shape.
    Shape(Shape),
    /// A letter, or a short text.
    Text(String),
}

/// How the picture is colored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// As a board looks.
    #[default]
    Board,
    /// Black lines on white, for print.
    Print,
}

/// On which kind of board things lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// Discs on squares, rows counted from above: Othello.
    Squares,
    /// Stones on crossings of lines, rows counted from below: Gomoku.
    Crossings,
}

/// A position and what is to be drawn on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// What the picture shows, for readers that see none.
    pub title: String,
    /// A line below the board; none if empty.
    pub caption: String,
    /// The kind of board.
    pub ground: Ground,
    /// Cells of an edge.
    pub size: usize,
    /// What lies on each cell, counted from the upper left corner row by row.
    pub cells: Vec<Option<Color>>,
    /// Where a move may be made: dots.
    pub legal: Vec<usize>,
    /// Where none may be made though it is empty: crosses in gray.
    pub forbidden: Vec<usize>,
    /// The last move.
    pub last: Option<usize>,
    /// Values of moves.
    pub values: Vec<Value>,
    /// Numbers of the moves on their discs.
    pub numbers: Vec<(usize, usize)>,
    /// Arrows from cell to cell.
    pub arrows: Vec<(usize, usize)>,
    /// Signs.
    pub marks: Vec<(usize, Sign)>,
    /// Whether letters and numbers stand at the edge.
    pub has_coordinates: bool,
    /// Whether the board is seen from the other side.
    pub is_turned: bool,
    /// The colors.
    pub style: Style,
}

/// Edge of a cell in units of the picture.
const CELL: f64 = 40.0;
/// Width of the frame in units.
const RIM: f64 = 20.0;

/// The colors of a style.
struct Palette {
    rim: &'static str,
    rim_text: &'static str,
    ground: &'static str,
    line: &'static str,
    on_ground: &'static str,
    faint: &'static str,
    best: &'static str,
}

impl Palette {
    const fn of(style: Style, ground: Ground) -> Self {
        match (style, ground) {
            (Style::Print, _) => Self {
                rim: "white",
                rim_text: "black",
                ground: "white",
                line: "#606060",
                on_ground: "black",
                faint: "#909090",
                best: "black",
            },
            (Style::Board, Ground::Squares) => Self {
                rim: "#2b2f31",
                rim_text: "#f0f0f0",
                ground: "#3f9d5f",
                line: "#1d4a2d",
                on_ground: "#06190d",
                faint: "#1d4a2d",
                best: "#06190d",
            },
            (Style::Board, Ground::Crossings) => Self {
                rim: "#e8c887",
                rim_text: "#40300f",
                ground: "#e8c887",
                line: "#7a5c25",
                on_ground: "#2a1d05",
                faint: "#8a6c35",
                best: "#2a1d05",
            },
        }
    }
}

impl Picture {
    /// Returns an empty board.
    pub fn new(ground: Ground, size: usize) -> Self {
        Self {
            title: String::new(),
            caption: String::new(),
            ground,
            size,
            cells: vec![None; size * size],
            legal: Vec::new(),
            forbidden: Vec::new(),
            last: None,
            values: Vec::new(),
            numbers: Vec::new(),
            arrows: Vec::new(),
            marks: Vec::new(),
            has_coordinates: true,
            is_turned: false,
            style: Style::Board,
        }
    }

    /// Returns the position at the end of a game of Othello, with its legal moves and the last one.
    pub fn othello(game: &Game) -> Self {
        let position: &Position = game.position();
        let mut picture = Self::new(Ground::Squares, 8);
        for square in Square::ALL {
            let on = [Color::Black, Color::White]
                .into_iter()
                .find(|&color| position.discs(color).contains(square));
            picture.cells[square.index()] = on;
        }
        picture.legal = places(&position.legal_moves()).collect();
        picture.last = places(game.moves()).last();
        picture.title = position.to_string();
        picture
    }

    /// Writes the numbers of the moves of `game` on their discs, passes counted; discs of the start bear none.
    pub fn number_moves(&mut self, game: &Game) {
        let moves = game.moves().iter().zip(1..);
        let numbers = moves.filter_map(|(mv, number)| Some((mv.square()?.index(), number)));
        self.numbers = numbers.collect();
    }

    /// Returns the picture as SVG.
    pub fn to_svg(&self) -> String {
        let palette = Palette::of(self.style, self.ground);
        let rim = if self.has_coordinates { RIM } else { 4.0 };
        let edge = 2.0 * rim + CELL * self.size as f64;
        let below = if self.caption.is_empty() { 0.0 } else { 24.0 };
        let mut sheet = Sheet {
            svg: Svg::untitled(edge, edge + below, &self.title),
            picture: self,
            palette,
            rim,
        };
        sheet.board(edge);
        if self.has_coordinates {
            sheet.coordinates();
        }
        for (cell, color) in self.cells.iter().enumerate() {
            if let Some(color) = color {
                sheet.disc(cell, *color);
            }
        }
        sheet.moves();
        for value in &self.values {
            sheet.value(value);
        }
        for (cell, sign) in &self.marks {
            sheet.mark(*cell, sign);
        }
        for &(from, to) in &self.arrows {
            sheet.arrow(from, to);
        }
        if !self.caption.is_empty() {
            let letters = Letters {
                size: 13.0,
                color: "black",
                is_bold: false,
            };
            sheet.svg.label([edge / 2.0, edge + 12.0], letters, &self.caption);
        }
        sheet.svg.finish()
    }
}

/// Returns the cells of moves; passes have none.
fn places(moves: &[outflank_othello::Move]) -> impl Iterator<Item = usize> + '_ {
    moves.iter().filter_map(|mv| Some(mv.square()?.index()))
}

/// A picture that is being drawn.
struct Sheet<'a> {
    svg: Svg,
    picture: &'a Picture,
    palette: Palette,
    rim: f64,
}

impl Sheet<'_> {
    /// Returns the middle of a cell.
    fn center(&self, cell: usize) -> [f64; 2] {
        let size = self.picture.size;
        let (mut column, mut row) = (cell % size, cell / size);
        if self.picture.is_turned {
            (column, row) = (size - 1 - column, size - 1 - row);
        }
        [column, row].map(|at| self.rim + CELL * (at as f64 + 0.5))
    }

    /// Draws what the discs lie on.
    fn board(&mut self, edge: f64) {
        let (size, rim) = (self.picture.size, self.rim);
        let Palette {
            rim: around,
            ground,
            line,
            ..
        } = self.palette;
        let inside = CELL * size as f64;
        self.svg.rectangle([0.0, 0.0], [edge, edge], Paint::fill(around));
        self.svg
            .rectangle([rim, rim], [inside, inside], Paint::fill(ground));
        let (lines, first) = match self.picture.ground {
            Ground::Squares => (size + 1, 0.0),
            Ground::Crossings => (size, CELL / 2.0),
        };
        let (low, high) = (rim + first, rim + inside - first);
        for number in 0..lines {
            let at = low + CELL * number as f64;
            self.svg.line([[low, at], [high, at]], Paint::line(line, 1.0));
            self.svg.line([[at, low], [at, high]], Paint::line(line, 1.0));
        }
        for [x, y] in points(self.picture.ground, size) {
            let place = [x, y].map(|at| low + CELL * at as f64);
            self.svg.circle(place, 3.0, Paint::fill(line));
        }
    }

    /// Writes letters above the columns and numbers beside the rows.
    fn coordinates(&mut self) {
        let size = self.picture.size;
        let letters = Letters {
            size: if size > 10 { 12.0 } else { 14.0 },
            color: self.palette.rim_text,
            is_bold: false,
        };
        for at in 0..size {
            let place = self.rim + CELL * (at as f64 + 0.5);
            let seen = if self.picture.is_turned { size - 1 - at } else { at };
            // At most 26 columns: letters do not run out.
            let column = char::from(b'a' + u8::try_from(seen).unwrap_or(u8::MAX).min(25));
            let row = match self.picture.ground {
                Ground::Squares => seen + 1,
                Ground::Crossings => size - seen,
            };
            self.svg
                .label([place, self.rim / 2.0], letters, &column.to_string());
            self.svg.label([self.rim / 2.0, place], letters, &row.to_string());
        }
    }

    /// Draws a disc or stone.
    fn disc(&mut self, cell: usize, color: Color) {
        let fill = match color {
            Color::Black => "#141618",
            Color::White => "#fbfaf6",
        };
        self.svg.circle(
            self.center(cell),
            0.42 * CELL,
            Paint::fill(fill).edged("black", 1.0),
        );
    }

    /// Draws where moves are, were, and may not be.
    fn moves(&mut self) {
        let picture = self.picture;
        for &cell in &picture.legal {
            if !picture.values.iter().any(|value| value.cell == cell) {
                self.svg
                    .circle(self.center(cell), 4.0, Paint::line(self.palette.faint, 1.5));
            }
        }
        for &cell in &picture.forbidden {
            self.cross(cell, 6.0, Paint::line(self.palette.faint, 2.0));
        }
        for &(cell, number) in &picture.numbers {
            let letters = Letters {
                size: if number > 99 { 14.0 } else { 17.0 },
                color: self.ink(cell),
                is_bold: picture.last == Some(cell),
            };
            self.svg.label(self.center(cell), letters, &number.to_string());
        }
        let numbered = |cell| picture.numbers.iter().any(|&(at, _)| at == cell);
        if let Some(cell) = picture.last.filter(|&cell| !numbered(cell)) {
            self.svg
                .circle(self.center(cell), 4.5, Paint::fill(self.ink(cell)));
        }
    }

    /// Returns the color of letters on a cell.
    fn ink(&self, cell: usize) -> &'static str {
        match self.picture.cells[cell] {
            Some(Color::Black) => "white",
            Some(Color::White) => "black",
            None => self.palette.on_ground,
        }
    }

    /// Writes a value.
    fn value(&mut self, value: &Value) {
        let [x, y] = self.center(value.cell);
        let half = 0.43 * CELL;
        // Crossings of lines go through the letters.
        if self.picture.ground == Ground::Crossings {
            let corner = [x - half, y - half];
            self.svg
                .rectangle(corner, [2.0 * half; 2], Paint::fill(self.palette.ground));
        }
        let frame = Paint::line(self.palette.on_ground, 1.5);
        match value.frame {
            Frame::Proven => self.svg.rectangle([x - half, y - half], [2.0 * half; 2], frame),
            Frame::Limit => {
                let (low, high) = (y + 0.2 * half, y + half);
                self.svg.line(
                    [
                        [x - half, low],
                        [x - half, high],
                        [x + half, high],
                        [x + half, low],
                    ],
                    frame,
                );
            }
            Frame::Book => {
                let (right, bottom) = (x + 0.47 * CELL, y + 0.47 * CELL);
                let corners = [[right, bottom], [right - 10.0, bottom], [right, bottom - 10.0]];
                self.svg.polygon(corners, Paint::fill(self.palette.on_ground));
            }
            Frame::Estimate => {}
        }
        if value.is_best {
            self.star([x - 0.36 * CELL, y - 0.36 * CELL]);
        }
        let up = if value.detail.is_empty() { 0.0 } else { 4.0 };
        let letters = Letters {
            size: if value.text.chars().count() > 3 {
                13.0
            } else {
                16.0
            },
            color: self.palette.on_ground,
            is_bold: value.is_best,
        };
        self.svg.label([x, y - up], letters, &value.text);
        let small = Letters {
            size: 8.5,
            is_bold: false,
            ..letters
        };
        if !value.detail.is_empty() {
            self.svg.label([x, y + 11.0], small, &value.detail);
        }
    }

    fn star(&mut self, [x, y]: [f64; 2]) {
        let corners = (0..10).map(|corner| {
            let radius = if corner % 2 == 0 { 5.0 } else { 2.1 };
            let angle = (f64::from(corner) / 5.0 - 0.5) * std::f64::consts::PI;
            [x + radius * angle.cos(), y + radius * angle.sin()]
        });
        self.svg.polygon(corners, Paint::fill(self.palette.best));
    }

    fn cross(&mut self, cell: usize, reach: f64, paint: Paint<'_>) {
        let [x, y] = self.center(cell);
        self.svg
            .line([[x - reach, y - reach], [x + reach, y + reach]], paint);
        self.svg
            .line([[x - reach, y + reach], [x + reach, y - reach]], paint);
    }

    fn mark(&mut self, cell: usize, sign: &Sign) {
        let [x, y] = self.center(cell);
        let ink = self.ink(cell);
        let paint = Paint::line(ink, 2.5);
        match sign {
            Sign::Shape(Shape::Circle) => self.svg.circle([x, y], 9.0, paint),
            Sign::Shape(Shape::Triangle) => {
                let corners = [[x, y - 10.0], [x + 9.5, y + 7.0], [x - 9.5, y + 7.0]];
                self.svg.polygon(corners, paint);
            }
            Sign::Shape(Shape::Square) => self.svg.rectangle([x - 8.0, y - 8.0], [16.0, 16.0], paint),
            Sign::Shape(Shape::Cross) => self.cross(cell, 8.0, paint),
            Sign::Text(text) => {
                let letters = Letters {
                    size: if text.chars().count() > 2 { 12.0 } else { 18.0 },
                    color: ink,
                    is_bold: true,
                };
                self.svg.label([x, y], letters, text);
            }
        }
    }

    /// Draws an arrow with a light edge, so that it is seen on discs of both colors.
    fn arrow(&mut self, from: usize, to: usize) {
        let ([x0, y0], [x1, y1]) = (self.center(from), self.center(to));
        let length = (x1 - x0).hypot(y1 - y0);
        if length < 1.0 {
            return;
        }
        let (dx, dy) = ((x1 - x0) / length, (y1 - y0) / length);
        // Along the arrow and across it, from where it begins.
        let at = |along: f64, across: f64| [x0 + along * dx - across * dy, y0 + along * dy + across * dx];
        let tip = length - 0.18 * CELL;
        let neck = tip - 14.0;
        let corners = [
            at(0.3 * CELL, -2.5),
            at(neck, -2.5),
            at(neck, -8.0),
            at(tip, 0.0),
            at(neck, 8.0),
            at(neck, 2.5),
            at(0.3 * CELL, 2.5),
        ];
        self.svg
            .polygon(corners, Paint::fill("#c03010").edged("white", 1.0));
    }
}

/// Returns the crossings that are marked on a board, counted in lines.
fn points(ground: Ground, size: usize) -> Vec<[usize; 2]> {
    let [low, high] = match ground {
        Ground::Squares if size == 8 => [2, 6],
        Ground::Crossings if size >= 9 => [3, size - 4],
        _ => return Vec::new(),
    };
    let mut points = vec![[low, low], [high, low], [low, high], [high, high]];
    if ground == Ground::Crossings && size % 2 == 1 {
        points.push([size / 2; 2]);
    }
    points
}

#[cfg(test)]
mod tests;
