"""`Source/Settings` of a method: with which settings was it run? A line `KEY: VALUE` for each."""

import re
from collections.abc import Mapping

SETTINGS = "Settings"
"""The name of the file in a method's `Source`."""
VARIANT = re.compile(r"(.+)\.v[1-9]\d*")


def settings_text(settings: Mapping[str, str]) -> str:
    return "".join(f"{key}: {value}\n" for key, value in settings.items())


def parse_settings(text: str) -> dict[str, str]:
    """Return {key: value}; lines without a colon say nothing."""
    pairs = (line.partition(":") for line in text.splitlines())
    return {key.strip(): value.strip() for key, colon, value in pairs if colon}


def family_of(method: str) -> str | None:
    """Return the name that all variants of a method begin with, as `svm` of `svm.v2`; None for no variant."""
    match = VARIANT.fullmatch(method)
    return match[1] if match else None
