"""Independent values for the procedures of io.slicewise.stats.

    python3 -m venv venv && venv/bin/pip install scipy==1.17.1 statsmodels==0.15.0
    venv/bin/python reference.py > reference.json

Each value comes from scipy or statsmodels, or where those have no such procedure from adaptive
quadrature and root finding of its definition; nothing here shares code with the Java classes.
"""

import json
import math
from types import SimpleNamespace

import numpy as np
import scipy
import statsmodels
import statsmodels.api as sm
from scipy import integrate, optimize, special, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import ttost_paired

rng = np.random.default_rng(20260814)
out = {"made_with": f"scipy {scipy.__version__}, statsmodels {statsmodels.__version__}"}


def digits(values):
    return [float(f"{v:.6g}") for v in values]


def intervals():
    rows = []
    for n in (2, 3, 5, 12, 30):
        x = digits(rng.normal(100, 7, n))
        for confidence in (0.9, 0.95, 0.99):
            low, high = stats.t.interval(confidence, n - 1, np.mean(x), stats.sem(x))
            y = np.log(x)
            loglow, loghigh = stats.t.interval(confidence, n - 1, np.mean(y), stats.sem(y))
            z = stats.norm.ppf((1 + confidence) / 2)
            rows.append(
                dict(x=x, confidence=confidence, mean=float(np.mean(x)), sd=float(np.std(x, ddof=1)),
                     low=float(low), high=float(high), loglow=math.exp(loglow), loghigh=math.exp(loghigh),
                     published=float(z * stats.sem(x))))
    return rows


def effects():
    rows = []
    for n in (2, 3, 6, 12):
        base = digits(rng.lognormal(5, 0.05, n))
        x = digits(np.array(base) * rng.lognormal(0.02, 0.02, n))
        test = stats.ttest_rel(np.log(x), np.log(base))
        ci = test.confidence_interval(0.95)
        tost, _, _ = ttost_paired(np.log(x), np.log(base), math.log(0.98), math.log(1.02))
        other = digits(rng.lognormal(5.05, 0.09, n + 3))
        welch = stats.ttest_ind(np.log(other), np.log(base), equal_var=False)
        wci = welch.confidence_interval(0.95)
        mw = stats.mannwhitneyu(other, base)
        rows.append(
            dict(x=x, base=base, other=other, p=float(test.pvalue),
                 low=100 * math.expm1(ci.low), high=100 * math.expm1(ci.high), tost=float(tost),
                 welch_p=float(welch.pvalue), welch_df=float(welch.df),
                 welch_low=100 * math.expm1(wci.low), welch_high=100 * math.expm1(wci.high),
                 u=float(mw.statistic), rank_p=float(mw.pvalue)))
    return rows


def ranks():
    rows = []
    for n, m, tied in ((3, 3, False), (5, 7, False), (8, 20, False), (12, 15, False), (6, 6, True)):
        x = digits(rng.normal(0, 1, n))
        y = digits(rng.normal(0.8, 1, m))
        if tied:
            x, y = [round(v) for v in x], [round(v) for v in y]
        mw = stats.mannwhitneyu(x, y, alternative="two-sided")
        rows.append(dict(x=x, y=y, u=float(mw.statistic), p=float(mw.pvalue)))
    return rows


def holm():
    rows = []
    for m in (1, 3, 9, 20):
        p = digits(rng.uniform(0, 1, m) ** 3)
        rows.append(dict(p=p, adjusted=[float(v) for v in multipletests(p, method="holm")[1]]))
    return rows


def chi_density(u, df):
    return stats.chi.pdf(u * math.sqrt(df), df) * math.sqrt(df)


NODES, WEIGHTS = np.polynomial.legendre.leggauss(600)


PANEL, PANEL_WEIGHTS = np.polynomial.legendre.leggauss(100)


def panels(edges):
    """100-point Gauss-Legendre between each two neighbours of the edges."""
    edges = np.array(sorted(edges))
    half, middle = np.diff(edges)[:, None] / 2, (edges[1:] + edges[:-1])[:, None] / 2
    return (middle + half * PANEL).ravel(), (half * PANEL_WEIGHTS).ravel()


def scatter(df, bends):
    """Nodes and weights of the average over U, with edges where the integrand bends."""
    low, top = (stats.chi.ppf(1e-18, df) / math.sqrt(df), stats.chi.isf(1e-18, df) / math.sqrt(df))
    u, w = panels({low, top} | {min(top, max(low, bend)) for bend in bends})
    return u, w * chi_density(u, df)


def t_power(shift, df, level):
    """P(|T| > t) of a non-central t; scipy's own turns NaN in far tails, so its definition is integrated."""
    top = stats.chi.ppf(1 - 1e-15, df) / math.sqrt(df)
    u, wu = (NODES + 1) * top / 2, WEIGHTS * top / 2
    t = stats.t.ppf(1 - level / 2, df)
    beyond = stats.norm.sf(t * u - shift) + stats.norm.cdf(-t * u - shift)
    return float(np.sum(wu * chi_density(u, df) * beyond))


def power():
    rows = []
    for blocks, cv, m in ((6, 0.027, 5), (12, 0.027, 5), (3, 0.05, 1), (5, 0.03, 9), (2, 0.02, 1)):
        error = math.sqrt(2 * math.log1p(cv * cv) / blocks)
        shift = optimize.brentq(lambda v: t_power(v, blocks - 1, 0.05 / m) - 0.8, 0, 100, xtol=1e-12)
        rows.append(dict(blocks=blocks, cv=cv, comparisons=m, effect=math.expm1(shift * error)))
    return rows


def power_far():
    """Two to five blocks in families of up to a thousand comparisons: t turns from 0 to 1 within 1/12,000 of U."""
    rows = []
    for blocks, cv, m in ((2, 0.001, 5), (2, 0.001, 20), (2, 0.001, 100), (3, 0.001, 20), (3, 0.001, 1000),
                          (4, 0.03, 100), (4, 0.03, 1000), (5, 0.03, 1000), (8, 0.03, 1000), (100, 0.03, 1000)):
        df, level = blocks - 1, 0.05 / m
        t = stats.t.isf(level / 2, df)

        def lacking(shift):
            u, w = scatter(df, [(side * shift + c) / t for side in (1, -1) for c in (-9, -4, 0, 4, 9)])
            return float(w @ (stats.norm.sf(t * u - shift) + stats.norm.cdf(-t * u - shift))) - 0.8

        high = 1.0
        while lacking(high) < 0:
            high *= 2
        shift = optimize.brentq(lacking, 0, high, xtol=1e-13, rtol=1e-14)
        error = math.sqrt(2 * math.log1p(cv * cv) / blocks)
        rows.append(dict(blocks=blocks, cv=cv, comparisons=m, effect=math.expm1(shift * error)))
    return rows


def log_bayes_factor(t, n, g):
    """By quadrature over the mixture: non-central t density against central."""
    f = lambda delta: stats.nct.pdf(t, n - 1, delta * math.sqrt(n)) * stats.norm.pdf(delta, 0, math.sqrt(g))
    peak = t / math.sqrt(n)
    width = 12 * (1 / math.sqrt(n) + peak / math.sqrt(2 * n))
    value = integrate.quad(f, peak - width, peak + width, points=[peak], epsabs=0, epsrel=1e-11, limit=500)[0]
    return math.log(value / stats.t.pdf(t, n - 1))


def sequences():
    rows = []
    for n, g in ((4, 100.0), (6, 25.0), (10, 25.0), (20, 4.0), (40, 1.0)):
        t = optimize.brentq(lambda v: log_bayes_factor(v, n, g) - math.log(20), 0.5, 60, xtol=1e-10)
        rows.append(dict(n=n, g=g, factor=t / math.sqrt(n)))
    return rows


def drift():
    rows = []
    for k, b in ((1, 8), (4, 6), (7, 3)):
        cells, logs = [], []
        for block in range(b):
            for cell in rng.permutation(k):
                cells.append(int(cell))
                logs.append(cell + 0.002 * len(cells) + rng.normal(0, 0.03))
        x = digits(np.exp(logs))
        design = np.column_stack([np.array(cells) == c for c in range(k)] + [np.arange(len(x))]).astype(float)
        fit = sm.OLS(np.log(x), design).fit()
        y = np.log(x)
        e = y - np.array([y[np.array(cells) == c].mean() for c in cells])
        rows.append(dict(x=x, cells=cells, slope=float(fit.params[-1]), p=float(fit.pvalues[-1]),
                         lag=float(np.sum(e[1:] * e[:-1]) / np.sum(e * e))))
    return rows


def best(y, test):
    """Hsu's set of the best by scipy's one-sided t tests of pairs, adjusted as Tamhane's T2."""
    p = []
    for one in y:
        above = [test(one, other, alternative="less").pvalue for other in y if np.mean(other) > np.mean(one)]
        p.append(1 - (1 - float(min(above, default=1.0))) ** (len(y) - 1))
    return dict(y=y, p=p, set=[i for i in range(len(y)) if p[i] > 0.05])


def best_blocked():
    k, b = 5, 6
    y = rng.normal(0, 0.04, (k, b)) + np.array([0, 0.02, 0.10, 0.11, 0.03])[:, None] + rng.normal(0, 0.3, b)[None, :]
    return best(np.round(y, 6).tolist(), stats.ttest_rel)


def welch_less_one(one, other, alternative):
    """scipy's Welch with one degree of freedom less, not below the smaller side's."""
    welch = stats.ttest_ind(one, other, equal_var=False, alternative=alternative)
    df = max(min(len(one), len(other)) - 1, welch.df - 1)
    return SimpleNamespace(pvalue=stats.t.cdf(welch.statistic, df))


def best_unequal():
    noise = np.random.default_rng(20261120)
    shapes = ((3, 0.0, 0.05), (6, 0.12, 0.02), (4, 0.10, 0.2), (8, -0.25, 0.05))
    return best([digits(level + noise.normal(0, scatter, n)) for n, level, scatter in shapes], welch_less_one)


def needed():
    rows = []
    for cv, e in ((0.05, 0.03), (0.02, 0.03), (0.3, 0.05), (0.001, 0.03)):
        n = 2
        while stats.t.ppf(0.975, n - 1) * cv / math.sqrt(n) > e:
            n += 1
        rows.append(dict(cv=cv, precision=e, n=n))
    return rows


def stein():
    rows = []
    for first, total, half in ((2, 9, 0.05), (5, 12, 0.03), (6, 6, 0.1), (12, 40, 0.01)):
        x = digits(np.exp(rng.normal(5, 0.05, total)))
        s0 = float(np.std(np.log(x[:first]), ddof=1))
        t = float(stats.t.ppf(0.975, first - 1))
        rows.append(dict(x=x, first=first, half=half, total=max(first, math.ceil((t * s0 / half) ** 2)),
                         width=t * s0 / math.sqrt(total)))
    return rows


def mser():
    """Every cut in the first half, the variance of the mean of what is left by numpy."""
    rows = []
    for n, cut, lift in ((60, 0, 0.0), (60, 15, -40.0), (183, 32, 25.0), (300, 300, 0.3)):
        x = np.round(rng.normal(100, 3, n) + lift * (np.arange(n) < cut) * (np.arange(n) if cut == n else 1), 4)
        y = x[: n // 5 * 5].reshape(-1, 5).mean(axis=1)
        z = [np.var(y[d:]) / len(y[d:]) for d in range(len(y) // 2 + 1)]
        rows.append(dict(x=x.tolist(), cut=5 * int(np.argmin(z)), least=float(min(z))))
    return rows


def tukey():
    rows = []
    for n in (5, 8, 30):
        x = digits(rng.standard_t(1.5, n) * 5 + 100)
        q1, q3 = np.percentile(x, [25, 75], method="linear")
        out = [i for i, v in enumerate(x) if v < q1 - 1.5 * (q3 - q1) or v > q3 + 1.5 * (q3 - q1)]
        rows.append(dict(x=x, outside=out))
    return rows


def blocked_drift():
    """Complete blocks, blocks with holes, and blocks that fall into two parts."""
    rows = []
    for k, b, lost in ((3, 6, ()), (4, 5, (2, 9, 10)), (2, 6, (0, 11))):
        cells, blocks, logs = [], [], []
        for block in range(b):
            level = rng.normal(0, 0.3)
            for cell in rng.permutation(k):
                cells.append(int(cell) + (k if lost and k == 2 and block > 2 else 0))
                blocks.append(block)
                logs.append(cell + level + 0.01 * len(cells) + rng.normal(0, 0.03))
        kept = [i for i in range(len(logs)) if i not in lost]
        x = digits(np.exp([logs[i] for i in kept]))
        cells, blocks = [cells[i] for i in kept], [blocks[i] for i in kept]
        c, d = np.array(cells), np.array(blocks)
        two_way = np.column_stack([c == i for i in sorted(set(cells))] + [d == i for i in sorted(set(blocks))]).astype(float)
        y = np.log(x)
        fit = sm.OLS(y, np.column_stack([two_way, np.arange(len(x))])).fit()
        e = sm.OLS(y, two_way).fit().resid
        rows.append(dict(x=x, cells=cells, blocks=blocks, slope=float(fit.params[-1]), p=float(fit.pvalues[-1]),
                         lag=float(np.sum(e[1:] * e[:-1]) / np.sum(e * e))))
    return rows


def tangled_drift():
    """Layouts with so many holes that cells and blocks hang together by single trials."""
    noise = np.random.default_rng(20261121)
    rows = []
    for length, again in ((5, 2), (25, 3)):
        cells, blocks = [], []
        for block in range(length):
            for cell in [block, block + 1] + [block] * (block % again == 0):
                cells.append(cell)
                blocks.append(block)
        n = len(cells)
        x = digits(np.exp(0.1 * np.array(cells) + 0.05 * np.array(blocks) + 0.003 * np.arange(n) + noise.normal(0, 0.03, n)))
        c, d = np.array(cells), np.array(blocks)
        two_way = np.column_stack([c == i for i in sorted(set(cells))] + [d == i for i in sorted(set(blocks))]).astype(float)
        y = np.log(x)
        fit = sm.OLS(y, np.column_stack([two_way, np.arange(n)])).fit()
        e = sm.OLS(y, two_way).fit().resid
        rows.append(dict(x=x, cells=cells, blocks=blocks, slope=float(fit.params[-1]), p=float(fit.pvalues[-1]),
                         lag=float(np.sum(e[1:] * e[:-1]) / np.sum(e * e))))
    return rows


for section in (intervals, effects, ranks, holm, power, sequences, drift, best_blocked, needed, stein, mser, tukey, blocked_drift,
                best_unequal, power_far, tangled_drift):
    out[section.__name__] = section()
print(json.dumps(out, indent=1))
