"""The numbers of the Compare page and its files, from the archive and its answers."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from dashboard.server.archive import look_order
from dashboard.server.cache import cached
from dashboard.ui.commands import command_text
from dashboard.ui.request import Request
from delvecore.answers.answer import Answer
from delvecore.answers.compare_methods import ESTIMATE_COLUMNS, PAIR_COLUMNS, TaskComparison
from delvecore.answers.compare_pair import Row, deciding_cases
from delvecore.archive import Archive, task_comparison, task_details
from delvecore.library.bundle import collected
from delvecore.losses.published import PUBLISHED_SIGN, PublishedResult
from delvecore.losses.spec import parse_loss
from delvecore.model import SCORED, Task, TaskId
from delvecore.plots import theme
from delvecore.plots.comparison import overview_figure
from delvecore.plots.figure import Figure
from delvecore.render.answers import answer_text
from delvecore.render.csv import csv_text
from delvecore.render.provenance import latex_comment
from delvecore.render.spans import plain
from delvecore.report import words
from delvecore.report.published import published_on, standardized
from delvecore.report.references import references_of_comparison
from delvecore.stats import notes
from delvecore.stats.choose import Setting
from delvecore.stats.losses.case_tests import CaseDifferences
from delvecore.stats.losses.results import usable_constant
from delvecore.tables import rows_of

_KEY = ("dataset", "prototask", "prior", "training_size", "task")
estimates = cached(task_comparison.task_estimates)
left_out = cached(task_comparison.left_out)


@cached
def compared_tasks(archive: Archive) -> dict[str, Task]:
    """Every task with results, by full path, sorted by dataset, prototask, prior and training size."""
    columns = archive.results.select(_KEY).take(archive.index.first_rows).to_pydict().values()
    tasks = (Task(*row[:-1]) for row in sorted(zip(*columns, strict=True)))
    return {task.path: task for task in tasks}


def training_size(request: Request) -> int:
    return compared_tasks(request.archive)[request.task].training_size


@cached
def _designs(archive: Archive) -> dict[TaskId, str]:
    names = (*TaskId._fields, "test_set_selection")
    return {TaskId(*place): design for *place, design in rows_of(archive.tasks, names)}


def design_of(request: Request) -> str:
    """Return the design of the request's test sets."""
    return _designs(request.archive).get(request.place, "hierarchical")


def ranked(archive: Archive, task: str, loss: str) -> list[str]:
    """The methods with results on a task under a loss, best mean first."""
    return [row["method"] for row in estimates(archive, task, loss)]


def _constant_of(request: Request) -> float | None:
    """Return the baseline's loss, which standardizes losses of the task."""
    constant: float | None = estimates(request.archive, request.task, request.loss)[0]["standardizer"]
    return constant


def is_standardizable(request: Request) -> bool:
    """Can the losses be expressed in units of the baseline? Metrics cannot."""
    return request.measure.is_loss and usable_constant(request.loss, _constant_of(request)) is not None


@cached
def published(request: Request) -> tuple[PublishedResult, ...]:
    """Published values on the task, in the chosen unit, lowest first."""
    values = published_on(request.archive, request.place, request.loss)
    if request.is_raw:
        return values
    return standardized(values, loss=request.loss, constant=_constant_of(request))


@cached
def pairs(
    archive: Archive, task: str, loss: str, family: tuple[str, ...], setting: Setting, shown: frozenset[str]
) -> tuple[Row, ...]:
    constant = estimates(archive, task, loss)[0]["standardizer"]
    about = {"family": family, "shown": shown, "standardizer": constant, "setting": setting}
    return task_comparison.task_pairs(archive, task, _losses(archive, task, loss), **about)


@cached
def comparison_of(request: Request) -> TaskComparison:
    place, shown = (request.archive, request.task, request.loss), frozenset(request.methods)
    rows = {row["method"]: row for row in estimates(*place)}
    elsewhere, order = published(request), look_order(request.archive)
    styles = theme.styles_of(request.methods, known=order, never_gray=[request.reference])
    looks = dict(zip(request.methods, styles, strict=True))

    def means_by_instance() -> dict[str, dict[int, float]]:
        losses = {name: task_comparison.instance_losses(_losses(*place), name) for name in request.methods}
        return {
            name: {number: float(np.mean(values)) for number, values in instances.items()}
            for name, instances in losses.items()
        }

    return TaskComparison(
        request.place,
        request.measure,
        tuple(rows[name] for name in request.methods),
        pairs(*place, request.family, request.setting, shown),
        request.reference,
        setting=request.setting,
        is_standardized=not request.is_raw,
        design=design_of(request),
        by_instance=means_by_instance,
        published=elsewhere,
        looks=looks | {one.method + PUBLISHED_SIGN: theme.ELSEWHERE for one in elsewhere},
    )


@cached
def answer_about(request: Request, question: str) -> Answer:
    """Return what the function of TaskComparison with this name answers."""
    answer: Answer = getattr(comparison_of(request), question)()
    return answer


@cached
def drawn(request: Request, question: str, draw: Callable[[Answer], Figure]) -> Figure:
    return draw(answer_about(request, question))


def basis_sentence(request: Request, *, short: bool = False) -> str:
    """The basis of the comparison. short: for the line below the heading; otherwise with the adjustment of
    p."""
    comparison, missed = comparison_of(request), ""
    if not comparison.is_scored and (cases := comparison.estimates[0]["test_cases"]) is not None:
        missed = left_out(request.archive, request.place, request.loss, cases)
    basis = comparison.basis if short else comparison.basis_sentence
    return basis(training_size=training_size(request), left_out=missed)


def estimates_command(request: Request) -> str | None:
    """Return the commands that print the estimates of each method; None for scores."""
    if request.place[1] == SCORED:
        return None
    return "; ".join(
        command_text("mstats", "-l", request.loss, f"/{name}{request.task}") for name in request.methods
    )


def mstats_command(request: Request, *, all_pairs: bool = False) -> str | None:
    """Return the command that prints these numbers; None for scores, which are in no delve directory.

    all_pairs: one command for each method but the last, not only for the reference. Names in one list must
    have no blanks or commas; otherwise each method has a separate command."""
    if request.place[1] == SCORED:
        return None
    methods = [request.reference, *request.others]
    places = range(len(methods) - 1) if all_pairs else [0]
    return "; ".join(line for place in places for line in _mstats_lines(request, methods[place:]))


def _mstats_lines(request: Request, methods: list[str]) -> Iterator[str]:
    """Yield the commands that compare the first method with the others by the test of the page."""
    first, *others = methods
    are_words = [name.replace(",", " ").split() == [name] for name in others]
    names = [name if is_word else f"/{name}/" for name, is_word in zip(others, are_words, strict=True)]
    for listed in [" ".join(names)] if all(are_words) else names:
        safe = ["--safe"] if parse_loss(request.loss) else []
        compared = [*safe, "-c", listed] if listed else []
        yield command_text("mstats", "-l", request.loss, *compared, f"/{first}{request.task}")


@cached
def _losses(archive: Archive, task: str, loss: str) -> pa.Table:
    return archive.losses_at(task, loss=loss)


@cached
def case_losses(request: Request) -> tuple[CaseDifferences | None, tuple[int, ...]]:
    """Differences of two methods case by case, None if their cases do not match, and the instances of
    both."""
    losses = _losses(request.archive, request.task, request.loss)
    return task_comparison.shared_cases(losses, request.methods, design=design_of(request))


@cached
def cases_answer(request: Request, method: str) -> Answer | None:
    """The answer about the test cases of a method and the reference; None if they have none in common."""
    differences, _ = case_losses(request.of_pair(method))
    if differences is None:
        return None
    constant = None if request.is_raw else _constant_of(request)
    names, is_common = (method, request.reference), design_of(request) == "common"
    return deciding_cases(differences, names, measure=request.measure, constant=constant, is_common=is_common)


@cached
def deciding_table(request: Request, *, most: int) -> pd.DataFrame:
    """The test cases with the largest differences between the two methods of a request, largest first."""
    differences, instances = case_losses(request)
    if differences is None:
        return pd.DataFrame()
    place = request.archive, request.place, request.loss
    return task_details.deciding_table(*place, request.methods, differences, instances, most=most)


TWO_COLUMNS = 178.0
"""Width of two columns of a paper, in millimeters."""
ABOUT = {
    "methods.txt": "methods and results, in paragraphs for the text",
    "caption.txt": "the caption of the figure",
    "figure.pdf": "mean losses and differences from the reference, 178 mm wide: two columns",
    "figure.png": "the same, 300 dots per inch",
    "figure.svg": "the same, in a format for editing",
    "table.tex": "the methods with losses and errors; needs the package booktabs",
    "pairs.tex": "all pairs with differences, intervals and p; needs the package booktabs",
    "losses.csv": "the numbers of the methods, with all digits",
    "pairs.csv": "the numbers of all pairs",
    "command.txt": "the command that makes the numbers again",
    "references.bib": "what to cite, in BibTeX",
}


def table_csv(request: Request, what: str) -> str:
    """Return `estimates` or `pairs` with all their columns and full precision; the difference is a minus
    b."""
    comparison = comparison_of(request)
    if what == "estimates":
        table = comparison.estimates_table.select(*ESTIMATE_COLUMNS)
    else:
        table = comparison.pairs_table.select(*PAIR_COLUMNS)
    return csv_text(table.keys, table.rows)


def table_latex(request: Request, what: str) -> str:
    """Return `estimates` or `pairs` as a booktabs table with the best or significant values in bold."""
    label = f"tab:{what}-{request.loss}{request.task}"
    return answer_text(answer_about(request, f"{what}_answer"), "latex", label=label)


def bundle_of(
    request: Request, command: str, provenance: Sequence[str], numbers: Sequence[str]
) -> dict[str, bytes]:
    """Return the files of a bundle. numbers: lines after the provenance in its pictures."""
    comparison = comparison_of(request)
    in_units = words.measure_quantity(request.measure)
    quantity = in_units.removeprefix("standardized ")
    shown = quantity if request.is_raw else in_units
    overlaps = any(
        note.code in notes.OVERLAPS for row in comparison.pairs for note in notes.parsed(row["notes"])
    )
    cited = references_of_comparison(request.setting, overlaps=overlaps)
    comment = latex_comment(provenance)
    texts = {
        "methods.txt": plain("\n\n".join(comparison.paper_words(quantity, basis_sentence(request)))) + "\n",
        "caption.txt": comparison.figure_caption(shown) + "\n",
        "table.tex": comment + table_latex(request, "estimates"),
        "pairs.tex": comment + table_latex(request, "pairs"),
        "losses.csv": table_csv(request, "estimates"),
        "pairs.csv": table_csv(request, "pairs"),
        "references.bib": "\n".join(one.bibtex for one in cited),
    }
    figures = {"figure": lambda _width: drawn(request, "overview", overview_figure).plotly()}
    about: dict[str, Any] = {"command": command, "provenance": provenance, "numbers": "\n".join(numbers)}
    return collected(texts, figures, ABOUT, width=TWO_COLUMNS, **about)
