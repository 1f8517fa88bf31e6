"""The scores of a file, and the record of how it was read."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

import pyarrow as pa

from delvecore.errors import ParseError
from delvecore.measures import Measure, column_measure
from delvecore.score_tables.options import Answer
from delvecore.stats.designs import ONE_RUN, RunDesign

Why = Literal["said", "name", "content", "source", "default"]
_REASONS = {
    "said": "your answer",
    "name": "column name",
    "content": "from the values",
    "source": "as its program writes it",
    "default": "by default",
}
SHOWN = 8
SHORT = 3
"""Largest number of names of methods and datasets that are all shown."""
OF_GROUPS = "group of test cases"
"""The role of a column of groups of test cases. Such a column changes p-values and intervals."""


@dataclass(frozen=True)
class Role:
    """A role: what was recognized, the reason, and the field of ScoreOptions that changes it.

    Attributes
    ----------
    role : str
        What was recognized, such as `shape`.
    taken : str
        The choice, in words.
    why : Why
        Basis of the choice.
    others : tuple of str
        Other possible choices.
    option : str
        Field of ScoreOptions that changes the choice, or empty.
    """

    role: str
    taken: str
    why: Why = "name"
    others: tuple[str, ...] = ()
    option: str = ""

    @property
    def is_guess(self) -> bool:
        """Was the choice inferred from contents or a default, not from an option, a name or a known
        program?"""
        return self.why in ("content", "default")

    @property
    def text(self) -> str:
        """One line, such as `Read: 2 methods (rf, svm) × 9 datasets (adult, ... zoo), accuracy, ...`."""
        others = f"; or {', '.join(self.others[:3])}" if self.others else ""
        return f"{self.role}: {self.taken} ({_REASONS[self.why]}{others})"


@dataclass(frozen=True)
class Omission:
    """A number of columns, rows, runs, methods, metrics, datasets or sheets that were left out.

    Attributes
    ----------
    what : str
        Kind of the omitted items, such as `rows`.
    names : tuple of str
        First names.
    count : int
        Number of omitted items.
    why : str
        Reason.
    line : int or None
        Line of the first one.
    option : str
        Field of ScoreOptions that keeps them, or empty.
    """

    what: str
    names: tuple[str, ...]
    count: int
    why: str
    line: int | None = None
    option: str = ""

    @classmethod
    def of(
        cls, what: str, names: Sequence[str], why: str, *, count: int | None = None, **more: Any
    ) -> "tuple[Omission, ...]":
        """Return a list with the omission and its first names; empty if nothing is left out."""
        many = len(names) if count is None else count
        return (cls(what, tuple(names[:SHOWN]), many, why, **more),) if many else ()

    @property
    def text(self) -> str:
        """The omission in words, such as `2 rows (Wins, Average_Rank): summaries by name and numbers`."""
        has_more = len(self.names) >= SHOWN < self.count  # one method may have many runs
        listed = ", ".join(self.names[:SHOWN]) + (", ..." if has_more else "")
        many = self.what if self.count == 1 else f"{self.what}s"
        return f"{self.count:,} {many}{f' ({listed})' if listed else ''}: {self.why}"


@dataclass
class Notes:
    """Decisions about a table and omissions, in order, with the numbers of runs and of failed runs."""

    roles: list[Role] = field(default_factory=list)
    omissions: list[Omission] = field(default_factory=list)
    runs: int = 0
    failed: int = 0

    def take(self, role: str, taken: str, why: Why, *, others: Iterable[str] = (), option: str = "") -> None:
        self.roles.append(Role(role, taken, why, tuple(others), option))

    def leave(self, what: str, names: Sequence[str], why: str, **more: Any) -> None:
        """Note an omission, unless it is empty; arguments as those of `Omission.of`."""
        self.omissions.extend(Omission.of(what, names, why, **more))


@dataclass(frozen=True)
class Reading:
    """How a table was read: the first line of every output.

    Attributes
    ----------
    source : str
        Name of the table.
    methods, datasets : int
        Numbers of methods and datasets.
    instances : str
        Description of instances, such as `9 folds each`, or empty.
    metrics : tuple of Measure
        Measures of the scores.
    runs : int
        Number of expected values.
    failed : int
        Number of runs without a value.
    roles : tuple of Role
        Roles of the columns, with reasons.
    omissions : tuple of Omission
        Omitted items.
    first_methods, first_datasets : tuple of str
        Names; if there are many, the first ones and the last.
    tasks_of : int
        The number of datasets if some of the names are tasks of one dataset, otherwise 0.
    """

    source: str
    methods: int
    datasets: int
    instances: str = ""
    metrics: tuple[Measure, ...] = ()
    runs: int = 0
    failed: int = 0
    roles: tuple[Role, ...] = ()
    omissions: tuple[Omission, ...] = ()
    first_methods: tuple[str, ...] = ()
    first_datasets: tuple[str, ...] = ()
    tasks_of: int = 0

    @property
    def text(self) -> str:
        """One line: `Read: 78 methods (rf, svm, ... ours) × 51 datasets (adult, ... zoo), 9 folds each,
        metric_error, lower is better (column name). Not used: nothing.`"""
        folds = f", {self.instances}" if self.instances else ""
        have = "has" if self.failed == 1 else "have"
        failed = f"; {self.failed:,} of {self.runs:,} runs {have} no value" if self.failed else ""
        why = {role.taken: f" ({_REASONS[role.why]})" for role in self.roles if role.role == "direction"}
        metrics = [f"{one.key}, {one.direction}{why.get(one.key, '')}" for one in self.metrics]
        more = [f"{len(metrics) - 4} more metrics"] if len(metrics) > 4 else []
        forms = ("shape", "spread", OF_GROUPS)
        shown = [one for one in self.roles if one.is_guess or (one.role in forms and one.why != "source")]
        guesses = "; ".join(one.text for one in shown if one.role != "direction")
        of = " of one dataset" if self.tasks_of == 1 else f" of {self.tasks_of:,} datasets"
        what, of = ("task", of) if self.tasks_of else ("dataset", "")
        not_used = "; ".join(one.text for one in self.omissions) or "nothing"
        return (
            f"Read: {_many(self.methods, 'method', self.first_methods, 2)} × "
            f"{_many(self.datasets, what, self.first_datasets, 1, of)}{folds}, "
            f"{'; '.join([*metrics[:4], *more])}{failed}. {f'Inferred: {guesses}. ' if guesses else ''}"
            f"Not used: {not_used}."
        )

    @property
    def short(self) -> str:
        """A few words: `5 methods × 20 datasets, score, higher is better; inferred: shape`."""
        what = "task" if self.tasks_of else "dataset"
        parts = [f"{_many(self.methods, 'method')} × {_many(self.datasets, what)}"]
        parts += [self.instances] if self.instances else []
        parts += [f"{one.key}, {one.direction}" for one in self.metrics[:2]]
        parts += [f"{len(self.metrics) - 2} more metrics"] if len(self.metrics) > 2 else []
        more = [f"{_many(self.failed, 'run')} without a value"] if self.failed else []
        guesses = dict.fromkeys(role.role for role in self.roles if role.is_guess)
        more += [f"inferred: {', '.join(guesses)}"] if guesses else []
        more += [f"{_many(len(self.omissions), 'item')} not used"] if self.omissions else []
        return "; ".join([", ".join(parts), *more])

    def decided(self, role: str, why: Why) -> "Reading":
        """Return the reading with another reason for a role."""
        return replace(
            self, roles=tuple(replace(one, why=why) if one.role == role else one for one in self.roles)
        )

    @property
    def alternatives(self) -> tuple[Answer, ...]:
        """Answers that would change the reading: other interpretations, and names that were left out.

        Examples
        --------
        >>> omission = Omission("column", ("Average",), 1, "summaries, by name and numbers", option="keep")
        >>> [one.label for one in Reading("t.csv", 2, 3, omissions=(omission,)).alternatives]
        ['Keep Average']
        """
        answers: list[Answer] = []
        for role in self.roles:
            if role.option == "transpose":
                is_turned = role.taken.startswith("rows are methods")
                label = "Rows are datasets" if is_turned else "Rows are methods"
                answers.append(Answer(label, "transpose", not is_turned))
            answers += _answers(f"Take {{}} as {role.role}", role.option, role.others)
        verbs = {"keep": "Keep", "sheet": "Read the sheet", "metric": "Take the metric"}
        for one in self.omissions:
            answers += _answers(f"{verbs.get(one.option, 'Use')} {{}}", one.option, one.names)
        return tuple(dict.fromkeys(answers))

    def as_dict(self) -> dict[str, Any]:
        """Return the record as JSON-compatible values."""
        metrics = [
            {"name": one.key, "higher_is_better": one.higher_is_better, "best": one.best}
            for one in self.metrics
        ]
        return {"text": self.text, **asdict(self), "metrics": metrics}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> "Reading":
        """Return the reading that `as_dict` wrote. Lists are allowed instead of tuples, as in JSON."""
        facts: dict[str, Any] = {name: value for name, value in record.items() if name != "text"}
        facts |= {name: tuple(record[name]) for name in ("first_methods", "first_datasets")}
        facts["metrics"] = tuple(column_measure(**one) for one in record["metrics"])
        facts["roles"] = tuple(Role(**one | {"others": tuple(one["others"])}) for one in record["roles"])
        omissions = (one | {"names": tuple(one["names"])} for one in record["omissions"])
        facts["omissions"] = tuple(Omission(**one) for one in omissions)
        return cls(**facts)


def _answers(label: str, option: str, names: Iterable[str]) -> list[Answer]:
    """Return an answer for each name, if the option takes names."""
    if option in ("fold", "keep", "value"):
        return [Answer(label.format(name), option, (name,)) for name in names]
    takes_name = option in ("dataset", "method", "metric", "sheet", "case", "group")
    return [Answer(label.format(name), option, name) for name in names if takes_name]


def first_and_last(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names to show: all if few, otherwise the first ones and the last."""
    return tuple(names) if len(names) <= SHORT else (*names[:2], names[-1])


def _many(count: int, what: str, names: Sequence[str] = (), first: int = 1, of: str = "") -> str:
    """Return a count with names in parentheses: all of them, or the first ones and the last."""
    listed = ", ".join(names) if count <= SHORT else f"{', '.join(names[:first])}, ... {''.join(names[-1:])}"
    return f"{count:,} {what}{'' if count == 1 else 's'}{of}" + (f" ({listed})" if names else "")


def read_back(readings: Sequence[Reading]) -> str:
    """Return the first lines of an output, one per file, with the files' names if there are several."""
    if len(readings) == 1:
        return readings[0].text
    return "\n".join(f"{os.path.basename(one.source)}: {one.text}" for one in readings)


@dataclass(frozen=True, eq=False)
class ScoreFile:
    """The scores of a file and how it was read.

    Attributes
    ----------
    rows : pyarrow.Table
        Rows of the schema SCORE_ROWS.
    factors : Mapping[str, mapping of str to str]
        Levels of factors by dataset, from columns that are constant within each dataset.
    families : mapping of str to str
        Family of each dataset.
    sizes : mapping of str to int
        Sizes of training sets, by dataset.
    """

    source: str
    rows: pa.Table
    metrics: tuple[Measure, ...]
    reading: Reading
    factors: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    design: RunDesign = ONE_RUN


def of_one_kind(files: Sequence[ScoreFile]) -> None:
    """Raise ParseError if some files have scores of test cases, and others have means over test cases."""
    cases = [file for file in files if "case" in file.rows.column_names]
    means = [file for file in files if file not in cases]
    if cases and means:
        actual = f"none, next to {cases[0].source}"
        raise ParseError(means[0].source, None, "a column of test cases", actual, "open the files separately")
