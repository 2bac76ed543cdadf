//! WTHOR games to game records with tags, and back without loss.

use super::{Header, NameFile, Record, WriteWthorError, WthorGame, score_from_discs, write_games};
use crate::GameRecord;
use outflank_othello::Discs;
use std::{collections::BTreeSet, io};

/// Returns the name with an index, empty if it is not known.
fn name(file: Option<&NameFile>, index: u16) -> &str {
    file.and_then(|file| file.get(index)).unwrap_or_default()
}

impl WthorGame {
    /// Returns the game with its tags: players, tournament and year by name where the name files are given, the result
    /// as the file states it, and in the comment everything that no other tag holds.
    ///
    /// [`Record::from_game_record`] gets the same record back from it.
    pub fn to_game_record(&self, players: Option<&NameFile>, tournaments: Option<&NameFile>) -> GameRecord {
        let mut record = GameRecord::new(self.game.clone());
        record.add_tag("PC", name(tournaments, self.record.tournament));
        if self.year != 0 {
            record.add_tag("DT", self.year.to_string());
        }
        record.add_tag("PB", name(players, self.record.black));
        record.add_tag("PW", name(players, self.record.white));
        if let Some(discs) = self.real_discs() {
            record.add_tag("RE", discs.to_string());
        }
        record.add_tag(
            "CO",
            Numbers::of(&self.record, self.theoretical_empties).to_comment(),
        );
        record
    }
}

/// What a record holds besides its moves.
struct Numbers {
    fields: [u16; 6],
}

/// Names of the numbers in a comment, in order.
const FIELDS: [&str; 6] = ["tournament", "black", "white", "real", "theoretical", "at"];

impl Numbers {
    fn of(record: &Record, theoretical_empties: u8) -> Self {
        Self {
            fields: [
                record.tournament,
                record.black,
                record.white,
                u16::from(record.real_score),
                u16::from(record.theoretical_score),
                u16::from(theoretical_empties),
            ],
        }
    }

    fn to_comment(&self) -> String {
        let words: Vec<String> = FIELDS
            .iter()
            .zip(self.fields)
            .map(|(name, n)| format!("{name} {n}"))
            .collect();
        format!("WTHOR {}", words.join(" "))
    }

    fn from_comment(comment: &str) -> Option<Self> {
        let mut words = comment.split_whitespace();
        let mut fields = [0; 6];
        if words.next() != Some("WTHOR") {
            return None;
        }
        for (name, field) in FIELDS.iter().zip(&mut fields) {
            if words.next() != Some(name) {
                return None;
            }
            *field = words.next()?.parse().ok()?;
        }
        Some(Self { fields })
    }
}

impl Record {
    /// Returns the record of a game with tags: what [`WthorGame::to_game_record`] wrote into the comment, and where
    /// there is no such comment the result tag as the real score, if it is a number, else the last position's.
    ///
    /// # Errors
    ///
    /// Returns an error if the game does not start at the standard start position.
    pub fn from_game_record(game: &GameRecord) -> Result<Self, WriteWthorError> {
        let mut record = Self::from_game(&game.game)?;
        if let Some(numbers) = game.tag("CO").and_then(Numbers::from_comment) {
            let [tournament, black, white, real, theoretical, _] = numbers.fields;
            record.tournament = tournament;
            record.black = black;
            record.white = white;
            record.real_score = u8::try_from(real).unwrap_or(record.real_score);
            record.theoretical_score = u8::try_from(theoretical).unwrap_or(record.theoretical_score);
        } else if game.game.result().is_none() {
            // Given up or lost on time: the score is what the tag says.
            let stated = game.tag("RE").and_then(|text| text.trim().parse::<f64>().ok());
            if let Some(discs) = stated.filter(|x| x.abs() <= 64.0) {
                let discs = Discs::saturating(discs as i32);
                record.real_score = score_from_discs(discs);
                record.theoretical_score = record.real_score;
            }
        }
        Ok(record)
    }
}

/// Collects games with tags for one `.wtb` file.
///
/// # Examples
///
/// ```
/// use outflank_records::{ggf, wthor::{Wthor, WthorWriter}};
/// let text = "(;GM[Othello]DT[2001.05.12]RE[-2]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- \
///             -------- -------- *]B[f5]W[d6];)";
/// let mut writer = WthorWriter::default();
/// writer.add(&ggf::parse(text)?.value)?;
/// let mut bytes = Vec::new();
/// writer.finish(&mut bytes)?;
/// let file = Wthor::read(bytes.as_slice())?;
/// assert_eq!((file.header.year, file.header.n_games), (2001, 1));
/// assert_eq!(file.games[0].record.real_score, 31);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct WthorWriter {
    records: Vec<Record>,
    /// Years in the date tags; 0 for a game without one.
    years: BTreeSet<u16>,
    /// Empties from which the theoretical scores assume perfect play, where the comments say it.
    depths: BTreeSet<u8>,
}

impl WthorWriter {
    /// Adds a game.
    ///
    /// # Errors
    ///
    /// Returns an error if the game does not start at the standard start position.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), WriteWthorError> {
        self.records.push(Record::from_game_record(game)?);
        let date = game.tag("DT").unwrap_or_default().trim();
        self.years
            .insert(date.get(..4).and_then(|year| year.parse().ok()).unwrap_or(0));
        if let Some(numbers) = game.tag("CO").and_then(Numbers::from_comment) {
            self.depths.extend(u8::try_from(numbers.fields[5]));
        }
        Ok(())
    }

    /// Returns the number of games added.
    pub const fn n_games(&self) -> usize {
        self.records.len()
    }

    /// Returns the header: the year and the depth of the theoretical scores if all games agree on them.
    pub fn header(&self) -> Header {
        let only = |set: &BTreeSet<u16>| {
            if set.len() == 1 {
                set.first().copied()
            } else {
                None
            }
        };
        let mut header = Header::for_games(self.records.len() as i32, only(&self.years).unwrap_or(0));
        if let (1, Some(&depth)) = (self.depths.len(), self.depths.first()) {
            header.depth = depth;
        }
        header
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// Returns what the destination says.
    pub fn finish(self, output: impl io::Write) -> io::Result<()> {
        write_games(output, self.header(), &self.records)
    }
}
