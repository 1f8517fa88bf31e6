"""What a file of a workflow says, checked: steps with their options, a learner, its variants.

Source: L. Torgo, performanceEstimation 1.1.0 (2016): standardWF, timeseriesWF, standardPRE, standardPOST."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

__all__ = ["POST", "PRE", "WINDOW", "Learner", "Option", "Step", "Window", "Workflow", "settings_of"]

Value = Any
"""Whatever TOML has: a text, a number, a truth value, a list of these."""


class Option(NamedTuple):
    """What a step may be told. default: None where nothing is done unless it is told; allowed: the words
    that it may be; least: the smallest number; is_matrix: is it a list of rows of numbers?"""

    default: Value = None
    allowed: tuple[str, ...] = ()
    least: float | None = None
    is_whole: bool = False
    is_matrix: bool = False
    is_needed: bool = False

    def fault(self, value: Value) -> str | None:
        """Return what is expected in place of a value that does not suit."""
        if self.allowed:
            return None if value in self.allowed else f"one of {', '.join(self.allowed)}"
        if self.is_matrix:
            return None if _is_square(value) else "a square matrix of numbers, a row for each true category"
        is_number = isinstance(value, int if self.is_whole else (int, float)) and not isinstance(value, bool)
        if is_number and (self.least is None or value >= self.least):
            return None
        kind = "a whole number" if self.is_whole else "a number"
        return kind if self.least is None else f"{kind} of at least {self.least:g}"


def _is_square(value: Value) -> bool:
    if not isinstance(value, list) or not value:
        return False
    rows = [row for row in value if isinstance(row, list) and len(row) == len(value)]
    numbers = (isinstance(one, (int, float)) and not isinstance(one, bool) for row in rows for one in row)
    return len(rows) == len(value) and all(numbers)


PRE = {
    "impute": {
        "by": Option("centre", ("centre", "neighbours")),
        "neighbours": Option(10, least=1, is_whole=True),
    },
    "scale": {"by": Option("deviation", ("deviation", "range"))},
    "select": {
        "keep": Option(least=1, is_whole=True, is_needed=True),
        "by": Option("f", ("f", "information")),
    },
    "smote": {
        "over": Option(2, least=0),
        "under": Option(2, least=0),
        "neighbours": Option(5, least=1, is_whole=True),
    },
    "oversample": {"ratio": Option(1, least=0)},
    "undersample": {"ratio": Option(1, least=0)},
}
"""The steps before learning, with their options."""
POST = {
    "fill": {},
    "clip": {"low": Option(), "high": Option()},
    "positive": {},
    "integer": {},
    "utility": {"matrix": Option(is_matrix=True, is_needed=True)},
}
"""The steps after predicting."""
WINDOW = {
    "kind": Option(allowed=("sliding", "growing"), is_needed=True),
    "relearn": Option(1, least=1, is_whole=True),
}


@dataclass(frozen=True)
class Step:
    """kind: a name in PRE or POST, or one of its own where there is an object. options: all of them; place:
    `module:attribute` of an object that does the step, made with the options; empty for the steps here."""

    kind: str
    options: Mapping[str, Value] = field(default_factory=dict)
    place: str = ""


@dataclass(frozen=True)
class Learner:
    """place: `module:attribute` of an object with fit and predict, or empty; method: the name of a registered
    method, or empty; parameters: what the object is made with."""

    place: str = ""
    method: str = ""
    parameters: Mapping[str, Value] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.place or self.method


class Window(NamedTuple):
    """How a model follows the time: kind: sliding or growing; relearn: after how many test cases."""

    kind: str
    relearn: int


@dataclass(frozen=True)
class Workflow:
    """One variant. name: of the method that it is; family: of all variants; summary, description: as told."""

    name: str
    family: str
    learner: Learner
    pre: tuple[Step, ...] = ()
    post: tuple[Step, ...] = ()
    window: Window | None = None
    summary: str = ""
    description: str = ""


def settings_of(workflow: Workflow) -> dict[str, str]:
    """Return all settings of a workflow as {key: text}, defaults too, in the order of its file."""
    found = {"workflow": workflow.family}
    for part, steps in (("pre", workflow.pre), ("post", workflow.post)):
        if steps:
            found[part] = ", ".join(step.kind for step in steps)
        for step in steps:
            told = {"object": step.place} if step.place else {}
            options = {**told, **step.options}.items()
            found |= {f"{part}.{step.kind}.{key}": _text(value) for key, value in options}
        if part == "pre":
            found["learner"] = workflow.learner.name
            parameters = workflow.learner.parameters.items()
            found |= {f"learner.{key}": _text(value) for key, value in parameters}
    window = workflow.window._asdict() if workflow.window else {}
    return found | {f"window.{key}": _text(value) for key, value in window.items()}


def _text(value: Value) -> str:
    return value if isinstance(value, str) else json.dumps(value)
