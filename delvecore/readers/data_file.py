"""The file with all cases of a dataset: `Dataset.data`, or one that is built where a generator is named.

Everything that needs the cases asks here, so that a dataset whose cases are generated is like any other.
"""

from delvecore.readers.files import read_text
from delvecore.readers.generator import parse_generator

__all__ = ["DATA", "GENERATOR", "data_file", "find_data", "find_data_of", "has_data", "read_generator"]

DATA, GENERATOR = "Dataset.data", "Dataset.generator"


def find_data(hierarchy, dataset):
    """Return the path of the file with all cases of a dataset by name, built if need be, or None.

    Raises DelveError where they cannot be built.
    """
    return data_file(find_data_of(hierarchy, dataset))


def find_data_of(hierarchy, dataset):
    """Return {plain name: path} of what holds or makes the cases of a dataset."""
    found = {name: hierarchy.find("data", dataset, name) for name in (DATA, GENERATOR)}
    return {name: path for name, path in found.items() if path is not None}


def has_data(files):
    """Are there cases, in a file or from a generator? files: of a dataset's directory, by plain name."""
    return DATA in files or GENERATOR in files


def data_file(files):
    """Return the path of the file with all cases, built if need be; None where nothing holds or makes them.

    files: of a dataset's directory, true path by plain name. `Dataset.data` comes first. Raises DelveError.
    """
    if DATA in files:
        return files[DATA]
    if GENERATOR not in files:
        return None
    from delvecore.simulators.building import built_file

    return built_file(read_generator(files), files[GENERATOR])


def read_generator(files):
    """Return the Generator of a dataset's directory; raises ParseError."""
    return parse_generator(read_text(files[GENERATOR]), files[GENERATOR])
