//! Gomoku in words: positions, values, wins with their proof.

use outflank_api::{analyze::ForcedWin, show::BoardObject, solve::WinObject};
use outflank_gomoku::{Board, Point};
use outflank_gomoku_engine::{Line, Proof, Value};

/// Returns the board, who is to move, the fives and fours at hand, and Renju's forbidden points; or how it ended.
pub fn position(board: &Board) -> String {
    let object = BoardObject::new(board);
    if let Some(result) = &object.result {
        return format!("{board}\n{}: the game is over, result: {result}", object.rule);
    }
    let mut lines = vec![
        board.to_string(),
        format!("{}, {} to move", object.rule, board.side()),
    ];
    for (name, points) in [
        ("five at", object.fives),
        ("must block", object.opponent_fives),
        ("open four at", object.open_fours),
        ("forbidden for black", object.forbidden),
    ] {
        if !points.is_empty() {
            lines.push(format!("{name}: {}", points.join(" ")));
        }
    }
    lines.join("\n")
}

/// Returns moves as text.
pub(crate) fn points(moves: &[Point]) -> String {
    moves.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
}

/// Returns a value for people: the chance to win in percent, or `+M7` for a win within 7 stones.
pub(crate) fn value(value: Value) -> String {
    match value {
        Value::Estimate(_) => format!("{:.1} %", value.win_probability() * 100.0),
        proven => proven.to_string(),
    }
}

/// Returns a line of play with the chance to win and the value in the engine's unit, or `+M7` for a win within 7 stones.
pub fn line(line: &Line) -> String {
    let chance = line.value.win_probability() * 100.0;
    let value = match line.value {
        Value::Estimate(units) => format!("{units:+}"),
        proven => proven.to_string(),
    };
    format!("{chance:>5.1} %  {value:>5}  {}", points(&line.moves))
}

/// Returns what is proved of the best line of an analysis, and what the other side threatens; nothing where neither is.
pub fn certain(board: &Board, best: &Line, proof: Option<&Proof>, threat: Option<&ForcedWin>) -> Vec<String> {
    let side = board.side();
    let mut lines = Vec::new();
    match (best.value, proof) {
        (Value::Win(_), Some(proof)) => {
            let win = ForcedWin::new(proof);
            lines.push(format!("proved: {side} wins {}", forced_win(&win)));
            lines.push(format!(
                "  a proof of {} moves, checked against every answer",
                win.proof_moves
            ));
        }
        (Value::Win(stones), None) => {
            lines.push(format!(
                "proved by the search: {side} wins within {stones} stones"
            ));
        }
        (Value::Loss(stones), _) => {
            lines.push(format!(
                "proved by the search: {side} loses within {stones} stones"
            ));
        }
        (Value::Estimate(_), _) => {}
    }
    if let Some(win) = threat {
        lines.push(format!("{} threatens a win {}", !side, forced_win(win)));
    }
    lines
}

/// Returns how many stones a win takes, and its line.
pub(crate) fn forced_win(win: &ForcedWin) -> String {
    let line = win.line.join(" ");
    match win.stones {
        1 => format!("with 1 stone: {line}"),
        stones => format!("within {stones} stones: {line}"),
    }
}

/// Returns what was found of a win for the side to move on `board`.
pub fn win(board: &Board, win: &WinObject) -> String {
    let (kind, nodes, seconds) = (win.kind.name(), win.nodes, win.seconds);
    if !win.verified {
        return format!("{kind}: {nodes} nodes, {seconds:.3} s");
    }
    format!(
        "{kind}: {} wins with at most {} stones, {} moves in the proof, verified; {nodes} nodes, {seconds:.3} s\n{}",
        board.side(),
        win.depth,
        win.proof_moves,
        win.line.join(" ")
    )
}

/// Returns the moves of a proof, answers indented below their move.
pub fn tree(proof: &Proof) -> String {
    let mut lines = Vec::new();
    branch(proof, 0, &mut lines);
    lines.join("\n")
}

fn branch(proof: &Proof, level: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(level);
    let rest = if proof.line.is_empty() {
        "five".to_owned()
    } else {
        format!("else {}", points(&proof.line))
    };
    lines.push(format!("{indent}{} ({rest})", proof.mv));
    for (answer, next) in &proof.replies {
        lines.push(format!("{indent} {answer}:"));
        branch(next, level + 1, lines);
    }
}
