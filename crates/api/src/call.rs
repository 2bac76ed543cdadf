//! One message for each call, as a front-end that speaks JSON sends them.

#[cfg(not(target_arch = "wasm32"))]
use crate::players::{PlayersRequest, Understood, players};
use crate::{
    access::Capabilities,
    analyze::{AnalyzeEvent, AnalyzeRequest, analyze},
    convert::{ConvertRequest, Converted, convert},
    engines::Engines,
    error::Error,
    explore::{Branches, BranchesRequest, branches},
    games::own::{self, GamesEvent, GamesRequest},
    levels::{LevelsEvent, LevelsRequest, levels},
    names::{Named, NamesRequest, names},
    openings::{OpeningObject, OpeningsRequest, openings},
    picture::{PictureObject, PictureRequest, picture},
    play::{PlayRequest, Played, play},
    puzzles::{PuzzleObject, PuzzlesRequest, puzzles},
    review::{ReviewEvent, ReviewRequest, review},
    show::{ShowEvent, ShowRequest, show},
    solve::{SolveEvent, SolveRequest, solve},
    tree::{TreeObject, TreeRequest, tree},
};
use outflank_search::{Clock, StopToken};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Makes the type of the calls and the list of their names from one list.
macro_rules! calls {
    ($($(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? $name:literal => $variant:ident($request:ty),)*) => {
        /// Something that is asked.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "call")]
        pub enum Call {
            $(
                $(#[doc = $doc])*
                $(#[cfg($cfg)])?
                #[serde(rename = $name)]
                $variant($request),
            )*
        }

        impl Call {
            /// The names of the calls, as messages bear them.
            pub const NAMES: &[&str] = &[$($(#[cfg($cfg)])? $name,)*];
        }
    };
}

calls! {
    /// The best moves of positions.
    "analyze" => Analyze(AnalyzeRequest),
    /// Exact values, or a forced win.
    "solve" => Solve(SolveRequest),
    /// Every move of games judged.
    "review" => Review(ReviewRequest),
    /// A move in a game.
    "play" => Play(PlayRequest),
    /// Another notation.
    "convert" => Convert(ConvertRequest),
    /// What there is to see.
    "show" => Show(ShowRequest),
    /// Whether there are such players.
    #[cfg(not(target_arch = "wasm32"))]
    "players" => Players(PlayersRequest),
    /// Names of openings.
    "names" => Names(NamesRequest),
    /// What levels cost.
    "levels" => Levels(LevelsRequest),
    /// Puzzles.
    "puzzles" => Puzzles(PuzzlesRequest),
    /// Random openings that are fair.
    "openings" => Openings(OpeningsRequest),
    /// Games with their variations.
    "tree" => Tree(TreeRequest),
    /// Positions as pictures.
    "picture" => Picture(Box<PictureRequest>),
    /// The moves of a position: their names, what a book says of them, and how games with them ended.
    "explore" => Explore(BranchesRequest),
    /// The games that `explore` counts: taken in, listed, forgotten.
    "games" => Games(Box<GamesRequest>),
}

impl Call {
    /// Returns how much work it is.
    pub const fn effort(&self) -> Effort {
        match self {
            Self::Analyze(_) | Self::Play(_) => Effort::Search,
            Self::Explore(request) if request.limits.is_some() => Effort::Search,
            Self::Solve(_) | Self::Review(_) | Self::Levels(_) | Self::Openings(_) => Effort::Job,
            _ => Effort::Short,
        }
    }
}

/// How much work a call is, for whoever decides which ones run beside one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Done at once, without an engine.
    Short,
    /// A search of one position: the next one takes its place.
    Search,
    /// A job of many positions, beside which searches go on.
    Job,
}

/// Something that is said on the way, or in the end.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Event {
    /// By an analysis.
    Analyze(AnalyzeEvent),
    /// By a solver.
    Solve(SolveEvent),
    /// By a review.
    Review(ReviewEvent),
    /// A move.
    Play(Box<Played>),
    /// Something in another notation.
    Convert(Converted),
    /// A position.
    Show(ShowEvent),
    /// Descriptions of players that are understood.
    #[cfg(not(target_arch = "wasm32"))]
    Players(Understood),
    /// The name of an opening.
    Names(Named),
    /// A level.
    Levels(LevelsEvent),
    /// A puzzle.
    Puzzles(Box<PuzzleObject>),
    /// A random opening.
    Openings(OpeningObject),
    /// A game with its variations.
    Tree(Box<TreeObject>),
    /// A picture.
    Picture(PictureObject),
    /// The moves of a position.
    Explore(Box<Branches>),
    /// Games.
    Games(GamesEvent),
}

/// Does what is asked, in the caller's thread, and tells `on_event` of progress and results; [`Engines::fresh`] that are
/// gone afterwards do it.
///
/// # Errors
///
/// Returns why the request cannot be answered; one that names a file or a program is refused without the capability.
pub fn run(
    call: &Call,
    capabilities: &Capabilities<'_>,
    clock: &Arc<dyn Clock>,
    stop: &StopToken,
    on_event: &mut dyn FnMut(Event),
) -> Result<(), Error> {
    Engines::fresh(Arc::clone(clock)).run(call, capabilities, stop, on_event)
}

/// [`Engines::run`].
pub(crate) fn dispatch(
    call: &Call,
    capabilities: &Capabilities<'_>,
    engines: &mut Engines,
    stop: &StopToken,
    on_event: &mut dyn FnMut(Event),
) -> Result<(), Error> {
    let clock = &Arc::clone(engines.clock());
    match call {
        Call::Analyze(request) => analyze(request, capabilities, engines, stop, &mut |event| {
            on_event(Event::Analyze(event));
        }),
        Call::Solve(request) => solve(request, capabilities, clock, stop, &mut |event| {
            on_event(Event::Solve(event));
        }),
        Call::Review(request) => review(request, capabilities, engines, stop, &mut |event| {
            on_event(Event::Review(event));
        }),
        Call::Play(request) => {
            on_event(Event::Play(Box::new(play(request, capabilities, engines, stop)?)));
            Ok(())
        }
        #[cfg(not(target_arch = "wasm32"))]
        Call::Players(request) => {
            on_event(Event::Players(players(request, capabilities)?));
            Ok(())
        }
        Call::Convert(request) => convert(request, capabilities, &mut |event| {
            on_event(Event::Convert(event));
        }),
        Call::Show(request) => show(request, capabilities, &mut |event| on_event(Event::Show(event))),
        Call::Names(request) => names(request, capabilities, &mut |event| on_event(Event::Names(event))),
        Call::Levels(request) => levels(request, engines, stop, &mut |event| {
            on_event(Event::Levels(event));
        }),
        Call::Puzzles(request) => puzzles(request, &mut |event| on_event(Event::Puzzles(Box::new(event)))),
        Call::Openings(request) => openings(request, clock, stop, &mut |event| {
            on_event(Event::Openings(event));
        }),
        Call::Tree(request) => tree(request, capabilities, &mut |event| {
            on_event(Event::Tree(Box::new(event)));
        }),
        Call::Picture(request) => picture(request, capabilities, &mut |event| {
            on_event(Event::Picture(event));
        }),
        Call::Explore(request) => {
            let found = branches(request, capabilities, engines, stop)?;
            on_event(Event::Explore(Box::new(found)));
            Ok(())
        }
        Call::Games(request) => {
            own::games(request, capabilities, engines.collections(), stop, &mut |event| {
                on_event(Event::Games(event));
            })
        }
    }
}
