//! Reference values are the output of `docs/scripts/arena_reference.py` unless another source is named.

use super::*;
use outflank_game::SplitMix64;

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance,
        "found {found}, expected {expected}"
    );
}

#[test]
fn distributions_agree_with_scipy() {
    for (x, p) in [
        (-5.0, 2.866515718791933e-07),
        (-2.9, 0.0018658133003840375),
        (-1.0, 0.15865525393145707),
        (0.5, 0.6914624612740131),
        (1.96, 0.9750021048517795),
        (3.5, 0.9997673709209645),
    ] {
        close(normal_cdf(x), p, 1e-12);
    }
    for (p, x) in [
        (0.001, -3.090232306167813),
        (0.025, -1.9599639845400545),
        (0.9, 1.2815515655446004),
        (0.975, 1.959963984540054),
    ] {
        close(normal_quantile(p), x, 1e-9);
    }
    for (p, freedom, x) in [
        (0.975, 1, 12.706204736174694),
        (0.975, 2, 4.302652729749462),
        (0.975, 9, 2.262157162798205),
        (0.95, 30, 1.697260886593957),
        (0.975, 499, 1.9647293909876886),
    ] {
        close(student_quantile(p, freedom), x, 1e-6);
    }
    assert!(normal_quantile(0.0) < f64::MIN);
    assert!(normal_quantile(1.5).is_nan() && normal_cdf(f64::NAN).is_nan());
}

/// Newcombe, Two-sided confidence intervals for the single proportion (1998), method 3, published to four digits.
#[test]
fn wilson_agrees_with_newcombe() {
    let z = normal_quantile(0.975);
    for (r, n, low, high) in [
        (81.0, 263.0, 0.2553, 0.3662),
        (15.0, 148.0, 0.0624, 0.1605),
        (0.0, 20.0, 0.0, 0.1611),
        (1.0, 29.0, 0.0061, 0.1718),
    ] {
        let found = elo::wilson(r / n, n, z);
        close(found.0, low, 6e-5);
        close(found.1, high, 6e-5);
    }
}

fn tally(pairs: [u64; 5], wins: u64, draws: u64, losses: u64) -> Tally {
    Tally {
        wins,
        draws,
        losses,
        pairs: PairCounts(pairs),
        ..Tally::default()
    }
}

#[test]
fn elo_and_los_agree_with_scipy() {
    for (counts, (wins, draws, losses), [elo, low, high, los]) in [
        (
            [5, 20, 50, 40, 10],
            (90, 100, 60),
            [
                41.89414020800522,
                12.169958402864653,
                71.61832201314586,
                0.9975485268375692,
            ],
        ),
        (
            [1, 0, 3, 2, 4],
            (13, 2, 5),
            [
                147.19071411783776,
                -38.60016501390839,
                332.98159324958397,
                0.9726680320541624,
            ],
        ),
        (
            [40, 120, 300, 150, 60],
            (600, 210, 530),
            [
                18.166156679769244,
                5.017979646702102,
                31.314333712836294,
                0.9967080354998679,
            ],
        ),
    ] {
        let tally = tally(counts, wins, draws, losses);
        let estimate = tally.elo(0.95);
        close(estimate.elo, elo, 1e-8);
        close(estimate.low, low, 1e-4);
        close(estimate.high, high, 1e-4);
        close(tally.los(), los, 1e-10);
    }
}

#[test]
fn one_sided_matches_have_open_intervals() {
    let all_won = tally([0, 0, 0, 0, 10], 20, 0, 0).elo(0.95);
    assert_eq!((all_won.elo, all_won.high), (f64::INFINITY, f64::INFINITY));
    // Wilson at 20 of 20 with Student's z for 9 degrees of freedom: low = 1/(1 + z²/20).
    close(
        all_won.low,
        elo_of_score(1.0 / (1.0 + 2.262157162798205f64.powi(2) / 20.0)),
        1e-5,
    );
    let nothing = Tally::default().elo(0.95);
    assert_eq!(
        (nothing.elo, nothing.low, nothing.high),
        (0.0, f64::NEG_INFINITY, f64::INFINITY)
    );
    close(Tally::default().los(), 0.5, 0.0);
}

#[test]
fn tallies_count_games_pairs_and_discs() {
    let mut tally = Tally::default();
    for (first, second) in [(10, -2), (0, 4), (-6, 0)] {
        tally.add_game(first);
        tally.add_game(second);
        tally.add_pair(first, second);
    }
    assert_eq!(
        (tally.wins, tally.draws, tally.losses, tally.margins),
        (2, 2, 2, 6)
    );
    assert_eq!(tally.pairs.0, [0, 1, 1, 1, 0]);
    close(tally.mean_margin(), 1.0, 1e-15);
    // Margins 10 −2 0 4 −6 0: variance 30, error √(30/6).
    close(tally.margin_error().expect("six games"), 5f64.sqrt(), 1e-12);
}

#[test]
fn sprt_agrees_with_constrained_maximization() {
    for (counts, elo0, elo1, llr) in [
        ([172, 7208, 15985, 7577, 178], 0.0, 2.0, 4.468724442376697),
        ([10, 50, 100, 60, 20], 0.0, 10.0, 1.4026131322558513),
        ([0, 0, 3, 1, 2], 0.0, 20.0, 0.33528357595245417),
        ([40, 100, 200, 90, 30], -5.0, 5.0, -1.6905293078677914),
    ] {
        let sprt = Sprt::new(elo0, elo1, 0.05, 0.05).expect("valid");
        close(sprt.llr(&PairCounts(counts)), llr, 2e-5);
    }
    let sprt = Sprt::new(0.0, 5.0, 0.05, 0.1).expect("valid");
    close(sprt.bounds().0, (0.1f64 / 0.95).ln(), 1e-15);
    close(sprt.bounds().1, 18f64.ln(), 1e-12);
    assert_eq!(sprt.decision(&PairCounts::default()), Decision::Continue);
    assert!(Sprt::new(5.0, 0.0, 0.05, 0.05).is_err() && Sprt::new(0.0, 5.0, 0.0, 0.05).is_err());
}

/// Plays one pair: both games have the expected score of `elo`, shifted by an opening that favors one color, and a
/// tenth of the games are drawn.
fn pair(rng: &mut SplitMix64, elo: f64) -> usize {
    let favor = [0.0, 60.0, 150.0][rng.below(3)];
    let mut half_points = 0;
    for shift in [favor, -favor] {
        let score = score_of_elo(elo + shift);
        let draw = 0.2 * score.min(1.0 - score);
        let u = rng.unit();
        half_points += if u < score - draw / 2.0 {
            2
        } else {
            usize::from(u < score + draw / 2.0)
        };
    }
    half_points
}

/// The Elo difference whose expected score is the mean over the openings of [`pair`].
fn effective_elo(elo: f64) -> f64 {
    let mean = [0.0, 60.0, 150.0]
        .iter()
        .map(|favor| 0.5 * (score_of_elo(elo + favor) + score_of_elo(elo - favor)))
        .sum::<f64>()
        / 3.0;
    elo_of_score(mean)
}

fn accepted_h1(sprt: &Sprt, elo: f64, matches: u64, seed: u64) -> u64 {
    let mut accepted = 0;
    for number in 0..matches {
        let mut rng = SplitMix64::new((seed + number).wrapping_mul(0x9FB2_1C65_1E98_DF25));
        let mut counts = PairCounts::default();
        loop {
            counts.add(pair(&mut rng, elo));
            match sprt.decision(&counts) {
                Decision::Continue => {}
                Decision::AcceptH0 => break,
                Decision::AcceptH1 => {
                    accepted += 1;
                    break;
                }
            }
        }
    }
    accepted
}

/// 2,000 simulated matches for each hypothesis: both error rates stay within the promised 5 %, three standard
/// deviations of 2,000 trials allowed (5 % + 3·0.49 %).
#[test]
fn sprt_keeps_its_promises() {
    let (h0, h1) = (0.0, 60.0);
    let sprt = Sprt::new(effective_elo(h0), effective_elo(h1), 0.05, 0.05).expect("valid");
    let false_positives = accepted_h1(&sprt, h0, 2000, 1);
    let false_negatives = 2000 - accepted_h1(&sprt, h1, 2000, 1_000_000);
    eprintln!("of 2000 matches each: {false_positives} false positives, {false_negatives} false negatives");
    assert!(false_positives <= 129 && false_negatives <= 129);
    // And it is not uselessly careful either.
    assert!(false_positives >= 40 && false_negatives >= 40);
}

/// A player against itself in small matches of 20 pairs: the 95 % interval covers 0 nearly always.
#[test]
fn intervals_cover_the_truth() {
    for (elo, seed) in [(0.0, 5), (100.0, 6), (300.0, 7)] {
        let mut rng = SplitMix64::new(seed);
        let truth = effective_elo(elo);
        let mut covered = 0;
        for _ in 0..1000 {
            let mut tally = Tally::default();
            for _ in 0..20 {
                let half_points = pair(&mut rng, elo);
                let (first, second) = [(-2, -2), (-2, 0), (0, 0), (2, 0), (2, 2)][half_points];
                tally.add_game(first);
                tally.add_game(second);
                tally.pairs.add(half_points);
            }
            let estimate = tally.elo(0.95);
            covered += u32::from(estimate.low <= truth && truth <= estimate.high);
        }
        eprintln!("{elo} Elo: {covered} of 1000 intervals cover it");
        assert!((930..=985).contains(&covered), "{covered} at {elo}");
    }
}

#[test]
fn ratings_agree_with_scipy() {
    let mut results = Results::new(4);
    for (i, j, points) in [
        (0, 1, 7.5),
        (0, 2, 9.0),
        (0, 3, 10.0),
        (1, 2, 6.0),
        (1, 3, 9.5),
        (2, 3, 8.0),
    ] {
        results.add(i, j, points, 10.0);
    }
    let found = ratings(&results, 0.95).expect("finite");
    for (rating, (elo, plus_minus)) in found.iter().zip(REFERENCE_RATINGS) {
        close(rating.elo, elo, 2e-3);
        close(rating.plus_minus, plus_minus, 2e-2);
    }
    results.add(0, 1, f64::NAN, 1.0);
    assert_eq!(ratings(&results, 0.95), Err(RatingError::Diverged));
}

const REFERENCE_RATINGS: [(f64, f64); 4] = [
    (289.04553180175486, 147.25774032948377),
    (73.67049590913948, 117.14446234816043),
    (-40.57814402295757, 116.50099695985371),
    (-322.1378836879368, 162.25266450729316),
];
