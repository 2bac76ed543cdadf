//! A game with everything that is kept of it, and how that comes from a record and becomes one again.

use crate::{Facts, Flags, Moves};
use outflank_othello::{Color, Discs, Game};
use outflank_records::{GameRecord, Stated, wthor::WthorGame};
use std::fmt;

/// A day, a month or a year; 0 stands for what is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// The year, 0 if it is not known.
    pub year: u16,
    /// The month from 1, 0 if it is not known.
    pub month: u8,
    /// The day from 1, 0 if it is not known.
    pub day: u8,
}

impl Date {
    /// Reads the date at the start of a text: `2001`, `2001.5.12`, `2001-05-12T10:00:00Z`, `2001/05`, `20010512`.
    ///
    /// ```
    /// use outflank_games::Date;
    /// let date = |text| Date::parse(text).map(|date| date.to_string());
    /// assert_eq!(date("2001-05-12T10:00:00Z").as_deref(), Some("2001.05.12"));
    /// assert_eq!(date("1977").as_deref(), Some("1977"));
    /// assert_eq!(date("spring"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let number = |text: &str, range: std::ops::RangeInclusive<u16>| {
            text.parse().ok().filter(|number| range.contains(number))
        };
        if digits == 8 {
            return Some(Self {
                year: number(&text[..4], 1..=9999)?,
                month: number(&text[4..6], 1..=12)? as u8,
                day: number(&text[6..8], 1..=31)? as u8,
            });
        }
        if digits != 4 {
            return None;
        }
        let mut date = Self {
            year: number(&text[..4], 1..=9999)?,
            month: 0,
            day: 0,
        };
        let mut parts = text[4..].split(|c: char| !c.is_ascii_digit());
        parts.next();
        let mut part = |greatest| number(parts.next().unwrap_or_default(), 1..=greatest);
        if let Some(month) = part(12) {
            date.month = month as u8;
            date.day = part(31).unwrap_or(0) as u8;
        }
        Some(date)
    }
}

impl fmt::Display for Date {
    /// Writes `2001.05.12`, `2001.05` or `2001`; nothing if not even the year is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.year, self.month, self.day) {
            (0, ..) => Ok(()),
            (year, 0, _) => write!(f, "{year:04}"),
            (year, month, 0) => write!(f, "{year:04}.{month:02}"),
            (year, month, day) => write!(f, "{year:04}.{month:02}.{day:02}"),
        }
    }
}

/// A game with everything that is kept of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The moves.
    pub moves: Moves,
    /// Number of the game in its source, from 1.
    pub number: u32,
    /// The player of the black discs as given, empty if not known.
    pub black: String,
    /// The player of the white discs as given, empty if not known.
    pub white: String,
    /// Where it was played, empty if not known.
    pub event: String,
    /// When it was played.
    pub date: Date,
    /// Black's margin, the empty squares counted for the winner.
    pub result: Option<Discs>,
    /// Black's margin with perfect play from a number of empty squares on, and that number.
    pub theoretical: Option<(Discs, u8)>,
    /// Discs on the board at the end.
    pub discs: u8,
    /// How it ended, and the rest.
    pub flags: Flags,
    /// Tags for which there is no field, keys and values as GGF has them.
    pub tags: Vec<(String, String)>,
}

/// Tags that become fields, or that the moves say.
const FIELDS: [&str; 6] = ["PB", "PW", "RE", "RESULT", "DT", "TY"];

impl Entry {
    /// Returns a game of which only the moves are known.
    pub fn of_game(game: &Game) -> Self {
        let result = game.result();
        let mut flags = Flags::default().with(Flags::FINISHED, result.is_some());
        if let Some(result) = result {
            flags = flags.with_winner(Some(result.winner));
        }
        let moves = Moves::of(game);
        Self {
            result: result.map(|result| result.discs),
            discs: game.position().board().occupied().count() as u8,
            flags: flags.with(Flags::OTHER_START, moves.start.is_some()),
            moves,
            ..Self::default()
        }
    }

    /// Returns what a record says.
    ///
    /// The result is that of the moves if the game was played to the end, else what the record states.
    pub fn of_record(record: &GameRecord) -> Self {
        let mut entry = Self::of_game(&record.game);
        let text = |key: &str| record.tag(key).unwrap_or_default().trim().to_owned();
        (entry.black, entry.white) = (text("PB"), text("PW"));
        let event_key = if text("EV").is_empty() { "PC" } else { "EV" };
        entry.event = text(event_key);
        let date = text("DT");
        entry.date = Date::parse(&date).unwrap_or_default();
        if let Some(stated) = record
            .tag("RE")
            .or_else(|| record.tag("RESULT"))
            .and_then(Stated::parse)
        {
            entry.flags = entry.flags.with(Flags::EARLY, stated.early);
            let discs = stated.discs(&record.game).and_then(Discs::new);
            entry.state(discs, stated.winner, stated.early);
        }
        if let Some((discs, empties)) = record.tag("CO").and_then(theoretical_of_comment) {
            entry.theoretical = Some((discs, empties));
        }
        let is_kept = |key: &str, value: &str| match key {
            "DT" => entry.date.to_string() != date,
            "CO" => theoretical_of_comment(value).is_none() && !value.starts_with("WTHOR "),
            _ => !FIELDS.contains(&key) && key != event_key,
        };
        let tags = record
            .tags
            .iter()
            .filter(|(key, value)| is_kept(key, value.trim()));
        entry.tags = tags.cloned().collect();
        entry
    }

    /// Returns what a record of WTHOR says, with its names; `with_theoretical` if its theoretical score is one.
    pub fn of_wthor(game: &WthorGame, [black, white, event]: [&str; 3], with_theoretical: bool) -> Self {
        let mut entry = Self::of_game(&game.game);
        (entry.black, entry.white, entry.event) =
            (black.trim().into(), white.trim().into(), event.trim().into());
        entry.date.year = game.year;
        if let Some(discs) = game.real_discs() {
            let winner = match discs.get() {
                0 => None,
                1.. => Some(Color::Black),
                _ => Some(Color::White),
            };
            entry.state(Some(discs), winner, false);
        }
        if with_theoretical {
            entry.theoretical = game
                .theoretical_discs()
                .map(|discs| (discs, game.theoretical_empties));
        }
        entry
    }

    /// Takes the stated result of a game that was not played to the end; of another one it only shows whether it is right.
    fn state(&mut self, discs: Option<Discs>, winner: Option<Color>, early: bool) {
        if self.flags.has(Flags::FINISHED) {
            let differs =
                discs.is_some_and(|discs| Some(discs) != self.result) || self.flags.winner() != Some(winner);
            self.flags = self.flags.with(Flags::RESULT_DIFFERS, differs && !early);
        } else {
            self.result = discs;
            self.flags = self.flags.with_winner(Some(winner));
        }
    }

    /// Returns the entry of which these are the facts, names and moves; number and tags are left empty.
    pub(crate) fn of_facts(facts: &Facts, moves: Moves, [black, white, event]: [&str; 3]) -> Self {
        Self {
            moves,
            number: 0,
            black: black.to_owned(),
            white: white.to_owned(),
            event: event.to_owned(),
            date: Date {
                year: facts.year,
                month: facts.month,
                day: facts.day,
            },
            result: facts.result,
            theoretical: facts.theoretical.map(|discs| (discs, facts.theoretical_empties)),
            discs: facts.discs,
            flags: facts.flags,
            tags: Vec::new(),
        }
    }

    /// Returns the facts without numbers: of the game, names and source.
    pub fn facts(&self) -> Facts {
        Facts {
            year: self.date.year,
            month: self.date.month,
            day: self.date.day,
            result: self.result,
            theoretical: self.theoretical.map(|(discs, _)| discs),
            theoretical_empties: self.theoretical.map_or(0, |(_, empties)| empties),
            discs: self.discs,
            flags: self.flags,
            ..Facts::default()
        }
    }

    /// Returns the result as GGF states it, empty if it is not known: `+6`, `-12:r` where the game was given up.
    pub fn result_text(&self) -> String {
        let early = if self.flags.has(Flags::EARLY) { ":r" } else { "" };
        match (self.result, self.flags.winner()) {
            (Some(discs), _) => format!("{discs}{early}"),
            (None, Some(Some(Color::Black))) => "B+R".to_owned(),
            (None, Some(Some(Color::White))) => "W+R".to_owned(),
            (None, Some(None)) => "0".to_owned(),
            (None, None) => String::new(),
        }
    }

    /// Returns the record of which [`Entry::of_record`] makes this entry again, but for what the collection added.
    ///
    /// `None` if the moves are no game.
    pub fn to_record(&self) -> Option<GameRecord> {
        let mut record = GameRecord::new(self.moves.to_game().ok()?);
        // The date as given stands among the tags where it says more.
        let has_own_date = self.tags.iter().any(|(key, _)| key == "DT");
        let date = if has_own_date {
            String::new()
        } else {
            self.date.to_string()
        };
        let has_place = self.tags.iter().any(|(key, _)| key == "PC");
        record.add_tag(if has_place { "EV" } else { "PC" }, &self.event);
        record.add_tag("DT", date);
        record.add_tag("PB", &self.black);
        record.add_tag("PW", &self.white);
        record.add_tag("RE", self.result_text());
        record.tags.extend(self.tags.iter().cloned());
        if let Some((discs, empties)) = self.theoretical {
            record.add_tag("CO", format!("{THEORETICAL} {discs} at {empties}"));
        }
        Some(record)
    }
}

/// First word of the comment that holds a theoretical result.
const THEORETICAL: &str = "theoretical";

/// Reads the theoretical result out of the comment that [`Entry::to_record`] writes, or that of a WTHOR record.
fn theoretical_of_comment(comment: &str) -> Option<(Discs, u8)> {
    let words: Vec<&str> = comment.split_whitespace().collect();
    match words[..] {
        [THEORETICAL, discs, "at", empties] => {
            Some((Discs::new(discs.parse().ok()?)?, empties.parse().ok()?))
        }
        ["WTHOR", .., THEORETICAL, score, "at", empties] => {
            let discs = outflank_records::wthor::discs_from_score(score.parse().ok()?)?;
            // Nothing is solved at one empty square.
            let empties = empties.parse().ok().filter(|&empties| empties > 1)?;
            Some((discs, empties))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_records::{ggf, transcript};

    fn record(tags: &[(&str, &str)]) -> GameRecord {
        let mut record = GameRecord::new(transcript::parse("f5d6c3d3c4").expect("legal").value);
        for (key, value) in tags {
            record.add_tag(key, *value);
        }
        record
    }

    #[test]
    fn dates_of_every_kind_are_read() {
        for (text, expected) in [
            ("2001", "2001"),
            ("2001.05", "2001.05"),
            ("2024-12-24T00:00:00.000Z", "2024.12.24"),
            ("2001/5/2", "2001.05.02"),
            ("20010512", "2001.05.12"),
            ("2001.13.40", "2001"),
            ("2001.??.??", "2001"),
            ("1070000000", ""),
            ("", ""),
        ] {
            assert_eq!(
                Date::parse(text).unwrap_or_default().to_string(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn records_become_entries_and_records_again() {
        for tags in [
            &[][..],
            &[
                ("PB", "Ada"),
                ("PW", "Bob"),
                ("PC", "GGS/os"),
                ("DT", "2003.12.15_13:24:03.MST"),
                ("RE", "+12:r"),
            ],
            &[
                ("PB", "Ada"),
                ("RE", "W+R"),
                ("EV", "Open"),
                ("PC", "Rome"),
                ("RB", "1500"),
            ],
            &[("RE", "-8"), ("CO", "a comment"), ("DT", "1996.11.30")],
            &[("RE", "0"), ("CO", "theoretical +4 at 24")],
        ] {
            let entry = Entry::of_record(&record(tags));
            let again = entry.to_record().expect("legal");
            assert_eq!(Entry::of_record(&again), entry, "{tags:?}");
            let text = ggf::write(&again);
            assert_eq!(
                Entry::of_record(&ggf::parse(&text).expect(&text).value),
                entry,
                "{text}"
            );
        }
        let entry = Entry::of_record(&record(&[("RE", "+12:r"), ("RB", "1500"), ("TI", "5:00")]));
        assert_eq!(entry.result.map(Discs::get), Some(12));
        assert!(entry.flags.has(Flags::EARLY) && !entry.flags.has(Flags::FINISHED));
        assert_eq!(entry.tags.len(), 2);
    }

    #[test]
    fn the_moves_of_a_finished_game_decide() {
        let wipe_out = "f5d6c5f4e3f6g5e6e7";
        let mut record = GameRecord::new(transcript::parse(wipe_out).expect("legal").value);
        record.add_tag("RE", "+10");
        let entry = Entry::of_record(&record);
        assert!(entry.flags.has(Flags::FINISHED) && entry.flags.has(Flags::RESULT_DIFFERS));
        assert_eq!((entry.result.map(Discs::get), entry.discs), (Some(64), 13));
    }
}
