"""The house: what may import what, and habits that a program can check. The rules stand in LAYERS."""

import ast
import functools
import importlib.metadata
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from dashboard.server import pages

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("delvecore", "dashboard")
OFFERING = {
    "delvecore",
    "delvecore.archive",
    "delvecore.checks",
    "delvecore.methods",
    "delvecore.simulators",
}
"""The packages that offer names of their own; the `__init__` of every other one is its docstring."""

LAYERS = (
    {
        "answers.answer",
        "atomic_io",
        "errors",
        "locations",
        "losses.metrics",
        "losses.spec",
        "losses.standard_losses",
        "measures",
        "model",
        "names",
        "number_format",
        "plan",
        "progress",
        "render.numbers",
        "score_tables.options",
        "score_tables.score_file",
        "stats.choose",
        "stats.designs",
        "stats.notes",
        "tables",
    },
    {"remote"},
    {"readers"},
    {"score_tables"},
    {"cache", "parallel"},
    {"simulators"},
    {"encoding"},
    {"writers"},
    {"losses", "stats"},
    {"metrics"},
    {"render"},
    {"checks", "report", "methods"},
    {"answers"},
    {"plots", "workflows"},
    {"archive", "runner", "packaging"},
    {"importers", "library"},
    {"cli", "datasets", "experiments"},
    {"__main__"},
)
"""The layers of the core, from the lowest up: a module imports from its own part and from layers below."""
PAGES = {page.name for page in pages.PAGES}
PURE = ("plots", "glossary")
"""Modules and folders of the dashboard that know no Streamlit: what they draw or say is given to them."""


@functools.cache
def source_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(node: ast.AST) -> Iterator[str]:
    """The full names of the modules (or of what is in them) that one statement imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


class Facts(NamedTuple):
    """What the rules ask about a file. Its syntax is not kept: the garbage collector would visit every node.

    imports: all, those inside functions too; imports_at_start: those that importing the file runs, neither inside a
    function nor for type checkers; calls: names of functions; loose: lines with assert, eval, exec, or an except that
    catches everything."""

    imports: set[str]
    imports_at_start: set[str]
    calls: set[str]
    loose: list[int]
    has_docstring: bool
    statements: int


@functools.cache
def facts(path: Path) -> Facts:
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    nodes = list(ast.walk(tree))
    return Facts(
        {name for node in nodes for name in imported(node)},
        imports_at_start(tree),
        {getattr(node.func, "id", "") for node in nodes if isinstance(node, ast.Call)},
        [node.lineno for node in nodes if is_loose(node)],
        ast.get_docstring(tree) is not None,
        len(tree.body),
    )


def imports_at_start(tree: ast.Module) -> set[str]:
    names, nodes = set(), list(tree.body)
    while nodes:
        node = nodes.pop()
        names.update(imported(node))
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            nodes += node.orelse
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            nodes += list(ast.iter_child_nodes(node))
    return names


def is_loose(node: ast.AST) -> bool:
    if isinstance(node, ast.ExceptHandler):
        return node.type is None or getattr(node.type, "id", "") in ("Exception", "BaseException")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("eval", "exec")
    return isinstance(node, ast.Assert)


def is_inside(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def layer_of(name: str) -> int | None:
    """The layer of a module of the core, or of a name in it; None for what is not the core's, and for the
    package itself, which fetches its public names on demand."""
    parts = name.removeprefix("delvecore.").split(".")
    named = (".".join(parts[:2]), parts[0])
    numbers = [number for part in named for number, layer in enumerate(LAYERS) if part in layer]
    return numbers[0] if is_inside(name, "delvecore") and numbers else None


def part_of(name: str) -> str:
    return name.split(".")[1]


def test_core_modules_import_only_from_layers_below():
    wrong = [
        f"{name} is on {described(layer_of(name))} and imports {used}, which is on {described(layer_of(used))}"
        for path in source_files("delvecore")
        if layer_of(name := module_name(path)) is not None
        for used in sorted(facts(path).imports)
        if layer_of(used) is not None
        and part_of(used) != part_of(name)
        and is_out_of_reach(used, layer_of(name))
    ]
    assert not wrong, "\n".join(wrong)


def is_out_of_reach(used: str, layer: int) -> bool:
    """Is it on a layer above, or beside on the same one? The parts of the lowest layer share it."""
    return layer_of(used) > layer or layer_of(used) == layer > 0


def described(layer: int) -> str:
    return f"layer {layer} ({', '.join(sorted(LAYERS[layer]))})"


def test_every_part_of_the_core_has_its_layer():
    names = {module_name(path) for path in source_files("delvecore")} - {"delvecore"}
    assert {name for name in names if layer_of(name) is None} == set()


def importing(folder: str, *packages: str, known: str = "imports") -> dict[str, set[str]]:
    """The modules of a folder that import from one of the packages, and what they import."""
    imports = {
        module_name(path): {
            name
            for name in getattr(facts(path), known)
            if any(is_inside(name, package) for package in packages)
        }
        for path in source_files(folder)
    }
    return {module: names for module, names in imports.items() if names}


def test_the_core_knows_neither_streamlit_nor_the_dashboard():
    # Only the command `delve dashboard` may start the dashboard.
    imported = importing("delvecore", "streamlit", "dashboard")
    assert set(imported) <= {"delvecore.cli.subcommands.dashboard"}, imported


def test_only_figures_know_plotly_and_they_are_imported_where_they_are_drawn():
    # Plotly takes long to import: who draws nothing does not wait for it.
    modules = [
        *importing("delvecore", "plotly"),
        *importing("delvecore", "delvecore.plots", known="imports_at_start"),
    ]
    assert [module for module in modules if not is_inside(module, "delvecore.plots")] == []


def test_statistics_neither_open_files_nor_print():
    files = source_files("delvecore/stats")
    assert [module_name(path) for path in files if facts(path).calls & {"open", "print"}] == []


def dashboard_part(name: str) -> str | None:
    """The part of the dashboard in which a module lies: a page, `ui`, `server`."""
    parts = name.split(".")
    return parts[1] if parts[0] == "dashboard" and len(parts) > 1 else None


def test_a_page_imports_no_other_page_ui_none_and_the_server_neither():
    wrong = []
    for path in source_files("dashboard"):
        part = dashboard_part(module_name(path))
        if part in (None, "app"):
            continue
        above = PAGES | {"app"} | ({"ui"} if part == "server" else set())
        wrong += [
            f"{module_name(path)}: {name}"
            for name in facts(path).imports
            if dashboard_part(name) in above - {part}
        ]
    assert not wrong, f"what pages share goes to ui, what ui needs to the server: {wrong}"


def test_every_part_of_the_dashboard_is_known():
    parts = {dashboard_part(module_name(path)) for path in source_files("dashboard")} - {None}
    assert parts == PAGES | {"app", "ui", "server"}


def test_figures_and_words_know_no_streamlit():
    imported = importing("dashboard", "streamlit", "dashboard.server")
    assert [module for module in imported if set(module.split(".")) & set(PURE)] == []


def test_no_module_of_the_dashboard_bears_a_librarys_name():
    # Streamlit puts the folder of the entry script first on sys.path.
    names = {Path(path.relative_to(ROOT / "dashboard").parts[0]).stem for path in source_files("dashboard")}
    libraries = set(importlib.metadata.packages_distributions()) - {"dashboard"}
    assert names & (libraries | set(sys.stdlib_module_names)) == set()


def test_dashboard_modules_are_imported_by_their_full_names():
    own = {dashboard_part(module_name(path)) for path in source_files("dashboard")} - {None}
    assert importing("dashboard", *own) == {}


def test_packages_are_their_docstrings():
    files = {module_name(path): path for path in source_files(*PACKAGES) if path.name == "__init__.py"}
    assert {name for name, path in files.items() if facts(path).statements > 1} <= OFFERING


def test_every_module_says_what_it_is_for():
    files = source_files(*PACKAGES, "benchmarks", "docs")
    assert [module_name(path) for path in files if not facts(path).has_docstring] == []


def test_no_assert_eval_or_broad_except_in_the_program():
    by_path = {path: facts(path).loose for path in source_files(*PACKAGES)}
    assert {module_name(path): lines for path, lines in by_path.items() if lines} == {}


OUTPUT_SIDE = (
    *(f"delvecore/{part}" for part in ("answers", "archive", "cli", "library", "plots", "render", "report")),
    "dashboard",
)
LAYOUT = re.compile(r"(.?[<>^])?(\d+|\{\})?|\d+X")
"""Formats that only pad a text to a width, and hexadecimal code points."""
FORMAT_FIELD = re.compile(r"\{[^{}:]*:([^{}]+)\}|%[-+ #0]*\d*(\.\d+)?[eEfFgGd]")


def formats_of_numbers(tree: ast.AST) -> Iterator[int]:
    """The lines with a format of a number: in an f-string, of `format`, `str.format` or `%`, or a shown `round`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FormattedValue):
            parts = getattr(node.format_spec, "values", [])
            spec = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
            rounds = isinstance(node.value, ast.Call) and getattr(node.value.func, "id", "") == "round"
            if rounds or not LAYOUT.fullmatch(spec):
                yield node.lineno
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            template = node.func.value if isinstance(node.func, ast.Attribute) else None
            text = template.value if isinstance(template, ast.Constant) else ""
            if name == "format" and (isinstance(node.func, ast.Name) or FORMAT_FIELD.search(str(text))):
                yield node.lineno
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            text = node.left.value if isinstance(node.left, ast.Constant) else ""
            if isinstance(text, str) and FORMAT_FIELD.search(text):
                yield node.lineno


def test_only_one_module_of_the_output_side_formats_numbers():
    files = [
        *source_files(*OUTPUT_SIDE),
        *(ROOT / f"delvecore/stats/{name}.py" for name in ("notes", "verdicts")),
    ]
    texts = [
        f"{module_name(path)}, line {line}"
        for path in files
        if module_name(path) != "delvecore.render.numbers"
        for line in formats_of_numbers(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not texts, f"delvecore/render/numbers.py formats numbers: {texts}"


@pytest.mark.parametrize(
    "source",
    [
        "f'{p:.3g}'",
        "f'{n:,}'",
        "f'{x:+.1f}'",
        "f'{x:.{d}f}'",
        "f'{s:%}'",
        "format(p, '.2f')",
        "f'{round(x, 2)}'",
        "'p = {:.2g}'.format(p)",
        "'%.3f' % p",
        "'at %d' % n",
        "'{0:,}'.format(n)",
    ],
)
def test_a_format_of_a_number_is_seen(source):
    assert list(formats_of_numbers(ast.parse(source))) == [1]


@pytest.mark.parametrize(
    "source", ["f'{name:<8}'", "f'{name:{width}}'", "f'{n:>6}'", "f'{x}'", "'a {}'.format(x)"]
)
def test_a_width_is_no_format_of_a_number(source):
    assert list(formats_of_numbers(ast.parse(source))) == []


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
    places = []
    for path in tracked_files():
        content = path.read_bytes() if path.is_file() else b""
        if b"\0" not in content and machine_path.search(content):
            places.append(str(path.relative_to(ROOT)))
    assert places == []


def test_unfinished_work_is_not_tracked():
    marks = re.compile("NotImplemented" + "Error|TO" + "DO|FIX" + "ME|XX" + "X")
    files = [path for path in tracked_files() if path.suffix == ".py" and path.is_file()]
    assert [str(path.relative_to(ROOT)) for path in files if marks.search(path.read_text())] == []


def test_git_ignores_no_file_of_the_archive():
    ignored = git_files("--others", "--ignored", "--exclude-standard", "data")
    assert [name for name in ignored if "__pycache__" not in name] == []
