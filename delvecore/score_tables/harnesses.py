"""Results of evaluation harnesses (lm-evaluation-harness, HELM, MTEB, inspect_ai) and of `cross_validate`.

A row is a value of one task, model and metric: the columns `harness`, `task`, `model`, `metric` and `value`.
Some harnesses also provide the columns `higher_is_better`, `stderr`, `shots`, `summary` (is the task a mean
of others in the file?) and `comparable` (does the harness compare it?). A row for a single test case also has
`doc_id`, and `run` if a case was evaluated more than once."""

import io
import os
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from delvecore.errors import ParseError
from delvecore.measures import column_measure
from delvecore.score_tables.files import decoded, load_json, parsed_json, plain_file, read_bytes, unpacked
from delvecore.score_tables.known_tables import KnownTable, different, directed_metric

Row = dict[str, Any]
_BESIDE = re.compile(
    r"(model_meta|per_instance_stats|run_spec|scenario|scenario_state|instances|display_\w+)\.json|samples_.*"
)
"""Files that the harnesses write next to their results."""
_RESULTS = re.compile(r"(results(_.*)?|stats)\.json")
_PEEKED = 5
"""Number of files of a directory that are opened to recognize a harness."""
FILE = "file"
_FACTS = ("alias", "name", "sample_len", "sample_count", "samples", "bypass")


def evaluations(table: KnownTable) -> KnownTable:
    """Return the results of a harness with its directions.

    Tasks that have different metrics with the same direction are joined."""
    frame = table.frame
    table = replace(table, title=str(frame["harness"].iloc[0]))
    table = table.without("file", frame.attrs.get("passed over", ()), "no results of the harness")
    table = replace(table, files=frame.attrs.get("files", ""))
    for flag, is_out, key, what, why in (
        ("summary", True, "task", "dataset", "means of others in the file"),
        ("comparable", False, "metric", "metric", "not compared by the harness"),
    ):
        if flag in frame.columns:
            out = frame[flag].astype(bool) == is_out
            table = table.without(what, different(frame.loc[out, key]), why)
            frame = frame[~out].drop(columns=flag)
    if "shots" in frame.columns and frame.groupby("task")["shots"].nunique().gt(1).any():
        table = table.having(dataset="task+shots")
    directions = frame.assign(up=frame.get("higher_is_better"))[["metric", "up"]].drop_duplicates()
    sure = directions.drop_duplicates("metric", keep=False).dropna()
    metrics = [directed_metric(str(name), higher=bool(up)) for name, up in sure.itertuples(index=False)]
    ways = {metric.higher_is_better for metric in metrics}
    has_one = frame.groupby("task")["metric"].nunique().le(1).all() and len(ways) == 1
    frame = frame.drop(columns=["harness", "higher_is_better"], errors="ignore")
    if has_one and len(metrics) == directions["metric"].nunique():
        metric = metrics[0] if len(metrics) == 1 else column_measure("score", ways.pop())
        name = metric.key
        frame = frame.drop(columns="metric").rename(columns={"value": name, "stderr": f"{name}_stderr"})
        return table.having(frame, [metric], metric=None, value=(name,))
    return table.having(frame.rename(columns={"stderr": "value_stderr"}), metrics)


def known_document(content: object, name: str) -> pd.DataFrame | None:
    """Return the scores in a JSON document of a known program as a long table, or None. name: path of the
    file."""
    rows = _rows(content, name)
    return _folds(content) if rows is None else _of_cases(_frame(rows, name).dropna(axis=1, how="all"), {})


def known_directory(paths: Sequence[str], directory: str) -> pd.DataFrame | None:
    """Return the scores in JSON files of one harness as a long table, or None. Raises ParseError."""
    of_cases = _case_directory(paths, directory)
    if of_cases is not None:
        return of_cases
    of_problems = _board(paths, directory)
    if of_problems is not None:
        return of_problems
    results = [path for path in paths if not _BESIDE.match(os.path.basename(path)) and not is_case_file(path)]
    files = [path for path in results if plain_file(path).endswith(".json")]
    files.sort(key=lambda path: not _RESULTS.fullmatch(plain_file(path)))
    if all(_rows(load_json(path), path) is None for path in files[:_PEEKED]):
        return None
    rows_by_path = {path: _rows(load_json(path), os.path.relpath(path, directory)) for path in sorted(files)}
    parts = {path: _frame(rows, path) for path, rows in rows_by_path.items() if rows is not None}
    tables = [os.path.basename(path) for path, part in parts.items() if "comparable" in part.columns]
    if len(tables) > 1:
        remedy = f"name one of them, such as {tables[0]}"
        raise ParseError(directory, None, "one table of HELM", f"{len(tables)}", remedy, kind="file")
    frame = pd.concat(parts.values(), ignore_index=True).dropna(axis=1, how="all")
    if "revision" in frame.columns:
        several = frame.groupby("model")["revision"].transform("nunique") > 1
        frame["model"] = frame["model"].where(~several, frame["model"] + "@" + frame["revision"])
    over = [os.path.relpath(path, directory) for path in results if path not in parts]
    frame.attrs["passed over"] = tuple(over)
    return _of_cases(frame.drop(columns="revision", errors="ignore"), {})


def _case_directory(paths: Sequence[str], directory: str) -> pd.DataFrame | None:
    """Return the scores of single cases in a directory, without files of means; None if there are none."""
    base = os.path.dirname(os.path.abspath(directory))  # its last part may be a model, or a run
    parts: dict[str, pd.DataFrame] = {}
    for path in filter(is_case_file, paths):
        packed = path.endswith(".eval")
        content = packed_log(unpacked(read_bytes(path), path), path) if packed else load_json(path)
        rows = case_rows(content, os.path.relpath(os.path.abspath(path), base))
        if rows is not None:
            parts[path] = _frame(rows, path).assign(**{FILE: path})
    if not parts:
        return None
    means = [path for path in paths if _MEANS.fullmatch(os.path.basename(path))]
    frame = pd.concat(parts.values(), ignore_index=True).dropna(axis=1, how="all")
    keys = [name for name in ("task", "model", "doc_id", "run", "metric") if name in frame.columns]
    again = frame.duplicated(keys)
    if again.any():  # such as files of two evaluations
        second = frame[again].iloc[0]
        first = frame[(frame[keys] == second[keys]).all(axis=1)].iloc[0]
        actual = f"a second one for {', '.join(str(second[name]) for name in keys)}"
        remedy = f"remove one; the first is in {first[FILE]}"
        raise ParseError(second[FILE], None, "one score for each case", actual, remedy)
    of_means = [row for path in means for row in _rows(load_json(path), path) or ()]
    directions = {
        (row["task"], row["metric"]): row["higher_is_better"]
        for row in of_means
        if row.get("higher_is_better") is not None
    }
    frame = _of_cases(frame.drop(columns=FILE), directions)
    beside = [path for path in paths if path not in parts and not _BESIDE.match(os.path.basename(path))]
    over = [os.path.relpath(path, directory) for path in beside if path not in means]
    listed = sorted({os.path.basename(path) for path in means})
    unneeded = f"; {', '.join(listed)} {'is' if len(listed) == 1 else 'are'} not needed next to them"
    summary = f"{len(parts)} of single test cases" + (unneeded if listed else "")
    frame.attrs |= {"passed over": tuple(over), "files": summary}
    return frame


def _of_cases(frame: pd.DataFrame, directions: Mapping[tuple[str, str], bool]) -> pd.DataFrame:
    """Return a table of single cases with the known directions. A column of runs is dropped if it is
    unused."""
    if "doc_id" not in frame.columns:
        return frame
    if directions:
        keys = zip(frame["task"], frame["metric"], strict=True)
        frame = frame.assign(higher_is_better=[directions.get(key) for key in keys])
    if "run" in frame.columns and frame["run"].nunique() < 2:
        frame = frame.drop(columns="run")
    return frame


def _frame(rows: Iterator[Row], source: str) -> pd.DataFrame:
    """Return the rows of a document as a table. Raises ParseError for an unexpected structure."""
    try:
        return pd.DataFrame(list(rows))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        expected, actual = "results as a harness writes them", f"{type(error).__name__}: {error}"
        raise ParseError(source, None, expected, actual, "export them again") from None


def _rows(content: object, name: str) -> Iterator[Row] | None:
    """Return the rows of a harness's document."""
    of_cases = case_rows(content, name)
    if of_cases is not None:
        return of_cases
    match content:
        case {"results": dict(results), **about} if about.keys() & {"configs", "versions", "n-shot"}:
            return _lm_eval(results, about, name)
        case {"header": [{"value": _}, *_], "rows": [[{"value": _}, *_], *_]}:
            return _helm_tables([content])
        case [{"header": [{"value": _}, *_], "rows": [[{"value": _}, *_], *_]}, *_]:
            return _helm_tables(content)
        case [{"name": {"name": str()}, "count": _}, *_]:
            return helm_stats(content, name)
        case {"task_name": str(task), "scores": dict(splits)}:
            return _mteb(task, splits, name)
    return None


def _lm_eval(results: Mapping[str, Any], about: Mapping[Any, Any], name: str) -> Iterator[Row]:
    """Read lm-evaluation-harness. Keys are `acc,none` and `acc_stderr,none`; a group is a mean of tasks."""
    better, shots, config = (about.get(key) or {} for key in ("higher_is_better", "n-shot", "config"))
    parts, groups = (about.get(key) or {} for key in ("group_subtasks", "groups"))
    arguments = config.get("model_args") or {}
    if isinstance(arguments, str):
        arguments = dict(pair.partition("=")[::2] for pair in arguments.split(","))
    model = (
        about.get("model_name")
        or arguments.get("pretrained")
        or arguments.get("model")
        or config.get("model")
    )
    for task, values in results.items():
        numbers = {key: one for key, one in values.items() if type(one) in (int, float)}
        for key, value in numbers.items():
            metric, _, kind = key.partition(",")
            if metric in _FACTS or metric.endswith("_stderr"):
                continue
            yield {
                "harness": "lm-evaluation-harness",
                "task": task,
                "model": str(model or os.path.splitext(os.path.basename(name))[0]),
                "metric": metric if kind in ("", "none") else key,
                "value": value,
                "stderr": numbers.get(f"{metric}_stderr,{kind}" if kind else f"{metric}_stderr"),
                "higher_is_better": (better.get(task) or {}).get(metric),
                "shots": str(shots.get(task, "")),
                "summary": any(part in results for part in parts.get(task, ()))
                or (task in groups and any(other.startswith(f"{task}_") for other in results)),
            }


def _helm_tables(tables: Sequence[Any]) -> Iterator[Row]:
    """Read HELM's tables of a group. Header cells have scenario, metric, and whether lower is better."""
    says = any(cell.get("lower_is_better") is not None for table in tables for cell in table["header"])
    for table in tables:
        for model, *cells in table["rows"]:
            for head, cell in zip(table["header"][1:], cells, strict=False):
                about, lower = head.get("metadata") or {}, head.get("lower_is_better")
                scenario, _, metric = str(head["value"]).rpartition(" - ")
                task = about.get("run_group") or scenario or metric
                yield {
                    "harness": "HELM",
                    "task": task if len(tables) == 1 else f"{task}: {table.get('title', '')}",
                    "model": str(model["value"]),
                    "metric": about.get("metric") or metric,
                    "value": cell.get("value"),
                    "higher_is_better": None if lower is None else not lower,
                    "summary": metric.lower() == "mean win rate",
                    "comparable": lower is not None or not says,
                }


def _mteb(task: str, splits: Mapping[str, Any], name: str) -> Iterator[Row]:
    """Read MTEB, `MODEL/REVISION/TASK.json`: the main score of each subset, of a test split if it exists."""
    *_, model, revision = ["", "model", *os.path.dirname(name).split(os.sep)]
    for split in ["test"] if "test" in splits else splits:
        for entry in splits[split]:
            part = [split] if "test" not in splits and len(splits) > 1 else []
            subset = [str(entry.get("hf_subset"))] if len(splits[split]) > 1 else []
            yield {
                "harness": "MTEB",
                "task": "/".join([task, *part, *subset]),
                "model": model.replace("__", "/"),
                "revision": revision,
                "metric": "main_score",
                "value": entry.get("main_score"),
                "higher_is_better": True,
            }


def _folds(content: object) -> pd.DataFrame | None:
    """Read the result of scikit-learn's `cross_validate`, or several results by name."""
    if not isinstance(content, dict) or not content:
        return None
    if {"fit_time", "score_time"} <= content.keys():
        are_lists = all(isinstance(one, list) for one in content.values())
        return pd.DataFrame(content) if are_lists and len({*map(len, content.values())}) == 1 else None
    parts = {str(name): part for name, one in content.items() if (part := _folds(one)) is not None}
    if len(parts) < len(content):
        return None
    level = "outer name" if any("name" in part.columns for part in parts.values()) else "name"
    return pd.concat([part.assign(**{level: name}) for name, part in parts.items()], ignore_index=True)


_SAMPLES = re.compile(r"samples_(?P<task>.+?)(_\d{4}-\d\d-\d\dT[\d.:+-]+)?\.jsonl")
_OF_SAMPLES = ("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics")
_HASHES = ("doc_hash", "prompt_hash", "target_hash")
_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Grades of inspect_ai: correct, partly correct, incorrect, no answer."""
HEADER = "header.json"
_OF_LOG = ("id", "epoch", "scores")
MOST_OF_PART = 128 << 20
"""Limit for a part of a log, in bytes: a small file can unpack to a thousand times its size."""
_CASES = re.compile(r"samples_.*\.jsonl|per_instance_stats\.json|.*\.eval")
_MEANS = re.compile(r"results(_.*)?\.json|stats\.json")


def is_case_file(path: str) -> bool:
    """Does the name of a file indicate scores of single cases?"""
    return _CASES.fullmatch(os.path.basename(path).removesuffix(".gz")) is not None


def case_rows(content: Any, name: str) -> Iterator[Row] | None:
    """Return the rows of a document of single cases, or None. name: the file's, with its folders."""
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
    """Read `MODEL/samples_TASK_TIME.jsonl` of lm-evaluation-harness: a line per sample and answer filter."""
    match = _SAMPLES.fullmatch(os.path.basename(name))
    model = os.path.basename(os.path.dirname(name)) or "model"
    for sample in samples:
        metrics = sample.get("metrics") or [key for key in sample if key not in (*_OF_SAMPLES, *_HASHES)]
        kind = sample.get("filter") or "none"
        for metric in metrics:
            value = _score(sample.get(metric))
            if value is not None:
                yield {
                    "harness": "lm-evaluation-harness",
                    "task": match["task"] if match else os.path.splitext(os.path.basename(name))[0],
                    "model": model.replace("__", "/"),
                    "doc_id": str(sample["doc_id"]),
                    "metric": metric if kind == "none" else f"{metric},{kind}",
                    "value": value,
                }


def _inspect(about: Mapping[str, Any], samples: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    """Read inspect_ai. A score is a letter (higher is better), a number, or several named numbers."""
    for sample in samples:
        for scorer, score in (sample.get("scores") or {}).items():
            value = score.get("value")
            parts = value if isinstance(value, dict) else {"": value}
            for part, one in parts.items():
                number = _LETTERS.get(one) if isinstance(one, str) else _score(one)
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
    """Read `per_instance_stats.json` of a HELM run, without perturbations."""
    for instance in instances:
        case = {"doc_id": str(instance["instance_id"]), "run": instance.get("train_trial_index", 0)}
        for row in helm_stats(instance["stats"], name) if not instance.get("perturbation") else ():
            yield row | case


def helm_stats(stats: Sequence[Any], name: str) -> Iterator[Row]:
    """Yield the means of the test split in HELM's statistics. The folder of the file names the model."""
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


def _score(value: object) -> float | None:
    """Return a number or a truth value as a number; None for texts and lists."""
    return float(value) if isinstance(value, bool | int | float) else None


def packed_log(data: bytes, source: str) -> Any:
    """Return a log of inspect_ai (`.eval`) in the structure of its JSON logs, or None. Raises ParseError."""
    try:
        packed = zipfile.ZipFile(io.BytesIO(data))
    except zipfile.BadZipFile:
        return None  # readers of other archive files report the fault
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
        remedy = "convert it to JSON with `inspect log convert`"
        raise ParseError(source, None, "a whole log of inspect_ai", str(error), remedy) from None
    return {**header, "samples": samples}


def _part(packed: zipfile.ZipFile, part: zipfile.ZipInfo, source: str) -> dict[str, Any]:
    """Return the object in a part of a log, which may unpack to much more. Raises ParseError."""
    remedy = "export it again"
    if part.file_size > MOST_OF_PART:
        actual = f"{part.file_size >> 20:,} MB in {part.filename}"
        raise ParseError(source, None, f"parts of at most {MOST_OF_PART >> 20} MB", actual, remedy)
    content = parsed_json(decoded(packed.read(part), source), source)
    if not isinstance(content, dict):
        raise ParseError(source, None, f"an object in {part.filename}", repr(content)[:40], remedy)
    return content


SOLVED = ("resolved", "resolved_ids", "resolved_instances", "solved", "solved_ids", "passed", "passed_ids")
"""Keys of the list of solved problems."""
PASSED = dict.fromkeys(("true", "pass", "passed", "solved", "resolved", "correct", "1"), 1.0)
FAILED = dict.fromkeys(("false", "fail", "failed", "unsolved", "unresolved", "incorrect", "0"), 0.0)


def _board(paths: Sequence[str], directory: str) -> pd.DataFrame | None:
    """Return a row for each problem and submission of a directory, or None if it has no submissions."""
    files = [path for path in paths if plain_file(path).endswith(".json")]
    if all(_by_problem(load_json(path)) is None for path in files[:3]):
        return None
    contents = {path: load_json(path) for path in files}
    by_path = {
        path: solved_by for path, one in contents.items() if (solved_by := _by_problem(one)) is not None
    }
    if len(by_path) < 2:
        return None
    problems = {problem: None for one in by_path.values() for problem in one}
    is_list = all(_solved(contents[path]) is not None for path in by_path)
    names = _submissions([*by_path], directory)
    rows = [
        (names[path], problem, by_path[path].get(problem, 0.0 if is_list else None))
        for path in by_path
        for problem in problems
    ]
    frame = pd.DataFrame(rows, columns=["model", "doc_id", "value"]).dropna()
    task = os.path.basename(os.path.abspath(directory))
    frame = frame.assign(harness="results by problem", task=task, metric="resolved", higher_is_better=True)
    over = [os.path.relpath(path, directory) for path in paths if path not in by_path]
    frame.attrs |= {"passed over": tuple(over), "files": f"{len(by_path)} submissions"}
    return frame


def _solved(content: Any) -> list[str] | None:
    """Return the list of problems that a submission solved."""
    if not isinstance(content, dict):
        return None
    solved = next((content[key] for key in SOLVED if isinstance(content.get(key), list)), None)
    return solved if solved is not None and all(isinstance(one, str) for one in solved) else None


def _by_problem(content: Any) -> Mapping[str, float] | None:
    """Return 1 for each solved problem and 0 for each other problem in the file."""
    solved = _solved(content)
    if solved is not None:
        lists = [one for one in content.values() if isinstance(one, list)]
        named = {name for one in lists for name in one if isinstance(name, str)}
        return {name: float(name in {*solved}) for name in sorted(named)}
    if not isinstance(content, dict) or len(content) < 2:
        return None
    words = {str(name): str(one).lower() for name, one in content.items() if not isinstance(one, float)}
    values = {name: (PASSED | FAILED).get(word) for name, word in words.items()}
    if len(values) < len(content) or None in values.values():
        return None
    return {name: one for name, one in values.items() if one is not None}


def _submissions(paths: Sequence[str], directory: str) -> dict[str, str]:
    """Return the name of each submission: that of its file, or of a folder if file names repeat."""
    parts = {path: os.path.splitext(os.path.relpath(path, directory))[0].split(os.sep) for path in paths}
    depth = min(map(len, parts.values()))
    for place in (-1, *range(depth)):
        names = {path: one[place] for path, one in parts.items()}
        if len({*names.values()}) == len(paths):
            return names
    return {path: "/".join(one) for path, one in parts.items()}
