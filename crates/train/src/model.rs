//! One file for an evaluation: its weights, and the table of Multi-ProbCut that was measured with them.
//!
//! A table belongs to its weights: with that of others a selective search promises a confidence that it does not have.

use outflank_eval::{Patterns, Weights, patterns::WeightsError};
use outflank_othello_engine::tuning::ProbCutTable;
use std::sync::Arc;

/// How such a file begins.
const MAGIC: &[u8] = b"OUTFLANK MODEL 1\n";
/// How one of any version begins.
const ANY_VERSION: &[u8] = b"OUTFLANK MODEL ";

/// An evaluation and what is known of its errors, for several engines to share.
#[derive(Clone, Debug)]
pub struct Model {
    /// The evaluation.
    pub evaluator: Arc<Patterns>,
    /// How well shallow searches with it predict deep ones.
    pub probcut: Arc<ProbCutTable>,
    /// Whether the table was measured with these weights; not if only weights were read.
    pub paired: bool,
}

/// Why bytes are no model.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The file is of a later version.
    #[error(
        "made by a newer Outflank (another version of the model file than 1, which this one knows): update Outflank"
    )]
    Version,
    /// The weights cannot be read.
    #[error("the weights: {0}")]
    Weights(#[from] WeightsError),
    /// The file ends early.
    #[error("the file is cut off: {expected} bytes of weights are said to follow, there are {found}")]
    CutOff {
        /// Bytes that were announced.
        expected: u64,
        /// Bytes that there are.
        found: usize,
    },
    /// The table cannot be read.
    #[error("the ProbCut table: {0}")]
    Table(String),
}

impl Model {
    /// Returns the model inside the program.
    pub fn embedded() -> Self {
        Self {
            evaluator: Patterns::shared(),
            probcut: Arc::new(ProbCutTable::embedded()),
            paired: true,
        }
    }

    /// Returns the contents of a file with these weights and the table that was measured with them.
    pub fn encode(weights: &Weights, probcut: &ProbCutTable) -> Vec<u8> {
        let weights = weights.encode();
        let mut bytes = MAGIC.to_vec();
        bytes.extend((weights.len() as u64).to_le_bytes());
        bytes.extend(weights);
        bytes.extend(probcut.to_string().into_bytes());
        bytes
    }

    /// Reads a model, or a file of weights alone, to which the table inside the program is added.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, ModelError> {
        let (weights, table) = parts(bytes)?;
        Ok(Self {
            evaluator: Arc::new(Patterns::from_bytes(weights)?),
            probcut: Arc::new(match table {
                Some(table) => table
                    .parse()
                    .map_err(|error| ModelError::Table(format!("{error}")))?,
                None => ProbCutTable::embedded(),
            }),
            paired: table.is_some(),
        })
    }

    /// Reads the weights of a model, or a file of weights alone.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the bytes.
    pub fn weights(bytes: &[u8]) -> Result<Weights, ModelError> {
        Ok(Weights::decode(parts(bytes)?.0)?)
    }
}

/// Splits a file into the bytes of the weights and the table, if it has one.
fn parts(bytes: &[u8]) -> Result<(&[u8], Option<&str>), ModelError> {
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        if bytes.starts_with(ANY_VERSION) {
            return Err(ModelError::Version);
        }
        return Ok((bytes, None));
    };
    let cut_off = |expected| ModelError::CutOff {
        expected,
        found: rest.len().saturating_sub(8),
    };
    let (length, rest) = rest.split_first_chunk::<8>().ok_or_else(|| cut_off(8))?;
    let length = u64::from_le_bytes(*length);
    let at = usize::try_from(length).ok().filter(|&at| at <= rest.len());
    let (weights, table) = rest.split_at(at.ok_or_else(|| cut_off(length))?);
    let table = std::str::from_utf8(table).map_err(|error| ModelError::Table(error.to_string()))?;
    Ok((weights, Some(table)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_eval::Evaluator as _;

    #[test]
    fn what_was_written_is_read() {
        let weights = Patterns::embedded_weights();
        let mut probcut = ProbCutTable::embedded();
        probcut.set_middle(8, 30, true, 12, 345);
        let bytes = Model::encode(&weights, &probcut);
        let read = Model::decode(&bytes).expect("our format");
        assert_eq!(read.evaluator.fingerprint(), weights.checksum());
        assert_eq!(Model::weights(&bytes).expect("our format"), weights);
        assert_eq!(read.probcut.to_string(), probcut.to_string());
        assert_ne!(read.probcut.to_string(), ProbCutTable::embedded().to_string());
        assert!(read.paired);
        // Weights alone, as they were written before there were models.
        let old = Model::decode(&weights.encode()).expect("weights");
        assert_eq!(old.evaluator.fingerprint(), weights.checksum());
        assert!(!old.paired);
    }

    #[test]
    fn what_is_no_model_says_why() {
        let bytes = Model::encode(&Patterns::embedded_weights(), &ProbCutTable::embedded());
        for end in [
            0,
            5,
            MAGIC.len(),
            MAGIC.len() + 4,
            MAGIC.len() + 8,
            bytes.len() / 2,
            bytes.len() - 100,
        ] {
            assert!(Model::decode(&bytes[..end]).is_err(), "{end}");
        }
        let mut long = MAGIC.to_vec();
        long.extend(u64::MAX.to_le_bytes());
        assert!(matches!(Model::decode(&long), Err(ModelError::CutOff { .. })));
        assert!(Model::decode(b"something else").is_err());
    }
}
