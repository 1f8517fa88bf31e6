"""Commands that a page shows: they read the archive as the dashboard does that shows them."""

from dashboard.server import archive as opened
from dashboard.server import uploads
from delvecore.render.numbers import parameter
from delvecore.render.provenance import command_line, option_words
from delvecore.stats.choose import DEFAULT_ADJUSTMENT, Setting
from delvecore.stats.verdicts import RankTest


def command_text(*words: str) -> str:
    """Return the command line of these words, with links followed where the dashboard follows them."""
    return command_line(words, follow_links=opened.follows_links())


def scored_command(command: str, *words: str) -> str:
    """Return the command line of `rank`, `table` or `array NAME`, with the files of scores that are shown."""
    return command_text("delve", *command.split(" ", 1), *_files(), *words, *opened.score_files().reading)


def setting_words(setting: Setting, *, test: RankTest | None = None, adjusts: bool = False) -> list[str]:
    """Return the options of commands for a setting.

    test: of a ranking; most adjust p by themselves. adjusts: does the command test more, such as single
    tasks? An adjustment other than the default is then named."""
    own = test is not None and test.adjusts_by_itself
    is_named = not own or (adjusts and setting.adjust != DEFAULT_ADJUSTMENT)
    return ["--level", parameter(setting.level), *(["--adjust", setting.adjust] if is_named else [])]


def reproducing_command(mine: str | None) -> str:
    """Return the commands that show others what this session does. mine: the marked method."""
    marked, served = option_words("--mine", mine) if mine else [], opened.serving()
    paths, archives = _files(), uploads.own_archive_files()
    lines = []
    if archives:
        paths = (*(paths or (served.sources if served else ())), uploads.NAME)
        lines = [command_line(("delve", "install", "--into", uploads.NAME, *archives))]
    lines.append(command_text("delve", "dashboard", *paths, *opened.score_files().reading, *marked))
    return "\n".join(lines)


def _files() -> tuple[str, ...]:
    """Return what commands have to open to read the scores that the session shows, its own ones, too."""
    served, own = opened.serving(), uploads.own_score_files()
    return (*served.sources, *own) if served and own else opened.score_files().paths
