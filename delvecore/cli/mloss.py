"""`mloss`: decode predictions and make loss files. Source: manual, section 7.5, appendix C."""

import sys
from argparse import Namespace
from functools import partial

from delvecore.cli.support import manual
from delvecore.cli.support.context import Session, run
from delvecore.losses.standard_losses import LOSSES


def command() -> manual.ClassicParser:
    parser = manual.ClassicParser(
        "mloss",
        "generate the loss files of tasks",
        "[-i instances] [-l losses] [-j COUNT] [--scheduler ADDRESS] [-q] [path]",
        description="Decode the predictions of a method, and make the files loss.L.n of the task "
        "directories at and below a path. It is the true path of a directory in a methods directory, "
        "or of the methods directory itself for all methods. The default is the current directory.",
        files=(
            *(*manual.DATA, manual.TARGETS, *manual.PREDICTIONS, manual.CODING_USED, manual.NORMALIZE),
            (manual.LOSSES[0], "is written, with one loss per test case."),
        ),
        examples=(
            ("mloss", "Make all losses of the tasks at and below the current directory."),
            ("mloss -j 4 lin-1", "Make the losses of all tasks of a method, in four processes."),
            ("mloss -l S -i '0 1' demo/age/std.128", "Make squared errors of the first two instances."),
        ),
    )
    meaning = "The numbers of the instances, in one argument, or 'all' (the default)."
    parser.add_argument("-i", metavar="instances", help=meaning)
    meaning = (
        f"Some of {', '.join(LOSSES[:-1])} and {LOSSES[-1]}, and specialized losses, separated by "
        "blanks. 'Z0.2N' is 0-1 loss in which a missing guess (?) costs 0.2. 'Mcosts' uses the loss "
        "matrix in the file costs of the prototask's data directory. The default is all letters that "
        "the targets allow, and the losses in names of prediction files."
    )
    parser.add_argument("-l", metavar="losses", help=meaning)
    meaning = (
        "Number of processes that compute tasks at the same time (default: 1). It does not change the files."
    )
    parser.add_argument("-j", metavar="COUNT", help=meaning)
    meaning = (
        "Let the workers of a running Dask cluster compute; an address looks like tcp://host:8786. "
        "The workers must see the same directories under the same paths. Only this process writes "
        "files, and they do not change."
    )
    parser.add_argument("--scheduler", metavar="ADDRESS", help=meaning)
    parser.add_argument("-q", action="store_true", help="Do not print progress.")
    return parser


def _evaluate(session: Session, options: Namespace) -> None:
    from delvecore.cli.actions.mloss import evaluate

    evaluate(session, options)


main = partial(run, command, _evaluate)

if __name__ == "__main__":
    sys.exit(main())
