"""How near do our networks come to those of the PROBEN1 report? As many runs as there.

    python -m benchmarks.proben1 DIRECTORY [--networks linear pivot noshortcut] [--runs 60]

Prints a Markdown table: the mean and standard deviation of the squared error percentage of the test set, ours
and published, how many published standard deviations lie between the means, epochs, and seconds."""

import time
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from typing import cast

import numpy as np

from delvecore.importers.proben1 import ExampleFile, example_files, report_rows
from delvecore.methods import load_method
from delvecore.methods.rprop import PIVOTS, USUAL, Architecture, Examples, Network, Rprop, TrainedRun, train
from delvecore.parallel.processes import single_threaded

NETWORKS = ("linear", "pivot", "noshortcut")
HALF_DIGIT = 0.005
"""Published figures have two decimals: a standard deviation is no less than this."""


def trained(file: ExampleFile, network: str, runs: int) -> tuple[Network, list[TrainedRun]]:
    """Train runs of a network on a data file, partition a; seeds are numbers from 0."""
    method = cast(Rprop, load_method(f"rprop-{network}-1"))
    shape = Architecture((), squashed=False) if network == "linear" else PIVOTS.get(file.stem, USUAL)
    made = Network(file.inputs, shape.hidden, file.outputs, shape.squashed, shortcuts=method.shortcuts)
    learn, held, _ = _sets(file)
    given = made, method.rates, method.stop, learn, held
    return made, [train(*given, np.random.default_rng(seed)) for seed in range(runs)]


def epochs_ratio(runs: list[TrainedRun], row: Mapping[str, str]) -> float:
    """How many times the published mean are our mean total epochs?"""
    return float(np.mean([run.epochs for run in runs])) / float(row["total_epochs_mean"])


def _sets(file: ExampleFile) -> tuple[Examples, Examples, Examples]:
    values = np.array(file.rows, dtype=float)
    sets = file.sizes.sets("a")
    learn, held, test = (
        Examples(values[sets[name], : file.inputs], values[sets[name], file.inputs :])
        for name in ("training", "validation", "test")
    )
    return learn, held, test


def squared_error_percentages(file: ExampleFile, network: Network, runs: list[TrainedRun]) -> np.ndarray:
    """Return that of the test set for each run: report, section 2.6, outputs from 0 to 1."""
    test = _sets(file)[2]
    off = network.predict(np.array([run.weights for run in runs]), test.inputs) - test.targets
    return 100 * np.mean(off**2, axis=(1, 2))


def distance(errors: np.ndarray, row: Mapping[str, str]) -> float:
    """How many published standard deviations lie between the means?"""
    spread = max(float(row["test_sd"] or "nan"), HALF_DIGIT)
    return abs(float(np.mean(errors)) - float(row["test_mean"])) / spread


def lines(directory: str, networks: list[str], most: int) -> Iterator[str]:
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
    network, found = trained(file, name, runs)
    seconds = time.process_time() - start
    errors = squared_error_percentages(file, network, found)
    own = f"{errors.mean():.2f} ({errors.std(ddof=1):.2f})"
    said = f"{row['test_mean']} ({row['test_sd'] or '?'})"
    epochs = f"{np.mean([run.epochs for run in found]):.0f} / {np.mean([run.relevant for run in found]):.0f}"
    theirs = f"{row['total_epochs_mean']} / {row['relevant_epochs_mean']}"
    times = f"{epochs_ratio(found, row):.2f}"
    apart = f"{distance(errors, row):.1f}"
    cells = (name, file.stem, str(runs), own, said, apart, epochs, theirs, times, f"{seconds:.1f}")
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("directory")
    parser.add_argument("--networks", nargs="+", choices=NETWORKS, default=list(NETWORKS))
    parser.add_argument("--runs", type=int, default=60, help="at most so many")
    options = parser.parse_args()
    with single_threaded():
        for line in lines(options.directory, options.networks, options.runs):
            print(line, flush=True)
