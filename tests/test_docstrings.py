"""The examples in docstrings give what they show, and what raises an error says so."""

import ast
import builtins
import doctest
import importlib
import inspect
import re
import sys
import typing
from dataclasses import fields, is_dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pytest

import delvecore as dv

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTED = ("stats", "metrics", "losses", "plots", "library", "archive", "answers")
"""Parts of the core whose public functions say which errors they raise."""
KINDS = {"Fault": "(Fault|DelveError)"}
"""Errors of which a docstring may name the kind."""


def modules(*folders):
    return [path for folder in folders for path in sorted((ROOT / "delvecore" / folder).rglob("*.py"))]


WITH_EXAMPLES = [path for path in modules("") if ">>> " in path.read_text(encoding="utf-8")]


@pytest.fixture(autouse=True)
def archive_of_the_examples(monkeypatch):
    """Examples run beside the archive that ships with the program, as the documents do."""
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: path.stem)
def test_examples_give_what_they_show(path):
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    names = {"np": np}
    outcome = doctest.testmod(importlib.import_module(name), extraglobs=names, optionflags=doctest.ELLIPSIS)
    assert (outcome.failed, outcome.attempted > 0) == (0, True)


def raised(function):
    """The names of the errors that a function raises itself, and not within its own `except`."""
    names, nodes = set(), list(function.body)
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Raise) and node.exc is not None:
            error = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            names |= {error.id} if isinstance(error, ast.Name) and error.id[0].isupper() else set()
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            nodes += ast.iter_child_nodes(node)
    return names


def public_functions(tree):
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_functions(node)
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node


def test_public_functions_say_which_errors_they_raise():
    texts = [
        f"{path.relative_to(ROOT)}:{function.lineno} {function.name}: {error}"
        for path in modules(*DOCUMENTED)
        for function in public_functions(ast.parse(path.read_text(encoding="utf-8")))
        for error in raised(function)
        if not re.search(rf"Raises?\b[\s\S]*\b{KINDS.get(error, error)}\b", ast.get_docstring(function) or "")
    ]
    assert texts == []


class _OnlyForCheckers(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return cls

    def __getitem__(cls, parameters):
        return cls


class OnlyForCheckers(metaclass=_OnlyForCheckers):
    """Stands for a name that only type checkers import, and for its attributes."""


class Names(dict):
    """The names of a module in its annotations."""

    def __init__(self, module):
        self.module = vars(sys.modules[module])

    def __missing__(self, name):
        return self.module.get(name, getattr(builtins, name, OnlyForCheckers))


def classes_of(annotation):
    """The classes of this package in an annotation."""
    if isinstance(annotation, type) and annotation.__module__.startswith("delvecore"):
        yield annotation
    for part in typing.get_args(annotation):
        yield from classes_of(part)


def classes_within(thing):
    """The classes that a function returns, or that a class has as public fields and results."""
    if isinstance(thing, property | cached_property | classmethod | staticmethod):
        thing = getattr(thing, "fget", None) or getattr(thing, "func", None) or thing.__func__
    if isinstance(thing, type):
        names = field_names(thing)
        hints = typing.get_type_hints(thing, localns=Names(thing.__module__)) if names else {}
        for name in names:
            yield from classes_of(hints[name])
        for name, part in vars(thing).items():
            if not name.startswith("_") and not isinstance(part, type):
                yield from classes_within(part)
    elif inspect.isfunction(thing):
        hints = typing.get_type_hints(thing, localns=Names(thing.__module__))
        yield from classes_of(hints.get("return"))


def field_names(record):
    names = (
        [field.name for field in fields(record)] if is_dataclass(record) else getattr(record, "_fields", ())
    )
    return [name for name in names if not name.startswith("_")]


def public_records():
    """The records of `delvecore.__all__`, and all that users reach from there."""
    waiting = [getattr(dv, name) for name in dv.__all__]
    waiting += [value for name, value in vars(dv.datasets).items() if not name.startswith("_")]
    things = {thing for thing in waiting if isinstance(thing, type)}
    for thing in waiting:
        new = set(classes_within(thing)) - things
        things |= new
        waiting.extend(new)
    records = [thing for thing in things if field_names(thing) and thing.__module__.startswith("delvecore")]
    return sorted(records, key=lambda record: f"{record.__module__}.{record.__name__}")


def listed_attributes(docstring):
    """The names in the list `Attributes` of a docstring."""
    section = re.search(r"^Attributes\n-+\n(.*?)(?=\n\n\S|\Z)", docstring, re.DOTALL | re.MULTILINE)
    lines = section[1].splitlines() if section else []
    return {name for line in lines if line[:1].strip() for name in line.partition(" : ")[0].split(", ")}


@pytest.mark.parametrize("record", public_records(), ids=lambda record: record.__name__)
def test_fields_of_public_records_are_a_list_of_attributes(record):
    missing = set(field_names(record)) - listed_attributes(inspect.getdoc(record))
    assert missing == set(), f"{record.__module__}.{record.__name__}"


def test_records_are_found_through_what_calls_return():
    names = {record.__name__ for record in public_records()}
    assert {"Ranking", "Reading", "Omission", "Comparison", "Standing", "Place", "Answer", "Measure"} <= names
