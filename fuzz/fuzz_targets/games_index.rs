//! The index of a collection of games; the law is in `outflank_games::laws`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| outflank_games::laws::index(bytes));
