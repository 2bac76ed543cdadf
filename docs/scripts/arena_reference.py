#!/usr/bin/env python3
"""Computes the reference values of crates/arena/src/stats/tests.rs, independently of the Rust code.

Needs NumPy and SciPy. Run it and compare: the constants in the tests are its output.
"""

import numpy as np
from scipy import optimize, special, stats

SCORES = np.array([0, 0.25, 0.5, 0.75, 1.0])


def elo(p):
    return -400 * np.log10(1 / p - 1)


def summary(counts, wins, draws, losses):
    """Elo with a 95 % interval and LOS: Wilson with the effective number of games, from raw pair samples."""
    samples = np.repeat(SCORES, counts)
    n = len(samples)
    p = samples.mean()
    assert abs(p - (wins + draws / 2) / (wins + draws + losses)) < 1e-12
    sem2 = stats.sem(samples) ** 2
    effective = p * (1 - p) / sem2
    z = stats.t.ppf(0.975, n - 1)
    # Wilson: the two roots q of (p - q)^2 = z^2 q (1 - q) / n.
    low, high = sorted(np.roots([1 + z * z / effective, -(2 * p + z * z / effective), p * p]).real)
    return elo(p), elo(low), elo(high), stats.norm.cdf((p - 0.5) / np.sqrt(sem2))


def llr(counts, elo0, elo1):
    """Generalized SPRT by direct constrained maximization of the likelihood, in the variables log p."""
    counts = np.maximum(np.array(counts, float), 1e-3)

    def best(score):
        target = lambda x: -(counts * (x - special.logsumexp(x))).sum()
        mean = lambda x: (np.exp(x - special.logsumexp(x)) * SCORES).sum() - score
        start = np.log(counts / counts.sum())
        found = optimize.minimize(target, start, method="trust-constr",
                                  constraints=optimize.NonlinearConstraint(mean, 0, 0),
                                  options={"gtol": 1e-12, "xtol": 1e-14, "maxiter": 20000})
        return -found.fun

    score = lambda e: 1 / (1 + 10 ** (-e / 400))
    return best(score(elo1)) - best(score(elo0))


def bradley_terry(points, games, prior=1.0):
    """Ratings and half widths at 95 % from a numerical optimum and a numerical Hessian."""
    n = len(points)
    def loss(r):
        total = 0.0
        for i in range(n):
            total -= prior * 0.5 * (np.log(special.expit(r[i])) + np.log(special.expit(-r[i])))
            for j in range(n):
                total -= points[i][j] * np.log(special.expit(r[i] - r[j]))
        return total
    r = optimize.minimize(loss, np.zeros(n), method="BFGS", options={"gtol": 1e-10}).x
    h = 1e-4
    hessian = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            e = lambda a, b: loss(r + a * h * np.eye(n)[i] + b * h * np.eye(n)[j])
            hessian[i, j] = (e(1, 1) - e(1, -1) - e(-1, 1) + e(-1, -1)) / (4 * h * h)
    scale = 400 / np.log(10)
    contrast = np.eye(n) - 1.0 / n  # a rating is relative to the average player
    covariance = contrast @ np.linalg.inv(hessian) @ contrast.T
    error = stats.norm.ppf(0.975) * np.sqrt(np.diag(covariance)) * scale
    return (r - r.mean()) * scale, error


if __name__ == "__main__":
    print("normal cdf", [(x, float(stats.norm.cdf(x))) for x in (-5, -2.9, -1, 0.5, 1.96, 3.5)])
    print("normal quantile", [(p, float(stats.norm.ppf(p))) for p in (0.001, 0.025, 0.9, 0.975)])
    print("student quantile", [(p, v, float(stats.t.ppf(p, v))) for p, v in
                               ((0.975, 1), (0.975, 2), (0.975, 9), (0.95, 30), (0.975, 499))])
    for counts, wdl in (([5, 20, 50, 40, 10], (90, 100, 60)), ([1, 0, 3, 2, 4], (13, 2, 5)),
                        ([40, 120, 300, 150, 60], (600, 210, 530))):
        # Draws are chosen so that the totals agree with the pair counts.
        total = sum(counts) * 2
        points = sum(c * k for c, k in zip(counts, (0, .5, 1, 1.5, 2)))
        draws = wdl[1]
        wins = points - draws / 2
        print("match", counts, (wins, draws, total - wins - draws),
              [float(x) for x in summary(counts, wins, draws, total - wins - draws)])
    for counts, e0, e1 in (([172, 7208, 15985, 7577, 178], 0, 2), ([10, 50, 100, 60, 20], 0, 10),
                           ([0, 0, 3, 1, 2], 0, 20), ([40, 100, 200, 90, 30], -5, 5)):
        print("llr", counts, e0, e1, float(llr(counts, e0, e1)))
    points = [[0, 7.5, 9, 10], [2.5, 0, 6, 9.5], [1, 4, 0, 8], [0, 0.5, 2, 0]]
    games = [[0, 10, 10, 10], [10, 0, 10, 10], [10, 10, 0, 10], [10, 10, 10, 0]]
    r, e = bradley_terry(points, games)
    print("ratings", [float(x) for x in r], [float(x) for x in e])
