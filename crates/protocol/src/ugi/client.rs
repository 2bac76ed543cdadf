//! The UGI dialogue from the side of a match runner.

use crate::{
    Answer, TimeControl, TurnClock,
    stream::{Heard, Outbox, StreamClient, StreamProtocol},
    text::word,
};
use outflank_othello::{Game, Position};
use outflank_records::fen::{self, Dialect};
use std::time::Duration;

/// The client side of UGI.
pub type UgiClient = StreamClient<Ugi>;

/// What UGI says of a game.
#[derive(Debug, Default)]
pub struct Ugi {
    state: State,
    depth: Option<u32>,
    value: Option<f64>,
    nodes: Option<u64>,
}

/// What the client waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Nothing has been said yet.
    #[default]
    New,
    /// `ugiok`, then the game can begin.
    Greeting,
    /// `readyok`.
    Ready,
    Idle,
}

impl UgiClient {
    /// Returns a client that has not said anything yet.
    pub fn new() -> Self {
        Self::speaking(Ugi::default())
    }
}

impl Ugi {
    fn set_up(&mut self, lines: &mut Outbox) {
        lines.send("uginewgame");
        lines.send("isready");
        self.state = State::Ready;
    }

    /// Takes what an `info` line says of depth, value and nodes.
    fn note(&mut self, text: &str) {
        let mut words = text.split_whitespace();
        while let Some(name) = words.next() {
            match name {
                "depth" => self.depth = words.next().and_then(|n| n.parse().ok()).or(self.depth),
                "nodes" => self.nodes = words.next().and_then(|n| n.parse().ok()).or(self.nodes),
                "cp" => {
                    let value = words.next().and_then(|n| n.parse::<f64>().ok());
                    self.value = value.map(|value| value / 100.0).or(self.value);
                }
                // What follows is free text, or moves.
                "string" | "pv" => return,
                _ => {}
            }
        }
    }
}

fn position_of(game: &Game) -> String {
    let start = if *game.start() == Position::start() {
        "startpos".to_owned()
    } else {
        format!("fen {}", fen::write(game.start(), Dialect::Ugi))
    };
    let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    if moves.is_empty() {
        format!("position {start}")
    } else {
        format!("position {start} moves {}", moves.join(" "))
    }
}

fn go(clock: &TurnClock) -> String {
    let millis = |time: Option<Duration>| time.unwrap_or_default().as_millis();
    match clock.control {
        TimeControl::Unlimited => "go".to_owned(),
        TimeControl::PerMove(time) => format!("go movetime {}", time.as_millis()),
        TimeControl::Clock { increment, .. } => format!(
            "go p1time {} p2time {} p1inc {inc} p2inc {inc}",
            millis(clock.black),
            millis(clock.white),
            inc = increment.as_millis(),
        ),
    }
}

impl StreamProtocol for Ugi {
    fn begin(&mut self, _game: &Game, lines: &mut Outbox) {
        if self.state == State::New {
            lines.send("ugi");
            self.state = State::Greeting;
        } else {
            self.set_up(lines);
        }
    }

    fn ask(&mut self, game: &Game, clock: &TurnClock, lines: &mut Outbox) {
        (self.depth, self.value, self.nodes) = (None, None, None);
        lines.send(position_of(game));
        lines.send(go(clock));
    }

    fn hurry(&mut self, lines: &mut Outbox) {
        lines.send("stop");
    }

    fn hear(&mut self, first: &str, rest: &str, lines: &mut Outbox) -> Heard {
        match (first, self.state) {
            ("ugiok", State::Greeting) => self.set_up(lines),
            ("readyok", State::Ready) => {
                self.state = State::Idle;
                return Heard::Ready;
            }
            ("bestmove", State::New | State::Idle) => {
                let mut answer = Answer::new(word(rest).0);
                (answer.depth, answer.value, answer.nodes) = (self.depth, self.value, self.nodes);
                return Heard::Move(answer);
            }
            ("id", _) => {
                if let ("name", name) = word(rest) {
                    return Heard::Name(name.to_owned());
                }
            }
            ("info", _) => self.note(rest),
            ("option" | "response" | "ugiok" | "readyok" | "bestmove", _) => {}
            _ => return Heard::Stray,
        }
        Heard::Known
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Client, ClientEvent};

    fn lines(client: &mut UgiClient) -> Vec<String> {
        std::iter::from_fn(|| client.next_line()).collect()
    }

    #[test]
    fn a_game_is_greeted_set_up_and_asked_for() {
        let mut client = UgiClient::new();
        let mut game = Game::new();
        client
            .new_game(&game, &TimeControl::Unlimited)
            .expect("any start");
        assert_eq!(lines(&mut client), ["ugi"]);
        assert_eq!(client.feed("id name Great 1", &game), Ok(None));
        assert_eq!(client.feed("ugiok", &game), Ok(None));
        assert_eq!(lines(&mut client), ["uginewgame", "isready"]);
        assert_eq!(client.feed("readyok", &game), Ok(Some(ClientEvent::Ready)));
        assert_eq!(client.name(), Some("Great 1"));
        game.play("f5".parse().expect("a move")).expect("legal");
        let clock = TurnClock {
            control: TimeControl::Clock {
                main: Duration::from_mins(1),
                increment: Duration::from_millis(100),
            },
            black: Some(Duration::from_millis(59_900)),
            white: Some(Duration::from_mins(1)),
        };
        client.go(&game, &clock).expect("any start");
        assert_eq!(
            lines(&mut client),
            [
                "position startpos moves f5",
                "go p1time 59900 p2time 60000 p1inc 100 p2inc 100"
            ]
        );
        assert_eq!(
            client.feed("info depth 5 score cp -150 nodes 33 pv d6 depth 9", &game),
            Ok(None)
        );
        let Ok(Some(ClientEvent::Move(answer))) = client.feed("bestmove d6", &game) else {
            panic!("a move");
        };
        assert_eq!(
            (answer.text.as_str(), answer.depth, answer.value, answer.nodes),
            ("d6", Some(5), Some(-1.5), Some(33))
        );
    }

    #[test]
    fn other_starts_are_written_as_fen() {
        let mut client = UgiClient::new();
        let mut position = Position::start();
        position.play("f5".parse().expect("a move")).expect("legal");
        let game = Game::from_position(position);
        client.go(&game, &TurnClock::default()).expect("any start");
        assert_eq!(
            lines(&mut client),
            ["position fen 8/8/8/3wb3/3bbb2/8/8/8 w", "go"]
        );
        assert_eq!(client.feed("what?", &game), Ok(None));
        assert_eq!(client.stray_line(), Some("what?"));
    }

    #[test]
    fn a_search_that_lasts_too_long_is_stopped() {
        let mut client = UgiClient::new();
        let game = Game::new();
        client.go(&game, &TurnClock::default()).expect("any start");
        client.hurry();
        assert_eq!(lines(&mut client), ["position startpos", "go", "stop"]);
        // No move is an answer too, and no legal one.
        let event = client.feed("bestmove (none)", &game);
        assert!(
            matches!(&event, Ok(Some(ClientEvent::Move(answer))) if answer.mv.is_none()),
            "{event:?}"
        );
        assert_eq!(client.feed("bestmove d3", &game), Ok(None));
        client.hurry();
        assert_eq!(lines(&mut client), [""; 0]);
    }
}
