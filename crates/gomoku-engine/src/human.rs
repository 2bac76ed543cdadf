//! Players that err as people do: they look past rows.
//!
//! Nobody who knows the rules leaves a four alone that he has seen; people lose because they have not seen it.
//! So before each move a player at the level `human-N` draws which rows with a four, or with a three that can become
//! one, he looks past: the likelier, the further they are from the last stone, and on a diagonal more than on a row; his
//! own he sees better than the other side's. What he sees, he treats as everybody does: five, else the block of a five,
//! else an open four or two fours, else an answer to what the other side makes of a three.
//! Where nothing is urgent, the stronger ones read fours to the end ([`ThreatSearch::vcf`]), the strongest also threats,
//! for both sides; all choose by the evaluation one stone ahead, the weaker the more roughly.
//! \[MCILROY20\] has shown that weaker play is no strong play with noise; what is missed here is a guess of ours, and only
//! the order of the levels is measured (docs/gomoku.md).

use crate::{
    budget::Budget,
    eval::Weights,
    search::ESTIMATE,
    threat::{
        points::is_allowed,
        search::{Answer, ThreatSearch},
    },
    value::Value,
};
use outflank_game::SplitMix64;
use outflank_gomoku::{Board, Class, Color, Point, PointSet, Shape};
use outflank_search::{Level, Line, Verdict};
use std::cmp::Ordering;

/// What a level that errs as people do overlooks, and how it chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manner {
    /// Share of the fours of the other side, near the last stone and not on a diagonal, whose answer is overlooked.
    pub missed_fours: f64,
    /// The same of its threes, open or not, which one more stone makes a four.
    pub missed_threes: f64,
    /// How many fours ahead a win by fours is read, for both sides; 0 for not at all.
    pub fours: u32,
    /// Positions that one reading of a win by fours and threats may cost, for both sides; 0 for not at all.
    pub threats: u64,
    /// By how much the value of a move is mistaken: standard deviation, in 1/500 of the logarithm of the odds.
    pub roughness: f64,
}

impl Manner {
    /// Returns what level `human-{level}` does; levels beyond the ends do as the last one.
    pub const fn of(level: u32) -> Self {
        let at = level.saturating_sub(1);
        GRADES[if at < Level::HUMANS { at } else { Level::HUMANS - 1 } as usize]
    }

    const fn new([missed_fours, missed_threes]: [f64; 2], fours: u32, threats: u64, roughness: f64) -> Self {
        Self {
            missed_fours,
            missed_threes,
            fours,
            threats,
            roughness,
        }
    }
}

/// The levels, the weakest first.
const GRADES: [Manner; Level::HUMANS as usize] = [
    Manner::new([0.20, 0.65], 0, 0, 900.0),
    Manner::new([0.10, 0.45], 0, 0, 500.0),
    Manner::new([0.05, 0.30], 0, 0, 350.0),
    Manner::new([0.025, 0.20], 1, 0, 240.0),
    Manner::new([0.012, 0.12], 1, 0, 170.0),
    Manner::new([0.007, 0.08], 2, 0, 140.0),
    Manner::new([0.002, 0.02], 5, 0, 60.0),
    Manner::new([0.0, 0.003], 8, 400, 20.0),
];

/// How much likelier a row is overlooked on a diagonal.
const ON_DIAGONAL: f64 = 1.6;
/// How much likelier a row is overlooked that the last stone has not touched.
const FAR_AWAY: f64 = 1.7;
/// How much likelier one's own row is overlooked.
const OWN: f64 = 0.5;
/// Positions that one reading of fours may cost.
const READING: u64 = 400;
/// Moves that are looked at for what the other side could do by fours after them.
const CHECKED: usize = 6;
/// Columns and rows from the stones to the furthest move that is thought of.
const REACH: u32 = 2;
/// Lines of each direction, at most.
const N_LINES: usize = 64;

/// Returns the number of the line through `point` in `direction`: a row, a column, a rising or a falling diagonal.
const fn line_of(point: Point, direction: usize) -> usize {
    let (x, y) = (point.x() as usize, point.y() as usize);
    match direction {
        0 => y,
        1 => x,
        2 => x + 20 - y,
        _ => x + y,
    }
}

/// Returns whether this shape of a point is one that must not be overlooked.
fn has_four(shape: Shape) -> bool {
    shape >= Shape::Four
}

/// Which rows a player sees at this moment.
struct Sight {
    /// By color, direction and line: whether it is overlooked.
    overlooked: [[[bool; N_LINES]; 4]; 2],
}

impl Sight {
    /// Draws what the side to move sees.
    fn draw(board: &Board, last: Option<Point>, manner: &Manner, random: &mut SplitMix64) -> Self {
        let side = board.side();
        // The strongest shape that a stone can make in each line.
        let mut strongest = [[[Shape::Dead; N_LINES]; 4]; 2];
        for point in &board.empties() {
            for color in Color::BOTH {
                for (direction, shape) in board.shapes(point, color).into_iter().enumerate() {
                    let best = &mut strongest[color.idx()][direction][line_of(point, direction)];
                    *best = (*best).max(shape);
                }
            }
        }
        let mut overlooked = [[[false; N_LINES]; 4]; 2];
        for color in Color::BOTH {
            for direction in 0..4 {
                for line in 0..N_LINES {
                    let shape = strongest[color.idx()][direction][line];
                    if !has_four(shape) {
                        continue;
                    }
                    let mut chance = if shape == Shape::Five {
                        manner.missed_fours
                    } else {
                        manner.missed_threes
                    };
                    if color == side {
                        chance *= OWN;
                    }
                    if direction >= 2 {
                        chance *= ON_DIAGONAL;
                    }
                    if last.is_none_or(|last| line_of(last, direction) != line) {
                        chance *= FAR_AWAY;
                    }
                    overlooked[color.idx()][direction][line] = random.unit() < chance.min(0.9);
                }
            }
        }
        Self { overlooked }
    }

    /// Returns what a stone of `color` on `point` makes, as the player sees it.
    fn class(&self, board: &Board, point: Point, color: Color) -> Class {
        let mut shapes = board.shapes(point, color);
        for (direction, shape) in shapes.iter_mut().enumerate() {
            if self.overlooked[color.idx()][direction][line_of(point, direction)] {
                *shape = Shape::Dead;
            }
        }
        Class::of(shapes, board.rule(), color)
    }

    /// Returns whether `point` matters in a row that is overlooked.
    fn hides(&self, board: &Board, point: Point) -> bool {
        Color::BOTH.into_iter().any(|color| {
            let mut shapes = board.shapes(point, color).into_iter().enumerate();
            shapes.any(|(direction, shape)| {
                has_four(shape) && self.overlooked[color.idx()][direction][line_of(point, direction)]
            })
        })
    }
}

/// One choice of a move.
pub(crate) struct Chooser<'a> {
    /// The position; it is as it was after the choice.
    pub(crate) board: &'a mut Board,
    pub(crate) weights: &'a Weights,
    pub(crate) threats: &'a mut ThreatSearch,
    pub(crate) random: &'a mut SplitMix64,
    /// Positions looked at so far.
    pub(crate) nodes: u64,
}

impl Chooser<'_> {
    /// Chooses a move in a game that goes on, after the stone on `last`; none of those `excluded` if there is another, one
    /// that is forbidden only where no other is left.
    pub(crate) fn choose(
        &mut self,
        manner: &Manner,
        last: Option<Point>,
        excluded: &[Point],
    ) -> Line<Point, Value> {
        let side = self.board.side();
        let candidates = self.candidates(excluded);
        let sight = Sight::draw(self.board, last, manner, self.random);
        let seen = |board: &Board, color: Color, least: Class| -> Vec<Point> {
            candidates
                .iter()
                .filter(|&point| sight.class(board, point, color) >= least)
                .collect()
        };
        let fives = seen(self.board, side, Class::Five);
        if let Some(five) = self.any_of(&fives) {
            return Line::searched(vec![five], Value::Win(1), Verdict::WinLossDraw);
        }
        let blocks = seen(self.board, !side, Class::Five);
        if !blocks.is_empty() {
            return self.best_of(&blocks, manner, None);
        }
        let open_fours = seen(self.board, side, Class::OpenFour);
        if let Some(four) = self.any_of(&open_fours) {
            return self.line(four);
        }
        let won = self.read_win(side, manner, &sight);
        if let Some(first) = won.filter(|&first| candidates.contains(first)) {
            return self.line(first);
        }
        if !seen(self.board, !side, Class::OpenFour).is_empty() {
            // Against a three: where it would become a four, or a four of one's own.
            let mut answers = seen(self.board, !side, Class::Four);
            answers.extend(seen(self.board, side, Class::Four));
            answers.sort_unstable();
            answers.dedup();
            return self.best_of(&answers, manner, Some(&sight));
        }
        let mut quiet: Vec<Point> = candidates
            .iter()
            .filter(|&point| !sight.hides(self.board, point))
            .collect();
        if quiet.is_empty() {
            quiet.extend(candidates);
        }
        self.best_of(&quiet, manner, Some(&sight))
    }

    /// Returns the points near the stones, or near the middle of an empty board.
    fn neighborhood(&self) -> PointSet {
        let board = &self.board;
        let stones = board.stones(Color::Black).union(board.stones(Color::White));
        let middle = board.size() / 2;
        let near = if stones.is_empty() {
            let middle: PointSet = Point::new(middle, middle).into_iter().collect();
            middle.spread(1)
        } else {
            stones.spread(REACH)
        };
        near.intersection(&board.empties())
    }

    /// Returns the moves that are thought of: allowed and near the stones, as far as there are such.
    fn candidates(&self, excluded: &[Point]) -> PointSet {
        let board = &self.board;
        let empties = board.empties();
        let wanted = empties.without(&excluded.iter().copied().collect());
        let near = self.neighborhood();
        let allowed = |points: PointSet| -> PointSet {
            points
                .iter()
                .filter(|&point| is_allowed(board, point, board.side()))
                .collect()
        };
        [near.intersection(&wanted), wanted, empties]
            .into_iter()
            .map(allowed)
            .find(|points| !points.is_empty())
            .unwrap_or(empties)
    }

    fn any_of(&mut self, points: &[Point]) -> Option<Point> {
        (!points.is_empty()).then(|| points[self.random.below(points.len())])
    }

    /// Returns the first move of a forced win of `color`, who is to move, as far as the player reads and sees it.
    fn read_win(&mut self, color: Color, manner: &Manner, sight: &Sight) -> Option<Point> {
        if manner.fours == 0 {
            return None;
        }
        let mut budget = Budget::nodes_only(READING);
        let mut answer = self.threats.vcf(self.board, color, manner.fours, &mut budget);
        self.nodes += budget.nodes();
        if manner.threats > 0 && !matches!(answer, Answer::Win { .. }) {
            let mut budget = Budget::nodes_only(manner.threats);
            answer = self.threats.vct_by_proof_numbers(self.board, color, &mut budget);
            self.nodes += budget.nodes();
        }
        match answer {
            Answer::Win { line, .. } => line.first().copied(),
            Answer::NoWin { .. } | Answer::Unknown => None,
        }
        .filter(|&first| !sight.hides(self.board, first))
    }

    /// Returns the value after the side to move has placed a stone on `point`, for that side.
    fn value_of(&mut self, point: Point) -> i32 {
        let side = self.board.side();
        self.nodes += 1;
        self.board.place(point, side);
        let value = -self.weights.evaluate(self.board, !side);
        self.board.unplace();
        value
    }

    /// Returns one of `points`, of which there are some: the best by values that are mistaken a little; where the player
    /// reads fours, and has a sight, one after which the other side has no forced win that he sees.
    fn best_of(&mut self, points: &[Point], manner: &Manner, sight: Option<&Sight>) -> Line<Point, Value> {
        let side = self.board.side();
        let mut valued: Vec<(f64, Point)> = points
            .iter()
            .map(|&point| {
                let value = f64::from(self.value_of(point));
                (value + manner.roughness * self.deviation(), point)
            })
            .collect();
        valued.sort_by(|one, other| other.0.partial_cmp(&one.0).unwrap_or(Ordering::Equal));
        let first = valued.first().map_or_else(Point::default, |&(_, point)| point);
        let Some(sight) = sight.filter(|_| manner.fours > 0) else {
            return self.line(first);
        };
        let safe = valued.iter().take(CHECKED).find(|&&(_, point)| {
            self.board.place(point, side);
            let lost = self.read_win(!side, manner, sight);
            self.board.unplace();
            lost.is_none()
        });
        let chosen = safe.map_or(first, |&(_, point)| point);
        self.line(chosen)
    }

    /// Draws from a distribution of mean 0 and deviation 1, about a normal one.
    fn deviation(&mut self) -> f64 {
        let sum: f64 = (0..12).map(|_| self.random.unit()).sum();
        sum - 6.0
    }

    /// Returns a move with what it is worth one stone ahead.
    fn line(&mut self, point: Point) -> Line<Point, Value> {
        let value = Value::Estimate(self.value_of(point));
        Line::searched(vec![point], value, ESTIMATE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, EngineConfig, Request};
    use outflank_gomoku::Rule;
    use outflank_search::StopToken;

    fn engine() -> Engine {
        Engine::with(EngineConfig {
            table_bytes: 1 << 20,
            threat_bits: 12,
            ..EngineConfig::default()
        })
        .expect("memory")
    }

    fn board(rule: Rule, moves: &str) -> Board {
        let mut board = Board::new(rule, 15).expect("a size");
        for text in moves.split_whitespace() {
            board.play(text.parse().expect("a point")).expect("legal");
        }
        board
    }

    fn human(number: u32) -> Level {
        Level::human(number).expect("a level")
    }

    fn answer(engine: &mut Engine, board: &Board, level: Level) -> Point {
        let request = Request::new(board.clone()).level(level);
        let outcome = engine.search(&request, &StopToken::new(), &mut |_| {});
        outcome.best_move().expect("a move")
    }

    /// Plays a game of two levels, black's first; returns the last position.
    fn game(engines: &mut [Engine; 2], levels: [Level; 2], rule: Rule, start: &str) -> Board {
        let mut board = board(rule, start);
        while board.end().is_none() {
            let at = board.side().idx();
            let mv = answer(&mut engines[at], &board, levels[at]);
            assert!(board.is_empty(mv));
            assert!(
                board.side() == Color::White
                    || !board.is_forbidden(mv)
                    || board.forbidden_points() == board.empties(),
                "{mv} is forbidden\n{board}"
            );
            board.play(mv).expect("legal");
        }
        board
    }

    fn moves(board: &Board) -> Vec<Point> {
        board.history().into_iter().map(|(point, _)| point).collect()
    }

    #[test]
    fn a_seed_makes_a_game_and_another_seed_another_one() {
        let play = |seed: u64, level: u32| {
            let mut engines = [engine(), engine()];
            for (engine, seed) in engines.iter_mut().zip([seed, seed + 100]) {
                engine.reseed(seed);
            }
            moves(&game(&mut engines, [human(level); 2], Rule::Freestyle, ""))
        };
        for level in [1, 4, 8] {
            assert_eq!(play(1, level), play(1, level));
            assert_ne!(play(1, level), play(2, level));
        }
    }

    #[test]
    fn games_of_all_rule_sets_come_to_an_end_without_an_illegal_move() {
        let mut engines = [engine(), engine()];
        for rule in Rule::ALL {
            for level in 1..=8 {
                engines[0].reseed(u64::from(level));
                game(&mut engines, [human(level), human(9 - level)], rule, "h8 i9");
            }
        }
    }

    /// How many of 400 answers leave a four of the other side alone.
    fn missed(level: u32, moves: &str, block: &str) -> usize {
        let board = board(Rule::Freestyle, moves);
        let block = block.parse().expect("a point");
        let mut engine = engine();
        engine.reseed(u64::from(level));
        (0..400)
            .filter(|_| answer(&mut engine, &board, human(level)) != block)
            .count()
    }

    #[test]
    fn fours_are_overlooked_less_and_less_and_most_on_a_diagonal_far_from_the_last_stone() {
        // A four in a row whose one end is blocked, made by the last stone, and the same with the last stone elsewhere.
        let near = "h8 g8 i8 a1 j8 o1 k8";
        let far = "h8 g8 i8 a1 j8 o1 k8 a15 o15";
        let slant = "h8 g7 i9 a1 j10 o1 k11 a15 o14";
        let far_missed: Vec<usize> = (1..=8).map(|level| missed(level, far, "l8")).collect();
        assert!(
            far_missed.windows(2).all(|pair| pair[0] >= pair[1]),
            "{far_missed:?}"
        );
        assert!(far_missed[0] > 60 && far_missed[7] == 0, "{far_missed:?}");
        for level in 1..=4 {
            let near = missed(level, near, "l8");
            let slant = missed(level, slant, "l12");
            let far = far_missed[level as usize - 1];
            assert!(near < far && far < slant, "human-{level}: {near} {far} {slant}");
        }
    }

    #[test]
    fn who_sees_a_five_makes_it() {
        let board = board(Rule::Freestyle, "h8 a1 i8 a15 j8 o1 k8 o15");
        let mut engine = engine();
        for _ in 0..50 {
            let mv = answer(&mut engine, &board, human(8)).to_string();
            assert!(mv == "g8" || mv == "l8", "{mv}");
        }
    }

    /// Openings of two to four stones, each played twice.
    const OPENINGS: [&str; 8] = [
        "h8 i9",
        "h8 h9",
        "h8 i8 k11",
        "h8 g9 f10",
        "h8 i9 j7",
        "h8 h10 l9",
        "h8 i10 e7 k12",
        "g8 i9 j6 f11",
    ];

    /// Returns the points, twice, of the stronger level in a match of so many games from each opening with each color.
    fn points_of_the_stronger(weak: Level, strong: Level, rounds: u64) -> u32 {
        let mut engines = [engine(), engine()];
        let mut points = 0;
        for round in 0..rounds * OPENINGS.len() as u64 {
            let start = OPENINGS[round as usize % OPENINGS.len()];
            for stronger in Color::BOTH {
                engines.iter_mut().for_each(Engine::clear);
                engines[0].reseed(round);
                engines[1].reseed(round + 1000);
                let mut levels = [weak; 2];
                levels[stronger.idx()] = strong;
                let end = game(&mut engines, levels, Rule::Freestyle, start).end();
                points += match end.and_then(outflank_gomoku::End::winner) {
                    Some(winner) if winner == stronger => 2,
                    Some(_) => 0,
                    None => 1,
                };
            }
        }
        points
    }

    #[test]
    fn every_level_beats_the_one_below() {
        let all: Vec<Level> = Level::humans().collect();
        let points: Vec<u32> = all
            .windows(2)
            .map(|pair| points_of_the_stronger(pair[0], pair[1], 2))
            .collect();
        let half = 4 * OPENINGS.len() as u32;
        assert!(
            points.iter().all(|&points| points > half),
            "of {}: {points:?}",
            2 * half
        );
    }

    /// The table of docs/gomoku.md.
    #[test]
    #[ignore = "measures: 96 games for each pair of levels"]
    fn the_ladder_in_many_games() {
        let searches = [1, 4, 8, 12].map(|number| Level::new(number).expect("a level"));
        let ladder: Vec<Level> = Level::humans().chain(searches).collect();
        for pair in ladder.windows(2) {
            let points = points_of_the_stronger(pair[0], pair[1], 6);
            println!(
                "{} against {}: {:.1} %",
                pair[1],
                pair[0],
                f64::from(points) / 1.92
            );
        }
    }
}
