"""Run the notebooks as Jupyter would, without it: `python -m docs.run_notebook` writes what their cells show.

A cell shows what it prints and its last expression, as HTML where that has it."""

import ast
import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

__all__ = ["CASES", "EXPERIMENT", "NOTEBOOK", "main", "ran"]

NOTEBOOK, EXPERIMENT, CASES = (
    Path(__file__).with_name(f"{name}.ipynb") for name in ("notebook", "experiment", "cases")
)
Notebook = dict[str, Any]


def main() -> int:
    """Write the notebooks with what their cells show today; return 0."""
    for path in (NOTEBOOK, EXPERIMENT, CASES):
        path.write_text(text_of(ran(json.loads(path.read_text(encoding="utf-8")))), encoding="utf-8")
    return 0


def text_of(notebook: Notebook) -> str:
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def ran(notebook: Notebook) -> Notebook:
    """Return the notebook with the outputs of all cells, run in order in the folder where it lies."""
    names: dict[str, Any] = {"__name__": "__main__"}
    before = Path.cwd()
    os.chdir(NOTEBOOK.parent)
    try:
        return notebook | {"cells": [_ran(cell, names, number) for number, cell in _numbered(notebook)]}
    finally:
        os.chdir(before)


def _numbered(notebook: Notebook) -> list[tuple[int, Notebook]]:
    """Return the cells, those of code with their numbers from 1."""
    numbered, count = [], 0
    for cell in notebook["cells"]:
        count += cell["cell_type"] == "code"
        numbered.append((count, cell))
    return numbered


def _ran(cell: Notebook, names: dict[str, Any], number: int) -> Notebook:
    if cell["cell_type"] != "code":
        return cell
    tree = ast.parse("".join(cell["source"]))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    outputs = [] if value is None else [_shown(value, number)]
    if text := printed.getvalue():
        outputs.insert(0, {"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)})
    return cell | {"execution_count": number, "outputs": outputs}


def _shown(value: Any, number: int) -> Notebook:
    """Return a value as Jupyter keeps it. A Plotly figure is kept as its data, which need no text."""
    data: dict[str, Any] = {}
    if hasattr(value, "to_plotly_json"):
        data["application/vnd.plotly.v1+json"] = json.loads(value.to_json())
    elif hasattr(value, "_repr_html_"):
        data["text/html"] = value._repr_html_().splitlines(keepends=True)
    if "application/vnd.plotly.v1+json" not in data:
        data["text/plain"] = repr(value).splitlines(keepends=True)
    return {"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}


if __name__ == "__main__":
    sys.exit(main())
