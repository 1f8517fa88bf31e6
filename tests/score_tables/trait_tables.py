"""Tables with the traits of public files, in random combinations, each with the ranking that pandas gives.

A trait is something that people write into tables of scores: marks around numbers, properties of datasets,
runs in rows, columns or files, rows of means, words for failed runs, names of all kinds, and directions."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tests.score_tables.judging import Truth
from tests.word_lists import listed

__all__ = ["Traits", "trait_table"]

DATASET_HEADS = listed("""
    dataset  Dataset  data  task  problem  benchmark  instance  env  Environment  dataset_name
    unique_id
    """)
METHOD_HEADS = listed("""
    method  Model  algorithm  classifier  approach  estimator  algo  system  solver  Method
    learner
    """)
DATASETS = listed("""
    iris  wine  glass  heart  sonar  letter  vowel  yeast  zoo  adult  car  abalone  segment
    vehicle  waveform  splice  ecoli  housing  cpu  ozone  blood  digits  kin8nm  pol
    elevators  bank
    """)
METHODS = listed("""
    svm  rf  mlp  knn  ridge  lasso  xgb  catboost  lightgbm  tabnet  Ours  Ours-large  PFN
    FT-Transformer  SAINT  DANet  nb  lda  tree  bagging  Proposed  BaselineA  C4.5
    deep-forest  NODE  GrowNet
    """)
HIGHER, LOWER = (
    listed("accuracy  acc  auc  F1  test_accuracy"),
    listed("rmse  mae  error  log_loss  normalized_error  val_rmse"),
)
RUNS = listed("seed  run  fold  repeat  trial  split")
MEANS = listed("Average  Mean  AVG  Avg.  Overall  Gesamt  Durchschnitt  mean")
FAILED = listed("timeout  OOM  NR  >1h  TO  t.o.  ✗  diverged  MEM  crash")
MARKS: dict[str, Callable[[str], str]] = {
    "bold": lambda x: f"**{x}**",
    "italic": lambda x: f"_{x}_",
    "both": lambda x: f"***{x}***",
    "b": lambda x: f"<b>{x}</b>",
    "strong": lambda x: f"<strong>{x}</strong>",
    "em": lambda x: f"<em>{x}</em>",
    "u": lambda x: f"<u>{x}</u>",
    "code": lambda x: f"`{x}`",
    "textbf": lambda x: rf"\textbf{{{x}}}",
    "underline": lambda x: rf"\underline{{{x}}}",
    "num": lambda x: rf"\num{{{x}}}",
    "color": lambda x: rf"\textcolor{{red}}{{{x}}}",
    "cellcolor": lambda x: rf"\cellcolor{{gray}}{x}",
    "dollar": lambda x: f"${x}$",
    "up": lambda x: f"{x} ↑",
    "triangle": lambda x: f"{x} ▲",
    "dagger": lambda x: f"{x}†",
    "star": lambda x: f"{x}*",
    "letters": lambda x: f"{x} ab",
    "one letter": lambda x: f"{x} a",
}
SPREADS: dict[str, Callable[[str, str], str]] = {
    "±": lambda x, s: f"{x} ± {s}",
    "+/-": lambda x, s: f"{x} (+/- {s})",
    "sd": lambda x, s: f"{x} ({s})",
    "interval": lambda x, s: f"{x} [{float(x) - float(s):.4f}; {float(x) + float(s):.4f}]",
    "dash": lambda x, s: f"{x} ({float(x) - float(s):.4f}–{float(x) + float(s):.4f})",
}
PROPERTIES: dict[str, Callable[[np.random.Generator, int], list[str]]] = {
    "n_classes": lambda rng, n: [str(one) for one in rng.integers(2, 30, n)],
    "n_samples": lambda rng, n: [str(one) for one in rng.integers(100, 90000, n)],
    "imbalance": lambda rng, n: [f"{one:.2f}" for one in rng.uniform(1, 9, n)],
    "missing_ratio": lambda rng, n: [f"{one:.3f}" for one in rng.uniform(0, 0.4, n)],
    "features": lambda rng, n: [str(one) for one in rng.integers(3, 300, n)],
    "size_mb": lambda rng, n: [f"{one:.1f}" for one in rng.uniform(1, 900, n)],
    "hardness": lambda rng, n: [f"{one:.2f}" for one in rng.uniform(2, 40, n)],
    "domain": lambda rng, n: [str(one) for one in rng.choice(["text", "image", "audio"], n)],
    "year": lambda rng, n: [str(one) for one in rng.integers(1990, 2024, n)],
    "fit_time": lambda rng, n: [f"{one:.2f}" for one in rng.uniform(5, 900, n)],
}


@dataclass
class Traits:
    """A table on disk, what is said of it, its true ranking, and the traits that it has."""

    seed: int
    source: Path
    options: dict[str, Any]
    truth: Truth
    traits: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What to write into a report."""
        files = (
            [self.source]
            if self.source.is_file()
            else sorted(one for one in self.source.rglob("*") if one.is_file())
        )
        head = "\n".join(
            f"-- {one.relative_to(self.source.parent)}\n{one.read_text()[:600]}" for one in files[:3]
        )
        return f"seed {self.seed} {self.traits} {self.options}\n{head}"


def _pick(rng: np.random.Generator, items: Any) -> Any:
    items = list(items)
    return items[int(rng.integers(len(items)))]


def trait_table(seed: int, folder: Path) -> Traits:
    """Return the table of a seed, written into a folder."""
    rng = np.random.default_rng([42, seed])
    made = _Maker(rng)
    root = folder / f"t{seed}"
    root.mkdir(parents=True)
    source, options = getattr(made, _pick(rng, SHAPES))(root)
    return Traits(seed, source, options, Truth(made.values, made.higher), made.traits)


SHAPES = ("wide", "wide", "wide", "turned", "long", "long", "runs_in_rows", "runs_in_columns", "unpaired", "repeats",
          "a_file_a_method", "a_file_a_seed", "folders", "a_column_of_metrics", "page")  # fmt: skip


class _Maker:
    """Numbers of a table, and the ways to write it down."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng, self.traits = rng, list[str]()
        rows, columns = int(rng.integers(4, 13)), int(rng.integers(2, 8))
        kind = _pick(rng, ("words", "words", "words", "numbers", "decimals", "dates", "digits"))
        names = {
            "words": rng.choice(DATASETS, rows, replace=False).tolist(),
            "numbers": [str(one) for one in rng.choice(9000, rows, replace=False) + 1],
            "decimals": [f"{one}.{two}" for one in range(1, 5) for two in range(1, 4)][:rows],
            "dates": [f"2021-0{1 + at % 9}-1{at // 9}" for at in range(rows)],
            "digits": [f"d{at}" for at in range(rows)],
        }[kind]
        if kind != "words":
            self.traits.append(f"datasets are {kind}")
        self.methods = rng.choice(METHODS, columns, replace=False).tolist()
        self.higher = bool(rng.random() < 0.6)
        self.metric = str(_pick(rng, HIGHER if self.higher else LOWER))
        base = (
            rng.uniform(0.3, 0.9, (len(names), 1)) if self.higher else rng.lognormal(-1, 0.5, (len(names), 1))
        )
        values = np.clip(base + rng.normal(0, 0.04, (len(names), columns)), 0.01, 0.99)
        if not self.higher:
            values = base * rng.lognormal(0, 0.2, (len(names), columns))
        self.values = pd.DataFrame(values.round(4), names, self.methods)
        self.corner, self.head = str(_pick(rng, DATASET_HEADS)), str(_pick(rng, METHOD_HEADS))
        self.said = {"higher_is_better": self.higher}

    def texts(self, values: pd.DataFrame) -> pd.DataFrame:
        """Return the texts of values, some with marks, spreads or words for failed runs."""
        frame = values.map(lambda value: f"{value:.4f}")
        kind = _pick(self.rng, ("none", "mark", "mark", "spread", "failed"))
        if kind == "mark":
            name = str(_pick(self.rng, MARKS))
            self.traits.append(f"mark {name}")
            best = frame.columns[int(self.rng.integers(frame.shape[1]))] if self.rng.random() < 0.5 else None
            for row in frame.index:
                column = best or frame.columns[int(self.rng.integers(frame.shape[1]))]
                frame.loc[row, column] = MARKS[name](frame.loc[row, column])
        elif kind == "spread":
            name = str(_pick(self.rng, SPREADS))
            self.traits.append(f"spread {name}")
            frame = frame.map(lambda text: SPREADS[name](text, "0.0123"))
        elif kind == "failed":
            word = str(_pick(self.rng, FAILED))
            self.traits.append(f"failed {word}")
            place = int(self.rng.integers(frame.shape[0])), int(self.rng.integers(frame.shape[1]))
            frame.iloc[place], self.values.iloc[place] = word, np.nan
        return frame

    def _with_properties(self, frame: pd.DataFrame, at_most: int = 2) -> pd.DataFrame:
        for name in self.rng.choice(
            list(PROPERTIES), int(self.rng.integers(0, at_most + 1)), replace=False
        ).tolist():
            self.traits.append(f"property {name}")
            frame.insert(
                int(self.rng.integers(1, frame.shape[1] + 1)), name, PROPERTIES[name](self.rng, len(frame))
            )
        return frame

    def wide(self, root: Path) -> tuple[Path, dict[str, Any]]:
        frame = self.texts(self.values)
        has_gap = self.values.isna().any(axis=None)
        if (
            self.rng.random() < 0.25
            and not has_gap
            and not any(one.startswith("spread") for one in self.traits)
        ):
            name = str(_pick(self.rng, MEANS))
            self.traits.append(f"summary row {name}")
            frame.loc[name] = self.values.mean().map(lambda value: f"{value:.4f}")
        frame = frame.reset_index(names=self.corner)
        if not any(one.startswith("summary") for one in self.traits):
            frame = self._with_properties(frame)
        return self._written(frame, root), self.said

    def turned(self, root: Path) -> tuple[Path, dict[str, Any]]:
        frame = self.texts(self.values).T
        frame.columns = [f"{name}" for name in frame.columns]
        has_gap = self.values.isna().any(axis=None)
        if (
            self.rng.random() < 0.4
            and not has_gap
            and not any(one.startswith("spread") for one in self.traits)
        ):
            name = str(_pick(self.rng, MEANS))
            count = f" ({len(self.values)})" if self.rng.random() < 0.5 else ""
            self.traits.append(f"summary column {name}{count}")
            frame[f"{name}{count}"] = self.values.mean().map(lambda value: f"{value:.4f}")
        return self._written(frame.reset_index(names=self.head), root), self.said

    def page(self, root: Path) -> tuple[Path, dict[str, Any]]:
        self.traits.append("a page of Markdown")
        frame = self.texts(self.values).reset_index(names=self.corner)
        lines = ["# Results", "", "Our results on all datasets, with means.", "", _bar(frame.columns)]
        lines += [
            _bar(["---"] * frame.shape[1]),
            *(_bar(row) for row in frame.to_numpy().tolist()),
            "",
            "The end.",
        ]
        path = root / "results.md"
        path.write_text("\n".join(lines) + "\n")
        return path, self.said

    def _long(self) -> pd.DataFrame:
        frame = self.texts(self.values).rename_axis(index=self.corner, columns=self.head).stack()
        return frame.rename(self.metric).reset_index()

    def long(self, root: Path) -> tuple[Path, dict[str, Any]]:
        frame = self._long()
        for name in self.rng.choice(list(PROPERTIES), int(self.rng.integers(0, 3)), replace=False).tolist():
            self.traits.append(f"property {name}")
            levels = dict(zip(self.values.index, PROPERTIES[name](self.rng, len(self.values)), strict=True))
            frame[name] = frame[self.corner].map(levels)
        return self._written(frame, root), self._of_metric()

    def _of_metric(self) -> dict[str, Any]:
        return {} if self.rng.random() < 0.7 else self.said

    def a_column_of_metrics(self, root: Path) -> tuple[Path, dict[str, Any]]:
        frame = self._long().rename(columns={self.metric: "value"})
        frame.insert(2, "metric", self.metric)
        return self._written(frame, root), {}

    def _runs(self, count: int) -> list[pd.DataFrame]:
        """Return the values of runs, whose means are those of the table."""
        parts = [self.values + self.rng.normal(0, 0.01, self.values.shape) for _ in range(count)]
        parts = [part.abs().round(4) for part in parts]
        self.values = (sum(parts[1:], parts[0]) / count).round(9)
        return parts

    def _stacked(self, part: pd.DataFrame) -> pd.DataFrame:
        named = part.map(lambda value: f"{value:.4f}").rename_axis(index=self.corner, columns=self.head)
        return named.stack().rename(self.metric).reset_index()

    def runs_in_rows(self, root: Path) -> tuple[Path, dict[str, Any]]:
        kind = str(_pick(self.rng, RUNS))
        self.traits.append(f"a row a {kind}")
        parts = [self._stacked(part).assign(**{kind: str(at)}) for at, part in enumerate(self._runs(3))]
        return self._written(pd.concat(parts), root), self._of_metric()

    def unpaired(self, root: Path) -> tuple[Path, dict[str, Any]]:
        self.traits.append("unpaired seeds")
        parts = [self._stacked(part) for part in self._runs(3)]
        frame = pd.concat(parts)
        frame["seed"] = [str(one) for one in self.rng.choice(90000, len(frame), replace=False)]
        return self._written(frame, root), self._of_metric()

    def repeats(self, root: Path) -> tuple[Path, dict[str, Any]]:
        self.traits.append("repeats without a column")
        return self._written(
            pd.concat([self._stacked(part) for part in self._runs(3)]), root
        ), self._of_metric()

    def runs_in_columns(self, root: Path) -> tuple[Path, dict[str, Any]]:
        name = str(
            _pick(
                self.rng,
                ("METRIC_{}", "METRIC.{}", "fold{}", "seed_{}", "split{}_METRIC", "METRIC_rep{}", "run {}"),
            )
        )
        name = name.replace("METRIC", self.metric)
        self.traits.append(f"runs in columns {name}")
        start = int(self.rng.integers(2))
        parts = [self._stacked(part) for part in self._runs(3)]
        frame = parts[0].drop(columns=self.metric)
        for at, part in enumerate(parts):
            frame[name.format(at + start)] = part[self.metric]
        return self._written(frame, root), self.said

    def a_file_a_method(self, root: Path) -> tuple[Path, dict[str, Any]]:
        self.traits.append("a file per method")
        frame, has_column = self._long(), self.rng.random() < 0.5
        for method, part in frame.groupby(self.head, sort=False):
            kept = part if has_column else part.drop(columns=self.head)
            kept.to_csv(root / f"{method}.csv", index=False)
        return root, self._of_metric()

    def a_file_a_seed(self, root: Path) -> tuple[Path, dict[str, Any]]:
        name = str(
            _pick(self.rng, ("results_seed{}.csv", "fold{}/scores.csv", "run-{}.csv", "metrics_split{}.csv"))
        )
        self.traits.append(f"files {name}")
        for at, part in enumerate(self._runs(3)):
            path = root / name.format(at)
            path.parent.mkdir(exist_ok=True)
            self._stacked(part).to_csv(path, index=False)
        return root, self._of_metric()

    def folders(self, root: Path) -> tuple[Path, dict[str, Any]]:
        name = str(_pick(self.rng, ("{m}/all_results.csv", "{m}/{d}.csv", "{m}/{d}_{m}_metrics.csv")))
        self.traits.append(f"files {name}")
        frame = self._long()
        if name == "{m}/all_results.csv":
            for method, part in frame.groupby(self.head, sort=False):
                (root / str(method)).mkdir()
                part.to_csv(root / str(method) / "all_results.csv", index=False)
            return root, self._of_metric()
        for (data, method), part in frame.groupby([self.corner, self.head], sort=False):
            path = root / name.format(m=method, d=data)
            path.parent.mkdir(exist_ok=True)
            part[[self.metric]].to_csv(path, index=False)
        return root, self._of_metric()

    def _written(self, frame: pd.DataFrame, root: Path) -> Path:
        if self.rng.random() < 0.15:
            frame = frame.iloc[self.rng.permutation(len(frame))]
            self.traits.append("rows in another order")
        separator, ending = _pick(self.rng, ((",", ".csv"), (",", ".csv"), (";", ".csv"), ("\t", ".tsv")))
        path = root / f"table{ending}"
        frame.to_csv(path, index=False, sep=separator)
        return path


def _bar(cells: Any) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"
