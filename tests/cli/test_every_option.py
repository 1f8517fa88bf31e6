"""Each command with each of its options, on every form of path, gives the same answer. Source: appendix C."""

import shutil
from importlib import import_module

import pytest

from delvecore.cli import mgendata
from tests.archives import write_tree

READING = {
    "dcheck": ("data", "demo/age", {"l": None}),
    "dinfo": ("data", "demo/age", {"a": None, "k": "prototask tasks", "q": None, "t": None}),
    "dls": ("data", "demo/age", {"l": None}),
    "dmore": ("data", "demo/Summary", {}),
    "minfo": ("methods", "line/demo/age", {"a": None, "k": "tasks", "q": None, "t": None}),
    "mls": ("methods", "line/demo/age", {"l": None}),
    "mmore": ("methods", "line/Summary", {}),
    "mstats": ("methods", "line/demo/age/std.4", {"c": "base", "i": "loss", "l": "S"}),
}
WRITING = {
    "dgenorder": ("data/demo/age", {"s": "7"}),
    "dgenproto": ("data/demo", {"i": None, "q": None}),
    "mgendir": ("methods/new/demo", {"l": None, "q": None}),
    "mgendata": ("methods/mine/demo/age/std.4", {"c": "CODING", "q": None}),
    "mloss": ("methods/mine/demo/age/std.4", {"i": "0 1", "l": "SA", "q": None}),
}


def subsets(options: dict, *, single: bool) -> list[list[str]]:
    """No option, each alone where this is asked for, and all together; values stand apart."""
    known = tuple(options.items())
    chosen = dict.fromkeys([(), *((one,) for one in known if single), known])
    return [
        [word for letter, value in some for word in ([f"-{letter}"] + [value] * (value is not None))]
        for some in chosen
    ]


def cases(commands: dict, *, single: bool):
    return [
        (name, options) for name, (*_, known) in commands.items() for options in subsets(known, single=single)
    ]


@pytest.mark.parametrize(("name", "options"), cases(READING, single=True))
def test_paths_of_every_form_lead_to_the_same_answer(name, options, small, run_command):
    main = import_module(f"delvecore.cli.{name}").main
    part, place, _ = READING[name]
    base = small / part
    inside = base / place if (base / place).is_dir() else (base / place).parent
    own = [] if (base / place).is_dir() else [(base / place).name]
    forms = {
        "absolute, outside": (["/" + place], small.parent),
        "absolute, inside": (["/" + place], inside),
        "relative": ([place.partition("/")[2]], base / place.partition("/")[0]),
        "from a sibling": ([f"../{place}"], base / place.partition("/")[0]),
        "here": (own or ["."], inside),
        "none": (own, inside),
    }
    if part == "data":
        forms["mpath"] = (["/line/" + place], small.parent)
        (small / "methods/line" / place.partition("/")[0]).mkdir(exist_ok=True)
    if options:  # every form is tried without any
        forms = {form: forms[form] for form in ("absolute, outside", "none")}
    answers = {
        form: run_command(main, *options, *path, directory=where) for form, (path, where) in forms.items()
    }
    first = answers["absolute, outside"]
    assert first.code == 0
    assert first.err == ""
    assert {form: answer for form, answer in answers.items() if answer != first} == {}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), cases(WRITING, single=False))
def test_true_paths_of_every_form_lead_to_the_same_files(name, options, small, tmp_path, run_command):
    main = import_module(f"delvecore.cli.{name}").main
    place, _ = WRITING[name]
    prepare(small, run_command)
    (tmp_path / "CODING").write_text("AGE copy\n")
    options = [str(tmp_path / "CODING") if option == "CODING" else option for option in options]
    made = {}
    for form in ("absolute, outside", "relative, inside", "here"):
        copy = tmp_path / form.replace(", ", "-") / "delve-copy"
        shutil.copytree(small, copy)
        place_here = copy / place
        if form == "here":
            place_here.mkdir(parents=True, exist_ok=True)
        path, where = {
            "absolute, outside": (str(place_here), tmp_path),
            "relative, inside": (f"../{place}", copy / "methods"),
            "here": (".", place_here),
        }[form]
        seeded = options if name != "dgenorder" or options else ["-s", "1"]
        outcome = run_command(main, *seeded, path, directory=where, path=copy)
        assert outcome.code == 0, (form, outcome.err)
        progress = [line for line in outcome.err.splitlines() if ": warning: " not in line]
        assert "-q" not in options or not progress
        made[form] = files(copy)
    first = made["absolute, outside"]
    assert first != files(small) or name == "mgendata"
    assert [form for form, tree in made.items() if tree != first] == []


def prepare(small, run_command):
    """A method with encoded data and guesses on one task."""
    task = small / "methods/mine/demo/age/std.4"
    task.mkdir(parents=True)
    assert run_command(mgendata.main, "-q", str(task)).code == 0
    write_tree(task, {f"guess.{n}": "1\n" * 2 for n in range(4)})


def files(root):
    """Every path below a directory, with its content."""
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else None for path in root.rglob("*")
    }
