"""The file with all cases of a dataset: `Dataset.data`, or one that is built where a generator is named.

Everything that needs the cases asks here, so that a dataset whose cases are generated is like any other."""

from collections.abc import Iterator, Mapping

from delvecore.errors import DelveError
from delvecore.readers.dataset import DATA, GENERATOR, find_data_of, read_generator
from delvecore.readers.hierarchy import Hierarchy
from delvecore.simulators.simulate import build_ahead, build_file


def find_case_file(hierarchy: Hierarchy, dataset: str) -> str | None:
    """Return the path of the file with all cases of a dataset by name, built if need be, or None. Raises
    DelveError where they cannot be built."""
    return case_file(find_data_of(hierarchy, dataset))


def case_file(files: Mapping[str, str]) -> str | None:
    """Return the path of the file with all cases, built if need be; None where nothing holds or makes them.
    files: of a dataset's directory, true path by plain name. `Dataset.data` comes first. Raises
    DelveError."""
    if DATA in files:
        return files[DATA]
    if GENERATOR not in files:
        return None
    return build_file(read_generator(files), files[GENERATOR])


def build_case_files(datasets: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Build the missing cases of several datasets at once, where that is faster than one after the other.
    datasets: {name: {plain name: path}}. Yields the name of each dataset that was built. What cannot be built
    is left to `case_file`, which says why."""
    wanted, names = {}, {}
    for name, files in datasets.items():
        if DATA not in files and GENERATOR in files:
            try:
                wanted[files[GENERATOR]] = read_generator(files)
            except DelveError:
                continue
            names[files[GENERATOR]] = name
    for source in build_ahead(wanted):
        yield names[source]
