"""How the instances of a task lie to each other, as far as the analysis of their losses goes by it."""

import math
from typing import NamedTuple

from delvecore.model import Scheme
from delvecore.statistics import notes
from delvecore.statistics.notes import Note

__all__ = ["COMMON", "Design"]

COMMON = "common"
MOST_DF = 9.0
"""Those of ten instances."""
_NOTES = {
    Scheme.CROSS_VALIDATION: notes.CROSS_VALIDATION,
    Scheme.REPEATED: notes.REPEATED,
    Scheme.RESAMPLED: notes.RESAMPLED,
    Scheme.LEAVE_ONE_OUT: notes.LEAVE_ONE_OUT,
}
_PLAIN_NOTES = {
    Scheme.ONE_SPLIT: notes.ONE_SPLIT,
    Scheme.ONE_TEST_SET: notes.ONE_TEST_SET,
    Scheme.BOOTSTRAP: notes.BOOTSTRAP,
    Scheme.BOOTSTRAP_632: notes.BOOTSTRAP_632,
}
_OWN_ANALYSES = {
    Scheme.LEAVE_ONE_OUT: "leave-one-out",
    Scheme.ONE_SPLIT: "one split",
    Scheme.ONE_TEST_SET: "one test set",
    Scheme.BOOTSTRAP: "bootstrap",
    Scheme.BOOTSTRAP_632: "bootstrap",
}
_UNTESTED = {
    Scheme.ONE_TRAINING_SET: notes.SAME_TRAINING_SETS,
    Scheme.REORDERED: notes.REORDERED,
}


class Design(NamedTuple):
    """selection: of test sets, `hierarchical` or `common`; scheme, share: see `readers.overlaps.Overlap`;
    right_or_wrong: are all losses of cases 0 or 1?"""

    selection: str
    scheme: str = Scheme.DISJOINT
    share: float = 0.0
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
        return Design("hierarchical", Scheme.ONE_TEST_SET) if self.is_common and self.is_testable else self

    @property
    def analysis(self) -> str:
        """Return the key of `choose.ANALYSES`."""
        if not self.overlaps or self.is_common:
            return self.selection
        if self.by_counts:
            return "mcnemar"
        return _OWN_ANALYSES.get(Scheme(self.scheme), "resampled")

    @property
    def by_counts(self) -> bool:
        """Is it told by the cases that one method only gets wrong which one is better?"""
        return self.scheme == Scheme.LEAVE_ONE_OUT and self.right_or_wrong

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
        if scheme in _UNTESTED:
            return _UNTESTED[scheme]
        if scheme in _PLAIN_NOTES:
            return _PLAIN_NOTES[scheme]
        return (notes.COMMON_TEST_SET if self.is_common else _NOTES[scheme]).of(self.share)

    @property
    def most_df(self) -> float:
        """Return the most degrees of freedom of a test over instances: the correlation of those that share
        cases is taken, not known, and more of them say no more of it. Source: Bouckaert 2003, who found ten
        for ten repetitions of ten folds."""
        return MOST_DF if self.analysis == "resampled" else math.inf

    def inflation(self, instances: int) -> float:
        """By how much is the variance of a mean over instances more than if they were independent?

        Bootstrap samples are of the same cases: the variance of their mean is that of one, however many there
        are. With S^2 the variance of I means whose correlation is the share r, that of their mean is
        estimated by S^2 (1 / I + r / (1 - r)): Nadeau and Bengio 2003, section 5."""
        return instances if self.by_samples else 1 + instances * self.share / (1 - self.share)
