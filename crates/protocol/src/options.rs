//! What the other side may set of the engine: one list for every dialogue, each under the words of its protocol.

use outflank_othello::Position;
use outflank_search::Request;
use std::time::Duration;

/// Something that the other side wants changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Memory for the engine's tables, in bytes.
    TableBytes(u64),
    /// Memory for the whole program, in bytes.
    MostBytes(u64),
    /// Threads that search one position, 1 to 256.
    Threads(u32),
    /// Time kept back from every limit of time.
    Reserve(Duration),
}

/// What the engine has when a dialogue begins, for protocols that list it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Memory for the engine's tables, in bytes.
    pub table_bytes: u64,
    /// Memory for the whole program, in bytes, if the other side has set a limit.
    pub most_bytes: Option<u64>,
    /// Threads that search one position.
    pub threads: u32,
    /// Time kept back from every limit of time.
    pub reserve: Duration,
}

impl Options {
    /// Notes what has been set.
    pub fn set(&mut self, setting: Setting) {
        match setting {
            Setting::TableBytes(bytes) => self.table_bytes = bytes,
            Setting::MostBytes(bytes) => self.most_bytes = Some(bytes),
            Setting::Threads(threads) => self.threads = threads,
            Setting::Reserve(reserve) => self.reserve = reserve,
        }
    }
}

impl Default for Options {
    /// 128 MiB, one thread, 10 ms.
    fn default() -> Self {
        Self {
            table_bytes: 128 << 20,
            most_bytes: None,
            threads: 1,
            reserve: Request::<Position>::RESERVE,
        }
    }
}

/// What a dialogue says of an option, in whole numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OptionSpec {
    /// The name, as engines of chess call it.
    pub(crate) name: &'static str,
    /// The least value.
    pub(crate) min: u64,
    /// The greatest value.
    pub(crate) max: u64,
    make: fn(u64) -> Setting,
    /// The value that options have.
    pub(crate) of: fn(&Options) -> u64,
}

/// Every option.
pub(crate) const OPTIONS: [OptionSpec; 3] = [
    OptionSpec {
        name: "Hash",
        min: 1,
        max: 1 << 20,
        make: |megabytes| Setting::TableBytes(megabytes << 20),
        of: |options| options.table_bytes >> 20,
    },
    OptionSpec {
        name: "Threads",
        min: 1,
        max: 256,
        make: |threads| Setting::Threads(threads as u32),
        of: |options| u64::from(options.threads),
    },
    OptionSpec {
        name: "Move Overhead",
        min: 0,
        max: 60_000,
        make: |millis| Setting::Reserve(Duration::from_millis(millis)),
        of: |options| options.reserve.as_millis() as u64,
    },
];

/// Why something cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// There is no such option.
    #[error("no option {0:?}: expected Hash (megabytes), Threads or Move Overhead (milliseconds)")]
    Unknown(String),
    /// The value is none of this option's.
    #[error("{name}: expected {min} to {max}, got {value:?}")]
    Value {
        /// The option.
        name: &'static str,
        /// The least value.
        min: u64,
        /// The greatest value.
        max: u64,
        /// What was given.
        value: String,
    },
}

impl Setting {
    /// Reads an option and its value: `Hash` in megabytes, `Threads`, `Move Overhead` in milliseconds.
    ///
    /// Case, blanks, hyphens and underscores of the name do not matter.
    ///
    /// # Errors
    ///
    /// Returns which names or values there are.
    ///
    /// ```
    /// use outflank_protocol::Setting;
    /// use std::time::Duration;
    /// assert_eq!(Setting::parse("move_overhead", "30"), Ok(Setting::Reserve(Duration::from_millis(30))));
    /// let error = Setting::parse("Threads", "many").unwrap_err();
    /// assert_eq!(error.to_string(), "Threads: expected 1 to 256, got \"many\"");
    /// ```
    pub fn parse(name: &str, value: &str) -> Result<Self, SettingError> {
        let plain = |name: &str| -> String {
            name.chars()
                .filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_'))
                .map(|c| c.to_ascii_lowercase())
                .collect()
        };
        let wanted = plain(name);
        let Some(option) = OPTIONS.iter().find(|option| plain(option.name) == wanted) else {
            return Err(SettingError::Unknown(name.trim().chars().take(60).collect()));
        };
        let value = value.trim();
        let number = value
            .parse()
            .ok()
            .filter(|n| (option.min..=option.max).contains(n));
        number.map(option.make).ok_or_else(|| SettingError::Value {
            name: option.name,
            min: option.min,
            max: option.max,
            value: value.chars().take(60).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_free_and_values_are_not() {
        assert_eq!(Setting::parse(" HASH ", " 2 "), Ok(Setting::TableBytes(2 << 20)));
        assert_eq!(Setting::parse("threads", "256"), Ok(Setting::Threads(256)));
        assert_eq!(
            Setting::parse("Move-Overhead", "0"),
            Ok(Setting::Reserve(Duration::ZERO))
        );
        for (name, value) in [
            ("Hash", "0"),
            ("Hash", "-1"),
            ("Threads", "257"),
            ("Threads", ""),
            ("Move Overhead", "1e3"),
            ("Move Overhead", "99999999999999999999999"),
        ] {
            assert!(
                matches!(Setting::parse(name, value), Err(SettingError::Value { .. })),
                "{name} {value}"
            );
        }
        assert_eq!(
            Setting::parse("Ponder", "1"),
            Err(SettingError::Unknown("Ponder".to_owned()))
        );
    }
}
