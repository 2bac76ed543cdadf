//! The fitted numbers of a pattern evaluator, as they are stored.

use super::{
    layout::{PACKED, PARAMETERS, mobility_parameter, packed_parameters},
    network::NetworkWeights,
};

/// Empties at which the full evaluation has weights of its own; between them it is interpolated.
pub const KNOTS: [u8; 14] = [4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56];

/// All weights of a pattern evaluator, in units of 1/128 disc.
///
/// Pattern weights of a mirrored pair of configurations are one parameter; see [`super::layout`] for the order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    knots: Vec<Vec<i16>>,
    bias: Vec<i16>,
    light: Vec<i16>,
    light_bias: Vec<i16>,
    network: Option<NetworkWeights>,
    sections: Vec<([u8; 4], Vec<u8>)>,
}

/// Two neighboring knots and how far between them a number of empties lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mix<'a> {
    lower: &'a [i16],
    upper: &'a [i16],
    /// Share of the upper knot, in 1/1024.
    share: i32,
}

impl Mix<'_> {
    /// Returns the interpolated weight, rounded to the nearest unit, halves upwards.
    pub(crate) fn weight(self, parameter: usize) -> i16 {
        self.between(self.lower[parameter], self.upper[parameter])
    }

    /// Returns all of them.
    fn weights(self) -> Vec<i16> {
        let pairs = self.lower.iter().zip(self.upper);
        pairs.map(|(&lower, &upper)| self.between(lower, upper)).collect()
    }

    #[inline]
    fn between(self, lower: i16, upper: i16) -> i16 {
        ((i32::from(lower) * (1024 - self.share) + i32::from(upper) * self.share + 512) >> 10) as i16
    }
}

/// Returns the lower knot's number for a place in half empties, and the share of the next knot in 1/1024.
///
/// Below the first and above the last knot the nearest one counts alone.
pub fn knot_share(knots: &[u8], half_empties: usize) -> (usize, i32) {
    let last = knots.len() - 1;
    let at = |knot: usize| 2 * usize::from(knots[knot]);
    if half_empties <= at(0) {
        return (0, 0);
    }
    if half_empties >= at(last) {
        return (last - 1, 1024);
    }
    let lower = (0..last)
        .rfind(|&knot| at(knot) <= half_empties)
        .expect("the first knot was ruled out");
    let share = 1024 * (half_empties - at(lower)) / (at(lower + 1) - at(lower));
    (lower, share as i32)
}

impl Weights {
    /// Returns weights that are all zero.
    pub fn zero() -> Self {
        Self {
            knots: vec![vec![0; PARAMETERS]; KNOTS.len()],
            bias: vec![0; 65],
            light: vec![0; PACKED],
            light_bias: vec![0; 65],
            network: None,
            sections: Vec::new(),
        }
    }

    /// Returns the pattern and mobility weights of each of [`KNOTS`], [`PARAMETERS`] each.
    pub fn knots(&self) -> &[Vec<i16>] {
        &self.knots
    }

    /// Returns the pattern and mobility weights for change.
    pub fn knots_mut(&mut self) -> &mut [Vec<i16>] {
        &mut self.knots
    }

    /// Returns the constants by number of empties, 0 to 64.
    pub fn bias(&self) -> &[i16] {
        &self.bias
    }

    /// Returns the constants for change.
    pub fn bias_mut(&mut self) -> &mut [i16] {
        &mut self.bias
    }

    /// Returns the pattern weights of the light evaluation, one set for all numbers of empties; those of classes that
    /// it does not use are zero.
    pub fn light(&self) -> &[i16] {
        &self.light
    }

    /// Returns the pattern weights of the light evaluation for change.
    pub fn light_mut(&mut self) -> &mut [i16] {
        &mut self.light
    }

    /// Returns the constants of the light evaluation by number of empties, 0 to 64.
    pub fn light_bias(&self) -> &[i16] {
        &self.light_bias
    }

    /// Returns the constants of the light evaluation for change.
    pub fn light_bias_mut(&mut self) -> &mut [i16] {
        &mut self.light_bias
    }

    /// Returns the network, if there is one.
    pub const fn network(&self) -> Option<&NetworkWeights> {
        self.network.as_ref()
    }

    /// Sets the network, or takes it away.
    pub fn set_network(&mut self, network: Option<NetworkWeights>) {
        self.network = network;
    }

    /// Returns the content of a further section of the file (such as ProbCut parameters), if it is there.
    pub fn section(&self, tag: [u8; 4]) -> Option<&[u8]> {
        self.sections
            .iter()
            .find(|section| section.0 == tag)
            .map(|section| section.1.as_slice())
    }

    /// Sets the content of a further section of the file.
    pub fn set_section(&mut self, tag: [u8; 4], content: Vec<u8>) {
        self.sections.retain(|section| section.0 != tag);
        self.sections.push((tag, content));
        self.sections.sort();
    }

    pub(crate) fn sections(&self) -> &[([u8; 4], Vec<u8>)] {
        &self.sections
    }

    /// Returns the weights that the numbers of empties `2 · set` and `2 · set + 1` share, interpolated between the knots:
    /// patterns by full number, then mobility pairs (`own << 5 | opponent's`, both up to 31).
    pub fn expanded(&self, set: usize) -> (Vec<i16>, Vec<i16>) {
        // The center of the two numbers of empties, in half empties.
        let mixed = self.mix(4 * set + 1).weights();
        let patterns = packed_parameters()
            .iter()
            .map(|&parameter| mixed[parameter as usize]);
        let pair = |pair: u32| mixed[mobility_parameter(pair >> 5, pair & 31)];
        (patterns.collect(), (0..1024).map(pair).collect())
    }

    pub(crate) fn mix(&self, half_empties: usize) -> Mix<'_> {
        let (lower, share) = knot_share(&KNOTS, half_empties);
        Mix {
            lower: &self.knots[lower],
            upper: &self.knots[lower + 1],
            share,
        }
    }
}
