"""All that commands and the library print of a case, in which the column must have its own name."""

from collections.abc import Callable, Mapping

from delvecore.answers.questions import QUESTIONS
from delvecore.cli import mtable
from delvecore.cli.delve import main as delve
from delvecore.cli.subcommands.array import DEFINITION, TABLES
from delvecore.report.paper.table import PAPER_FORMATS
from tests.one_sign.outputs import delve_text, printed
from tests.one_sign.questions import OF_TABLES, shape_for
from tests.one_sign.surfaces import REPORTS, comparison, ranking
from tests.one_sign.tables import Case

FORMATS = ("text", "json", "csv", "latex")


def array_text(case: Case, table: str, form: str) -> str:
    file, *rest = case.arguments()
    reference = () if table == DEFINITION else ("--reference", "bee")
    return printed(
        case, delve, "array", "design", file, *rest, "--table", table, *reference, "--format", form
    )


def rank_text(case: Case, word: str) -> str:
    """Return the answer to a question in text, which has the titles of columns; in JSON, which other tests have
    asked for already, where it takes long or losses may be spoken of."""
    form = "json" if QUESTIONS[word].is_slow or not case.higher_is_better else "text"
    return delve_text(case, "rank", "--show", word, "--format", form, shape=shape_for(word))


def top_text(case: Case, *options: str) -> str:
    return delve_text(case, "top", *options, single=False)


def table_text(case: Case, form: str) -> str:
    return delve_text(case, "table", "--format", form)


TEXTS: dict[str, Callable[[Case], Mapping[str, str]]] = {
    "rank": lambda case: {form: delve_text(case, "rank", "--format", form) for form in FORMATS},
    "rank --show": lambda case: {word: rank_text(case, word) for word in OF_TABLES},
    "report": lambda case: {"text": delve_text(case, "report")},
    "top": lambda case: {
        " ".join(options): top_text(case, *options)
        for options in ((), ("--format", "json"), ("--format", "csv"))
    },
    "table": lambda case: {form: table_text(case, form) for form in PAPER_FORMATS if form != "parquet"},
    "mtable": lambda case: {"text": printed(case, mtable.main, *case.arguments())},
    "array": lambda case: {
        **{table: array_text(case, table, "text") for table in TABLES},
        **{f"{table} csv": array_text(case, table, "csv") for table in ("estimates", "effects")},
    },
    "dv.rank": lambda case: {
        "sentence": ranking(case, of_frame=False).sentence,
        "shown": repr(ranking(case, of_frame=False)),
        **{form: ranking(case).report(form) for form in REPORTS if form != "html"},
    },
    "dv.compare": lambda case: {
        "sentence": comparison(case).sentence,
        "shown": repr(comparison(case)),
        "latex": comparison(case).to_latex(),
    },
}
"""By surface: {part or format: text}."""
