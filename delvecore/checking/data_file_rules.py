"""Rules for the files that `mgendata` makes: they are what it would make of the data now.

They may be removed after use, but `mloss` trusts those that are there. Source: manual, sections 7.4, 7.5.
"""

from collections.abc import Iterable, Mapping, Sequence

from delvecore.encoding.encode import TaskPlan
from delvecore.errors import DelveError, ParseError, Report, located
from delvecore.losses.spec import FILE_ORDER
from delvecore.losses.test_set_stats import test_set_statistics
from delvecore.numerals.numbers import is_number, round_number
from delvecore.readers.files import read_text
from delvecore.readers.lines import token_lines
from delvecore.readers.results import parse_test_set_stats
from delvecore.writers.task_data import task_data_files

__all__ = ["check_data_files", "check_statistics"]

STATISTICS = "Test-set-stats"
ROOTS = ("train", "test", "targets", "normalize")
TOLERANCE = 2e-8
REMEDY = "run mgendata again"

Values = Sequence[float | None]


def check_statistics(files: Mapping[str, str], plan: TaskPlan, place: str, *, report: Report) -> None:
    """Check that `Test-set-stats` is there and right. place: the task's directory."""
    path = files.get(STATISTICS)
    if path is None:
        remedy = "make it with mgendata"
        report(ParseError(place, None, f"a file {STATISTICS}", "none", remedy, kind="results"))
        return
    try:
        text = read_text(path)
        kept = parse_test_set_stats(text, path, report=report)
    except ParseError as error:
        report(error)
        return
    lines = {tokens[0]: number for number, tokens in token_lines(text)}
    for loss, values in test_set_statistics(plan.cases, plan.prior, plan.instances).items():
        known = tuple(round_number(value) for value in values if value is not None)
        right = known or (None,)
        if loss not in lines:
            report(ParseError(path, None, f"a line for loss {loss}", "none", REMEDY, kind="results"))
        elif loss in kept and not _alike(kept[loss], right):
            expected = f"{loss} {_shown(right)}, computed from the test targets"
            report(ParseError(path, lines[loss], expected, _shown(kept[loss]), REMEDY, kind="results"))


def _alike(values: Values, others: Values) -> bool:
    return len(values) == len(others) and all(map(_equal, values, others))


def _equal(value: float | None, other: float | None) -> bool:
    if value is None or other is None:
        return value is other
    return abs(value - other) <= TOLERANCE * max(abs(value), abs(other))


def _shown(values: Values) -> str:
    return " ".join("undefined" if value is None else f"{value:.9g}" for value in values)


def check_data_files(files: Mapping[str, str], plan: TaskPlan, *, report: Report) -> set[int]:
    """Check the `train`, `test`, `targets` and `normalize` files that are there; return the instances of
    which some are wrong, so that losses cannot be judged.

    files: of the task's directory, true path by plain name.
    """
    present = {name for name in files if _root(name) in ROOTS}
    faulty: set[int] = set()
    if not present:
        return faulty
    try:
        for name, content in task_data_files(plan, dict.fromkeys(FILE_ORDER, (None,))):
            if name in present:
                present.remove(name)
                if not _check_file(files[name], content, report):
                    faulty.add(int(name.rpartition(".")[2]))
    except DelveError as error:
        path = files[min(present)] if present else plan.task.path
        report(located(error, path, None, kind="results"))
        return set(range(len(plan.instances)))
    for name in sorted(present):
        expected = f"a file that mgendata makes for {plan.task.path}"
        report(ParseError(files[name], None, expected, repr(name), "remove it", kind="results"))
    return faulty


def _root(name: str) -> str:
    root, dot, number = name.rpartition(".")
    return root if dot and number.isdecimal() else ""


def _check_file(path: str, content: Iterable[bytes], report: Report) -> bool:
    """Report the first line of a file that is not as it would be made now; return whether all are alike."""
    made = b"".join(content).decode()
    try:
        kept = read_text(path)
    except ParseError as error:
        report(error)
        return False
    if kept == made:
        return True
    wanted, found = (_rows(text) for text in (made, kept))
    for (_, right), (number, words) in zip(wanted, found, strict=False):
        if not _same_words(right, words):
            expected = "what mgendata makes of the data and Coding-used"
            shown = repr(_first_other(right, words))
            report(ParseError(path, number, expected, shown, REMEDY, kind="results"))
            return False
    if len(wanted) != len(found):
        expected = f"{len(wanted)} lines"
        report(ParseError(path, None, expected, f"{len(found)}", REMEDY, kind="results"))
        return False
    return True


def _rows(text: str) -> list[tuple[int, list[str]]]:
    return [(number, line.split()) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]


def _same_words(right: list[str], words: list[str]) -> bool:
    return len(right) == len(words) and all(map(_same_word, right, words))


def _same_word(right: str, word: str) -> bool:
    if right == word:
        return True
    return is_number(right) and is_number(word) and _close(float(right), float(word))


def _close(value: float, other: float) -> bool:
    return abs(value - other) <= TOLERANCE * max(abs(value), abs(other), 1.0)


def _first_other(right: list[str], words: list[str]) -> str:
    """Return the first word that differs, or the whole line where lengths do."""
    if len(right) != len(words):
        return " ".join(words)
    return next(word for wanted, word in zip(right, words, strict=True) if not _same_word(wanted, word))
