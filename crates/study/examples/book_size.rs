//! What a large opening book costs: bytes a position, time to open it and to look a position up, memory.
//!
//! `cargo run --release -p outflank-study --example book_size -- 10000000 /tmp/large.ofb`
#![expect(clippy::print_stdout, reason = "it is a program")]

use outflank_book::{Book, Derived, Fact, Grade, Kind, Slot, Worth, Writer};
use outflank_game::SplitMix64;
use outflank_othello::{Bitboard, Board};
use outflank_study::book::Shelf;
use std::{
    collections::BTreeMap,
    env,
    error::Error,
    fs::{self, File},
    io::BufWriter,
    path::Path,
    time::Instant,
};

/// Positions that are looked up.
const LOOKUPS: usize = 200_000;

fn main() -> Result<(), Box<dyn Error>> {
    let positions: usize = env::args().nth(1).map_or(Ok(1_000_000), |text| text.parse())?;
    let path = env::args().nth(2).unwrap_or_else(|| "/tmp/large.ofb".to_owned());
    let path = Path::new(&path);
    let keys = random_keys(positions);
    write(&keys, path)?;
    let size = fs::metadata(path)?.len();
    println!(
        "{positions} positions, {size} bytes, {:.2} a position",
        size as f64 / positions as f64
    );
    let lookups: Vec<Board> = {
        let mut random = SplitMix64::new(3);
        (0..LOOKUPS).map(|_| keys[random.below(keys.len())]).collect()
    };
    drop(keys);
    let before = resident();
    for round in ["first", "second", "third"] {
        let begin = Instant::now();
        let shelf = Shelf::open(path)?;
        let opened = begin.elapsed();
        let begin = Instant::now();
        let mut moves = 0;
        for &key in &lookups {
            let (entry, _) = outflank_book::Look::find(&shelf, key)?.ok_or("it was written")?;
            moves += entry.moves().len();
        }
        let each = begin.elapsed() / LOOKUPS as u32;
        println!(
            "{round}: opened in {:.2} ms, {LOOKUPS} lookups of {:.2} us each, {moves} moves, {} kB of memory",
            opened.as_secs_f64() * 1e3,
            each.as_secs_f64() * 1e6,
            resident().saturating_sub(before)
        );
    }
    Ok(())
}

/// Returns so many different keys in their order.
fn random_keys(positions: usize) -> Vec<Board> {
    const CENTER: u64 = 0x0000_0018_1800_0000;
    let mut random = SplitMix64::new(1);
    let mut keys = Vec::with_capacity(positions);
    while keys.len() < positions {
        while keys.len() < positions {
            let mut word = || random.next_u64();
            let player = word() & word();
            let opponent = (word() & word() | CENTER) & !player;
            let board = Board::new(Bitboard::new(player), Bitboard::new(opponent));
            if let Some(board) = board.filter(|board| board.legal_moves().count() >= 5) {
                keys.push(board.canonical().0);
            }
        }
        keys.sort_unstable();
        keys.dedup();
    }
    keys
}

/// Writes a book with four or five moves at each position.
fn write(keys: &[Board], path: &Path) -> Result<(), Box<dyn Error>> {
    let begin = Instant::now();
    let mut random = SplitMix64::new(2);
    let mut book = Book::new();
    let source = book.source("made up")?;
    let worth = Worth::new(Kind::Estimate, 18, 73);
    let mut writer = Writer::new(BufWriter::new(File::create(path)?), &["made up"], BTreeMap::new())?;
    for &key in keys {
        let mut one = Book::new();
        one.source("made up")?;
        let wanted = 4 + random.below(2);
        for square in outflank_book::distinct_moves(key).into_iter().take(wanted) {
            let value = random.below(1600) as i32 - 800;
            one.add(key, Slot::Move(square), Fact::new(value, worth, source))?;
        }
        one.add(key, Slot::Rest, Fact::new(-900, worth, source))?;
        let derived = Derived {
            value: Some(random.below(800) as i16),
            low: -200,
            high: 1000,
            proved_low: -64,
            proved_high: 64,
            grade: Some(Grade::E),
            lines: random.next_u64() as u32 >> 20,
        };
        let entry = one.get(key).ok_or("it was added")?;
        writer.push(key, entry, &derived)?;
    }
    writer.finish(1)?;
    println!("written in {:.1} s", begin.elapsed().as_secs_f64());
    Ok(())
}

/// Returns the memory of this process in kilobytes, where the system says.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    line.and_then(|line| line.split_ascii_whitespace().nth(1)?.parse().ok())
        .unwrap_or(0)
}
