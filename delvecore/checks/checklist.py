"""Check list for publications of a method's results, and the points that files of an archive already answer.

Source: L. Prechelt, PROBEN1, technical report 21/94, Universität Karlsruhe 1994, the check list of section
2.11 and the rules of section 2. It is advice: a missing point is not a fault."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from delvecore.checks.datasets import TOPICS, described
from delvecore.checks.result_rules import loss_files
from delvecore.errors import NOTICE, DelveError, ParseError, Report
from delvecore.model import TaskId
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import INSTANCE_SUFFIX, SOURCE_DIRECTORY, Hierarchy
from delvecore.readers.specifications import parse_task_name
from delvecore.readers.training import TRAINING, parse_training

MOST_NAMED = 4
VALIDATION = "Validation:"
NETWORK = r"\bnetworks?\b|perceptron"
NODES = r"\b(hidden|nodes?|units?|layers?|connections?)\b"
START = r"\binitial|\bstart(s|ing|ed)?\b"
ERROR = r"\berrors?\b|\bloss(es)?\b|likelihood|log probability"
KEPT = r"\ball (runs|instances)\b|\bexclud|\bleft out\b|\bno runs?\b"
PARAMETERS, STOPPING, TUNING = TOPICS[1][1], TOPICS[2][1], TOPICS[4][1]
ANSWER = re.compile(r"^\s*2\.11\.(\d+):\s*(\S.*)$", re.MULTILINE)
"""A line of a description that answers the point with this number: `2.11.4: weights start from -0.01`."""
HEADING = 4
"""Maximum number of words of a heading. The sentence after a heading explains it."""


class Point(NamedTuple):
    """A point of the list.

    Attributes
    ----------
    section : str
        Section of the report.
    missing : str
        Fact that no file states.
    where : str
        Where to write it.
    """

    section: str
    title: str
    known: tuple[str, ...]
    missing: str
    where: str


_Tasks = dict[TaskId, dict[str, str]]
"""The files of a method's directory for each of its tasks."""


def checklist(hierarchy: Hierarchy, method: str) -> tuple[Point, ...]:
    """Return the points of the list for a method of the archive, in the order of the report.

    A line of a description that starts with `2.11.4:` answers the fourth point. Without such a line, words in
    the description may answer it. Raises DelveError for a missing method."""
    quiet = hierarchy.reporting(lambda error: None)
    place = quiet.directory("methods", method)
    text = "\n".join(described(quiet, method).values())
    tasks: _Tasks = dict(_tasks(quiet, method))
    source = f"{place}/{SOURCE_DIRECTORY}"

    def of_text(section: str, title: str, pattern: str, known: Sequence[str] = ()) -> Point:
        sentences = [] if known else _sentence(text, pattern)
        entries = (*known, *sentences)
        return Point(section, title, entries, "" if entries else f"{title[:1].lower()}{title[1:]}", source)

    points = (
        _problem(quiet, tasks),
        _sets(quiet, tasks, source),
        _network(tasks, text, source),
        of_text("2.10", "Initialization", START),
        of_text("2.5", "Parameters of the algorithm, and how they adapt", PARAMETERS),
        of_text("2.10", "When training stops", STOPPING),
        of_text("2.6", "The error function, and its normalization", ERROR, _losses(tasks)),
        _runs(tasks, text, source),
        _tuning(tasks, text, source),
    )
    answers = {int(number): " ".join(answer.split()) for number, answer in ANSWER.findall(text)}
    return tuple(
        point._replace(known=(answers[number],), missing="") if number in answers else point
        for number, point in enumerate(points, start=1)
    )


def report_missing(points: Sequence[Point], *, report: Report) -> None:
    """Report the missing facts as notices."""
    for one in points:
        if one.missing:
            expected = f"{one.missing} (PROBEN1, section {one.section})"
            report(ParseError(one.where, None, expected, "no mention of it", "write it there", kind=NOTICE))


def _tasks(hierarchy: Hierarchy, method: str) -> Iterator[tuple[TaskId, dict[str, str]]]:
    for dataset in hierarchy.subdirectories("methods", method):
        if dataset == SOURCE_DIRECTORY:
            continue
        for prototask in hierarchy.subdirectories("methods", method, dataset):
            for task in hierarchy.subdirectories("methods", method, dataset, prototask):
                if parse_task_name(task) is not None:
                    place = TaskId(dataset, prototask, task)
                    yield place, hierarchy.files("methods", method, *place)


def _text(path: str) -> str | None:
    try:
        return read_text(path)
    except DelveError:
        return None


def _named(names: Sequence[str]) -> str:
    """Return some names, and the number of the others."""
    more = len(names) - MOST_NAMED
    return ", ".join([*names[:MOST_NAMED], *([f"{more} more"] if more > 0 else [])])


def _sentence(text: str, pattern: str) -> list[str]:
    """Return the sentence after a heading that matches a pattern, otherwise the first matching sentence."""
    sentences = [" ".join(one.split()) for one in re.split(r"(?<=[.;:])\s+|\n\s*\n", text)]
    matching = [place for place, one in enumerate(sentences) if re.search(pattern, one, re.IGNORECASE)]
    for place in matching:
        if len(sentences[place].split()) <= HEADING:
            return [" ".join(sentences[place : place + 2])]
    return [sentences[matching[0]]] if matching else []


def _problem(hierarchy: Hierarchy, tasks: _Tasks) -> Point:
    names = sorted({task.dataset for task in tasks})
    bare = [name for name in names if not hierarchy.find("data", name, "Summary")]
    bare = [name for name in bare if not hierarchy.directories("data", name, SOURCE_DIRECTORY)]
    known = (f"{_named(names)}: described in the archive",) if len(bare) < len(names) else ()
    asked = f"where others get the data of {_named(bare)}" if bare else "results on a dataset"
    missing = asked if bare or not names else ""
    where = hierarchy.directory("data", bare[0]) if bare else "delve run"
    return Point("2.2", "Problem: name, address, version", known, missing, where)


def _sets(hierarchy: Hierarchy, tasks: _Tasks, source: str) -> Point:
    """Return the point on sets: each task names its cases, except those of failed instances."""
    paths = (hierarchy.find("data", *task[:2], task.task + INSTANCE_SUFFIX) for task in tasks)
    listed = [_text(path) or "" for path in paths if path is not None]
    held = sum(VALIDATION in text for text in listed)
    known = [f"{_named([task.path for task in tasks])}: each names its cases exactly"] if tasks else []
    known += [f"{len(listed)} with separate sets, {held} of them with validation cases"] if listed else []
    failed = [task.path for task, files in tasks.items() if "Failures" in files and _text(files["Failures"])]
    missing = f"the instances that failed on {_named(failed)}" if failed else ""
    return Point("2.3", "Training, validation and test set", tuple(known), missing, source)


def _network(tasks: _Tasks, text: str, source: str) -> Point:
    title = "Network: nodes, connections, activation functions"
    recorded: dict[str, None] = {}
    for files in tasks.values():
        path = files.get(f"{TRAINING}.0")
        record_text = _text(path) if path else None
        if path and record_text:
            try:
                record = parse_training(record_text, path)
            except DelveError:
                continue
            recorded[f"{record.network}; outputs {record.outputs}; {record.weights} weights"] = None
    if recorded:
        return Point("2.7", title, (_named(list(recorded)),), "", source)
    if not re.search(NETWORK, text, re.IGNORECASE):
        return Point("2.7", title, ("its description mentions no network",) if text else (), "", source)
    sentence = _sentence(text, NODES)
    missing = "" if sentence else "nodes, connections, activation functions"
    return Point("2.7", title, tuple(sentence), missing, source)


def _losses(tasks: _Tasks) -> list[str]:
    some = (file for files in tasks.values() for file in loss_files(files, report=lambda _: None))
    letters = sorted({file.loss for file in some})
    return [f"losses {' '.join(letters)}, each a mean over test cases"] if letters else []


def _runs(tasks: _Tasks, text: str, source: str) -> Point:
    title = "Number of runs, and omitted runs"
    seeded = [_lines(files["Seeds"]) for files in tasks.values() if "Seeds" in files]
    counts = sorted(set(seeded))
    noun = "instance" if counts == [1] else "instances"
    known = [f"{' or '.join(map(str, counts))} {noun} a task, each with its seed"] if counts else []
    whole = bool(seeded) and not any(
        _lines(files["Failures"]) for files in tasks.values() if "Failures" in files
    )
    known += ["no run was omitted"] if whole else _sentence(text, KEPT)
    missing = "" if len(known) > 1 or (known and not counts) else title[:1].lower() + title[1:]
    return Point("2.8", title, tuple(known), missing, source)


def _lines(path: str) -> int:
    return sum(bool(line.strip()) for line in (_text(path) or "").splitlines())


def _tuning(tasks: _Tasks, text: str, source: str) -> Point:
    """Return the point on tuning. Results on a dataset used for tuning do not estimate a method's error."""
    title = "How parameters were found: never by test sets"
    sentence = _sentence(text, TUNING)
    names = {task.dataset for task in tasks}
    both = sorted(
        name for name in names if any(re.search(rf"\b{re.escape(name)}\b", one) for one in sentence)
    )
    missing = (
        f"which cases of {_named(both)} the method was tuned on, as it has results there" if both else ""
    )
    return Point("2.5", title, tuple(sentence), missing or ("" if sentence else title.lower()), source)
