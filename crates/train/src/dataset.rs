//! The samples of a fit: read, each position once, those to validate with left out; and what is in them.

use crate::sample::{Sample, SampleError, Source, Split, deduplicate, exclude, positions_of, read_all};
use outflank_jobs::grouped;
use std::{fmt, path::PathBuf};

/// Samples, no two of them images of one another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dataset {
    /// The samples.
    pub samples: Vec<Sample>,
    /// How many there were before any was left out.
    pub read: usize,
    /// How many different positions were left out for being among those to validate with.
    pub excluded: usize,
}

impl Dataset {
    /// Takes the first sample of each position, up to symmetry, that is not in `unwanted`: sample files and suites, or
    /// folders of them ([`positions_of`]).
    ///
    /// # Errors
    ///
    /// Returns the first file or folder that cannot be read.
    pub fn new(mut samples: Vec<Sample>, unwanted: &[PathBuf]) -> Result<Self, SampleError> {
        let read = samples.len();
        deduplicate(&mut samples);
        let excluded = exclude(&mut samples, &positions_of(unwanted)?);
        Ok(Self {
            samples,
            read,
            excluded,
        })
    }

    /// As [`Dataset::new`], of sample files and folders.
    ///
    /// # Errors
    ///
    /// Returns the first file or folder that cannot be read.
    pub fn read(files: &[PathBuf], unwanted: &[PathBuf]) -> Result<Self, SampleError> {
        Self::new(read_all(files)?, unwanted)
    }

    /// Returns the number of samples to learn from.
    ///
    /// # Errors
    ///
    /// There are none.
    pub fn training(&self) -> Result<usize, SampleError> {
        match self.of_split(Split::Train) {
            0 => Err(SampleError::NoTraining),
            n => Ok(n),
        }
    }

    fn of_split(&self, split: Split) -> usize {
        self.samples.iter().filter(|sample| sample.split == split).count()
    }

    /// Keeps this share of the samples to learn from, and all others.
    pub fn keep_share(&mut self, share: f64) {
        let mut left = (self.of_split(Split::Train) as f64 * share.clamp(0.0, 1.0)) as usize;
        // Files hold their samples in a random order, except by source: take every n-th.
        let mut credit = 0.0;
        self.samples.retain(|sample| {
            if sample.split != Split::Train {
                return true;
            }
            credit += share;
            let take = credit >= 1.0 && left > 0;
            if take {
                credit -= 1.0;
                left -= 1;
            }
            take
        });
    }

    /// Returns what is in the samples, as text: by source, by part of the data, and values by stage of four discs.
    pub const fn statistics(&self) -> Statistics<'_> {
        Statistics(self)
    }
}

/// What is in a set of samples; `Display` writes a table.
#[derive(Clone, Copy, Debug)]
pub struct Statistics<'a>(&'a Dataset);

impl fmt::Display for Statistics<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Dataset { samples, read, .. } = self.0;
        let [read, different] = [*read, samples.len()].map(|n| grouped(n as u64));
        writeln!(
            f,
            "{read} positions, {different} of them different up to symmetry"
        )?;
        let count = |wanted: &dyn Fn(&Sample) -> bool| {
            grouped(samples.iter().filter(|sample| wanted(sample)).count() as u64)
        };
        for source in Source::ALL {
            writeln!(
                f,
                "{source:>12?} {:>12}",
                count(&|sample| sample.source == source)
            )?;
        }
        for split in Split::ALL {
            writeln!(f, "{split:>12?} {:>12}", count(&|sample| sample.split == split))?;
        }
        writeln!(
            f,
            "  empties    positions   mean value   by value: ..-32 ..-16 ..-8 ..0 ..8 ..16 ..32 ..64"
        )?;
        for stage in 0..16 {
            let of_stage: Vec<f64> = samples
                .iter()
                .filter(|sample| {
                    sample.empties().saturating_sub(1) / 4 == stage && sample.value != Sample::NO_VALUE
                })
                .map(|sample| f64::from(sample.value) / 128.0)
                .collect();
            if of_stage.is_empty() {
                continue;
            }
            let mut histogram = [0; 8];
            for value in &of_stage {
                let ends = [-32.0, -16.0, -8.0, 0.0, 8.0, 16.0, 32.0];
                histogram[ends.iter().take_while(|end| value > *end).count()] += 1;
            }
            let mean = of_stage.iter().sum::<f64>() / of_stage.len() as f64;
            let empties = format!("{}-{}", 4 * stage + 1, 4 * stage + 4);
            let n = grouped(of_stage.len() as u64);
            let histogram = histogram.map(|n: u32| n.to_string()).join(" ");
            writeln!(f, "{empties:>9} {n:>12} {mean:>+12.2}   {histogram}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::random_board;

    fn samples() -> Vec<Sample> {
        let sample = |seed: u64| Sample {
            board: random_board(seed, 20 + seed as usize),
            value: 128 * seed as i16,
            source: Source::Exact,
            split: if seed < 8 { Split::Train } else { Split::Validation },
        };
        (0..10).chain([3, 9]).map(sample).collect()
    }

    #[test]
    fn a_share_is_taken_of_the_training_samples_alone() {
        let mut data = Dataset::new(samples(), &[]).expect("nothing is read");
        assert_eq!((data.samples.len(), data.read, data.excluded), (10, 12, 0));
        assert_eq!(data.training().ok(), Some(8));
        data.keep_share(0.5);
        assert_eq!((data.training().ok(), data.samples.len()), (Some(4), 6));
        data.keep_share(0.0);
        assert!(data.training().is_err());
    }

    #[test]
    fn statistics_count_everything_once() {
        let text = Dataset::new(samples(), &[])
            .expect("nothing is read")
            .statistics()
            .to_string();
        assert!(
            text.starts_with("12 positions, 10 of them different up to symmetry\n"),
            "{text}"
        );
        assert!(text.contains("\nExact           10\n"), "{text}");
        assert!(
            text.contains("\n    21-24            4        +2.50   0 0 0 0 4 0 0 0\n"),
            "{text}"
        );
    }
}
