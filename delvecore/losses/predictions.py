"""Which prediction file serves which loss and instance? Source: manual, appendix C (`mloss`)."""

import re
from dataclasses import dataclass, replace

from delvecore.errors import Fault
from delvecore.losses.spec import parse_loss, prediction_kinds

OUTPUTS = "outputs"
"""The kind of file with plain outputs of classes, which serves no loss, only the metric `sep`."""
NAME = re.compile(rf"(c?)(l?)(guess|prob|ptarg|{OUTPUTS})(?:\.(\S+))?\.(0|[1-9][0-9]*)")


@dataclass(frozen=True, order=True)
class PredictionFile:
    """A prediction file's name, taken apart, and its path. kind: guess, prob, ptarg or outputs; loss: the one
    in the name or an empty string; coded: about encoded targets; logarithms: holds natural logs."""

    instance: int
    loss: str
    kind: str
    coded: bool
    logarithms: bool
    path: str = ""

    @property
    def name(self) -> str:
        prefix = "c" * self.coded + "l" * self.logarithms
        middle = f".{self.loss}" if self.loss else ""
        return f"{prefix}{self.kind}{middle}.{self.instance}"

    @property
    def decoded(self) -> "PredictionFile":
        """The file that decoding this one makes."""
        return replace(self, coded=False, path="")


def parse_prediction_name(name: str, path: str = "") -> PredictionFile | None:
    """Return what a plain file name says, or None if it is not that of a prediction file."""
    match = NAME.fullmatch(name)
    if match is None:
        return None
    coded, logarithms, kind, loss, instance = match.groups()
    if (coded and kind == "prob") or (logarithms and kind == "guess"):
        return None
    if kind == OUTPUTS and (coded or logarithms or loss):
        return None
    if loss and not parse_loss(loss) and not (len(loss) == 1 and loss.isascii() and loss.isupper()):
        return None
    return PredictionFile(
        instance=int(instance),
        loss=loss or "",
        kind=kind,
        coded=bool(coded),
        logarithms=bool(logarithms),
        path=path,
    )


def list_predictions(files: dict[str, str]) -> list[PredictionFile]:
    """Return the prediction files among {plain name: path}, by instance."""
    found = (parse_prediction_name(name, path) for name, path in files.items())
    return sorted(file for file in found if file is not None)


def choose_predictions(files: list[PredictionFile], loss: str, *, distribution: bool) -> list[PredictionFile]:
    """Return the prediction files that serve a loss, one an instance, by instance.

    Files with the loss's name count alone if there is any, else those without one. A coded file wins over the
    decoded file of the same name; distribution: whether `prob` files have a meaning. Raises DelveError where
    two files of one instance would both serve."""
    kinds = prediction_kinds(loss, distribution=distribution)
    able = [file for file in files if file.kind in kinds]
    serving = [file for file in able if file.loss == loss] or [file for file in able if not file.loss]
    names = {file.name for file in serving}
    chosen: dict[int, PredictionFile] = {}
    for file in serving:
        if not file.coded and replace(file, coded=True).name in names:
            continue
        if file.instance in chosen:
            raise _two_files(chosen[file.instance], file, loss)
        chosen[file.instance] = file
    return list(chosen.values())


def _two_files(first: PredictionFile, second: PredictionFile, loss: str) -> Fault:
    return Fault(
        first.path,
        f"one prediction file for loss {loss} of instance {first.instance}",
        f"{second.path} as well",
        "remove one",
        is_file=True,
    )
