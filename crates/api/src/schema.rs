//! The JSON Schema of every request and result, generated from their types.

use crate::{
    analyze, call::Call, convert, explore, games::own, levels, names, openings, picture, play, players,
    puzzles, review, show, solve, tree,
};
use schemars::{JsonSchema, schema_for};

/// Returns the name of each file under `docs/schema/` and its contents.
pub fn all() -> Vec<(&'static str, String)> {
    vec![
        ("call", of::<Call>()),
        ("analyze", of::<analyze::AnalyzeEvent>()),
        ("solve", of::<solve::SolveEvent>()),
        ("review", of::<review::ReviewEvent>()),
        ("picture", of::<picture::PictureObject>()),
        ("play", of::<play::Played>()),
        ("players", of::<players::Understood>()),
        ("convert", of::<convert::Converted>()),
        ("show", of::<show::ShowEvent>()),
        ("names", of::<names::Named>()),
        ("levels", of::<levels::LevelsEvent>()),
        ("puzzles", of::<puzzles::PuzzleObject>()),
        ("drill", of::<puzzles::DrillEvent>()),
        ("openings", of::<openings::OpeningObject>()),
        ("explore", of::<explore::Branches>()),
        ("games", of::<own::GamesEvent>()),
        ("tree", of::<tree::TreeObject>()),
    ]
}

fn of<T: JsonSchema>() -> String {
    // Keys are sorted and strings are text: nothing here can fail to serialize.
    let text = serde_json::to_string_pretty(&schema_for!(T)).unwrap_or_default();
    text + "\n"
}
