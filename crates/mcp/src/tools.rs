//! Which tools there are, what they take, and which call of the engine each one is.

use outflank_api::{
    Call, Input,
    analyze::{AnalyzeRequest, GoalName},
    convert::{ConvertRequest, Notation},
    names::NamesRequest,
    review::ReviewRequest,
    solve::SolveRequest,
    wire::{GameName, GomokuRules, LimitsObject},
};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

/// What the other side is told of all tools.
pub(crate) const INSTRUCTIONS: &str = "Othello (Reversi) and Gomoku engines. Games are given as text: moves in one word \
    such as f5d6c3, 64 characters a1 b1 ... h8 (X black, O white, - empty) and the side to move, or any usual notation \
    (GGF, SGF, PGN, OBF). Answers are JSON objects, one a line. Values are discs for the side to move; \
    kind says what they are worth: exact, wld (win, draw or loss), bounds, or estimate.";

/// Seconds of a search if nothing is said.
const USUAL_SECONDS: f64 = 5.0;

/// What a tool asks of the engine.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) call: Call,
    /// Bytes of the text that it is about.
    pub(crate) text_bytes: usize,
}

/// The best moves of a position.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Analyze {
    /// A position, or the game that leads to it, as text.
    position: String,
    /// The game: othello if nothing is said.
    #[serde(default)]
    game: GameName,
    /// How many of the best moves to value; 1 if nothing is said.
    #[serde(default)]
    lines: Option<usize>,
    /// Strength from 1 to 60, instead of a time.
    #[serde(default)]
    level: Option<u32>,
    /// Moves to look ahead, instead of a time.
    #[serde(default)]
    depth: Option<u32>,
    /// Seconds of the search; 5 if nothing is said.
    #[serde(default)]
    seconds: Option<f64>,
    /// Prove the exact value, if the time is enough for it.
    #[serde(default)]
    exact: bool,
    /// Rule set and board of Gomoku.
    #[serde(default)]
    rules: GomokuRules,
}

/// Exact values of endgame positions of Othello, or a forced win of Gomoku.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Solve {
    /// Positions, or games up to them, one a line; one position of Gomoku.
    positions: String,
    /// The game: othello if nothing is said.
    #[serde(default)]
    game: GameName,
    /// Othello: only who wins.
    #[serde(default)]
    wld: bool,
    /// Othello: the exact value of every legal move.
    #[serde(default)]
    all_moves: bool,
    /// Most seconds for each position.
    #[serde(default)]
    seconds: Option<f64>,
    /// Rule set and board of Gomoku.
    #[serde(default)]
    rules: GomokuRules,
}

/// Every move of a game of Othello judged.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Review {
    /// The game, as moves in one word or in any notation.
    game: String,
    /// Strength of the searches from 1 to 60; 12 if nothing is said.
    #[serde(default)]
    level: Option<u32>,
}

/// Positions or games of Othello in another notation.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Convert {
    /// Positions or games in any notation.
    text: String,
    /// The notation to write.
    to: Notation,
}

/// The name of an opening of Othello.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OpeningName {
    /// A game, whose opening is to be named.
    #[serde(default)]
    game: Option<String>,
    /// Instead of a game a part of a name, English or Japanese: finds openings called so, with their moves.
    #[serde(default)]
    search: Option<String>,
}

/// Returns the tools with the schemas of what they take.
pub(crate) fn all() -> Vec<Tool> {
    let tool = |name: &'static str, title: &str, description: &'static str| {
        let annotations = ToolAnnotations::with_title(title)
            .read_only(true)
            .idempotent(true)
            .open_world(false);
        Tool::new(name, description, JsonObject::new()).with_annotations(annotations)
    };
    vec![
        tool(
            "analyze",
            "Best moves",
            "The best moves of a position of Othello or Gomoku with values, depth and the play behind them.",
        )
        .with_input_schema::<Analyze>(),
        tool(
            "solve",
            "Solve endgames",
            "Exact values of endgame positions of Othello (up to about 24 empty squares take seconds), or a forced win of \
             Gomoku with its proof.",
        )
        .with_input_schema::<Solve>(),
        tool(
            "review",
            "Judge a game",
            "Every move of a game of Othello judged: what it loses in discs, the better move, and totals for both players.",
        )
        .with_input_schema::<Review>(),
        tool(
            "convert",
            "Convert notation",
            "Positions or games of Othello in another notation: board, transcript, transcript-pa, obf, ggf or sgf.",
        )
        .with_input_schema::<Convert>(),
        tool(
            "opening",
            "Name of an opening",
            "What the opening of a game of Othello is called in English and Japanese, or the openings with a name.",
        )
        .with_input_schema::<OpeningName>(),
    ]
}

fn arguments<T: DeserializeOwned>(object: JsonObject) -> Result<T, String> {
    serde_json::from_value(Value::Object(object)).map_err(|error| error.to_string())
}

/// Reads what a tool is asked; `None` if there is no such tool.
pub(crate) fn read(name: &str, object: JsonObject) -> Option<Result<Asked, String>> {
    let asked = match name {
        "analyze" => arguments(object).map(analyze),
        "solve" => arguments(object).map(solve),
        "review" => arguments(object).map(review),
        "convert" => arguments(object).map(|asked: Convert| Asked {
            text_bytes: asked.text.len(),
            call: Call::Convert(ConvertRequest {
                input: Input::Text(asked.text),
                to: asked.to,
            }),
        }),
        "opening" => arguments(object).map(|asked: OpeningName| Asked {
            text_bytes: [&asked.game, &asked.search]
                .into_iter()
                .flatten()
                .map(String::len)
                .sum(),
            call: Call::Names(NamesRequest {
                input: asked.game.map(Input::Text),
                search: asked.search,
                limit: None,
            }),
        }),
        _ => return None,
    };
    Some(asked)
}

fn analyze(asked: Analyze) -> Asked {
    let says_how_far = asked.level.is_some() || asked.depth.is_some() || asked.exact;
    let limits = LimitsObject {
        level: asked.level,
        depth: asked.depth,
        seconds: asked.seconds.or((!says_how_far).then_some(USUAL_SECONDS)),
        ..LimitsObject::default()
    };
    Asked {
        text_bytes: asked.position.len(),
        call: Call::Analyze(AnalyzeRequest {
            game: asked.game,
            rules: asked.rules,
            limits,
            goal: if asked.exact {
                GoalName::Exact
            } else {
                GoalName::Best
            },
            lines: asked.lines.unwrap_or(1),
            ..AnalyzeRequest::of(Input::Text(asked.position))
        }),
    }
}

fn solve(asked: Solve) -> Asked {
    Asked {
        text_bytes: asked.positions.len(),
        call: Call::Solve(SolveRequest {
            game: asked.game,
            rules: asked.rules,
            wld: asked.wld,
            all_moves: asked.all_moves,
            seconds: asked.seconds,
            ..SolveRequest::of(Input::Text(asked.positions))
        }),
    }
}

fn review(asked: Review) -> Asked {
    let text_bytes = asked.game.len();
    let mut request = ReviewRequest::of(Input::Text(asked.game));
    request.level = asked.level.unwrap_or(request.level);
    Asked {
        text_bytes,
        call: Call::Review(request),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read_value(name: &str, value: Value) -> Result<Asked, String> {
        let Value::Object(object) = value else {
            panic!("no object: {value}");
        };
        read(name, object).expect("a tool")
    }

    #[test]
    fn no_tool_takes_a_path_or_a_program() {
        for tool in all() {
            let schema = tool.schema_as_json_value().to_string();
            assert!(
                !schema.contains("path") && !schema.contains("program"),
                "{schema}"
            );
            for field in ["path", "program", "input", "file"] {
                let refused = read_value(&tool.name, json!({ field: "/etc/passwd" }));
                assert!(refused.is_err(), "{}: {field}", tool.name);
            }
        }
        assert!(read("show", JsonObject::new()).is_none());
    }

    #[test]
    fn what_is_not_said_has_a_limit() {
        let Ok(Asked {
            call: Call::Analyze(request),
            ..
        }) = read_value("analyze", json!({"position": "f5"}))
        else {
            panic!("an analysis");
        };
        assert_eq!(request.limits.seconds, Some(USUAL_SECONDS));
        let review = read_value("review", json!({"game": "f5"})).map(|asked| asked.call);
        let usual = ReviewRequest::of(Input::Text("f5".to_owned()));
        assert_eq!(review, Ok(Call::Review(usual)));
    }
}
