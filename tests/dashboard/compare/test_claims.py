"""Headings and sentences of Compare claim what the page's own numbers show, on tasks of the shipped archive."""

import re
from itertools import islice

import pytest

import delvecore
from dashboard.compare import data
from dashboard.ui.request import Request
from delvecore.answers.compare_methods import REFERENCE
from delvecore.render.spans import plain

pytestmark = pytest.mark.slow
CHOICES = 40
COUNTED = {"all others are": None, "the other is": None, "none of": 0}


def requests(archive):
    """Yield requests: all methods of a task and a pair in turn, over tasks and losses of the whole archive."""
    tasks = list(data.compared_tasks(archive).values())
    for number, task in enumerate(tasks[:: max(1, len(tasks) // CHOICES)]):
        losses = sorted(archive.index.methods_on[task.id])
        loss = losses[number % len(losses)]
        names = data.ranked(archive, task.path, loss)
        shown = tuple(names) if number % 3 else (names[0], names[number % (len(names) - 1) + 1])
        reference = shown[number % len(shown)] if number % 2 else shown[0]
        about = {"methods": shown, "available": tuple(names), "reference": reference}
        yield Request(archive, loss, tasks=(task.path,), **about)


def test_claims_are_those_of_the_table(whole_archive, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(whole_archive))
    archive = delvecore.open()
    kinds = set()
    for request in islice(requests(archive), CHOICES):
        comparison = data.comparison_of(request)
        heading, basis = plain(comparison.heading), plain(data.basis_sentence(request, short=True))
        assert len(heading.split()) <= 15, heading
        assert all(len(one.split()) <= 25 for one in re.split(r"(?<=\.) (?=[A-Z\d])", basis)), basis
        assert request.task in heading
        table = comparison.overview().table
        means = dict(table.select("method", "mean").rows)
        matrix = {
            (a, b): verdict
            for a, b, verdict in comparison.pair_matrix().table.select("method_a", "method_b", "verdict").rows
        }
        if len(request.methods) == 2:
            kinds.add(_check_pair(heading, basis, table, means))
        else:
            kinds.add(_check_all(heading, means, matrix))
        _check_cautions(comparison)
    assert {"worse", "counted"} <= kinds


def _check_pair(heading, basis, table, means):
    """A pair's heading names the verdict, its basis the size and the interval."""
    ((name, reference, difference, lower, upper, verdict),) = (
        row
        for row in table.select("method", "reference", "difference", "lower", "upper", "verdict").rows
        if row[5] != REFERENCE
    )
    if verdict in ("better", "worse"):
        first, second = (name, reference) if verdict == "better" else (reference, name)
        assert heading.startswith(f"{first} is significantly better than {second} on ")
        assert means[first] < means[second]
        assert lower * upper > 0
    elif verdict == "not significant":
        assert heading.startswith(f"No significant difference between {name} and {reference} on ")
        assert lower <= 0 <= upper
    else:
        assert verdict in ("not tested", "identical")
        return verdict
    side = "more" if difference > 0 else "less"
    size, low, high = re.search(
        rf"{name} loses (\S+) {side} than {reference}, 95 % interval (\S+) to (\S+)\. ", basis
    ).groups()
    ends = sorted((lower, upper) if difference > 0 else (-upper, -lower))
    decimals = len(size.partition(".")[2])
    shown = [float(text.replace("−", "-")) for text in (size, low, high)]
    assert shown == pytest.approx([abs(difference), *ends], abs=0.51 * 10**-decimals)
    return verdict


def _check_all(heading, means, matrix):
    """The heading of several methods names the lowest mean, and counts those that are significantly worse."""
    lowest = min(means.values())
    best = [name for name, mean in means.items() if mean == lowest]
    if len(best) == 1:
        assert heading.startswith(f"{best[0]} has the lowest loss on ")
    else:
        assert heading.startswith(f"{len(best)} methods have the lowest loss on ")
    others = len(means) - len(best)
    worse = sum(matrix[name, best[0]] == "worse" for name in means if name not in best)
    if worse == others:
        assert heading.endswith("; all others are significantly worse.")
        return "worse"
    number = "none" if not worse else str(worse)
    assert re.search(rf"; {number} of {others} others (is|are) significantly worse\.$", heading)
    return "counted"


def _check_cautions(cautions):
    """A caution about training sets counts the pairs whose differences have no variance between them."""
    clipped = [pair for pair in cautions.pairs if "training_clipped" in pair["notes"]]
    assert all(pair["sd_training"] == 0 for pair in clipped)
    told = [plain(text) for text in cautions.remarks if "training sets add no" in text]
    assert bool(told) == bool(clipped)
    if len(clipped) > 1:
        some = "all" if len(clipped) == len(cautions.pairs) else f"{len(clipped)} of"
        assert told == [
            f"In {some} {len(cautions.pairs)} pairs the training sets add no measurable variance."
        ]
