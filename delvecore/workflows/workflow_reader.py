"""A workflow's TOML file in, its variants out; what is wrong stands in one line, with the file's line.

A list of values stands for a variant each, in all combinations, the first list changing fastest; a list
within a list is one value that is a list."""

import itertools
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NoReturn

from delvecore.errors import ParseError
from delvecore.readers.files import read_text
from delvecore.workflows.workflow_spec import (
    POST,
    PRE,
    WINDOW,
    Learner,
    Option,
    Step,
    Value,
    Window,
    Workflow,
)

__all__ = ["line_of", "parse_workflow", "read_workflow"]

Path = tuple[str, ...]
Table = Mapping[str, Value]
KEYS = ("name", "summary", "description", "pre", "learner", "post", "window")
HEADER = re.compile(r"\s*\[\[?([^\]]+)\]\]?\s*(#.*)?")
KEY = re.compile(r"""\s*([\w.'" -]+?)\s*=""")
SYNTAX = re.compile(r"(.*) \(at line (\d+), column \d+\)|(.*)", re.DOTALL)


def read_workflow(path: str, *, name: str | None = None) -> list[Workflow]:
    """Return the variants of the workflow of a file. name: of the workflow, by default the one it gives
    itself or that of the file. Raises ParseError (file:line)."""
    return parse_workflow(read_text(path), path, name=name)


def parse_workflow(text: str, source: str, *, name: str | None = None) -> list[Workflow]:
    """Return the variants of a workflow: one of the workflow's name, or several with `.v1`, `.v2` ... behind
    it. Raises ParseError."""
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = SYNTAX.fullmatch(str(error))
        line = int(match[2]) if match and match[2] else None
        why = (match and match[1]) or str(error)
        raise ParseError(source, line, "TOML", why, kind="specification") from None
    return _Reading(text, source).variants(said, name)


@dataclass(frozen=True)
class _Reading:
    text: str
    source: str

    def variants(self, said: Table, name: str | None) -> list[Workflow]:
        self.only(said, KEYS, ())
        for key in ("name", "summary", "description"):
            if not isinstance(said.get(key, ""), str):
                self.fault((key,), "a text", said[key])
        for key in ("pre", "learner", "post", "window"):
            self.table(said.get(key, {}), (key,))
        if "learner" not in said:
            self.fault((), "a table [learner]", "none")
        family = name or said.get("name") or os.path.basename(self.source).removesuffix(".toml")
        told = {key: said.get(key, "").strip() for key in ("summary", "description")}
        found = []
        choices = list(_variants({key: said.get(key, {}) for key in KEYS[3:]}))
        for number, chosen in enumerate(choices, start=1):
            own = f"{family}.v{number}" if len(choices) > 1 else family
            found.append(self.workflow(chosen, own, family, told))
        return found

    def workflow(self, chosen: Table, name: str, family: str, told: Mapping[str, str]) -> Workflow:
        return Workflow(
            name,
            family,
            learner=self.learner(chosen["learner"]),
            pre=tuple(self.step("pre", kind, options) for kind, options in chosen["pre"].items()),
            post=tuple(self.step("post", kind, options) for kind, options in chosen["post"].items()),
            window=Window(**self.options(chosen["window"], WINDOW, ("window",)))
            if chosen["window"]
            else None,
            **told,
        )

    def learner(self, said: Table) -> Learner:
        path = ("learner",)
        self.only(said, ("object", "method", "parameters"), path)
        if ("object" in said) == ("method" in said):
            found = "both" if "object" in said else "neither"
            self.fault(path, "either object or method", found, 'such as object = "sklearn.svm:SVC"')
        for key in ("object", "method"):
            if not isinstance(said.get(key, ""), str):
                self.fault((*path, key), "a text", said[key])
        parameters = self.table(said.get("parameters", {}), (*path, "parameters"))
        if parameters and "method" in said:
            self.fault((*path, "parameters"), "no parameters: a registered method has none", "some")
        return Learner(said.get("object", ""), said.get("method", ""), parameters)

    def step(self, part: str, kind: str, said: Value) -> Step:
        path, known = (part, kind), PRE if part == "pre" else POST
        table = self.table(said, path)
        if kind in known:
            return Step(kind, self.options(table, known[kind], path))
        if "object" not in table:
            remedy = "or give it an object, a step of your own"
            self.fault(path, f"one of the steps {', '.join(known)}", kind, remedy)
        self.only(table, ("object", "parameters"), path)
        if not isinstance(table["object"], str):
            self.fault((*path, "object"), "module:attribute", table["object"])
        return Step(kind, self.table(table.get("parameters", {}), (*path, "parameters")), table["object"])

    def options(self, said: Table, known: Mapping[str, Option], path: Path) -> dict[str, Value]:
        """Return the values of the options of a step, defaults where nothing is said."""
        self.only(said, known, path)
        found = {}
        for key, option in known.items():
            if key not in said:
                if option.is_needed:
                    self.fault(path, f"a line {key} = ...", "none")
                if option.default is not None:
                    found[key] = option.default
                continue
            if expected := option.fault(said[key]):
                self.fault((*path, key), expected, said[key])
            found[key] = said[key]
        return found

    def table(self, said: Value, path: Path) -> Table:
        if not isinstance(said, Mapping):
            self.fault(path, f"a table [{'.'.join(path)}]", said)
        return said

    def only(self, said: Table, known: "Mapping[str, Option] | tuple[str, ...]", path: Path) -> None:
        for key in said:
            if key not in known:
                expected = f"one of {', '.join(known)}" if known else "no options"
                self.fault((*path, key), expected, key)

    def fault(self, path: Path, expected: str, found: Value, remedy: str = "") -> NoReturn:
        shown = found if isinstance(found, str) else repr(found)
        line = line_of(self.text, path)
        raise ParseError(self.source, line, expected, shown, remedy, kind="specification")


def line_of(text: str, path: Path) -> int | None:
    """Return the line on which the key of a path stands, or else the table around it; None for the file."""
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


def _variants(said: Table) -> Iterator[Table]:
    """Yield tables with one value wherever these have a list of them."""
    lists = list(_lists(said, ()))
    for values in itertools.product(*(values for _, values in reversed(lists))):
        yield _chosen(said, (), dict(zip((path for path, _ in reversed(lists)), values, strict=True)))


def _lists(said: Table, path: Path) -> Iterator[tuple[Path, list[Value]]]:
    for key, value in said.items():
        own = (*path, key)
        if isinstance(value, Mapping):
            yield from _lists(value, own)
        elif isinstance(value, list) and value and not (own == MATRIX and _depth(value) < MATRICES):
            yield own, value


def _chosen(said: Table, path: Path, values: Mapping[Path, Value]) -> dict[str, Value]:
    return {
        key: _chosen(value, (*path, key), values)
        if isinstance(value, Mapping)
        else values.get((*path, key), value)
        for key, value in said.items()
    }


MATRIX = ("post", "utility", "matrix")
MATRICES = 3
"""How deep a list of matrices is: one matrix is a value itself."""


def _depth(value: Value) -> int:
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0
