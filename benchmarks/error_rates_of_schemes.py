"""How often are equally good learners called different by bootstrap samples, or by runs?

Learners and data are those of `error_rates_of_overlaps`."""

import numpy as np

from benchmarks.error_rate import ALPHA, Each, ErrorRate, LearnerRate
from benchmarks.error_rates_of_overlaps import (
    RULES,
    WEAKER,
    Rule,
    drawn,
    lost_by,
    p_values,
)
from delvecore.encoding.schemes import bootstrap
from delvecore.model import Scheme
from delvecore.stats.classification.mcnemar import mcnemar
from delvecore.stats.designs import Design
from delvecore.stats.losses.resampled_t import percentile_p, sample_means

SAMPLES, RUNS, WRONG = 100, 10, 4.0
"""How many samples and runs there are; what a wrong guess of two classes loses more than a right one."""
DESIGNS = {
    "e0": Design("hierarchical", Scheme.BOOTSTRAP),
    ".632": Design("hierarchical", Scheme.BOOTSTRAP_632),
}


def measure(tables: int, each: Each = map) -> list[LearnerRate]:
    """Simulate bootstrap samples."""
    settings = [(rule, cases, tables) for rule in RULES for cases in (50, 100)]
    return [line for lines in each(_of_samples, *zip(*settings, strict=True)) for line in lines]


def _of_samples(rule: Rule, cases: int, tables: int) -> list[LearnerRate]:
    null = sample_differences(rule, cases, tables, seed=7)
    other = sample_differences(rule, cases, max(tables // 10, 1), seed=8, weaker=WEAKER)
    lines = []
    for kind, design in DESIGNS.items():
        rate, power = (float(np.mean(sample_p_values(one, design) < ALPHA)) for one in (null, other))
        about = f"{SAMPLES} samples of {cases} cases"
        lines.append(LearnerRate(about, rule.name, f"bootstrap {kind}", rate, power, tables))
    return lines


def sample_differences(rule: Rule, cases: int, tables: int, *, seed: int, weaker: float = 1.0) -> np.ndarray:
    """Return mean differences of losses, shape (tables, 1 + samples), that of resubstitution first."""
    splits = bootstrap(cases, SAMPLES, seed=1, resubstitution=True)
    found = []
    for inputs, targets in drawn(cases, rule, tables, seed=seed, weaker=weaker):
        found.append([lost_by(inputs, targets, *split, rule).mean(axis=1) for split in splits])
    return np.concatenate([np.stack(one, axis=1) for one in found])


def sample_p_values(differences_of_samples: np.ndarray, design: Design) -> np.ndarray:
    """Return p of each table. differences_of_samples: as `sample_differences` returns them."""
    own = differences_of_samples if design.resubstitutes else differences_of_samples[:, 1:]
    return np.array([percentile_p(one) for one in sample_means(own, design)])


def mcnemar_p_values(lost: np.ndarray) -> np.ndarray:
    """Return p of McNemar's exact test of each table. lost: 1, 0 or -1, shape (tables, cases, 1)."""
    return np.array([mcnemar(int((one > 0).sum()), int((one < 0).sum())).exact for one in lost])


def measure_runs(tables: int) -> list[ErrorRate]:
    """Simulate runs of two methods that are equally good on the partition, each by its own seeds."""
    values = np.random.default_rng(9).normal(size=(tables, RUNS, 1))
    rejected = p_values(values, Design("hierarchical", Scheme.ONE_SPLIT)) < ALPHA
    about = f"2 methods, {RUNS} runs on one partition, where they are equally good"
    return [ErrorRate("t-test over the runs", about, "nominal", ALPHA, rejected)]
