"""Options for reading a table of scores, and questions about ambiguous tables."""

import copy
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Self

from delvecore.errors import Fault

Failed = Literal["left out", "worst", "method out"]
"""Treatment of failed runs: omitted, given the worst value of their dataset, or omitted with their method."""
Decimal = Literal[".", ","]
Scale = Literal["as written", "fractions"]
"""Treatment of values up to 1 next to values up to 100: one scale, or the larger ones are percentages."""
Steps = Literal["last", "best", "mean"]
"""The row that counts if a run has several rows from its training."""
Where = tuple[tuple[str, tuple[str, ...]], ...]
"""Columns, each with the texts that its rows may have."""


def rows_where(where: Mapping[str, str | Sequence[str]] | None) -> Where:
    """Return the row filter of a mapping from columns to one text or several."""
    named = dict(where or {}).items()
    return tuple((name, (texts,) if isinstance(texts, str) else tuple(texts)) for name, texts in named)


@dataclass(frozen=True)
class ScoreOptions:
    """Facts about a table of scores that the caller states.

    Attributes
    ----------
    dataset, method : str or None
        A column, or several joined by `+`.
    metric : str or None
        The column that names metrics, or a metric.
    fold : tuple of str
        Columns that distinguish instances.
    value : tuple of str
        Columns of scores.
    design : str or None
        How instances depend on each other, one of `stats.designs.RUN_DESIGNS`.
    share : float or None
        Share of all cases in a test set.
    keep, drop : tuple of str
        Methods, datasets or columns that are always kept or left out.
    transpose : bool or None
        Whether the rows of a wide table are methods (None: inferred from names).
    decimal : Decimal or None
        The decimal sign.
    case : str or None
        The column of test cases.
    group : str or None
        The column of groups of test cases.
    failed_words : tuple of str
        Cells of runs that failed.
    """

    dataset: str | None = None
    method: str | None = None
    metric: str | None = None
    fold: tuple[str, ...] = ()
    value: tuple[str, ...] = ()
    higher_is_better: bool | None = None
    failed: Failed = "left out"
    design: str | None = None
    share: float | None = None
    where: Where = ()
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    transpose: bool | None = None
    sheet: str | None = None
    decimal: Decimal | None = None
    scale: Scale | None = None
    case: str | None = None
    group: str | None = None
    failed_words: tuple[str, ...] = ()
    steps: Steps | None = None

    def with_answer(self, answer: "Answer") -> "ScoreOptions":
        """Return the options with one more answer. A kept name is no longer dropped, and vice versa."""
        if answer.field not in SEVERAL:
            return replace(self, **{answer.field: answer.value})
        values = (*getattr(self, answer.field), *answer.value)
        changed: dict[str, Any] = {answer.field: tuple(dict.fromkeys(values))}
        if other := {"keep": "drop", "drop": "keep"}.get(answer.field):
            changed[other] = tuple(one for one in getattr(self, other) if one not in answer.value)
        return replace(self, **changed)


NO_OPTIONS = ScoreOptions()
SEVERAL = ("keep", "drop", "fold", "value", "where", "failed_words")
ROWS, COLUMNS = "rows", "columns"
"""Values of the option `fold`: each row is a run, or each numbered column."""


def options_of_call(arguments: Mapping[str, Any]) -> ScoreOptions:
    """Return the options among the arguments of a call; a single name may replace a list."""
    options = {name: arguments[name] for name in ScoreOptions.__dataclass_fields__ if name in arguments}
    for name in (one for one in SEVERAL if one != "where"):
        options[name] = (options[name],) if isinstance(options[name], str) else tuple(options[name])
    if (lower := arguments.get("lower_is_better")) is not None:
        if options["higher_is_better"] not in (None, not lower):
            raise Fault("lower_is_better", "one direction", "both", "leave one of them out")
        options["higher_is_better"] = not lower
    return ScoreOptions(**options | {"where": rows_where(options["where"])})


class Answer(NamedTuple):
    """An answer to a question.

    Attributes
    ----------
    label : str
        Label of a button.
    field : str
        Field of ScoreOptions that the answer sets.
    value : Any
        New value of the field.
    """

    label: str
    field: str
    value: Any

    @property
    def command(self) -> str:
        """The option of a command, such as `--keep ours` or `--higher-is-better`."""
        flag = "--method-column" if self.field == "method" else f"--{self.field.replace('_', '-')}"
        if isinstance(self.value, bool):
            opposite = "--lower-is-better" if self.field == "higher_is_better" else "--no-transpose"
            return flag if self.value else opposite
        values = self.value if isinstance(self.value, tuple) else (self.value,)
        if self.field == "where":
            values = tuple(f"{name}={','.join(texts)}" for name, texts in values)
        return " ".join(f"{flag} {_quoted(str(value))}" for value in values)

    @property
    def python(self) -> str:
        """The argument of a call, such as `keep=["ours"]`."""
        if self.field == "where":
            return f"where={ {name: list(texts) for name, texts in self.value}!r}"
        value = list(self.value) if isinstance(self.value, tuple) else self.value
        return f"{self.field}={value!r}"


def keep_or_drop(names: Sequence[str]) -> list[Answer]:
    """Return the answers to the question of whether columns, rows or names are scores."""
    it, listed = "it" if len(names) == 1 else "them", tuple(names)
    return [Answer(f"Keep {it} as scores", "keep", listed), Answer(f"Leave {it} out", "drop", listed)]


def _quoted(text: str) -> str:
    return text if text and all(c.isalnum() or c in "._-+/=,%" for c in text) else f"'{text}'"


class Question(Fault):
    """An error for an ambiguous table, with the answers that decide how it is read.

    Its text is one line with the remedies as options of a command; `in_python` has them as arguments.

    Attributes
    ----------
    plain : str
        Text without remedies, for a page with buttons.
    may_be_cases : bool
        Whether the table may contain cases instead of scores.
    """

    may_be_cases = False

    def __init__(
        self,
        source: str,
        expected: str,
        found: str,
        answers: Sequence[Answer],
        *,
        line: int | None = None,
        plain: str = "",
    ) -> None:
        self.answers, self.source, self.line = tuple(answers), source, line
        place = source if line is None else f"{source}:{line}"
        self.plain = f"{os.path.basename(place)}: {plain or f'Expected {expected}, found {found}.'}"
        remedy = "say " + " or ".join(answer.command for answer in self.answers)
        super().__init__(place, expected, found, remedy, is_file=True)

    @property
    def in_python(self) -> Self:
        """Return the same question with the remedies as arguments of Python."""
        of_cases = "; if its rows are cases: delvecore.datasets.from_frame"
        return self._with_cures([answer.python for answer in self.answers], of_cases)

    @property
    def in_command(self) -> Self:
        """Return the same question with the remedies as options of a command."""
        of_cases = f"; if its lines are cases: delve import {_quoted(self.source)} --target COLUMN"
        return self._with_cures([answer.command for answer in self.answers], of_cases)

    def _with_cures(self, cures: Sequence[str], of_cases: str) -> Self:
        other = copy.copy(self)
        other.remedy = f"say {' or '.join(cures)}" + of_cases * self.may_be_cases
        other.args = Fault(self.place, self.expected, self.found, other.remedy).args
        return other


class UnknownDirection(Question):
    """Question about metrics of unknown direction, or about two names that disagree."""

    def __init__(self, source: str, metrics: Sequence[str], *, found: str = "") -> None:
        self.metrics = tuple(metrics)
        named = ", ".join(map(repr, metrics[:4])) + (", ..." if len(metrics) > 4 else "")
        plain = f"Nothing shows whether a higher or lower value of {named} is better."
        if found:
            plain = f"Is higher or lower better? {found[:1].upper()}{found[1:]}."
        words = {"Higher is better": True, "Lower is better": False}
        answers = [Answer(label, "higher_is_better", higher) for label, higher in words.items()]
        super().__init__(source, "metrics of known direction", found or named, answers, plain=plain)
