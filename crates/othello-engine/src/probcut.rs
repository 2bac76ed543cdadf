//! The statistics behind Multi-ProbCut: how far a shallow search tells what a deep one will say. \[BURO97\]
//!
//! A deep value is close to `mean + shallow value`, with a spread σ that depends on both depths and on how full the
//! board is. If the shallow value is beyond the window by `t · σ`, the deep search is very likely to fail the same
//! way and is left out; `t` sets the confidence. Everything is an integer, so that a search gives the same nodes on
//! every CPU. The tables belong to the weights of one evaluator; `outflank train probcut` fits them.

use std::{fmt, str::FromStr};

/// How well a shallow search of a certain depth predicts a deep one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prediction {
    /// Depth of the shallow search, in placed discs.
    pub depth: u32,
    /// What the deep value is greater on average, in 1/128 disc.
    pub mean: i32,
    /// Standard deviation of the difference, in 1/128 disc.
    pub sigma: i32,
}

/// Groups of empties that share statistics: 4 empties each.
pub const STAGES: usize = 15;
/// Greatest depth with its own statistics.
pub const MAX_DEPTH: usize = 40;
/// Least depth at which a shallow search is tried.
pub const MIN_DEPTH: u32 = 3;

/// Statistics of the evaluator of one weight set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbCutTable {
    /// Shape `[STAGES, MAX_DEPTH + 1]`: by `(empties − 1) / 4` and by the depth of the deep search.
    middle: Vec<Prediction>,
    /// Shape `[MAX_DEPTH + 1]`: for searches to the end, by the number of empties.
    end: Vec<Prediction>,
    /// As `middle` and `end`, but for the static evaluation as the shallow value.
    middle_static: Vec<Prediction>,
    end_static: Vec<Prediction>,
}

/// A formula for the spread, from which tables are filled: `exp(a + b·deep + c·shallow + d·empties)` discs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpreadFormula {
    /// Logarithm of the spread in discs where everything is 0.
    pub base: f64,
    /// Added per disc of the deep depth.
    pub deep: f64,
    /// Added per disc of the shallow depth.
    pub shallow: f64,
    /// Added per empty.
    pub empties: f64,
}

impl SpreadFormula {
    /// Returns the spread in 1/128 disc.
    pub fn sigma(&self, deep: u32, shallow: u32, empties: u32) -> i32 {
        let log = self.base
            + self.deep * f64::from(deep)
            + self.shallow * f64::from(shallow)
            + self.empties * f64::from(empties);
        (log.exp() * 128.0).round().clamp(1.0, 8192.0) as i32
    }
}

/// Returns the depth of the shallow search that stands in for one of `deep` before the end: half, of equal parity.
pub const fn shallow_depth(deep: u32) -> u32 {
    let half = deep / 2;
    if half % 2 == deep % 2 {
        half
    } else {
        half.saturating_sub(1)
    }
}

/// Returns the depth of the shallow search that stands in for one to the end: a third, of equal parity, at most 8.
pub const fn shallow_depth_to_end(empties: u32) -> u32 {
    let third = if empties / 3 > 8 { 8 } else { empties / 3 };
    if third % 2 == empties % 2 {
        third
    } else {
        third.saturating_sub(1)
    }
}

const fn stage(empties: u32) -> usize {
    let stage = (empties.saturating_sub(1) / 4) as usize;
    if stage < STAGES { stage } else { STAGES - 1 }
}

impl ProbCutTable {
    /// Returns the table whose every spread follows from two formulas; means are zero.
    pub fn from_formulas(middle: &SpreadFormula, end: &SpreadFormula) -> Self {
        let cells = || {
            (0..STAGES as u32).flat_map(|stage| (0..=MAX_DEPTH as u32).map(move |deep| (stage * 4 + 3, deep)))
        };
        let of = |formula: &SpreadFormula, deep, depth, empties| Prediction {
            depth,
            mean: 0,
            sigma: formula.sigma(deep, depth, empties),
        };
        Self {
            middle: cells()
                .map(|(empties, deep)| of(middle, deep, shallow_depth(deep), empties))
                .collect(),
            middle_static: cells()
                .map(|(empties, deep)| of(middle, deep, 0, empties))
                .collect(),
            end: (0..=MAX_DEPTH as u32)
                .map(|deep| of(end, deep, shallow_depth_to_end(deep), deep))
                .collect(),
            end_static: (0..=MAX_DEPTH as u32)
                .map(|deep| of(end, deep, 0, deep))
                .collect(),
        }
    }

    /// Returns the table for [`outflank_eval::HandMade`], fitted by `outflank train probcut` (see docs/search.md).
    pub fn hand_made() -> Self {
        include_str!("probcut/hand_made.txt")
            .parse()
            .expect("the table in the program is well formed")
    }

    /// Returns the table for [`outflank_eval::Patterns::embedded`], fitted likewise.
    pub fn embedded() -> Self {
        include_str!("probcut/embedded.txt")
            .parse()
            .expect("the table in the program is well formed")
    }

    /// Returns how a shallow search predicts one of `depth` with `empties` on the board.
    #[inline]
    pub fn search(&self, depth: u32, empties: u32) -> Prediction {
        if depth >= empties {
            self.end[(empties as usize).min(MAX_DEPTH)]
        } else {
            self.middle[stage(empties) * (MAX_DEPTH + 1) + (depth as usize).min(MAX_DEPTH)]
        }
    }

    /// Returns how the static evaluation predicts a search of `depth` with `empties` on the board.
    #[inline]
    pub fn static_evaluation(&self, depth: u32, empties: u32) -> Prediction {
        if depth >= empties {
            self.end_static[(empties as usize).min(MAX_DEPTH)]
        } else {
            self.middle_static[stage(empties) * (MAX_DEPTH + 1) + (depth as usize).min(MAX_DEPTH)]
        }
    }

    /// Sets the mean and spread for one cell before the end; `shallow` false means the static evaluation.
    pub fn set_middle(&mut self, depth: u32, empties: u32, shallow: bool, mean: i32, sigma: i32) {
        let index = stage(empties) * (MAX_DEPTH + 1) + (depth as usize).min(MAX_DEPTH);
        let cell = if shallow {
            &mut self.middle[index]
        } else {
            &mut self.middle_static[index]
        };
        (cell.mean, cell.sigma) = (mean, sigma);
    }

    /// Sets the mean and spread for one number of empties searched to the end.
    pub fn set_end(&mut self, empties: u32, shallow: bool, mean: i32, sigma: i32) {
        let index = (empties as usize).min(MAX_DEPTH);
        let cell = if shallow {
            &mut self.end[index]
        } else {
            &mut self.end_static[index]
        };
        (cell.mean, cell.sigma) = (mean, sigma);
    }

    fn parts(&self) -> [(&'static str, &Vec<Prediction>, usize); 4] {
        [
            ("middle", &self.middle, MAX_DEPTH + 1),
            ("middle-static", &self.middle_static, MAX_DEPTH + 1),
            ("end", &self.end, MAX_DEPTH + 1),
            ("end-static", &self.end_static, MAX_DEPTH + 1),
        ]
    }
}

impl fmt::Display for ProbCutTable {
    /// Writes one line per part and stage: the name, then `depth/mean/sigma` for every deep depth from 0.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, cells, width) in self.parts() {
            for row in cells.chunks(width) {
                f.write_str(name)?;
                for cell in row {
                    write!(f, " {}/{}/{}", cell.depth, cell.mean, cell.sigma)?;
                }
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

/// Why a text is not a ProbCut table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseProbCutError {
    /// A line does not begin with the name of a part.
    #[error(
        "line {line}: {name:?} is not a part of a ProbCut table (middle, middle-static, end, end-static)"
    )]
    Part {
        /// Line number from 1.
        line: usize,
        /// What was found.
        name: String,
    },
    /// A cell is not three integers in range.
    #[error("line {line}: {cell:?} is not depth/mean/sigma")]
    Cell {
        /// Line number from 1.
        line: usize,
        /// What was found.
        cell: String,
    },
    /// A part has too few or too many cells.
    #[error(
        "the table has {found} cells of part {name}, not {expected}; fit it again with `outflank train probcut`"
    )]
    Size {
        /// Name of the part.
        name: &'static str,
        /// Cells found.
        found: usize,
        /// Cells needed.
        expected: usize,
    },
}

impl FromStr for ProbCutTable {
    type Err = ParseProbCutError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut table = Self {
            middle: Vec::new(),
            end: Vec::new(),
            middle_static: Vec::new(),
            end_static: Vec::new(),
        };
        for (number, line) in text.lines().enumerate() {
            let mut words = line.split_ascii_whitespace();
            let Some(name) = words.next() else { continue };
            let part = match name {
                "middle" => &mut table.middle,
                "middle-static" => &mut table.middle_static,
                "end" => &mut table.end,
                "end-static" => &mut table.end_static,
                _ => {
                    return Err(ParseProbCutError::Part {
                        line: number + 1,
                        name: name.to_owned(),
                    });
                }
            };
            for cell in words {
                part.push(parse_cell(cell).ok_or_else(|| ParseProbCutError::Cell {
                    line: number + 1,
                    cell: cell.to_owned(),
                })?);
            }
        }
        for (name, cells, width) in table.parts() {
            let expected = if name.starts_with("middle") {
                STAGES * width
            } else {
                width
            };
            if cells.len() != expected {
                return Err(ParseProbCutError::Size {
                    name,
                    found: cells.len(),
                    expected,
                });
            }
        }
        Ok(table)
    }
}

fn parse_cell(cell: &str) -> Option<Prediction> {
    let mut numbers = cell.split('/').map(|number| number.parse::<i32>().ok());
    let (depth, mean, sigma) = (numbers.next()??, numbers.next()??, numbers.next()??);
    let plausible = (0..=60).contains(&depth) && mean.abs() <= 8192 && (0..=8192).contains(&sigma);
    (plausible && numbers.next().is_none()).then_some(Prediction {
        depth: depth as u32,
        mean,
        sigma,
    })
}

/// How much is cut on suspicion: the margin in standard deviations, named by the confidence it was measured to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Selectivity {
    /// Percent of values that are within one disc of the full-width value of the same depth; measured to be at least
    /// that many (docs/search.md).
    pub confidence: u8,
    /// Margin `t` in hundredths of a standard deviation; `i32::MAX` cuts nothing.
    pub margin: i32,
}

impl Selectivity {
    /// The levels, least sure first; the last cuts nothing.
    pub const LEVELS: [Self; 6] = [
        Self {
            confidence: 73,
            margin: 110,
        },
        Self {
            confidence: 87,
            margin: 150,
        },
        Self {
            confidence: 95,
            margin: 200,
        },
        Self {
            confidence: 98,
            margin: 260,
        },
        Self {
            confidence: 99,
            margin: 330,
        },
        Self {
            confidence: 100,
            margin: i32::MAX,
        },
    ];
    /// Full width: nothing is cut on suspicion.
    pub const NONE: Self = Self::LEVELS[5];

    /// Returns the least selective level that promises at least `confidence` percent.
    pub const fn at_least(confidence: u8) -> Self {
        let mut level = 0;
        while level < 5 && Self::LEVELS[level].confidence < confidence {
            level += 1;
        }
        Self::LEVELS[level]
    }
}

#[cfg(test)]
mod tests;
