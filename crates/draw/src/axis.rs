//! Axes: from values to places, and round values to write beside them.

/// How an axis runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    #[default]
    Linear,
    /// By powers of ten; values must be positive.
    Log,
}

/// One axis: maps values to 0..1.
pub(super) struct Axis {
    scale: Scale,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Axis {
    pub(super) fn new(scale: Scale, values: impl Iterator<Item = f64>) -> Self {
        let map = |value: f64| {
            if scale == Scale::Log {
                value.max(1e-9).log10()
            } else {
                value
            }
        };
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite()).map(map) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        let room = ((high - low) * 0.05).max(if high - low < 1e-9 { 0.5 } else { 0.0 });
        Self {
            scale,
            low: low - room,
            high: high + room,
        }
    }

    /// Returns where on the axis a value lies, 0 to 1.
    pub(super) fn at(&self, value: f64) -> f64 {
        let value = if self.scale == Scale::Log {
            value.max(1e-9).log10()
        } else {
            value
        };
        (value - self.low) / (self.high - self.low)
    }

    /// Returns round values within the axis, with their texts.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let span = self.high - self.low;
        if self.scale == Scale::Log && span > 0.5 && span < 2.0 {
            let powers = self.low.floor() as i32..=self.high.ceil() as i32;
            return powers
                .flat_map(|power| [1.0, 2.0, 5.0].map(|m| m * 10_f64.powi(power)))
                .filter(|value| (self.low..=self.high).contains(&value.log10()))
                .map(|value| (value, short(value)))
                .collect();
        }
        if self.scale == Scale::Log && span >= 2.0 {
            let step = (span / 6.0).ceil().max(1.0) as usize;
            let powers = (self.low.ceil() as i32..=self.high.floor() as i32).step_by(step);
            return powers
                .map(|power| (10_f64.powi(power), short(10_f64.powi(power))))
                .collect();
        }
        let (low, high) = match self.scale {
            Scale::Linear => (self.low, self.high),
            Scale::Log => (10_f64.powf(self.low), 10_f64.powf(self.high)),
        };
        let rough = ((high - low) / 5.0).max(f64::MIN_POSITIVE);
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|m| m * power)
            .into_iter()
            .find(|&step| step >= rough)
            .unwrap_or(rough);
        let first = (low / step).ceil() as i64;
        (first..first + 12)
            .map(|i| i as f64 * step)
            .take_while(|&value| value <= high + 1e-12)
            .map(|value| (value, short(value)))
            .collect()
    }
}

/// Returns a number in few characters: `0.25`, `12`, `3k`, `2M`.
pub(super) fn short(value: f64) -> String {
    let trimmed = |value: f64| {
        let text = format!("{value:.2}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    match value.abs() {
        v if v >= 1e9 => format!("{}G", trimmed(value / 1e9)),
        v if v >= 1e6 => format!("{}M", trimmed(value / 1e6)),
        v if v >= 1e4 => format!("{}k", trimmed(value / 1e3)),
        v if !(1e-12..0.01).contains(&v) => trimmed(value),
        _ => format!("{value:.0e}"),
    }
}
