"""Results of single cases as leaderboards publish them: one file for each submission.

A file lists the problems that the submission solved, or pass or fail for each problem."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from delvecore.score_tables.files import load_json, plain_file

SOLVED = ("resolved", "resolved_ids", "resolved_instances", "solved", "solved_ids", "passed", "passed_ids")
"""Keys of the list of solved problems."""
PASSED = dict.fromkeys(("true", "pass", "passed", "solved", "resolved", "correct", "1"), 1.0)
FAILED = dict.fromkeys(("false", "fail", "failed", "unsolved", "unresolved", "incorrect", "0"), 0.0)
TITLE = "results by problem"
PEEKED = 3
"""Number of files that are opened to recognize a directory of a leaderboard."""


def board(paths: Sequence[str], directory: str) -> pd.DataFrame | None:
    """Return a row for each problem and submission of a directory, or None if it has no submissions."""
    files = [path for path in paths if plain_file(path).endswith(".json")]
    if all(_by_problem(load_json(path)) is None for path in files[:PEEKED]):
        return None
    contents = {path: load_json(path) for path in files}
    by_path = {
        path: solved_by for path, one in contents.items() if (solved_by := _by_problem(one)) is not None
    }
    if len(by_path) < 2:
        return None
    problems = {problem: None for one in by_path.values() for problem in one}
    is_list = all(_solved(contents[path]) is not None for path in by_path)
    names = _submissions([*by_path], directory)
    rows = [
        (names[path], problem, by_path[path].get(problem, 0.0 if is_list else None))
        for path in by_path
        for problem in problems
    ]
    frame = pd.DataFrame(rows, columns=["model", "doc_id", "value"]).dropna()
    task = os.path.basename(os.path.abspath(directory))
    frame = frame.assign(harness=TITLE, task=task, metric="resolved", higher_is_better=True)
    over = [os.path.relpath(path, directory) for path in paths if path not in by_path]
    frame.attrs |= {"passed over": tuple(over), "files": f"{len(by_path)} submissions"}
    return frame


def _solved(content: Any) -> list[str] | None:
    """Return the list of problems that a submission solved."""
    if not isinstance(content, dict):
        return None
    solved = next((content[key] for key in SOLVED if isinstance(content.get(key), list)), None)
    return solved if solved is not None and all(isinstance(one, str) for one in solved) else None


def _by_problem(content: Any) -> Mapping[str, float] | None:
    """Return 1 for each solved problem and 0 for each other problem in the file."""
    solved = _solved(content)
    if solved is not None:
        lists = [one for one in content.values() if isinstance(one, list)]
        named = {name for one in lists for name in one if isinstance(name, str)}
        return {name: float(name in {*solved}) for name in sorted(named)}
    if not isinstance(content, dict) or len(content) < 2:
        return None
    words = {str(name): str(one).lower() for name, one in content.items() if not isinstance(one, float)}
    values = {name: (PASSED | FAILED).get(word) for name, word in words.items()}
    if len(values) < len(content) or None in values.values():
        return None
    return {name: one for name, one in values.items() if one is not None}


def _submissions(paths: Sequence[str], directory: str) -> dict[str, str]:
    """Return the name of each submission: that of its file, or of a folder if names of files repeat."""
    parts = {path: os.path.splitext(os.path.relpath(path, directory))[0].split(os.sep) for path in paths}
    depth = min(map(len, parts.values()))
    for place in (-1, *range(depth)):
        names = {path: one[place] for path, one in parts.items()}
        if len({*names.values()}) == len(paths):
            return names
    return {path: "/".join(one) for path, one in parts.items()}
