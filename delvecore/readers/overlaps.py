"""How far do the listed instances of a task share cases? Told by the lists alone, whatever they are named.

Files of instances hold what the standard rules never make: cross-validation, leave-one-out, repeated holdout.
Source: DELVE manual, section 6.3; C. Nadeau and Y. Bengio, Machine Learning 52 (2003), section 5."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from delvecore.model import Scheme

__all__ = ["Overlap", "Sets", "fold_share", "merged", "overlap_of", "resampled_share"]

Run = tuple[int, int]
"""The first and the last of consecutive case numbers."""
Sets = Sequence[tuple[Run, ...]]
"""The cases of each instance."""


class Overlap(NamedTuple):
    """What statistics need to know of shared cases. share: how strongly the mean losses of two instances are
    taken to be correlated, 0 where no cases are shared.

    A mean loss is taken to vary by its training set and its test set, each case alike: with r the share of
    test cases, n_test / (n_train + n_test), by r and 1 - r. Two instances then have in common r s + (1 - r)
    t, where s and t are the shares of cases that two training sets and two test sets have in common on
    average; and where cases that test one train the other, a share x of them, r s + r x / 2 if that is
    more. It is at least r, but for instances that have less than that in common: Nadeau and Bengio's
    correlation. With one common test set it is s."""

    scheme: Scheme = Scheme.DISJOINT
    share: float = 0.0


def overlap_of(training: Sets, test: Sets) -> Overlap:
    """Return the Overlap of instances, whose training sets and test sets stand in the same order.

    Cross-validation: every tested case is tested equally often and serves for training elsewhere;
    leave-one-out: the same, where every test set is one case and no case is tested twice; `reordered`: the
    test sets are the same but for the order of their cases; `one split`: training and test sets are the same,
    of runs. Where cases train several times it is the bootstrap, .632 where the first instance is tested on
    what it was trained on."""
    if len(training) < 2:
        return Overlap()
    if any(len(set(runs)) < len(runs) for runs in training):
        is_632 = merged(sorted(training[0])) == merged(sorted(test[0]))
        return Overlap(Scheme.BOOTSTRAP_632 if is_632 else Scheme.BOOTSTRAP)
    counts = _counts(training, test)
    in_common = _common_shares(counts, len(training))
    is_common = len(set(map(merged, test))) == 1
    if in_common.training == 1:
        return Overlap(Scheme.ONE_SPLIT) if is_common else Overlap(Scheme.ONE_TRAINING_SET, 1.0)
    if is_common:
        return Overlap(Scheme.RESAMPLED, in_common.training) if in_common.training else Overlap()
    if in_common.test == 1:
        return Overlap(Scheme.REORDERED, 1.0)
    if not any(in_common):
        return Overlap()
    trained, tested = (sum(size * times[of] for times, size in counts.items()) for of in (0, 1))
    ratio = tested / (trained + tested)
    share = max(min(ratio, max(in_common)), _correlation(in_common, ratio))
    often = {times[1] for times in counts if times[1]}
    if len(often) > 1 or any(times[1] and not times[0] for times in counts):
        return Overlap(Scheme.RESAMPLED, share)
    if often != {1}:
        return Overlap(Scheme.REPEATED, share)
    is_single = all(first == last for runs in test for first, last in runs) and tested == len(test)
    return Overlap(Scheme.LEAVE_ONE_OUT if is_single else Scheme.CROSS_VALIDATION, share)


def fold_share(folds: int, repeats: int) -> float:
    """Return the share of so many repeats of cross-validation with folds of one size: see Overlap."""
    test = [((fold, fold),) for fold in range(folds)] * repeats
    training = [
        tuple((case, case) for case in range(folds) if case != fold) for fold in range(folds)
    ] * repeats
    return overlap_of(training, test).share


def resampled_share(ratio: float) -> float:
    """Return the share of instances whose test sets are drawn anew, each this share of all: see Overlap."""
    in_common = _Common(training=1 - ratio, test=ratio, crosswise=1 - ratio)
    return max(min(ratio, max(in_common)), _correlation(in_common, ratio))


def _correlation(in_common: "_Common", ratio: float) -> float:
    """ratio: of test cases to all of an instance."""
    tested = max((1 - ratio) * in_common.test, ratio * in_common.crosswise / 2)
    return ratio * in_common.training + tested


_Counts = Counter[tuple[int, int]]
"""{(number of training sets, number of test sets): how many cases are in just so many}."""


def _counts(training: Sets, test: Sets) -> _Counts:
    changes: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for kind, sets in enumerate((training, test)):
        for first, last in (run for one in sets for run in one):
            changes[first][kind] += 1
            changes[last + 1][kind] -= 1
    found: _Counts = Counter()
    times, before = (0, 0), 0
    for place in sorted(changes):
        if any(times):
            found[times] += place - before
        times, before = (times[0] + changes[place][0], times[1] + changes[place][1]), place
    return found


class _Common(NamedTuple):
    """Which share of its cases a training set has in common with another one, a test set with another one,
    and a test set with the training set of another instance, on average over all pairs."""

    training: float
    test: float
    crosswise: float


def _common_shares(counts: _Counts, instances: int) -> _Common:
    trained, tested, both_trained, both_tested, crosswise = 0, 0, 0, 0, 0
    for (training, test), size in counts.items():
        trained, tested = trained + size * training, tested + size * test
        both_trained += size * training * (training - 1)
        both_tested += size * test * (test - 1)
        crosswise += size * training * test
    others = instances - 1
    return _Common(
        both_trained / (others * trained), both_tested / (others * tested), crosswise / (others * tested)
    )


def merged(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Join runs that follow each other, so that `1 2 3` is the same as `1-3`."""
    joined = [runs[0]]
    for first, last in runs[1:]:
        if first == joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return tuple(joined)
