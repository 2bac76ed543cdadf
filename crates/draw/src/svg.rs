//! The sheet: what an SVG file is made of, with every text escaped in one place.

use std::fmt::Write as _;

/// Where a text lies beside its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// To the right of it.
    Start,
    /// Around it.
    Middle,
    /// To the left of it.
    End,
}

/// The color inside a shape and that of its line, as CSS names them; `none` for no color.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paint<'a> {
    fill: &'a str,
    stroke: &'a str,
    width: f64,
    opacity: f64,
    is_dashed: bool,
}

impl<'a> Paint<'a> {
    /// Returns a shape without a line.
    pub const fn fill(color: &'a str) -> Self {
        Self {
            fill: color,
            ..Self::line("none", 1.0)
        }
    }

    /// Returns a line, `width` units thick, around nothing.
    pub const fn line(color: &'a str, width: f64) -> Self {
        Self {
            fill: "none",
            stroke: color,
            width,
            opacity: 1.0,
            is_dashed: false,
        }
    }

    /// Returns the same with a line around it.
    #[must_use]
    pub const fn edged(self, color: &'a str, width: f64) -> Self {
        Self {
            stroke: color,
            width,
            ..self
        }
    }

    /// Returns the same with a dashed line, if `is_dashed`.
    #[must_use]
    pub const fn dashed(self, is_dashed: bool) -> Self {
        Self { is_dashed, ..self }
    }

    /// Returns the same with a line that lets through what lies behind: 1 is opaque, 0 invisible.
    #[must_use]
    pub const fn faint(self, opacity: f64) -> Self {
        Self { opacity, ..self }
    }

    fn attributes(self) -> String {
        let mut text = format!(" fill=\"{}\"", self.fill);
        if self.stroke != "none" {
            // Writing to a string cannot fail, here and below.
            let _ = write!(
                text,
                " stroke=\"{}\" stroke-width=\"{}\"",
                self.stroke, self.width
            );
        }
        if self.opacity < 1.0 {
            let _ = write!(text, " stroke-opacity=\"{}\"", self.opacity);
        }
        if self.is_dashed {
            text.push_str(" stroke-dasharray=\"6 4\"");
        }
        text
    }
}

/// How letters look where the usual ones of the sheet do not serve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Letters<'a> {
    /// Height in units.
    pub size: f64,
    /// Color, as CSS names it.
    pub color: &'a str,
    /// Whether they are bold.
    pub is_bold: bool,
}

/// A white sheet; x runs to the right and y down, in units that a viewer scales as it likes.
#[derive(Clone, Debug)]
pub struct Svg(String);

impl Svg {
    /// Returns a sheet with a title at its top left corner, whose base line is 24 units below the edge.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        let mut svg = Self::untitled(width, height, title);
        svg.add(format_args!(
            "<text x=\"16\" y=\"24\" font-size=\"15\">{}</text>",
            escaped(title)
        ));
        svg
    }

    /// Returns a sheet whose title is told to readers and viewers, but not drawn.
    pub fn untitled(width: f64, height: f64, title: &str) -> Self {
        let title = escaped(title);
        Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<title>{title}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
        ))
    }

    /// Draws a line through points.
    pub fn line(&mut self, points: impl IntoIterator<Item = [f64; 2]>, paint: Paint<'_>) {
        let points: Vec<_> = points
            .into_iter()
            .map(|[x, y]| format!("{x:.1},{y:.1}"))
            .collect();
        self.add(format_args!(
            "<polyline points=\"{}\"{}/>",
            points.join(" "),
            paint.attributes()
        ));
    }

    /// Draws a circle.
    pub fn circle(&mut self, [x, y]: [f64; 2], radius: f64, paint: Paint<'_>) {
        self.add(format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"{}/>",
            paint.attributes()
        ));
    }

    /// Draws a rectangle by its upper left corner, width and height.
    pub fn rectangle(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2], paint: Paint<'_>) {
        self.add(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"{}/>",
            paint.attributes()
        ));
    }

    /// Draws a closed shape by its corners.
    pub fn polygon(&mut self, corners: impl IntoIterator<Item = [f64; 2]>, paint: Paint<'_>) {
        let corners: Vec<_> = corners
            .into_iter()
            .map(|[x, y]| format!("{x:.1},{y:.1}"))
            .collect();
        self.add(format_args!(
            "<polygon points=\"{}\"{}/>",
            corners.join(" "),
            paint.attributes()
        ));
    }

    /// Writes a text.
    pub fn text(&mut self, [x, y]: [f64; 2], anchor: Anchor, text: &str) {
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\"{}>{}</text>",
            anchor.attribute(),
            escaped(text)
        ));
    }

    /// Writes a text in letters of its own, its middle at the place.
    pub fn label(&mut self, [x, y]: [f64; 2], letters: Letters<'_>, text: &str) {
        let Letters { size, color, is_bold } = letters;
        // Capitals and digits are about 0.7 of the size high: the base line lies half of that below the middle.
        let base = y + 0.35 * size;
        let weight = if is_bold { " font-weight=\"bold\"" } else { "" };
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{base:.1}\" font-size=\"{size}\" fill=\"{color}\"{weight} text-anchor=\"middle\">{}</text>",
            escaped(text)
        ));
    }

    /// Writes a text upwards, its middle at the place.
    pub fn upward_text(&mut self, [x, y]: [f64; 2], text: &str) {
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 {x:.1} {y:.1})\">{}</text>",
            escaped(text)
        ));
    }

    /// Gives what `draw` adds a tip, which viewers show when the pointer rests on it.
    pub fn with_tip(&mut self, tip: &str, draw: impl FnOnce(&mut Self)) {
        self.add(format_args!("<g><title>{}</title>", escaped(tip)));
        draw(self);
        self.add(format_args!("</g>"));
    }

    /// Returns the file.
    pub fn finish(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }

    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        let _ = self.0.write_fmt(element);
        self.0.push('\n');
    }
}

impl Anchor {
    const fn attribute(self) -> &'static str {
        match self {
            Self::Start => "",
            Self::Middle => " text-anchor=\"middle\"",
            Self::End => " text-anchor=\"end\"",
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_escaped_and_every_tag_closed() {
        let nasty = "a < b & c > d";
        let mut svg = Svg::new(100.0, 50.0, nasty);
        svg.text([1.0, 2.0], Anchor::End, nasty);
        svg.upward_text([1.0, 2.0], nasty);
        svg.label(
            [1.0, 2.0],
            Letters {
                size: 3.0,
                color: "red",
                is_bold: true,
            },
            nasty,
        );
        svg.with_tip(nasty, |svg| svg.circle([3.0, 4.0], 2.0, Paint::fill("red")));
        let file = svg.finish();
        assert_eq!(file.matches("a &lt; b &amp; c &gt; d").count(), 6);
        assert!(!file.contains(nasty));
        for tag in ["svg", "title", "text", "g"] {
            let opened =
                file.matches(&format!("<{tag}>")).count() + file.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, file.matches(&format!("</{tag}>")).count(), "{tag}");
        }
        assert!(file.starts_with("<svg ") && file.ends_with("</svg>\n"));
    }

    #[test]
    fn paint_is_written_where_it_differs_from_nothing() {
        assert_eq!(Paint::fill("red").attributes(), " fill=\"red\"");
        let line = Paint::line("#ddd", 2.0).dashed(true).faint(0.5).attributes();
        assert_eq!(
            line,
            " fill=\"none\" stroke=\"#ddd\" stroke-width=\"2\" stroke-opacity=\"0.5\" stroke-dasharray=\"6 4\""
        );
        assert!(
            Paint::fill("red")
                .edged("black", 1.0)
                .attributes()
                .contains("stroke=\"black\"")
        );
    }
}
