"""Methods of one's own that `delve run` runs: a program, a Python object, a workflow."""

import os
import re
import sys
from argparse import Namespace
from collections.abc import Collection, Sequence

from delvecore.cli.support.manual import ManualParser
from delvecore.errors import DelveError
from delvecore.methods.objects import method_from
from delvecore.runner.command_method import CommandMethod, Runnable, program_words
from delvecore.workflows.documents import describe
from delvecore.workflows.method import WorkflowMethod, workflow_methods

__all__ = ["add_own_methods", "describe_method", "is_asked_for", "own_methods"]

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
EXTENSION = re.compile(r"\.[A-Za-z]\w*$")


def add_own_methods(parser: ManualParser) -> None:
    add = parser.add_argument
    meaning = (
        "a program that is a method: it runs in a directory with train.N and test.N of an instance, and "
        "writes predictions there, such as cguess.N; DELVE_INSTANCE says N, DELVE_SEED a random seed"
    )
    add("--command", metavar="COMMAND", help=meaning)
    meaning = "a Python object that is a method: it has fit and predict, or makes something that has"
    add("--object", metavar="MODULE:ATTRIBUTE", help=meaning)
    meaning = (
        "a workflow: steps before learning, a learner with lists of values, steps after predicting; each "
        "combination of values is a method, NAME.v1, NAME.v2 ..."
    )
    add("--workflow", metavar="FILE.toml", help=meaning)
    add("--name", help="of that method (default: that of the program, attribute or file)")
    add("--time-limit", type=float, metavar="SECONDS", help="how long the program may take for an instance")
    meaning = (
        "give the program targets.N too, the true targets of the test cases, which only the density that it "
        "predicts for them (lptarg.N) may depend on"
    )
    add("--targets", action="store_true", help=meaning)


def is_asked_for(options: Namespace) -> int:
    """How many options ask for methods of one's own?"""
    return sum(bool(one) for one in (options.command, options.object, options.workflow))


def own_methods(
    options: Namespace, roots: Sequence[str], working_directory: str, *, known: Collection[str]
) -> list[Runnable]:
    """Return the methods of the options. roots: the delve directories with the data; known: names of methods
    that others have. Raises DelveError."""
    if working_directory not in sys.path and not options.command:
        sys.path.insert(0, working_directory)  # as `python -m` does; other processes take it over
    methods = _own_methods(options, roots, working_directory)
    for method in methods:
        name = method.name
        if not NAME.fullmatch(name):
            raise DelveError(f"expected a name of letters, digits and . _ + - for the method, found {name!r}")
        if name in known:
            expected = "a name that no registered method has"
            raise DelveError(f"expected {expected}, found {name}; give one with --name")
    return methods


def _own_methods(options: Namespace, roots: Sequence[str], working_directory: str) -> list[Runnable]:
    if options.workflow:
        return [*workflow_methods(options.workflow, options.name)]
    if options.object:
        return [method_from(options.object, options.name)]
    words = program_words(options.command, working_directory)
    # A program that every directory finds, such as `python`, is named by the first file that it is given.
    is_of_all = os.sep not in options.command.split()[0]
    own = [word for word in words[1:] if os.path.isfile(word)] if is_of_all else []
    name = options.name or EXTENSION.sub("", os.path.basename([*own, words[0]][0]))
    rules = {"with_targets": options.targets, "follow_links": options.follow_links}
    return [CommandMethod(name, words, tuple(roots), options.time_limit, **rules)]


def describe_method(method: Runnable, options: Namespace, into: str) -> None:
    """Write what a workflow is beside its results, in a delve directory. Raises DelveError where there are
    results of other settings under its name."""
    if not options.workflow:
        return
    if isinstance(method, WorkflowMethod):
        describe(method.workflow, options.workflow, os.path.join(into, "methods"))
