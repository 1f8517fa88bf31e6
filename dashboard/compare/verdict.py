"""What a comparison says, in one sentence: who is better, by how much, how sure, and if not, why not.

Rows are dictionaries of `compare_data`: estimates of methods and pairs of methods. Sentences are Markdown
with escaped names. Verdicts are those of the pairs."""

from collections.abc import Sequence
from typing import NamedTuple

from dashboard.compare import data
from dashboard.compare.choice import STANDARDIZED, ComparedTask, Request
from dashboard.compare.data import Row
from delvecore.losses.spec import metric_of
from delvecore.model import SCORED, task_title
from delvecore.plots import words
from delvecore.report.ranking.highlighted_method import Standing
from delvecore.report.rounding import SMALLEST_P
from delvecore.report.verdict_words import NO_DIFFERENCE, PHRASES
from delvecore.stats import notes
from delvecore.stats.choose import FEWEST_COMMON_CASES, SIGNIFICANT, Verdict, adjustment_words
from delvecore.stats.notes import Note, parsed, words_of

__all__ = [
    *(
        "Caution",
        "basis_sentence",
        "cautions",
        "is_significant",
        "own_standing",
        "pair_sentence",
        "pair_verdict",
        "pairs_named",
    ),
    *("probability", "reference_sentence", "subject", "task_sentence", "training_sets", "verdict_with_p"),
]

IDENTICAL = "identical"
TURNED = {str(Verdict.BETTER): str(Verdict.WORSE), str(Verdict.WORSE): str(Verdict.BETTER)}
SAID = (*SIGNIFICANT, Verdict.NOT_SIGNIFICANT, IDENTICAL, Verdict.NOT_TESTED)
_WHY_NOT = {
    notes.ONE_TRAINING_SET: "there is one training set only, so how sure that is cannot be estimated",
    notes.ONE_TEST_CASE: "there is one test case only, so how sure that is cannot be estimated",
    notes.FEW_TEST_CASES: f"fewer than {FEWEST_COMMON_CASES} common test cases do not show how sure that is",
    notes.TOO_LARGE: "the losses are too large for a test",
    notes.ZERO_VARIANCE: "the difference is the same everywhere, so p is undefined",
    notes.SAME_TRAINING_SETS: "all have the same training set, so how sure that is cannot be estimated",
    notes.REORDERED: "the same test cases are listed in different orders, which no analysis is made for",
}
_CAUTIONS = {
    notes.CLIPPED["training"]: "the variance between training sets was estimated negative and set to zero",
    notes.CLIPPED["cases"]: "the variance between test cases was estimated negative and set to zero",
}
_NOT_COMPARED = {
    note.code
    for note in (notes.UNKNOWN_TASK, notes.NO_SHARED_INSTANCE, notes.UNEQUAL_LOSSES, notes.MIXED_SIZES)
}
_LIMITED = {
    note.code for note in (notes.SAME_TRAINING_SETS, notes.REORDERED, notes.ONE_SPLIT, notes.ONE_TEST_SET)
}
"""What of shared cases no test allows for."""


def subject(task: ComparedTask, request: Request, *, of: int) -> str:
    """`On /demo/age with 128 training cases, under squared error (S), 3 of 12 methods`: what a page is about.

    of: how many methods have results there. Markdown."""
    place = words.escape(task_title(*request.place))
    if task.training_size:
        prior = "" if task.prior == "std" else f", prior {words.escape(task.prior)}"
        place = words.escape(words.task_path(task.dataset, task.prototask))
        place += f" with {words.count(task.training_size, 'training case')}{prior}"
    methods = words.some_of(len(request.methods), of, "method")
    return f"On **{place}**, under {words.loss_within(request.loss)}, {methods}"


def basis_sentence(request: Request) -> str:
    """`8 training sets of 256 cases, a test set of 512 cases, its own for each. p is adjusted ...`"""
    rests = _basis_of_scores(request) if data.is_scored(request) else _basis_of_cases(request)
    if pairs := max((pair["compared"] or 0 for pair in data.chosen_pairs(request)), default=0):
        return f"{rests} p is {adjustment_words(request.setting.adjust, pairs)}."
    return rests


def _basis_of_scores(request: Request) -> str:
    counts = {one["instances"] for one in data.chosen_estimates(request)}
    fewest = f"{min(counts)} to " if len(counts) > 1 else ""
    if request.place[1] != SCORED:
        sets = f"{fewest}{words.count(max(counts), 'training set')}"
        return f"One number for each of {sets}; what needs single cases is shown for losses only."
    return f"{fewest}{words.count(max(counts), 'score')} of each method."


def _basis_of_cases(request: Request) -> str:
    task, row = data.task_of(request), data.estimates(request.state, request.task, request.loss)[0]
    own = "the same for all" if task.design == "common" else "its own for each"
    test = "test sets of different sizes"
    if row["test_cases"] is not None:
        test = f"a test set of {words.count(row['test_cases'], 'case')}"
        missed = data.left_out(request.state, request.place, request.loss, row["test_cases"])
        test += f" ({missed})" if missed else ""
    cases, said = words.count(task.training_size, "case"), parsed(row["notes"])
    if notes.ONE_SPLIT in said:
        return f"{words.count(row['instances'], 'run')} on one training set of {cases} and {test}."
    if samples := _samples(row, said):
        return f"{samples}, each of {cases} drawn with replacement and tested on those left out."
    return f"{words.count(row['instances'], 'training set')} of {cases}, {test}, {own}."


def training_sets(row: Row) -> int:
    """Return how many training sets a result rests on; that of all cases, which .632 counts beside its
    samples, is none of them."""
    count: int = row["instances"]
    return count - (notes.BOOTSTRAP_632 in parsed(row["notes"]))


def _samples(row: Row, said: Sequence[Note]) -> str:
    """`200 bootstrap samples (.632)`; nothing for what is no bootstrap."""
    if notes.BOOTSTRAP in said:
        return words.count(row["instances"], "bootstrap sample") + " (e0)"
    if notes.BOOTSTRAP_632 in said:
        return words.count(training_sets(row), "bootstrap sample") + " (.632)"
    return ""


def probability(pair: Row) -> str:
    """`p = 0.053`, `p < 0.0001`, `p undefined`: adjusted as the pair says."""
    return words.p_value(pair["p_adjusted"])


def pair_verdict(pair: Row) -> str:
    """What does the test say of a less b? `better`, `worse`, `not significant`, `not tested`, `identical`."""
    verdict: str = pair["verdict"]
    return IDENTICAL if _has(pair, notes.IDENTICAL) else verdict


def is_significant(pair: Row) -> bool:
    return pair["verdict"] in SIGNIFICANT


def verdict_with_p(pair: Row) -> str:
    """`worse, p = 0.012`; without p where there is none."""
    said = pair_verdict(pair)
    return said if pair["p"] is None else f"{said}, {probability(pair)}"


def pair_sentence(pair: Row, *, unit: str) -> str:
    """`lin-1 loses 0.33 ± 0.14 more than knn-cv-1, p = 0.053, 8 training sets: no significant difference.`"""
    a, b = words.escape(pair["method_a"]), words.escape(pair["method_b"])
    if _has(pair, notes.IDENTICAL):
        return f"**{a} and {b} have the same loss on every test case**: there is no difference to test."
    if pair["difference"] is None or _has(pair, notes.NOT_FINITE):
        return _without_difference(pair, a, b)
    standard = unit == STANDARDIZED
    difference = pair["standardized_difference" if standard else "difference"]
    error = pair["standardized_error" if standard else "standard_error"]
    size = f"**{_size(pair, difference, error or None)}**"
    if pair["p"] is None:
        return f"{size}, but {_reason(pair)}."
    basis = f"{probability(pair)}, {_basis(pair)}"
    better = a if pair["difference"] < 0 else b
    said = f"{better} is {PHRASES[Verdict.BETTER]}" if is_significant(pair) else NO_DIFFERENCE
    return f"{size}{' (standardized)' if standard else ''}, {basis}: **{said}**."


def _size(pair: Row, difference: float, error: float | None) -> str:
    """`a loses 0.33 ± 0.14 more than b`, `The accuracy of a is 0.33 ± 0.14 lower than that of b`."""
    a, b = words.escape(pair["method_a"]), words.escape(pair["method_b"])
    amount, metric = words.with_error(abs(difference), error), metric_of(pair["loss"])
    if metric is None:
        size = (
            f"{amount} {'more' if difference > 0 else 'less'} than" if difference else "on average as much as"
        )
        return f"{a} loses {size} {b}"
    side = "lower" if (difference > 0) == metric.higher_is_better else "higher"
    size = f"{amount} {side} than" if difference else "on average the same as"
    return f"The {words.escape(metric.name)} of {a} is {size} that of {b}"


def _basis(row: Row) -> str:
    """`8 training sets`, `10 training sets that overlap` where the numbers are corrected for it, `10 runs on
    one split, and of this split only`, `200 bootstrap samples`."""
    said = parsed(row.get("notes"))
    if notes.ONE_SPLIT in said:
        return words.count(row["instances"], "run") + " on one split, and of this split only"
    if samples := _samples(row, said):
        return samples
    if counts := next((note.numbers[1:3] for note in said if note.code == notes.MCNEMAR.code), None):
        only = (f"{counts[n]:g} that only {words.escape(row[f'method_{one}'])}" for n, one in enumerate("ab"))
        return f"{words.count(row['instances'], 'case')} left out in turn, {' and '.join(only)} gets wrong"
    if notes.ONE_TEST_SET in said:
        return words.count(row["instances"], "training set") + " of one test set"
    overlap = any(note.code in notes.OVERLAPS for note in said)
    return words.count(row["instances"], "training set") + " that overlap" * overlap


def _without_difference(pair: Row, a: str, b: str) -> str:
    infinite = [name for name, side in ((a, "mean_a"), (b, "mean_b")) if pair[side] == float("inf")]
    if len(infinite) == 1:
        other = b if infinite == [a] else a
        said = f"**{infinite[0]} has an infinite loss, {other} has none**"
        return f"{said}: it gave probability zero to what happened. A test is not possible."
    if infinite:
        return f"**{a} and {b} both have infinite losses**: they cannot be compared under this loss."
    return f"**{a} and {b} cannot be compared here**: {_reason(pair)}."


def _reason(pair: Row) -> str:
    found = parsed(pair["notes"])
    reason = next((why for note, why in _WHY_NOT.items() if note in found), None)
    return reason or words.escape(pair["note"] or "there is no test")


def _has(pair: Row, note: Note) -> bool:
    return note in parsed(pair["notes"])


def task_sentence(estimates: Sequence[Row], pairs: Sequence[Row], *, unit: str) -> str:
    """Who has the lowest loss, and who is not significantly worse at this level?

    estimates: lowest first, those without a mean last; pairs: of each other method (a) with the first (b), or
    the one pair there is, either way round."""
    if len(pairs) == 1:
        return pair_sentence(pairs[0], unit=unit)
    best = estimates[0]
    if best["mean"] is None or best["mean"] == float("inf"):
        return "**None of these methods has a finite mean loss here**: they cannot be compared."
    standard = unit == STANDARDIZED
    mean = best["standardized_mean" if standard else "mean"]
    error = best["standardized_error" if standard else "standard_error"]
    kind, side = "standardized loss" if standard else "loss", "lowest"
    if metric := metric_of(best["loss"]):
        kind, side = words.escape(metric.name), "highest" if metric.higher_is_better else "lowest"
        mean = float(metric.values_of(mean))
    first = f"**{words.escape(best['method'])} has the {side} {kind}, {words.with_error(mean, error)}**"
    return f"{first}, {_basis(best)}. {_verdicts_sentence(pairs)}"


def _verdicts_sentence(pairs: Sequence[Row]) -> str:
    """Say which methods do not differ significantly from the best, and which are worse."""
    groups, reasons = _by_verdict(pairs, with_p=True), {_reason(pair) for pair in pairs}
    if groups.keys() == {Verdict.NOT_TESTED} and len(reasons) == 1:
        return f"**None of the {len(pairs)} others is tested against it**: {reasons.pop()}."
    worse = PHRASES[Verdict.WORSE]
    titles = {
        IDENTICAL: "**With the very same losses**",
        Verdict.NOT_SIGNIFICANT: f"**{_capital(NO_DIFFERENCE)} from it**",
        Verdict.WORSE: _capital(worse) if len(groups) > 1 else f"**All others are {worse}**",
        Verdict.BETTER: _capital(PHRASES[Verdict.BETTER]),
        Verdict.NOT_TESTED: _capital(PHRASES[Verdict.NOT_TESTED]),
    }
    return " ".join(f"{titles[key]}: {groups[key]}." for key in titles if key in groups)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _by_verdict(pairs: Sequence[Row], *, with_p: bool = False) -> dict[str, str]:
    """Return the methods a, listed, by what the test says of them. with_p: each with its p; one that is too
    small for digits stands once behind all that have it."""
    groups: dict[str, list[str]] = {}
    tiny: dict[str, list[str]] = {}
    for pair in pairs:
        name, verdict = words.escape(pair["method_a"]), pair_verdict(pair)
        p = probability(pair) if with_p and pair["p"] is not None else ""
        of_verdict = groups.setdefault(verdict, [])
        if "<" in p:
            tiny.setdefault(verdict, []).append(name)
        else:
            of_verdict.append(f"{name} ({p})" if p else name)
    for verdict, names in tiny.items():
        each = "each " if len(names) > 1 else ""
        tiny[verdict] = [f"{words.and_list(names)} ({each}p < {SMALLEST_P})"]
    return {
        verdict: ", ".join([*names, *tiny[verdict]]) if verdict in tiny else words.and_list(names)
        for verdict, names in groups.items()
    }


def reference_sentence(pairs: Sequence[Row], reference: str) -> str | None:
    """How do the others do against the reference? None with fewer than two others.

    pairs: of each other method (a) with the reference (b)."""
    if len(pairs) < 2:
        return None
    groups = _by_verdict(pairs)
    said = [f"{verdict}: {groups[verdict]}" for verdict in SAID if verdict in groups]
    return f"Against **{words.escape(reference)}**: {'; '.join(said)}."


def own_standing(estimates: Sequence[Row], pairs: Sequence[Row], mine: str | None) -> Standing | None:
    """Where does the visitor's own method stand on this task? None where it is not compared.

    estimates: lowest first, those without a mean last; pairs: of all of them."""
    means = {row["method"]: row["mean"] for row in estimates}
    if mine is None or mine not in means:
        return None
    groups: dict[str, list[str]] = {}
    for pair in pairs:
        names = pair["method_a"], pair["method_b"]
        if mine in names:
            verdict = str(pair["verdict"])
            verdict = verdict if mine == names[0] else TURNED.get(verdict, verdict)
            groups.setdefault(verdict, []).append(names[names[0] == mine])
    own, known = means[mine], [mean for mean in means.values() if mean is not None]
    place = None if own is None else 1 + sum(mean < own for mean in known)
    parts = (groups.get(one, []) for one in (Verdict.BETTER, Verdict.WORSE, Verdict.NOT_SIGNIFICANT))
    return Standing(mine, place, len(means), *parts)


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
    return found


def _caution(note: Note, pair: Row) -> Caution | None:
    if note in _CAUTIONS:
        return Caution(_CAUTIONS[note], is_serious=False)
    if note.code == notes.SHARED_INSTANCES.code:
        return Caution(f"compared on the {words.count(int(note.numbers[0]), 'training set')} that both have")
    if note.code == notes.MCNEMAR.code:  # the counts of each pair stand in the table of pairs
        return Caution(
            "leave-one-out of losses 0 or 1 does not compare methods, 10 folds do; All pairs has McNemar's "
            "test of these two classifiers, on this training set"
        )
    if note.code in _NOT_COMPARED | notes.OVERLAPS:
        text = words_of([note], methods=(pair["method_a"], pair["method_b"]))
        is_allowed_for = note.code in notes.OVERLAPS - _LIMITED
        return Caution(words.escape(text or ""), is_serious=not is_allowed_for)
    return None


def pairs_named(names: Sequence[str], *, of: int) -> str:
    """`a and b` for one pair concerned, `All 3 pairs` or `2 of 3 pairs` for several.

    names: one text a pair concerned; of: how many pairs are compared."""
    if len(names) == 1:
        return names[0]
    return f"All {of} pairs" if len(names) == of else f"{len(names)} of {of} pairs"
