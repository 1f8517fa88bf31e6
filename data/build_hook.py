"""Adds the archive to the wheel of the program, see `wheel_archive.py`, and the tables made of it."""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INSIDE = "delvecore/archive_data"
TABLES = "wheel_tables"


class BuildHook(BuildHookInterface):
    """Adds the files one by one: hatchling leaves nothing out of a folder that it is told to include."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        data, scratch = Path(self.root) / "data", Path(tempfile.mkdtemp())
        sys.path[:0] = [self.root, str(data)]
        from wheel_archive import copy_files, wheel_files

        from delvecore.readers.tree_digest import tree_digest

        files = wheel_files(data / "delve", scratch)
        added = {f"delve/{name}": path for name, path in files.items()}
        manifest = json.loads((data / TABLES / "manifest.json").read_text(encoding="utf-8"))
        if manifest["source"] == tree_digest(str(data / "delve")).digest:
            # Libraries compress differently: the digest is that of the files as they are here.
            copy_files(files, scratch / "delve")
            manifest["digest"] = tree_digest(str(scratch / "delve")).digest
            (scratch / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
            added |= {f"tables/{path.name}": path for path in (data / TABLES).glob("*.arrow")}
            added["tables/manifest.json"] = scratch / "manifest.json"
        else:
            self.app.display_warning(
                "data/wheel_tables is not of data/delve: run python data/build_tables.py"
            )
        for name, path in added.items():
            build_data["force_include"][str(path)] = f"{INSIDE}/{name}"
