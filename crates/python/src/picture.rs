//! Pictures for notebooks: what is drawn beside a position, as Python gives it.

use outflank_api::{
    analyze::LineObject,
    picture::{Look, of_othello},
    wire::{Kind, Number},
};
use outflank_othello::Game;
use pyo3::{exceptions::PyValueError, prelude::*, types::PyMapping};

/// Returns what is to be drawn.
pub(crate) fn look(
    values: Option<&Bound<'_, PyAny>>,
    arrows: Vec<String>,
    marks: Vec<String>,
    caption: Option<String>,
) -> PyResult<Look> {
    let values = values.map(lines).transpose()?.unwrap_or_default();
    Ok(Look {
        values,
        arrows,
        marks,
        caption,
        ..Look::default()
    })
}

/// Returns the values of moves: of an outcome its lines, of a mapping what it gives to each move.
fn lines(values: &Bound<'_, PyAny>) -> PyResult<Vec<LineObject>> {
    if let Ok(lines) = values.getattr("lines") {
        let line = |line: Bound<'_, PyAny>| line_of(&line.getattr("move")?, &line.getattr("value")?);
        return lines.try_iter()?.map(|object| line(object?)).collect();
    }
    let items = values.cast::<PyMapping>()?.items()?;
    items
        .try_iter()?
        .map(|item| {
            let (mv, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item?.extract()?;
            line_of(&mv, &value)
        })
        .collect()
}

/// Returns one value; a bare number is an estimate, since nothing says that it is more.
fn line_of(mv: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<LineObject> {
    let discs: f64 = value.call_method0("__float__")?.extract()?;
    let kind = match value.getattr_opt("kind")? {
        Some(kind) => kind.str()?.to_string(),
        None => "estimate".to_owned(),
    };
    let kind = match kind.as_str() {
        "exact" => Kind::Exact,
        "wld" => Kind::Wld,
        "bounds" => Kind::Bounds,
        "book" => Kind::Book,
        "aborted" => Kind::Aborted,
        _ => Kind::Estimate,
    };
    let value_of = |name: &str| value.getattr_opt(name);
    let mv = if mv.is_none() {
        None
    } else {
        Some(mv.extract::<crate::moves::MoveLike>()?.0.to_string())
    };
    Ok(LineObject {
        mv,
        value: match kind {
            Kind::Exact | Kind::Wld | Kind::Bounds => Number::Whole(discs.round() as i64),
            _ => Number::hundredths(discs),
        },
        kind,
        depth: value_of("depth")?.map_or(Ok(0), |depth| depth.extract())?,
        confidence: value_of("confidence")?.map_or(Ok(None), |confidence| confidence.extract())?,
        pv: Vec::new(),
        stones: None,
        units: None,
    })
}

/// Draws the position at the end of `game`, `size` pixels wide.
pub(crate) fn draw(game: &Game, look: &Look, size: u32) -> PyResult<String> {
    let picture = of_othello(game, look).map_err(|error| PyValueError::new_err(error.to_string()))?;
    // The picture itself fits any place; a notebook would give it the whole width.
    Ok(picture
        .svg
        .replacen("<svg ", &format!("<svg width=\"{size}\" "), 1))
}
