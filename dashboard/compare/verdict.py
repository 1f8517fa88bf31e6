"""What a comparison says, in one sentence: who is better, by how much, how sure, and if not, why not.

Rows are dictionaries of `compare_data`: estimates of methods and pairs of methods. Sentences are Markdown
with escaped names. A difference is settled where p is below 1 minus the chosen level of confidence.
"""

from collections.abc import Sequence
from typing import NamedTuple

from dashboard.compare.choice import STANDARDIZED
from dashboard.compare.data import Row
from dashboard.frame import words
from delvecore.statistics import choose, notes
from delvecore.statistics.notes import Note, parsed, words_of

__all__ = [
    "Caution",
    "cautions",
    "is_rough",
    "is_settled",
    "pair_sentence",
    "pair_verdict",
    "pairs_named",
    "probability",
    "reference_sentence",
    "task_sentence",
    "verdict_with_p",
]

_WHY_NOT = {
    notes.ONE_TRAINING_SET: "there is one training set only, so how sure that is cannot be estimated",
    notes.ONE_TEST_CASE: "there is one test case only, so how sure that is cannot be estimated",
    notes.TOO_LARGE: "the losses are too large for a test",
    notes.ZERO_VARIANCE: "the difference is the same everywhere, so p is undefined",
}
_CAUTIONS = {
    notes.DOMINATED: (
        "the interaction of training sets and test cases is larger than everything else; the F-test then "
        "rejects by itself, and its p-value says little"
    ),
    notes.CLIPPED["training"]: "the variance between training sets was estimated negative and set to zero",
    notes.CLIPPED["cases"]: "the variance between test cases was estimated negative and set to zero",
}
_NOT_COMPARED = {
    note.code
    for note in (notes.UNKNOWN_TASK, notes.NO_SHARED_INSTANCE, notes.UNEQUAL_LOSSES, notes.MIXED_SIZES)
}


def is_rough(pair: Row) -> bool:
    """Is nothing but `p < 0.05` known of this pair? So `mstats` has it for F-tests of few training sets."""
    return choose.is_rough(pair["p"], test=pair["test"], instances=pair["instances"])


def probability(pair: Row) -> str:
    """`p = 0.053`, `p < 0.0001`, `p undefined`."""
    return f"p < {choose.ROUGH_P}" if is_rough(pair) else words.p_value(pair["p"])


def is_settled(pair: Row, level: float) -> bool:
    """Is the difference significant at 1 - level?"""
    return choose.is_settled(pair["p"], level=level, test=pair["test"], instances=pair["instances"])


def pair_verdict(pair: Row, level: float) -> choose.Verdict:
    """What does the test say of a less b?"""
    facts = {name: pair[name] for name in ("difference", "p", "test", "instances")}
    return choose.verdict(**facts, level=level, identical=_has(pair, notes.IDENTICAL))


def verdict_with_p(pair: Row, level: float) -> str:
    """`worse, p = 0.012`; without p where there is none."""
    said = pair_verdict(pair, level)
    return said if pair["p"] is None else f"{said}, {probability(pair)}"


def pair_sentence(pair: Row, *, level: float, unit: str) -> str:
    """`lin-1 loses 0.33 ± 0.14 more than knn-cv-1, p = 0.053, 8 training sets: not settled.`"""
    a, b = words.escape(pair["method_a"]), words.escape(pair["method_b"])
    if _has(pair, notes.IDENTICAL):
        return f"**{a} and {b} have the same loss on every test case**: there is nothing to tell them apart."
    if pair["difference"] is None or _has(pair, notes.NOT_FINITE):
        return _without_difference(pair, a, b)
    size = f"{a} {_loses(pair, unit)} {b}"
    if pair["p"] is None:
        return f"**{size}**, but {_reason(pair)}."
    size = f"**{size}**" + (" (standardized)" if unit == STANDARDIZED else "")
    basis = f"{probability(pair)}, {words.count(pair['instances'], 'training set')}"
    if not is_settled(pair, level):
        return f"{size}, {basis}: **not settled**."
    better = a if pair["difference"] < 0 else b
    return f"{size}, {basis}: **{better} is better**."


def _loses(pair: Row, unit: str) -> str:
    """`loses 0.33 ± 0.14 more than`, or `loses as much as`."""
    standard = unit == STANDARDIZED
    difference = pair["standardized_difference" if standard else "difference"]
    error = pair["standardized_error" if standard else "standard_error"]
    if difference == 0:
        return "loses on average as much as"
    direction = "more" if difference > 0 else "less"
    return f"loses {words.with_error(abs(difference), error or None)} {direction} than"


def _without_difference(pair: Row, a: str, b: str) -> str:
    infinite = [
        name
        for name, mean in ((a, pair["mean_a"]), (b, pair["mean_b"]))
        if mean is not None and mean == float("inf")
    ]
    if len(infinite) == 1:
        other = b if infinite == [a] else a
        return (
            f"**{infinite[0]} has an infinite loss, {other} has none**: it gave probability zero to what "
            "happened. A test is not possible."
        )
    if infinite:
        return f"**{a} and {b} both have infinite losses**: they cannot be compared under this loss."
    return f"**{a} and {b} cannot be compared here**: {_reason(pair)}."


def _reason(pair: Row) -> str:
    found = parsed(pair["notes"])
    reason = next((why for note, why in _WHY_NOT.items() if note in found), None)
    return reason or words.escape(pair["note"] or "there is no test")


def _has(pair: Row, note: Note) -> bool:
    return note in parsed(pair["notes"])


def task_sentence(estimates: Sequence[Row], pairs: Sequence[Row], *, level: float, unit: str) -> str:
    """Who has the lowest loss, and who cannot be told from it at this level?

    estimates: lowest first, those without a mean last; pairs: of each other method (a) with the first (b), or
    the one pair there is, either way round.
    """
    if len(pairs) == 1:
        return pair_sentence(pairs[0], level=level, unit=unit)
    best = estimates[0]
    if best["mean"] is None or best["mean"] == float("inf"):
        return "**None of these methods has a finite mean loss here**: they cannot be compared."
    standard = unit == STANDARDIZED
    mean = best["standardized_mean" if standard else "mean"]
    error = best["standardized_error" if standard else "standard_error"]
    kind = "standardized loss" if standard else "loss"
    lowest = f"**{words.escape(best['method'])} has the lowest {kind}, {words.with_error(mean, error)}**"
    return f"{lowest}, {words.count(best['instances'], 'training set')}. {_told_apart(pairs, level)}"


def _told_apart(pairs: Sequence[Row], level: float) -> str:
    """Say who is not distinguishable from the best, and who is worse."""
    groups: dict[str, list[str]] = {}
    for pair in pairs:
        p = f" ({probability(pair)})" if pair["p"] is not None else ""
        groups.setdefault(pair_verdict(pair, level), []).append(words.escape(pair["method_a"]) + p)
    titles = {
        "identical": "**With the very same losses**",
        "not settled": "**Not distinguishable from it**",
        "worse": "Settled as worse" if len(groups) > 1 else "**All others are settled as worse**",
        "better": "Settled as better",
        "no test": "Without a test",
    }
    return " ".join(f"{titles[key]}: {words.and_list(groups[key])}." for key in titles if key in groups)


def reference_sentence(pairs: Sequence[Row], reference: str, *, level: float) -> str | None:
    """How do the others do against the reference? None with fewer than two others.

    pairs: of each other method (a) with the reference (b).
    """
    if len(pairs) < 2:
        return None
    groups: dict[str, list[str]] = {}
    for pair in pairs:
        groups.setdefault(pair_verdict(pair, level), []).append(words.escape(pair["method_a"]))
    said = [
        f"{verdict}: {words.and_list(groups[verdict])}" for verdict in choose.Verdict if verdict in groups
    ]
    return f"Against **{words.escape(reference)}**: {'; '.join(said)}."


class Caution(NamedTuple):
    """text: what is to be beware of; is_serious: does it touch what the comparison says, and not only one of
    its terms?"""

    text: str
    is_serious: bool = True


def cautions(pairs: Sequence[Row]) -> dict[Caution, list[str]]:
    """Return what is to be beware of with the pairs that it concerns (`a and b`, escaped)."""
    found: dict[Caution, list[str]] = {}
    for pair in pairs:
        names = f"{words.escape(pair['method_a'])} and {words.escape(pair['method_b'])}"
        for note in parsed(pair["notes"]):
            if caution := _caution(note, pair):
                found.setdefault(caution, []).append(names)
        if is_rough(pair):
            found.setdefault(Caution(choose.TOO_ROUGH), []).append(names)
    return found


def _caution(note: Note, pair: Row) -> Caution | None:
    if note in _CAUTIONS:
        return Caution(_CAUTIONS[note], is_serious=note not in notes.CLIPPED.values())
    if note.code == notes.SHARED_INSTANCES.code:
        return Caution(f"compared on the {words.count(note.numbers[0], 'training set')} that both have")
    if note.code in _NOT_COMPARED:
        text = words_of([note], methods=(pair["method_a"], pair["method_b"]))
        return Caution(words.escape(text or ""))
    return None


def pairs_named(names: Sequence[str], *, of: int) -> str:
    """`a and b` for one pair concerned, `All 3 pairs` or `2 of 3 pairs` for several.

    names: one text a pair concerned; of: how many pairs are compared.
    """
    if len(names) == 1:
        return names[0]
    return f"All {of} pairs" if len(names) == of else f"{len(names)} of {of} pairs"
