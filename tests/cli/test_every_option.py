"""Each command with each of its options, on every form of path, gives the same answer. Source: appendix C."""

from importlib import import_module

import pytest

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


def cases():
    """Each command without an option, with each alone, and with all together; values stand apart."""
    for name, (*_, known) in READING.items():
        options = [[f"-{letter}"] + [value] * (value is not None) for letter, value in known.items()]
        yield name, []
        yield from ((name, one) for one in options)
        if len(options) > 1:
            yield name, [word for one in options for word in one]


@pytest.mark.parametrize(("name", "options"), list(cases()))
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
