"""The examples in docstrings give what they show, and what raises an error says so."""

import ast
import doctest
import importlib
import re
from pathlib import Path

import numpy as np
import pytest

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
    found = doctest.testmod(importlib.import_module(name), extraglobs=names, optionflags=doctest.ELLIPSIS)
    assert (found.failed, found.attempted > 0) == (0, True)


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
    found = [
        f"{path.relative_to(ROOT)}:{function.lineno} {function.name}: {error}"
        for path in modules(*DOCUMENTED)
        for function in public_functions(ast.parse(path.read_text(encoding="utf-8")))
        for error in raised(function)
        if not re.search(rf"Raises?\b[\s\S]*\b{KINDS.get(error, error)}\b", ast.get_docstring(function) or "")
    ]
    assert found == []
