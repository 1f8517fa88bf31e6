"""`mgendata`: make the data files of tasks. Source: manual, section 7.4, appendix C."""

import os
import sys
from argparse import Namespace
from functools import partial

from delvecore.cli.support import manual
from delvecore.cli.support.context import Session, run
from delvecore.cli.support.manual import TASK, made
from delvecore.cli.support.places import TruePlace, each_task, task_places
from delvecore.progress import Steps
from delvecore.readers.files import read_text
from delvecore.readers.prior import parse_codings
from delvecore.readers.specifications import read_task


def command() -> manual.ClassicParser:
    parser = manual.ClassicParser(
        "mgendata",
        "generate the data files of tasks",
        "[-c file] [-q] [--strict] [path]",
        description="Make the files train.n, test.n, targets.n, normalize.n, Coding-used and "
        "Test-set-stats of the task directories at and below a path. It is the true path of a "
        "directory in a methods directory; the default is the current directory.",
        files=(
            *(*manual.DATA, manual.PROTOTASK_DATA, manual.ORDER),
            (TASK + "train.n", "is written: encoded inputs and targets of the training cases."),
            (
                TASK + "validation.n",
                "is written if cases are listed for validation: their line numbers in train.n.",
            ),
            (TASK + "test.n", "is written: encoded inputs of the test cases."),
            made(manual.TARGETS, ": encoded targets of the test cases"),
            made(manual.NORMALIZE, ": normalization constants"),
            made(manual.CODING_USED, ": how each attribute is encoded"),
            made(manual.STATISTICS, ": statistics of the test cases"),
        ),
        examples=(
            ("mgendata ./demo/age/std.256", "Make the data of one task."),
            ("mgendata -c encoding demo", "Encode attributes as the file `encoding` specifies."),
        ),
    )
    meaning = "Encode the attributes in this file as it specifies, and the others by default."
    parser.add_argument("-c", metavar="file", help=meaning)
    parser.add_argument("-q", action="store_true", help="Do not print progress.")
    manual.add_strict(parser)
    return parser


def _generate(session: Session, options: Namespace) -> None:
    from delvecore.encoding.encode import plan_task
    from delvecore.encoding.prototask_cases import held_cases
    from delvecore.losses.baselines import test_set_statistics
    from delvecore.writers.task_files import step_count, write_task_data

    hierarchy, coding_file = session.hierarchy, options.c
    if coding_file:
        coding_file = os.path.join(session.working_directory, coding_file)

    def make(place: TruePlace, progress: Steps) -> None:
        dataset, prototask, prior, task = read_task(hierarchy, *place.names[1:])
        cases = held_cases(hierarchy, dataset, prototask)
        codings = parse_codings(read_text(coding_file), dataset, coding_file) if coding_file else None
        plan = plan_task(hierarchy, cases, prior, task.training_size, codings=codings, strict=options.strict)
        progress.expect(step_count(plan))
        statistics = test_set_statistics(cases, prior, plan.instances)
        write_task_data(plan, place.directory, statistics, progress=progress.step)

    each_task(task_places(session, options), options, make)


main = partial(run, command, _generate)

if __name__ == "__main__":
    sys.exit(main())
