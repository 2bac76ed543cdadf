//! Othello in matches: GGF records, openings in every notation, exact adjudication, balance in discs.

use crate::{
    adjudicate::exact_margin,
    game::{MatchGame, OpeningError},
    history::History,
    players::{registry::Registry, simple::simple_value, standard::add_othello_players},
    record::{End, PlayedGame, RecordError},
};
use outflank_othello::{Color, Discs, Game, Position};
use outflank_records::{GameRecord, MoveNote, ggf, paste_bytes};

/// Discs that the search ahead looks which judges whether an opening is even.
const JUDGE_DEPTH: u32 = 6;

impl MatchGame for Position {
    const UNIT: Option<&'static str> = Some("discs");
    const FORFEIT: i32 = Discs::MAX.get();
    const MAX_ALL_PLIES: u32 = 7;
    const RANDOM_OPENINGS: (u32, u32) = (8, 4);
    const SUFFIX: Option<&'static str> = Some("ggf");

    fn rules(&self) -> String {
        "othello".to_owned()
    }

    fn start_text(&self) -> Option<String> {
        (*self != Self::start()).then(|| self.to_string())
    }

    fn read_start(rules: &str, start: Option<&str>) -> Result<Self, String> {
        if rules != "othello" {
            return Err(format!("expected a game of Othello, not of {rules:?}"));
        }
        start.map_or(Ok(Self::start()), |text| {
            text.parse().map_err(|error| format!("{error}"))
        })
    }

    fn depth_to_end(&self) -> Option<u32> {
        Some(self.board().empties().count())
    }

    fn adjudicated(&self, empties: u32) -> Option<(i32, String)> {
        let left = self.board().empties().count();
        if left > empties {
            return None;
        }
        let margin = exact_margin(self)?.get();
        let black = if self.side() == Color::Black {
            margin
        } else {
            -margin
        };
        Some((black, format!("{left} empties, solved")))
    }

    fn read_openings(&self, bytes: &[u8]) -> Result<Vec<History<Self>>, OpeningError> {
        let pasted = paste_bytes(bytes)?;
        if let Some(bad) = pasted.bad.into_iter().next() {
            return Err(OpeningError::Bad(Box::new(bad)));
        }
        let games: Vec<History<Self>> = pasted.items.iter().map(|item| (&item.game()).into()).collect();
        match games.iter().position(|game| game.position().is_game_over()) {
            Some(at) => Err(OpeningError::Over(pasted.items[at].line)),
            None => Ok(games),
        }
    }

    fn judge() -> Box<dyn FnMut(&Self) -> f64> {
        Box::new(|position| simple_value(position, JUDGE_DEPTH))
    }

    /// Returns the game as one line of GGF with values, times, and depths in a comment.
    fn export(game: &PlayedGame) -> Result<String, RecordError> {
        let mut record = GameRecord::new(Game::from(&game.replay::<Self>()?));
        record.add_tag("PC", "Outflank");
        record.add_tag("PB", game.black.replace(['[', ']'], "|"));
        record.add_tag("PW", game.white.replace(['[', ']'], "|"));
        let suffix = match game.end {
            End::Board | End::Adjudicated => "",
            End::Resigned => ":r",
            End::Time | End::NoAnswer => ":t",
            End::Illegal | End::Exited | End::Dialogue | End::NotStarted => ":s",
        };
        record.add_tag("RE", format!("{:+}{suffix}", game.margin));
        record.add_tag("CO", game.comment().replace(['[', ']'], "|"));
        record.notes = game
            .moves
            .iter()
            .map(|played| MoveNote {
                eval: played
                    .value
                    .map_or_else(String::new, |value| format!("{value:.2}")),
                time: played
                    .seconds
                    .map_or_else(String::new, |seconds| format!("{seconds:.3}")),
            })
            .collect();
        Ok(ggf::write(&record))
    }

    fn add_players(registry: &mut Registry<Self>) {
        add_othello_players(registry);
    }
}

impl From<&Game> for History<Position> {
    fn from(game: &Game) -> Self {
        let mut history = Self::new(*game.start());
        for &mv in game.moves() {
            let played = history.play(mv);
            debug_assert!(played.is_ok(), "{played:?}");
        }
        history
    }
}

impl From<&History<Position>> for Game {
    fn from(history: &History<Position>) -> Self {
        let mut game = Self::from_position(*history.start());
        for &mv in history.moves() {
            let played = game.play(mv);
            debug_assert!(played.is_ok(), "{played:?}");
        }
        game
    }
}
