"""Read a workflow's TOML file and return its variants: steps with their options and a learner, checked.

Each value in a list makes a variant, in all combinations; the first list changes fastest. A list within a
list is a single value. An error message is one line, with the file's line.

Source: L. Torgo, performanceEstimation 1.1.0 (2016): standardWF, timeseriesWF, standardPRE, standardPOST."""

import itertools
import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn

from delvecore.errors import ParseError

Value = Any
"""Any value of TOML: a text, a number, a truth value, a list of these."""


class Option(NamedTuple):
    """An option of a step.

    Attributes
    ----------
    default : Value
        Default value; None if the option has no effect unless it is set.
    allowed : tuple of str
        Permitted words.
    least : float or None
        Smallest number.
    is_truth : bool
        Whether the option is Boolean.
    is_matrix : bool
        Whether it is a list of rows of numbers.
    """

    default: Value = None
    allowed: tuple[str, ...] = ()
    least: float | None = None
    is_whole: bool = False
    is_truth: bool = False
    is_matrix: bool = False
    is_needed: bool = False

    def fault(self, value: Value) -> str | None:
        """Return the expected form of the value if it is invalid, or None."""
        if self.allowed:
            return None if value in self.allowed else f"one of {', '.join(self.allowed)}"
        if self.is_truth:
            return None if isinstance(value, bool) else "true or false"
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
        "by": Option("center", ("center", "neighbors")),
        "neighbors": Option(10, least=1, is_whole=True),
        "scale": Option(is_truth=True),
    },
    "omit": {},
    "scale": {"by": Option("deviation", ("deviation", "range"))},
    "select": {
        "keep": Option(least=1, is_whole=True, is_needed=True),
        "by": Option("f", ("f", "information")),
    },
    "smote": {
        "over": Option(2, least=0),
        "under": Option(2, least=0),
        "neighbors": Option(5, least=1, is_whole=True),
        "drawn": Option("once", ("once", "as-in-r")),
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
    "verbose": Option(is_truth=True),
}


@dataclass(frozen=True)
class Step:
    """A part of a workflow: a step, the learner, its predictor, or the window.

    Attributes
    ----------
    kind : str
        A name in PRE or POST, a new name for an object, the name of a registered method or of a predictor,
        `sliding` or `growing`. Empty for a learner or predictor that is an object.
    options : mapping of str to Value
        All options, or parameters.
    place : str
        `module:attribute` of an object that does the step and takes the options; otherwise empty.
    """

    kind: str
    options: Mapping[str, Value] = field(default_factory=dict)
    place: str = ""

    @property
    def name(self) -> str:
        return self.place or self.kind


@dataclass(frozen=True)
class Workflow:
    """One variant of a workflow.

    Attributes
    ----------
    name : str
        Name of the method.
    family : str
        Family of all variants.
    learner, predictor : Step
        The object or registered method that learns. The predictor replaces `predict`; an empty name means
        none.
    window : Step or None
        The model is fitted again after every `relearn` test cases. If `verbose` is true, each window is
        reported on standard error.
    summary, description : str
        Summary and description from the specification.
    metrics : tuple of str
        User-defined metrics, as `FILE.py:NAME`, that judge its results.
    packages, scripts : tuple of str
        Required packages and scripts. Scripts run before an object is looked up in them.
    keep_models : bool
        Whether fitted models are kept.
    """

    name: str
    family: str
    learner: Step
    predictor: Step = Step("")
    pre: tuple[Step, ...] = ()
    post: tuple[Step, ...] = ()
    window: Step | None = None
    summary: str = ""
    description: str = ""
    metrics: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    keep_models: bool = False


def settings_of(workflow: Workflow) -> dict[str, str]:
    """Return all settings of a workflow as {key: text}, with defaults, in the order of its file."""
    settings = {"workflow": workflow.family}
    for part, steps in (("pre", workflow.pre), ("post", workflow.post)):
        if steps:
            settings[part] = ", ".join(step.kind for step in steps)
        for step in steps:
            place = {"object": step.place} if step.place else {}
            options = {**place, **step.options}.items()
            settings |= {f"{part}.{step.kind}.{key}": _text(value) for key, value in options}
        if part == "pre":
            settings["learner"] = workflow.learner.name
            parameters, more = workflow.learner.options.items(), workflow.predictor.options.items()
            settings |= {f"learner.{key}": _text(value) for key, value in parameters}
            settings |= {"predictor": workflow.predictor.name} if workflow.predictor.name else {}
            settings |= {f"predictor.{key}": _text(value) for key, value in more}
    if window := workflow.window:
        settings |= {"window.kind": window.kind, "window.relearn": _text(window.options["relearn"])}
    return settings


def _text(value: Value) -> str:
    return value if isinstance(value, str) else json.dumps(value)


Path = tuple[str, ...]
Table = Mapping[str, Value]
TABLES = ("pre", "learner", "post", "window")
KEYS = ("name", "summary", "description", "metrics", "deps", "keep_models", *TABLES)
PREDICTOR = re.compile(r"[A-Za-z]\w*|[\w.]+:[\w.]+")
HEADER = re.compile(r"\s*\[\[?([^\]]+)\]\]?\s*(#.*)?")
KEY = re.compile(r"""\s*([\w.'" -]+?)\s*=""")
SYNTAX = re.compile(r"(.*) \(at line (\d+), column \d+\)|(.*)", re.DOTALL)


def parse_workflow(text: str, source: str, *, name: str | None = None) -> list[Workflow]:
    """Return the variants of a workflow: NAME, or NAME.v1, NAME.v2 and so on. name: by default the name in
    the text, or that of its file. Raises ParseError (file:line)."""
    try:
        content = tomllib.loads(text)
    except RecursionError:
        raise ParseError(source, None, "TOML", "values nested very deeply", kind="specification") from None
    except tomllib.TOMLDecodeError as error:
        match = SYNTAX.fullmatch(str(error))
        line = int(match[2]) if match and match[2] else None
        why = (match and match[1]) or str(error)
        raise ParseError(source, line, "TOML", why, kind="specification") from None
    return _Reading(text, source).variants(content, name)


class _Reading:
    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source

    def variants(self, table: Table, name: str | None) -> list[Workflow]:
        self.only(table, KEYS, ())
        for key in ("name", "summary", "description"):
            if not isinstance(table.get(key, ""), str):
                self.fault((key,), "a text", table[key])
        for key in ("pre", "learner", "post", "window"):
            self.table(table.get(key, {}), (key,))
        if "learner" not in table:
            self.fault((), "a table [learner]", "none")
        family = name or table.get("name") or os.path.basename(self.source).removesuffix(".toml")
        texts = {key: table.get(key, "").strip() for key in ("summary", "description")}
        beside = os.path.dirname(self.source)
        metrics = self.names(table.get("metrics", []), ("metrics",), "evaluators.py:largest_error")
        deps = self.table(table.get("deps", {}), ("deps",))
        self.only(deps, ("packages", "scripts"), ("deps",))
        packages = self.names(deps.get("packages", []), ("deps", "packages"), "sklearn")
        scripts = self.names(deps.get("scripts", []), ("deps", "scripts"), "learners.py")
        keeps = table.get("keep_models", False)
        if not isinstance(keeps, bool):
            self.fault(("keep_models",), "true or false", keeps)
        if keeps and "method" in table["learner"]:
            self.fault(("keep_models",), "a learner that is an object", "a method", "leave keep_models out")
        workflows = []
        choices = list(_variants({key: table.get(key, {}) for key in TABLES}))
        for number, chosen in enumerate(choices, start=1):
            learner, predictor = self.learner(chosen["learner"])
            pre, post = (
                tuple(self.step(part, kind, options) for kind, options in chosen[part].items())
                for part in ("pre", "post")
            )
            window = chosen["window"] and self.options(chosen["window"], WINDOW, ("window",))
            workflows.append(
                Workflow(
                    f"{family}.v{number}" if len(choices) > 1 else family,
                    family,
                    learner,
                    predictor,
                    pre,
                    post,
                    Step(window.pop("kind"), window) if window else None,
                    texts["summary"],
                    texts["description"],
                    metrics=tuple(os.path.join(beside, one) for one in metrics),
                    packages=packages,
                    scripts=tuple(os.path.abspath(os.path.join(beside, one)) for one in scripts),
                    keep_models=keeps,
                )
            )
        return workflows

    def learner(self, table: Table) -> tuple[Step, Step]:
        """Return the learner and its predictor."""
        path = ("learner",)
        self.only(table, ("object", "method", "parameters", "predictor", "predictor_parameters"), path)
        if ("object" in table) == ("method" in table):
            actual = "both" if "object" in table else "neither"
            self.fault(path, "either object or method", actual, 'such as object = "sklearn.svm:SVC"')
        for key in ("object", "method", "predictor"):
            if not isinstance(table.get(key, ""), str):
                self.fault((*path, key), "a text", table[key])
            if key == "predictor" in table and not PREDICTOR.fullmatch(table[key]):
                self.fault((*path, key), "a function of the object, or module:function", table[key])
        parameters, more = (
            self.table(table.get(key, {}), (*path, key)) for key in ("parameters", "predictor_parameters")
        )
        for key in ("predictor", "predictor_parameters"):
            if key in table and "object" not in table:
                self.fault((*path, key), "a learner that is an object", "a method")
        predictor = table.get("predictor", "predict" if more else "")
        learner = Step(table.get("method", ""), parameters, table.get("object", ""))
        return learner, Step("", more, predictor) if ":" in predictor else Step(predictor, more)

    def step(self, part: str, kind: str, content: Value) -> Step:
        path, steps = (part, kind), PRE if part == "pre" else POST
        table = self.table(content, path)
        if kind in steps:
            return Step(kind, self.options(table, steps[kind], path))
        if "object" not in table:
            remedy = "or give an object, to define a step"
            self.fault(path, f"one of the steps {', '.join(steps)}", kind, remedy)
        self.only(table, ("object", "parameters"), path)
        if not isinstance(table["object"], str):
            self.fault((*path, "object"), "module:attribute", table["object"])
        return Step(kind, self.table(table.get("parameters", {}), (*path, "parameters")), table["object"])

    def options(self, table: Table, allowed: Mapping[str, Option], path: Path) -> dict[str, Value]:
        """Return the values of the options of a step, with defaults."""
        self.only(table, allowed, path)
        values = {}
        for key, option in allowed.items():
            if key not in table:
                if option.is_needed:
                    self.fault(path, f"a line {key} = ...", "none")
                if option.default is not None:
                    values[key] = option.default
                continue
            if expected := option.fault(table[key]):
                self.fault((*path, key), expected, table[key])
            values[key] = table[key]
        return values

    def names(self, value: Value, path: Path, example: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            self.fault(path, f'a list such as ["{example}"]', value)
        return tuple(value)

    def table(self, value: Value, path: Path) -> Table:
        if not isinstance(value, Mapping):
            self.fault(path, f"a table [{'.'.join(path)}]", value)
        return value

    def only(self, table: Table, allowed: "Mapping[str, Option] | tuple[str, ...]", path: Path) -> None:
        for key in table:
            if key not in allowed:
                expected = f"one of {', '.join(allowed)}" if allowed else "no options"
                self.fault((*path, key), expected, key)

    def fault(self, path: Path, expected: str, actual: Value, remedy: str = "") -> NoReturn:
        shown = actual if isinstance(actual, str) else repr(actual)
        line = line_of(self.text, path)
        raise ParseError(self.source, line, expected, shown, remedy, kind="specification")


def line_of(text: str, path: Path) -> int | None:
    """Return the line of a key, or of the innermost table around it that has one; None for the file."""
    places: dict[Path, int] = {}
    header: Path = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if match := HEADER.fullmatch(line):
            header = _names(match[1])
            places.setdefault(header, number)
        elif match := KEY.match(line):
            places.setdefault((*header, *_names(match[1])), number)
    while path and path not in places:
        path = path[:-1]
    return places.get(path)


def _names(dotted: str) -> Path:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))


def _variants(table: Table) -> Iterator[Table]:
    """Yield the tables of all combinations of the values in lists."""
    lists = list(_lists(table, ()))
    for values in itertools.product(*(values for _, values in reversed(lists))):
        yield _chosen(table, (), dict(zip((path for path, _ in reversed(lists)), values, strict=True)))


def _lists(table: Table, path: Path) -> Iterator[tuple[Path, list[Value]]]:
    for key, value in table.items():
        place = (*path, key)
        if isinstance(value, Mapping):
            yield from _lists(value, place)
        elif isinstance(value, list) and value and not (place == MATRIX and _depth(value) < MATRICES):
            yield place, value


def _chosen(table: Table, path: Path, values: Mapping[Path, Value]) -> dict[str, Value]:
    return {
        key: _chosen(value, (*path, key), values)
        if isinstance(value, Mapping)
        else values.get((*path, key), value)
        for key, value in table.items()
    }


MATRIX = ("post", "utility", "matrix")
MATRICES = 3
"""Depth of a list of matrices: one matrix is a single value."""


def _depth(value: Value) -> int:
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0
