"""What a paper's table says around its cells: caption, meaning of the marks, how p was computed, gaps."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from delvecore.losses.spec import metric_of, parse_loss
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.report.grid import BEST, BETTER_THAN, EQUAL, MARKS, UNTESTED, WORSE, WORSE_THAN
from delvecore.report.paper.request import PaperRequest
from delvecore.report.paper.standings import RankRow
from delvecore.report.paper.table import CASES, TASK_TITLES, Head, PaperCell
from delvecore.report.ranking.sentences import (
    PLAIN,
    adjustment_name,
    basis_words,
    family_words,
    run_sentences,
    standing_of,
    standing_sentence,
    unit_source,
    units_name,
    untestable_words,
)
from delvecore.report.rounding import p_text
from delvecore.report.verdict_words import not_tested
from delvecore.report.writers.text import counted
from delvecore.stats.choose import adjustment_words, words_of_tests
from delvecore.stats.losses.results import loss_title
from delvecore.stats.ranking.score_table import FEW_RUNS, NO_COMMON_RUN, CommonRuns
from delvecore.stats.verdicts import RankTest

MISSING_WORDS = {
    "no results": "the method was not run on the task",
    FEW_RUNS: "the method has fewer than half of the task's instances",
    NO_COMMON_RUN: "no instance is common to all methods",
    "no score": "the table has no score there",
    "not standardized": "the loss of the baseline on the task is not known",
    "undefined": "the mean of the losses is undefined",
}


@dataclass(frozen=True)
class TableFacts:
    """What a table is made of. titles: of the labels of rows; rows: {method: cell}, one a head; tests: their
    letters; runs: over which means are. A request without a loss is one of scores, which have no errors."""

    request: PaperRequest
    titles: tuple[str, ...]
    heads: Sequence[Head]
    rows: Sequence[Mapping[str, PaperCell]]
    tests: tuple[str, ...] = ()
    ranks: RankRow | None = None
    runs: CommonRuns | None = None

    @property
    def cells(self) -> list[PaperCell]:
        return [cell for row in self.rows for cell in row.values()]

    @property
    def has_errors(self) -> bool:
        return self.request.loss is not None

    @property
    def noun(self) -> str:
        return "group of tasks" if self.request.by else "task"


def caption_of(request: PaperRequest, quantity: str = "") -> tuple[str, str]:
    """Return (what the numbers are in one sentence, the same in a few words). quantity: of scores."""
    better = f"{'Higher' if request.higher_is_better else 'Lower'} is better"
    if request.loss is None:
        name = quantity or "Scores"
        return f"{name}. {better}.", name
    of = "Means over the tasks of each row. " if request.by else ""
    if metric := metric_of(request.loss):
        numbers, title = f"{metric.name}.", metric.name
    elif request.raw:
        title = loss_title(request.loss)
        numbers = f"{title} ({request.loss})."
    else:
        numbers, title = loss_caption(request.loss), f"{loss_title(request.loss)}, standardized"
    return f"{numbers} {of}{better}; behind ± is the standard error.", title


def loss_caption(loss: str) -> str:
    """Return a standardized loss in one sentence: `Squared error (S), standardized: 1 is ...`; one that is
    kept of a metric, `1 - accuracy`, has no other unit."""
    if metric_of(loss):
        return f"{loss_title(loss)}."
    if loss in LOSS_SPECS:
        baseline = f"{LOSS_SPECS[loss].baseline_value:g} is {LOSS_SPECS[loss].baseline}"
    else:
        known = parse_loss(loss)
        has_penalty = known is not None and known.penalty is not None
        baseline = f"1 is the best constant guess{', or none' if has_penalty else ''}"
    return f"{loss_title(loss)} ({loss}), standardized: {baseline}."


def marks_of(facts: TableFacts) -> tuple[tuple[str, str], ...]:
    """Return (what it stands for, meaning) of the marks that are asked for and occur."""
    request, noun, level = facts.request, facts.noun, f"{facts.request.setting.alpha:g}"
    numbers, equal = "score", f"average rank not significantly worse than the best one: p ≥ {level}."
    if facts.has_errors:
        numbers, equal = "estimate", f"not significantly worse than the best: p ≥ {level}."
    lowest = f"{'highest' if request.higher_is_better else 'lowest'} {numbers}"
    ranks = " (average ranks: the lowest)" if facts.ranks else ""
    tested = facts.cells if facts.has_errors else []
    tested += list(facts.ranks.cells.values()) if facts.ranks else []
    notes = {cell.note for cell in tested if cell.standing == UNTESTED}
    reasons = "; ".join(sorted(note or "their losses cannot be paired" for note in notes))
    meanings = {
        BEST: ("best", f"the {lowest} of its {noun}{ranks}."),
        EQUAL: ("equal", equal),
        UNTESTED: ("equal", f"not tested against the best of its {noun}: {reasons}."),
        BETTER_THAN: ("reference", f"significantly better than {request.reference}: p < {level}."),
        WORSE_THAN: ("reference", f"significantly worse than {request.reference}: p < {level}."),
    }
    found = {name for cell in facts.cells for name in (cell.standing, cell.to_reference)} - {UNTESTED}
    found |= {UNTESTED} if notes else set()
    shown = (name for name in MARKS if name in found and meanings[name][0] in request.marks)
    return tuple((name, meanings[name][1]) for name in shown)


def notes_of(facts: TableFacts) -> tuple[str, ...]:
    """Return the notes that belong to no mark."""
    return (*run_sentences(facts.runs), *_on_tests(facts), *_on_ranks(facts), *_on_cells(facts))


def _on_tests(facts: TableFacts) -> Iterator[str]:
    """Say what is unmarked, and how p was computed where anything was tested."""
    request, cells = facts.request, facts.cells
    if not facts.has_errors:
        yield "Within a task nothing is tested: single scores say nothing of their own uncertainty."
    elif "equal" in request.marks and any(cell.standing == WORSE for cell in cells):
        yield f"Unmarked: significantly worse than the best, p < {request.setting.alpha:g}."
    is_tested = any(cell.p is not None and cell.test not in set(RankTest) for cell in cells)
    if not is_tested or not {"equal", "reference"} & set(request.marks):
        return
    numbers = "values" if metric_of(request.loss or "S") else "losses"
    how = f"difference between the expected {numbers} of two methods, by {words_of_tests(facts.tests)}"
    if request.by:
        how = (
            f"mean over the tasks of the difference between the expected {numbers} of two methods. It is t "
            "with Satterthwaite's degrees of freedom from the tasks' own standard errors, which within a "
            "dataset are added as if fully dependent"
        )
    of = "" if request.adjust == "none" else f" of methods on the same {facts.noun}"
    yield f"p: two-sided, of the {how}; {adjustment_words(request.adjust)}{of}."


def _on_ranks(facts: TableFacts) -> Iterator[str]:
    ranks, request = facts.ranks, facts.request
    if ranks is None:
        return
    found = ranks.found
    exact = found.friedman.exact_p
    text = p_text(found.friedman.p if exact is None else exact)
    shown = f"p {text}" if text.startswith("<") else f"p = {text}"
    said = (
        f"Average rank over {basis_words(found)}, 1 is best, ties share their ranks; Friedman's test"
        f"{'' if exact is None else ' (exact)'}: {shown}."
    )
    if "equal" in request.marks:
        how = adjustment_name(ranks.said)
        said += f" p of two average ranks: {PLAIN.test(ranks.said)} over the {units_name(found)}, {how}"
        if not ranks.said.is_testable:
            said += f", {not_tested(untestable_words(found))}"
        said += "."
    if dropped := len(found.dropped_tasks):
        said += f" {counted(dropped, 'task')} {'is' if dropped == 1 else 'are'} left out, where a method has "
        said += "no value."
    yield said
    if source := unit_source(found):
        yield source
    if together := family_words(found, request.test):
        yield together
    yield "Average ranks depend on which methods are in the table."


def _on_cells(facts: TableFacts) -> Iterator[str]:
    """Say why numbers are missing, how many digits they have."""
    digits = facts.request.digits
    if found := sorted({cell.missing for cell in facts.cells if cell.missing}):
        yield f"–: no number: {'; '.join(MISSING_WORDS.get(name, name) for name in found)}."
    if facts.has_errors:
        if facts.request.by:
            yield "Tasks: how many tasks the row is the mean of."
        elif facts.titles == TASK_TITLES:
            yield CASES
    if digits.isdigit():
        yield f"Numbers have {digits} decimals, ranks two."
    elif facts.has_errors:
        of = "their standard error" if digits == "cell" else f"the smallest standard error of their {digits}"
        yield f"Numbers are shown to the second significant digit of {of}."


def shown_words(request: PaperRequest, ranks: RankRow | None, methods: Sequence[str]) -> Iterator[str]:
    """Say which methods are shown where not all are, and how one's own does."""
    if len(methods) < len(request.methods):
        best = " of the best average ranks, best first," if ranks is not None else ""
        yield (
            f"{len(methods)} of {counted(len(request.methods), 'method')}{best} are shown; all are ranked "
            "and compared."
        )
    own = standing_of(ranks.found, ranks.said, request.mine) if ranks is not None and request.mine else None
    if own is not None:
        yield standing_sentence(own)
