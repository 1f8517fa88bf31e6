"""What a paper's table says around its cells: caption, meaning of the marks, how p was computed, gaps."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from delvecore.losses.spec import LOSS_SPECS, parse_loss
from delvecore.report.grid import BEST, BETTER_THAN, EQUAL, MARKS, UNTESTED, WORSE, WORSE_THAN
from delvecore.report.paper.request import PaperRequest
from delvecore.report.paper.standings import RankRow
from delvecore.report.paper.table import CASES, Head, PaperCell
from delvecore.report.rounding import p_text
from delvecore.statistics.choose import words_of_tests
from delvecore.statistics.losses.standardization import loss_title
from delvecore.statistics.notes import DOMINATED, words_of

__all__ = ["TableFacts", "archive_caption", "loss_caption", "marks_of", "notes_of", "score_caption"]

ADJUSTED = {
    "holm": "adjusted by Holm's procedure for the comparisons with the best of the same {noun}",
    "bonferroni": "adjusted by Bonferroni's procedure for the comparisons with the best of the same {noun}",
    "none": "not adjusted for the number of comparisons",
}
MISSING_WORDS = {
    "no results": "the method was not run on the task",
    "no score": "the table has no score there",
    "not standardized": "the loss of the baseline on the task is not known",
    "undefined": "the mean of the losses is undefined",
}


Cells = Sequence[tuple[PaperCell, ...]]


@dataclass(frozen=True)
class TableFacts:
    """What the notes need besides the cells. tests: letters of the tests used; by_levels: are rows levels of
    factors? has_errors: False for scores without errors."""

    request: PaperRequest
    tests: tuple[str, ...]
    ranks: RankRow | None
    by_levels: bool
    has_errors: bool = True

    @property
    def noun(self) -> str:
        return "group of tasks" if self.by_levels else "task"


def archive_caption(request: PaperRequest) -> tuple[str, str]:
    """Return (what the numbers are in one sentence, the same in a few words)."""
    loss = request.loss or ""
    title = loss_title(loss)
    of = "Means over the tasks of each row. " if request.by else ""
    if request.raw:
        return f"{title} ({loss}). {of}Lower is better; behind ± is the standard error.", title
    sentence = f"{loss_caption(loss)} {of}Lower is better; behind ± is the standard error."
    return sentence, f"{title}, standardized"


def loss_caption(loss: str) -> str:
    """Return a standardized loss in one sentence: `Squared error (S), standardized: 1 is ...`."""
    return f"{loss_title(loss)} ({loss}), standardized: {_baseline(loss)}."


def _baseline(name: str) -> str:
    if name in LOSS_SPECS:
        return f"{LOSS_SPECS[name].baseline_value:g} is {LOSS_SPECS[name].baseline}"
    loss = parse_loss(name)
    none = ", or none" if loss is not None and loss.penalty is not None else ""
    return f"1 is the best constant guess{none}"


def score_caption(request: PaperRequest, quantity: str) -> tuple[str, str]:
    """Return the same of a table of scores."""
    name = quantity or "Scores"
    return f"{name}. {'Higher' if request.higher_is_better else 'Lower'} is better.", name


def marks_of(cells: Cells, facts: TableFacts) -> tuple[tuple[str, str], ...]:
    """Return (what it stands for, meaning) of the marks that are asked for and occur."""
    standings = {name for row in cells for cell in row for name in (cell.standing, cell.to_reference)}
    wanted = set(facts.request.marks)
    asked = {
        BEST: "best" in wanted,
        EQUAL: "equal" in wanted,
        UNTESTED: "equal" in wanted and facts.has_errors,
        BETTER_THAN: "reference" in wanted,
        WORSE_THAN: "reference" in wanted,
    }
    meanings = _meanings(cells, facts)
    return tuple((name, meanings[name]) for name in MARKS if asked[name] and name in standings)


def _meanings(cells: Cells, facts: TableFacts) -> dict[str, str]:
    level, noun = f"{facts.request.alpha:g}", facts.noun
    lowest = "highest" if facts.request.higher_is_better else "lowest"
    numbers = "estimate" if facts.has_errors else "score"
    ranks = " (average ranks: the lowest)" if facts.ranks else ""
    reference = facts.request.reference
    return {
        BEST: f"the {lowest} {numbers} of its {noun}{ranks}.",
        EQUAL: _equal(facts, level),
        UNTESTED: f"not tested against the best of its {noun}: {_reasons(cells)}.",
        BETTER_THAN: f"significantly better than {reference}: unadjusted p < {level}.",
        WORSE_THAN: f"significantly worse than {reference}: unadjusted p < {level}.",
    }


def _equal(facts: TableFacts, level: str) -> str:
    if facts.has_errors:
        return f"not significantly worse than the best: p ≥ {level}."
    return f"average rank not significantly worse than the best one: p ≥ {level}."


def _reasons(cells: Cells) -> str:
    notes = {cell.note for row in cells for cell in row if cell.standing == UNTESTED}
    return "; ".join(sorted(note or "their losses cannot be paired" for note in notes))


def notes_of(heads: Sequence[Head], cells: Cells, facts: TableFacts) -> tuple[str, ...]:
    """Return the notes that belong to no mark."""
    notes = [_unmarked(cells, facts), _tests(cells, facts), _ranks(facts), _pool(heads, facts)]
    return tuple(
        note
        for note in (*notes, *_cautions(heads, cells, facts), *_missing(cells), _sizes(facts), _digits(facts))
        if note
    )


def _unmarked(cells: Cells, facts: TableFacts) -> str | None:
    standings = Counter(cell.standing for row in cells for cell in row)
    if not facts.has_errors:
        return "Within a task nothing is tested: single scores say nothing of their own uncertainty."
    if "equal" not in facts.request.marks or not standings[WORSE]:
        return None
    return f"Unmarked: significantly worse than the best, p < {facts.request.alpha:g}."


def _tests(cells: Cells, facts: TableFacts) -> str | None:
    """Say how p was computed; where nothing was tested, nothing."""
    if not any(cell.p is not None and cell.test != "Wilcoxon" for row in cells for cell in row):
        return None
    if not {"equal", "reference"} & set(facts.request.marks):
        return None
    adjusted = ADJUSTED[facts.request.adjust].format(noun=facts.noun)
    if facts.by_levels:
        how = (
            "of the mean over the tasks of the difference between the expected losses of two methods: t "
            "with Satterthwaite's degrees of freedom from the tasks' own standard errors, which within a "
            "dataset are added as if fully dependent"
        )
    else:
        how = "of the difference between the expected losses of two methods, by " + words_of_tests(
            facts.tests
        )
    return f"p: two-sided, {how}; {adjusted}, and not for choosing the best by its estimate."


def _ranks(facts: TableFacts) -> str | None:
    ranks = facts.ranks
    if ranks is None:
        return None
    omnibus = ranks.analysis.friedman
    p = omnibus.p if omnibus.exact_p is None else omnibus.exact_p
    name = "Friedman's test" + ("" if omnibus.exact_p is None else " (exact)")
    dropped = ""
    if ranks.dropped:
        tasks = "task is" if ranks.dropped == 1 else "tasks are"
        dropped = f" {ranks.dropped} {tasks} left out, where a method has no value."
    text = p_text(p)
    shown = f"p {text}" if text.startswith("<") else f"p = {text}"
    first = f"Average rank over {ranks.tasks} tasks, 1 is best, ties share their ranks; {name}: {shown}."
    return first + _pairs_of_ranks(facts, ranks.tasks) + dropped


def _pairs_of_ranks(facts: TableFacts, tasks: int) -> str:
    if "equal" not in facts.request.marks:
        return ""
    how = "Wilcoxon's signed-rank test over the tasks, with Holm's adjustment for all pairs"
    methods = len(facts.request.methods)
    smallest = methods * (methods - 1) / 2 * 2.0 ** (1 - tasks)
    few = ""
    if smallest >= facts.request.alpha:
        few = f", which with {tasks} tasks and {methods} methods cannot find any difference significant"
    return f" p of two average ranks: {how}{few}."


def _pool(heads: Sequence[Head], facts: TableFacts) -> str | None:
    if facts.ranks is None:
        return None
    datasets = Counter(path.split("/")[1] for head in heads for path in head.tasks if path.count("/") == 3)
    together = (
        " Tasks of one dataset are no independent sample." if any(n > 1 for n in datasets.values()) else ""
    )
    return f"Average ranks depend on which methods are in the table.{together}"


def _cautions(heads: Sequence[Head], cells: Cells, facts: TableFacts) -> list[str]:
    """Say where the quasi-F test rejects by itself."""
    places = [
        f"{method} on {' '.join(head.labels)}"
        for head, row in zip(heads, cells, strict=True)
        for method, cell in zip(facts.request.methods, row, strict=True)
        if DOMINATED in cell.notes
    ]
    return [f"Beware: {words_of([DOMINATED])}: {', '.join(places)}."] if places else []


def _missing(cells: Cells) -> list[str]:
    found = Counter(cell.missing for row in cells for cell in row if cell.missing)
    if not found:
        return []
    reasons = "; ".join(MISSING_WORDS.get(name, name) for name in sorted(found))
    return [f"–: no number: {reasons}."]


def _sizes(facts: TableFacts) -> str | None:
    if not facts.has_errors:
        return None
    if facts.by_levels:
        return "Tasks: how many tasks the row is the mean of."
    return CASES


def _digits(facts: TableFacts) -> str | None:
    digits = facts.request.digits
    if digits.isdigit():
        return f"Numbers have {digits} decimals, ranks two."
    if not facts.has_errors:
        return None
    of = "their standard error" if digits == "cell" else f"the smallest standard error of their {digits}"
    return f"Numbers are shown to the second significant digit of {of}."
