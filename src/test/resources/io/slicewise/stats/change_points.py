"""Independent values for io.slicewise.stats.ChangePoints.

    python3 -m venv venv && venv/bin/pip install scipy==1.17.1 signal-processing-algorithms==2.1.6
    venv/bin/python change_points.py > change_points.json

Q is computed from its definition by scipy's pairwise distances, for each split anew; p by 20,000
shuffles of numpy's generator; the positions are those of MongoDB's implementation of E-divisive,
which divides by n^2 in the place of n(n-1) and agrees on changes as clear as these.
"""

import json

import numpy as np
from scipy.spatial.distance import cdist, pdist
from signal_processing_algorithms.energy_statistics.energy_statistics import e_divisive

SEGMENT = 3
rng = np.random.default_rng(20261120)


def q(values):
    n = len(values)
    column = np.asarray(values)[:, None]
    out = [None] * n
    for m in range(SEGMENT, n - SEGMENT + 1):
        x, y = column[:m], column[m:]
        out[m] = float(m * (n - m) / n * (2 * cdist(x, y).mean() - pdist(x).mean() - pdist(y).mean()))
    return out


def largest(values):
    return max(v for v in q(values) if v is not None)


def first_p(values, shuffles=20_000):
    observed = largest(values)
    values = np.array(values)
    reached = sum(largest(rng.permutation(values)) >= observed * (1 - 1e-12) for _ in range(shuffles))
    return (1 + reached) / (1 + shuffles)


def steps(lengths, levels, scatter):
    noise = rng.normal(0, scatter, sum(lengths))
    return [float(f"{v:.6g}") for v in np.repeat(levels, lengths) + noise]


rows = []
for name, series, shuffles in [
    ("nothing happens in twelve nights", steps([12], [5.2], 0.02), 20_000),
    ("the last four of fourteen nights are slower", steps([10, 4], [5.2, 5.23], 0.02), 20_000),
    ("a step in the middle", steps([15, 15], [5.2, 5.3], 0.02), 0),
    ("up and further down", steps([12, 12, 12], [5.2, 5.35, 5.1], 0.02), 0),
    ("three levels", steps([10, 14, 11], [5.0, 5.2, 5.5], 0.02), 0),
    ("whole numbers with ties", [3, 3, 4, 3, 4, 4, 3, 7, 8, 7, 7, 8, 7, 8], 0),
]:
    np.random.seed(1)
    rows.append(
        dict(name=name, series=series, q=q(series),
             p=first_p(series, shuffles) if shuffles else None,
             changes=None if shuffles else sorted(int(i) for i in e_divisive(series, 0.01, 999))))
print(json.dumps(dict(made_with="scipy 1.17.1, signal-processing-algorithms 2.1.6", rows=rows), indent=1))
