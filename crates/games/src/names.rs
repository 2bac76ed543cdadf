//! Names of players, events and sources: kept as given, the same however they are spelled, found without accents.

use std::collections::BTreeMap;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Returns what makes a name the same name: composed characters, no difference between capitals and small letters, and
/// single spaces; accents count.
///
/// ```
/// use outflank_games::identity;
/// assert_eq!(identity(" TAMENORI  Hideshi"), identity("Tamenori hideshi"));
/// assert_eq!(identity("Andre\u{301}"), identity("ANDRÉ"));
/// assert_ne!(identity("Andre"), identity("André"));
/// ```
pub fn identity(name: &str) -> String {
    let mut key = String::with_capacity(name.len());
    for word in name.split_whitespace() {
        if !key.is_empty() {
            key.push(' ');
        }
        // Capitals first: `ß` and `SS` are the same.
        key.extend(
            word.chars()
                .flat_map(char::to_uppercase)
                .flat_map(char::to_lowercase)
                .nfc(),
        );
    }
    key
}

/// Returns what a name is searched by: its [`identity`] without accents, in the simplest forms of its letters.
///
/// ```
/// use outflank_games::folded;
/// assert_eq!(folded("André"), folded("ANDRE"));
/// assert_eq!(folded("ｔａｍｅｎｏｒｉ"), "tamenori");
/// ```
pub fn folded(name: &str) -> String {
    let simple = name.nfkd().filter(|&c| !is_combining_mark(c));
    identity(&simple.collect::<String>())
}

/// A name as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// As given.
    pub text: String,
    /// [`identity`] of the text.
    pub identity: String,
    /// [`folded`] text.
    pub folded: String,
}

impl Name {
    /// Returns a name as given.
    pub fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            identity: identity(text),
            folded: folded(text),
        }
    }

    /// Returns whether every word of `query`, which is folded, begins a word of the name.
    fn answers(&self, query: &[&str]) -> bool {
        query
            .iter()
            .all(|word| self.folded.split(' ').any(|own| own.starts_with(word)))
    }
}

/// Numbered names; 0 is nobody.
#[derive(Clone, Debug, Default)]
pub struct Names {
    by_number: Vec<Option<Name>>,
    numbers: BTreeMap<String, u32>,
    /// The smallest number of each identity.
    people: BTreeMap<String, u32>,
    /// Identities that stand for others.
    aliases: BTreeMap<String, String>,
}

impl Names {
    /// Returns the number of a name, which it gets if it has none; 0 for an empty one.
    pub fn intern(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = (self.by_number.len() as u32).max(1);
        self.insert(number, Name::new(text));
        number
    }

    /// Puts a name under a number, which is not 0.
    pub fn insert(&mut self, number: u32, name: Name) {
        let at = number as usize;
        if at >= self.by_number.len() {
            self.by_number.resize(at + 1, None);
        }
        self.numbers.insert(name.text.clone(), number);
        let first = self
            .people
            .entry(self.resolved(&name.identity).to_owned())
            .or_insert(number);
        *first = (*first).min(number);
        self.by_number[at] = Some(name);
    }

    /// Says that `other` is a spelling of `name`; before any of the two is inserted.
    pub fn add_alias(&mut self, other: &str, name: &str) {
        let (other, name) = (identity(other), identity(name));
        if other != name {
            self.aliases.insert(other, name);
        }
    }

    /// Follows aliases, one step: chains are no aliases.
    fn resolved<'a>(&'a self, identity: &'a str) -> &'a str {
        self.aliases.get(identity).map_or(identity, String::as_str)
    }

    /// Returns the name with this number.
    pub fn get(&self, number: u32) -> Option<&Name> {
        self.by_number.get(number as usize)?.as_ref()
    }

    /// Returns the text of the name with this number, empty if there is none.
    pub fn text(&self, number: u32) -> &str {
        self.get(number).map_or("", |name| &name.text)
    }

    /// Returns the smallest number among the spellings of the same name, so that numbers of people can be compared.
    pub fn person(&self, number: u32) -> u32 {
        self.get(number)
            .and_then(|name| self.people.get(self.resolved(&name.identity)))
            .map_or(number, |&person| person)
    }

    /// Returns one more than the greatest number.
    pub const fn limit(&self) -> u32 {
        self.by_number.len() as u32
    }

    /// Iterates over the names with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Name)> {
        let numbered = (0..).zip(&self.by_number);
        numbered.filter_map(|(number, name)| Some((number, name.as_ref()?)))
    }

    /// Returns the numbers of the names that a text means, other spellings of the same people included.
    ///
    /// Each word of it begins a word of the name, whatever the accents and capitals; behind `=` the whole name is
    /// wanted.
    pub fn find(&self, text: &str) -> NameSet {
        let mut found = NameSet {
            contains: vec![false; self.by_number.len()],
            count: 0,
        };
        let exact = text.trim().strip_prefix('=').map(identity);
        let query = folded(text);
        let words: Vec<&str> = query.split(' ').filter(|word| !word.is_empty()).collect();
        let mut people = vec![false; self.by_number.len()];
        for (number, name) in self.iter() {
            let is_meant = match &exact {
                Some(exact) => self.resolved(&name.identity) == self.resolved(exact),
                None => !words.is_empty() && name.answers(&words),
            };
            if is_meant {
                people[self.person(number) as usize] = true;
            }
        }
        for (number, _) in self.iter() {
            if people[self.person(number) as usize] {
                found.contains[number as usize] = true;
                found.count += 1;
            }
        }
        found
    }
}

/// Some of the names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameSet {
    contains: Vec<bool>,
    count: usize,
}

impl NameSet {
    /// Returns whether a number is in the set.
    #[inline]
    pub fn contains(&self, number: u32) -> bool {
        self.contains.get(number as usize).copied().unwrap_or(false)
    }

    /// Returns how many names are in the set.
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Returns whether no name is in the set.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(texts: &[&str]) -> Names {
        let mut names = Names::default();
        for text in texts {
            names.intern(text);
        }
        names
    }

    fn found(names: &Names, text: &str) -> Vec<String> {
        let set = names.find(text);
        let found: Vec<String> = names
            .iter()
            .filter(|(number, _)| set.contains(*number))
            .map(|(_, name)| name.text.clone())
            .collect();
        assert_eq!(found.len(), set.len());
        found
    }

    #[test]
    fn names_are_found_by_the_beginnings_of_words() {
        let names = names(&[
            "Tamenori Hideshi",
            "TAMENORI HIDESHI",
            "Saito",
            "Ito Hiroshi",
            "André",
            "Andre",
        ]);
        assert_eq!(found(&names, "tam"), ["Tamenori Hideshi", "TAMENORI HIDESHI"]);
        assert_eq!(found(&names, "hid TAME").len(), 2);
        assert_eq!(found(&names, "ito"), ["Ito Hiroshi"]);
        assert_eq!(found(&names, "andre"), ["André", "Andre"]);
        assert_eq!(found(&names, "=andre"), ["Andre"]);
        assert_eq!(found(&names, "=ito"), Vec::<String>::new());
        assert_eq!(found(&names, " "), Vec::<String>::new());
        assert_eq!(found(&names, "nobody"), Vec::<String>::new());
    }

    #[test]
    fn spellings_are_one_person() {
        let mut names = Names::default();
        names.add_alias("Brian R.", "Brian Rose");
        for text in ["Brian Rose", "brian rose", "BRIAN R.", "Brian Ross"] {
            names.intern(text);
        }
        let people: Vec<u32> = (1..=4).map(|number| names.person(number)).collect();
        assert_eq!(people, [1, 1, 1, 4]);
        assert_eq!(found(&names, "=brian r.").len(), 3);
        assert_eq!(
            (names.text(3), names.text(0), names.text(9)),
            ("BRIAN R.", "", "")
        );
    }
}
