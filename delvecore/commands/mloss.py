"""`mloss`: decode predictions and make loss files. Source: manual, section 7.5, appendix C."""

import sys

from delvecore.commands.frame.context import run
from delvecore.commands.frame.options import Command, Option
from delvecore.commands.frame.progress import Steps
from delvecore.commands.frame.true_paths import task_places, true_place
from delvecore.errors import DelveError
from delvecore.losses.spec import LOSSES, split_losses
from delvecore.numerals.numbers import whole_number

__all__ = ["main"]

COMMAND = Command(
    "mloss",
    "[-i instances] [-l losses] [-q] [path]",
    "Decodes the predictions of a method and makes the files loss.L.n of the task directories at and below a "
    "path: the true path of a directory in a methods directory. The default is the working directory.",
    (
        Option("i", "instances", "The numbers of the instances, in one argument, or 'all' (the default)."),
        Option(
            "l",
            "losses",
            "Some of A, L, Q, S and Z, and specialised losses with blanks between: 'Z0.2N' is 0-1 loss where "
            "no guess, a ?, costs 0.2, and 'Mcosts' has the loss matrix in the file costs of the prototask's "
            "data directory. By default the letters that the targets allow, and what prediction files are "
            "named for.",
        ),
        Option("q", "", "Do not print what is being worked on."),
    ),
    0,
    1,
)
STEPS_OF_A_FILE = 3
"""Decoding the predictions, decoding the targets, creating the losses: about that many lines a file."""


def main(arguments=None):
    """Run the command; return its exit code."""
    return run(COMMAND, _evaluate, arguments)


def _evaluate(session, options, rest):
    instances, losses = _instances(options.get("i", "all")), _losses(options.get("l"))
    place = true_place(session, rest[0] if rest else ".")
    places = task_places(session, place)
    if not places:
        raise DelveError(f"{place.shown}: expected task directories, found none; make them with mgendir")
    with Steps(sys.stderr, parts=len(places), quiet="q" in options) as progress:
        for task in places:
            progress.part(task.shown, line=task.shown if rest or len(places) > 1 else None)
            _evaluate_task(session, task, instances, losses, progress)


def _evaluate_task(session, place, instances, losses, progress):
    # Imported here: these need NumPy, which -h and errors in the arguments need not wait for.
    from delvecore.losses.compute import write_task_losses
    from delvecore.losses.method_task import open_method_task
    from delvecore.losses.predictions import list_predictions

    predictions = list_predictions(session.hierarchy.files("methods", *place.names))
    progress.expect(STEPS_OF_A_FILE * len(predictions))
    task = open_method_task(session.hierarchy, *place.names)
    result = write_task_losses(
        task,
        place.directory,
        losses=losses,
        instances=instances,
        progress=progress.step,
    )
    progress.pause()
    for note in result.notes:
        session.warn(note)


def _instances(text):
    """Return the instance numbers that an option lists, or None for all."""
    words = text.replace(",", " ").split()
    if words == ["all"]:
        return None
    numbers = {whole_number(word) for word in words}
    if not words or None in numbers:
        raise DelveError(f"-i: expected instance numbers such as '0 1 2', or all, found {text!r}")
    return sorted(numbers)


def _losses(text):
    """Return the names of the losses that an option lists, each once, or None for all."""
    if text is None:
        return None
    try:
        names = split_losses(text)
    except ValueError:
        names = ()
    if not names:
        known = f"some of {', '.join(LOSSES)}, or such as Z0.2N and Mcosts"
        raise DelveError(f"-l: expected {known}, found {text!r}")
    return names


if __name__ == "__main__":
    sys.exit(main())
