//! Pictures as SVG, without any library: [`Svg`] puts lines, shapes and text on a white sheet, [`Plot`] makes charts of
//! them. With the feature `png` they become files of pixels, by the library `resvg`.
//!
//! ```
//! use outflank_draw::{Plot, Series};
//!
//! let plot = Plot {
//!     title: "Nodes by depth".to_owned(),
//!     series: vec![Series::line("alpha-beta", [(2.0, 1459.0), (4.0, 38_539.0)])],
//!     ..Plot::default()
//! };
//! assert!(plot.to_svg().starts_with("<svg "));
//! ```

mod axis;
mod plot;
#[cfg(feature = "png")]
mod png;
mod svg;

pub use axis::Scale;
pub use plot::{Plot, Series, Shape};
#[cfg(feature = "png")]
pub use png::{PngError, png};
pub use svg::{Anchor, Letters, Paint, Svg};
