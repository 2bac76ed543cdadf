//! The normal and Student distributions, to the precision that error bars need.
//!
//! The functions are written from their definitions (series and bisection): they run once per report, never in a loop
//! that matters.

/// Returns the probability that a standard normal variable is at most `x`.
///
/// Absolute error below 1e-12.
pub fn normal_cdf(x: f64) -> f64 {
    if x.is_nan() {
        return f64::NAN;
    }
    if x < -38.0 {
        return 0.0;
    }
    if x > 38.0 {
        return 1.0;
    }
    if x.abs() < 3.0 {
        // Φ(x) = ½ + φ(x)·(x + x³/3 + x⁵/15 + …): all terms of one sign, no cancellation.
        let mut term = x;
        let mut sum = x;
        let mut n = 1.0;
        while term.abs() > 1e-17 * sum.abs().max(1e-300) {
            n += 2.0;
            term *= x * x / n;
            sum += term;
        }
        0.5 + normal_density(x) * sum
    } else {
        // The tail's continued fraction φ(x)/(x + 1/(x + 2/(x + …))), from the far end.
        let a = x.abs();
        let mut fraction = a;
        for k in (1..=80).rev() {
            fraction = a + f64::from(k) / fraction;
        }
        let tail = normal_density(a) / fraction;
        if x < 0.0 { tail } else { 1.0 - tail }
    }
}

fn normal_density(x: f64) -> f64 {
    (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

/// Returns the `x` with `normal_cdf(x) == p`; infinite at 0 and 1, not a number outside.
pub fn normal_quantile(p: f64) -> f64 {
    quantile(p, normal_cdf)
}

/// Returns the `p`-quantile of Student's distribution with `freedom` degrees of freedom (at least 1).
pub fn student_quantile(p: f64, freedom: u64) -> f64 {
    quantile(p, |x| student_cdf(x, freedom.max(1)))
}

/// Probability that a Student variable is at most `x`: a finite series in the angle θ = atan(x/√ν).
///
/// Source: M. Abramowitz and I. Stegun, Handbook of mathematical functions, 26.7.3 and 26.7.4.
fn student_cdf(x: f64, freedom: u64) -> f64 {
    let angle = (x / (freedom as f64).sqrt()).atan();
    let (sin, cos) = angle.sin_cos();
    // Terms ½·¾·⅚…cosᵏ for even freedom, ⅔·⅘…cosᵏ for odd, up to cos^(ν−2).
    let mut k = freedom % 2;
    let mut term = if k == 0 { 1.0 } else { cos };
    let mut sum = 0.0;
    while k + 2 <= freedom && term > 1e-18 {
        sum += term;
        k += 2;
        term *= cos * cos * (k - 1) as f64 / k as f64;
    }
    let two_sided = if freedom.is_multiple_of(2) {
        sin * sum
    } else {
        std::f64::consts::FRAC_2_PI * (angle + sin * sum)
    };
    0.5 + 0.5 * two_sided
}

fn quantile(p: f64, cdf: impl Fn(f64) -> f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if p >= 1.0 {
        return f64::INFINITY;
    }
    let (mut low, mut high) = (-1.0, 1.0);
    while cdf(low) > p && low > -1e9 {
        low *= 2.0;
    }
    while cdf(high) < p && high < 1e9 {
        high *= 2.0;
    }
    for _ in 0..90 {
        let middle = 0.5 * (low + high);
        if cdf(middle) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}
