//! Unpacks the opening book that is put into the program, so that it is open at once when the program starts.

use std::{env, error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=data/starter.ofbz");
    // A page holds the packed book.
    if env::var_os("CARGO_FEATURE_STARTER_BOOK").is_none() || env::var("CARGO_CFG_TARGET_ARCH")? == "wasm32" {
        return Ok(());
    }
    let book = outflank_book::Worked::from_bytes(&fs::read("data/starter.ofbz")?)?;
    let table = Path::new(&env::var("OUT_DIR")?).join("starter.ofb");
    book.write(fs::File::create(table)?)?;
    Ok(())
}
