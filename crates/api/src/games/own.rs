//! The games that a front-end can ask beside its own text: those that it has sent, in memory, and those that whoever runs
//! the program has opened.

use super::{GameObject, GamesFilter, ListRequest, NameObject, NamesOf, TotalsBy, TotalsObject};
use crate::{
    access::{Capabilities, Input, WthorNames, bytes_of},
    error::Error,
};
use outflank_games::{Builder, Collection, Found, NameFiles, Store, read};
use outflank_records::wthor::{FileKind, GAME_BYTES, HEADER_BYTES, sniff};
use outflank_search::StopToken;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    io::Read as _,
    sync::{Mutex, MutexGuard, PoisonError},
};

#[cfg(all(feature = "database", not(target_arch = "wasm32")))]
use super::failed;
#[cfg(all(feature = "database", not(target_arch = "wasm32")))]
use outflank_database::Database;
#[cfg(all(feature = "database", not(target_arch = "wasm32")))]
use std::sync::Arc;

/// Most bytes that a front-end may send.
pub const MOST_BYTES: usize = 64 << 20;
/// Most games that it may send: the index of so many takes some 100 MB.
pub const MOST_GAMES: usize = 150_000;
/// Most games, totals or names in one answer.
pub const MOST_LISTED: usize = 1000;
/// Most games of a source that cannot be read and are told one by one.
const MOST_BAD: usize = 20;
/// Longest name of a source in bytes.
const MOST_NAME: usize = 200;

/// Which games are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CollectionName {
    /// Those that the front-end has sent.
    #[default]
    Own,
    /// Those that whoever runs the program has opened.
    Server,
}

/// Forgets games, takes some in, and asks for what is there, in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GamesRequest {
    /// A source to take in: it counts in `explore` until it is forgotten or the session ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add: Option<AddGames>,
    /// The sources to forget; all of them if the list is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forget: Option<Vec<String>>,
    /// The collection that the following is asked of.
    #[serde(default)]
    pub collection: CollectionName,
    /// Asks for games, at most 1,000 at a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<ListRequest>,
    /// Asks for totals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub totals: Option<TotalsRequest>,
    /// Asks for names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<NamesOfRequest>,
}

/// A source of games, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddGames {
    /// Its name, such as that of the file: games that came under it before are replaced. Names of players and tournaments
    /// of WTHOR (`.jou`, `.trn`) are kept for the games that come after them.
    pub name: String,
    /// Its contents in any format, or the next part of them.
    pub input: Input,
    /// Whether another part follows; only after the last one the games are there.
    #[serde(default)]
    pub more: bool,
}

/// Asks for the totals of a collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TotalsRequest {
    /// What the totals are for.
    pub by: TotalsBy,
    /// Which games count.
    #[serde(default)]
    pub filter: GamesFilter,
    /// The most totals to return; 1,000 if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// Asks for the names in a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamesOfRequest {
    /// Of players or of events.
    #[serde(default)]
    pub of: NamesOf,
    /// A text that means some of them; all if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The most names to return; 1,000 if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// What is said about games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GamesEvent {
    /// A game that cannot be read.
    Bad(BadGameObject),
    /// A game that was asked for.
    Game(Box<GameObject>),
    /// A total.
    Total(Box<TotalsObject>),
    /// A name.
    Name(NameObject),
    /// What the collection holds, at last.
    Collection(CollectionObject),
}

/// A game that cannot be read; the first twenty of a source are told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BadGameObject {
    /// The source.
    pub source: String,
    /// Its number there, from 1; 0 if something is wrong with the source as a whole.
    pub number: u32,
    /// The line, where there are lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Number of the move that is not legal, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// What is wrong.
    pub reason: String,
}

/// What a collection holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CollectionObject {
    /// Games.
    pub games: usize,
    /// Its sources, by name.
    pub sources: Vec<SourceObject>,
    /// Games asked for with `list`, whether they were returned or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed: Option<usize>,
    /// Bytes of the front-end's own games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<usize>,
}

/// A source of games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceObject {
    /// Its name.
    pub name: String,
    /// Games.
    pub games: usize,
    /// Games that cannot be read.
    pub bad: usize,
    /// Bytes, of the front-end's own games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<usize>,
}

/// The games of one front-end.
#[derive(Debug, Default)]
struct Own {
    /// All games, while some come or go.
    builder: Builder,
    /// All games with their index, since the first question.
    collection: Option<Collection>,
    sources: BTreeMap<String, SourceObject>,
    /// Sources of which parts are missing.
    parts: BTreeMap<String, Vec<u8>>,
    names: WthorNames,
}

impl Own {
    fn builder(&mut self) -> &mut Builder {
        if let Some(collection) = self.collection.take() {
            self.builder = collection.into_builder();
        }
        &mut self.builder
    }

    fn collection(&mut self) -> &Collection {
        let builder = &mut self.builder;
        self.collection
            .get_or_insert_with(|| std::mem::take(builder).build())
    }

    fn bytes(&self) -> usize {
        let whole: usize = self.sources.values().filter_map(|source| source.bytes).sum();
        whole + self.parts.values().map(Vec::len).sum::<usize>()
    }

    /// Forgets sources; all of them if none is named.
    fn forget(&mut self, names: &[String]) {
        if names.is_empty() {
            *self = Self::default();
        }
        for name in names {
            self.parts.remove(name);
            if self.sources.remove(name).is_some() {
                self.builder().remove(name);
            }
        }
    }

    /// Takes in a part of a source, and its games after the last part.
    fn add(
        &mut self,
        asked: &AddGames,
        capabilities: &Capabilities<'_>,
        stop: &StopToken,
        on_event: &mut dyn FnMut(GamesEvent),
    ) -> Result<(), Error> {
        let name = &asked.name;
        if name.is_empty() || name.len() > MOST_NAME {
            return Err(Error::Value {
                name: "name",
                reason: format!("1 to {MOST_NAME} bytes"),
            });
        }
        let part = contents(&asked.input, capabilities)?;
        let replaced = self
            .sources
            .get(name)
            .and_then(|source| source.bytes)
            .unwrap_or(0);
        if self.bytes() - replaced + part.len() > MOST_BYTES {
            self.parts.remove(name);
            let reason = format!("more than {} MiB of games: forget some", MOST_BYTES >> 20);
            return Err(Error::TooMuch(reason));
        }
        let parts = self.parts.entry(name.clone()).or_default();
        parts.extend(part);
        if asked.more {
            return Ok(());
        }
        let bytes = std::mem::take(parts);
        self.parts.remove(name);
        if sniff(&bytes[..bytes.len().min(HEADER_BYTES + GAME_BYTES)]) == Some(FileKind::Names) {
            let found = WthorNames::among(vec![name], |_| Ok(bytes.as_slice()));
            self.names.players = found.players.or(self.names.players.take());
            self.names.tournaments = found.tournaments.or(self.names.tournaments.take());
            return Ok(());
        }
        self.forget(std::slice::from_ref(name));
        self.read(name, &bytes, stop, on_event)
    }

    fn read(
        &mut self,
        name: &str,
        bytes: &[u8],
        stop: &StopToken,
        on_event: &mut dyn FnMut(GamesEvent),
    ) -> Result<(), Error> {
        let mut builder = std::mem::take(self.builder());
        let names = NameFiles {
            players: self.names.players.as_ref(),
            tournaments: self.names.tournaments.as_ref(),
        };
        let mut source = SourceObject {
            name: name.to_owned(),
            bytes: Some(bytes.len()),
            ..SourceObject::default()
        };
        let mut is_full = false;
        read(bytes, names, &mut |found| {
            match found {
                Found::Game(entry) => {
                    is_full = builder.len() >= MOST_GAMES;
                    if !is_full {
                        builder.add(name, *entry);
                        source.games += 1;
                    }
                }
                Found::Position => {}
                Found::Bad(bad) => {
                    source.bad += 1;
                    if source.bad <= MOST_BAD {
                        on_event(GamesEvent::Bad(BadGameObject {
                            source: name.to_owned(),
                            number: bad.number,
                            line: (bad.line > 0).then_some(bad.line),
                            ply: bad.ply,
                            reason: bad.reason,
                        }));
                    }
                }
            }
            !is_full && !stop.is_stopped()
        });
        if is_full || stop.is_stopped() {
            // Half a source is none.
            builder.remove(name);
        } else {
            self.sources.insert(name.to_owned(), source);
        }
        self.builder = builder;
        if is_full {
            let reason =
                format!("more than {MOST_GAMES} games: forget some, or serve a database with --games");
            return Err(Error::TooMuch(reason));
        }
        Ok(())
    }
}

/// Returns the bytes of a source.
fn contents(input: &Input, capabilities: &Capabilities<'_>) -> Result<Vec<u8>, Error> {
    match (input, capabilities.open) {
        (Input::Text(text), _) => Ok(text.as_bytes().to_vec()),
        (Input::Base64(text), _) => bytes_of(text),
        (Input::Path(path), None) => Err(Error::PathRefused(path.clone())),
        (Input::Path(path), Some(open)) => {
            let failed = |reason| Error::Open {
                path: path.clone(),
                reason,
            };
            let mut bytes = Vec::new();
            let limit = MOST_BYTES as u64 + 1;
            open(path)
                .and_then(|file| file.take(limit).read_to_end(&mut bytes))
                .map_err(failed)?;
            Ok(bytes)
        }
    }
}

/// Games that whoever runs the program has opened for everybody, as they were then.
#[derive(Clone, Debug)]
pub struct Served {
    #[cfg(all(feature = "database", not(target_arch = "wasm32")))]
    database: Arc<Mutex<Database>>,
}

#[cfg(all(feature = "database", not(target_arch = "wasm32")))]
impl From<Database> for Served {
    fn from(database: Database) -> Self {
        Self {
            database: Arc::new(Mutex::new(database)),
        }
    }
}

impl Served {
    fn each(&self, ask: &mut impl Ask) -> Result<(), Error> {
        #[cfg(all(feature = "database", not(target_arch = "wasm32")))]
        ask.ask(&*self.database.lock().unwrap_or_else(PoisonError::into_inner))?;
        #[cfg(not(all(feature = "database", not(target_arch = "wasm32"))))]
        let _nobody = ask;
        Ok(())
    }

    fn sources(&self) -> Result<Vec<SourceObject>, Error> {
        #[cfg(all(feature = "database", not(target_arch = "wasm32")))]
        {
            let database = self.database.lock().unwrap_or_else(PoisonError::into_inner);
            let list = database.source_list().map_err(failed)?;
            let sources = list.into_iter().map(|source| SourceObject {
                name: source.name,
                games: source.games as usize,
                bad: source.bad as usize,
                bytes: None,
            });
            Ok(sources.collect())
        }
        #[cfg(not(all(feature = "database", not(target_arch = "wasm32"))))]
        Ok(Vec::new())
    }
}

/// The games that one party can ask: its own, and those that were opened for everybody.
#[derive(Debug, Default)]
pub struct Collections {
    own: Mutex<Own>,
    served: Option<Served>,
}

impl Collections {
    /// Returns collections without own games, with those that were opened for everybody.
    pub fn with_served(served: Option<Served>) -> Self {
        Self {
            served,
            ..Self::default()
        }
    }

    fn own(&self) -> MutexGuard<'_, Own> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether the party has games of its own.
    pub fn has_own(&self) -> bool {
        let own = self.own();
        !own.sources.is_empty() || !own.parts.is_empty()
    }

    /// Asks every collection that is there, or the one that is named; returns whether there was one.
    pub(crate) fn each(&self, which: Option<CollectionName>, ask: &mut impl Ask) -> Result<bool, Error> {
        let mut is_there = false;
        if which != Some(CollectionName::Server) {
            let mut own = self.own();
            if !own.sources.is_empty() {
                ask.ask(own.collection())?;
                is_there = true;
            }
        }
        if let (Some(served), true) = (&self.served, which != Some(CollectionName::Own)) {
            served.each(ask)?;
            is_there = true;
        }
        Ok(is_there)
    }

    fn summary(&self, which: CollectionName) -> Result<CollectionObject, Error> {
        let own = self.own();
        let sources = match (which, &self.served) {
            (CollectionName::Own, _) => own.sources.values().cloned().collect(),
            (CollectionName::Server, Some(served)) => served.sources()?,
            (CollectionName::Server, None) => Vec::new(),
        };
        Ok(CollectionObject {
            games: sources.iter().map(|source| source.games).sum(),
            sources,
            listed: None,
            bytes: (which == CollectionName::Own).then(|| own.bytes()),
        })
    }
}

/// A question to any collection.
pub(crate) trait Ask {
    fn ask<S: Store>(&mut self, store: &S) -> Result<(), Error>;
}

/// What a request asks of one collection.
struct Answer<'a> {
    request: &'a GamesRequest,
    listed: Option<usize>,
    on_event: &'a mut dyn FnMut(GamesEvent),
}

impl Ask for Answer<'_> {
    fn ask<S: Store>(&mut self, store: &S) -> Result<(), Error> {
        let most = |limit: Option<usize>| limit.map_or(MOST_LISTED, |limit| limit.min(MOST_LISTED));
        if let Some(list) = &self.request.list {
            let list = ListRequest {
                limit: Some(most(list.limit)),
                ..list.clone()
            };
            let listed = super::list(&list, store, &mut |game| {
                (self.on_event)(GamesEvent::Game(Box::new(game)));
                Ok(())
            })?;
            self.listed = Some(listed);
        }
        if let Some(asked) = &self.request.totals {
            let totals = super::totals(asked.by, &asked.filter, store)?.into_iter();
            totals
                .take(most(asked.limit))
                .for_each(|total| (self.on_event)(GamesEvent::Total(Box::new(total))));
        }
        if let Some(asked) = &self.request.names {
            let names = super::names_of(asked.of, asked.text.as_deref(), store)?.into_iter();
            names
                .take(most(asked.limit))
                .for_each(|name| (self.on_event)(GamesEvent::Name(name)));
        }
        Ok(())
    }
}

/// Takes games in, forgets some, and answers what is asked of those that are there.
///
/// # Errors
///
/// Returns why the request cannot be answered.
pub fn games(
    request: &GamesRequest,
    capabilities: &Capabilities<'_>,
    collections: &Collections,
    stop: &StopToken,
    on_event: &mut dyn FnMut(GamesEvent),
) -> Result<(), Error> {
    if let Some(names) = &request.forget {
        collections.own().forget(names);
    }
    if let Some(add) = &request.add {
        collections.own().add(add, capabilities, stop, on_event)?;
    }
    let mut answer = Answer {
        request,
        listed: None,
        on_event: &mut *on_event,
    };
    collections.each(Some(request.collection), &mut answer)?;
    let listed = answer.listed;
    on_event(GamesEvent::Collection(CollectionObject {
        listed,
        ..collections.summary(request.collection)?
    }));
    Ok(())
}

#[cfg(test)]
mod tests;
