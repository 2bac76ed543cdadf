//! A message of a page; the law is in `outflank_api::laws`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| outflank_api::laws::message(bytes));
