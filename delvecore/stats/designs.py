"""Designs of a comparison: the dependence between runs of a method, and its correction.

This module alone defines the name of each design, the correlation that its test assumes, and its words. Names
are those of `Scheme`, the same for `delvecore.compare`, tables, archives and options of commands. Training
sets with separate test cases are `hierarchical`, and training sets with one test set are `common`."""

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
"""Names of the designs for runs with one number each."""
DESIGNS = (
    *RUN_DESIGNS,
    COMMON,
    *(one.value for one in (Scheme.LEAVE_ONE_OUT, Scheme.BOOTSTRAP, Scheme.CASES)),
)
"""Names of all designs for arrays of losses."""
MOST_DF = 9.0
"""Degrees of freedom of ten instances."""
MANY_FOLDS = 20
"""Number of folds at which tests of losses 0 or 1 no longer keep their level; see docs/error-rates.md."""
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
"""The schemes whose note states the share of common cases."""
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
    """Design of the instances of a task.

    Attributes
    ----------
    selection : str
        Selection of test sets, `hierarchical` or `common`.
    scheme, share
        See `readers.overlaps.Overlap`.
    groups : tuple of int
        Group number of each case, empty if cases are independent.
    right_or_wrong : bool
        Whether all losses of cases are 0 or 1.
    """

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
        """Can the variance between instances be estimated?"""
        return self.scheme not in _UNTESTED

    @property
    def of_single_numbers(self) -> "Design":
        """Return the design for one number per instance instead of one per test case.

        Results on a common test set hold for that set alone.
        """
        is_of_one_set = self.is_common and self.is_testable and not self.is_of_cases
        return Design("hierarchical", Scheme.ONE_TEST_SET) if is_of_one_set else self

    @property
    def is_of_cases(self) -> bool:
        """Are these losses of test cases in a table of scores?"""
        return self.scheme == Scheme.CASES

    @property
    def is_unpaired(self) -> bool:
        """Does each method have separate runs that do not match runs of other methods?"""
        return self.scheme == Scheme.UNPAIRED

    def tests_cases(self, runs: int) -> bool:
        """Is the test over cases only, instead of runs and cases?

        Groups of cases apply to the mean over runs.
        """
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
        """Does the test use the cases that only one method gets wrong?"""
        return self.scheme == Scheme.LEAVE_ONE_OUT and self.right_or_wrong

    def keeps_level(self, instances: int) -> bool:
        """Does a test over this number of instances keep its level for all methods?

        Leave-one-out with 0-1 losses does not, because a single case can change an unstable method. The error
        rate is 10 % at 30 cases and 29 % at 200, even after correction. Twenty or more folds do not keep
        the level, either (7 %). Ten folds do.
        """
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
        """Is instance 0 tested on its training cases, instead of being a bootstrap sample?"""
        return self.scheme == Scheme.BOOTSTRAP_632

    @property
    def note(self) -> Note | None:
        """Return the notes on shared cases that accompany every error or p."""
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
        """Return the maximum degrees of freedom of a test over instances.

        The test assumes the correlation of instances that share cases, and more instances do not make this
        assumption more certain. Source: Bouckaert 2003, who found ten for ten repetitions of ten folds.
        Nadeau and Bengio's test has one less than the number of instances.
        """
        is_taken = self.analysis == "resampled" and self.scheme != Scheme.NADEAU_BENGIO
        return MOST_DF if is_taken else math.inf

    def inflation(self, instances: int) -> float:
        """Inflation of the variance of a mean over instances, compared with independent instances.

        Bootstrap samples use the same cases: the variance of their mean is that of one sample, for any number
        of samples. Let S^2 be the variance of I means with correlation r, the share. The estimated variance
        of their mean is S^2 (1 / I + r / (1 - r)): Nadeau and Bengio 2003, section 5.
        """
        return instances if self.by_samples else 1 + instances * self.share / (1 - self.share)


def correlation(test_share: float, *, training: float, test: float, crosswise: float) -> float:
    """Correlation of the mean losses of two instances that share cases.

    The model lets a mean loss vary by its training set and its test set, with equal weights of all cases. If
    q is the share of test cases, these parts are q and 1 - q. Let s and t be the shares of cases that two
    training sets and two test sets have in common. Two instances then have q s + (1 - q) t in common. If a
    share x of the test cases of one instance are training cases of the other, they have at least q s + q x /
    2 in common. The correlation is at least q, as in Nadeau and Bengio, unless the instances have less than q
    in common. Simulations are in docs/statistics-reference.md.

    test_share: n_test / (n_train + n_test) of an instance. The other arguments are means over all pairs.
    training: share of the cases of a training set that are in another training set. test: the same for test
    sets. crosswise: share of the cases of a test set that are in the training set of another instance.

    Examples
    --------
    >>> round(correlation(0.1, training=8 / 9, test=0, crosswise=1), 4)
    0.1389
    """
    tested = max((1 - test_share) * test, test_share * crosswise / 2)
    return max(min(test_share, max(training, test, crosswise)), test_share * training + tested)


def fold_correlation(folds: int, repeats: int = 1) -> float:
    """Correlation of two folds of a cross-validation, or of a repeated one, with folds of equal size.

    Examples
    --------
    >>> [round(fold_correlation(*one), 3) for one in [(10, 1), (5, 1), (2, 1), (10, 10)]]
    [0.139, 0.25, 0.5, 0.172]
    """
    folds = max(folds, 2)  # One instance permits no test.
    others = folds * repeats - 1
    return correlation(
        1 / folds,
        training=(repeats * (folds - 1) - 1) / others,
        test=(repeats - 1) / others,
        crosswise=repeats * (folds - 1) / others,
    )


def resampled_correlation(test_share: float) -> float:
    """Correlation of instances with independently drawn test sets, each this share of all cases.

    Examples
    --------
    >>> round(resampled_correlation(0.1), 2)
    0.18
    """
    others = 1 - test_share
    return correlation(test_share, training=others, test=test_share, crosswise=others)


class RunDesign(NamedTuple):
    """The design of runs.

    Attributes
    ----------
    kind : Scheme
        Name of the scheme.
    folds, repeats : int
        Folds and repeats of a cross-validation; otherwise folds is 1, and repeats is the number of runs.
    share : float
        Assumed correlation of two runs.
    assumed : bool
        Whether the design is an assumption, because it is not stated.
    """

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
        """Return a text such as `10-fold cross-validation, 3 times`."""
        half = ", with half of the cases for testing" if self.assumed else ""
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
            Scheme.UNKNOWN: f"{self.runs} folds, drawn in an unknown way",
            Scheme.CASES: "one run" if self.runs < 2 else f"{self.runs} runs on the same test cases",
        }[self.kind]


ONE_RUN = RunDesign()
SHARE_OF_TEN = "for ten folds it is 0.1"


def named_design(name: str, runs: int, *, test_share: float | None = None) -> RunDesign:
    """Return the design with a name of `DESIGNS`.

    runs: number of runs of a method on a dataset, or of training sets. test_share: share of all cases in a
    test set. The default for cross-validation and Nadeau and Bengio's correlation is 1 / runs. Repeated
    cross-validation and resampling need it. Raises Fault for an unknown name, for a missing or invalid
    share, and for a share that does not fit the folds.

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
            expected = f"1/k for k folds, repeated to give the {runs} runs"
            raise Fault("share", expected, f"{test_share:g}", f"use {Scheme.RESAMPLED} for other test sets")
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
"""Default share of test cases."""
FOLDS, RESAMPLES = ("fold", "split"), "resample"


def design_of_runs(
    counts: Mapping[str, int], *, name: str | None = None, test_share: float | None = None
) -> RunDesign:
    """Return the design of runs that differ in some columns.

    Folds are those of cross-validation. Resamples have half of the cases in the test set. Seeds and other
    columns are runs on one split.

    counts: number of values of each column (`fold`, `split`, `repeat`, `resample`, `seed`, `run` ...). name,
    test_share: stated design, one of `RUN_DESIGNS`, and stated share of all cases in a test set. The share
    determines the number of folds, so three times ten folds may have the numbers 1 to 30. A share other than
    1/k means resampling. Raises Fault as `named_design`.

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
    """Return the number of folds with this share of all cases each, within one percent of the share.

    0 if this number of runs is neither smaller than the number of folds nor a multiple of it."""
    folds = round(1 / test_share) if test_share else 0
    is_whole = folds > 1 and abs(folds * test_share - 1) <= 0.01
    return folds if is_whole and (runs < folds or runs % folds == 0) else 0
