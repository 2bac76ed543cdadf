//! Long bulk work that survives being stopped.
