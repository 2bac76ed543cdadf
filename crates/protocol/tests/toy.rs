//! A game with rules and nothing else, and a search out of a textbook, over GTP: no line of either is about protocols.

use outflank_game::{ToyGame, toy::ToyValue};
use outflank_protocol::{Action, Dialogue, GtpEngine, Session};
use outflank_search::{Engine, ManualClock, Request, StopToken};
use outflank_textbook::{Method, SearchEngine, Settings};
use std::sync::Arc;

/// Carries a dialogue on with `engine`, one line after the other, and returns what was written.
fn converse<D, E>(dialogue: D, engine: &mut E, lines: &[&str]) -> String
where
    D: Dialogue<Game = E::Game, Value = E::Value>,
    E: Engine,
{
    let mut session = Session::new(dialogue, Arc::new(ManualClock::default()));
    let mut text = String::new();
    for line in lines {
        let mut actions = session.line(line);
        while !actions.is_empty() {
            let mut next = Vec::new();
            for action in actions {
                match action {
                    Action::Write(written) => text = text + &written + "\n",
                    Action::Search(request) => {
                        let outcome = engine.search(&request, &StopToken::new(), &mut |_| {});
                        next.extend(session.finished(&outcome));
                    }
                    Action::Forget => engine.clear(),
                    Action::Quit => text += "(quit)\n",
                    Action::Stop | Action::Suggest(_) | Action::Configure(_) => {}
                }
            }
            actions = next;
        }
    }
    text
}

#[test]
fn a_toy_game_is_played_over_gtp() {
    // The second player, at the second level, takes what is least for the first.
    let game = ToyGame::new("((3 5) (2 (9 -1)) (7 4 8))".parse().expect("a tree"));
    let request = Request::new(game);
    let clock = Arc::new(ManualClock::default());
    let mut engine = SearchEngine::new(Settings::new(Method::AlphaBeta), ToyValue, clock);
    let said = converse(
        GtpEngine::new(request.clone(), request),
        &mut engine,
        &[
            "list_games",
            "known_command boardsize",
            "known_command genmove",
            "gogui-rules_legal_moves",
            "1 genmove b",
            "gogui-rules_side_to_move",
            "genmove b",
            "play w 7",
            "play w 3",
            "final_score",
            "genmove w",
            "final_score",
            "gogui-rules_final_result",
            "genmove b",
            "undo",
            "play white 0",
            "final_score",
            "outflank-transcript",
            "loadsgf x",
            "quit",
        ],
    );
    let expected = [
        "= Game",
        "= false",
        "= true",
        "= 0 1 2",
        "=1 2",
        "= white",
        "? it is white's turn",
        "? invalid vertex \"7\"",
        "? illegal move: 3 cannot be played here",
        "? the game is not over",
        "= 1",
        "= B+4",
        "= Black wins.",
        "= pass",
        "=",
        "=",
        "= B+7",
        "= 2 0",
        "? cannot load file: this program may not open files",
        "=",
    ];
    let expected: String = expected.map(|answer| format!("{answer}\n\n")).concat();
    assert_eq!(said, expected + "(quit)\n");
}
