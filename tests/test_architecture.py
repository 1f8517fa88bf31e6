"""The house: what may import what, and habits that a program can check. The rules stand in MAY_USE."""

import ast
import functools
import importlib.metadata
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("delvecore", "dashboard")
LONGEST_FUNCTION = 40

GROUND = {
    "errors",
    "locations",
    "loss_names",
    "model",
    "number_arrays",
    "numbers",
    "text_columns",
    "delvecore",
}
"""What every part of the core may use: facts, errors and numbers."""

MAY_USE = {
    "errors": set(),
    "locations": set(),
    "numbers": set(),
    "model": set(),
    "number_cells": {"numbers"},
    "text_columns": {"number_cells"},
    "number_arrays": {"text_columns"},
    "loss_names": {"model", "numbers"},
    "tables": set(),
    "readers": GROUND,
    "simulators": GROUND | {"cache"},
    "encoding": GROUND | {"readers", "simulators"},
    "writers": GROUND | {"readers", "encoding"},
    "losses": GROUND | {"readers", "encoding", "writers"},
    "checking": GROUND | {"readers", "encoding", "writers", "losses"},
    "statistics": GROUND | {"tables"},
    "cache": GROUND,
    "archive": GROUND | {"checking", "readers", "tables", "cache", "encoding", "losses", "statistics"},
    "report": GROUND | {"readers", "tables", "encoding", "statistics"},
    "sharing": GROUND | {"readers", "writers", "checking"},
    "methods": GROUND | {"encoding", "losses"},
    "runner": GROUND | {"readers", "encoding", "writers", "losses", "methods"},
}
HIGHEST = {"commands", "delvecore"}
"""May use everything below: the commands, and the package itself, which fetches its public names on demand."""

FLOORS_OF_THE_DASHBOARD = {
    "figures": ("streamlit", "dashboard.views", "dashboard.data", "dashboard.page", "dashboard.app"),
    "theme": ("streamlit", "dashboard.views", "dashboard.figures", "dashboard.page", "dashboard.app"),
    "words": ("streamlit", "dashboard.views", "dashboard.figures", "dashboard.page", "dashboard.app"),
    "data": ("dashboard.views", "dashboard.app"),
}
QUICK_COMMANDS = ("dinfo", "dls", "dmore", "minfo", "mls", "mmore", "mstats")
SLOW_TO_IMPORT = {
    *("argparse", "dataclasses", "enum", "inspect", "json", "logging", "pathlib", "tempfile", "typing"),
    *("numpy", "pandas", "plotly", "pyarrow", "scipy", "sklearn", "streamlit", "subprocess"),
}


def source_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


@functools.cache
def syntax(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(node: ast.AST) -> Iterator[str]:
    """The full names of the modules (or of what is in them) that one statement imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def all_imports(path: Path) -> set[str]:
    """Every import of a file, those inside functions too."""
    return {name for node in ast.walk(syntax(path)) for name in imported(node)}


def imports_at_start(path: Path) -> set[str]:
    """The imports that importing the file runs: all that are not inside a function."""
    names, nodes = set(), list(syntax(path).body)
    while nodes:
        node = nodes.pop()
        names.update(imported(node))
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            nodes += list(ast.iter_child_nodes(node))
    return names


def is_inside(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def part_of_the_core(name: str) -> str | None:
    """`readers` for `delvecore.readers.files`; `delvecore` for names of the package itself."""
    if not is_inside(name, "delvecore"):
        return None
    part = [*name.split("."), "delvecore"][1]
    return part if part in {*MAY_USE, *HIGHEST} else "delvecore"


@pytest.mark.parametrize("path", source_files("delvecore"), ids=module_name)
def test_core_modules_import_only_from_floors_below(path):
    part = part_of_the_core(module_name(path))
    if part in HIGHEST:
        return
    used = {part_of_the_core(name) for name in all_imports(path)} - {None, part}
    assert used <= MAY_USE[part], f"{module_name(path)} imports from {sorted(used - MAY_USE[part])}"


def test_every_part_of_the_core_has_its_floor():
    files = source_files("delvecore")
    parts = {module_name(path).split(".")[1] for path in files if module_name(path) != "delvecore"}
    assert parts <= set(MAY_USE) | HIGHEST


def test_the_core_knows_neither_streamlit_nor_plotly_nor_the_dashboard():
    # Only the command `delve dashboard` may start the dashboard.
    strangers = ("streamlit", "plotly", "dashboard")
    found = {
        f"{module_name(path)}: {name}"
        for path in source_files("delvecore")
        for name in all_imports(path)
        if any(is_inside(name, stranger) for stranger in strangers) and path.stem != "delve_dashboard"
    }
    assert found == set()


def test_statistics_neither_open_files_nor_print():
    calls = [
        (path, node.func)
        for path in source_files("delvecore/statistics")
        for node in ast.walk(syntax(path))
        if isinstance(node, ast.Call)
    ]
    found = {module_name(path) for path, called in calls if getattr(called, "id", "") in ("open", "print")}
    assert found == set()


def test_floors_of_the_dashboard_are_kept():
    found = set()
    for path in source_files("dashboard"):
        part = [*module_name(path).split("."), ""][1]
        for forbidden in FLOORS_OF_THE_DASHBOARD.get(part, ()):
            names = {name for name in all_imports(path) if is_inside(name, forbidden)}
            found |= {f"{module_name(path)}: {name}" for name in names}
    assert found == set()


def reached(path: Path, seen: set[Path]) -> set[str]:
    """What importing a file imports in turn, followed through the project's own modules."""
    names = set()
    if path in seen:
        return names
    seen.add(path)
    for name in imports_at_start(path):
        own = [file for file in places_of(name) if file.exists()]
        names.add(name)
        for file in own:
            names |= reached(file, seen)
    return names


def places_of(name: str) -> Iterator[Path]:
    """The files that `import name` runs if they exist: packages on the way, the module itself."""
    if not is_inside(name, "delvecore"):
        return
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        yield ROOT.joinpath(*parts[:end], "__init__.py")
        yield ROOT.joinpath(*parts[:end]).with_suffix(".py")


@pytest.mark.parametrize("command", QUICK_COMMANDS)
def test_quick_commands_import_nothing_that_is_slow_to_import(command):
    names = reached(ROOT / "delvecore" / "commands" / f"{command}.py", set())
    assert {name.split(".")[0] for name in names} & SLOW_TO_IMPORT == set()


@pytest.mark.parametrize("path", source_files("dashboard"), ids=module_name)
def test_no_module_of_the_dashboard_bears_a_librarys_name(path):
    # Streamlit puts the folder of the entry script first on sys.path.
    name = Path(path.relative_to(ROOT / "dashboard").parts[0]).stem
    libraries = set(importlib.metadata.packages_distributions()) - {"dashboard"}
    assert name not in libraries | set(sys.stdlib_module_names)


def test_dashboard_modules_are_imported_by_their_full_names():
    own = {path.stem for path in (ROOT / "dashboard").glob("*.py")} | {"views", "figures"}
    found = {
        f"{module_name(path)}: {name}"
        for path in source_files("dashboard")
        for name in all_imports(path)
        if name.split(".")[0] in own
    }
    assert found == set()


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Name and length of each function of a file, the docstring apart."""
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            if body:
                yield f"{module_name(path)}.{node.name}", body[-1].end_lineno - body[0].lineno + 1


def test_no_function_is_long():
    files = source_files(*PACKAGES, "benchmarks", "docs", "data")
    long = {name: length for path in files for name, length in functions(path) if length > LONGEST_FUNCTION}
    assert long == {}


def test_every_module_says_what_it_is_for():
    files = source_files(*PACKAGES, "benchmarks", "docs")
    assert [module_name(path) for path in files if not ast.get_docstring(syntax(path))] == []


def is_loose(node: ast.AST) -> bool:
    """assert, eval, exec, or an except that catches everything?"""
    if isinstance(node, ast.ExceptHandler):
        return node.type is None or getattr(node.type, "id", "") in ("Exception", "BaseException")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("eval", "exec")
    return isinstance(node, ast.Assert)


def test_no_assert_eval_or_broad_except_in_the_program():
    found = {
        f"{module_name(path)}:{node.lineno}"
        for path in source_files(*PACKAGES)
        for node in ast.walk(syntax(path))
        if is_loose(node)
    }
    assert found == set()


def git_files(*options: str) -> list[str]:
    """The names that `git ls-files` prints; skips the test without git or outside of a repository."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed: what it tracks is not known")
    command = ["git", "ls-files", "-z", *options]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("no git repository: what it tracks is not known")
    return [name for name in listed.stdout.decode().split("\0") if name]


def tracked_files() -> list[Path]:
    return [ROOT / name for name in git_files()]


def test_tracked_files_name_no_path_of_one_machine():
    machine_path = re.compile(rb"(?<![\w.~$}-])/(?:work|root|home|tmp|Users|var/folders)/")
    found = []
    for path in tracked_files():
        content = path.read_bytes() if path.is_file() else b""
        if b"\0" not in content and machine_path.search(content):
            found.append(str(path.relative_to(ROOT)))
    assert found == []


def test_unfinished_work_is_not_tracked():
    marks = re.compile("NotImplemented" + "Error|TO" + "DO|FIX" + "ME|XX" + "X")
    files = [path for path in tracked_files() if path.suffix == ".py" and path.is_file()]
    assert [str(path.relative_to(ROOT)) for path in files if marks.search(path.read_text())] == []


def test_git_ignores_no_file_of_the_archive():
    ignored = git_files("--others", "--ignored", "--exclude-standard", "data")
    assert [name for name in ignored if "__pycache__" not in name] == []
