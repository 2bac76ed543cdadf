//! Unpacks the opening book that is put into the program, so that it is open at once when the program starts.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "starter-book")]
    unpack()?;
    Ok(())
}

#[cfg(feature = "starter-book")]
fn unpack() -> Result<(), Box<dyn std::error::Error>> {
    use std::{env, fs, path::Path};
    println!("cargo::rerun-if-changed=data/starter.ofbz");
    // A page holds the packed book.
    if env::var("CARGO_CFG_TARGET_ARCH")? == "wasm32" {
        return Ok(());
    }
    let book = outflank_book::Worked::from_bytes(&fs::read("data/starter.ofbz")?)?;
    let folder = env::var("OUT_DIR")?;
    book.write(fs::File::create(Path::new(&folder).join("starter.ofb"))?)?;
    Ok(())
}
