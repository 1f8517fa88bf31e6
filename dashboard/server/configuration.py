"""The dashboard's Streamlit settings, independent of the working directory.

Streamlit itself would read files in the working directory and in the user's home. A stray file there must not
change the address, the headers or the speed of this dashboard."""

import logging
import tomllib
from pathlib import Path
from typing import Any

from streamlit import config

from dashboard.server import hosting

PACKAGE = Path(__file__).resolve().parents[1]
_applied: list[int | None] = []


def configuration_file() -> Path:
    """Return the settings file: inside the package in an installed wheel, next to it in a source tree."""
    places = (PACKAGE / "streamlit_config" / "config.toml", PACKAGE.parent / ".streamlit" / "config.toml")
    for place in places:
        if place.is_file():
            return place
    raise FileNotFoundError(f"{places[0]}: expected the dashboard's settings, found nothing; reinstall")


def read_options(path: Path) -> dict[str, Any]:
    """Return the settings by Streamlit's names, such as `theme.light.primaryColor`."""
    return _flat(tomllib.loads(path.read_text(encoding="utf-8")))


def _flat(section: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    options: dict[str, Any] = {}
    for name, value in section.items():
        options |= _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
    return options


def apply_configuration(*, port: int | None = None) -> None:
    """Apply the settings, which override configuration files and environment variables.

    Without a port, settings that are already applied are not changed."""
    if port is None and _applied:
        return
    served = hosting.chosen()
    options = read_options(configuration_file()) | {
        "server.address": served.host,
        "server.baseUrlPath": served.prefix.strip("/"),
        "server.allowedHosts": [],  # The gate checks hosts and origins before Streamlit does.
        "secrets.files": [served.sign_in.path] if served.sign_in else [],
        # Otherwise Streamlit would look up the machine's public address to display it.
        "browser.serverAddress": served.host,
    }
    if port is not None:
        options["server.port"] = port
    # Streamlit warns about settings that change after it first reads them; nothing is served yet.
    logger = logging.getLogger("streamlit.config")
    level = logger.level
    logger.setLevel(logging.ERROR)
    config.get_config_files = lambda file_name: []  # do not even look for faults in unrelated files
    config.get_config_options(force_reparse=True, options_from_flags=options)
    logger.setLevel(level)
    _applied.append(port)
