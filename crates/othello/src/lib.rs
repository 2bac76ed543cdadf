//! The rules of Othello.
