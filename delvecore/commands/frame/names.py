"""Names of methods in options: a list in one argument, or names that hold blanks, one by one."""

from collections.abc import Callable, Collection, Iterable

__all__ = ["ExactName", "add_names", "chosen_names"]


class ExactName(str):
    """One name, as it stands, whatever it holds."""

    __slots__ = ()


def add_names(add: Callable[..., object]) -> None:
    """Add `--methods` and `--method` to a parser by its `add_argument`; both fill `methods`."""
    add(
        "--methods",
        action="append",
        metavar="NAMES",
        help="these methods only, in this order; one argument, with blanks or commas between: 'lin-1 gp-1'",
    )
    add(
        "--method",
        action="append",
        dest="methods",
        type=ExactName,
        metavar="NAME",
        help="one method, whose name may hold blanks; may be repeated, for several, in this order",
    )


def chosen_names(values: Iterable[str] | None, known: Collection[str]) -> tuple[str, ...]:
    """Return the names, each once. A list is taken apart at blanks and commas, unless it names one method
    as a whole and does not name several."""
    names: list[str] = []
    for value in values or ():
        words = value.replace(",", " ").split()
        is_one = isinstance(value, ExactName) or (value in known and not all(word in known for word in words))
        names += [str(value)] if is_one else words
    return tuple(dict.fromkeys(names))
