//! Gomoku in matches: SGF records, opening files, balance in percent of the chance to win.

use crate::{
    game::{MatchGame, OpeningError},
    history::History,
    players::{engine::chance_to_win, registry::Registry, standard::add_gomoku_players},
    record::{End, PlayedGame, RecordError},
};
use outflank_gomoku::{Board, Color, End as BoardEnd, Point, Rule, Tables, notation::Drawing};
use outflank_records::gomoku::{self, Record, sgf};

/// Stones up to which random openings stay within two lines of the center; later ones within three.
const FEW_STONES: usize = 6;

impl MatchGame for Board {
    const MAX_ALL_PLIES: u32 = 2;
    const RANDOM_OPENINGS: (u32, u32) = (4, 20);
    const SUFFIX: Option<&'static str> = Some("sgf");

    fn rules(&self) -> String {
        format!("gomoku {} {}", self.rule(), self.size())
    }

    fn start_text(&self) -> Option<String> {
        let usual = self.n_stones() == 0 && self.side() == Color::Black;
        (!usual).then(|| format!("{self}\n{} to move", self.side()))
    }

    fn read_start(rules: &str, start: Option<&str>) -> Result<Self, String> {
        let words: Vec<&str> = rules.split(' ').collect();
        let ["gomoku", rule, size] = words[..] else {
            return Err(format!("expected a game of Gomoku, not of {rules:?}"));
        };
        let rule: Rule = rule.parse().map_err(|error| format!("{error}"))?;
        let size = size
            .parse()
            .map_err(|_| format!("{size:?} is no size of a board"))?;
        let empty = Self::new(rule, size).map_err(|error| error.to_string())?;
        let Some(text) = start else { return Ok(empty) };
        let drawing = Drawing::read(text).ok_or_else(|| format!("{text:?} is no board"))?;
        if drawing.size != size {
            return Err(format!("a board of {} points, not of {size}", drawing.size));
        }
        Self::from_stones(Tables::new(rule), size, &drawing.stones, drawing.side)
            .map_err(|error| error.to_string())
    }

    fn ending(&self) -> String {
        match self.end() {
            Some(BoardEnd::Five(_)) => "five in a row".to_owned(),
            Some(BoardEnd::Forbidden) => "forbidden point".to_owned(),
            Some(BoardEnd::Full) => "board full".to_owned(),
            None => String::new(),
        }
    }

    fn read_openings(&self, bytes: &[u8]) -> Result<Vec<History<Self>>, OpeningError> {
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}');
        let is_psq = text.trim_start().to_ascii_lowercase().starts_with("piskvor");
        if is_psq || Drawing::read(text).is_some() {
            return Ok(vec![opening(self, text, 1)?]);
        }
        let games: Vec<History<Self>> = text
            .lines()
            .zip(1..)
            .filter(|(line, _)| !line.trim().is_empty() && !line.trim_start().starts_with(['#', '%']))
            .map(|(line, number)| opening(self, line, number))
            .collect::<Result<_, _>>()?;
        if games.is_empty() {
            return Err(OpeningError::Nothing);
        }
        Ok(games)
    }

    fn opening_moves(&self) -> Vec<Point> {
        let reach = if self.n_stones() < FEW_STONES { 2 } else { 3 };
        // Twice the distance from the center, which lies between the points where the edge is even.
        let near = |at: u8| (2 * i32::from(at) + 1 - i32::from(self.size())).abs() <= 2 * reach;
        self.empties()
            .iter()
            .filter(|point| self.end().is_none() && near(point.x()) && near(point.y()))
            .collect()
    }

    fn judge() -> Box<dyn FnMut(&Self) -> f64> {
        chance_to_win()
    }

    /// Returns the game as one line of SGF, with the players, the rule set and the result.
    fn export(game: &PlayedGame) -> Result<String, RecordError> {
        let history = game.replay::<Self>()?;
        let start = history.start();
        let on_board = |color| start.stones(color).iter().map(move |point| (point, color));
        let record = Record {
            size: Some(start.size()),
            rule: Some(start.rule()),
            stones: Color::BOTH.into_iter().flat_map(on_board).collect(),
            side: Some(start.side()),
            moves: history.moves().to_vec(),
        };
        let how = match game.end {
            End::Board | End::Adjudicated => "",
            End::Resigned => "R",
            End::Time | End::NoAnswer => "T",
            End::Illegal | End::Exited | End::Dialogue | End::NotStarted => "F",
        };
        let result = match game.margin {
            0 => "Draw".to_owned(),
            1.. => format!("B+{how}"),
            _ => format!("W+{how}"),
        };
        let tags = [
            ("PB", game.black.clone()),
            ("PW", game.white.clone()),
            ("RE", result),
            ("C", game.comment()),
        ];
        Ok(sgf::write_tagged(&record, start.size(), &tags))
    }

    fn add_players(registry: &mut Registry<Self>) {
        add_gomoku_players(registry);
    }
}

/// Reads one opening that begins in `start`.
fn opening(start: &Board, text: &str, line: usize) -> Result<History<Board>, OpeningError> {
    let fail = |message: String| OpeningError::Line { line, message };
    let mut history = History::new(start.clone());
    let moves = if let Some(offsets) = offsets(text) {
        let center = Point::new(start.size() / 2, start.size() / 2);
        let point = |(dx, dy)| {
            center
                .and_then(|center| center.offset(dx, dy, start.size()))
                .ok_or_else(|| fail(format!("{dx},{dy} from the center is outside the board")))
        };
        offsets.into_iter().map(point).collect::<Result<Vec<_>, _>>()?
    } else {
        let record = gomoku::read(text).map_err(|error| fail(error.to_string()))?.value;
        let kind = (
            record.rule.unwrap_or(start.rule()),
            record.size.unwrap_or(start.size()),
        );
        if kind != (start.rule(), start.size()) {
            return Err(fail(format!(
                "the opening is for {} on {} points, the match for {} on {} (--rule, --size)",
                kind.0,
                kind.1,
                start.rule(),
                start.size()
            )));
        }
        if !record.stones.is_empty() {
            let board = record.start(start.rule(), start.size());
            history = History::new(board.map_err(|error| fail(error.to_string()))?);
        }
        record.moves
    };
    for mv in moves {
        history.play(mv).map_err(|error| fail(error.to_string()))?;
    }
    if history.position().end().is_some() {
        return Err(OpeningError::Over(line));
    }
    Ok(history)
}

/// Reads a line of a tournament's opening file, `0,0, 1,0, 1,3`: columns and rows from the center.
///
/// `None` for any other line: points counted from a corner have no comma between each two.
fn offsets(text: &str) -> Option<Vec<(i32, i32)>> {
    let numbers: Vec<i32> = text
        .split(',')
        .map(|number| number.trim().parse().ok())
        .collect::<Option<_>>()?;
    let from_center = numbers.len() > 2 || numbers.iter().any(|&number| number < 0);
    (from_center && numbers.len().is_multiple_of(2))
        .then(|| numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn empty(size: u8) -> Board {
        Board::new(Rule::Freestyle, size).expect("a size")
    }

    fn read(size: u8, text: &str) -> Vec<String> {
        let games = empty(size).read_openings(text.as_bytes()).expect(text);
        games.iter().map(History::moves_text).collect()
    }

    #[test]
    fn opening_files_of_every_kind_are_read() {
        assert_eq!(read(15, "# two\nh8i9\n\n7,7 8,8 6,9\n"), ["h8 i9", "h8 i9 g10"]);
        // The center of a board with an even edge is the point above and to the right of the middle.
        assert_eq!(read(15, "0,0, 1,0, 1,3\n-7,-7, 7,7\n"), ["h8 i8 i11", "a1 o15"]);
        assert_eq!(read(20, "-7,-8, -6,-9, -3,-9"), ["d3 e2 h2"]);
        assert_eq!(read(15, "(;GM[4]SZ[15];B[hh];W[ig])"), ["h8 i9"]);
        let drawn = ". . . . .\n. x . . .\n. . o . .\n. . . . .\n. . . . .\n";
        let games = empty(5).read_openings(drawn.as_bytes()).expect("a board");
        assert_eq!((games.len(), games[0].start().n_stones()), (1, 2));
        for (text, message) in [
            ("", "there is no opening here"),
            ("# nothing\n", "there is no opening here"),
            ("h8\nh8h8\n", "line 2: h8 is no legal move after 1 moves"),
            ("9,0, 0,0", "line 1: 9,0 from the center is outside the board"),
            (
                "(;GM[4]SZ[19];B[hh])",
                "line 1: the opening is for freestyle on 19 points, the match for freestyle on 15 (--rule, --size)",
            ),
            (
                "a1a2b1b2c1c2d1d2e1",
                "line 1: the game is over at the end of this opening",
            ),
        ] {
            let error = empty(15).read_openings(text.as_bytes()).expect_err(text);
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn starts_are_read_back() {
        let board = empty(9);
        assert_eq!(
            (board.rules().as_str(), board.start_text()),
            ("gomoku freestyle 9", None)
        );
        assert_eq!(Board::read_start("gomoku freestyle 9", None), Ok(board));
        let mut board = Board::new(Rule::Renju, 9).expect("a size");
        for text in ["e5", "e6", "f5"] {
            board.play(text.parse().expect("a point")).expect("empty");
        }
        let text = board.start_text().expect("stones");
        assert_eq!(Board::read_start("gomoku renju 9", Some(&text)), Ok(board));
        assert!(Board::read_start("othello", None).is_err());
        assert!(Board::read_start("gomoku chess 9", None).is_err());
    }

    #[test]
    fn random_openings_stay_near_the_center() {
        assert_eq!(empty(15).opening_moves().len(), 25);
        assert_eq!(empty(20).opening_moves().len(), 16);
    }
}
