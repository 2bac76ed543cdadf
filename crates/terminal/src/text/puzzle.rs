//! A puzzle, drawn and in words.

use super::board::board;
use outflank_study::puzzle::Puzzle;

/// Returns the board and what is asked; with `solution` all values and how the game goes on.
pub fn describe(puzzle: &Puzzle, solution: bool, color: bool) -> String {
    let mut lines = vec![
        board(&puzzle.position, None, color),
        format!(
            "{} to move, {} empties; {}, {}",
            puzzle.side(),
            puzzle.empties(),
            puzzle.id(),
            puzzle.source
        ),
    ];
    if solution {
        let moves: Vec<String> = puzzle
            .moves
            .iter()
            .map(|known| format!("{} {:+}", known.square, known.value.get()))
            .collect();
        let steps: Vec<String> = puzzle
            .line
            .iter()
            .map(|step| format!("{}{}", step.mv, if step.only { "!" } else { "" }))
            .collect();
        let [beginner, club, expert] = puzzle.difficulty.wrong;
        lines.push(format!("moves: {}", moves.join(", ")));
        lines.push(format!("line: {}", steps.join(" ")));
        lines.push(format!(
            "wrong: {beginner} % of beginners, {club} % of club players, {expert} % of experts"
        ));
        if !puzzle.themes.is_empty() {
            let themes: Vec<&str> = puzzle.themes.iter().map(|theme| theme.name()).collect();
            lines.push(format!("themes: {}", themes.join(", ")));
        }
    }
    lines.join("\n")
}
