"""`delve array`: the numbers of a task-array, as the Task-arrays page shows them."""

from collections.abc import Callable, Sequence

from delvecore.answers.array_questions import ARRAY_QUESTIONS
from delvecore.cli.support.manual import (
    LOSSES,
    SPECIFICATIONS,
    STATISTICS,
    TASK,
    ManualParser,
    add_follow_links,
)
from delvecore.cli.support.places import add_names, add_setting
from delvecore.cli.support.score_options import add_scores

DEFINITION = "definition"
TABLES = (*ARRAY_QUESTIONS, DEFINITION)
FORMATS = ("text", "csv", "json", "latex")


def main(arguments: Sequence[str]) -> int:
    parser = command()
    options = parser.parse_args(arguments)
    if options.order < 1:
        parser.error(f"--order: expected at least 1, found {options.order}")
    from delvecore.cli.actions.array import print_array

    return print_array(options, arguments)


def command() -> ManualParser:
    parser = ManualParser(
        "delve array",
        "print the numbers of a task-array",
        description="Print the numbers of a task-array: tasks that differ in known factors. Losses are "
        "standardized: 1 is what a baseline that ignores the inputs loses (0 for log probability). Without "
        "ARRAY, list the arrays.",
        note="In text and LaTeX, estimates, differences and costs have rows of tasks and columns of methods; "
        "in CSV and JSON, each has a row. Tables: "
        + "; ".join(f"{one.key}: {one.meaning}" for one in ARRAY_QUESTIONS.values())
        + "; definition: the factors and what defines their levels.",
        files=(
            ("/ARRAY/Array.spec", "names the factors and the members of a task-array."),
            *(SPECIFICATIONS[1], LOSSES, STATISTICS),
            (TASK + "Costs", "holds the computing time of each instance in seconds."),
        ),
        examples=(
            ("delve array", "List the task-arrays."),
            ("delve array kin --table winners", "Print the best method on each task of an array."),
            ("delve array kin --table definition", "Show the definitions of the levels of its factors."),
            (
                "delve array kin --table effects --methods 'gp-1 lin-1' --format latex",
                "Make a table of the effects on the losses of two methods, for a paper.",
            ),
        ),
    )
    parser.add_argument("array", nargs="?", metavar="ARRAY", help="a task-array, such as kin")
    parser.add_argument(
        "paths", nargs="*", metavar="FILE", help="files of scores that contain the task-array"
    )
    _add_options(parser.add_argument)
    add_scores(parser, method=None)
    add_follow_links(parser)
    return parser


def _add_options(add: Callable[..., object]) -> None:
    meaning = f"table to print, one of the above (default: {TABLES[0]})"
    add("--table", choices=TABLES, default=TABLES[0], metavar="TABLE", help=meaning)
    meaning = "one loss or metric, such as S or rmse (default: S, or the first with results)"
    add("--loss", metavar="LOSS", help=meaning)
    add_names(add)
    add(
        "--reference",
        metavar="METHOD",
        help="compare with this method; required for the table of differences",
    )
    add_setting(add)
    meaning = "for effects: interactions of up to N factors (default: 2)"
    add("--order", type=int, default=2, metavar="N", help=meaning)
    meaning = "for effects and slopes: use log losses or losses (default: log if all losses are positive)"
    add("--loss-scale", choices=("log", "raw"), help=meaning)
    add("--format", choices=FORMATS, default=FORMATS[0], help="output format (default: text)")
