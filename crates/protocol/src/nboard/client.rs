//! The NBoard dialogue from the side of a match runner.
//!
//! Every game is set up whole with `set game`, in GGF with the clocks; single new moves are sent by `move`.
//! `ping` and `pong` tell that the program is ready, and that an answer belongs to the question.

use super::engine::parse_move;
use crate::{
    Answer, TimeControl, TurnClock,
    stream::{Heard, Outbox, StreamClient, StreamProtocol},
    text::word,
};
use outflank_othello::{Game, Move};
use outflank_records::{GameRecord, ggf};
use std::{fmt::Write as _, time::Duration};

/// The client side of NBoard.
///
/// The protocol speaks of a clock (in the game), but not of a time for a move: whoever measures that one must
/// [hurry](crate::Client::hurry) the program when it is up.
pub type NBoardClient = StreamClient<NBoard>;

/// What NBoard says of a game.
#[derive(Debug, Default)]
pub struct NBoard {
    depth: Option<u32>,
    /// Number of the last ping.
    ping: u32,
    pong: Pong,
    known: Option<Game>,
    last_depth: Option<u32>,
}

/// What a pong is awaited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Pong {
    #[default]
    None,
    /// The program is ready; answers before it belong to earlier questions.
    Ready,
    /// The end of the search: the answer comes before it.
    Hurry,
}

impl NBoardClient {
    /// Returns a client that tells the program to search to `depth`, if one is given.
    pub fn new(depth: Option<u32>) -> Self {
        Self::speaking(NBoard {
            depth,
            ..NBoard::default()
        })
    }
}

impl NBoard {
    fn send_ping(&mut self, pong: Pong, lines: &mut Outbox) {
        self.ping += 1;
        self.pong = pong;
        lines.send(format!("ping {}", self.ping));
    }

    /// Brings the program to the end of `game`.
    fn synchronize(&mut self, game: &Game, clock: Option<&TurnClock>, lines: &mut Outbox) {
        // A clock is only expressed by a whole game.
        let known = self.known.take().filter(|_| clock.is_none());
        match known {
            Some(known) if known == *game => {}
            Some(known)
                if known.start() == game.start()
                    && game.moves().len() == known.moves().len() + 1
                    && game.moves().starts_with(known.moves()) =>
            {
                let mv = game.moves().last().copied().unwrap_or(Move::Pass);
                lines.send(format!("move {}", name_of(mv)));
            }
            _ => {
                let text = ggf_of(game, clock);
                lines.send(format!("set game {text}"));
            }
        }
        self.known = Some(game.clone());
    }

    /// Reads `F5/1.50/0.2`, or the same with spaces, as Edax writes it.
    fn answer(&self, text: &str) -> Answer {
        let mut parts = text.split(['/', ' ']);
        let name = parts.next().unwrap_or_default();
        let mut answer = Answer::new(name);
        answer.mv = parse_move(name);
        answer.value = parts
            .next()
            .and_then(|value| value.split(',').next()?.trim().parse().ok());
        answer.depth = self.last_depth;
        answer
    }
}

fn name_of(mv: Move) -> String {
    mv.square()
        .map_or_else(|| "PA".to_owned(), |square| square.to_string().to_uppercase())
}

fn clock_text(time: Duration) -> String {
    // Rounded down: better a little less than a flag.
    let seconds = time.as_secs().max(1);
    format!("{:02}:{:02}", seconds / 60, seconds % 60)
}

fn ggf_of(game: &Game, clock: Option<&TurnClock>) -> String {
    let mut record = GameRecord::new(game.clone());
    record.add_tag("PB", "black");
    record.add_tag("PW", "white");
    record.add_tag("RE", "?");
    if let Some(clock) = clock {
        let increment = match clock.control {
            TimeControl::Clock { increment, .. } => increment,
            _ => Duration::ZERO,
        };
        for (tag, left) in [("TB", clock.black), ("TW", clock.white)] {
            if let Some(left) = left {
                let mut text = clock_text(left);
                if increment.as_secs() > 0 {
                    write!(text, "/{}", clock_text(increment)).expect("a string takes every text");
                }
                record.add_tag(tag, text);
            }
        }
    }
    ggf::write(&record)
}

impl StreamProtocol for NBoard {
    fn begin(&mut self, game: &Game, lines: &mut Outbox) {
        // Greeting again makes our own engine forget the game before; to others it means nothing.
        lines.send("nboard 2");
        if let Some(depth) = self.depth {
            lines.send(format!("set depth {depth}"));
        }
        self.known = None;
        self.synchronize(game, None, lines);
        self.send_ping(Pong::Ready, lines);
    }

    fn ask(&mut self, game: &Game, clock: &TurnClock, lines: &mut Outbox) {
        self.last_depth = None;
        if self.pong == Pong::Hurry {
            // The move came before its pong, which may still be on its way: it says nothing about the next search.
            self.pong = Pong::None;
        }
        let has_clock = clock.black.is_some() || clock.white.is_some();
        self.synchronize(game, has_clock.then_some(clock), lines);
        lines.send("go");
    }

    fn hurry(&mut self, lines: &mut Outbox) {
        self.send_ping(Pong::Hurry, lines);
    }

    fn hear(&mut self, first: &str, rest: &str, _lines: &mut Outbox) -> Heard {
        match first {
            "pong" if self.pong != Pong::None && rest.parse() == Ok(self.ping) => {
                match std::mem::take(&mut self.pong) {
                    Pong::Hurry => Heard::NoMove,
                    _ => Heard::Ready,
                }
            }
            "set" => match word(rest) {
                ("myname", name) => name
                    .split_whitespace()
                    .next()
                    .map_or(Heard::Known, |name| Heard::Name(name.to_owned())),
                _ => Heard::Known,
            },
            "===" if self.pong != Pong::Ready => Heard::Move(self.answer(rest)),
            "search" | "book" => {
                let mut words = rest.split_whitespace().skip(3);
                self.last_depth = words.next().and_then(|depth| depth.parse().ok());
                Heard::Known
            }
            "status" | "nodestats" | "pong" | "===" | "learn" | "learned" | "analysis" => Heard::Known,
            _ => Heard::Stray,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Client, ClientError, ClientEvent, stream::MOST_STRAYS};

    fn lines(client: &mut NBoardClient) -> Vec<String> {
        std::iter::from_fn(|| client.next_line()).collect()
    }

    #[test]
    fn games_are_set_up_and_moves_sent_singly() {
        let mut client = NBoardClient::new(Some(6));
        let mut game = Game::new();
        client
            .new_game(&game, &TimeControl::Unlimited)
            .expect("any start");
        let sent = lines(&mut client);
        assert_eq!(sent[..2], ["nboard 2", "set depth 6"]);
        assert!(sent[2].starts_with("set game (;GM[Othello]"));
        assert_eq!(sent[3], "ping 1");
        assert_eq!(client.feed("set myname Edax6 or so", &game), Ok(None));
        assert_eq!(client.feed("pong 1", &game), Ok(Some(ClientEvent::Ready)));
        assert_eq!(client.name(), Some("Edax6"));
        client.go(&game, &TurnClock::default()).expect("any start");
        assert_eq!(lines(&mut client), ["go"]);
        assert_eq!(client.feed("search F5 +1.00 0 6", &game), Ok(None));
        let Ok(Some(ClientEvent::Move(answer))) = client.feed("=== f5 -1.25 0.0", &game) else {
            panic!("a move");
        };
        assert_eq!(
            (answer.mv, answer.value, answer.depth),
            (Some("f5".parse().expect("a move")), Some(-1.25), Some(6))
        );
        game.play("f5".parse().expect("a move")).expect("legal");
        client.go(&game, &TurnClock::default()).expect("any start");
        assert_eq!(lines(&mut client), ["move F5", "go"]);
        let Ok(Some(ClientEvent::Move(answer))) = client.feed("=== D6/3.5,2.5/0.1", &game) else {
            panic!("a move");
        };
        assert_eq!((answer.text.as_str(), answer.value), ("D6", Some(3.5)));
    }

    #[test]
    fn clocks_go_with_the_whole_game() {
        let mut client = NBoardClient::new(None);
        let game = Game::new();
        client
            .new_game(&game, &TimeControl::Unlimited)
            .expect("any start");
        lines(&mut client);
        let clock = TurnClock {
            control: TimeControl::Clock {
                main: Duration::from_mins(1),
                increment: Duration::from_secs(2),
            },
            black: Some(Duration::from_millis(59_500)),
            white: Some(Duration::from_secs(125)),
        };
        client.go(&game, &clock).expect("any start");
        let sent = lines(&mut client);
        assert!(sent[0].contains("TB[00:59/00:02]TW[02:05/00:02]"), "{}", sent[0]);
        // A late answer to an earlier question comes before the pong, and does not count.
        client
            .new_game(&game, &TimeControl::Unlimited)
            .expect("any start");
        client.go(&game, &TurnClock::default()).expect("any start");
        lines(&mut client);
        assert_eq!(client.feed("=== F5", &game), Ok(None));
        assert_eq!(client.feed("pong 2", &game), Ok(None));
        assert!(matches!(
            client.feed("=== F5", &game),
            Ok(Some(ClientEvent::Move(_)))
        ));
        assert_eq!(client.feed("hello", &game), Ok(None));
        assert_eq!(client.stray_line(), Some("hello"));
        let error = (0..=MOST_STRAYS).find_map(|_| client.feed("hello", &game).err());
        assert_eq!(error, Some(ClientError::Garbage("hello".to_owned())));
    }

    #[test]
    fn a_search_that_lasts_too_long_is_ended_by_a_ping() {
        let mut client = NBoardClient::new(None);
        let game = Game::new();
        client
            .new_game(&game, &TimeControl::Unlimited)
            .expect("any start");
        // Nothing is asked yet, so that there is nothing to hurry.
        client.hurry();
        assert_eq!(lines(&mut client).last().map(String::as_str), Some("ping 1"));
        assert_eq!(client.feed("pong 1", &game), Ok(Some(ClientEvent::Ready)));
        for (said, answers) in [(vec!["=== F5//0.1"], true), (vec!["status", "pong 3"], false)] {
            client.go(&game, &TurnClock::default()).expect("any start");
            client.hurry();
            let ping = lines(&mut client).pop().expect("a ping");
            let mut said = said;
            if answers {
                assert_eq!(ping, "ping 2");
                let event = client.feed(said.remove(0), &game);
                assert!(matches!(event, Ok(Some(ClientEvent::Move(_)))), "{event:?}");
                // The pong belongs to the move that is there already, even if the next one has been asked for.
                client.go(&game, &TurnClock::default()).expect("any start");
                assert_eq!(client.feed("pong 2", &game), Ok(None));
                let event = client.feed("=== F5", &game);
                assert!(matches!(event, Ok(Some(ClientEvent::Move(_)))), "{event:?}");
            } else {
                assert_eq!((ping.as_str(), client.feed(said[0], &game)), ("ping 3", Ok(None)));
                assert_eq!(client.feed(said[1], &game), Err(ClientError::NoMove));
            }
        }
    }
}
