"""Networks and tests of the PROBEN1 report: ours next to the published ones."""

import csv
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np

from delvecore.importers.proben1 import ExampleFile, example_files, report_rows
from delvecore.methods import load_method
from delvecore.methods.rprop import PIVOTS, USUAL, Cases, Network, Rprop, train
from delvecore.parallel.processes import single_threaded
from delvecore.stats.cochran_cox import from_summaries, of_logarithms

# Networks


NETWORKS = ("linear", "pivot", "noshortcut")
HALF_DIGIT = 0.005
"""Published figures have two decimals: a standard deviation is no less than this."""


Run = tuple[np.ndarray, np.ndarray]
"""Weights and curve of a training; see `train`."""


def trained(file: ExampleFile, network: str, runs: int) -> tuple[Network, list[Run]]:
    """Train runs of a network on a data file, partition a; seeds are numbers from 0."""
    method = cast(Rprop, load_method(f"rprop-{network}-1"))
    text = "0 l" if network == "linear" else PIVOTS.get(file.stem, USUAL)
    made = Network.of_text(text, file.inputs, file.outputs, shortcuts=method.shortcuts)
    learn, held, _ = _sets(file)
    given = made, method.rates, method.stop, learn, held
    return made, [train(*given, np.random.default_rng(seed)) for seed in range(runs)]


def epochs_ratio(runs: list[Run], row: Mapping[str, str]) -> float:
    """How many times the published mean are our mean total epochs?"""
    return float(np.mean([curve[-1, 0] for _, curve in runs])) / float(row["total_epochs_mean"])


def _sets(file: ExampleFile) -> tuple[Cases, Cases, Cases]:
    values = np.array(file.rows, dtype=float)
    sets = file.sets("a")
    learn, held, test = (
        (values[sets[name], : file.inputs], values[sets[name], file.inputs :])
        for name in ("training", "validation", "test")
    )
    return learn, held, test


def squared_error_percentages(file: ExampleFile, network: Network, runs: list[Run]) -> np.ndarray:
    """Return that of the test set for each run: report, section 2.6, outputs from 0 to 1."""
    inputs, targets = _sets(file)[2]
    off = network.predict(np.array([weights for weights, _ in runs]), inputs) - targets
    return 100 * np.mean(off**2, axis=(1, 2))


def distance(errors: np.ndarray, row: Mapping[str, str]) -> float:
    """How many published standard deviations lie between the means?"""
    spread = max(float(row["test_sd"] or "nan"), HALF_DIGIT)
    return abs(float(np.mean(errors)) - float(row["test_mean"])) / spread


def lines_networks(directory: str, networks: list[str], most: int) -> Iterator[str]:
    yield "| network | file | runs | test error | published | apart | epochs | published | times | seconds |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    known = report_rows()
    for files in example_files([directory]).values():
        for file in files:
            for name in networks:
                if (name, file.stem) in known:
                    yield _line(file, name, known[name, file.stem], most)


def _line(file: ExampleFile, name: str, row: Mapping[str, str], most: int) -> str:
    runs, start = min(int(row["runs"]), most), time.process_time()
    network, results = trained(file, name, runs)
    seconds = time.process_time() - start
    errors = squared_error_percentages(file, network, results)
    own = f"{errors.mean():.2f} ({errors.std(ddof=1):.2f})"
    said = f"{row['test_mean']} ({row['test_sd'] or '?'})"
    all_epochs = [curve[-1, 0] for _, curve in results]
    relevant = [curve[np.argmin(curve[:, 2]), 0] for _, curve in results]
    epochs = f"{np.mean(all_epochs):.0f} / {np.mean(relevant):.0f}"
    theirs = f"{row['total_epochs_mean']} / {row['relevant_epochs_mean']}"
    times = f"{epochs_ratio(results, row):.2f}"
    apart = f"{distance(errors, row):.1f}"
    cells = (name, file.stem, str(runs), own, said, apart, epochs, theirs, times, f"{seconds:.1f}")
    return f"| {' | '.join(cells)} |"


# Significance: do the tests of table 12 follow from the means and deviations of tables 8 to 11?


SIGNIFICANCE = Path(__file__).parents[1] / "data" / "proben1" / "significance.csv"
"""Table 12: which architecture is better at the 90 % level, p in percent, and is that called unreliable?"""
LEVEL = 0.1
KINDS = ("pivot", "noshortcut")


class Pair(NamedTuple):
    """better, other: what is found here, and in the report: `pivot`, `noshortcut`, or empty for neither; p:
    None where a deviation is missing; reported: p in percent, as it is printed."""

    problem: str
    better: str
    p: float | None
    other: str
    reported: str
    unreliable: bool

    @property
    def agrees(self) -> bool:
        return self.p is not None and self.better == self.other


def pairs() -> list[Pair]:
    """Return the 42 comparisons, in the order of the table."""
    with open(SIGNIFICANCE, encoding="ascii", newline="") as file:
        return [_pair(row) for row in csv.DictReader(file)]


def _pair(row: dict[str, str]) -> Pair:
    known, problem = report_rows(), row["problem"]
    said = row["better"], row["p_percent"], row["unreliable"] == "yes"
    figures = [known[kind, problem] for kind in KINDS]
    if not all(one["test_sd"] for one in figures):
        return Pair(problem, "", None, *said)
    logs = [of_logarithms(float(one["test_mean"]), float(one["test_sd"])) for one in figures]
    (mean, other_mean), (deviation, other_deviation) = zip(*logs, strict=True)
    sizes = int(figures[0]["runs"]), int(figures[1]["runs"])
    t, p = from_summaries((mean, other_mean), (deviation, other_deviation), sizes)
    better = "" if p >= LEVEL else KINDS[t > 0]
    return Pair(problem, better, p, *said)


def lines_significance() -> Iterator[str]:
    all_pairs = pairs()
    tested = [one for one in all_pairs if one.p is not None]
    agree, untested = sum(one.agrees for one in tested), len(all_pairs) - len(tested)
    yield f"{agree} of {len(tested)} agree; {untested} untested"
    yield "| file | from the summaries | report | called unreliable |"
    yield "| --- | --- | --- | --- |"
    for one in all_pairs:
        if not one.agrees:
            p = "no deviation" if one.p is None else f"{one.better or 'neither'}, {100 * one.p:.1f} %"
            report = f"{one.other}, {one.reported} %" if one.other else "neither"
            yield f"| `{one.problem}` | {p} | {report} | {'yes' if one.unreliable else ''} |"


def main(arguments: Sequence[str]) -> int:
    """Train the networks and print their table; return 0."""
    parser = ArgumentParser(
        prog="python -m benchmarks proben1",
        description="Compare our networks with those of the PROBEN1 report in a Markdown table: mean and "
        "standard deviation of the squared error percentage of the test set, the distance of the means in "
        "published standard deviations, epochs, and seconds.",
    )
    parser.add_argument("directory")
    parser.add_argument("--networks", nargs="+", choices=NETWORKS, default=list(NETWORKS))
    parser.add_argument("--runs", type=int, default=60, help="at most so many")
    options = parser.parse_args(arguments)
    with single_threaded():
        for line in lines_networks(options.directory, options.networks, options.runs):
            print(line, flush=True)
    return 0


def print_significance(arguments: Sequence[str]) -> int:
    """Print the pairs of table 12 that do not agree; return 0."""
    ArgumentParser(
        prog="python -m benchmarks significance",
        description="Compute the tests of table 12 of the PROBEN1 report from the means and deviations of "
        "tables 8 to 11, and print the pairs whose answer is not the report's, or cannot be computed. The "
        "report tests the logarithms of 60 runs each, after it removed outliers; here they are log-normal.",
    ).parse_args(arguments)
    for line in lines_significance():
        print(line)
    return 0
