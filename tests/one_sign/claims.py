"""What must hold of means, differences, verdicts and names, wherever they are shown."""

import math
import re
from collections.abc import Iterable

import pytest

from tests.one_sign.surfaces import Mean, Pair
from tests.one_sign.tables import METHODS, Case

NOISE = 1e-12


def is_number(value: float | None) -> bool:
    return value is not None and not math.isnan(value)


def check_means(case: Case, means: Iterable[Mean]) -> None:
    """Each number is pandas' of the same numbers, with its sign; every method has one."""
    shown = [one for one in means if is_number(one.value)]
    assert {one.method for one in shown} <= set(METHODS)
    assert shown, "no means are shown"
    wrong = []
    for one in shown:
        right = case.expected.statistics[one.method, one.path, one.statistic, one.raw]
        if one.value != pytest.approx(right, abs=one.within, rel=1e-6):
            wrong.append(f"{one.statistic} of {one.method} on {one.path}: {one.value}, not {right}")
    assert not wrong, f"{len(wrong)} of {len(shown)}: {wrong[0]}"


def check_differences(case: Case, pairs: Iterable[Pair]) -> None:
    """Each difference is the first mean less the second, and lies in its interval."""
    wrong, shown = [], 0
    for one in pairs:
        if not is_number(one.difference):
            continue
        shown += 1
        right = case.expected.difference(one.a, one.b, one.path, raw=one.raw)
        what = f"{one.a} less {one.b} on {one.path}"
        if one.is_weighted:
            is_sure = is_number(one.lower) and (one.lower > 0 or one.upper < 0)
            right = -one.difference if is_sure and one.difference * right < 0 else one.difference
        if one.difference != pytest.approx(right, abs=one.within, rel=1e-6):
            wrong.append(f"{what}: {one.difference}, not {right}")
        if is_number(one.lower) and not one.lower - NOISE <= right <= one.upper + NOISE:
            wrong.append(f"{what}: {right} is not within {one.lower} to {one.upper}")
    assert not wrong, f"{len(wrong)} claims on {shown}: {wrong[0]}"


def check_verdicts(case: Case, pairs: Iterable[Pair]) -> None:
    """Better and worse go by the direction."""
    wrong = []
    for one in pairs:
        if one.verdict not in ("better", "worse"):
            continue
        right = case.expected.difference(one.a, one.b, one.path, raw=one.raw)
        if case.expected.is_better(right) != (one.verdict == "better"):
            wrong.append(f"{one.a} is {one.verdict} than {one.b} on {one.path}, difference {right}")
    assert not wrong, f"{len(wrong)}: {wrong[0]}"


def verdicts_of_pairs(pairs: Iterable[Pair]) -> list[tuple[object, ...]]:
    """Return what does not depend on a column's name: pairs, verdicts, p."""
    return [(one.a, one.b, one.path, one.verdict, digits(one.p)) for one in pairs]


def digits(p: float | None) -> float | None:
    """Return p without the last digits, in which sums of other signs differ; None for not a number."""
    return float(f"{p:.9g}") if p is not None and is_number(p) else None


PARTS = {"1 - score": (r"1 - ", "(?<!-)score"), "1-AUC": (r"1-", "AUC"), "-LL": (r"-", "LL")}
"""Names that hold another name: what stands before it, and the other; in labels `---score` is a name in dashes."""
OF_LOSSES = re.compile(
    r"\b(?:mean|lower|lowest|expected|standardized|higher|of|how) loss(?:es)?\b"
    r"|\b(?:lose|loses) (?:less|least)\b|\bLosses: lower is better",
    re.IGNORECASE,
)
NOT_VALUES = ("losses", "losses_over_tasks")
"""Keys of tasks that were lost."""


def wrong_names(case: Case, text: str) -> list[str]:
    """Return where a text calls the column by another name, or speaks of losses where higher is better."""
    text = re.sub(r"\s+", " ", text.replace("\\", "")).replace("\N{MINUS SIGN}", "-")
    name = re.escape(case.name)
    other = [rf"(?<![\w-])-{name}(?!\w)", rf"(?<![\w-])1 - {name}(?!\w)", rf"(?<![\w-])1-{name}(?!\w)"]
    if case.name in PARTS:
        before, part = PARTS[case.name]
        other.append(rf"(?<!{before})(?<![\w/'_]){part}(?![\w/'_])")
    matches = [match for pattern in other for match in re.finditer(pattern, text)]
    if case.higher_is_better:
        matches += OF_LOSSES.finditer(text)
    return [text[max(match.start() - 40, 0) : match.end() + 25] for match in matches]


def wrong_keys(case: Case, row: Iterable[str]) -> list[str]:
    """Return the keys that call a value per loss where higher is better."""
    if not case.higher_is_better:
        return []
    return [key for key in row if "loss" in key.lower() and key not in NOT_VALUES]
