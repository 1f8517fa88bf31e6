"""Prove that the members of the simulated families are what their names say, and write the report.

    python data/prove_families.py [--originals DIRECTORY]

Writes `docs/task-arrays.md`. With --originals, a directory with DELVE's own data of some members
(`kin-8fm.data.gz` and so on), their figures stand beside ours; without it those of the old report are kept. It
takes about five minutes.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
if str(HERE.parent) not in sys.path:
    sys.path.insert(0, str(HERE.parent))  # for a source tree that is not installed

from delvecore.simulators import SIMULATORS, simulated_cases  # noqa: E402
from delvecore.simulators.character import character  # noqa: E402

REPORT = HERE.parent / "docs" / "task-arrays.md"
CASES = {"kin": 20_000, "pumadyn": 20_000, "bank": 4_000}
"""Of each of ten batches."""
HEAD = "## Beside DELVE's own data"


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


TEXT = """# The simulated families, and what proves that they are what their names say

Three families of datasets ship with the archive, each with eight members that differ in three ways: 8 or 32 inputs,
fairly linear (`f`) or non-linear (`n`), medium (`m`) or high (`h`) noise. With five sizes of training sets they make
three task-arrays of 40 tasks. What is simulated, with every constant, stands in the notes of each dataset
(`dmore /kin-8fm/Source/Notes`, or the page Datasets).

The definitions are those of DELVE's page about task-arrays:

- **noise** is the share of the target's variance that no method could explain, even with unlimited data: medium noise
  lies between 1 % and 5 %, high noise above 25 %;
- **non-linearity** is what the best linear model leaves of the variance that could be explained: below 5 % for fairly
  linear members, above 40 % for non-linear ones.

Neither needs a learning method to be measured, because the simulators can be run twice on the same inputs. Half of
the mean squared difference of the two runs is the variance of the noise. The product of the residuals of two runs
about one linear fit is, on average, what that fit leaves without the noise, once the parameters of the fit are
allowed for. The table is written by `python data/prove_families.py`, from ten batches of {cases} fresh
cases; behind ± stands the standard error of the mean over the batches. The script stops, and a test fails, where a
figure is not within its limits by two standard errors.

{members}

{head}

The families take their names and ideas from DELVE's, but are simulated anew, and are not meant to be the same data.
Where DELVE's own data of a member are at hand, this is how ours compare: mean and standard deviation of the target
(in the units of each), and the standardized squared error, on 4096 cases, of least squares and of a support vector
machine (radial kernel, fixed settings) that learned 1024 others.

{originals}

The targets of `bank` have higher means than DELVE's, whose banks turn away fewer customers; the ranges of the angles
of the fairly linear `kin` members are a little smaller than DELVE's (pi/13 rather than pi/10 on either side), so that
the definition of non-linearity holds by a margin.
"""


def main() -> int:
    """Write the report; the exit status is 1 where a member is not what its name says."""
    parser = argparse.ArgumentParser(description="Prove what the members of the simulated families are.")
    parser.add_argument("--originals", type=Path, metavar="DIRECTORY", help="DELVE's own data of some members")
    options = parser.parse_args()
    if options.originals:
        originals = original_table(options.originals)
    else:
        rest = REPORT.read_text(encoding="utf-8").split(HEAD)[1]
        originals = "\n".join(line for line in rest.splitlines() if line.startswith("|"))
    cases = " / ".join(f"{count:,} ({family})" for family, count in CASES.items())
    text = TEXT.format(members=member_table(), head=HEAD, originals=originals, cases=cases)
    REPORT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
