"""How far do the listed instances of a task share cases? Told by the lists alone, whatever they are named.

Files of instances hold what the standard rules never make: cross-validation, leave-one-out, repeated holdout.
Source: DELVE manual, section 6.3; C. Nadeau and Y. Bengio, Machine Learning 52 (2003), section 5."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from delvecore.model import Scheme
from delvecore.stats.designs import Common, correlation

__all__ = ["Overlap", "Sets", "merged", "overlap_of"]

Run = tuple[int, int]
"""The first and the last of consecutive case numbers."""
Sets = Sequence[tuple[Run, ...]]
"""The cases of each instance."""


class Overlap(NamedTuple):
    """What statistics need to know of shared cases. share: how strongly the mean losses of two instances are
    taken to be correlated, 0 where no cases are shared.

    It is `designs.correlation` of what their sets have in common; with one common test set, what two training
    sets have in common."""

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
    share = correlation(in_common, ratio)
    often = {times[1] for times in counts if times[1]}
    if len(often) > 1 or any(times[1] and not times[0] for times in counts):
        return Overlap(Scheme.RESAMPLED, share)
    if often != {1}:
        return Overlap(Scheme.REPEATED, share)
    is_single = all(first == last for runs in test for first, last in runs) and tested == len(test)
    return Overlap(Scheme.LEAVE_ONE_OUT if is_single else Scheme.CROSS_VALIDATION, share)


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


def _common_shares(counts: _Counts, instances: int) -> Common:
    trained, tested, both_trained, both_tested, crosswise = 0, 0, 0, 0, 0
    for (training, test), size in counts.items():
        trained, tested = trained + size * training, tested + size * test
        both_trained += size * training * (training - 1)
        both_tested += size * test * (test - 1)
        crosswise += size * training * test
    others = instances - 1
    return Common(
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
