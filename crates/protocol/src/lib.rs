//! Dialogues with other programs: text to calls and back, without any input or output of its own.
//!
//! A **client** ([`Client`]) drives a program that plays: it says which lines to send, is fed the lines that come back,
//! and reports what they mean.
//! Whoever owns the pipes (the arena, a test) moves the lines; so every dialogue is a test without a process.
//!
//! The **engine's side** is a [`Session`] over one [`Dialogue`]: lines in, [`Action`]s out, and searches meanwhile.
//!
//! | protocol | engine | client |
//! | --- | --- | --- |
//! | GTP 2 with the GoGui rules | [`GtpEngine`] | [`GtpClient`] |
//! | NBoard 2 | [`NBoardEngine`] | [`NBoardClient`] |
//! | UGI | [`UgiEngine`] | [`UgiClient`] |
//! | Cassio | [`CassioEngine`] | |
//! | xboard (CECP), variant reversi | [`XboardEngine`] | |
//! | Botzone | [`BotzoneEngine`] | |
//! | Gomocup | [`GomocupEngine`] | [`GomocupClient`] |
//!
//! ```
//! use outflank_othello::Game;
//! use outflank_protocol::{Client, ClientEvent, GtpClient, TurnClock};
//! let mut client = GtpClient::new();
//! let mut game = Game::new();
//! client.new_game(&game, &Default::default())?;
//! // The program answers every command with "=" and an empty line.
//! let mut talk = |client: &mut GtpClient, game: &Game| loop {
//!     let Some(line) = client.next_line() else { panic!("nothing to say") };
//!     let answer = match line.as_str() {
//!         "list_commands" => "= play\ngenmove\n",
//!         "genmove b" => "= F5\n",
//!         _ => "=\n",
//!     };
//!     for line in answer.split('\n') {
//!         if let Some(event) = client.feed(line, game)? {
//!             return Ok::<ClientEvent, Box<dyn std::error::Error>>(event);
//!         }
//!     }
//! };
//! assert_eq!(talk(&mut client, &game)?, ClientEvent::Ready);
//! client.go(&game, &TurnClock::default())?;
//! let ClientEvent::Move(answer) = talk(&mut client, &game)? else { panic!("a move") };
//! assert_eq!(answer.text, "F5");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod book;
mod botzone;
mod cassio;
mod client;
mod gomocup;
mod gtp;
mod lines;
mod nboard;
mod options;
mod session;
mod stream;
mod text;
mod time;
mod ugi;
mod xboard;

pub use book::{BookLine, DialogueBook};
pub use botzone::BotzoneEngine;
pub use cassio::CassioEngine;
pub use client::{Answer, Client, ClientError, ClientEvent};
pub use gomocup::{GomocupClient, GomocupEngine, GomocupEvent};
pub use gtp::{GtpClient, GtpEngine, GtpGame};
pub use lines::Lines;
pub use nboard::{NBoard, NBoardClient, NBoardEngine};
pub use options::{Options, Setting, SettingError};
pub use session::{Action, Dialogue, DialogueOutcome, DialogueProgress, Session, Suggestion, Urgency};
pub use stream::StreamClient;
pub use time::{ParseTimeError, TimeControl, TurnClock, parse_seconds};
pub use ugi::{Ugi, UgiClient, UgiEngine};
pub use xboard::XboardEngine;
