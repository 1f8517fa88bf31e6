"""The small archive that the commands are tried on: an attribute of every kind, and irregular losses."""

from pathlib import Path
from statistics import median, variance

from delvecore.number_format.numbers import format_number
from tests.archives import write_tree

COLORS = ("pink", "blue", "red", "green", "purple")

DATASET = """\
Title: Twenty-four invented people
Origin: artificial
Usage: development
Order: uninformative
Attributes:
 1 SEX       u  male female                 # Sex of the person
 2 AGE       u  [0,Inf)                     # Age of the person in years
 3 SIBLINGS  u  0..Inf                      # Number of siblings
 4 COLOUR    u  pink blue red green purple  # Favourite colour
 5 HOUR      c  [0,24)                      # Hour of the interview
"""

AGE = """\
Cases: all
Origin: artificial
Inputs: 1 3 4 5
Order: retain
Targets: 2
Test-Set-Size: 8
Training-Set-Sizes: 4 8
Test-Set-Selection: hierarchical
Maximum-Number-Of-Instances: 4
"""

SEX = """\
Cases: all
Origin: artificial
Inputs: AGE SIBLINGS COLOUR HOUR
Order: retain
Targets: SEX
Test-Set-Size: 8
Training-Set-Sizes: 4 8
Test-Set-Selection: common
Maximum-Number-Of-Instances: 4
"""

PRIOR = """\
1 NLMH binary
2 NLMH real
3 NLMH integer
4 NLMH nominal
5 NLMH angular unit=24
"""

VAGUE = """\
1 LMH binary passive=male
2 H real
3 N integer
4 NLMH ordinal
5 NLMH real
"""


def empty_archive(root: Path) -> Path:
    """Make a delve directory with nothing in it and return it; its name must start with `delve`."""
    for part in ("data", "methods"):
        (root / part).mkdir(parents=True, exist_ok=True)
    return root


def people() -> list[tuple[str, str, str, str, str]]:
    """The 24 cases of `demo`: irregular, but the same everywhere."""
    rows = []
    for i in range(24):
        sex = "male" if i * i % 7 in (1, 2) else "female"
        age = format_number((i * 37 % 83) + i % 4 / 4)
        rows.append((sex, age, str(i * 5 % 4), COLORS[i * 3 % 5], format_number(i * 11 % 24)))
    return rows


def age_statistics() -> str:
    """`Test-set-stats` of the age tasks: S and A over the 8 test cases, the rest not defined."""
    ages = [float(row[1]) for row in people()[:8]]
    middle = median(ages)
    absolute = sum(abs(age - middle) for age in ages) / 7
    square = format_number(variance(ages))
    return f"L undefined\nQ undefined\nA {format_number(absolute)}\nZ undefined\nS {square}\n"


def loss_files(place: str, loss: str, instances: int, cases: int, *, seed: int) -> dict[str, str]:
    """Loss files with quarters between 0 and 5 (Z: 0 and 1) that depend on seed only."""
    files = {}
    for i in range(instances):
        values = [(seed * 13 + i * 29 + j * j * 17 + i * j * 5) % 21 / 4 for j in range(cases)]
        if loss == "Z":
            values = [float(value > 2) for value in values]
        files[f"{place}/loss.{loss}.{i}"] = "".join(f"{format_number(value)}\n" for value in values)
    return files


def demo_archive(parent: Path, name: str = "delve-demo") -> Path:
    """Write a small delve directory and return it.

    One dataset, `demo`, with a binary, a real, an integer, a nominal and an angular attribute and 24 cases;
    prototask `age` (regression, hierarchical, priors std and vague) and `sex` (classification, common, prior
    std). Method `base` has losses A S on age/std.4 and Z on sex/std.4; `line` has those, L on sex/std.4, and
    S on age/std.8.
    """
    root = empty_archive(parent / name)
    demo = "data/demo"
    files: dict[str, str | bytes] = {
        f"{demo}/Dataset.spec": DATASET,
        f"{demo}/Dataset.data": "".join(" ".join(row) + "\n" for row in people()),
        f"{demo}/Summary": "People who were never born.\n",
        f"{demo}/Source/Notes": "Made up.\n",
        f"{demo}/age/Prototask.spec": AGE,
        f"{demo}/age/std.prior": PRIOR,
        f"{demo}/age/vague.prior": VAGUE,
        f"{demo}/sex/Prototask.spec": SEX,
        f"{demo}/sex/std.prior": PRIOR,
    }
    for seed, method in enumerate(("base", "line"), start=1):
        age, sex = (f"methods/{method}/demo/{task}" for task in ("age/std.4", "sex/std.4"))
        files |= {f"methods/{method}/Summary": f"The method {method}.\n"}
        files |= loss_files(age, "A", 4, 2, seed=seed) | loss_files(age, "S", 4, 2, seed=seed + 5)
        files |= loss_files(sex, "Z", 4, 8, seed=seed)
        files |= {f"{age}/Test-set-stats": age_statistics()}
        files |= {f"{sex}/Test-set-stats": "L undefined\nQ undefined\nA undefined\nZ 0.5\nS undefined\n"}
    files |= loss_files("methods/line/demo/sex/std.4", "L", 4, 8, seed=7)
    files |= loss_files("methods/line/demo/age/std.8", "S", 2, 4, seed=9)
    return write_tree(root, files)
