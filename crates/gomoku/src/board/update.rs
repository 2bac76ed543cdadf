//! Placing a stone and taking it back: the inner loop of every search.

use super::{Board, Change, Frame};
use crate::{
    Color, Point, PointSet, Shape,
    point::STRIDE,
    shape::{BLACK, EMPTY, WHITE},
    tables::{class_of, combo_of},
    zobrist,
};

/// Points of wall before the first point of a line.
const MARGIN: u32 = 5;
/// Index steps along a row, a column, a rising and a falling diagonal.
pub(super) const STEPS: [isize; 4] = [1, STRIDE as isize, STRIDE as isize + 1, 1 - STRIDE as isize];

/// Where a point lies on one of its four lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) line: usize,
    /// Bit position of the point in the word of the line.
    pub(super) shift: u32,
    /// Points of the board on either side along the line.
    pub(super) before: u32,
    pub(super) after: u32,
}

impl Board {
    /// Returns where `point` lies on its line along `direction`.
    #[inline]
    pub(super) fn place_on(&self, point: Point, direction: usize) -> Place {
        let (x, y) = (u32::from(point.x()), u32::from(point.y()));
        let last = u32::from(self.size) - 1;
        let (line, at, before, after) = match direction & 3 {
            0 => (y, x, x, last.wrapping_sub(x)),
            1 => (x, y, y, last.wrapping_sub(y)),
            2 => (19 + x - y, x, x.min(y), last.wrapping_sub(x.max(y))),
            _ => (x + y, x, x.min(last.wrapping_sub(y)), last.wrapping_sub(x).min(y)),
        };
        Place {
            line: line as usize & 63,
            shift: 2 * (at + MARGIN),
            before,
            after,
        }
    }

    /// Cuts the window around bit position `shift` out of the word of a line.
    #[inline]
    pub(super) fn window<const RADIUS: u32>(word: u64, shift: u32) -> u32 {
        let low = (1u64 << (2 * RADIUS)) - 1;
        let at_low = word >> (shift - 2 * RADIUS);
        ((at_low & low) | (at_low >> 2 & (low << (2 * RADIUS)))) as u32
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
        let frame = Frame {
            point,
            color,
            n_changes: self.changes.len() as u32,
            sums: self.sums,
            end: self.end,
        };
        self.frames.push(frame);
        if !self.is_empty(point) {
            debug_assert!(false, "{point} is occupied or outside");
            return;
        }
        self.leave_sets(point.idx());
        self.stones[color.idx()].insert(point);
        self.n_empty -= 1;
        self.key ^= zobrist::stone(point, color);
        let stone = if color == Color::Black { BLACK } else { WHITE };
        if self.tables.shapes.radius == 4 {
            self.walk::<4>(point, u64::from(stone));
        } else {
            self.walk::<5>(point, u64::from(stone));
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
            n_changes,
            sums,
            end,
        } = self.frames.pop()?;
        self.end = end;
        if !self.stones[color.idx()].contains(point) {
            return Some(point);
        }
        let stone = u64::from(if color == Color::Black { BLACK } else { WHITE });
        for direction in 0..4 {
            let Place { line, shift, .. } = self.place_on(point, direction);
            self.lines[direction][line] ^= stone << shift;
        }
        while self.changes.len() > n_changes as usize {
            let Some(change) = self.changes.pop() else { break };
            let idx = usize::from(change.idx) & 511;
            self.codes[idx] = change.codes;
            for color in 0..2 {
                self.set_combo(idx, color, change.combos[color]);
            }
        }
        self.sums = sums;
        self.stones[color.idx()].remove(point);
        self.n_empty += 1;
        self.key ^= zobrist::stone(point, color);
        self.enter_sets(point.idx());
        Some(point)
    }

    /// Flips `stone` on `point` in its four lines and follows the change to the points around it.
    #[inline]
    fn walk<const RADIUS: u32>(&mut self, point: Point, stone: u64) {
        for direction in 0..STEPS.len() {
            let Place {
                line,
                shift,
                before,
                after,
            } = self.place_on(point, direction);
            let word = self.lines[direction][line] ^ stone << shift;
            self.lines[direction][line] = word;
            self.walk_side::<RADIUS, false>(point, word, shift, direction, before.min(RADIUS));
            self.walk_side::<RADIUS, true>(point, word, shift, direction, after.min(RADIUS));
        }
    }

    /// Follows a change on `point` to at most `n_points` points on one side of it.
    #[inline(always)]
    fn walk_side<const RADIUS: u32, const AFTER: bool>(
        &mut self,
        point: Point,
        word: u64,
        mut shift: u32,
        direction: usize,
        n_points: u32,
    ) {
        let step = if AFTER {
            STEPS[direction]
        } else {
            -STEPS[direction]
        };
        let mut idx = point.idx() as isize;
        let mut seen = 0;
        for _ in 0..n_points {
            idx += step;
            shift = if AFTER { shift + 2 } else { shift - 2 };
            let cell = word >> shift & 3;
            if cell == u64::from(EMPTY) {
                self.refresh::<RADIUS>(idx as usize & 511, word, shift, direction);
                continue;
            }
            seen |= cell;
            if seen == u64::from(BLACK | WHITE) {
                // Behind stones of both colors neither color's shapes can change.
                return;
            }
        }
    }

    /// Looks the shape of the empty point `idx` along `direction` up again.
    #[inline(always)]
    fn refresh<const RADIUS: u32>(&mut self, idx: usize, word: u64, shift: u32, direction: usize) {
        let pair = u32::from(self.tables.shapes.get(Self::window::<RADIUS>(word, shift)));
        let nibbles = (pair & 15 | (pair >> 4) << 16) << (4 * direction);
        let before = self.codes[idx];
        let after = before & !(0x000F_000F << (4 * direction)) | nibbles;
        if after == before {
            return;
        }
        let combos = self.combos[idx];
        self.changes.push(Change {
            codes: before,
            combos,
            idx: idx as u16,
        });
        self.codes[idx] = after;
        let changed = before ^ after;
        for (color, old) in combos.into_iter().enumerate() {
            if changed >> (16 * color) & 0xFFFF != 0 {
                let code = (after >> (16 * color) & 0xFFFF) as usize;
                let combo = self.tables.packed[color][code];
                self.sums[color] += self.weight(color, combo) - self.weight(color, old);
                self.set_combo(idx, color, combo);
            }
        }
    }

    #[inline(always)]
    fn weight(&self, color: usize, combo: u16) -> i64 {
        self.tables.weights[color][combo_of(combo)]
    }

    /// Stores the combination of the empty point `idx` and moves the point to the set of its class.
    #[inline(always)]
    fn set_combo(&mut self, idx: usize, color: usize, combo: u16) {
        let (old, new) = (class_of(self.combos[idx][color]), class_of(combo));
        self.combos[idx][color] = combo;
        if old != new {
            self.sets[color][old].toggle_idx(idx);
            self.sets[color][new].toggle_idx(idx);
            self.counts[color][old] -= 1;
            self.counts[color][new] += 1;
        }
    }

    fn leave_sets(&mut self, idx: usize) {
        for color in 0..2 {
            let combo = self.combos[idx & 511][color];
            self.sets[color][class_of(combo)].toggle_idx(idx);
            self.counts[color][class_of(combo)] -= 1;
            self.sums[color] -= self.weight(color, combo);
        }
    }

    fn enter_sets(&mut self, idx: usize) {
        for color in 0..2 {
            let combo = self.combos[idx & 511][color];
            self.sets[color][class_of(combo)].toggle_idx(idx);
            self.counts[color][class_of(combo)] += 1;
        }
    }

    /// Computes every line, shape, set and sum from the stones alone.
    pub(super) fn rebuild_lines(&mut self) {
        self.lines = [[u64::MAX; 64]; 4];
        let points = PointSet::board(self.size);
        for point in points {
            let stone = match self.get(point) {
                None => EMPTY,
                Some(Color::Black) => BLACK,
                Some(Color::White) => WHITE,
            };
            for direction in 0..4 {
                let Place { line, shift, .. } = self.place_on(point, direction);
                let word = &mut self.lines[direction][line];
                *word = *word & !(3 << shift) | u64::from(stone) << shift;
            }
        }
        self.sets = [[PointSet::EMPTY; 16]; 2];
        self.counts = [[0; 16]; 2];
        self.sums = [0; 2];
        for point in points {
            let idx = point.idx();
            self.codes[idx] = (0..4).fold(0, |codes, direction| {
                let Place { line, shift, .. } = self.place_on(point, direction);
                let word = self.lines[direction][line];
                let pair = u32::from(self.tables.shapes.get(self.window_at(word, shift)));
                codes | (pair & 15 | (pair >> 4) << 16) << (4 * direction)
            });
            for color in 0..2 {
                self.combos[idx][color] =
                    self.tables.packed[color][(self.codes[idx] >> (16 * color) & 0xFFFF) as usize];
            }
            if self.is_empty(point) {
                self.enter_sets(idx);
                for color in 0..2 {
                    self.sums[color] += self.weight(color, self.combos[idx][color]);
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
        let direction = direction & 3;
        let Place { line, shift, .. } = self.place_on(point, direction);
        let beside = self.place_on(extra, direction);
        let mut word = self.lines[direction][line];
        if beside.line == line && extra != point {
            let stone = if other == Color::Black { BLACK } else { WHITE };
            word ^= u64::from(stone) << beside.shift;
        }
        let pair = u32::from(self.tables.shapes.get(self.window_at(word, shift)));
        Shape::from_bits(pair >> (4 * color.idx()))
    }

    /// Cuts a window of the radius of this board's rule set.
    #[inline]
    pub(super) fn window_at(&self, word: u64, shift: u32) -> u32 {
        if self.tables.shapes.radius == 4 {
            Self::window::<4>(word, shift)
        } else {
            Self::window::<5>(word, shift)
        }
    }
}
