//! `outflank serve`: the page, with the engine of this computer.

use crate::options::{table_megabytes, threads};
use anyhow::Context as _;
#[cfg(feature = "database")]
use outflank_api::games::import::Database;
use outflank_api::{games::own::Served, messages::MostOf};
use outflank_search::SystemClock;
use outflank_server::{Assets, Settings, hosts::is_loopback, serve};
use outflank_terminal::{
    ending,
    output::{self, Status},
};
use std::{
    borrow::Cow,
    fs, io,
    net::{IpAddr, SocketAddr},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Serve the page of Outflank: play, analyze, review and solve in a browser, with the engine of this computer.
///
/// Only this computer reaches it unless --bind says otherwise; then a token is made and printed with the link, searches
/// last at most 60 seconds, levels go to 30, and a call has at most 200 positions. There is no encryption: put a proxy that has
/// it before the server, and name it with --allow-host. Ctrl-C ends the server.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank serve --open                                     in the browser of this computer\n  \
    outflank serve --port 8000 --threads 4 --hash 256\n  \
    outflank serve --games wthor.db                           the Openings screen counts these games, too\n  \
    outflank serve --bind 0.0.0.0                             for the house: the link with the token is printed\n  \
    outflank serve --token secret --allow-host games.example.org")]
pub(crate) struct Args {
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// Port to listen at; if it is taken, the next free one of ten. 0 takes any.
    #[arg(long, value_name = "PORT", default_value_t = 6464)]
    port: u16,
    /// Address to listen at.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: IpAddr,
    /// Answer to this name, too: that of a proxy, with its port if it is not the usual one.
    #[arg(long, value_name = "HOST")]
    allow_host: Vec<String>,
    /// Let only those in who know this word.
    #[arg(long, value_name = "WORD")]
    token: Option<String>,
    /// Pages at a time.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=256))]
    sessions: u16,
    /// Searches at a time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads())]
    threads: u16,
    /// Table size in MB of each search of a page.
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = table_megabytes())]
    hash: u64,
    /// Most seconds of a search [default: no limit here, 60 for other computers].
    #[arg(long, value_name = "SECONDS")]
    limit_seconds: Option<f64>,
    /// Highest level [default: 60 here, 30 for other computers].
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u32).range(1..=60))]
    limit_level: Option<u32>,
    /// Most positions of a call [default: no limit here, 200 for other computers].
    #[arg(long, value_name = "N")]
    limit_positions: Option<usize>,
    /// Answer questions about the games in this database, which `outflank games import` makes.
    #[cfg(feature = "database")]
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// Take the page from this folder instead of the one inside the program.
    #[arg(long, value_name = "FOLDER")]
    assets: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    let assets = match &args.assets {
        None => Assets::embedded(),
        Some(folder) => Assets::of(read_folder(folder, "")?),
    };
    anyhow::ensure!(
        assets.has_page(),
        "there is no page: {}",
        args.assets.as_deref().map_or_else(
            || "this program was built without it".to_owned(),
            |folder| format!("no index.html in {}", folder.display())
        )
    );
    let elsewhere = !is_loopback(args.bind);
    let token = match (&args.token, elsewhere) {
        (Some(token), _) => Some(token.clone()),
        (None, true) => Some(random_word()?),
        (None, false) => None,
    };
    let stop = ending::stop_on_request()?;
    let settings = Settings {
        bind: args.bind,
        port: args.port,
        other_ports: if args.port == 0 { 0 } else { 9 },
        allowed_hosts: args.allow_host.clone(),
        token: token.clone(),
        sessions: usize::from(args.sessions),
        threads: usize::from(args.threads),
        table_bytes: args.hash << 20,
        limits: MostOf {
            seconds: args.limit_seconds.or(elsewhere.then_some(60.0)),
            level: args.limit_level.or(elsewhere.then_some(30)),
            positions: args.limit_positions.or(elsewhere.then_some(200)),
        },
        assets,
        games: games(args)?,
        clock: SystemClock::shared(),
    };
    let mut failed = Ok(());
    let started = |address: SocketAddr| {
        let link = link(address, token.as_deref());
        failed = output::line(&format!("Outflank is at {link} (Ctrl-C ends it)"));
        if args.open && !open(&link) {
            output::complain("no browser could be started: open the link yourself");
        }
    };
    serve(settings, started, &stop)?;
    failed?;
    Ok(Status::Success)
}

/// Opens the games that everybody may ask about: the server itself opens no files.
#[cfg(feature = "database")]
fn games(args: &Args) -> anyhow::Result<Option<Served>> {
    let open = |path: &PathBuf| anyhow::Ok(Served::from(Database::open(path)?));
    args.games.as_ref().map(open).transpose()
}

#[cfg(not(feature = "database"))]
#[expect(clippy::unnecessary_wraps, reason = "as where there are databases")]
fn games(_: &Args) -> anyhow::Result<Option<Served>> {
    Ok(None)
}

/// Returns the link to the page; the token goes behind `#`, which browsers send to nobody.
fn link(address: SocketAddr, token: Option<&str>) -> String {
    let host = if address.ip().is_unspecified() {
        "localhost".to_owned()
    } else if address.is_ipv6() {
        format!("[{}]", address.ip())
    } else {
        address.ip().to_string()
    };
    let token = token.map_or_else(String::new, |token| format!("#token={token}"));
    format!("http://{host}:{}/{token}", address.port())
}

/// Returns a word of 128 random bits.
fn random_word() -> anyhow::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).context("the system gives no random numbers: use --token")?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}

/// Opens a link in the browser; returns whether a program for that was there.
fn open(link: &str) -> bool {
    let programs: &[&[&str]] = if cfg!(target_os = "macos") {
        &[&["open"]]
    } else if cfg!(windows) {
        &[&["rundll32", "url.dll,FileProtocolHandler"]]
    } else {
        &[&["xdg-open"], &["gio", "open"], &["sensible-browser"]]
    };
    programs.iter().any(|words| {
        let child = Command::new(words[0])
            .args(&words[1..])
            .arg(link)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        child.is_ok()
    })
}

/// Reads a folder and those in it; names have `/` between their parts.
fn read_folder(folder: &Path, before: &str) -> anyhow::Result<Vec<(String, Cow<'static, [u8]>)>> {
    let at = |error: io::Error| anyhow::anyhow!("{}: {error}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(at)? {
        let entry = entry.map_err(at)?;
        let name = format!("{before}{}", entry.file_name().to_string_lossy());
        if entry.file_type().map_err(at)?.is_dir() {
            files.extend(read_folder(&entry.path(), &format!("{name}/"))?);
        } else {
            let content = fs::read(entry.path()).with_context(|| entry.path().display().to_string())?;
            files.push((name, Cow::Owned(content)));
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_can_be_followed() {
        let of = |text: &str, token| link(text.parse().expect("an address"), token);
        assert_eq!(of("127.0.0.1:6464", None), "http://127.0.0.1:6464/");
        assert_eq!(of("[::1]:80", Some("x")), "http://[::1]:80/#token=x");
        assert_eq!(of("0.0.0.0:6464", None), "http://localhost:6464/");
        let words = [(); 2].map(|()| random_word().expect("random numbers"));
        assert!(words[0].len() == 32 && words[0] != words[1]);
    }
}
