"""Files of non-standard task instances: lists of training and test cases. Source: manual, section 6.3.

    Scheme: e0 samples=200 seed=1
    Instance: 0
    Training: 1*2 5 7-20
    Validation: 7-10
    Test: 30-40

Numbers are those of the cases in `Dataset.data`, from 1; case 1 trains twice here. Validation cases, if any,
are some of the training cases. The plan in the first line, and `Runs: 60` after it, are optional. With
runs, instance number r I + i is run r on the i-th of I instances that are listed."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from delvecore.errors import ParseError, Report, raise_error, spec_fault
from delvecore.model import Scheme
from delvecore.plan import Plan, parse_plan
from delvecore.readers.lines import is_count, logical_lines, split_comment
from delvecore.stats.designs import correlation

Run = tuple[int, int]
"""The first and the last of consecutive case numbers."""
Sets = Sequence[tuple[Run, ...]]
"""The cases of each instance."""


def overlap_of(training: Sets, test: Sets) -> tuple[Scheme, float]:
    """Return the scheme by which instances share cases, and the share, 0 if no cases are shared.

    Training sets and test sets have the same order. The share is the assumed correlation of the mean losses
    of two instances. It is `designs.correlation` of the overlap of their sets, or, with one common test set,
    of two training sets. In a cross-validation, every test case is tested equally often and is a training
    case elsewhere. `reordered`: the test sets differ only in order. `one split`: runs on the same sets.
    Training sets that repeat cases are a bootstrap; it is the .632 bootstrap if the first instance is tested
    on its training cases.
    """
    if len(training) < 2:
        return Scheme.DISJOINT, 0.0
    if any(len(set(runs)) < len(runs) for runs in training):
        is_632 = merged(sorted(training[0])) == merged(sorted(test[0]))
        return (Scheme.BOOTSTRAP_632 if is_632 else Scheme.BOOTSTRAP), 0.0
    counts = _counts(training, test)
    of_training, of_test, crosswise = _common_shares(counts, len(training))
    is_common = len(set(map(merged, test))) == 1
    if of_training == 1:
        return (Scheme.ONE_SPLIT, 0.0) if is_common else (Scheme.ONE_TRAINING_SET, 1.0)
    if is_common:
        return (Scheme.RESAMPLED if of_training else Scheme.DISJOINT), of_training
    if of_test == 1:
        return Scheme.REORDERED, 1.0
    if not (of_training or of_test or crosswise):
        return Scheme.DISJOINT, 0.0
    trained, tested = (sum(size * times[of] for times, size in counts.items()) for of in (0, 1))
    ratio = tested / (trained + tested)
    share = correlation(ratio, training=of_training, test=of_test, crosswise=crosswise)
    often = {times[1] for times in counts if times[1]}
    if len(often) > 1 or any(times[1] and not times[0] for times in counts):
        return Scheme.RESAMPLED, share
    if often != {1}:
        return Scheme.REPEATED, share
    is_single = all(first == last for runs in test for first, last in runs) and tested == len(test)
    return (Scheme.LEAVE_ONE_OUT if is_single else Scheme.CROSS_VALIDATION), share


_Counts = Counter[tuple[int, int]]
"""{(number of training sets, number of test sets): number of cases that are in so many of each}."""


def _counts(training: Sets, test: Sets) -> _Counts:
    changes: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for kind, sets in enumerate((training, test)):
        for first, last in (run for one in sets for run in one):
            changes[first][kind] += 1
            changes[last + 1][kind] -= 1
    counts: _Counts = Counter()
    times, before = (0, 0), 0
    for place in sorted(changes):
        if any(times):
            counts[times] += place - before
        times, before = (times[0] + changes[place][0], times[1] + changes[place][1]), place
    return counts


def _common_shares(counts: _Counts, instances: int) -> tuple[float, float, float]:
    """Return the overlaps of instances for `correlation`: of training sets, of test sets, and of one with the
    other."""
    trained, tested, both_trained, both_tested, crosswise = 0, 0, 0, 0, 0
    for (training, test), size in counts.items():
        trained, tested = trained + size * training, tested + size * test
        both_trained += size * training * (training - 1)
        both_tested += size * test * (test - 1)
        crosswise += size * training * test
    others = instances - 1
    return both_trained / (others * trained), both_tested / (others * tested), crosswise / (others * tested)


def merged(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Join runs that follow each other, so that `1 2 3` is the same as `1-3`."""
    joined = [runs[0]]
    for first, last in runs[1:]:
        if first == joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return tuple(joined)


KEYS = ("instance", "training", "test")
VALIDATION = "validation"
"""The key of an optional line."""
HEAD = ("scheme", "runs")
"""Keys of lines before the first instance."""
MOST_RUNS = 100_000
"""Largest number of runs on one partition, and of repetitions of a training case."""


class ListedInstance(NamedTuple):
    """One instance as listed.

    Attributes
    ----------
    training, test : tuple of Run
        Tuples of (first, last) case numbers, both included, in the order of the file, repeated if cases train
        several times.
    lines : dict of str to int
        Line number of each key, including the lines before the first instance.
    validation : tuple of Run
        Training cases for validation, often none.
    """

    number: int
    training: tuple[Run, ...]
    test: tuple[Run, ...]
    lines: dict[str, int]
    validation: tuple[Run, ...] = ()

    @property
    def training_size(self) -> int:
        return sum(last - first + 1 for first, last in self.training)

    @property
    def test_size(self) -> int:
        return sum(last - first + 1 for first, last in self.test)

    @property
    def validation_size(self) -> int:
        return sum(last - first + 1 for first, last in self.validation)


def parse_instances(text: str, source: str, *, report: Report = raise_error) -> tuple[ListedInstance, ...]:
    """Return the instances of `parse_listing`."""
    return parse_listing(text, source, report=report)[0]


def parse_listing(
    text: str, source: str, *, report: Report = raise_error
) -> tuple[tuple[ListedInstance, ...], Plan | None]:
    """Return the instances of a file by number, from 0 up, and the plan that made them, if the file names it.

    Each run is an instance, even if several runs have the same sets. Each fault goes to `report`, and an
    instance with a fault is left out. Faults are a case listed twice for a test, a training case that is a
    test case, and a validation case that is not a training case.
    """
    head: dict[str, tuple[int, str]] = {}
    blocks: list[dict[str, tuple[int, str]]] = []
    end = 1
    for end, key, value in _keyed_lines(text, source, report):
        if key == "instance":
            blocks.append({})
        elif not blocks and key not in HEAD:
            report(spec_fault(source, end, "a line 'Instance: 0' first", repr(key), "add it"))
            blocks.append({})
        elif blocks and key in HEAD:
            expected = f"{key.capitalize()} before the first instance"
            report(spec_fault(source, end, expected, "it after one", "move it up"))
            continue
        block = blocks[-1] if blocks else head
        if key in block:
            expected = f"the key {key!r} once {'per instance' if blocks else 'in a file'}"
            report(spec_fault(source, end, expected, "it again", "remove one of them"))
            continue
        block[key] = (end, value)
    if not blocks:
        remedy = "list them, or remove the file"
        report(spec_fault(source, end, "at least one instance", "none", remedy))
    plan, instances = _plan(head, source, report), []
    for number, block in enumerate(blocks):
        try:
            instances.append(_instance(number, block, head, source, plan))
        except ParseError as error:
            report(error)
    runs = _runs_on_them(head, source, report)
    instances = [
        one._replace(number=run * len(instances) + one.number) for run in range(runs) for one in instances
    ]
    return tuple(instances), plan._replace(runs=runs) if plan else None


def _plan(head: Mapping[str, tuple[int, str]], source: str, report: Report) -> Plan | None:
    """Return the plan of a file; None if there is none, or if a fault was reported."""
    if "scheme" not in head:
        return None
    line, text = head["scheme"]
    try:
        return parse_plan(text)
    except ValueError as error:
        expected, actual = error.args
        report(spec_fault(source, line, f"scheme: {expected}", actual, "delve instances writes it"))
        return None


def _runs_on_them(head: Mapping[str, tuple[int, str]], source: str, report: Report) -> int:
    """Return the number of runs on each set of a file."""
    if "runs" not in head:
        return 1
    line, text = head["runs"]
    if not is_count(text) or int(text) > MOST_RUNS:
        report(spec_fault(source, line, f"runs: a number from 1 to {MOST_RUNS}", repr(text)))
        return 1
    return int(text)


def _keyed_lines(text: str, source: str, report: Report) -> Iterator[tuple[int, str, str]]:
    for number, line in logical_lines(text):
        content = split_comment(line)[0]
        if not content.strip():
            continue
        name, colon, value = content.partition(":")
        key = name.strip().lower()
        if not colon or key not in (*KEYS, VALIDATION, *HEAD):
            expected = "a line 'Instance: NUMBER', 'Training: CASES' or 'Test: CASES'"
            report(spec_fault(source, number, expected, repr(content.strip()), "correct it"))
        else:
            yield number, key, value.strip()


def _instance(
    number: int,
    block: Mapping[str, tuple[int, str]],
    head: Mapping[str, tuple[int, str]],
    source: str,
    plan: Plan | None,
) -> ListedInstance:
    """Return one ListedInstance. Raises ParseError with its fault."""
    start = min(line for line, _ in block.values())
    for key in KEYS:
        if key not in block:
            expected = f"a line {key.capitalize()!r} for each instance"
            raise spec_fault(source, start, expected, "none", "add it")
    line, text = block["instance"]
    if text != str(number):
        remedy = "number the instances from 0 without gaps"
        raise spec_fault(source, line, f"instance {number}", repr(text), remedy)
    training, test = (_runs(*block[key], key, source) for key in KEYS[1:])
    shared = _repeated((*set(training), *test))
    if shared and not _is_resubstitution(number, training, test, plan):
        expected, actual = "test cases that are not training cases", f"case {shared} in both"
        raise spec_fault(source, block["test"][0], expected, actual, "take it out of one")
    lines = {key: place for key, (place, _) in (*head.items(), *block.items())}
    return ListedInstance(number, training, test, lines, _validation(block, training, source))


def _is_resubstitution(number: int, training: Sequence[Run], test: Sequence[Run], plan: Plan | None) -> bool:
    """Is it the first instance of bootstrap .632, which is tested on its training cases?"""
    return plan is not None and plan.kind == "632" and number == 0 and merged(training) == merged(test)


def _validation(
    block: Mapping[str, tuple[int, str]], training: Sequence[Run], source: str
) -> tuple[Run, ...]:
    """Return the runs of the validation cases, which must be some, but not all, of the training cases."""
    if VALIDATION not in block:
        return ()
    line, text = block[VALIDATION]
    validation, ordered = _runs(line, text, VALIDATION, source), sorted(training)
    inside = merged(sorted(set(ordered)))
    for first, last in validation:
        if not any(low <= first and last <= high for low, high in inside):
            expected, remedy = "validation cases that are training cases", "list them as both"
            raise spec_fault(source, line, expected, f"{first}-{last}", remedy)
    if merged(sorted(validation)) == inside:
        expected = "training cases besides the validation cases"
        raise spec_fault(source, line, expected, "none", "leave some out")
    return validation


def _runs(line: int, text: str, key: str, source: str) -> tuple[Run, ...]:
    """Return ((first, last), ...) of words such as `5` and `7-20`, and for training `17*2`."""
    runs, distinct = [], []
    for word in text.replace(",", " ").split():
        cases, star, times = word.partition("*")
        first, dash, last = cases.partition("-")
        bounds = (first, last if dash else first)
        often = times if star else "1"
        known = all(map(is_count, (*bounds, often))) and int(often) <= MOST_RUNS
        if not known or (star and key != "training"):
            expected = f"{key}: case numbers from 1 such as 5 or 7-20"
            expected += " (in training sets 17*2 for one that trains twice)" if star else ""
            raise spec_fault(source, line, expected, repr(word))
        if int(bounds[0]) > int(bounds[1]):
            raise spec_fault(source, line, f"{key}: a range of cases from low to high", repr(word))
        distinct.append((int(bounds[0]), int(bounds[1])))
        runs += distinct[-1:] * int(often)
    if not runs:
        raise spec_fault(source, line, f"{key}: at least one case", "none")
    if (twice := _repeated(distinct)) is not None:
        raise spec_fault(source, line, f"{key}: each case once", f"case {twice} again", "remove one")
    return tuple(runs)


def _repeated(runs: Iterable[Run]) -> int | None:
    """Return a case number that is in two ranges, or None."""
    ordered = pairwise(sorted(runs))
    return next((after[0] for before, after in ordered if after[0] <= before[1]), None)


class ListedFacts(NamedTuple):
    """Facts about listed instances for statistics.

    Source: DELVE manual, sections 6.1 and 8.

    Attributes
    ----------
    design : str
        `common` if all instances have the same test cases in the same order, otherwise `hierarchical`.
    training_sizes, test_sizes : tuple of int
        Sizes of the sets of each instance.
    training_disjoint, test_disjoint : bool
        Whether no case is in the sets of two instances.
    scheme : Scheme
        Plan by which they share cases.
    share : float
        Correlation of the mean losses of two instances; see `overlap_of`.
    runs : int
        Number of instances with the same sets. Except in the sizes, they count as one.
    """

    design: str
    training_sizes: tuple[int, ...]
    test_sizes: tuple[int, ...]
    training_disjoint: bool
    test_disjoint: bool
    scheme: Scheme
    share: float
    runs: int = 1

    @property
    def sets(self) -> int:
        """How many training sets are there, each of them with `runs` instances?"""
        return len(self.training_sizes) // self.runs

    def only(self, instances: Sequence[int]) -> "ListedFacts":
        """Return the facts of some of the instances. Those that are not listed are ignored."""
        training, test = (
            tuple(sizes[instance] for instance in instances if instance < len(sizes)) or sizes
            for sizes in (self.training_sizes, self.test_sizes)
        )
        return self._replace(training_sizes=training, test_sizes=test)


def sets_and_runs(sets: Sequence[object]) -> tuple[int, int]:
    """Return the number of different training and test sets, and the number of runs on each.

    `sets` has an entry for each instance; equal entries mean the same sets. There is one run on each unless
    the sets repeat in the same order, and one if there is only a single set.
    """
    distinct = list(dict.fromkeys(sets))
    runs = len(sets) // len(distinct) if len(distinct) > 1 else 1
    return (len(distinct), runs) if list(sets) == distinct * runs else (len(sets), 1)


def listed_facts(instances: Sequence[ListedInstance], otherwise: str) -> ListedFacts:
    """Return the ListedFacts of a file's instances. `otherwise` is the design of a single instance."""
    sets, runs = sets_and_runs([(one.training, one.test) for one in instances])
    training, test = ([getattr(one, key) for one in instances[:sets]] for key in KEYS[1:])
    scheme, share = overlap_of(training, test)
    same = len(set(map(merged, test))) == 1 and scheme != Scheme.ONE_SPLIT
    return ListedFacts(
        otherwise if len(instances) < 2 else "common" if same else "hierarchical",
        tuple(instance.training_size for instance in instances),
        tuple(instance.test_size for instance in instances),
        training_disjoint=_repeated(run for runs in training for run in runs) is None,
        test_disjoint=_repeated(run for runs in test for run in runs) is None,
        scheme=scheme,
        share=share,
        runs=runs,
    )


def runs_of(numbers: Iterable[int]) -> str:
    """Return case numbers as words: `1 5*2 7-20`. The order is kept, except that equal numbers are joined."""
    times = Counter(numbers)
    words: list[str] = []
    for many, alike in groupby(times, key=times.__getitem__):
        if many > 1:
            words += [f"{number}*{many}" for number in alike]
            continue
        pairs = merged([(number, number) for number in alike])
        words += [str(first) if first == last else f"{first}-{last}" for first, last in pairs]
    return " ".join(words)
