"""The README of the package metadata: its links and pictures are absolute, as an index needs them."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class ReadmeHook(MetadataHookInterface):
    """Sets `readme` from `README.md` and the address `Source` of `[project.urls]`."""

    def update(self, metadata: dict[str, Any]) -> None:
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        text = absolute_links(text, metadata["urls"]["Source"])
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def absolute_links(text: str, source: str) -> str:
    """Return Markdown whose relative links name files, and whose pictures name raw files, of a repository."""
    text = re.sub(r"(!\[[^\]]*\]\()(?!https?:)([^)]+)\)", rf"\1{source}/raw/main/\2)", text)
    return re.sub(r"(?<!!)(\[[^\]]*\]\()(?!https?:|#)([^)]+)\)", rf"\1{source}/blob/main/\2)", text)
