"""`delve`: the dashboard and what else is not of DELVE 1.1, under one name."""

import sys

__all__ = ["main"]

DESCRIPTION = (
    "Browse, check, run and share results of learning methods. PATH is a delve directory, or a directory "
    "holding some; without one, DELVE_PATH is used, and without that the archive that ships with this "
    "program."
)
COMMAND_ENTRIES = (
    ("dashboard [PATH ...]", "Browse archives and compare methods in the browser."),
    ("check [PATH ...]", "List everything that is wrong with the files of archives."),
    ("run METHOD... [PATH...]", "Apply learning methods to task instances."),
    ("measures METHOD [PATH ...]", "Judge a classifier: contingency tables, recall, precision, AUC."),
    ("rank [TABLE.csv|PATH ...]", "Rank methods over many tasks, and test which differ."),
    ("build [DATASET...]", "Make the cases of generated datasets ahead of their first use."),
    ("array [ARRAY]", "Print the numbers of a task-array: losses, winners, effects, costs."),
    ("pack METHOD", "Write a method's results and sources into archive files."),
    ("install FILE|URL...", "Put datasets and methods from archive files into a delve directory."),
    ("table [PATH ...]", "Make the table of a paper in LaTeX, Markdown, HTML, Typst, CSV, Parquet."),
    ("completion SHELL", "Print a script that completes commands in bash, zsh or fish."),
)
OPTION_ENTRIES = (
    ("-h, --help", "Print this text; behind a command, explain it."),
    ("-v, --version", "Print the version."),
)
COMMANDS = {
    "dashboard": "delvecore.commands.subcommands.dashboard",
    "check": "delvecore.commands.subcommands.check",
    "run": "delvecore.commands.subcommands.run",
    "measures": "delvecore.commands.subcommands.measures",
    "rank": "delvecore.commands.subcommands.rank",
    "array": "delvecore.commands.subcommands.array",
    "build": "delvecore.commands.subcommands.build",
    "pack": "delvecore.commands.subcommands.pack",
    "install": "delvecore.commands.subcommands.install",
    "table": "delvecore.commands.subcommands.table",
    "completion": "delvecore.commands.subcommands.completion",
}
HIDDEN = {"complete-words": "delvecore.commands.completion.complete_words"}
"""What only the scripts of `delve completion` call."""


def main(arguments=None):
    """Run `delve`; return the exit status: 0 for success, 1 for faults found, 2 for wrong usage."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    if not arguments or arguments[0] in ("-h", "--help"):
        from delvecore.commands.frame.manual import page_text

        page = page_text(
            "delve",
            "[--version] [--help] COMMAND ...",
            DESCRIPTION,
            OPTION_ENTRIES,
            commands=COMMAND_ENTRIES,
        )
        print(page, file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    if arguments[0] in ("-v", "--version"):
        from delvecore import __version__

        print(f"delve {__version__}")
        return 0
    return _run(arguments[0], arguments[1:])


def _run(command, arguments):
    module = {**COMMANDS, **HIDDEN}.get(command)
    if module is None:
        known = ", ".join(COMMANDS)
        print(f"delve: expected one of {known}, found {command!r}; see delve --help", file=sys.stderr)
        return 2
    from importlib import import_module

    from delvecore.errors import DelveError

    code = 1
    try:
        return import_module(module).main(arguments)
    except DelveError as error:
        message = str(error)
    except KeyboardInterrupt:
        message, code = "interrupted", 130
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        message = f"{where}{(error.strerror or str(error)).lower()}"
    print(f"delve {command}: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
