"""Files in the directory `Source` of a dataset or method: its contributors, and the settings of a method.

`Contributor` has names, dates and addresses. `Settings` has a line `KEY: VALUE` for each setting. Source:
DELVE manual, appendix B: submissions are presented with contributors, addresses and dates.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import pairwise

from delvecore.errors import Report, raise_error, spec_fault
from delvecore.readers.files import read_document
from delvecore.readers.hierarchy import SOURCE_DIRECTORY, Hierarchy
from delvecore.readers.lines import Lines, parse_keys, uncommented_lines

CONTRIBUTOR = "Contributor"
"""The name of the file."""
KEYS = ("name", "address", "date")


def parse_contributors(text: str, source: str, *, report: Report = raise_error) -> tuple[str, ...]:
    """Return the contributors that a file lists, as in `Ada (1 Main Street), 2026-11-22`.

    Each begins with a line `Name:`. `report` receives a ParseError for each fault. Contributors without a
    name are left out, and so are other missing values.
    """
    contributors = []
    for lines in _entries(uncommented_lines(text)):
        keys = parse_keys(lines, source, KEYS, report=report)
        values = {key: keys[key][1] if key in keys else "" for key in KEYS}
        for key in KEYS:
            if not values[key]:
                line = keys[key][0] if key in keys else lines[0][0]
                report(
                    spec_fault(
                        source, line, f"the contributor's {key}", "none", f"add a line '{key.title()}: ...'"
                    )
                )
        if values["date"] and not _is_day(values["date"]):
            wanted = "the date as year, month and day, such as 2026-11-22"
            report(spec_fault(source, keys["date"][0], wanted, repr(values["date"])))
        if values["name"]:
            address = f" ({values['address']})" if values["address"] else ""
            when = f", {values['date']}" if values["date"] else ""
            contributors.append(f"{values['name']}{address}{when}")
    if not contributors:
        report(spec_fault(source, None, "a contributor: lines Name, Address and Date", "none", "add them"))
    return tuple(contributors)


def contributor_file(hierarchy: Hierarchy, part: str, name: str) -> str | None:
    """Return the path of the file of a dataset (part `data`) or method (`methods`), if there is one."""
    return hierarchy.find(part, name, SOURCE_DIRECTORY, CONTRIBUTOR)


def read_contributors(
    hierarchy: Hierarchy, part: str, name: str, *, report: Report = raise_error
) -> tuple[str, ...]:
    """Return the contributors of a dataset (part `data`) or a method (`methods`); empty without a file."""
    path = contributor_file(hierarchy, part, name)
    return parse_contributors(read_document(path), path, report=report) if path else ()


def _entries(lines: Lines) -> Iterator[Lines]:
    """Divide the lines into contributors."""
    starts = [place for place, (_, line) in enumerate(lines) if line.lstrip().lower().startswith("name:")]
    bounds = sorted({0, *starts, len(lines)})
    return (lines[low:high] for low, high in pairwise(bounds))


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


SETTINGS = "Settings"
"""The name of the file in a method's `Source`."""
VARIANT = re.compile(r"(.+)\.v[1-9]\d*")


def settings_text(settings: Mapping[str, str]) -> str:
    return "".join(f"{key}: {value}\n" for key, value in settings.items())


def parse_settings(text: str) -> dict[str, str]:
    """Return {key: value}; lines without a colon are ignored."""
    pairs = (line.partition(":") for line in text.splitlines())
    return {key.strip(): value.strip() for key, colon, value in pairs if colon}


def family_of(method: str) -> str | None:
    """Return the common name of a method's variants, such as `svm` for `svm.v2`; None if it is not a
    variant."""
    match = VARIANT.fullmatch(method)
    return match[1] if match else None
