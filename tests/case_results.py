"""Results case by case: made tables, and logs as harnesses write them."""

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd


def right_or_wrong(*shares: float, cases: int = 220, tasks: int = 1, seed: int = 1) -> pd.DataFrame:
    """Scores 0 or 1 of models `a`, `b`, ..., which are right on these shares of cases, in no order."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"task{task}", "abcdefgh"[model], f"q{case}", int(rng.random() < share))
        for task in range(tasks)
        for model, share in enumerate(shares)
        for case in range(cases)
    ]
    frame = pd.DataFrame(rows, columns=["task", "model", "doc_id", "acc"])
    return frame.sample(frac=1, random_state=seed)


def samples_line(doc_id: int, acc: float, *, kind: str = "none") -> dict[str, Any]:
    """A line of `lm_eval --log_samples`."""
    return {
        "doc_id": doc_id,
        "doc": {"question": f"What is {doc_id} + 1?", "answer": doc_id + 1},
        "target": str(doc_id + 1),
        "arguments": {"gen_args_0": {"arg_0": f"Q: {doc_id} + 1\nA:", "arg_1": " 7"}},
        "resps": [[["-1.5", "False"]]],
        "filtered_resps": [["-1.5", "False"]],
        "filter": kind,
        "metrics": ["acc", "acc_norm"],
        "doc_hash": "d" * 64,
        "prompt_hash": "p" * 64,
        "target_hash": "t" * 64,
        "acc": acc,
        "acc_norm": 1.0 - acc,
    }


def lm_eval_folder(
    folder: Path, right: dict[str, list[int]], *, time: str = "2025-03-01T10-00-00.123456"
) -> Path:
    """A directory of `lm_eval --log_samples` with the documents that each model is right on, of 0 to 39."""
    for model, docs in right.items():
        place = folder / model.replace("/", "__")
        place.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(samples_line(doc, float(doc in docs))) for doc in range(40)]
        (place / f"samples_sums_{time}.jsonl").write_text("\n".join(lines) + "\n")
        results = {
            "results": {
                "sums": {"alias": "sums", "acc,none": len(docs) / 40, "acc_norm,none": 1 - len(docs) / 40}
            },
            "configs": {"sums": {"task": "sums"}},
            "versions": {"sums": 1.0},
            "n-shot": {"sums": 0},
            "higher_is_better": {"sums": {"acc": True, "acc_norm": True}},
            "model_name": model,
        }
        (place / f"results_{time}.json").write_text(json.dumps(results))
    return folder


def inspect_log(model: str, letters: str, *, epochs: int = 1) -> dict[str, Any]:
    """A log of inspect_ai whose samples have these letters as scores."""
    samples = [
        {
            "id": number,
            "epoch": epoch,
            "input": f"What is {number} + 1?",
            "target": str(number + 1),
            "scores": {"match": {"value": letter, "answer": "7", "explanation": "7"}},
        }
        for epoch in range(1, epochs + 1)
        for number, letter in enumerate(letters, 1)
    ]
    about = {"task": "sums", "model": model, "created": "2025-03-01T10:00:00+00:00", "run_id": "r"}
    return {"version": 2, "status": "success", "eval": about, "plan": {}, "samples": samples}


def inspect_file(path: Path, log: dict[str, Any]) -> Path:
    """Write a log as JSON or, by its ending, as `.eval`."""
    if path.suffix == ".json":
        path.write_text(json.dumps(log))
        return path
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("header.json", json.dumps({**log, "samples": None}))
        for sample in log["samples"]:
            packed.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
        packed.writestr("summaries.json", "[]")
    return path


def helm_run(folder: Path, model: str, right: list[int]) -> Path:
    """A run of HELM with the instances that a model is right on, of 0 to 39, and one that was perturbed."""
    run = folder / f"mmlu:subject=anatomy,method=joint,model={model}"
    run.mkdir(parents=True)

    def stat(name: str, value: float, **more: Any) -> dict[str, Any]:
        about = {"name": {"name": name, "split": "test", **more}, "count": 1, "sum": value}
        return about | {"sum_squared": value**2, "min": value, "max": value, "mean": value}

    changed = {"name": "typos", "robustness": True, "fairness": False, "computed_on": "perturbed"}
    instances = [
        {
            "instance_id": f"id{number}",
            "train_trial_index": 0,
            "stats": [stat("exact_match", float(number in right)), stat("num_prompt_tokens", 50 + number)],
        }
        for number in range(40)
    ]
    wrong = stat("exact_match", 0.0, perturbation=changed)
    instances.append(
        {"instance_id": "id0", "perturbation": changed, "train_trial_index": 0, "stats": [wrong]}
    )
    (run / "per_instance_stats.json").write_text(json.dumps(instances))
    mean = stat("exact_match", len(right) / 40)
    (run / "stats.json").write_text(json.dumps([mean]))
    (run / "run_spec.json").write_text("{}")
    return folder
