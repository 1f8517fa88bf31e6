"""What of the archive goes into the wheel of the program: all but the results on the simulated families.

Those, most of the archive's bytes, are in the distribution `delve-browser-archive`, which has the whole
archive. Results that lie in many small files go in as one archive file a method, which is read in place,
without the losses that its predictions give again."""

import gzip
import io
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FAMILIES = ("bank", "kin", "pumadyn")
INSIDE = "delvecore/archive_data/delve"


class BuildHook(BuildHookInterface):
    """Adds the files one by one: hatchling leaves nothing out of a folder that it is told to include."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        archive = Path(self.root) / "data" / "delve"
        datasets = {path.name for path in (archive / "data").iterdir()}
        packed: dict[str, list[Path]] = {}
        for path in sorted(filter(Path.is_file, archive.rglob("*"))):
            part, method, *below = path.relative_to(archive).parts
            if any(path.name.endswith(f"-{family}.tar.gz") for family in FAMILIES):
                continue
            if part == "methods" and len(below) > 1 and below[0] in datasets:
                if not is_computed(path):
                    packed.setdefault(method, []).append(path)
            else:
                build_data["force_include"][str(path)] = f"{INSIDE}/{path.relative_to(archive).as_posix()}"
        place = Path(tempfile.mkdtemp())
        for method, paths in packed.items():
            file = place / f"{method}-small.tar.gz"
            file.write_bytes(archive_file(paths, archive / "methods"))
            build_data["force_include"][str(file)] = f"{INSIDE}/methods/{file.name}"


def is_computed(path: Path) -> bool:
    """Is this a file of losses that the predictions beside it give again?"""
    if not path.name.startswith("loss."):
        return False
    instance = path.name.removesuffix(".gz").rsplit(".", 1)[-1]
    return any(
        one.name.removesuffix(".gz") in (f"guess.{instance}", f"prob.{instance}")
        for one in path.parent.iterdir()
    )


def archive_file(paths: list[Path], root: Path) -> bytes:
    """Return these files, named from `root`, as one compressed archive: the same bytes each time.

    Files of one kind are neighbors, which makes the archive 2 % smaller.
    """
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w", format=tarfile.PAX_FORMAT) as files:
        for path in sorted(paths, key=lambda path: (path.name.partition(".")[0], path)):
            about = tarfile.TarInfo(
                path.relative_to(root).with_suffix("" if path.suffix == ".gz" else path.suffix).as_posix()
            )
            content = path.read_bytes()
            content = gzip.decompress(content) if path.suffix == ".gz" else content
            about.size = len(content)
            files.addfile(about, io.BytesIO(content))
    return gzip.compress(whole.getvalue(), mtime=0)
