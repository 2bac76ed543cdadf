//! Every way to count by one name, and their speeds beside one another.

use super::{Active, Portable, Table, bulk, parallel, plain, with_table};
use crate::{Board, Color, Position, naive::NaiveBoard};
use std::collections::TryReserveError;

/// A way to count the move sequences from the start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The last ply without playing it.
    Bulk,
    /// Every move played.
    Plain,
    /// As bulk, through the portable kernels.
    Portable,
    /// An array of 64 cells, one cell at a time.
    Naive,
}

/// Why a method cannot count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MethodError {
    /// It knows neither threads nor tables.
    #[error("threads and tables are for bulk counting, by the active or the portable kernels")]
    OneThread,
    /// There is not so much memory.
    #[error(transparent)]
    Memory(#[from] TryReserveError),
}

impl Method {
    /// Returns the number of move sequences of `depth` plies; `megabytes` is the size of each thread's table, 0 for none.
    ///
    /// # Errors
    ///
    /// The method has neither threads nor tables, or there is no memory for these.
    pub fn count(self, depth: u32, threads: usize, megabytes: usize) -> Result<u64, MethodError> {
        let board = Board::start();
        let simple = threads <= 1 && megabytes == 0;
        Ok(match self {
            Self::Naive | Self::Plain if !simple => return Err(MethodError::OneThread),
            Self::Naive => NaiveBoard::from_position(&Position::new(board, Color::Black)).perft(depth),
            Self::Plain => plain(Active, board, depth),
            Self::Bulk if simple => bulk(Active, board, depth),
            Self::Portable if simple => bulk(Portable, board, depth),
            Self::Bulk if threads > 1 => parallel(Active, board, depth, threads, megabytes)?,
            Self::Portable if threads > 1 => parallel(Portable, board, depth, threads, megabytes)?,
            Self::Bulk => with_table(Active, board, depth, &mut Table::new(megabytes)?),
            Self::Portable => with_table(Portable, board, depth, &mut Table::new(megabytes)?),
        })
    }
}

/// The speeds of all methods.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Each method with the sequences that it counts in a second, the median of three runs; the naive array first.
    pub rates: [(Method, f64); 4],
    /// Whether all that counted the same depth found the same.
    pub agree: bool,
}

/// Counts `depth` by every method, interleaved three times; `clock` tells seconds.
///
/// The naive array counts two plies less: it is some hundred times slower.
pub fn compare(depth: u32, clock: &dyn Fn() -> f64) -> Comparison {
    let methods = [Method::Naive, Method::Plain, Method::Portable, Method::Bulk];
    let mut rates = [const { Vec::new() }; 4];
    let mut counts = Vec::new();
    for _ in 0..3 {
        for (method, rates) in methods.into_iter().zip(&mut rates) {
            let is_naive = method == Method::Naive;
            let depth = if is_naive { depth.saturating_sub(2) } else { depth };
            let start = clock();
            let leaves = method.count(depth, 1, 0).unwrap_or_default();
            rates.push(leaves as f64 / (clock() - start));
            if !is_naive {
                counts.push(leaves);
            }
        }
    }
    let mut medians = rates.into_iter().map(|mut rates| {
        rates.sort_by(f64::total_cmp);
        rates.get(rates.len() / 2).copied().unwrap_or_default()
    });
    Comparison {
        rates: methods.map(|method| (method, medians.next().unwrap_or_default())),
        agree: counts.windows(2).all(|pair| pair[0] == pair[1]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn every_method_counts_the_same_and_says_what_it_lacks() {
        for (method, threads, megabytes) in [
            (Method::Naive, 1, 0),
            (Method::Plain, 1, 0),
            (Method::Bulk, 1, 0),
            (Method::Bulk, 1, 1),
            (Method::Portable, 2, 0),
            (Method::Portable, 2, 1),
        ] {
            assert_eq!(method.count(6, threads, megabytes), Ok(8200), "{method:?}");
        }
        assert_eq!(Method::Plain.count(6, 2, 0), Err(MethodError::OneThread));
        assert_eq!(Method::Naive.count(6, 1, 1), Err(MethodError::OneThread));
        let ticks = Cell::new(0.0);
        let clock = || {
            ticks.set(ticks.get() + 1.0);
            ticks.get()
        };
        let comparison = compare(4, &clock);
        assert!(comparison.agree);
        let rates = comparison.rates.map(|(_, rate)| rate as u64);
        assert_eq!(rates, [12, 244, 244, 244]);
    }
}
