//! WTHOR games to game records with tags, and back without loss.

use super::{Header, NO_SCORE, NameFile, Record, WriteWthorError, WthorGame, score_from_discs, write_games};
use crate::{GameRecord, Stated};
use outflank_othello::{Color, Discs};
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
};

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
    /// there is no such comment the result tag as the real score, if it states one, else the last position's.
    ///
    /// The theoretical score is one that was solved only if the comment holds it; else it is what
    /// [`Record::from_game`] puts there.
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
        } else if let Some(stated) = game.tag("RE").and_then(Stated::parse) {
            let result = game.game.result();
            let discs = match (stated.discs(&game.game), result, stated.winner) {
                (Some(discs), ..) => discs,
                // Only who won: by how much, a finished game says; else the closest result is no claim.
                (None, Some(result), winner) if result.winner == winner => result.discs.get(),
                (None, _, Some(Color::Black)) => 2,
                (None, _, Some(Color::White)) => -2,
                (None, _, None) => 0,
            };
            record.real_score = score_from_discs(Discs::saturating(discs));
            if result.is_none() {
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
    /// The games, each with the number of empties from which its theoretical score assumes perfect play, if it has one.
    records: Vec<(Record, Option<u8>)>,
    /// Years in the date tags; 0 for a game without one.
    years: BTreeSet<u16>,
}

/// Empties of a theoretical score that needs no solving: the last move is forced.
const NOTHING_SOLVED: u8 = 1;

impl WthorWriter {
    /// Adds a game.
    ///
    /// # Errors
    ///
    /// Returns an error if the game does not start at the standard start position.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), WriteWthorError> {
        let numbers = game.tag("CO").and_then(Numbers::from_comment);
        let empties = numbers
            .and_then(|numbers| u8::try_from(numbers.fields[5]).ok())
            .filter(|&empties| empties > NOTHING_SOLVED);
        self.records.push((Record::from_game_record(game)?, empties));
        let date = game.tag("DT").unwrap_or_default().trim();
        self.years
            .insert(date.get(..4).and_then(|year| year.parse().ok()).unwrap_or(0));
        Ok(())
    }

    /// Adds a game whose theoretical score was solved: black's margin with perfect play from `empties` empties on.
    ///
    /// # Errors
    ///
    /// Returns an error if the game does not start at the standard start position.
    pub fn add_solved(
        &mut self,
        game: &GameRecord,
        theoretical: Discs,
        empties: u8,
    ) -> Result<(), WriteWthorError> {
        self.add(game)?;
        if let Some((record, known)) = self.records.last_mut() {
            record.theoretical_score = score_from_discs(theoretical);
            *known = Some(empties);
        }
        Ok(())
    }

    /// Returns the number of games added.
    pub const fn n_games(&self) -> usize {
        self.records.len()
    }

    /// Returns the number of empties from which most of the solved games are solved; 1, which claims nothing, if none
    /// is.
    fn depth(&self) -> u8 {
        let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
        for empties in self.records.iter().filter_map(|record| record.1) {
            *counts.entry(empties).or_default() += 1;
        }
        let most = counts.into_iter().max_by_key(|&(_, count)| count);
        most.map_or(NOTHING_SOLVED, |(empties, _)| empties)
    }

    /// Returns the header: the year if all games agree on it, and the depth of the theoretical scores.
    pub fn header(&self) -> Header {
        let year = match self.years.len() {
            1 => self.years.first().copied().unwrap_or(0),
            _ => 0,
        };
        Header {
            depth: self.depth(),
            ..Header::for_games(self.records.len() as i32, year)
        }
    }

    /// Writes the file.
    ///
    /// A header has one depth for the theoretical scores of all games: where it is not that of a game, or the game was
    /// never solved, [`NO_SCORE`] stands in place of its theoretical score.
    ///
    /// # Errors
    ///
    /// Returns what the destination says.
    pub fn finish(self, output: impl io::Write) -> io::Result<()> {
        let header = self.header();
        let is_solved = |empties: Option<u8>| empties == Some(header.depth);
        let records: Vec<Record> = self
            .records
            .into_iter()
            .map(|(mut record, empties)| {
                if header.depth != NOTHING_SOLVED && !is_solved(empties) {
                    record.theoretical_score = NO_SCORE;
                }
                record
            })
            .collect();
        write_games(output, header, &records)
    }
}
