//! Pictures of pixels.

use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{self, fontdb},
};
use std::sync::Arc;
use thiserror::Error;

/// Why there is no picture of pixels.
#[derive(Debug, Error)]
pub enum PngError {
    /// The text is no SVG.
    #[error("no SVG: {0}")]
    Svg(#[from] usvg::Error),
    /// It has no size, or one that no memory has room for.
    #[error("{0} pixels are no width that a picture can have: 1 to {MOST_WIDTH}")]
    Width(u32),
    /// The file could not be put together.
    #[error("cannot write PNG: {0}")]
    Encode(String),
}

/// Most pixels of an edge: 400 megabytes of memory.
const MOST_WIDTH: u32 = 10_000;

/// Returns `svg` as a PNG file, `width` pixels wide.
///
/// Letters are those of `DejaVu Sans`, which is inside the program, so that the picture is the same everywhere; the fonts of
/// the system are asked only for letters that it lacks.
///
/// # Errors
///
/// The text is no SVG, or the picture has no such width.
pub fn png(svg: &str, width: u32) -> Result<Vec<u8>, PngError> {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.load_font_data(dejavu::sans::bold().to_vec());
    // Chinese, Japanese and Korean letters begin here; looking for the system's fonts takes a while.
    if svg.chars().any(|letter| letter >= '\u{2e80}') {
        fonts.load_system_fonts();
    }
    fonts.set_sans_serif_family("DejaVu Sans");
    let options = usvg::Options {
        fontdb: Arc::new(fonts),
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(svg, &options)?;
    let size = tree.size();
    let height = (f64::from(width) * f64::from(size.height()) / f64::from(size.width())).round();
    if width == 0 || width > MOST_WIDTH || height > f64::from(MOST_WIDTH) {
        return Err(PngError::Width(width));
    }
    let mut pixels = Pixmap::new(width, (height as u32).max(1)).ok_or(PngError::Width(width))?;
    let scale = width as f32 / size.width();
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels
        .encode_png()
        .map_err(|error| PngError::Encode(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Letters, Paint, Svg};

    fn picture(text: &str) -> String {
        let mut svg = Svg::untitled(20.0, 10.0, "a test");
        svg.rectangle([0.0, 0.0], [10.0, 10.0], Paint::fill("#ff0000"));
        svg.label(
            [15.0, 5.0],
            Letters {
                size: 6.0,
                color: "black",
                is_bold: false,
            },
            text,
        );
        svg.finish()
    }

    #[test]
    fn shapes_and_letters_become_pixels() {
        let file = png(&picture("M"), 200).expect("a picture");
        let pixels = Pixmap::decode_png(&file).expect("PNG");
        assert_eq!((pixels.width(), pixels.height()), (200, 100));
        let at = |x, y| {
            let pixel = pixels.pixel(x, y).expect("inside");
            (pixel.red(), pixel.green(), pixel.blue())
        };
        assert_eq!(at(50, 50), (255, 0, 0));
        assert_eq!(at(198, 2), (255, 255, 255));
        let dark = |file: &[u8]| {
            let pixels = Pixmap::decode_png(file).expect("PNG");
            let dark = pixels
                .pixels()
                .iter()
                .filter(|pixel| pixel.red() < 64 && pixel.alpha() == 255);
            dark.count()
        };
        assert!(dark(&file) > 100, "no letter is there");
        assert_eq!(dark(&png(&picture(""), 200).expect("a picture")), 0);
        assert_eq!(file, png(&picture("M"), 200).expect("the same again"));
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        assert!(matches!(png("", 100), Err(PngError::Svg(_))));
        assert!(matches!(png("<html/>", 100), Err(PngError::Svg(_))));
        assert!(matches!(png(&picture("M"), 0), Err(PngError::Width(0))));
        assert!(matches!(png(&picture("M"), u32::MAX), Err(PngError::Width(_))));
    }
}
