//! Who may talk to the server: by the host that a request names, the page that it comes from, and a word.
//!
//! A page of another site can make a browser send requests to this computer, and a name that suddenly points here makes
//! that site's own requests arrive. Only the exact names of this server are answered; nothing is compared by its
//! beginning or end.

use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv6Addr, SocketAddr},
    time::{Duration, Instant},
};

/// The names under which the server answers.
#[derive(Clone, Debug)]
pub struct Hosts {
    allowed: Vec<String>,
}

impl Hosts {
    /// Returns the names of a server that listens on `address`, and of those that were allowed beside them.
    pub fn new(address: SocketAddr, others: &[String]) -> Self {
        let port = address.port();
        let mut allowed = vec![
            format!("localhost:{port}"),
            format!("127.0.0.1:{port}"),
            format!("[::1]:{port}"),
        ];
        if !address.ip().is_unspecified() {
            allowed.push(address.to_string());
        }
        allowed.extend(others.iter().map(|name| name.to_ascii_lowercase()));
        if port == 80 {
            let bare: Vec<String> = allowed
                .iter()
                .filter_map(|name| name.strip_suffix(":80").map(str::to_owned))
                .collect();
            allowed.extend(bare);
        }
        Self { allowed }
    }

    /// Returns whether a `Host` header names this server.
    pub fn allows_host(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        self.allowed.contains(&host)
    }

    /// Returns whether an `Origin` header names a page of this server.
    pub fn allows_origin(&self, origin: &str) -> bool {
        let host = origin
            .strip_prefix("http://")
            .or_else(|| origin.strip_prefix("https://"));
        host.is_some_and(|host| self.allows_host(host))
    }
}

/// Returns whether only programs of this computer reach the address.
pub const fn is_loopback(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback(),
        IpAddr::V6(address) => matches!(address, Ipv6Addr::LOCALHOST),
    }
}

/// Returns whether two words are equal, in a time that says nothing about where they differ.
pub fn same_word(one: &str, other: &str) -> bool {
    let differences = one
        .bytes()
        .zip(other.bytes())
        .fold(0, |sum, (a, b)| sum | (a ^ b));
    one.len() == other.len() && differences == 0
}

/// Counts wrong words by address, so that nobody tries them all.
#[derive(Debug, Default)]
pub struct Attempts(BTreeMap<IpAddr, Vec<Instant>>);

impl Attempts {
    /// Wrong words that an address has in a minute.
    const MOST: usize = 5;
    const MINUTE: Duration = Duration::from_mins(1);
    /// Addresses that are remembered at most.
    const ADDRESSES: usize = 1024;

    /// Returns whether the address may try a word now.
    pub fn may_try(&mut self, address: IpAddr, now: Instant) -> bool {
        let Some(times) = self.0.get_mut(&address) else {
            return true;
        };
        times.retain(|&time| now.saturating_duration_since(time) < Self::MINUTE);
        times.len() < Self::MOST
    }

    /// Notes a wrong word.
    pub fn note(&mut self, address: IpAddr, now: Instant) {
        if self.0.len() >= Self::ADDRESSES {
            self.0.retain(|_, times| {
                times.retain(|&time| now.saturating_duration_since(time) < Self::MINUTE);
                !times.is_empty()
            });
        }
        self.0.entry(address).or_default().push(now);
    }
}

/// How many messages somebody may send: a number at once, and some more a second.
#[derive(Debug)]
pub struct Rate {
    left: f64,
    last: Instant,
}

impl Rate {
    const AT_ONCE: f64 = 60.0;
    const A_SECOND: f64 = 20.0;

    /// Returns the rate of somebody who has sent nothing.
    pub const fn new(now: Instant) -> Self {
        Self {
            left: Self::AT_ONCE,
            last: now,
        }
    }

    /// Returns whether one more message may be sent now, and counts it.
    pub fn allows(&mut self, now: Instant) -> bool {
        let seconds = now.saturating_duration_since(self.last).as_secs_f64();
        self.last = now;
        self.left = Self::AT_ONCE.min(self.left + seconds * Self::A_SECOND);
        if self.left < 1.0 {
            return false;
        }
        self.left -= 1.0;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts() -> Hosts {
        let address = "127.0.0.1:6464".parse().expect("an address");
        Hosts::new(address, &["Games.example.org".to_owned()])
    }

    #[test]
    fn only_exact_names_are_answered() {
        let hosts = hosts();
        for host in [
            "localhost:6464",
            "127.0.0.1:6464",
            "[::1]:6464",
            "LOCALHOST:6464",
            "games.example.org",
        ] {
            assert!(hosts.allows_host(host), "{host}");
            assert!(hosts.allows_origin(&format!("http://{host}")), "{host}");
        }
        for host in [
            "",
            "localhost",
            "localhost:80",
            "localhost.:6464",
            "127.0.0.1.evil.example",
            "127.0.0.1.evil.example:6464",
            "evil.example",
            "localhost:6464.evil.example",
            "127.0.0.1:64640",
            "evil.example@localhost:6464",
            "0.0.0.0:6464",
            "127.1:6464",
            "xgames.example.org",
            "games.example.org:81",
        ] {
            assert!(!hosts.allows_host(host), "{host}");
            assert!(!hosts.allows_origin(&format!("http://{host}")), "{host}");
        }
        for origin in [
            "null",
            "file://",
            "localhost:6464",
            "ws://localhost:6464",
            "http://localhost:6464/",
            "chrome-extension://localhost:6464",
        ] {
            assert!(!hosts.allows_origin(origin), "{origin}");
        }
    }

    #[test]
    fn words_are_compared_whole() {
        assert!(same_word("abc", "abc") && same_word("", ""));
        for other in ["", "ab", "abcd", "abd", "ABC"] {
            assert!(!same_word("abc", other), "{other}");
        }
    }

    #[test]
    fn five_wrong_words_a_minute() {
        let (mut attempts, now) = (Attempts::default(), Instant::now());
        let address = IpAddr::from([10, 0, 0, 1]);
        for _ in 0..5 {
            assert!(attempts.may_try(address, now));
            attempts.note(address, now);
        }
        assert!(!attempts.may_try(address, now));
        assert!(attempts.may_try(IpAddr::from([10, 0, 0, 2]), now));
        assert!(attempts.may_try(address, now + Duration::from_secs(61)));
    }

    #[test]
    fn sixty_messages_at_once_and_twenty_a_second() {
        let now = Instant::now();
        let mut rate = Rate::new(now);
        assert_eq!((0..100).filter(|_| rate.allows(now)).count(), 60);
        let later = now + Duration::from_secs(1);
        assert_eq!((0..100).filter(|_| rate.allows(later)).count(), 20);
    }
}
