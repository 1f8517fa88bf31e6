"""Remarks on an estimate or a comparison: codes with numbers, which one function turns into words.

Tables hold notes as texts such as `shared_instances(2,3,3)`, which `str` writes and `Note.parse` reads."""

import functools
from collections.abc import Iterable
from typing import NamedTuple

from delvecore.render.numbers import p_text, significant
from delvecore.stats.choose import FEWEST_COMMON_CASES


class Note(NamedTuple):
    """A remark on a result, as a code with numbers.

    Attributes
    ----------
    code : str
        Kind of remark.
    numbers : tuple of float
        Numbers for the text of the code.
    """

    code: str
    numbers: tuple[float, ...] = ()

    def of(self, *numbers: float) -> "Note":
        """Return the note with these numbers; shares have four digits."""
        return Note(self.code, tuple(n if isinstance(n, int) else float(significant(n, 4)) for n in numbers))

    def __str__(self) -> str:
        return f"{self.code}({','.join(map(str, self.numbers))})" if self.numbers else self.code

    @property
    def turned(self) -> "Note":
        """Return the note for the same comparison with the second method first."""
        if self.code not in _OF_BOTH:
            return self
        start, first, second, *rest = self.numbers
        return Note(self.code, (start, second, first, *rest))

    @classmethod
    @functools.lru_cache(1000)
    def parse(cls, text: str) -> "Note":
        """Return the note with this text, as written by `str`. Raises ValueError for an unknown code."""
        code, _, numbers = text.removesuffix(")").partition("(")
        if code not in _TEXTS:
            raise ValueError(f"expected one of the notes {', '.join(_TEXTS)}, got {text!r}")
        return cls(code, tuple(int(n) if n.isdigit() else float(n) for n in numbers.split(",") if n))


TRAINING_CLIPPED, CASES_CLIPPED = Note("training_clipped"), Note("cases_clipped")
DOMINATED, IDENTICAL, NOT_FINITE = Note("dominated"), Note("identical"), Note("not_finite")
ONE_TRAINING_SET, ONE_TEST_CASE = Note("one_training_set"), Note("one_test_case")
FEW_TEST_CASES = Note("few_test_cases")
TOO_LARGE, ZERO_VARIANCE = Note("too_large"), Note("zero_variance")
UNDEFINED_MEAN, INFINITE_MEAN = Note("undefined_mean"), Note("infinite_mean")
UNKNOWN_TASK, NO_SHARED_INSTANCE = Note("unknown_task"), Note("no_shared_instance")
SHARED_INSTANCES = Note("shared_instances")
"""Numbers: instances that both have, that the first has, that the second has."""
UNEQUAL_LOSSES = Note("unequal_losses")
"""Numbers: an instance, how many losses the first has there, how many the second."""
MIXED_SIZES = Note("mixed_sizes")
"""Numbers of test cases, ascending."""
CROSS_VALIDATION, REPEATED = Note("cross_validation"), Note("repeated_cross_validation")
RESAMPLED, COMMON_TEST_SET = Note("resampled"), Note("overlap_common_test_set")
LEAVE_ONE_OUT, NADEAU_BENGIO = Note("leave_one_out"), Note("nadeau_bengio")
"""Each of these six has one number, the share of `readers.instances.overlap_of`."""
SAME_TRAINING_SETS, REORDERED = Note("same_training_sets"), Note("reordered")
UNKNOWN_SPLITS, UNPAIRED = Note("unknown_splits"), Note("unpaired")
ONE_SPLIT, BOOTSTRAP, BOOTSTRAP_632 = Note("one_split"), Note("bootstrap_e0"), Note("bootstrap_632")
MCNEMAR = Note("mcnemar")
"""Numbers: the share, cases that only the first gets wrong, that only the second does, McNemar's exact p."""
NO_RESUBSTITUTION, TOO_MANY_FOLDS = Note("no_resubstitution"), Note("too_many_folds")
ONE_TEST_SET = Note("one_test_set")
CASES, CASE_GROUPS, CASE_RUNS = Note("test_cases"), Note("groups_of_test_cases"), Note("runs_on_test_cases")
"""The second has one number, that of the groups."""
CLIPPED = {"training": TRAINING_CLIPPED, "cases": CASES_CLIPPED}
"""Notes by the variance component whose estimate was negative and was set to zero."""

OVERLAPS = {one.code for one in (CROSS_VALIDATION, REPEATED, RESAMPLED, COMMON_TEST_SET, LEAVE_ONE_OUT)}
OVERLAPS |= {
    NADEAU_BENGIO.code,
    SAME_TRAINING_SETS.code,
    REORDERED.code,
    UNKNOWN_SPLITS.code,
    ONE_SPLIT.code,
    MCNEMAR.code,
}
OVERLAPS |= {BOOTSTRAP.code, BOOTSTRAP_632.code, ONE_TEST_SET.code}
OVERLAPS |= {CASES.code, CASE_GROUPS.code, CASE_RUNS.code}
"""Codes that state how instances share cases."""

FEW_SAMPLES, FEW_CASES, FEW_GROUPS = Note("few_samples"), Note("few_cases"), Note("few_groups")
"""Numbers: bootstrap samples, test cases or groups of them, and the smallest possible adjusted p."""
NOT_TESTABLE = frozenset(one.code for one in (FEW_SAMPLES, FEW_CASES, FEW_GROUPS))
"""Codes of the reasons why no data of a task could be significant."""
UNTESTED = frozenset(
    one.code for one in (SAME_TRAINING_SETS, REORDERED, UNKNOWN_SPLITS, MCNEMAR, TOO_MANY_FOLDS)
)
"""Codes of the reasons why instances that share cases are not tested."""
_OF_BOTH = {SHARED_INSTANCES.code, UNEQUAL_LOSSES.code, MCNEMAR.code}
"""Codes whose second number belongs to the first method, and whose third belongs to the second."""
_SINGLE = "cannot be estimated from a single observation"
_CORRECTED = "corrected resampled t, correlation {0}"
_PERCENTILES = (
    "interval and p are percentiles of samples drawn with replacement, each tested on the cases left out"
)
_NOT_TESTABLE = "not tested: not testable with {{0}} {} (smallest adjusted p {{1}})"
_OF_CASES = "the error is that of such test cases"
_CLIPPED = "add no measurable variance"
_TEXTS = {
    TRAINING_CLIPPED.code: f"the training sets {_CLIPPED}",
    CASES_CLIPPED.code: f"the test cases {_CLIPPED}",
    DOMINATED.code: (
        "the interaction of training sets and test cases dominates: it alone makes the F-test reject"
    ),
    IDENTICAL.code: "the losses are identical",
    NOT_FINITE.code: "a loss is infinite or not a number: the difference has no standard error",
    ONE_TRAINING_SET.code: f"one training set: a variance {_SINGLE}",
    ONE_TEST_CASE.code: f"one test case: the variance between test cases {_SINGLE}",
    FEW_TEST_CASES.code: (
        f"not tested: fewer than {FEWEST_COMMON_CASES} cases in a common test set do not show how cases vary"
    ),
    TOO_LARGE.code: "the losses are too large for their variance to be computed",
    ZERO_VARIANCE.code: "the differences have zero variance: p is undefined",
    UNDEFINED_MEAN.code: ("the losses contain infinities of both signs, or NaN: the mean is undefined"),
    INFINITE_MEAN.code: "a loss is infinite: the mean has no standard error",
    UNKNOWN_TASK.code: "not tested: the task is not specified, so its test set selection is unknown",
    NO_SHARED_INSTANCE.code: "not compared: no instance in common",
    SHARED_INSTANCES.code: "compared on the {0} in common, of {1} and {2}",
    UNEQUAL_LOSSES.code: "not compared: in instance {0} {a} has {1} losses, {b} {2}",
    MIXED_SIZES.code: "not compared: the instances have {0} test cases",
    CROSS_VALIDATION.code: f"training sets overlap (cross-validation): {_CORRECTED}",
    REPEATED.code: f"training sets overlap (repeated cross-validation): {_CORRECTED}",
    RESAMPLED.code: f"instances overlap (resampled): {_CORRECTED}",
    NADEAU_BENGIO.code: (
        "instances overlap (nadeau-bengio): corrected resampled t of Nadeau and Bengio, correlation {0}"
    ),
    LEAVE_ONE_OUT.code: (
        "training sets overlap (leave-one-out): corrected t over the test cases, correlation {0}"
    ),
    COMMON_TEST_SET.code: (
        "training sets overlap (one common test set): their variance is raised for a share of {0} in common"
    ),
    SAME_TRAINING_SETS.code: "not tested: all instances have the same training set",
    UNKNOWN_SPLITS.code: (
        "not tested: the scores do not show how the folds were drawn; set design='cross-validation', or "
        "design='repeated cross-validation' or 'resampled' with share= the share of cases in a test set"
    ),
    ONE_SPLIT.code: "one split into training and test cases: the error is that of runs on this split only",
    UNPAIRED.code: "runs that are not paired: Welch's t-test; the error is that of such runs",
    BOOTSTRAP.code: f"bootstrap e0: {_PERCENTILES}",
    BOOTSTRAP_632.code: f"bootstrap .632: 0.368 of the loss on training cases, 0.632 of e0; {_PERCENTILES}",
    MCNEMAR.code: (
        "not tested: leave-one-out of losses 0 or 1 does not compare methods, but 10 folds do. For these "
        "two classifiers on this training set, {1} cases are wrong only by {a}, and {2} only by {b}; p of "
        "McNemar's exact test {3}"
    ),
    TOO_MANY_FOLDS.code: (
        "not tested: with 20 folds or more of losses 0 or 1, tests err more often than their level; use 10 "
        "folds"
    ),
    NO_RESUBSTITUTION.code: "not compared: .632 needs instance 0, which tests the training cases",
    ONE_TEST_SET.code: "one number for each training set: the error is that of this test set only",
    CASES.code: f"{_OF_CASES}; it says nothing of other training runs",
    CASE_GROUPS.code: f"{_OF_CASES}, kept together in {{0}} groups; it says nothing of other training runs",
    CASE_RUNS.code: f"{_OF_CASES} and of such runs",
    FEW_SAMPLES.code: _NOT_TESTABLE.format("bootstrap samples"),
    FEW_CASES.code: _NOT_TESTABLE.format("test cases"),
    FEW_GROUPS.code: _NOT_TESTABLE.format("groups of test cases"),
    REORDERED.code: (
        "not tested: the instances have the same test cases in different orders; list them in the same order"
    ),
}


def words_of(notes: Iterable[Note], *, methods: tuple[str, str] = ("the first", "the second")) -> str | None:
    """Return notes in words, separated by `; `, or None without notes. methods: names of the two methods."""
    return "; ".join(_words(note, methods) for note in notes) or None


def _words(note: Note, methods: tuple[str, str]) -> str:
    numbers: tuple[float | str, ...] = note.numbers
    if note.code == SHARED_INSTANCES.code:
        shared = note.numbers[0]
        numbers = (f"{shared} instance" + "s" * (shared != 1), *note.numbers[1:])
    elif note.code == MIXED_SIZES.code:
        numbers = (" and ".join(map(str, note.numbers)),)
    elif note.code in NOT_TESTABLE:
        numbers = (note.numbers[0], p_text(note.numbers[1]))
    return _TEXTS[note.code].format(*numbers, a=methods[0], b=methods[1]) if numbers else _TEXTS[note.code]


def parsed(texts: Iterable[str] | None) -> tuple[Note, ...]:
    """Return the notes of a row of a table."""
    return tuple(map(Note.parse, texts or ()))
