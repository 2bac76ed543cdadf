//! The header is that of the functions, and a program in C that uses it finds what the command line finds.

use std::{
    env,
    ffi::CString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_header_is_that_of_the_functions() {
    let config = cbindgen::Config::from_file(here().join("cbindgen.toml")).expect("a configuration");
    let made = cbindgen::Builder::new()
        .with_config(config)
        .with_src(here().join("src/abi.rs"))
        .generate()
        .expect("a header");
    let mut text = Vec::new();
    made.write(&mut text);
    let path = here().join("include/outflank.h");
    if env::var_os("UPDATE_HEADER").is_some() {
        fs::write(&path, &text).expect("written");
    }
    let kept = fs::read_to_string(&path).expect("the header");
    assert_eq!(
        kept.replace('\r', ""),
        String::from_utf8(text).expect("text"),
        "UPDATE_HEADER=1 writes it"
    );
}

/// The folder of the library that was built with this test.
fn libraries() -> PathBuf {
    env::current_exe()
        .expect("a path")
        .parent()
        .expect("a folder")
        .to_path_buf()
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_in_c_gets_its_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("analyze");
    let mut compile = Command::new("cc");
    compile
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program);
    compile
        .arg(here().join("examples/analyze.c"))
        .arg("-I")
        .arg(here().join("include"));
    compile.arg("-L").arg(libraries()).arg("-loutflank_c");
    assert!(
        compile
            .status()
            .expect("the linker of Rust is a compiler of C")
            .success()
    );
    let run = |game: &str| {
        let mut command = Command::new(&program);
        let output = command.arg(game).env("LD_LIBRARY_PATH", libraries()).output();
        let output = output.expect("it runs");
        assert!(output.status.success());
        String::from_utf8(output.stdout).expect("text")
    };
    let found = run("f5d6c3");
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines[0], concat!("Outflank ", env!("CARGO_PKG_VERSION")));
    assert!(lines[lines.len() - 2].contains("\"depth\":10"), "{found}");
    assert_eq!(lines[lines.len() - 1], r#"{"done":{"complete":true},"id":1}"#);
    assert!(run("f5f5").contains("\"code\":\"bad-input\""));
}

#[test]
fn a_call_can_be_stopped_and_engines_are_used_by_one_call_at_a_time() {
    use outflank_c::abi::{Outflank, outflank_call, outflank_free, outflank_new, outflank_stop};
    use std::ffi::{c_char, c_void};

    struct Seen {
        engine: *const Outflank,
        answers: usize,
    }
    #[expect(unsafe_code, reason = "as a program in C does")]
    unsafe extern "C" fn stop(context: *mut c_void, answer: *const c_char, length: usize) {
        // SAFETY: the context is what was given to the call, which nobody uses meanwhile.
        let seen = unsafe { &mut *context.cast::<Seen>() };
        seen.answers += 1;
        // SAFETY: the engine is alive, and the answer has its length.
        let other = unsafe { outflank_call(seen.engine, answer, length, stop, context) };
        assert!(!other, "a call runs");
        // SAFETY: the engine is alive.
        unsafe { outflank_stop(seen.engine) };
    }
    let engine = outflank_new(1 << 20);
    let mut seen = Seen { engine, answers: 0 };
    let text = CString::new(
        r#"{"id":1,"call":"analyze","input":{"text":"f5d6"},"limits":{"depth":40},"progress":true}"#,
    );
    let text = text.expect("no zero");
    let context = (&raw mut seen).cast();
    #[expect(unsafe_code, reason = "as a program in C does")]
    // SAFETY: the engine is alive, the text has its length, the context lives longer.
    let answered = unsafe { outflank_call(engine, text.as_ptr(), text.as_bytes().len(), stop, context) };
    assert!(answered && seen.answers >= 2);
    #[expect(unsafe_code, reason = "as a program in C does")]
    // SAFETY: no call uses it.
    unsafe {
        outflank_free(engine);
    }
}
