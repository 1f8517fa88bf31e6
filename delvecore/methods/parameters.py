"""Parameters of registered methods, in a name such as `rprop(topology=16+8, outputs=linear, stop=GL5)`.

A text names a method and, in parentheses, the parameters that are not left at their defaults. Values are
checked by the method's own list of parameters; the method's directory has a name that follows from them."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from delvecore.errors import DelveError


class Parameter(NamedTuple):
    """A parameter of a method. read: returns a value in its usual spelling, of letters, digits, + and ., and
    raises ValueError for any other text; allowed: the values, in words."""

    name: str
    default: str
    allowed: str
    read: Callable[[str], str]


def one_of(name: str, *values: str) -> Parameter:
    """Return a parameter that is one of some words, the first by default."""

    def read(text: str) -> str:
        if text not in values:
            raise ValueError(text)
        return text

    return Parameter(name, values[0], f"{', '.join(values[:-1])} or {values[-1]}", read)


def base_name(text: str) -> str:
    """Return the name of the method itself: `rprop` of `rprop(stop=GL5)`."""
    return text.partition("(")[0].strip()


def parse_name(text: str) -> tuple[str, dict[str, str]]:
    """Return the name of a method and the parameters that are told.

    Raises
    ------
    DelveError
        Where parentheses do not close, a parameter has no value, or is told twice.

    Examples
    --------
    >>> parse_name("rprop(topology=16+8, stop=GL5)")
    ('rprop', {'topology': '16+8', 'stop': 'GL5'})
    """
    name, opening, rest = text.strip().partition("(")
    if not opening:
        return name, {}
    found: dict[str, str] = {}
    for part in rest.removesuffix(")").split(",") if rest.strip(" )") else ():
        key, equals, value = (word.strip() for word in part.partition("="))
        if not (key and equals and value) or key in found:
            raise DelveError(
                f"{text}: expected NAME(PARAMETER=VALUE, ...), each once, found {part.strip()!r}"
            )
        found[key] = value
    if not rest.endswith(")"):
        raise DelveError(f"{text}: expected ) at the end, found none")
    return name.strip(), found


def told_values(name: str, parameters: Sequence[Parameter], told: Mapping[str, object]) -> dict[str, str]:
    """Return the value of each parameter of a method, defaults too. told: by name; numbers count as texts.
    Raises DelveError for a parameter or a value that there is not."""
    known = {one.name: one for one in parameters}
    if stray := [key for key in told if key not in known]:
        expected = f"one of the parameters {', '.join(known)}" if known else "no parameters"
        raise DelveError(f"{name}: expected {expected}, found {stray[0]!r}")
    found = {key: one.default for key, one in known.items()}
    for key, value in told.items():
        try:
            found[key] = known[key].read(str(value))
        except ValueError:
            raise DelveError(f"{name}: expected {key}={known[key].allowed}, found {str(value)!r}") from None
    return found


def directory_name(name: str, parameters: Sequence[Parameter], values: Mapping[str, str]) -> str:
    """Return the name of a method's directory: parameters at their defaults are left out.

    Examples
    --------
    >>> directory_name("net", [one_of("outputs", "linear", "sigmoid")], {"outputs": "sigmoid"})
    'net-outputs-sigmoid'
    """
    told = [f"{one.name}-{values[one.name]}" for one in parameters if values[one.name] != one.default]
    return "-".join([name, *told])
