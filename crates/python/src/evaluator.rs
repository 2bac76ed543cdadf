//! The learned evaluation, made once and shared.

use crate::position::PositionLike;
use outflank_eval::Patterns;
use pyo3::{exceptions::PyValueError, prelude::*};
use std::{path::PathBuf, sync::Arc};

/// The learned evaluation: that of the package, or the weights of a file.
#[pyclass(frozen, module = "outflank._core")]
#[derive(Clone)]
pub(crate) struct Evaluator(pub(crate) Arc<Patterns>);

#[pymethods]
impl Evaluator {
    /// The weights of `path`, or those inside the package.
    #[new]
    #[pyo3(signature = (path = None))]
    fn new(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Self> {
        let Some(path) = path else {
            return Ok(Self(py.detach(Patterns::shared)));
        };
        let bytes = std::fs::read(&path)?;
        py.detach(|| Patterns::from_bytes(&bytes))
            .map(|patterns| Self(Arc::new(patterns)))
            .map_err(|error| PyValueError::new_err(format!("{}: {error}", path.display())))
    }

    /// The estimate of a position in discs for the player to move, without a search.
    fn value(&self, position: PositionLike) -> f64 {
        self.0.value(position.0.board()).discs()
    }
}
