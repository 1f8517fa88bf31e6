"""`delve build`: generate the cases of datasets before their first use, or verify them."""

import os
import sys
from collections.abc import Sequence

from delvecore.cli.support.context import active_hierarchy, current_directory, print_lines
from delvecore.cli.support.manual import ManualParser, add_follow_links, used
from delvecore.errors import DelveError
from delvecore.progress import Progress
from delvecore.readers.dataset import GENERATOR, find_data_of, read_generator
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import dataset_names
from delvecore.render.numbers import integer


def main(arguments: Sequence[str]) -> int:
    options = command().parse_args(arguments)
    hierarchy = active_hierarchy(current_directory(), follow_links=options.follow_links)
    chosen = _chosen(hierarchy, options.datasets)
    progress, failed = Progress(sys.stderr, quiet=options.quiet), 0
    for number, (name, files) in enumerate(chosen):
        progress.show(f"/{name}", number / len(chosen))
        try:
            done = _verify(files) if options.check else _build(files)
        except DelveError as error:
            progress.say(f"delve build: {error}")
            failed += 1
            continue
        progress.clear()
        print_lines(f"/{name}: {done}")
    progress.clear()
    return 1 if failed else 0


def _chosen(hierarchy: Hierarchy, words: Sequence[str]) -> list[tuple[str, dict[str, str]]]:
    """Return (name, files) of the datasets to build. Raises DelveError for one without a generator."""
    chosen = []
    for name in [word.strip("/") for word in words] or dataset_names(hierarchy):
        files = find_data_of(hierarchy, name)
        if GENERATOR in files:
            chosen.append((name, files))
        elif words:
            expected = f"a dataset with a file {GENERATOR}"
            raise DelveError(f"/{name}: expected {expected}, found none; check the name")
    return chosen


def _build(files: dict[str, str]) -> str:
    from delvecore.simulators.simulate import build_file, is_built

    generator = read_generator(files)
    before = is_built(generator)
    path = build_file(generator, files[GENERATOR])
    return f"{'already built' if before else 'built'}, {integer(os.path.getsize(path))} bytes in {path}"


def _verify(files: dict[str, str]) -> str:
    from delvecore.simulators.simulate import build_file, generate_text, is_kept

    generator = read_generator(files)
    text = generate_text(generator, files[GENERATOR])
    if is_kept(generator):
        build_file(generator, files[GENERATOR])  # replaces a damaged file
    return f"{generator.cases} cases, {integer(len(text))} bytes, as recorded"


def command() -> ManualParser:
    parser = ManualParser(
        "delve build",
        "generate the cases of synthetic datasets",
        description="Generate the cases of datasets with a file Dataset.generator before their first use, "
        "for instance before going offline. The cases are stored in the user's cache.",
        files=(("/DATASET/Dataset.generator", "names the generator and the checksum of its cases."),),
        examples=(
            ("delve build", "Generate the cases of all synthetic datasets."),
            ("delve build --check /kin-8fm", "Verify that the generator still makes the same cases."),
        ),
        statuses=used(fails="Some cases could not be generated as recorded."),
    )
    add = parser.add_argument
    add("datasets", nargs="*", metavar="DATASET", help="names or paths such as /kin-8fm (default: all)")
    add(
        "--check",
        action="store_true",
        help="generate the cases again, and compare them and the cache with the checksums",
    )
    add_follow_links(parser)
    add("-q", "--quiet", action="store_true", help="show no progress")
    return parser
