"""Documents beside the results of a registered method: its summary, description and programs.

Source: DELVE manual, sections 7.1 and 7.6: documentation and programs belong to what is submitted."""

import inspect
import os
from importlib import import_module

from delvecore.locations import shipped
from delvecore.methods import METHODS
from delvecore.readers.files import find_file, plain_name, read_document
from delvecore.readers.hierarchy import SOURCE_DIRECTORY
from delvecore.writers.files import StagedFiles, finish_writing


def describe_registered(name: str, into: str) -> None:
    """Write `Summary` and `Source` of a registered method into a delve directory, unless they are there."""
    directory = os.path.join(into, "methods", name)
    summary, sources = _documents(name)
    for place, files in (
        (directory, {"Summary": summary}),
        (os.path.join(directory, SOURCE_DIRECTORY), sources),
    ):
        finish_writing(place)
        missing = {file: text for file, text in files.items() if not find_file(os.path.join(place, file))}
        if missing:
            os.makedirs(place, exist_ok=True)
            with StagedFiles(place) as staged:
                for file, text in missing.items():
                    staged.write(file, text)


def _documents(name: str) -> tuple[str, dict[str, str]]:
    """Return the summary of a registered method, and the texts of its `Source` by name: those that ship with
    the program, else what the method says of itself; and the modules that define it."""
    entry = METHODS[name]
    modules = [import_module(f"delvecore.methods.{module}") for module in entry.modules]
    sources = {f"{file}.py": inspect.getsource(one) for file, one in zip(entry.modules, modules, strict=True)}
    if known := shipped("delve", "methods", name):
        place = os.path.join(known, SOURCE_DIRECTORY)
        texts = {plain_name(file): read_document(os.path.join(place, file)) for file in os.listdir(place)}
        return read_document(os.path.join(known, "Summary")), {**texts, **sources}
    return f"{name} {entry.purpose}.\n", {f"{name}.txt": f"{inspect.getdoc(modules[0])}\n", **sources}
