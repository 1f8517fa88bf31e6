"""Scores of single test cases in the logs of harnesses: samples of lm-evaluation-harness, logs of inspect_ai,
statistics by instance of HELM.

A row is a value of one task, model, case and metric, as in `harnesses`, with the columns `doc_id` and, where
a case was asked more than once, `run`."""

import io
import os
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from delvecore.errors import ParseError
from delvecore.score_tables.contents import decoded, parsed_json

Row = dict[str, Any]
_SAMPLES = re.compile(r"samples_(?P<task>.+?)(_\d{4}-\d\d-\d\dT[\d.:+-]+)?\.jsonl")
_OF_SAMPLES = ("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics")
_HASHES = ("doc_hash", "prompt_hash", "target_hash")
_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Of inspect_ai: correct, partly correct, incorrect, no answer."""
HEADER = "header.json"
_OF_LOG = ("id", "epoch", "scores")
MOST_OF_PART = 128 << 20
"""Bytes of a part of a log: a small file can unpack to a thousand times its size."""
_CASES = re.compile(r"samples_.*\.jsonl|per_instance_stats\.json|.*\.eval")
_MEANS = re.compile(r"results(_.*)?\.json|stats\.json")


def is_case_file(path: str) -> bool:
    """Is this, by its name, a file of scores of single cases?"""
    return _CASES.fullmatch(os.path.basename(path).removesuffix(".gz")) is not None


def has_means(path: str) -> bool:
    """Is this, by its name, a file of means that stands beside files of cases?"""
    return _MEANS.fullmatch(os.path.basename(path)) is not None


def case_rows(content: Any, name: str) -> Iterator[Row] | None:
    """The rows of a document of single cases; None for any other. name: of the file, with its folders."""
    match content:
        case {"doc_id": _, "doc": _}:  # the only line of a file
            return case_rows([content], name)
        case [{"doc_id": _, "doc": _, **rest}, *_] if rest.keys() & {"resps", "filtered_resps"}:
            return _samples(content, name)
        case {"eval": {"task": str(), "model": str()} as about, "samples": [*samples]}:
            return _inspect(about, samples)
        case [{"instance_id": _, "stats": [*_]}, *_]:
            return _helm(content, name)
    return None


def _samples(samples: Sequence[Mapping[str, Any]], name: str) -> Iterator[Row]:
    """lm-evaluation-harness, `MODEL/samples_TASK_TIME.jsonl`: a sample a line and filter of answers."""
    found = _SAMPLES.fullmatch(os.path.basename(name))
    model = os.path.basename(os.path.dirname(name)) or "model"
    for sample in samples:
        known = sample.get("metrics") or [key for key in sample if key not in (*_OF_SAMPLES, *_HASHES)]
        kind = sample.get("filter") or "none"
        for metric in known:
            value = _number(sample.get(metric))
            if value is not None:
                yield {
                    "harness": "lm-evaluation-harness",
                    "task": found["task"] if found else os.path.splitext(os.path.basename(name))[0],
                    "model": model.replace("__", "/"),
                    "doc_id": str(sample["doc_id"]),
                    "metric": metric if kind == "none" else f"{metric},{kind}",
                    "value": value,
                }


def _inspect(about: Mapping[str, Any], samples: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    """inspect_ai: a score is a letter, a number, or a number by name; letters are better the higher."""
    for sample in samples:
        for scorer, score in (sample.get("scores") or {}).items():
            value = score.get("value")
            parts = value if isinstance(value, dict) else {"": value}
            for part, one in parts.items():
                number = _LETTERS.get(one) if isinstance(one, str) else _number(one)
                yield {
                    "harness": "inspect_ai",
                    "task": about["task"],
                    "model": about["model"],
                    "doc_id": str(sample["id"]),
                    "run": sample.get("epoch", 1),
                    "metric": f"{scorer}/{part}" if part else scorer,
                    "value": number,
                    "higher_is_better": True if isinstance(one, str) else None,
                }


def _helm(instances: Sequence[Mapping[str, Any]], name: str) -> Iterator[Row]:
    """HELM, `per_instance_stats.json` of a run, without perturbations."""
    for instance in instances:
        case = {"doc_id": str(instance["instance_id"]), "run": instance.get("train_trial_index", 0)}
        for row in helm_stats(instance["stats"], name) if not instance.get("perturbation") else ():
            yield row | case


def helm_stats(stats: Sequence[Any], name: str) -> Iterator[Row]:
    """The means in a list of HELM's statistics, of the test split without perturbations. name: of the file,
    whose folder says scenario and model."""
    run = os.path.basename(os.path.dirname(name)) or "run"
    model = re.search(r"[:,]model=([^,]*)", run)
    for stat in stats:
        about = stat["name"]
        if stat["count"] and not about.get("perturbation") and about.get("split", "test") == "test":
            yield {
                "harness": "HELM",
                "task": re.sub(r"([:,])model=[^,]*,?", r"\1", run).rstrip(":,"),
                "model": model[1] if model else run,
                "metric": about["name"],
                "value": stat.get("mean", stat.get("sum", 0) / stat["count"]),
            }


def _number(value: object) -> float | None:
    """A value that is a number or a truth value; None for texts and lists, from which metrics are made."""
    return float(value) if isinstance(value, bool | int | float) else None


def packed_log(data: bytes, source: str) -> Any:
    """What a log of inspect_ai (`.eval`) holds, as its JSON logs have it, but of samples the scores alone;
    None for another archive file. ParseError for one that cannot be read."""
    try:
        packed = zipfile.ZipFile(io.BytesIO(data))
    except zipfile.BadZipFile:
        return None  # whoever takes it for another archive file says what is wrong
    parts = {part.filename: part for part in packed.infolist()}
    if HEADER not in parts:
        return None
    samples = []
    try:
        header = _part(packed, parts[HEADER], source)
        for name, part in parts.items():
            if re.fullmatch(r"samples/.+\.json", name):
                whole = _part(packed, part, source)
                samples.append({key: whole[key] for key in _OF_LOG if key in whole})
    except (RuntimeError, OSError, EOFError, zlib.error, zipfile.BadZipFile) as error:
        remedy = "convert it to JSON, by `inspect log convert`"
        raise ParseError(source, None, "a whole log of inspect_ai", str(error), remedy) from None
    return {**header, "samples": samples}


def _part(packed: zipfile.ZipFile, part: zipfile.ZipInfo, source: str) -> dict[str, Any]:
    """The object in a part of a log, one at a time, for they unpack to much more. ParseError."""
    remedy = "export it again"
    if part.file_size > MOST_OF_PART:
        found = f"{part.file_size >> 20:,} MB in {part.filename}"
        raise ParseError(source, None, f"parts of at most {MOST_OF_PART >> 20} MB", found, remedy)
    content = parsed_json(decoded(packed.read(part), source), source)
    if not isinstance(content, dict):
        raise ParseError(source, None, f"an object in {part.filename}", repr(content)[:40], remedy)
    return content
