//! Books, in one of their forms; the law is in `outflank_book::laws`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| outflank_book::laws::book(bytes));
