//! Builds again when a file of the page is added or gone: what is inside the program is found out while it is built.

fn main() {
    println!("cargo::rerun-if-changed=page");
}
