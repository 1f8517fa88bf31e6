"""What holds the cases of a dataset, or makes them: `Dataset.data`, `Dataset.generator`."""

from delvecore.readers.files import read_text
from delvecore.readers.generator import parse_generator

__all__ = ["DATA", "GENERATOR", "find_data_of", "has_data", "read_generator"]

DATA, GENERATOR = "Dataset.data", "Dataset.generator"


def find_data_of(hierarchy, dataset):
    """Return {plain name: path} of what holds or makes the cases of a dataset."""
    found = {name: hierarchy.find("data", dataset, name) for name in (DATA, GENERATOR)}
    return {name: path for name, path in found.items() if path is not None}


def has_data(files):
    """Are there cases, in a file or from a generator? files: of a dataset's directory, by plain name."""
    return DATA in files or GENERATOR in files


def read_generator(files):
    """Return the Generator of a dataset's directory; raises ParseError."""
    return parse_generator(read_text(files[GENERATOR]), files[GENERATOR])
