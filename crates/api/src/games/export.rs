//! Games of a collection as the files of WTHOR.

use super::{ListRequest, failed, records};
use crate::error::Error;
use outflank_games::Store;
use outflank_othello::Discs;
use outflank_records::wthor::{NO_SCORE, NameFile, NameKind, WthorWriter, score_from_discs};
use outflank_records::{GameRecord, Stated};
use std::collections::BTreeMap;

/// The files of WTHOR for some games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WthorFiles {
    /// The games (`.wtb`).
    pub games: Vec<u8>,
    /// The players (`.jou`).
    pub players: Vec<u8>,
    /// The tournaments (`.trn`).
    pub tournaments: Vec<u8>,
    /// Games in them.
    pub n_games: usize,
    /// Games for which the format has no place, as they have another start.
    pub left_out: usize,
    /// Names that are longer than the format allows, or have letters that it lacks.
    pub changed_names: usize,
    /// Whether games of several years are together, which the format cannot tell apart.
    pub years_lost: bool,
}

/// Numbers for names; the first stands for nobody.
#[derive(Debug)]
struct Numbers(BTreeMap<String, u16>);

impl Numbers {
    fn of(&mut self, name: &str) -> Result<u16, Error> {
        let name = if name.is_empty() { "???" } else { name };
        if let Some(&number) = self.0.get(name) {
            return Ok(number);
        }
        let number = u16::try_from(self.0.len())
            .map_err(|_| Error::Input("WTHOR has room for 65 536 names: export fewer games".to_owned()))?;
        self.0.insert(name.to_owned(), number);
        Ok(number)
    }

    fn file(&self, kind: NameKind) -> (Vec<u8>, usize) {
        let mut names: Vec<(&u16, &String)> = self.0.iter().map(|(name, number)| (number, name)).collect();
        names.sort();
        let bytes = NameFile::from_names(names.iter().map(|(_, name)| name.as_str()), kind).to_bytes();
        let back = NameFile::read(&bytes[..], kind);
        let is_changed = |(number, name): &&(&u16, &String)| {
            back.as_ref()
                .is_ok_and(|back| back.get(**number) != Some(name.as_str()))
        };
        let changed = names.iter().filter(is_changed).count();
        (bytes, changed)
    }
}

/// Returns the games of a list as files of WTHOR.
///
/// # Errors
///
/// Returns why the request cannot be answered.
pub fn wthor<S: Store>(request: &ListRequest, store: &S) -> Result<WthorFiles, Error> {
    let mut files = WthorFiles::default();
    let mut writer = WthorWriter::default();
    let nobody = || Numbers(BTreeMap::from([("???".to_owned(), 0)]));
    let (mut players, mut tournaments) = (nobody(), nobody());
    records(request, store, &mut |mut record, theoretical| {
        let tag = |key: &str| record.tag(key).unwrap_or_default().to_owned();
        let place = if tag("EV").is_empty() {
            tag("PC")
        } else {
            tag("EV")
        };
        let (black, white) = (players.of(&tag("PB"))?, players.of(&tag("PW"))?);
        let tournament = tournaments.of(&place)?;
        let (score, empties) = theoretical.map_or((NO_SCORE, 1), |(discs, empties)| {
            (score_from_discs(discs), empties)
        });
        let real = real_score(&record);
        let numbers = format!(
            "WTHOR tournament {tournament} black {black} white {white} real {real} theoretical {score} at {empties}"
        );
        record.tags.retain(|(key, _)| key != "CO");
        record.add_tag("CO", numbers);
        files.left_out += usize::from(writer.add(&record).is_err());
        Ok(())
    })?;
    files.n_games = writer.n_games();
    files.years_lost = writer.header().year == 0;
    writer.finish(&mut files.games).map_err(failed)?;
    let changed;
    (files.players, changed) = players.file(NameKind::Players);
    (files.tournaments, files.changed_names) = tournaments.file(NameKind::Tournaments);
    files.changed_names += changed;
    Ok(files)
}

/// Returns black's discs as the record states them; where only the winner is known, the closest result.
fn real_score(record: &GameRecord) -> u8 {
    let stated = record.tag("RE").and_then(Stated::parse);
    let discs = stated.and_then(|stated| stated.discs(&record.game));
    let closest = stated
        .and_then(|stated| stated.winner)
        .map_or(0, |winner| match winner {
            outflank_othello::Color::Black => 2,
            outflank_othello::Color::White => -2,
        });
    score_from_discs(Discs::saturating(discs.unwrap_or(closest)))
}
