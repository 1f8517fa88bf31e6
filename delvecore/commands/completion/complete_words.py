"""`delve complete-words`: what a shell may put in place of the word that is being typed.

Called by the scripts of `delve completion` at each press of the key, so it imports little. It is no part of
what users see: faults of any kind give no words and no message.
"""

import os
from importlib import import_module

from delvecore.commands.completion.completed_paths import (
    array_names_of,
    data_paths,
    dataset_names_of,
    method_names_of,
    method_paths,
    true_paths,
)
from delvecore.commands.frame.manual_pages import PAGES
from delvecore.commands.frame.options import HELP, VERSION
from delvecore.errors import DelveError
from delvecore.losses.spec import LOSSES

__all__ = ["complete", "main"]

PLACES = {
    "dinfo": ("data", "tasks"),
    "dls": ("data",),
    "dmore": ("data", "files"),
    "dcheck": ("data", "priors"),
    "mtable": ("data", "tasks"),
    "minfo": ("methods",),
    "mls": ("methods",),
    "mmore": ("methods", "files"),
    "mstats": ("methods",),
    "mcheck": ("methods",),
    "mgendir": ("true", "data", "tasks"),
}
"""What the arguments of a command are: paths in the data or the methods, with what else belongs to them, or
true paths, as those of all other commands."""
METHODS, LETTERS, FILES = "methods", "losses", "files"
VALUES = {
    ("mstats", "c"): METHODS,
    ("mtable", "m"): METHODS,
    ("mtable", "r"): METHODS,
    ("mstats", "l"): LETTERS,
    ("mtable", "l"): LETTERS,
    ("mloss", "l"): LETTERS,
    ("mgendata", "c"): FILES,
    ("mloss", "i"): ("all",),
    ("dinfo", "k"): "keys",
    ("minfo", "k"): "keys",
    ("mtable", "f"): ("text", "csv", "latex", "html", "markdown"),
}


VALUES_OF_WORDS = ("loss", "methods", "reference")
"""Options of sub-commands whose values are losses or methods."""


def main(arguments):
    """Print the words that complete `arguments[1:][int(arguments[0])]`, one a line; return 0."""
    try:
        index, words = int(arguments[0]), arguments[1:]
        found = complete(words[:index], words[index] if index < len(words) else "")
        print("".join(f"{word}\n" for word in found), end="")
    except (DelveError, OSError, ValueError, IndexError):
        pass  # a shell that completes must not show faults
    return 0


def complete(before, current):
    """Return the words, sorted, that may stand for `current` behind the words before it, a command first."""
    command = os.path.basename(before[0])
    if command == "delve":
        words = _after_delve(before[1:], current)
    elif command in PAGES:
        words = _after_command(command, before[1:], current)
    else:
        words = ()
    return sorted({word for word in words if word.startswith(current)})


def _after_command(name, before, current):
    command = import_module(f"delvecore.commands.{name}").COMMAND
    pending, ended = _pending_option(command, before)
    if pending:
        return _values(name, pending, before, current)
    if current.startswith("-") and not ended:
        return [f"-{option.letter}" for option in (*command.options, HELP, VERSION)]
    return _places(PLACES.get(name, ("true",)), current)


def _pending_option(command, before):
    """Return (letter of the option whose value comes next or '', whether `--` ended the options)."""
    takes_value = {option.letter for option in command.options if option.argument}
    pending = ""
    for word in before:
        if pending:
            pending = ""
        elif word == "--":
            return "", True
        elif word[:1] == "-":
            first = next((place for place, letter in enumerate(word) if letter in takes_value), len(word))
            pending = word[first] if first == len(word) - 1 else ""
    return pending, False


def _values(name, letter, before, current):
    kind = VALUES.get((name, letter), ())
    if kind == METHODS:
        return method_names_of()
    if kind == LETTERS:
        return LOSSES
    if kind == FILES:
        return true_paths(current, files=True)
    if kind == "keys":
        return _keys(name, before)
    return kind


def _keys(name, before):
    """Return the keys of what a path among the words, or the current directory, tells about."""
    from delvecore.commands.frame.context import active_hierarchy, current_directory

    report = "data" if name == "dinfo" else "method"
    module = import_module(f"delvecore.report.information.{report}_information")
    hierarchy, directory = active_hierarchy(current_directory()), current_directory()
    paths = [word for word in before if word[:1] != "-"] or ["."]
    location = hierarchy.locate(paths[-1], directory, part="data" if name == "dinfo" else "methods")
    function = getattr(module, f"{report}_information")
    return function(hierarchy, hierarchy, location.names).keys(everything=True, wanted=None)


def _places(kinds, current):
    found = []
    if "true" in kinds:
        found += true_paths(current)
    if "methods" in kinds:
        found += method_paths(current, files="files" in kinds)
    if "data" in kinds:
        found += data_paths(current, files="files" in kinds, priors="priors" in kinds, tasks="tasks" in kinds)
    return found


def _after_delve(before, current):
    from delvecore.commands.delve import COMMANDS

    if not before:
        return [*COMMANDS, "--help", "--version"]
    if before[0] not in COMMANDS:
        return ()
    if before[0] == "completion":
        return ("bash", "zsh", "fish", "--help") if len(before) == 1 else ()
    parser = import_module(COMMANDS[before[0]])._parser()
    return _arguments(before[0], parser._actions, before[1:], current)


def _option_values(name, option, current):
    """Return what an option of a sub-command of `delve` may be followed by."""
    if name == "array":
        return _words_of(option) if option in VALUES_OF_WORDS else ()
    return _words_of(option) if option in VALUES_OF_WORDS else true_paths(current, files=False)


def _words_of(option):
    return LOSSES if option == "loss" else method_names_of()


def _arguments(name, actions, before, current):
    options = {text: action for action in actions for text in action.option_strings}
    last = options.get(before[-1]) if before else None
    if last is not None and last.nargs != 0:
        return last.choices or _option_values(name, last.dest, current)
    if current.startswith("-"):
        return options
    values = [options.get(word) for word in before[:-1]]
    taken = [action is not None and action.nargs != 0 for action in [None, *values]]
    first = not any(word[:1] != "-" and not is_value for word, is_value in zip(before, taken, strict=False))
    if name == "run":
        from delvecore.methods import METHODS as REGISTERED

        return REGISTERED if first else data_paths(current, tasks=True)
    if name == "measures":
        return method_names_of() if first else data_paths(current, tasks=True)
    if name == "rank":
        return data_paths(current, tasks=True) or true_paths(current, files=True)
    if name == "table":
        here = os.path.isdir(os.path.dirname(current) or ".")
        return [*data_paths(current, tasks=True), *(true_paths(current, files=True) if here else ())]
    if name == "array":
        return array_names_of() if first else ()
    if name == "pack":
        return dataset_names_of() if "--data" in before else method_names_of()
    return true_paths(current, files=True)
