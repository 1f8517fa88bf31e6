"""The Task-arrays page's commands, names of files and tables for papers."""

import shlex

from dashboard.array_choice import ArrayChoice

__all__ = ["array_command", "name_of"]


def name_of(choice: ArrayChoice, what: str) -> str:
    """Return the name of a figure's files, different for each array and loss."""
    return f"{choice.array}-{choice.loss}-{what}"


def array_command(choice: ArrayChoice, table: str, *options: str, reference: bool = False) -> str:
    """Return the command line that prints the numbers of a figure."""
    parts = ["delve", "array", choice.array, "--loss", choice.loss, "--table", table]
    if choice.methods != choice.available:
        parts += ["--methods", *choice.methods]
    if reference:
        parts += ["--reference", choice.reference]
    return " ".join(shlex.quote(part) for part in [*parts, *options])
