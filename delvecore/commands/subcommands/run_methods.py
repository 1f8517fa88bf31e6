"""Which methods does `delve run` apply, and to which paths?"""

import os
import re
import sys
from argparse import Namespace
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from delvecore.errors import DelveError

if TYPE_CHECKING:
    from delvecore.runner.command_method import Runnable

__all__ = ["chosen_methods"]

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
EXTENSION = re.compile(r"\.[A-Za-z]\w*$")


def chosen_methods(
    options: Namespace, roots: Sequence[str], working_directory: str
) -> "tuple[list[Runnable], list[str]]":
    """Return (methods, paths): those that the words name, and the program or object of the options.

    roots: the delve directories with the data.
    """
    from delvecore.methods import METHODS, load_method
    from delvecore.methods.plug_ins import plug_ins

    known = {*METHODS, *plug_ins()}
    is_own = options.command or options.object
    count = 0 if is_own else 1  # the first word is a method, even if it names none: that is an error
    while count < len(options.words) and options.words[count] in known:
        count += 1
    names, paths = list(dict.fromkeys(options.words[:count])), options.words[count:]
    methods: list[Runnable] = [load_method(name) for name in names]
    if is_own:
        methods.append(_own_method(options, roots, working_directory))
        _check_name(methods[-1].name, known)
    return methods, paths


def _own_method(options: Namespace, roots: Sequence[str], working_directory: str) -> "Runnable":
    if options.object:
        from delvecore.methods.objects import method_from

        if working_directory not in sys.path:
            sys.path.insert(0, working_directory)  # as `python -m` does; other processes take it over
        return method_from(options.object, options.name)
    from delvecore.runner.command_method import CommandMethod, program_words

    words = program_words(options.command, working_directory)
    name = options.name or _name_of(words, options.command)
    return CommandMethod(name, words, tuple(roots), options.time_limit, options.targets)


def _name_of(words: Sequence[str], command: str) -> str:
    """Return the name of a program without its extension: of the first file that a program which every
    directory finds, such as `python`, is given."""
    is_of_all = os.sep not in command.split()[0]
    files = [word for word in words[1:] if os.path.isfile(word)] if is_of_all else []
    return EXTENSION.sub("", os.path.basename([*files, words[0]][0]))


def _check_name(name: str, known: Collection[str]) -> None:
    if not NAME.fullmatch(name):
        raise DelveError(f"expected a name of letters, digits and . _ + - for the method, found {name!r}")
    if name in known:
        raise DelveError(f"expected a name that no registered method has, found {name}; give one with --name")
