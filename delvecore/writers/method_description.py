"""What stands beside a method's results: its settings, a summary, a description.

Results under one name are of one choice of settings: others are refused."""

import os
from collections.abc import Mapping

from delvecore.errors import Fault
from delvecore.readers.files import find_file, read_text
from delvecore.readers.settings import SETTINGS, settings_text
from delvecore.writers.files import StagedFiles


def describe_method(
    directory: str,
    settings: Mapping[str, str],
    *,
    summary: str,
    sources: Mapping[str, str],
    remedy: str,
) -> None:
    """Write `Summary`, `Source/Settings` and further files of `Source` of a method.

    directory: of the method; sources: text by name. Raises Fault where results of other settings are there;
    remedy: what to do then."""
    source = os.path.join(directory, "Source")
    text, path = settings_text(settings), find_file(os.path.join(source, SETTINGS))
    if path or os.path.isdir(directory):
        found = read_text(path) if path else ""
        if found != text:
            _refuse(directory, found, text, remedy)
    os.makedirs(source, exist_ok=True)
    for place, files in ((directory, {"Summary": summary}), (source, {**sources, SETTINGS: text})):
        with StagedFiles(place) as staged:
            for name, content in files.items():
                staged.write(name, content)


def _refuse(directory: str, found: str, settings: str, remedy: str) -> None:
    before, now = set(found.splitlines()), settings.splitlines()
    others = [line for line in now if line not in before]
    expected = f"no results of other settings than {', '.join(others) or 'these'}"
    had = [line for line in found.splitlines() if line not in now]
    raise Fault(directory, expected, ", ".join(had) or "results without settings", remedy)
