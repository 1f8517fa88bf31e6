"""Prove that the members of the simulated families are what their names say, and write the report.

    python data/prove_families.py [--originals DIRECTORY]

Writes `docs/task-arrays.md`. With --originals, a directory with DELVE's own data of some members
(`kin-8fm.data.gz` and so on), their figures stand beside ours; without it those of the old report are kept.
It takes about five minutes. `rebuild_datasets.py kin pumadyn bank` then puts the shares into the task-arrays.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
if str(HERE.parent) not in sys.path:
    sys.path.insert(0, str(HERE.parent))  # for a source tree that is not installed

from generators.character import character  # noqa: E402
from generators.families import REPORT  # noqa: E402

from delvecore.simulators import SIMULATORS, simulated_cases  # noqa: E402

CASES = {"kin": 20_000, "pumadyn": 20_000, "bank": 4_000}
"""Of each of ten batches."""
TEMPLATE = HERE / "generators" / "task_arrays.md"
HEAD = "## Comparison with DELVE's own data"


def member_table() -> str:
    """The lines of the table of all members."""
    lines = [
        "| dataset | noise (%) | left by a linear model (%) | mean of the target | standard deviation |",
        "|---|---|---|---|---|",
    ]
    for name, family in SIMULATORS.items():
        found = character(name, cases=CASES[family])
        if not found.keeps(name):
            raise SystemExit(f"{name}: is not what its name says: {found}")
        noise = f"{100 * found.noise:.2f} ± {100 * found.noise_error:.2f}"
        left = f"{100 * found.nonlinearity:.2f} ± {100 * found.nonlinearity_error:.2f}"
        lines.append(f"| `{name}` | {noise} | {left} | {found.mean:.3f} | {found.deviation:.3f} |")
        print(lines[-1], flush=True)
    return "\n".join(lines)


def original_table(directory: Path) -> str:
    """The lines of the table that compares members with DELVE's own data of the same names."""
    lines = [
        "| dataset | mean, ours / DELVE's | standard deviation | linear model | support vectors |",
        "|---|---|---|---|---|",
    ]
    for name in SIMULATORS:
        path = directory / f"{name}.data.gz"
        if path.is_file():
            pairs = zip(_figures(simulated_cases(name)), _figures(np.loadtxt(path)), strict=True)
            cells = " | ".join(f"{ours:.3f} / {other:.3f}" for ours, other in pairs)
            lines.append(f"| `{name}` | {cells} |")
    return "\n".join(lines)


def _figures(cases):
    """Return mean and standard deviation of the target, and standardized squared errors of two models that
    learned 1024 cases, on 4096 others."""
    from sklearn.svm import SVR

    inputs, target = cases[:, :-1] / cases[:, :-1].std(axis=0), cases[:, -1]
    test, training = slice(0, 4096), slice(4096, 5120)
    design = np.column_stack([np.ones(len(cases)), inputs])
    weights = np.linalg.lstsq(design[training], target[training], rcond=None)[0]
    scale = target.std()
    machine = SVR(C=3, gamma=0.5 / inputs.shape[1]).fit(inputs[training], target[training] / scale)
    guesses = design[test] @ weights, scale * machine.predict(inputs[test])
    errors = [np.square(target[test] - guess).mean() / target[test].var() for guess in guesses]
    return target.mean(), scale, *errors


def main() -> int:
    """Write the report; the exit status is 1 where a member is not what its name says."""
    parser = argparse.ArgumentParser(description="Prove what the members of the simulated families are.")
    parser.add_argument(
        "--originals", type=Path, metavar="DIRECTORY", help="DELVE's own data of some members"
    )
    options = parser.parse_args()
    if options.originals:
        originals = original_table(options.originals)
    else:
        rest = REPORT.read_text(encoding="utf-8").split(HEAD)[1]
        originals = "\n".join(line for line in rest.splitlines() if line.startswith("|"))
    cases = " / ".join(f"{count:,} ({family})" for family, count in CASES.items())
    template = TEMPLATE.read_text(encoding="utf-8")
    text = template.format(members=member_table(), head=HEAD, originals=originals, cases=cases)
    REPORT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
