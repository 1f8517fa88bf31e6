"""The designs of a comparison: how the runs of a method depend on each other, and what is done about it.

This is the one place for the name of each design, the correlation that its test takes, and its words. Names
are those of `Scheme`, the same for `delvecore.compare`, tables, archives and options of commands;
`hierarchical` is that of training sets with test cases of their own, `common` that of one test set."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from delvecore.errors import Fault
from delvecore.model import Scheme
from delvecore.stats import notes
from delvecore.stats.notes import Note

HIERARCHICAL, COMMON = "hierarchical", "common"
RUN_DESIGNS = (
    HIERARCHICAL,
    Scheme.CROSS_VALIDATION.value,
    Scheme.REPEATED.value,
    Scheme.RESAMPLED.value,
    Scheme.ONE_SPLIT.value,
    Scheme.NADEAU_BENGIO.value,
)
"""Names of the designs that runs with one number each can have."""
DESIGNS = (
    *RUN_DESIGNS,
    COMMON,
    *(one.value for one in (Scheme.LEAVE_ONE_OUT, Scheme.BOOTSTRAP, Scheme.CASES)),
)
"""Names of all designs that arrays of losses can have."""
MOST_DF = 9.0
"""Those of ten instances."""
MANY_FOLDS = 20
"""From so many folds of losses 0 or 1 on, no test keeps its level; see docs/error-rates.md."""
_NOTES = {
    Scheme.CROSS_VALIDATION: notes.CROSS_VALIDATION,
    Scheme.REPEATED: notes.REPEATED,
    Scheme.RESAMPLED: notes.RESAMPLED,
    Scheme.LEAVE_ONE_OUT: notes.LEAVE_ONE_OUT,
    Scheme.NADEAU_BENGIO: notes.NADEAU_BENGIO,
    Scheme.ONE_SPLIT: notes.ONE_SPLIT,
    Scheme.ONE_TEST_SET: notes.ONE_TEST_SET,
    Scheme.BOOTSTRAP: notes.BOOTSTRAP,
    Scheme.BOOTSTRAP_632: notes.BOOTSTRAP_632,
    Scheme.CASES: notes.CASES,
    Scheme.ONE_TRAINING_SET: notes.SAME_TRAINING_SETS,
    Scheme.REORDERED: notes.REORDERED,
    Scheme.UNKNOWN: notes.UNKNOWN_SPLITS,
    Scheme.UNPAIRED: notes.UNPAIRED,
}
_SHARING = list(_NOTES)[:5]
"""The schemes whose note tells the share of cases in common."""
_UNTESTED = (Scheme.ONE_TRAINING_SET, Scheme.REORDERED, Scheme.UNKNOWN)
_OWN_ANALYSES = {
    Scheme.LEAVE_ONE_OUT: "leave-one-out",
    Scheme.ONE_SPLIT: "one split",
    Scheme.ONE_TEST_SET: "one test set",
    Scheme.BOOTSTRAP: "bootstrap",
    Scheme.BOOTSTRAP_632: "bootstrap",
    Scheme.UNPAIRED: "unpaired",
}


class Design(NamedTuple):
    """selection: of test sets, `hierarchical` or `common`; scheme, share: see `readers.overlaps.Overlap`;
    groups: of cases that are kept together, the number of each case's, none where each is by itself;
    right_or_wrong: are all losses of cases 0 or 1?"""

    selection: str
    scheme: str = Scheme.DISJOINT
    share: float = 0.0
    groups: tuple[int, ...] = ()
    right_or_wrong: bool = False

    @property
    def overlaps(self) -> bool:
        """Do instances share cases, beyond a common test set?"""
        return self.scheme != Scheme.DISJOINT

    @property
    def is_common(self) -> bool:
        return self.selection == COMMON

    @property
    def is_testable(self) -> bool:
        """Can the variance between instances be known at all?"""
        return self.scheme not in _UNTESTED

    @property
    def of_single_numbers(self) -> "Design":
        """Return the design where an instance has one number and not one a test case: with a common test set
        what it tells is of that set alone."""
        is_of_one_set = self.is_common and self.is_testable and not self.is_of_cases
        return Design("hierarchical", Scheme.ONE_TEST_SET) if is_of_one_set else self

    @property
    def is_of_cases(self) -> bool:
        """Are these losses of test cases in a table of scores?"""
        return self.scheme == Scheme.CASES

    @property
    def is_unpaired(self) -> bool:
        """Does each method have runs of its own, which no run of another one belongs to?"""
        return self.scheme == Scheme.UNPAIRED

    def tests_cases(self, runs: int) -> bool:
        """Is the test one over cases, and not over runs and cases? Groups of cases are those of the mean over
        runs."""
        return self.is_of_cases and (runs == 1 or bool(self.groups))

    @property
    def analysis(self) -> str:
        """Return the key of `choose.ANALYSES`."""
        if self.is_of_cases:
            return "case groups" if self.groups else "right or wrong" if self.right_or_wrong else "cases"
        if not self.overlaps or self.is_common:
            return self.selection
        if self.by_counts:
            return "mcnemar"
        return _OWN_ANALYSES.get(Scheme(self.scheme), "resampled")

    @property
    def by_counts(self) -> bool:
        """Is it told by the cases that one method only gets wrong which one is better?"""
        return self.scheme == Scheme.LEAVE_ONE_OUT and self.right_or_wrong

    def keeps_level(self, instances: int) -> bool:
        """Does a test over so many instances err as seldom as it says, whatever the methods?

        Not leave-one-out of losses 0 or 1, where a single case turns an unstable method round: corrected or
        not, it errs 10 % at 30 cases and 29 % at 200; nor 20 folds or more of them (7 %). Ten folds do."""
        if self.by_counts:
            return False
        folds = self.scheme == Scheme.CROSS_VALIDATION and self.right_or_wrong
        return not folds or instances < MANY_FOLDS

    @property
    def by_samples(self) -> bool:
        """Are p and intervals percentiles of bootstrap samples?"""
        return self.analysis == "bootstrap"

    @property
    def resubstitutes(self) -> bool:
        """Is instance 0 tested on what it was trained on, and no sample?"""
        return self.scheme == Scheme.BOOTSTRAP_632

    @property
    def note(self) -> Note | None:
        """Return what is to be said of shared cases wherever an error or p stands."""
        scheme = Scheme(self.scheme)
        if scheme == Scheme.DISJOINT:
            return None
        if self.is_of_cases and self.groups:
            return notes.CASE_GROUPS.of(len(set(self.groups)))
        if scheme not in _SHARING:
            return _NOTES[scheme]
        return (notes.COMMON_TEST_SET if self.is_common else _NOTES[scheme]).of(self.share)

    @property
    def most_df(self) -> float:
        """Return the most degrees of freedom of a test over instances: the correlation of those that share
        cases is taken, not known, and more of them say no more of it. Source: Bouckaert 2003, who found ten
        for ten repetitions of ten folds. Nadeau and Bengio's own test has one less than instances."""
        is_taken = self.analysis == "resampled" and self.scheme != Scheme.NADEAU_BENGIO
        return MOST_DF if is_taken else math.inf

    def inflation(self, instances: int) -> float:
        """By how much is the variance of a mean over instances more than if they were independent?

        Bootstrap samples are of the same cases: the variance of their mean is that of one, however many there
        are. With S^2 the variance of I means whose correlation is the share r, that of their mean is
        estimated by S^2 (1 / I + r / (1 - r)): Nadeau and Bengio 2003, section 5."""
        return instances if self.by_samples else 1 + instances * self.share / (1 - self.share)


def correlation(test_share: float, *, training: float, test: float, crosswise: float) -> float:
    """Correlation of the mean losses of two instances that share cases.

    A mean loss is taken to vary by its training set and its test set, each case alike: with q the share of
    test cases, by q and 1 - q. Two instances then have in common q s + (1 - q) t, where s and t are the
    shares of cases that two training sets and two test sets have in common; and where cases that test one
    train the other, a share x of them, q s + q x / 2 if that is more. It is at least q, the correlation of
    Nadeau and Bengio, but for instances that have less than that in common. Simulations stand in
    docs/statistics-reference.md. test_share: n_test / (n_train + n_test) of an instance. training, test,
    crosswise: the share of the cases of a training set that are in another training set, of a test set that
    are in another test set, and of a test set that are in the training set of another instance, on average
    over all pairs.

    Examples
    --------
    >>> round(correlation(0.1, training=8 / 9, test=0, crosswise=1), 4)
    0.1389
    """
    tested = max((1 - test_share) * test, test_share * crosswise / 2)
    return max(min(test_share, max(training, test, crosswise)), test_share * training + tested)


def fold_correlation(folds: int, repeats: int = 1) -> float:
    """Correlation of two folds of a cross-validation with folds of one size, or of a repeated one.

    Examples
    --------
    >>> [round(fold_correlation(*one), 3) for one in [(10, 1), (5, 1), (2, 1), (10, 10)]]
    [0.139, 0.25, 0.5, 0.172]
    """
    folds = max(folds, 2)  # of one instance nothing is tested
    others = folds * repeats - 1
    return correlation(
        1 / folds,
        training=(repeats * (folds - 1) - 1) / others,
        test=(repeats - 1) / others,
        crosswise=repeats * (folds - 1) / others,
    )


def resampled_correlation(test_share: float) -> float:
    """Correlation of instances whose test sets are drawn anew, each this share of all cases.

    Examples
    --------
    >>> round(resampled_correlation(0.1), 2)
    0.18
    """
    others = 1 - test_share
    return correlation(test_share, training=others, test=test_share, crosswise=others)


class RunDesign(NamedTuple):
    """The design of runs. kind: its name; folds, repeats: of a cross-validation, else folds is 1 and repeats
    the number of runs; share: the correlation of two runs that the test takes; assumed: did nobody say it?"""

    kind: Scheme = Scheme.DISJOINT
    folds: int = 1
    repeats: int = 1
    share: float = 0.0
    assumed: bool = True

    @property
    def runs(self) -> int:
        return self.folds * self.repeats

    @property
    def words(self) -> str:
        """Return such as `10-fold cross-validation, 3 times`."""
        half = ", with half of the cases for the test" if self.assumed else ""
        return {
            Scheme.DISJOINT: f"{self.runs} training sets that share no cases",
            Scheme.CROSS_VALIDATION: f"{self.folds}-fold cross-validation",
            Scheme.REPEATED: f"{self.folds}-fold cross-validation, {self.repeats} times",
            Scheme.RESAMPLED: f"{self.runs} resampled training sets{half}",
            Scheme.ONE_SPLIT: f"{self.runs} runs on one split",
            Scheme.NADEAU_BENGIO: f"{self.runs} runs with the correlation of Nadeau and Bengio",
            Scheme.LEAVE_ONE_OUT: f"leave-one-out of {self.runs} cases",
            Scheme.BOOTSTRAP: f"{self.runs} bootstrap samples",
            Scheme.UNPAIRED: f"up to {self.runs} runs of each method, not paired",
            Scheme.UNKNOWN: f"{self.runs} folds, of which nothing tells how they were drawn",
            Scheme.CASES: "one run" if self.runs < 2 else f"{self.runs} runs on the same test cases",
        }[self.kind]


ONE_RUN = RunDesign()
SHARE_OF_TEN = "for ten folds it is 0.1"


def named_design(name: str, runs: int, *, test_share: float | None = None) -> RunDesign:
    """Return the design of a name of `DESIGNS`, of so many runs of a method on a dataset, or training sets.

    test_share: share of all cases in a test set: 1 / runs by default for cross-validation and Nadeau and
    Bengio's correlation; needed for repeated cross-validation and resampling. Raises Fault for another name,
    a share that is needed or out of range, and one that is not that of such folds.

    Examples
    --------
    >>> named_design("repeated cross-validation", 30, test_share=0.1).words
    '10-fold cross-validation, 3 times'
    >>> round(named_design("nadeau-bengio", 10).share, 3)
    0.1
    """
    if name not in DESIGNS:
        raise Fault("design", f"one of {', '.join(DESIGNS)}", repr(name))
    _check_share(test_share)
    if test_share is None and name in (Scheme.REPEATED, Scheme.RESAMPLED):
        raise Fault("share", f"the share of cases in a test set for {name}", "none", SHARE_OF_TEN)
    if name in (Scheme.CROSS_VALIDATION, Scheme.REPEATED):
        folds = runs if test_share is None else _folds(test_share, runs)
        if not folds:
            expected = f"1/k for k folds of which {runs} runs are repetitions"
            raise Fault("share", expected, f"{test_share:g}", f"say {Scheme.RESAMPLED} for other test sets")
        return _of_folds(folds, max(1, runs // folds), assumed=False)
    kind = Scheme.DISJOINT if name in (HIERARCHICAL, COMMON) else Scheme(name)
    share = 0.0
    if kind == Scheme.RESAMPLED:
        share = resampled_correlation(test_share or 0.0)
    elif kind == Scheme.NADEAU_BENGIO:
        share = 1 / max(runs, 2) if test_share is None else test_share
    elif kind == Scheme.LEAVE_ONE_OUT:
        share = fold_correlation(runs)
    return RunDesign(kind, 1, runs, share, assumed=False)


HALF = 0.5
"""The share of test cases that is taken where nobody says it."""
FOLDS, RESAMPLES = ("fold", "split"), "resample"


def design_of_runs(
    counts: Mapping[str, int], *, name: str | None = None, test_share: float | None = None
) -> RunDesign:
    """Return the design of runs that differ in some columns: folds are those of cross-validation,
    resamples have half of the cases for the test, and seeds, or whatever else, are runs on one split.

    counts: how many there are of what each column counts (`fold`, `split`, `repeat`, `resample`, `seed`,
    `run` ...). name, test_share: the design, one of `RUN_DESIGNS`, and the share of all cases in a test set,
    where they were said. Of folds the share says how many there are, so that three times ten folds may be
    numbered from 1 to 30; one that is not 1/k says that they are resampled. Raises Fault as `named_design`.

    Examples
    --------
    >>> design_of_runs({"repeat": 3, "fold": 10}).words
    '10-fold cross-validation, 3 times'
    >>> design_of_runs({"fold": 30}, test_share=0.1).words
    '10-fold cross-validation, 3 times'
    """
    runs = math.prod(counts.values())
    folds = next((counts[kind] for kind in FOLDS if kind in counts), 1)
    if name not in (None, *RUN_DESIGNS):
        raise Fault("design", f"one of {', '.join(RUN_DESIGNS)}", repr(name))
    _check_share(test_share)
    if runs < 2:
        return ONE_RUN
    if name is not None:
        is_folds = folds > 1 and name in (Scheme.CROSS_VALIDATION, Scheme.REPEATED, Scheme.NADEAU_BENGIO)
        if is_folds and test_share is None:
            test_share = 1 / folds
        return named_design(name, runs, test_share=test_share)
    if test_share is not None:
        is_folds = folds > 1 and _folds(test_share, runs) > 0
        kind = Scheme.CROSS_VALIDATION if is_folds else Scheme.RESAMPLED
        return named_design(kind, runs, test_share=test_share)
    if folds > 1:
        return _of_folds(folds, runs // folds, assumed=True)
    if RESAMPLES in counts:
        return named_design(Scheme.RESAMPLED, runs, test_share=HALF)._replace(assumed=True)
    return RunDesign(Scheme.ONE_SPLIT, 1, runs)


def _check_share(test_share: float | None) -> None:
    if test_share is not None and not 0 <= test_share < 1:
        expected = "a share of all cases in a test set, at least 0 and below 1"
        raise Fault("share", expected, f"{test_share:g}", SHARE_OF_TEN)


def _of_folds(folds: int, repeats: int, *, assumed: bool) -> RunDesign:
    kind = Scheme.REPEATED if repeats > 1 else Scheme.CROSS_VALIDATION
    return RunDesign(kind, folds, repeats, fold_correlation(folds, repeats), assumed=assumed)


def _folds(test_share: float, runs: int) -> int:
    """Return how many folds have this share of all cases each, if so many runs are some of these, or
    repetitions of them all; else 0. A share is known to one per cent of itself."""
    folds = round(1 / test_share) if test_share else 0
    is_whole = folds > 1 and abs(folds * test_share - 1) <= 0.01
    return folds if is_whole and (runs < folds or runs % folds == 0) else 0
