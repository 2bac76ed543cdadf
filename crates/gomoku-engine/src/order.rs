//! How much a point promises, for trying good moves first.

use outflank_gomoku::{Board, Color, Combo, N_COMBOS, Point, Shape};
use std::sync::LazyLock;

/// What one line adds to the heat of a point; hand-made, by shape number.
const SHAPE_HEAT: [i32; 15] = [0, 0, 1, 3, 4, 12, 15, 18, 14, 60, 64, 80, 80, 1000, 10_000];

static HEAT: LazyLock<[i32; N_COMBOS]> = LazyLock::new(|| {
    let mut heat = [0; N_COMBOS];
    for combo in Combo::all() {
        let shapes = combo.shapes();
        let sum: i32 = shapes.iter().map(|&shape| SHAPE_HEAT[shape as usize]).sum();
        let strong = shapes.iter().filter(|&&shape| shape >= Shape::OpenThree).count() as i32;
        heat[combo.idx()] = sum + if strong >= 2 { 100 } else { 0 };
    }
    heat
});

/// Returns how much a stone of `color` on the empty `point` promises: 0 for nothing, 10,000 and more for five.
#[inline]
pub(crate) fn heat(board: &Board, point: Point, color: Color) -> i32 {
    HEAT[board.combo(point, color).idx()]
}

/// Returns a number by which points are sorted, greatest promise first and smaller points first among equals; carries
/// `note` along.
#[inline]
pub(crate) fn rank(promise: i32, point: Point, note: u8) -> i64 {
    -i64::from(promise) << 32 | (point.idx() as i64) << 8 | i64::from(note)
}

/// Returns the point and the note of a [`rank`].
#[inline]
pub(crate) fn ranked(rank: i64) -> (Point, u8) {
    let point = Point::from_idx((rank >> 8 & 0xFFFF) as usize);
    (point.unwrap_or_default(), rank as u8)
}
