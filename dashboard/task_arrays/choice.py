"""Which view of which task-array does the visitor want? From what was chosen to one that can be shown.

Pure: what cannot be had gives a notice, Markdown with escaped names, and the nearest that can."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dashboard.ui.selection import Selection, wanted_comparison, wanted_setting
from delvecore.stats.choose import DEFAULT_SETTING, Setting

__all__ = ["MOST_COLOURED", "Request", "choose_request"]

MOST_COLOURED = 8


@dataclass(frozen=True, slots=True)
class Request:
    """What is shown, and what all that is shown is cached by.

    state: of the archive; methods: those chosen, best first; available: all with results on the array, best
    first; reference: one of those available, chosen or not; notices: what was asked for but is not to be had.
    is_log: are losses on a logarithmic axis, in the tab that offers it? unit: what counts once, None for the
    usual; mine: the visitor's own method where it is not among the first, and has a colour all the same."""

    state: str
    array: str
    loss: str
    methods: tuple[str, ...]
    available: tuple[str, ...]
    reference: str
    setting: Setting = DEFAULT_SETTING
    notices: tuple[str, ...] = ()
    is_log: bool = False
    unit: str | None = None
    mine: str | None = None

    @property
    def coloured(self) -> tuple[str, ...]:
        """The methods that get a colour: more than eight look alike."""
        first = self.methods[:MOST_COLOURED]
        return (*first[:-1], self.mine) if self.mine else first

    @property
    def compared(self) -> tuple[str, ...]:
        """The methods with the reference among them, as `delve array` has them."""
        return self.methods if self.reference in self.methods else (self.reference, *self.methods)


def choose_request(
    state: str,
    losses: Mapping[str, Mapping[str, Sequence[str]]],
    selection: Selection,
    ranked: Callable[[str, str, str], Sequence[str]],
    usual: str,
) -> Request | None:
    """Return what to show, None where no method has results on the array.

    losses: {array: {loss: methods with results}}, ranked(state, array, loss): methods, best
    first; usual: the array to show where none is asked for."""
    array = selection.array if selection.array and selection.array in losses else usual
    if not losses[array]:
        return None
    notices: list[str] = []
    wanted = wanted_comparison(
        losses[array],
        lambda loss: ranked(state, array, loss),
        selection,
        notices,
        where="on this array",
        instead="the best method",
    )
    methods = wanted.chosen or wanted.available
    return Request(
        state=state,
        array=array,
        loss=wanted.loss,
        methods=methods,
        available=wanted.available,
        reference=wanted.reference,
        setting=wanted_setting(selection),
        unit=selection.unit,
        mine=selection.mine if selection.mine in methods[MOST_COLOURED:] else None,
        notices=tuple(notices),
    )
