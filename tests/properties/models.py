"""Strategies for valid models: datasets, their cases, prototasks, priors and codings."""

import string
from collections import namedtuple

from hypothesis import strategies as st

from delvecore.encoding.codings import ALLOWED
from delvecore.model import (
    LEVELS,
    ORDERS,
    ORIGINS,
    TRANSFORMATIONS,
    USAGES,
    Attribute,
    Coding,
    Dataset,
    Interval,
    Prior,
    PriorLine,
    Prototask,
    Range,
)

INFINITY = float("inf")
LETTERS = string.ascii_letters + "äßλ中_"
WORD = st.builds(
    str.__add__, st.sampled_from(LETTERS), st.text(LETTERS + string.digits + "-+.,#%=/'", max_size=6)
)
LINE = (
    st.text(
        st.characters(codec="utf-8", exclude_categories=("Cc", "Zl", "Zp", "Zs")) | st.just(" "), max_size=30
    )
    .map(str.strip)
    .filter(lambda text: not text.endswith("\\"))
)
FINITE = st.one_of(
    st.integers(-1000, 1000).map(float),
    st.floats(-1e12, 1e12, allow_subnormal=False).map(lambda x: float(f"{x:.6g}")),
)
Part = namedtuple("Part", "text kind value")


def bound_text(value: float) -> str:
    return {INFINITY: "Inf", -INFINITY: "-Inf"}.get(value, repr(value))


@st.composite
def intervals(draw):
    low, high = sorted(draw(st.tuples(FINITE | st.just(-INFINITY), FINITE | st.just(INFINITY))))
    closed = (low == high,) * 2 if low == high else draw(st.tuples(st.booleans(), st.booleans()))
    item = Interval(low, high, *closed)
    brackets = "(["[item.low_closed], ")]"[item.high_closed]
    return Part(f"{brackets[0]}{bound_text(low)},{bound_text(high)}{brackets[1]}", "interval", item)


@st.composite
def integer_ranges(draw, *, finite=False):
    low = draw(st.integers(-50, 50))
    high = low + draw(st.integers(0, 8))
    ends = (False, False) if finite else draw(st.tuples(st.booleans(), st.booleans()))
    texts = "-Inf" if ends[0] else str(low), "Inf" if ends[1] else str(high)
    bounds = -INFINITY if ends[0] else float(low), INFINITY if ends[1] else float(high)
    item = Interval(*bounds, is_whole=True)
    return Part(f"{texts[0]}..{texts[1]}", "integers", item)


CATEGORY = WORD.map(lambda text: Part(text, "value", text))
MISSING = st.builds(str.__add__, st.just("?"), st.text(LETTERS, max_size=4)).map(
    lambda text: Part(text, "missing", text)
)


def range_of(parts: list[Part]) -> Range:
    kinds = ("value", "interval", "integers", "missing")
    by_kind = [tuple(part.value for part in parts if part.kind == kind) for kind in kinds]
    return Range(" ".join(part.text for part in parts), *by_kind)


RANGES = st.lists(
    st.one_of(intervals(), integer_ranges(), CATEGORY, MISSING),
    min_size=1,
    max_size=5,
    unique_by=lambda part: part.text,
).map(range_of)


@st.composite
def datasets(draw, ranges=RANGES, least=1):
    names = draw(st.lists(WORD, min_size=least, max_size=5, unique=True))
    attributes = tuple(
        Attribute(number, name, draw(st.sampled_from("cu?")), draw(ranges), draw(LINE))
        for number, name in enumerate(names, start=1)
    )
    facts = [draw(st.sampled_from(choices)) for choices in (ORIGINS, USAGES, ORDERS)]
    return Dataset("d", draw(LINE), *facts, draw(st.booleans()), attributes)


NUMBER_TEXT = st.one_of(
    st.integers(-(10**9), 10**9).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.sampled_from(["+.5", "5.", "1E3", "007"]),
)


@st.composite
def words_within(draw, limits: Range):
    """A word that the range of an attribute permits."""
    options = [st.sampled_from([*limits.values, *limits.missing])] if limits.values or limits.missing else []
    if "?" in limits.missing:
        options.append(st.text(LETTERS, max_size=4).map("?".__add__))
    for item in (*limits.intervals, *limits.integers):
        options.append(NUMBER_TEXT.filter(lambda text, item=item: float(text) in item))
        options.append(
            st.sampled_from(["1e308:", ":-1e308"]).filter(lambda text, item=item: reaches(item, text))
        )
    return draw(st.one_of(options))


def reaches(item, text: str) -> bool:
    return item.reaches(float(text.strip(":")), upward=text.endswith(":"))


WIDE = st.sampled_from(["(-Inf,Inf)", "[-1e9,1e9]", "-Inf..Inf", "0..Inf"])
WIDE_PARTS = {
    "(-Inf,Inf)": Part("(-Inf,Inf)", "interval", Interval(-INFINITY, INFINITY, False, False)),
    "[-1e9,1e9]": Part("[-1e9,1e9]", "interval", Interval(-1e9, 1e9, True, True)),
    "-Inf..Inf": Part("-Inf..Inf", "integers", Interval(-INFINITY, INFINITY, is_whole=True)),
    "0..Inf": Part("0..Inf", "integers", Interval(0.0, INFINITY, is_whole=True)),
}
NUMERIC_RANGES = WIDE.map(lambda text: range_of([WIDE_PARTS[text]]))
FINITE_RANGES = st.lists(CATEGORY, min_size=2, max_size=4, unique_by=lambda part: part.text).map(range_of)
USABLE_RANGES = NUMERIC_RANGES | FINITE_RANGES


@st.composite
def prototasks(draw, dataset: Dataset):
    numbers = draw(st.permutations(range(1, len(dataset.attributes) + 1)))
    count = draw(st.integers(1, len(numbers)))
    targets = tuple(numbers[:count])
    inputs = tuple(numbers[count:])
    sequential = dataset.order == "informative" and not dataset.commonality and draw(st.booleans())
    if dataset.order == "informative" and draw(st.booleans()):
        inputs = (0, *inputs)
    values = dataset.attribute(targets[0]).range.categories if len(targets) == 1 else None
    stratified = bool(values) and not sequential and draw(st.booleans())
    step = len(values) if stratified else 1
    numeric = [n for n in (*inputs, *targets) if n and dataset.attribute(n).range.kind != "categorical"]
    transformed = draw(st.lists(st.sampled_from(numeric), unique=True)) if numeric else []
    return Prototask(
        "d",
        "p",
        draw(st.sampled_from(ORIGINS)),
        draw(st.sampled_from(["all", "no missing", "few.cases"])),
        "sequential" if sequential else draw(st.sampled_from(["retain", "Random-order"])),
        inputs,
        targets,
        draw(st.integers(step, 10**6)),
        tuple(size * step for size in draw(st.lists(st.integers(1, 10**5), min_size=1, max_size=4))),
        draw(st.sampled_from(["hierarchical", "common"])),
        draw(st.integers(1, 100)),
        draw(st.integers(1, 100)) if sequential else None,
        stratified,
        tuple((number, draw(st.sampled_from(TRANSFORMATIONS))) for number in transformed),
    )


OPTION_NUMBER = st.sampled_from(["24", "0.5", "-1e3"])


@st.composite
def prior_lines(draw, attribute: Attribute, function: str | None):
    levels = "".join(draw(st.lists(st.sampled_from(LEVELS), min_size=1, unique=True)))
    values, options = attribute.range.categories, {}
    if function:
        kind = "real"
    elif values is None:
        kind = draw(st.sampled_from(["integer", "real", "angular"]))
    else:
        kind = draw(st.sampled_from(["nominal", "ordinal", *(["binary"] if len(values) == 2 else [])]))
    order = list(values or ())
    if kind == "ordinal" and not any("," in value for value in order) and draw(st.booleans()):
        order = draw(st.permutations(order))
        options["order"] = ",".join(order)
    if values is not None and draw(st.booleans()):
        options["passive"] = order[0] if kind == "ordinal" else draw(st.sampled_from(values))
    if kind == "angular":
        options["unit"] = draw(OPTION_NUMBER)
    return PriorLine(attribute.number, levels, kind, tuple(options.items()))


@st.composite
def priors(draw, dataset: Dataset, prototask: Prototask):
    used = draw(st.permutations(prototask.used))
    lines = [draw(prior_lines(dataset.attribute(n), prototask.transformation(n))) for n in used]
    levels = st.lists(st.sampled_from(LEVELS), min_size=1, unique=True).map("".join)
    needed = prototask.is_sequential or dataset.commonality
    strength = draw(levels if needed else st.none() | levels)
    reach = draw(st.integers(1, 1000)) if prototask.is_sequential else None
    return Prior("d", "p", "std", tuple(lines), strength, reach)


@st.composite
def codings(draw, attribute: Attribute):
    """Any coding and options; whether they suit the attribute the reader does not ask."""
    kind = draw(st.sampled_from(sorted({coding for group in ALLOWED.values() for coding in group})))
    names = st.sampled_from(["passive", "center", "scale", "unit", "missing"])
    options = draw(st.dictionaries(names, WORD | OPTION_NUMBER | st.just("<=50")))
    return Coding(attribute.name, kind, tuple(options.items()))
