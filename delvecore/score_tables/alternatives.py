"""What else a table of scores could have been read as: answers that change a reading."""

from collections.abc import Iterator

from delvecore.score_tables.options import Answer
from delvecore.score_tables.score_file import Omission, Reading, Role

__all__ = ["alternatives"]

ONE_NAME = ("dataset", "method", "metric", "sheet")
"""Fields of ScoreOptions that hold one name."""
SEVERAL_NAMES = ("fold", "keep", "value")


def alternatives(reading: Reading) -> tuple[Answer, ...]:
    """Answers that read the table otherwise: what else was possible, and what was left out by name.

    Examples
    --------
    >>> omission = Omission("column", ("Average",), 1, "summaries, by name and numbers", option="keep")
    >>> [one.label for one in alternatives(Reading("t.csv", 2, 3, omissions=(omission,)))]
    ['Keep Average']
    """
    found = [one for role in reading.roles for one in _of_role(role)]
    found += [one for omission in reading.omissions for one in _of_omission(omission)]
    return tuple(dict.fromkeys(found))


def _of_role(role: Role) -> Iterator[Answer]:
    if role.option == "transpose":
        of_methods = role.taken.startswith("rows are methods")
        yield Answer("Rows are datasets" if of_methods else "Rows are methods", "transpose", not of_methods)
    for name in role.others if role.option in (*ONE_NAME, *SEVERAL_NAMES) else ():
        yield _answer(f"Take {name} as {role.role}", role.option, name)


def _of_omission(omission: Omission) -> Iterator[Answer]:
    verbs = {"keep": "Keep", "sheet": "Read the sheet", "metric": "Take the metric"}
    for name in omission.names if omission.option in (*ONE_NAME, *SEVERAL_NAMES) else ():
        yield _answer(f"{verbs.get(omission.option, 'Use')} {name}", omission.option, name)


def _answer(label: str, field: str, name: str) -> Answer:
    return Answer(label, field, (name,) if field in SEVERAL_NAMES else name)
