"""A directory with a dataset as OpenML gives it: the cases, and what is said of them in JSON."""

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

from delvecore.errors import Fault, ParseError
from delvecore.importers.source import About, Declared, Source, SourceColumn
from delvecore.readers.files import plain_name, read_text

DESCRIPTION, FEATURES = "description.json", "features.json"
CASES = (".arff", ".parquet", ".pq", ".csv")
KINDS = {"numeric": "number", "string": "text", "date": "date"}
Json = Mapping[str, Any]


def is_openml(path: str) -> bool:
    """Is this a directory with cases, or with the description of a dataset?"""
    return os.path.isdir(path) and bool(_cases(path) or os.path.isfile(os.path.join(path, DESCRIPTION)))


def _cases(directory: str) -> list[str]:
    return sorted(
        name for name in os.listdir(directory) if plain_name(name).endswith(CASES) and name[0] != "."
    )


def cases_in(directory: str) -> str:
    """Return the path of the file with the cases; Fault where there is none, or more than one kind of
    them."""
    found = _cases(directory)
    named = [name for name in found if plain_name(name).startswith("dataset")] or found
    kinds = sorted(named, key=lambda name: CASES.index("." + plain_name(name).rpartition(".")[2]))
    if not kinds or (len(named) > 1 and not plain_name(kinds[0]).startswith("dataset")):
        said = f"{len(found)} of them" if found else "none"
        raise Fault(directory, "one file of cases, such as dataset.arff", said, is_file=True)
    return os.path.join(directory, kinds[0])


def with_descriptions(source: Source, directory: str) -> Source:
    """Return the cases of a directory with what the JSON files beside them say."""
    said, features = _read(directory, DESCRIPTION), _read(directory, FEATURES)
    said = said.get("data_set_description", said)
    features = features.get("data_features", features)
    listed = [one for one in _listed(features.get("feature")) if isinstance(one, dict)]
    marked = {str(one.get("name")) for one in listed if "true" in map(_flag, (one.get("is_target"),))}
    ignored = {
        str(one.get("name"))
        for one in listed
        if "true" in map(_flag, (one.get("is_ignore"), one.get("is_row_identifier")))
    }
    ignored |= _names(said.get("ignore_attribute")) | _names(said.get("row_id_attribute"))
    names = [column.name for column in source.columns]
    targets = _names(said.get("default_target_attribute")) or marked
    kinds = {str(one.get("name")): declared for one in listed if (declared := _declared(one))}
    about = About(
        str(said.get("name") or os.path.basename(os.path.abspath(directory))),
        title=str(said.get("name") or ""),
        text="\n\n".join(_texts(said)),
        targets=tuple(name for name in names if name in targets),
        ignored=tuple(name for name in names if name in ignored),
    )
    columns = tuple(SourceColumn(name, one or kinds.get(name)) for name, one in source.columns)
    return source._replace(place=directory, about=about, columns=columns)


def _read(directory: str, name: str) -> Json:
    path = os.path.join(directory, name)
    if not os.path.isfile(path):
        return {}
    try:
        found = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise ParseError(path, error.lineno, "JSON", error.msg) from None
    return found if isinstance(found, dict) else {}


def _listed(value: object) -> Iterable[object]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _flag(value: object) -> str:
    return str(value).lower()


def _names(value: object) -> set[str]:
    """Return the names that stand in a list or, with commas between, in a text."""
    return {part.strip() for one in _listed(value) for part in str(one).split(",")}


def _declared(feature: Json) -> Declared | None:
    kind = str(feature.get("data_type", "")).lower()
    if kind == "nominal":
        values = tuple(str(value) for value in _listed(feature.get("nominal_value")))
        return Declared("category", tuple(dict.fromkeys(values)))
    return Declared(KINDS[kind]) if kind in KINDS else None


def _texts(said: Json) -> Iterable[str]:
    for key in ("id", "version", "licence", "creator", "url", "citation"):
        if said.get(key):
            yield f"{key}: {', '.join(map(str, _listed(said[key])))}"
    if said.get("description"):
        yield str(said["description"])
