"""Commands that a page shows: they read the archive as the dashboard does that shows them."""

from dashboard.server import archive as opened
from delvecore.report.provenance import command_line

__all__ = ["command_text", "scored_command"]


def command_text(*words: str) -> str:
    """Return the command line of these words, with links followed where the dashboard follows them."""
    return command_line(words, follow_links=opened.follows_links())


def scored_command(command: str, *words: str) -> str:
    """Return the command line of `rank`, `table` or `array NAME`, which reads files of scores, too, where
    they are what the dashboard shows."""
    files = opened.score_files()
    return command_text("delve", *command.split(" ", 1), *files.paths, *words, *files.reading)
