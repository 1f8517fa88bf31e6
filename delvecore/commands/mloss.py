"""`mloss`: decode predictions and make loss files. Source: manual, section 7.5, appendix C."""

import sys

from delvecore.commands.context import run
from delvecore.commands.options import Command, Option
from delvecore.commands.true_paths import task_places, true_place
from delvecore.errors import DelveError
from delvecore.model import LOSSES

__all__ = ["main"]

COMMAND = Command(
    "mloss",
    "[-i instances] [-l losses] [-q] [path]",
    "Decodes the predictions of a method and makes the files loss.L.n of the task directories at and below a "
    "path: the true path of a directory in a methods directory. The default is the working directory.",
    (
        Option("i", "instances", "The numbers of the instances, in one argument, or 'all' (the default)."),
        Option("l", "losses", "Some of A, L, Q, S and Z; by default all that the targets allow."),
        Option("q", "", "Do not print what is being worked on."),
    ),
    0,
    1,
)


def main(arguments=None):
    """Run the command; return its exit code."""
    return run(COMMAND, _evaluate, arguments)


def _evaluate(session, options, rest):
    instances, losses = _instances(options.get("i", "all")), _losses(options.get("l"))
    place = true_place(session, rest[0] if rest else ".")
    places = task_places(session, place)
    if not places:
        raise DelveError(f"{place.shown}: expected task directories, found none; make them with mgendir")

    def say(line):
        if "q" not in options:
            print(line, file=sys.stderr)

    for task in places:
        if rest or len(places) > 1:
            say(task.shown)
        _evaluate_task(session, task, instances, losses, say)


def _evaluate_task(session, place, instances, losses, say):
    # Imported here: these need NumPy, which -h and errors in the arguments need not wait for.
    from delvecore.losses.compute import write_task_losses
    from delvecore.losses.method_task import open_method_task

    task = open_method_task(session.hierarchy, *place.names)
    result = write_task_losses(
        task,
        place.directory,
        losses=losses,
        instances=instances,
        progress=lambda line: say("  " + line),
    )
    for note in result.notes:
        session.warn(note)


def _instances(text):
    """Return the instance numbers that an option lists, or None for all."""
    words = text.replace(",", " ").split()
    if words == ["all"]:
        return None
    if not words or not all(word.isdigit() for word in words):
        raise DelveError(f"-i: expected instance numbers such as '0 1 2', or all, found {text!r}")
    return sorted({int(word) for word in words})


def _losses(text):
    """Return the loss letters that an option lists, each once, or None for all."""
    if text is None:
        return None
    letters = "".join(text.replace(",", " ").split())
    if not letters or set(letters) - set(LOSSES):
        raise DelveError(f"-l: expected some of {', '.join(LOSSES)}, found {text!r}")
    return "".join(dict.fromkeys(letters))


if __name__ == "__main__":
    sys.exit(main())
