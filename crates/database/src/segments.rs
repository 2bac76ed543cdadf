//! Segments of the index as rows.

use crate::{Error, rows};
use outflank_games::{FINGERPRINT_BITS, Facts, Index, Moves, Segment, build};
use rusqlite::{Connection, params};

/// Entries of a part: small enough to be read for one question, large enough to be few.
pub(crate) const PART: usize = 1 << 15;

/// Games that a segment may have before it is left alone.
pub(crate) const FULL: usize = 1 << 21;

/// Segments from which on they are made one.
const MANY: usize = 8;

/// Reads all segments with their numbers, in the order of these.
pub(crate) fn read(connection: &Connection) -> Result<Vec<(i64, Segment)>, Error> {
    let mut statement =
        connection.prepare("SELECT id, games, bits, facts, collisions FROM segments ORDER BY id")?;
    let mut rows = statement.query([])?;
    let mut segments = Vec::new();
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let (games, bits): (u32, u32) = (row.get(1)?, row.get(2)?);
        let damaged = || Error::Damaged(format!("segment {id} of the index has a wrong length"));
        let bytes = row.get_ref(3)?.as_blob().map_err(|_| damaged())?;
        let (facts, rest) = bytes.as_chunks::<{ Facts::BYTES }>();
        let (collisions, more) = row.get_ref(4)?.as_blob().map_err(|_| damaged())?.as_chunks::<8>();
        if facts.len() != games as usize
            || !rest.is_empty()
            || !more.is_empty()
            || !(1..=FINGERPRINT_BITS).contains(&bits)
        {
            return Err(damaged());
        }
        let collisions = collisions.iter().map(|bytes| {
            let word = u64::from_le_bytes(*bytes);
            ((word >> 56) as u8, word & ((1 << 56) - 1))
        });
        let segment = Segment {
            facts: facts.iter().map(Facts::from_bytes).collect(),
            bits,
            collisions: collisions.collect(),
        };
        segments.push((id, segment));
    }
    Ok(segments)
}

/// Indexes games and adds them as a segment.
pub(crate) fn write(connection: &Connection, games: &[(Facts, Moves)]) -> Result<(), Error> {
    let moves: Vec<Moves> = games.iter().map(|game| game.1.clone()).collect();
    let index = build(&moves, FINGERPRINT_BITS)?;
    let facts: Vec<u8> = games.iter().flat_map(|game| game.0.to_bytes()).collect();
    let mut statement = connection
        .prepare_cached("INSERT INTO segments (games, bits, facts, collisions) VALUES (?1, ?2, ?3, ?4)")?;
    statement.execute(params![
        games.len() as i64,
        index.bits(),
        facts,
        collisions(&index)
    ])?;
    let segment = connection.last_insert_rowid();
    each_part(&index, &mut |discs, part, first, last, entries| {
        let mut statement = connection.prepare_cached(
            "INSERT INTO positions (segment, discs, part, first, last, entries) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        statement.execute(params![
            segment,
            discs as i64,
            part as i64,
            first as i64,
            last as i64,
            entries
        ])?;
        Ok(())
    })
}

/// Returns the shared fingerprints of an index as they are stored.
pub(crate) fn collisions(index: &Index<'_>) -> Vec<u8> {
    let words = index
        .collisions()
        .iter()
        .map(|&(discs, fingerprint)| u64::from(discs) << 56 | fingerprint);
    words.flat_map(u64::to_le_bytes).collect()
}

/// What is called for each part: number of discs, number of the part, first and last fingerprint, entries.
type OnPart<'a> = dyn FnMut(usize, usize, u64, u64, Vec<u8>) -> Result<(), Error> + 'a;

/// Cuts an index into parts.
pub(crate) fn each_part(index: &Index<'_>, take: &mut OnPart<'_>) -> Result<(), Error> {
    for discs in 0..=64 {
        let slice = index.slice(discs);
        for (part, start) in (0..slice.len()).step_by(PART).enumerate() {
            let end = (start + PART).min(slice.len());
            let fingerprint = |at: usize| slice.word(at) >> 24;
            take(
                discs,
                part,
                fingerprint(start),
                fingerprint(end - 1),
                slice.to_bytes(start..end),
            )?;
        }
    }
    Ok(())
}

/// Returns the games of a segment that `is_there` accepts, with their moves.
pub(crate) fn games(
    connection: &Connection,
    segment: &Segment,
    is_there: impl Fn(&Facts) -> bool,
) -> Result<Vec<(Facts, Moves)>, Error> {
    let facts = segment.facts.iter().filter(|facts| is_there(facts));
    facts
        .map(|facts| Ok((*facts, rows::moves(connection, facts.id)?)))
        .collect()
}

/// Returns which segments of these sizes should become one with `new` games: all that are not full, if they are many or
/// the smaller ones have grown to a quarter of the largest.
pub(crate) fn to_merge(sizes: &[usize], new: usize) -> Vec<usize> {
    let open: Vec<usize> = (0..sizes.len()).filter(|&at| sizes[at] < FULL).collect();
    let count = open.len() + usize::from(new > 0);
    let sum: usize = open.iter().map(|&at| sizes[at]).sum::<usize>() + new;
    let largest = open.iter().map(|&at| sizes[at]).max().unwrap_or(0).max(new);
    if count > 1 && (count > MANY || (sum - largest) * 4 >= largest) {
        open
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_stay_few() {
        assert_eq!(to_merge(&[], 100), [0; 0]);
        assert_eq!(to_merge(&[100], 1), [0; 0]);
        assert_eq!(to_merge(&[100], 0), [0; 0]);
        assert_eq!(to_merge(&[100], 25), [0]);
        assert_eq!(to_merge(&[100, 10, 10], 5), [0, 1, 2]);
        assert_eq!(to_merge(&[FULL, 100], 1), [0; 0]);
        assert_eq!(to_merge(&[FULL, 100], 90), [1]);
        assert_eq!(to_merge(&[1000, 1, 1, 1, 1, 1, 1, 1], 1).len(), 8);
    }
}
