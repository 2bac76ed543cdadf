//! The engines for programs in C, and for whatever calls C: messages in, answers out.
//!
//! [`abi`] is what such a program calls. `include/outflank.h` is made of it by `cbindgen`; a test compares them and compiles
//! a program in C.

pub mod abi;
