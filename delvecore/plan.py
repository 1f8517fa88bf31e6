"""Plans for user-defined instances, as in the line `Scheme:` of their file."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

Planned = Literal["cv", "loo", "holdout", "montecarlo", "growing", "sliding", "e0", "632", "division"]
REPEATED: tuple[Planned, ...] = ("cv", "holdout", "montecarlo")
"""Random kinds, which have a seed and may be repeated."""
EVEN: tuple[Planned, ...] = ("cv", "holdout")
"""Kinds that may be stratified."""
ORDERED: tuple[Planned, ...] = ("montecarlo", "growing", "sliding")
"""Kinds for ordered cases."""
BOOTSTRAPS: tuple[Planned, ...] = ("e0", "632")
"""Kinds whose training sets are drawn with replacement."""
ONCE: tuple[Planned, ...] = ("holdout", "division")
"""Kinds with one partition, which permit several runs."""
_NUMBERS: Mapping[str, str] = {
    "cv": "folds",
    "growing": "windows",
    "sliding": "windows",
    **dict.fromkeys(BOOTSTRAPS, "samples"),
}
_SHARES = {"holdout": ("test",), "montecarlo": ("training", "test")}
SIZED: tuple[Planned, ...] = ("montecarlo",)
"""Kinds whose sizes may also be numbers of cases."""
_COUNTS = ("repeats", "seed")


class Plan(NamedTuple):
    """Plan that draws instances, such as cross-validation.

    Attributes
    ----------
    kind : Planned
        Kind of plan.
    number : int
        Number of folds, windows or samples.
    shares : tuple of float
        Shares of the cases for the test, or for training and test. Whole numbers from 1 are numbers of cases.
    repeats : int
        Number of times that the cases are divided.
    seed : int
        Seed of the draws.
    stratified : bool
        Whether each fold has the same shares of classes.
    runs : int
        Runs on the same sets, each with a separate seed.
    """

    kind: Planned
    number: int = 0
    shares: tuple[float, ...] = ()
    repeats: int = 1
    seed: int = 1
    stratified: bool = False
    runs: int = 1

    @property
    def is_drawn(self) -> bool:
        """Does a seed determine the instances?"""
        return self.kind in (*REPEATED, *BOOTSTRAPS)

    @property
    def words(self) -> str:
        """Return a text such as `10-fold cross-validation, stratified, 3 times, seed 1`."""
        shares = [
            f"{100 * share:g} %" if share < 1 else f"{share:.0f} case{'s' * (share > 1)}"
            for share in self.shares
        ]
        parts = [
            {
                "cv": f"{self.number}-fold cross-validation",
                "loo": "leave-one-out",
                "holdout": f"holdout of {' and '.join(shares)}",
                "montecarlo": f"Monte Carlo windows, {' for training and '.join(shares)} for testing",
                "growing": f"{self.number} test windows, trained on all earlier cases",
                "sliding": f"{self.number} test windows, trained on as many earlier cases",
                "e0": f"bootstrap e0, {self.number} samples",
                "632": f"bootstrap .632, {self.number} samples",
                "division": "the test set of the prototask, trained on all other cases",
            }[self.kind]
        ]
        parts += ["stratified"] if self.stratified else []
        parts += [f"{self.repeats} times"] if self.repeats > 1 else []
        parts += [f"seed {self.seed}"] if self.is_drawn else []
        return ", ".join([*parts, *([f"{self.runs} runs"] if self.runs > 1 else [])])

    @property
    def options(self) -> str:
        """Return the options of `delve instances` for this plan: `--cv 10 --repeats 3 --stratified`."""
        numbers = [*map(size_text, self.shares)] or ([str(self.number)] if self.number else [])
        kind = [] if self.kind == "division" else [f"--{self.kind}", *numbers]
        if self.kind in BOOTSTRAPS:
            kind = ["--bootstrap", self.kind, *numbers]
        kind += ["--repeats", str(self.repeats)] if self.repeats > 1 else []
        kind += ["--stratified"] if self.stratified else []
        kind += ["--seed", str(self.seed)] if self.is_drawn and self.seed != 1 else []
        return " ".join([*kind, *(["--runs", str(self.runs)] if self.runs > 1 else [])])


def plan_text(plan: Plan) -> str:
    """Return a plan without its runs in the format of files: `cv folds=10 repeats=3 stratified=yes
    seed=1`."""
    words: list[str] = [plan.kind]
    words += [f"{_NUMBERS[plan.kind]}={plan.number}"] if plan.kind in _NUMBERS else []
    words += [
        f"{name}={size_text(share)}"
        for name, share in zip(_SHARES.get(plan.kind, ()), plan.shares, strict=True)
    ]
    words += [f"repeats={plan.repeats}"] if plan.repeats > 1 else []
    words += ["stratified=yes"] if plan.stratified else []
    return " ".join([*words, *([f"seed={plan.seed}"] if plan.is_drawn else [])])


def parse_plan(text: str) -> Plan:
    """Parse the text of a plan as written by `plan_text`.

    Raises ValueError with two arguments, the expected text and the actual one."""
    kind, *words = text.split() or [""]
    scheme = next((one for one in get_args(Planned) if one == kind), None)
    if scheme is None:
        raise ValueError(f"one of the schemes {', '.join(get_args(Planned))}", repr(kind))
    options = dict(word.partition("=")[::2] for word in words)
    needed = [*([_NUMBERS[kind]] if kind in _NUMBERS else []), *_SHARES.get(kind, ())]
    plan = Plan(scheme)
    may_be = [*needed, *_COUNTS[scheme not in REPEATED :], *(["stratified"] if scheme in EVEN else [])]
    stray = [name for name in options if name not in (may_be if plan.is_drawn else needed)]
    lacking = [name for name in needed if name not in options]
    if stray or lacking or len(options) < len(words):
        shown = " ".join(f"{name}=..." for name in (may_be if plan.is_drawn else needed))
        raise ValueError(f"{f'{kind} {shown}'.strip()}", repr(text))
    if options.get("stratified", "yes") != "yes":
        raise ValueError("stratified=yes, or no such word", repr(text))
    counts = {name: _whole(options[name], name) for name in options if name in (*_COUNTS, *_NUMBERS.values())}
    return Plan(
        scheme,
        number=counts.get(_NUMBERS.get(kind, ""), 0),
        shares=tuple(_share(options[name], name, counts=kind in SIZED) for name in _SHARES.get(kind, ())),
        repeats=counts.get("repeats", 1),
        seed=counts.get("seed", 1),
        stratified="stratified" in options,
    )


def _whole(word: str, name: str) -> int:
    least = 0 if name == "seed" else 1
    if not (word.isascii() and word.isdigit() and int(word) >= least):
        raise ValueError(f"{name}: a whole number from {least}", repr(word))
    return int(word)


def _share(word: str, name: str, *, counts: bool) -> float:
    try:
        share = float(word)
    except ValueError:
        share = 0.0
    if not (0 < share < 1 or (counts and share >= 1 and share.is_integer())):
        raise ValueError(f"{name}: a share between 0 and 1{' or a number of cases' * counts}", repr(word))
    return share


def size_text(size: float) -> str:
    """Return the size of a set as in files and options: a share below 1, or a number of cases."""
    return f"{size:g}" if size < 1 else f"{size:.0f}"
