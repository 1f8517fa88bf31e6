"""`mloss`: decode predictions and make loss files. Source: manual, section 7.5, appendix C."""

import contextlib
import sys
from argparse import Namespace
from functools import partial

from delvecore.commands.frame import manual
from delvecore.commands.frame.completers import directories, losses, quietly
from delvecore.commands.frame.context import Session, run
from delvecore.commands.frame.places import TruePlace, each_task
from delvecore.commands.frame.progress import Steps
from delvecore.errors import DelveError
from delvecore.losses.spec import LOSSES, split_losses
from delvecore.numerals.numbers import whole_number

__all__ = ["command", "main"]

STEPS_OF_A_FILE = 3
"""Decoding the predictions, decoding the targets, creating the losses: about that many lines a file."""


def command() -> manual.ClassicParser:
    parser = manual.ClassicParser(
        "mloss",
        "generate the loss files of tasks",
        "[-i instances] [-l losses] [-q] [path]",
        description="Decodes the predictions of a method and makes the files loss.L.n of the task "
        "directories at and below a path: the true path of a directory in a methods directory. The default "
        "is the working directory.",
        complete=directories,
        files=(
            *(*manual.DATA, manual.TARGETS, *manual.PREDICTIONS, manual.CODING_USED, manual.NORMALIZE),
            (manual.LOSSES[0], "is made, a loss a test case."),
        ),
        examples=(
            ("mloss", "Make all losses of the tasks at and below the current directory."),
            ("mloss -l S -i '0 1' demo/age/std.128", "Make squared errors of the first two instances."),
        ),
    )
    meaning = "The numbers of the instances, in one argument, or 'all' (the default)."
    parser.value("i", "instances", meaning, quietly(lambda *_: ("all",)))
    meaning = (
        "Some of A, L, Q, S and Z, and specialised losses with blanks between: 'Z0.2N' is 0-1 loss where no "
        "guess, a ?, costs 0.2, and 'Mcosts' has the loss matrix in the file costs of the prototask's data "
        "directory. By default the letters that the targets allow, and what prediction files are named for."
    )
    parser.value("l", "losses", meaning, losses)
    parser.flag("q", "Do not print what is being worked on.")
    return parser


def _evaluate(session: Session, options: Namespace) -> None:
    instances, losses = _instances("all" if options.i is None else options.i), _losses(options.l)

    def work(place: TruePlace, progress: Steps) -> None:
        # Imported here: these need NumPy, which -h and errors in the arguments need not wait for.
        from delvecore.losses.compute import write_task_losses
        from delvecore.losses.method_task import open_method_task
        from delvecore.losses.predictions import list_predictions

        predictions = list_predictions(session.hierarchy.files("methods", *place.names))
        progress.expect(STEPS_OF_A_FILE * len(predictions))
        task = open_method_task(session.hierarchy, *place.names)
        result = write_task_losses(
            task, place.directory, losses=losses, instances=instances, progress=progress.step
        )
        progress.bar.clear()
        for note in result.notes:
            session.warn(note)

    each_task(session, options, work)


def _instances(text: str) -> list[int] | None:
    words = text.replace(",", " ").split()
    if words == ["all"]:
        return None
    numbers = [whole_number(word) for word in words]
    if not words or None in numbers:
        raise DelveError(f"-i: expected instance numbers such as '0 1 2', or all, found {text!r}")
    return sorted({number for number in numbers if number is not None})


def _losses(text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    with contextlib.suppress(ValueError):
        if names := split_losses(text):
            return names
    known = f"some of {', '.join(LOSSES)}, or such as Z0.2N and Mcosts"
    raise DelveError(f"-l: expected {known}, found {text!r}")


main = partial(run, command, _evaluate)

if __name__ == "__main__":
    sys.exit(main())
