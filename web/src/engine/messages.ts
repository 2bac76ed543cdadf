// Written by `npm run messages` from docs/schema/*.json; do not edit.

/** A source of games, or a part of one. */
export interface AddGames {
  /** Its contents in any format, or the next part of them. */ input: Input;
  /** Whether another part follows; only after the last one the games are there. */ more?: boolean;
  /** Its name, such as that of the file: games that came under it before are replaced. Names of players and tournaments of WTHOR (`.jou`, `.trn`) are kept for the games that come after them. */ name: string;
}

/** How to choose a move from an opening book. */
export interface BookUse {
  /** Draw as often as people play among the moves that lose at most so many discs. */ human?: number | null;
  /** Draw among the moves that lose at most so many discs, instead of the best one. */ random?: number | null;
}

/** A game clock. */
export interface ClockObject {
  /** What is added after each move, in seconds. */ increment?: number;
  /** What is left in seconds, more than 0. */ seconds: number;
}

/** Which games are meant. */
export type CollectionName = "own" | "server";

/** A color. */
export type ColorName = "black" | "white";

/** The games that there are. */
export type GameName = "othello" | "gomoku";

/** Which games count; without anything all but duplicates.  A name is meant if each word of the text begins one of its words, whatever the accents and capitals; behind `=` the whole name is wanted. */
export interface GamesFilter {
  /** The color of that player. */ color?: ColorName | null;
  /** Count games that stand elsewhere in the collection, too. */ duplicates?: boolean;
  /** The event. */ event?: string | null;
  /** Only games that were played to the end. */ finished?: boolean;
  /** The first year. */ first_year?: number | null;
  /** The greatest margin. */ greatest_result?: number | null;
  /** The last year. */ last_year?: number | null;
  /** The least margin in discs of the player, or of black without one. */ least_result?: number | null;
  /** The least number of discs on the board at the end. */ min_discs?: number;
  /** The other player. */ opponent?: string | null;
  /** One of the players. */ player?: string | null;
  /** The source. */ source?: string | null;
  /** Only games with an opening by lot, or only others. */ xot?: boolean | null;
}

/** What is proven, beside the best move. */
export type GoalName = "best" | "exact" | "wld";

/** What Gomoku is played by, where a request has a game of it. */
export interface GomokuRules {
  /** `freestyle`, `standard`, `renju` or `caro`; that of the record if it names one, else `freestyle`. */ rule?: string | null;
  /** Edge of the board in points, 5 to 20; 15 if nothing else is said. */ size?: number | null;
}

/** Positions or games: as text in any notation, as the bytes of a file in any format, or the name of a file. */
export type Input = {
  text: string;
} | {
  base64: string;
} | {
  path: string;
};

/** What a value is worth. */
export type Kind = "exact" | "wld" | "bounds" | "estimate" | "book" | "aborted" | "win" | "loss";

/** How far a search may go; it ends at the first limit that it reaches. */
export interface LimitsObject {
  /** A game clock, from which the time for one move is chosen. */ clock?: ClockObject | null;
  /** Moves to look ahead, 1 to 60. */ depth?: number | null;
  /** Instead of a level, one of those that err as people do: 1 to 8 for human-1 to human-8. */ human?: number | null;
  /** Strength, 1 to 60. */ level?: number | null;
  /** Positions to enter, at least 1. */ nodes?: number | null;
  /** Time in seconds, more than 0. */ seconds?: number | null;
}

/** A move, its value, and the play behind it. */
export interface LineObject {
  /** Percent of such values that are right within a disc; Othello only. */ confidence?: number | null;
  /** Moves looked ahead; as many as there are empty squares where the value is proven. */ depth: number;
  /** What the value is worth. */ kind: Kind;
  /** The move; `null` when the game is over. */ move?: string | null;
  /** The move and what follows. */ pv: string[];
  /** Gomoku: most stones to a proven end. */ stones?: number | null;
  /** Gomoku: an estimate in the engine's unit, 1/500 of the logarithm of the odds to win; 500 stands for odds of e to 1. */ units?: number | null;
  /** Othello: discs for the side to move. Gomoku: its chance to win in percent. */ value: Number;
}

/** Asks for games. */
export interface ListRequest {
  /** Which games count. */ filter?: GamesFilter;
  /** The most games to return; all if nothing is said. */ limit?: number | null;
  /** The order. */ order?: OrderName;
  /** Only games that go through this position, in any notation. */ position?: string | null;
  /** Games to leave out at the beginning. */ skip?: number;
}

/** Kinds of names. */
export type NamesOf = "players" | "events";

/** Asks for the names in a collection. */
export interface NamesOfRequest {
  /** The most names to return; 1,000 if nothing is said. */ limit?: number | null;
  /** Of players or of events. */ of?: NamesOf;
  /** A text that means some of them; all if nothing is said. */ text?: string | null;
}

/** A notation to write. */
export type Notation = "board" | "transcript" | "transcript-pa" | "obf" | "ggf" | "sgf";

/** A number: whole where it is exact, with at most two decimals elsewhere. */
export type Number = number;

/** An order of games. */
export type OrderName = "latest" | "earliest" | "margin" | "number";

/** What totals are for. */
export type TotalsBy = "player" | "year" | "event" | "source" | "opening";

/** Asks for the totals of a collection. */
export interface TotalsRequest {
  /** What the totals are for. */ by: TotalsBy;
  /** Which games count. */ filter?: GamesFilter;
  /** The most totals to return; 1,000 if nothing is said. */ limit?: number | null;
}

/** The best moves of positions. */
export interface AnalyzeRequest {
  /** Whether to say first what the opening book has, where the front-end has opened one; Othello only. */ book?: boolean;
  /** Confidence of midgame values in percent: 73, 87, 95, 98, 99 or 100. */ confidence?: number;
  /** Whether to say what the evaluation of the position itself is made of; Othello only. */ explain?: boolean;
  /** The game. */ game?: GameName;
  /** What to prove. */ goal?: GoalName;
  /** Positions, or games, whose last position is meant. */ input: Input;
  /** How far to search; 5 seconds a position if nothing is said. */ limits?: LimitsObject;
  /** How many of the best moves to value; at least 1. */ lines?: number;
  /** Whether to report every finished stage of every move. */ progress?: boolean;
  /** Rule set and board of Gomoku. */ rules?: GomokuRules;
  /** Memory for the table in bytes; 64 MiB if nothing is said. */ table_bytes?: number | null;
  /** Instead of a number of lines: value every move that is worth at most this many discs less than the best, and give one bound for all others; Othello only. */ within?: number | null;
}

/** Exact values, or a forced win. */
export interface SolveRequest {
  /** Othello: the exact value of every legal move. */ all_moves?: boolean;
  /** Gomoku: most threats in a line; any number if nothing is said. */ depth?: number | null;
  /** Gomoku: only wins by fours. */ fours?: boolean;
  /** The game. */ game?: GameName;
  /** Positions, or games, whose last position is meant; one of Gomoku. */ input: Input;
  /** Gomoku: most positions to enter. */ nodes?: number | null;
  /** Rule set and board of Gomoku. */ rules?: GomokuRules;
  /** Seconds for a position; Gomoku 60 if nothing is said. */ seconds?: number | null;
  /** Memory for the table in bytes; 64 MiB if nothing is said. */ table_bytes?: number | null;
  /** Othello: only win, loss or draw. */ wld?: boolean;
}

/** Every move of games judged. */
export interface ReviewRequest {
  /** Whether to take the values of the opening book that the front-end has opened, where they are worth as much; Othello only. */ book?: boolean;
  /** The game. */ game?: GameName;
  /** Games; one of Gomoku. */ input: Input;
  /** Strength of every search, 1 to 60; 12 if nothing is said. */ level?: number;
  /** Rule set and board of Gomoku. */ rules?: GomokuRules;
  /** Seconds for each game, in Gomoku for each position; as long as the level takes if nothing is said. */ seconds?: number | null;
}

/** A move in a game. */
export interface PlayRequest {
  /** How to use the opening book that the front-end has opened, if it has one; Othello only. */ book?: BookUse | null;
  /** Whether to give some of it away when ahead, so that the game stays close; Othello only. */ close?: boolean;
  /** The game. */ game?: GameName;
  /** The game so far. */ input: Input;
  /** How strong, or how long; level 6 if nothing is said. */ limits?: LimitsObject;
  /** Rule set and board of Gomoku. */ rules?: GomokuRules;
  /** What human-1 to human-8 draw their choice from; the same seed in the same position makes the same choice. */ seed?: number;
  /** Memory for the table in bytes; 64 MiB if nothing is said. */ table_bytes?: number | null;
}

/** Another notation. */
export interface ConvertRequest {
  /** Positions or games. */ input: Input;
  /** The notation to write. */ to: Notation;
}

/** What there is to see. */
export interface ShowRequest {
  /** The game. */ game?: GameName;
  /** Positions, or games, whose last position is meant. */ input: Input;
  /** Othello: moves to go into each game, passes counted, instead of to its end. */ ply?: number | null;
  /** Rule set and board of Gomoku. */ rules?: GomokuRules;
}

/** Whether there are such players. */
export interface PlayersRequest {
  /** The game. */ game?: GameName;
  /** Descriptions, such as `level 4` or `external: PROGRAM`. */ players: string[];
}

/** Names of openings. */
export interface NamesRequest {
  /** Games. */ input?: Input | null;
  /** The most openings to find; 20 if nothing is said. */ limit?: number | null;
  /** A part of a name, in English or Japanese, in any letters. */ search?: string | null;
}

/** What levels cost. */
export interface LevelsRequest {
  /** Positions to enter for the midgame, and again for the end. */ positions?: number;
}

/** Puzzles. */
export interface PuzzlesRequest {
  /** With at most so many. */ max_empties?: number | null;
  /** That at most so many of them would. */ max_wrong?: number | null;
  /** With at least so many empty squares. */ min_empties?: number | null;
  /** That at least so many of a hundred club players would get wrong. */ min_wrong?: number | null;
  /** A text of puzzles, as `outflank puzzles make` writes it; those inside the program if nothing is said. */ text?: string | null;
  /** With this theme. */ theme?: string | null;
}

/** Random openings that are fair. */
export interface OpeningsRequest {
  /** Openings wanted, at most 100. */ count?: number;
  /** Strength of the searches that value them, 1 to 20. */ level?: number;
  /** Discs that are placed, at most 40. */ moves?: number;
  /** What they are drawn with: the same question has the same answer. */ seed?: number;
  /** Greatest value for either side, in discs. */ within?: number;
}

/** Games with their variations. */
export interface TreeRequest {
  /** Games. */ input: Input;
}

/** Positions as pictures. */
export interface PictureRequest {
  /** Arrows, `d3-c5` each. */ arrows?: string[];
  /** Whether the letters and numbers at the edge are left out. */ bare?: boolean;
  /** A line below the board. */ caption?: string | null;
  /** The game. */ game?: GameName;
  /** Positions, or games, whose last position is meant. */ input: Input;
  /** Signs: `d3=circle`, `square`, `triangle`, `cross`, or a text of at most 3 characters. */ marks?: string[];
  /** Whether the discs that moves put bear their numbers. */ numbers?: boolean;
  /** Othello: moves to go into each game, passes counted, instead of to its end. */ ply?: number | null;
  /** Whether the picture is black lines on white, for print. */ print?: boolean;
  /** Rule set and board of Gomoku. */ rules?: GomokuRules;
  /** Whether the board is seen from the other side. */ turned?: boolean;
  /** Values that stand on their squares: lines of an analysis. */ values?: LineObject[];
}

/** The moves of a position: their names, what a book says of them, and how games with them ended. */
export interface ExploreRequest {
  /** The collection whose games count; all of them if nothing is said. */ collection?: CollectionName | null;
  /** Games to show for each move, of the players who have most games; at most 10. */ examples?: number;
  /** Which games count. */ filter?: GamesFilter;
  /** One position, or a game, whose last position is meant. */ input: Input;
  /** How far to search for values of all moves; no search if nothing is said, 5 seconds if nothing is said in it. */ limits?: LimitsObject | null;
}

/** The games that `explore` counts: taken in, listed, forgotten. */
export interface GamesRequest {
  /** A source to take in: it counts in `explore` until it is forgotten or the session ends. */ add?: AddGames | null;
  /** The collection that the following is asked of. */ collection?: CollectionName;
  /** The sources to forget; all of them if the list is empty. */ forget?: string[] | null;
  /** Asks for games, at most 1,000 at a time. */ list?: ListRequest | null;
  /** Asks for names. */ names?: NamesOfRequest | null;
  /** Asks for totals. */ totals?: TotalsRequest | null;
}

/** The best moves of a position of Othello. */
export interface Analysis {
  /** 64 characters, a1 first; Othello only. */ board?: string | null;
  /** What the opening book says about the position, if it has it. */ book?: BookPosition | null;
  /** Whether everything was done that was asked; not if a limit was met, or somebody stopped it. */ complete: boolean;
  /** Percent of such values that are right within a disc; Othello only. */ confidence?: number | null;
  /** Moves looked ahead; as many as there are empty squares where the value is proven. */ depth: number;
  /** What the evaluation of the position is made of, if that was asked for. */ explanation?: Explanation | null;
  /** The stones in the order in which they were placed, or an SGF record; Gomoku only. */ history?: string | null;
  /** What the value is worth. */ kind: Kind;
  /** The best moves, best first. */ lines: LineObject[];
  /** The move; `null` when the game is over. */ move?: string | null;
  /** Positions entered. */ nodes: number;
  /** The last named position of the game. */ opening?: Opening | null;
  /** Gomoku: the proof of the best line, where it was proved by threats and checked against every answer. */ proof?: ForcedWin | null;
  /** The move and what follows. */ pv: string[];
  /** No legal move that is without a line is worth more than this, in discs, by a search like that of the best; only where `within` was asked for and such moves are left. */ rest?: number | null;
  /** Time taken. */ seconds: number;
  /** `X` or `O`, to move. */ side: string;
  /** Gomoku: most stones to a proven end. */ stones?: number | null;
  /** Gomoku: the win that the other side would have if the side to move passed, where a short look finds one. */ threat?: ForcedWin | null;
  /** Gomoku: an estimate in the engine's unit, 1/500 of the logarithm of the odds to win; 500 stands for odds of e to 1. */ units?: number | null;
  /** Othello: discs for the side to move. Gomoku: its chance to win in percent. */ value: Number;
}

/** What a book says about a move. */
export interface BookMove {
  /** How far the search looked that said so. */ depth?: number | null;
  /** Where its value comes from: `fact`, `next` (the position behind it), `end`, or `nothing`. */ from: string;
  /** Games in which it was played. */ games?: number;
  /** How far its value can be trusted. */ grade?: string | null;
  /** What was said about the move itself: `estimate`, `to-end`, `claimed`, `manual` or `exact`. */ kind?: string | null;
  /** What it gives away in discs. */ loss?: number | null;
  /** Their mean result for who made it, in discs. */ mean?: number | null;
  /** The move. */ move: string;
  /** How far its value may still move, in discs. */ risk: number;
  /** Who said so. */ source?: string | null;
  /** What it is worth in discs. */ value?: number | null;
}

/** Says what the opening book has, before the search. */
export interface BookNews {
  /** What the book says about the position. */ book: BookPosition;
}

/** What a book says about a position. */
export interface BookPosition {
  /** 64 characters, a1 first. */ board: string;
  /** How far the value can be trusted: A is proved, F a shallow search. */ grade?: string | null;
  /** Whether the book has the position. */ known: boolean;
  /** Lines from here to where the book ends. */ lines?: number;
  /** The moves that the book has, best first. */ moves?: BookMove[];
  /** The name of the opening. */ opening?: Opening | null;
  /** What is proved of the value, in discs; −64 and 64 if nothing is. */ proved?: number[] | null;
  /** What the value will hardly fall below, and hardly exceed, in discs. */ range?: number[] | null;
  /** No move that has no value is worth more than this, in discs. */ rest?: number | null;
  /** `X` or `O`, to move. */ side: string;
  /** The value of the best move in discs, for the side to move; after a pass for the other one. */ value?: number | null;
}

/** What the evaluation says without any search, and why. */
export interface Explanation {
  /** What speaks for and against the side to move, the weightiest first; together the estimate, unless that is cut off. */ parts: Part[];
  /** Its estimate in discs for the side to move. */ value: number;
}

/** A forced win of Gomoku that was proved and checked against every answer. */
export interface ForcedWin {
  /** The line in which each answer delays the end the most, the winner's move first. */ line: string[];
  /** Moves in the proof. */ proof_moves: number;
  /** Most stones until five, those of both sides counted. */ stones: number;
}

/** The name of an opening. */
export interface Opening {
  /** The English name. */ english?: string | null;
  /** The Japanese name. */ japanese?: string | null;
  /** Moves after which it was reached. */ moves: number;
  /** The Japanese name in Latin letters, if it is not written in them anyway. */ romanized?: string | null;
}

/** A part of an evaluation. */
export interface Part {
  /** Its share in discs, for the side to move. */ discs: number;
  /** What they hold in the pattern's order, X for the side to move; of `mobility`, both numbers of moves. */ holds: string;
  /** Name of a kind of pattern; or `mobility`, `constant`, or `network`: what only several patterns together say. */ name: string;
  /** The squares that the pattern looks at. */ squares: string[];
}

/** Reports a finished stage. */
export interface Progress {
  /** The stage. */ progress: StageObject;
}

/** A finished stage of a move. */
export interface StageObject {
  /** Percent of such values that are right within a disc; Othello only. */ confidence?: number | null;
  /** Moves looked ahead; as many as there are empty squares where the value is proven. */ depth: number;
  /** What the value is worth. */ kind: Kind;
  /** The move; `null` when the game is over. */ move?: string | null;
  /** Positions entered so far. */ nodes: number;
  /** The move and what follows. */ pv: string[];
  /** Place of the move as far as is known, from 1. */ rank: number;
  /** Time taken so far. */ seconds: number;
  /** Gomoku: most stones to a proven end. */ stones?: number | null;
  /** Gomoku: an estimate in the engine's unit, 1/500 of the logarithm of the odds to win; 500 stands for odds of e to 1. */ units?: number | null;
  /** Othello: discs for the side to move. Gomoku: its chance to win in percent. */ value: Number;
}

/** What an analysis says. */
export type AnalyzeEvent = Progress | Analysis | BookNews;

/** A position or game in its new notation. */
export interface Converted {
  /** Line of the source, from 1. */ line: number;
  /** The notation. */ text: string;
  /** What was doubtful about it. */ warnings?: string[];
}

/** What an answer is worth. */
export interface DrillAnswer {
  /** The name of the card. */ answered: string;
  /** The right answers, the main one first. */ best: string[];
  /** The day on which the card comes again, counted from 1970-01-01. */ due: number;
  /** Discs lost, where that is known. */ loss?: number | null;
  /** The answer; `null` if it was given up. */ move?: string | null;
  /** How the game goes on, or what the repertoire says. */ remark: string;
  /** Whether it is right. */ right: boolean;
}

/** A question of a drill. */
export interface DrillQuestion {
  /** 64 characters, a1 first. */ board: string;
  /** The name of the card. */ card: string;
  /** What is said beside the board. */ hint: string;
  /** Legal moves. */ legal: string[];
  /** Whether it has never been asked. */ new: boolean;
  /** Its number in this session, and how many there are. */ number: number[];
  /** `X` or `O`, to move. */ side: string;
}

/** How a drill ended. */
export interface DrillSummary {
  /** Right answers, and all. */ drilled: number[];
}

/** What a drill says. */
export type DrillEvent = DrillQuestion | DrillAnswer | DrillSummary;

/** A move. Where the position is symmetric, all images of a move say the same of it. */
export interface Branch {
  /** What the book says of it. */ book?: BookMove | null;
  /** What the engine says of it, where it was asked. */ engine?: LineObject | null;
  /** Some of them. */ examples?: ListedGame[];
  /** The games with it, where there are any. */ games?: Results | null;
  /** The move. */ move: string;
  /** What the position after it is called. */ opening?: Opening | null;
  /** Other squares that are the same move, as the position is symmetric. */ same?: string[];
}

/** A game of a collection; it can be read again wherever a game is taken. */
export interface ListedGame {
  /** The player of the black discs, empty if not known. */ black: string;
  /** When it was played: a day, a month or a year; empty if not known. */ date: string;
  /** Whether it stands elsewhere in the collection. */ duplicate?: boolean;
  /** `board` if it was played to the end, `resigned` if it was given up or lost on time, else `adjudicated`. */ end: string;
  /** Where it was played, empty if not known. */ event: string;
  /** Its number in the collection. */ id: number;
  /** Black's margin in discs. */ margin?: number | null;
  /** The moves, without passes. */ moves: string;
  /** Discs on the board at the end. */ n_discs: number;
  /** Its number there, from 1. */ number: number;
  /** The opening. */ opening?: Opening | null;
  /** Where it was read. */ source: string;
  /** The position before the first move, if it is not the usual one. */ start?: string | null;
  /** Black's margin with perfect play from `theoretical_empties` empty squares on. */ theoretical?: number | null;
  /** Empty squares from which the theoretical margin is for. */ theoretical_empties?: number | null;
  /** The player of the white discs, empty if not known. */ white: string;
  /** `black`, `white` or `draw`. */ winner?: string | null;
  /** Whether its opening was drawn by lot. */ xot?: boolean;
}

/** How games ended. */
export interface Results {
  /** Games that black won. */ black: number;
  /** Black's mean margin in discs. */ discs?: number | null;
  /** Games drawn. */ draws: number;
  /** The first year. */ first_year?: number | null;
  /** Games, also those whose result is not known. */ games: number;
  /** The last year. */ last_year?: number | null;
  /** Black's mean margin with perfect play in the endgame, where it is known. */ theoretical?: number | null;
  /** Games that white won. */ white: number;
}

/** What there is to know of the moves of a position. */
export interface Branches {
  /** The position, 64 characters; where there was a pass, the one after it. */ board: string;
  /** What the book says of the position, if there is a book and it has it; its moves stand below. */ book?: BookPosition | null;
  /** Games that end there, if there are collections. */ ended?: number | null;
  /** The games that go through it, if there are collections. */ games?: Results | null;
  /** Every legal move, in the order of the squares; none when the game is over. */ moves: Branch[];
  /** The last named position of the game. */ opening?: Opening | null;
  /** Whether the player to move in the position that was asked for has to pass. */ passed: boolean;
  /** `X` or `O`, who moves. */ side: string;
}

/** A game that cannot be read; the first twenty of a source are told. */
export interface BadGameObject {
  /** The line, where there are lines. */ line?: number | null;
  /** Its number there, from 1; 0 if something is wrong with the source as a whole. */ number: number;
  /** Number of the move that is not legal, from 1. */ ply?: number | null;
  /** What is wrong. */ reason: string;
  /** The source. */ source: string;
}

/** What a collection holds. */
export interface CollectionObject {
  /** Bytes of the front-end's own games. */ bytes?: number | null;
  /** Games. */ games: number;
  /** Games asked for with `list`, whether they were returned or not. */ listed?: number | null;
  /** Its sources, by name. */ sources: SourceObject[];
}

/** How games went for one side. */
export interface Fared {
  /** Mean margin in discs. */ discs?: number | null;
  /** Games drawn. */ draws: number;
  /** The first year. */ first_year?: number | null;
  /** Games. */ games: number;
  /** The last year. */ last_year?: number | null;
  /** Games lost. */ losses: number;
  /** Points in percent of the games whose result is known, a draw as half of one. */ score?: number | null;
  /** Limits between which the score lies with a probability of 95 %, if these games are a sample. */ score_range?: number[] | null;
  /** Mean margin with perfect play in the endgame, where it is known. */ theoretical?: number | null;
  /** Games won. */ wins: number;
}

/** A name and its spellings. */
export interface NameObject {
  /** The first year. */ first_year?: number | null;
  /** Games under any of them. */ games: number;
  /** The last year. */ last_year?: number | null;
  /** The spelling that is used most. */ name: string;
  /** Other spellings. */ spellings?: string[];
}

/** A source of games. */
export interface SourceObject {
  /** Games that cannot be read. */ bad: number;
  /** Bytes, of the front-end's own games. */ bytes?: number | null;
  /** Games. */ games: number;
  /** Its name. */ name: string;
}

/** The games of a player, a year, an event, a source or an opening. */
export interface TotalsObject {
  /** With black, for players. */ black?: Fared | null;
  /** Mean margin in discs. */ discs?: number | null;
  /** Games drawn. */ draws: number;
  /** The first year. */ first_year?: number | null;
  /** Games. */ games: number;
  /** The last year. */ last_year?: number | null;
  /** Games lost. */ losses: number;
  /** What they have in common; empty for games without any. */ name: string;
  /** Points in percent of the games whose result is known, a draw as half of one. */ score?: number | null;
  /** Limits between which the score lies with a probability of 95 %, if these games are a sample. */ score_range?: number[] | null;
  /** Mean margin with perfect play in the endgame, where it is known. */ theoretical?: number | null;
  /** With white, for players. */ white?: Fared | null;
  /** Games won. */ wins: number;
}

/** What is said about games. */
export type GamesEvent = {
  bad: BadGameObject;
} | {
  game: ListedGame;
} | {
  total: TotalsObject;
} | {
  name: NameObject;
} | {
  collection: CollectionObject;
};

/** A level that errs as people do in Othello. */
export interface HumanObject {
  /** The level: 1 to 8 for human-1 to human-8. */ human: number;
  /** Mean loss of a move in discs, judged by searches of 10 discs. */ loss: number;
  /** What people would call somebody who plays like that. */ name: string;
}

/** What a level does and costs. */
export interface LevelObject {
  /** Confidence of its midgame values in percent. */ confidence: number;
  /** Discs that it looks ahead before the end is in reach. */ depth: number;
  /** Most empty squares from which it plays without error. */ exact_empties: number;
  /** The level, 1 to 60. */ level: number;
  /** Whether both costs were measured, and not extrapolated. */ measured: boolean;
  /** Positions entered for a move of the midgame. */ midgame_nodes: number;
  /** Seconds for a move of the midgame, at the measured speed. */ midgame_seconds: number;
  /** Most empty squares from which it searches to the end with selective cuts. */ selective_empties: number;
  /** Positions entered to solve a position with `exact_empties`. */ solve_nodes: number;
  /** Seconds to solve a position with `exact_empties`, at the measured speed. */ solve_seconds: number;
}

/** A level. */
export type LevelsEvent = HumanObject | LevelObject;

/** The opening of a game, or one that was searched. */
export interface Named {
  /** Where it was searched: the moves to it, or 64 characters and the side where only the position is known. */ game?: string | null;
  /** Line of the source, or place among those that were found, from 1. */ line: number;
  /** The last named position, if there is one. */ opening?: Opening | null;
}

/** A random opening. */
export interface OpeningObject {
  /** Its confidence in percent. */ confidence: number;
  /** The discs that the search looked ahead. */ depth: number;
  /** The moves in one word. */ opening: string;
  /** Its value for black, in discs. */ value: number;
}

/** A picture. */
export interface PictureObject {
  /** The whole file, as SVG. */ svg: string;
}

/** A move, and what it leads to. */
export interface Played {
  /** Percent of such values that are right within a disc; Othello only. */ confidence?: number | null;
  /** Moves looked ahead; as many as there are empty squares where the value is proven. */ depth: number;
  /** What the value is worth. */ kind: Kind;
  /** The move; `null` when the game is over. */ move?: string | null;
  /** All moves, with this one. */ moves: string[];
  /** Whether the other side has no move but to pass. */ must_pass: boolean;
  /** Whether the game is over now. */ over: boolean;
  /** The move and what follows. */ pv: string[];
  /** Gomoku: most stones to a proven end. */ stones?: number | null;
  /** Gomoku: an estimate in the engine's unit, 1/500 of the logarithm of the odds to win; 500 stands for odds of e to 1. */ units?: number | null;
  /** Othello: discs for the side to move. Gomoku: its chance to win in percent. */ value: Number;
}

/** The descriptions, which are understood. */
export interface Understood {
  /** The descriptions. */ players: string[];
}

/** A move of a puzzle. */
export interface PuzzleMove {
  /** The discs that it loses. */ loss: number;
  /** The move. */ move: string;
  /** Its exact value for the side to move, in discs. */ value: number;
}

/** A move of a solution. */
export interface SolutionStep {
  /** The move. */ move: string;
  /** Whether every other move is worse. */ only: boolean;
}

/** A puzzle. */
export interface PuzzleObject {
  /** 64 characters, a1 first. */ board: string;
  /** Empty squares. */ empties: number;
  /** The discs that the second best move loses. */ gap: number;
  /** How the game goes on with best play, up to the last move without equal. */ line: SolutionStep[];
  /** The discs to look ahead, 1, 2 or 4, from which on the best move looks best; 0 if it takes more. */ look: number;
  /** Every legal move, the best first. */ moves: PuzzleMove[];
  /** Its name, which all images of the position share. */ puzzle: string;
  /** `X` or `O`, to move. */ side: string;
  /** Where it is from. */ source: string;
  /** What it is about. */ themes: string[];
  /** The exact value for the side to move, in discs. */ value: number;
  /** How many of a hundred beginners, club players and experts choose another move, by the program's model of people. */ wrong: number[];
}

/** A game, judged. */
export interface GameObject {
  /** Black. */ black: PlayerObject;
  /** Whether all searches came to their end. */ complete: boolean;
  /** The result for black, if the game is finished. */ discs?: number | null;
  /** Number of the game, from 1. */ game: number;
  /** Positions entered. */ nodes: number;
  /** The last named position. */ opening?: Opening | null;
  /** The position before the first move, where it is not the usual one: 64 characters and the side. */ start?: string | null;
  /** Why the review ends before the record does. */ stopped?: string | null;
  /** The moves in one word. */ transcript: string;
  /** Black's value of every position, the start first. */ values: number[];
  /** White. */ white: PlayerObject;
}

/** A game of Gomoku, judged. */
export interface GomokuGame {
  /** Black. */ black: GomokuPlayer;
  /** Black's chance to win in percent in every position, that before the first judged move first. */ chances: number[];
  /** Whether every move was judged. */ complete: boolean;
  /** Number of the game, from 1. */ game: number;
  /** The stones in the order in which they were placed, or an SGF record; up to the last move that was judged. */ history: string;
  /** Positions entered. */ nodes: number;
  /** `black`, `white` or `draw` if the last judged move has ended the game. */ result?: string | null;
  /** The rule set. */ rule: string;
  /** Edge of the board in points. */ size: number;
  /** Why the review ends before the record does. */ stopped?: string | null;
  /** White. */ white: GomokuPlayer;
}

/** A move of Gomoku, judged. */
export interface GomokuMove {
  /** The same chance after the move that was made. */ after: number;
  /** What that is worth. */ after_kind: Kind;
  /** The proved win that the other side has after it, where there is a move after which none is known. */ allowed?: ForcedWin | null;
  /** The chance to win of who made it, in percent, if the best move is made. */ before: number;
  /** What that is worth. */ before_kind: Kind;
  /** A best move; the move itself if no better one is known. */ best: string;
  /** Whether it is one of Renju's forbidden points, which has lost the game. */ forbidden?: boolean;
  /** Whether there was nothing else to do: the move takes the one five that the other side threatens, or the last point. */ forced: boolean;
  /** Number of the game, from 1. */ game: number;
  /** Percentage points lost. */ loss: number;
  /** Empty, `?!` (from 10 points), `?` (from 20) or `??` (from 40). */ mark: string;
  /** The proved win that who made the move had, where the move is not known to keep one. */ missed?: ForcedWin | null;
  /** The move. */ move: string;
  /** Number of the move, from 1. */ number: number;
  /** `X` or `O`, who made it. */ side: string;
}

/** What a player of Gomoku has lost. */
export interface GomokuPlayer {
  /** How many of a hundred moves with a choice have no mark. */ accuracy: number;
  /** Proved wins that the other side was allowed. */ allowed: number;
  /** Moves marked `?!`, `?` and `??`. */ marks: number[];
  /** Percentage points lost by a move with a choice, on average. */ mean_loss: number;
  /** Proved wins that were missed. */ missed: number;
  /** Moves with a choice. */ moves: number;
}

/** What comes after the moves of a game of Gomoku. */
export interface GomokuSummary {
  /** The game. */ summary: GomokuGame;
}

/** A move, judged. */
export interface MoveObject {
  /** A best move. */ best: string;
  /** What that is worth. */ best_kind: Kind;
  /** Its value. */ best_value: number;
  /** Whether both values are exact, and so the loss. */ exact: boolean;
  /** Whether there was no choice. */ forced: boolean;
  /** Number of the game, from 1. */ game: number;
  /** What the value is worth. */ kind: Kind;
  /** Discs lost against the best move. */ loss: number;
  /** Empty, `?!` (from 2 discs), `?` (from 4) or `??` (from 8). */ mark: string;
  /** The move. */ move: string;
  /** Number of the move, from 1, passes counted. */ number: number;
  /** `X` or `O`, who made it. */ side: string;
  /** Its value, in discs for who made it. */ value: number;
}

/** What a player has lost. */
export interface PlayerObject {
  /** Discs lost with discs 1–20, 21–40 and 41–60. */ by_phase: number[];
  /** Discs lost. */ loss: number;
  /** Moves marked `?!`, `?` and `??`. */ marks: number[];
  /** Moves with a choice. */ moves: number;
  /** The name, if it is known. */ name?: string | null;
}

/** How far a review is. */
export interface ReviewProgress {
  /** Positions that are done, of how many. */ reviewing: number[];
}

/** What comes after the moves of a game. */
export interface ReviewSummary {
  /** The game. */ summary: GameObject;
}

/** What a review says. */
export type ReviewEvent = ReviewProgress | MoveObject | ReviewSummary | GomokuMove | GomokuSummary;

/** A position of Gomoku. */
export interface BoardObject {
  /** Points that make five at once. */ fives: string[];
  /** Points that are forbidden for black. */ forbidden: string[];
  /** The stones in the order in which they were placed, or an SGF record. */ history: string;
  /** Points that make an open four. */ open_fours: string[];
  /** Points where the other side would make five. */ opponent_fives: string[];
  /** Whether the game is over. */ over: boolean;
  /** How it ended. */ result?: string | null;
  /** The rule set. */ rule: string;
  /** `X` or `O`, to move. */ side: string;
  /** Edge of the board in points. */ size: number;
}

/** A position of Othello. */
export interface PositionObject {
  /** Black discs. */ black: number;
  /** 64 characters, a1 first. */ board: string;
  /** Empty squares. */ empties: number;
  /** Legal moves. */ legal: string[];
  /** Line of the source, from 1. */ line?: number | null;
  /** The moves that led here. */ moves?: string[];
  /** The last named position of the game. */ opening?: Opening | null;
  /** Whether nobody can move. */ over: boolean;
  /** Black discs less white discs at the end. */ raw?: number | null;
  /** The result for black; empty squares count for the winner. */ result?: number | null;
  /** `X` or `O`, to move. */ side: string;
  /** The position before the first move, where it is not the usual one: 64 characters and the side. */ start?: string | null;
  /** The moves with the variations of the record in parentheses, each behind the move that it replaces; only where there are variations. */ variations?: string | null;
  /** White discs. */ white: number;
}

/** What is shown. */
export type ShowEvent = PositionObject | BoardObject;

/** The answer to a [`Question`]: one object of `outflank solve --json`. */
export interface Answer {
  /** The best move, or all of them if all were solved. */ best: string[];
  /** 64 cells, a1 first. */ board: string;
  /** Empty squares. */ empties: number;
  /** What the source says, in discs. */ expected?: number | null;
  /** The question's name. */ id: string;
  /** `exact`, `wld`, `bounds` or `aborted`. */ kind: string;
  /** Positions entered. */ nodes: number;
  /** Whether the answer agrees with the source. */ ok?: boolean | null;
  /** The best line, passes included. */ pv: string[];
  /** Time taken. */ seconds?: number | null;
  /** `X` or `O`, to move. */ side: string;
  /** In discs for the side to move; with kind `wld` −2, 0 or 2; absent if aborted. */ value?: number | null;
  /** The value of every move, if asked for. */ values?: Record<string, number>;
}

/** What comes after the last answer. */
export interface SolveSummary {
  /** The sums. */ summary: Totals;
}

/** The sums of many answers. */
export interface Totals {
  /** Positions that were not finished. */ aborted: number;
  /** Positions entered. */ nodes: number;
  /** Values that agree with the source. */ ok: number;
  /** Positions. */ positions: number;
  /** Time taken; absent where it was left out. */ seconds?: number | null;
  /** Values that do not. */ wrong: number;
}

/** How a win was looked for and found. */
export type WinKind = "vcf" | "vct" | "none" | "unknown";

/** A forced win of Gomoku, or that there is none. */
export interface WinObject {
  /** Most stones to the end. */ depth: number;
  /** The stones in the order in which they were placed, or an SGF record. */ history: string;
  /** By which method a win was found. */ kind: WinKind;
  /** The winning line. */ line: string[];
  /** Positions entered. */ nodes: number;
  /** Moves in the proof. */ proof_moves: number;
  /** Time taken. */ seconds: number;
  /** `X` or `O`, to move. */ side: string;
  /** Whether it was checked against every defense. */ verified: boolean;
}

/** What a solver says. */
export type SolveEvent = Answer | SolveSummary | WinObject;

/** A node of a tree. */
export interface TreeNode {
  /** 64 characters, a1 first: the position after it. */ board: string;
  /** `X` or `O`, who made it. */ by?: string | null;
  /** A comment. */ comment?: string;
  /** What the value is worth; none if the record only claims it. */ kind?: Kind | null;
  /** Squares with a text. */ labels?: Record<string, string>;
  /** Squares with a circle, square, triangle or cross. */ marks?: Record<string, string[]>;
  /** The move; none at the start, at a setup and at a mere comment. */ move?: string | null;
  /** A name, such as that of an opening. */ name?: string;
  /** The place of the node before it in `nodes`; none at the start. */ parent?: number | null;
  /** Seconds spent on the move. */ seconds?: number | null;
  /** `X` or `O`, to move. */ side: string;
  /** `!!`, `!`, `!?`, `?!`, `?` or `??`. */ sign?: string | null;
  /** Places of other nodes with the same position. */ transpositions?: number[];
  /** The value of the position for black, in discs. */ value?: number | null;
}

/** A game with its variations. */
export interface TreeObject {
  /** Line of the source, from 1. */ line: number;
  /** The nodes, each after the one that it follows, the main line first; the first is the start. */ nodes: TreeNode[];
  /** The whole of it as SGF. */ sgf: string;
  /** What the record says of the game: keys as in GGF, and values. */ tags: [string, string][];
}

/** Every call: what is asked, and what is answered. */
export interface Calls {
  "analyze": { request: AnalyzeRequest; event: AnalyzeEvent };
  "solve": { request: SolveRequest; event: SolveEvent };
  "review": { request: ReviewRequest; event: ReviewEvent };
  "play": { request: PlayRequest; event: Played };
  "convert": { request: ConvertRequest; event: Converted };
  "show": { request: ShowRequest; event: ShowEvent };
  "players": { request: PlayersRequest; event: Understood };
  "names": { request: NamesRequest; event: Named };
  "levels": { request: LevelsRequest; event: LevelsEvent };
  "puzzles": { request: PuzzlesRequest; event: PuzzleObject };
  "openings": { request: OpeningsRequest; event: OpeningObject };
  "tree": { request: TreeRequest; event: TreeObject };
  "picture": { request: PictureRequest; event: PictureObject };
  "explore": { request: ExploreRequest; event: Branches };
  "games": { request: GamesRequest; event: GamesEvent };
}

export type CallName = keyof Calls;
