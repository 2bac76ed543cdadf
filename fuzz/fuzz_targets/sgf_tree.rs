//! Trees of variations as SGF; the law is in `outflank_records::laws`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| outflank_records::laws::sgf_tree(bytes));
