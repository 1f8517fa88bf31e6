"""Which view of which task-array does the visitor want? From what was chosen to one that can be shown.

Pure: what cannot be had gives a notice, Markdown with escaped names, and the nearest that can.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dashboard.frame import words
from dashboard.frame.selection import Selection
from dashboard.frame.wanted import note_missing_methods, wanted_loss, wanted_reference
from delvecore.statistics.choose import DEFAULT_LEVEL, significance

__all__ = ["MOST_COLOURED", "ArrayChoice", "choose_array_view"]

MOST_COLOURED = 8


@dataclass(frozen=True)
class ArrayChoice:
    """What is shown. methods: those chosen, best first; available: all with results on the array, best first.

    reference: one of those available, chosen or not; level: of confidence; notices: what was asked for but is
    not to be had.
    """

    array: str
    loss: str
    methods: tuple[str, ...]
    available: tuple[str, ...]
    reference: str
    level: float
    notices: tuple[str, ...]

    @property
    def alpha(self) -> float:
        """The significance: differences with a p-value below it count."""
        return significance(self.level)

    @property
    def coloured(self) -> tuple[str, ...]:
        """The methods that get a colour: more than eight cannot be told apart."""
        return self.methods[:MOST_COLOURED]


def choose_array_view(
    losses: Mapping[str, Mapping[str, Sequence[str]]],
    selection: Selection,
    ranked: Callable[[str, str], Sequence[str]],
) -> ArrayChoice | None:
    """Return the view to show, None where no method has results on the array.

    losses: {array: {loss: methods with results}}, at least one array; ranked(array, loss): methods, best
    first.
    """
    array = selection.array if selection.array in losses else _default_array(losses)
    if not losses[array]:
        return None
    notices: list[str] = []
    usual = min(losses[array], key=words.loss_preference)
    loss = wanted_loss(losses[array], usual, selection, notices, where="on this array")
    available = tuple(ranked(array, loss))
    methods = _methods(available, selection, notices)
    reference = wanted_reference(
        available, selection, notices, where="on this array", instead="the best method"
    )
    level = selection.level or DEFAULT_LEVEL
    return ArrayChoice(array, loss, methods, available, reference, level, tuple(notices))


def _default_array(losses):
    """Return the first array with the most methods."""
    return max(losses, key=lambda name: max(map(len, losses[name].values()), default=0))


def _methods(available, selection, notices):
    note_missing_methods(available, selection, notices, where="on this array")
    return tuple(name for name in available if name in selection.methods) or available
