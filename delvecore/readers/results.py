"""Small result files: losses, statistics, constants, costs. Source: manual, sections 7.4, 7.5, 8.3.

Plain Python, for the commands that must start fast; `bulk` reads thousands of loss files at once.
"""

from collections.abc import Iterator

from delvecore.errors import ParseError, Report, raise_error
from delvecore.losses.spec import LOSS_SPECS, is_logarithmic
from delvecore.numerals.numbers import is_number, whole_number
from delvecore.readers.lines import token_lines

__all__ = ["COSTS", "parse_costs", "parse_losses", "parse_normalization", "parse_test_set_stats"]

COSTS = "Costs"
INFINITE = ("inf", "+inf", "infinity")


def parse_losses(text: str, source: str, *, loss: str) -> list[float]:
    """Return the losses of one instance, one number a line, as a list of floats.

    Log-probability losses may be infinite (`Inf`: the target had probability zero); anything else that is
    not a number, `nan` included, raises ParseError with its line.
    """
    try:
        values = list(map(float, filter(None, text.split("\n"))))
        total = sum(values)
        if total - total == 0 and "_" not in text:
            return values
    except ValueError:
        pass  # the slow path below names the line
    return [_loss(line, number, source, loss) for number, line in _loss_lines(text)]


def _loss_lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield number, line.strip()


def _loss(word: str, number: int, source: str, loss: str) -> float:
    if is_number(word):
        return float(word)
    if is_logarithmic(loss) and word.lower() in INFINITE:
        return float("inf")
    raise ParseError(source, number, "one loss, a finite number", repr(word), kind="results")


def parse_test_set_stats(
    text: str, source: str, *, report: Report = raise_error
) -> dict[str, tuple[float | None, ...]]:
    """Return {loss letter: tuple of numbers or None, by target} from `Test-set-stats`.

    None stands for `undefined`. Surplus `undefined` entries, which DELVE 1.1 writes behind the L values of
    numeric targets, are dropped where a value stands before them.
    """
    stats: dict[str, tuple[float | None, ...]] = {}
    for number, (letter, *words) in token_lines(text):
        if letter not in LOSS_SPECS or not words:
            expected = f"a loss letter ({' '.join(LOSS_SPECS)}) and its values"
            report(ParseError(source, number, expected, repr(" ".join([letter, *words])), kind="results"))
            continue
        values = tuple(float(word) if is_number(word) else None for word in words)
        bad = [word for word in words if not is_number(word) and word != "undefined"]
        if bad:
            report(ParseError(source, number, "a number or 'undefined'", repr(bad[0]), kind="results"))
            continue
        known = tuple(value for value in values if value is not None)
        stats[letter] = known or values[:1]
    return stats


CONSTANTS = ("mean", "stdDev", "median", "absDev")
_NUMBER_CHARACTERS = frozenset("+-.0123456789eE")


def parse_normalization(
    text: str, source: str, *, report: Report = raise_error
) -> dict[int, dict[str, float]]:
    """Return {attribute number: {constant: value}} from `normalize.n`.

    The constants are mean, stdDev, median and absDev, each on a line
    `normalization options CONSTANT ATTRIBUTE VALUE`.
    """
    constants = _plain_normalization(text)
    if constants is not None:
        return constants
    constants = {}
    for number, words in token_lines(text):
        if len(words) != 5 or words[:2] != ["normalization", "options"] or not is_number(words[4]):
            expected = "'normalization options CONSTANT ATTRIBUTE VALUE'"
            report(ParseError(source, number, expected, repr(" ".join(words)), kind="results"))
            continue
        if words[2] not in CONSTANTS or whole_number(words[3]) is None:
            expected = "mean, stdDev, median or absDev of an attribute's number"
            report(ParseError(source, number, expected, repr(" ".join(words[2:4])), kind="results"))
            continue
        constants.setdefault(int(words[3]), {})[words[2]] = float(words[4])
    return constants


def _plain_normalization(text: str) -> dict[int, dict[str, float]] | None:
    """Return the constants of a file as `mgendata` writes it, in one pass; None where it is anything else."""
    words, line_count = text.split(), text.count("\n")
    if len(words) != 5 * line_count or words[0::5].count("normalization") != line_count or "#" in text:
        return None
    names, numbers, values = words[2::5], words[3::5], words[4::5]
    plain = words[1::5].count("options") == line_count and set(names) <= set(CONSTANTS)
    if not plain or not _NUMBER_CHARACTERS.issuperset("".join(values)) or None in map(whole_number, numbers):
        return None
    try:
        found = list(map(float, values))
    except ValueError:
        return None
    if not all(value - value == 0 for value in found):
        return None
    constants: dict[int, dict[str, float]] = {}
    for name, number, value in zip(names, numbers, found, strict=True):
        constants.setdefault(int(number), {})[name] = value
    return constants


def parse_costs(
    text: str, source: str, *, report: Report = raise_error
) -> dict[int, tuple[float, float | None]]:
    """Return {instance: (seconds of the processor, megabytes)} from `Costs`, which `delve run` writes.

    Megabytes are None where they are unknown.

    report receives a ParseError for each line that is no cost.
    """
    found: dict[int, tuple[float, float | None]] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        try:
            instance, seconds, megabytes = whole_number(words[0]), *map(_cost, words[1:])
        except ValueError:
            instance, seconds, megabytes = None, None, None
        if instance is None or seconds is None:
            form = "a line 'INSTANCE SECONDS MEGABYTES'"
            report(ParseError(source, number, form, repr(" ".join(words)), "run it again", kind="results"))
            continue
        found[instance] = seconds, megabytes
    return found


def _cost(word: str) -> float | None:
    """Return a number that is not negative, None for `-`; ValueError for anything else."""
    if word == "-":
        return None
    if not is_number(word) or float(word) < 0:
        raise ValueError(word)
    return float(word)
