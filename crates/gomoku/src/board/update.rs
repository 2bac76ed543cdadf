//! Placing a stone and taking it back: the inner loop of every search.
//!
//! A stone changes the shapes of nearly every empty point that it can be seen from, about twenty, so that the work per
//! point counts. Which points to look up is read off the line at once ([`empties_in_sight`]); a first pass over them
//! renews their words, a second lets combinations, kinds and sums follow. A search for fours needs the second only for
//! the few points with a mark ([`Board::place_for_fours`]).

use super::{Board, Frame, IDX_SHIFT, Kind, LEAST_MARK, Touch, WHOLE, Word, half};
use crate::{
    Color, Point, PointSet, Shape,
    point::{N_POINTS, STRIDE},
    shape::{BLACK, EMPTY, WHITE},
    tables::{OCCUPIED, PackedTable, WordTable, combo_of, number_in},
    zobrist,
};

/// Points of wall before the first point of a line.
const MARGIN: usize = 5;
/// Index steps along a row, a column, a rising and a falling diagonal.
const STEPS: [isize; 4] = [1, STRIDE as isize, STRIDE as isize + 1, 1 - STRIDE as isize];

/// Where a point lies on one of its four lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) line: u8,
    /// Bit position of the point in the word of the line.
    pub(super) shift: u8,
}

/// Where every point lies along the four directions, whatever the size of the board.
static PLACES: [[Place; 4]; 512] = {
    let mut places = [[Place { line: 0, shift: 10 }; 4]; 512];
    let mut idx = 0;
    while idx < N_POINTS {
        let (x, y) = (idx % STRIDE, idx / STRIDE);
        let lines = [(y, x), (x, y), (STRIDE - 1 + x - y, x), (x + y, x)];
        let mut direction = 0;
        while direction < 4 {
            let (line, at) = lines[direction];
            places[idx][direction] = Place {
                line: (64 * direction + line) as u8,
                shift: 2 * (at + MARGIN) as u8,
            };
            direction += 1;
        }
        idx += 1;
    }
    places
};

/// Returns where `point` lies along the four directions.
#[inline(always)]
pub(super) fn places(point: Point) -> &'static [Place; 4] {
    &PLACES[point.idx() & 511]
}

/// Room in a log for what one stone changes: five points on either side along four directions, and its own. A power of
/// two, so that an index can be masked instead of checked.
const ROOM: usize = 64;

/// Takes the point `idx` out of the kinds of the classes in `old` and puts it into those of the classes in `new`.
#[inline(always)]
fn carry_over(kinds: &mut [Kind; 32], idx: usize, old: u32, new: u32) {
    for color in Color::BOTH {
        let kind_of = |combos: u32| 16 * color.idx() + number_in(half(combos, color));
        if kind_of(old) == kind_of(new) {
            continue;
        }
        // For fours, points leave kinds that they never came into: taking the stones back sets all right.
        let from = &mut kinds[kind_of(old)];
        from.points.toggle_idx(idx);
        from.count = from.count.wrapping_sub(1);
        let to = &mut kinds[kind_of(new)];
        to.points.toggle_idx(idx);
        to.count = to.count.wrapping_add(1);
    }
}

/// Lets combinations and kinds follow the words of points.
struct Touching<'a> {
    packed: [&'static PackedTable; 2],
    combos: &'a mut [u32; 512],
    kinds: &'a mut [Kind; 32],
    touches: &'a mut [Touch; ROOM],
    n_touches: usize,
}

impl Touching<'_> {
    /// Gives the point `idx` a new combination and returns the old one.
    #[inline(always)]
    fn replace(&mut self, idx: usize, new: u32) -> u32 {
        let old = self.combos[idx];
        self.touches[self.n_touches & (ROOM - 1)] = Touch {
            idx: idx as u32,
            combos: old,
        };
        self.n_touches += 1;
        carry_over(self.kinds, idx, old, new);
        self.combos[idx] = new;
        old
    }

    /// Gives the point `idx` the combination of `word`; returns the old and the new one.
    #[inline(always)]
    fn follow(&mut self, idx: usize, word: Word) -> (u32, u32) {
        let new = packed_at(self.packed, word);
        (self.replace(idx, new), new)
    }
}

/// Looks the combination that belongs to the shapes in `word` up.
#[inline(always)]
fn packed_at(packed: [&PackedTable; 2], word: Word) -> u32 {
    let black = packed[0][usize::from(half(word as u32, Color::Black))];
    let white = packed[1][usize::from(half(word as u32, Color::White))];
    u32::from(black) | u32::from(white) << 16
}

/// Returns the index of the point that `word` belongs to.
#[inline(always)]
const fn idx_in(word: Word) -> usize {
    (word >> IDX_SHIFT) as usize & 511
}

/// Returns the sums of the weights of both colors for a point with `combos`.
#[inline(always)]
fn weights_of(weights: [&[i64; 4096]; 2], combos: u32) -> [i64; 2] {
    [
        weights[0][combo_of(half(combos, Color::Black))],
        weights[1][combo_of(half(combos, Color::White))],
    ]
}

/// Looks at the points around a stone, and writes down what it changed.
struct Look<'a> {
    shapes: &'a [u8; 1 << 20],
    table: &'a WordTable,
    words: &'a mut [Word; 512],
    old_words: &'a mut [Word; ROOM],
    n_words: usize,
    /// A bit for each old word whose point had or has a mark of a sharp class; the last word has the lowest bit.
    marked: u64,
}

impl Look<'_> {
    /// Looks the shapes of the empty points along one direction up again; the center of `view` is the stone.
    ///
    /// Nearly all of them change, so that nothing is gained by asking whether they did.
    #[inline(always)]
    fn look<const RADIUS: u32, const DIRECTION: usize>(&mut self, center: usize, view: u64) {
        let first = center as isize - RADIUS as isize * STEPS[DIRECTION];
        let mut left = empties_in_sight::<RADIUS>(view);
        while left != 0 {
            let at = left.trailing_zeros();
            left &= left - 1;
            let pair = self.shapes[Board::window_from::<RADIUS>(view >> at) as usize & 0xF_FFFF];
            let idx = (first + STEPS[DIRECTION] * (at / 2) as isize) as usize & 511;
            let old = self.words[idx];
            let new = old & !(WHOLE << (4 * DIRECTION)) | self.table[usize::from(pair)] << (4 * DIRECTION);
            self.words[idx] = new;
            self.old_words[self.n_words & (ROOM - 1)] = old;
            self.n_words += 1;
            self.marked = 2 * self.marked + u64::from(old | new >= LEAST_MARK);
        }
    }
}

/// Returns a bit for each empty point within `RADIUS` points on either side of the center of `view`, down to the first
/// point behind stones of both colors (or behind a wall, which counts as both): nothing beyond can change.
///
/// The center lies at bit `4 * RADIUS` of the view, and the bits of the result are those of the view less
/// `2 * RADIUS`.
#[inline(always)]
fn empties_in_sight<const RADIUS: u32>(view: u64) -> u64 {
    const BLACKS: u64 = 0x5555_5555_5555_5555;
    let range = (1u64 << (2 * RADIUS)) - 1;
    let after = view >> (4 * RADIUS + 2);
    let (black, white) = (after & BLACKS, after >> 1 & BLACKS);
    // From the first point up to and including the nearest stone.
    let up_to = |stones: u64| stones ^ stones.wrapping_sub(1);
    let seen_after = (up_to(black) | up_to(white)) & !(black | white) & BLACKS & range;
    // The same at the top of the word, downward; the lowest bit stands for no stone at all.
    let before = view << (64 - 4 * RADIUS);
    let (black, white) = (before & BLACKS, before >> 1 & BLACKS);
    let down_to = |stones: u64| (stones | 1).ilog2();
    let seen_before = u64::MAX << down_to(black).min(down_to(white)) & !(black | white) & BLACKS;
    seen_after << (2 * RADIUS + 2) | seen_before >> (64 - 2 * RADIUS)
}

impl Board {
    /// Cuts the window around bit position `shift` out of the word of a line.
    #[inline]
    pub(super) fn window<const RADIUS: u32>(word: u64, shift: u8) -> u32 {
        Self::window_from::<RADIUS>(word >> (u32::from(shift) - 2 * RADIUS))
    }

    /// Cuts the window that starts at the lowest bit out of the word of a line.
    #[inline(always)]
    const fn window_from<const RADIUS: u32>(word: u64) -> u32 {
        let low = (1u64 << (2 * RADIUS)) - 1;
        ((word & low) | (word >> 2 & (low << (2 * RADIUS)))) as u32
    }

    /// Puts a stone of `color` on the empty `point`, whoever is to move, without looking for an end of the game.
    ///
    /// For searches that play both sides' forced moves; [`Board::play`] is the checked way to move.
    ///
    /// # Panics
    ///
    /// Does not panic; on an occupied point or one outside the board it does nothing but keep the stack of moves.
    #[inline]
    pub fn place(&mut self, point: Point, color: Color) {
        debug_assert!(!self.is_for_fours(), "{point}: only fours are up to date");
        self.put::<false>(point, color);
    }

    /// Like [`Board::place`], but keeps up to date only what a search for wins by fours asks for: the stones, the
    /// shapes, and the points of the classes from [`Class::Four`](crate::Class::Four) on, of `Forbidden` and of
    /// `Doubtful`.
    ///
    /// About twice as fast. Until the stone is taken back, the sets, counts and points of the other classes and the sums
    /// of the weights are not to be relied on, and no stone may be placed by [`Board::place`].
    #[inline]
    pub fn place_for_fours(&mut self, point: Point, color: Color) {
        self.put::<true>(point, color);
    }

    /// Returns whether the last stone was placed by [`Board::place_for_fours`].
    pub(super) fn is_for_fours(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.for_fours)
    }

    #[inline(always)]
    fn put<const FOR_FOURS: bool>(&mut self, point: Point, color: Color) {
        self.frames.push(Frame {
            point,
            color,
            for_fours: FOR_FOURS,
            n_words: self.n_words as u32,
            n_touches: self.n_touches as u32,
            sums: self.sums,
            end: self.end,
        });
        if !self.is_empty(point) {
            debug_assert!(false, "{point} is occupied or outside");
            return;
        }
        self.stones[color.idx()].insert(point);
        self.empties.remove(point);
        self.n_empty -= 1;
        self.key ^= zobrist::stone(point, color);
        let stone = u64::from(if color == Color::Black { BLACK } else { WHITE });
        if self.tables.shapes.radius == 4 {
            self.follow::<4, FOR_FOURS>(point, stone);
        } else {
            self.follow::<5, FOR_FOURS>(point, stone);
        }
    }

    /// Takes back the last stone placed and returns where it was, or `None` if there is none.
    ///
    /// The side to move is left as it is; [`Board::undo_move`] also gives the turn back.
    #[inline]
    pub fn unplace(&mut self) -> Option<Point> {
        let Frame {
            point,
            color,
            n_words,
            n_touches,
            sums,
            end,
            ..
        } = self.frames.pop()?;
        self.end = end;
        if !self.stones[color.idx()].contains(point) {
            return Some(point);
        }
        let stone = u64::from(if color == Color::Black { BLACK } else { WHITE });
        for &Place { line, shift } in places(point) {
            self.lines[usize::from(line)] ^= stone << shift;
        }
        let first = n_words as usize;
        for &word in self.old_words.get(first..self.n_words).unwrap_or_default() {
            self.words[idx_in(word)] = word;
        }
        self.n_words = first;
        let first = n_touches as usize;
        for &Touch { idx, combos } in self.touches.get(first..self.n_touches).unwrap_or_default() {
            let idx = idx as usize & 511;
            carry_over(&mut self.kinds, idx, self.combos[idx], combos);
            self.combos[idx] = combos;
        }
        self.n_touches = first;
        self.sums = sums;
        self.stones[color.idx()].remove(point);
        self.empties.insert(point);
        self.n_empty += 1;
        self.key ^= zobrist::stone(point, color);
        Some(point)
    }

    /// Puts `stone` on `point` into its four lines and follows the change to the points around it.
    fn follow<const RADIUS: u32, const FOR_FOURS: bool>(&mut self, point: Point, stone: u64) {
        if self.old_words.len() < self.n_words + ROOM || self.touches.len() < self.n_touches + ROOM {
            self.make_room();
        }
        let Some(old_words) = self.old_words[self.n_words..].first_chunk_mut() else {
            return;
        };
        let mut look = Look {
            shapes: &self.tables.shapes.entries,
            table: self.tables.words,
            words: &mut self.words,
            old_words,
            n_words: 0,
            marked: 0,
        };
        let center = point.idx() & 511;
        let mut view_along = |direction: usize| {
            let Place { line, shift } = PLACES[center][direction];
            let word = self.lines[usize::from(line)] ^ stone << shift;
            self.lines[usize::from(line)] = word;
            word.rotate_right(u32::from(shift).wrapping_sub(4 * RADIUS))
        };
        look.look::<RADIUS, 0>(center, view_along(0));
        look.look::<RADIUS, 1>(center, view_along(1));
        look.look::<RADIUS, 2>(center, view_along(2));
        look.look::<RADIUS, 3>(center, view_along(3));
        let (n_words, mut marked) = (look.n_words, look.marked);
        let (words, old_words) = (&*look.words, &*look.old_words);
        let Some(touches) = self.touches[self.n_touches..].first_chunk_mut() else {
            return;
        };
        let mut touch = Touching {
            packed: self.tables.packed,
            combos: &mut self.combos,
            kinds: &mut self.kinds,
            touches,
            n_touches: 0,
        };
        let own = touch.replace(center, OCCUPIED);
        if FOR_FOURS {
            while marked != 0 {
                let nth = n_words.wrapping_sub(1 + marked.trailing_zeros() as usize);
                marked &= marked - 1;
                let idx = idx_in(old_words[nth & (ROOM - 1)]);
                touch.follow(idx, words[idx]);
            }
        } else {
            let [black, white] = &self.tables.weights;
            let weights = [&**black, &**white];
            let less = weights_of(weights, own);
            let mut sums = [self.sums[0] - less[0], self.sums[1] - less[1]];
            for &old_word in &old_words[..n_words.min(ROOM)] {
                let idx = idx_in(old_word);
                let (old, new) = touch.follow(idx, words[idx]);
                let (less, more) = (weights_of(weights, old), weights_of(weights, new));
                sums[0] += more[0] - less[0];
                sums[1] += more[1] - less[1];
            }
            self.sums = sums;
        }
        self.n_touches += touch.n_touches;
        self.n_words += n_words;
    }

    /// Lengthens the logs.
    #[cold]
    fn make_room(&mut self) {
        self.old_words.resize(2 * (self.n_words + ROOM), 0);
        self.touches.resize(2 * (self.n_touches + ROOM), Touch::default());
    }

    /// Computes every line, shape, set and sum from the stones alone.
    pub(super) fn rebuild_lines(&mut self) {
        self.lines = [u64::MAX; 256];
        let points = PointSet::board(self.size);
        for point in points {
            let stone = match self.get(point) {
                None => EMPTY,
                Some(Color::Black) => BLACK,
                Some(Color::White) => WHITE,
            };
            for &Place { line, shift } in places(point) {
                let word = &mut self.lines[usize::from(line)];
                *word = *word & !(3 << shift) | u64::from(stone) << shift;
            }
        }
        self.kinds = [Kind::EMPTY; 32];
        self.sums = [0; 2];
        for point in points {
            let idx = point.idx();
            let pairs = places(point).map(|place| self.pair_at(self.lines[usize::from(place.line)], place));
            self.words[idx] = (0..4).fold((idx as Word) << IDX_SHIFT, |word, direction| {
                word | self.tables.words[usize::from(pairs[direction])] << (4 * direction)
            });
            self.combos[idx] = packed_at(self.tables.packed, self.words[idx]);
            if self.is_empty(point) {
                let [black, white] = &self.tables.weights;
                let weights = weights_of([&**black, &**white], self.combos[idx]);
                for color in Color::BOTH {
                    let kind = &mut self.kinds[16 * color.idx() + number_in(half(self.combos[idx], color))];
                    kind.points.insert(point);
                    kind.count += 1;
                    self.sums[color.idx()] += weights[color.idx()];
                }
            }
        }
    }

    /// Returns the shape that a stone of `color` on the empty `point` would make along `direction`, as in
    /// [`Board::shapes`], with one more stone of `other` on the empty point `extra`.
    ///
    /// Costs one look-up; nothing is placed.
    #[inline]
    pub fn shape_beside(
        &self,
        point: Point,
        color: Color,
        direction: usize,
        extra: Point,
        other: Color,
    ) -> Shape {
        let (place, beside) = (places(point)[direction & 3], places(extra)[direction & 3]);
        let mut word = self.lines[usize::from(place.line)];
        if beside.line == place.line && extra != point {
            let stone = if other == Color::Black { BLACK } else { WHITE };
            word ^= u64::from(stone) << beside.shift;
        }
        Shape::from_bits(u32::from(self.pair_at(word, place)) >> (4 * color.idx()))
    }

    /// Looks both colors' shapes at `place` of a line up.
    #[inline]
    fn pair_at(&self, word: u64, place: Place) -> u8 {
        let window = if self.tables.shapes.radius == 4 {
            Self::window::<4>(word, place.shift)
        } else {
            Self::window::<5>(word, place.shift)
        };
        self.tables.shapes.get(window)
    }
}
