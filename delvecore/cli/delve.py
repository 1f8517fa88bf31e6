"""`delve`: the dashboard and all commands that are not in DELVE 1.1."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from delvecore import __version__
from delvecore.cli.support.context import answer_shell, run_guarded
from delvecore.cli.support.manual import ManualParser
from delvecore.names import nearest
from delvecore.parallel.processes import compute_in_one_thread

COMMANDS = {
    "dashboard": ("[PATH ...]", "Browse archives and compare methods in the browser."),
    "check": ("[PATH ...]", "List everything that is wrong with the files of archives."),
    "import": ("FILE", "Make a dataset from a CSV, Parquet or ARFF file."),
    "export": ("DATASET|PATH", "Write cases into a CSV, Parquet, ARFF or Feather file."),
    "instances": ("PATH", "List instances of a task: cross-validation, holdout, windows."),
    "run": ("METHOD... [PATH...]", "Apply learning methods to task instances."),
    "measures": ("METHOD [PATH ...]", "Judge a classifier: contingency tables, recall, precision, AUC."),
    "structure": ("[/DATASET ...]", "Print the attributes of datasets by kind."),
    "training": ("[PATH ...]", "Print how networks were trained, next to published figures."),
    "metrics": (
        "[METHOD [PATH ...]]",
        "List metrics with their formulas, or print their values for a method.",
    ),
    "rank": ("[TABLE.csv|PATH ...]", "Rank methods over many tasks, and test which differ."),
    "top": ("[TABLE.csv|PATH ...]", "Print the best methods of each task and how their scores spread."),
    "report": ("[TABLE.csv|PATH ...]", "Write a ranking as a report for a paper: HTML, Markdown, LaTeX."),
    "publish": ("DIR [TABLE.csv|PATH ...]", "Write a static site of an archive or of scores."),
    "build": ("[DATASET...]", "Generate the cases of synthetic datasets before their first use."),
    "array": ("[ARRAY]", "Print the numbers of a task-array: losses, winners, effects, costs."),
    "pack": ("METHOD", "Write a method's results and sources into archive files."),
    "install": ("FILE|URL...", "Put datasets and methods from archive files into a delve directory."),
    "examples": ("DIRECTORY", "Write the example files of the tutorials."),
    "like": ("FILE [PATH ...]", "Find tasks similar to a file of cases, and the methods that win on them."),
    "table": ("[PATH ...]", "Write the table of a paper in LaTeX, Markdown, HTML, Typst, CSV or Parquet."),
    "verify": ("FILE...", "Recompute the tables and figures of a paper, and print what differs."),
}
"""Arguments and purpose of each command."""
CLASSIC = (
    *("dcheck", "dgenorder", "dgenproto", "dinfo", "dls", "dmore", "mcheck", "mgendata", "mgendir", "minfo"),
    *("mloss", "mls", "mmore", "mstats", "mtable"),
)
"""The commands of DELVE 1.1. `delve minfo` runs `minfo`, even where another program has that name."""
LIKELY = {"compare": "rank", "test": "rank", "serve": "dashboard", "open": "dashboard", "tables": "table"}
"""The likely command for words that are not commands."""


def module_of(name: str) -> str:
    """Return the full name of a subcommand's module, which has `command` and `main`."""
    name = "import_cases" if name == "import" else name  # `import` cannot name a module
    return f"delvecore.cli.subcommands.{name}"


def command() -> ManualParser:
    parser = ManualParser(
        "delve",
        "browse, check, run and share results of learning methods",
        usage="[--version] [--help] COMMAND ...",
        description="Browse, check, run and share results of learning methods. PATH is a delve "
        "directory, a directory that contains some, or the web address of one. The default is "
        "DELVE_PATH, or if that is not set, the archive that ships with this program.",
        commands=[(f"{name} {usage}", purpose) for name, (usage, purpose) in COMMANDS.items()],
        files=(("delve*/data, delve*/methods", "hold datasets, and methods with their results."),),
        examples=(
            ("delve dashboard", "Browse the archive."),
            ("delve run lin-1 /demo/age", "Run a method on all tasks of a prototask."),
        ),
        add_help=False,
    )
    meaning = "Print this text; after a command, explain that command."
    parser.add_argument("-h", "--help", action="store_true", help=meaning)
    parser.add_argument("-v", "--version", action="store_true", help="Print the version.")
    parser.add_argument("command", choices=COMMANDS)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    _answer_shell()
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    if not arguments or arguments[0] in ("-h", "--help"):
        print(command().format_help(), end="", file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    name, *rest = arguments
    if name in ("-v", "--version"):
        print(f"delve {__version__}")
        return 0
    if name in CLASSIC:
        code: int = import_module(f"delvecore.cli.{name}").main(rest)
        return code
    if name not in COMMANDS:
        best = LIKELY.get(name) or nearest(name, [*COMMANDS, *CLASSIC])
        remedy = f"did you mean delve {best}?" if best else "delve --help lists the commands"
        expected = f"one of {', '.join(COMMANDS)}, or of {', '.join(CLASSIC)}"
        print(f"delve: expected {expected}, found {name!r}; {remedy}", file=sys.stderr)
        return 2
    if name in ("run", "dashboard", "like", "publish", "verify"):
        compute_in_one_thread()  # has no effect after NumPy is imported
    return run_guarded(f"delve {name}", lambda: import_module(module_of(name)).main(rest))


def _answer_shell() -> None:
    """Let the shell complete the words after a subcommand, as for a separate command."""
    words = os.environ.get("COMP_LINE", "").split(" ")[1:]
    if words[1:] and words[0] in COMMANDS and "_ARGCOMPLETE" in os.environ:
        os.environ["_ARGCOMPLETE"] = "2"  # the number of the word at which the completed command starts
        answer_shell(import_module(module_of(words[0])).command())
    answer_shell(command())


if __name__ == "__main__":
    sys.exit(main())
