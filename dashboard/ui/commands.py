"""Commands that pages show. They read the same archive as the dashboard."""

from dashboard.server import archive as opened
from dashboard.server import uploads
from delvecore.render.numbers import parameter
from delvecore.render.provenance import command_line, option_words
from delvecore.stats.choose import DEFAULT_ADJUSTMENT, Setting
from delvecore.stats.verdicts import RankTest


def command_text(*words: str) -> str:
    """Return the command line of these words. It follows links if the dashboard does."""
    return command_line(words, follow_links=opened.follows_links())


def scored_command(command: str, *words: str) -> str:
    """Return the command line of `rank`, `table` or `array NAME`, with the displayed files of scores."""
    return command_text("delve", *command.split(" ", 1), *_files(), *words, *opened.score_words())


def setting_words(setting: Setting, *, test: RankTest | None = None, adjusts: bool = False) -> list[str]:
    """Return the options of commands for a setting.

    test: test of a ranking, which in most cases includes an adjustment of p. adjusts: does the command also
    test single tasks, for example? If so, an adjustment other than the default becomes an option."""
    own = test is not None and test.adjusts_by_itself
    is_named = not own or (adjusts and setting.adjust != DEFAULT_ADJUSTMENT)
    return ["--level", parameter(setting.level), *(["--adjust", setting.adjust] if is_named else [])]


def reproducing_command(mine: str | None) -> str:
    """Return the commands that show others this session. mine: the marked method."""
    marked, served = option_words("--mine", mine) if mine else [], opened.serving()
    paths, archives = _files(), uploads.own_archive_files()
    lines = []
    if archives:
        paths = (*(paths or (served.sources if served else ())), uploads.NAME)
        lines = [command_line(("delve", "install", "--into", uploads.NAME, *archives))]
    lines.append(command_text("delve", "dashboard", *paths, *opened.score_words(), *marked))
    return "\n".join(lines)


def _files() -> tuple[str, ...]:
    """Return the files that commands open to read the displayed scores, including the visitor's own."""
    served, own = opened.serving(), uploads.own_score_files()
    return (*served.sources, *own) if served and own else opened.score_paths()
