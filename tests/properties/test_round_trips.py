"""Writing then reading any valid model gives the model back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from delvecore.errors import ParseError
from delvecore.readers.cases import read_cases
from delvecore.readers.dataset import attribute_lines, parse_dataset, parse_range
from delvecore.readers.files import text_of
from delvecore.readers.prior import parse_codings, parse_prior
from delvecore.readers.prototask import key_lines, parse_indexes, parse_prototask
from delvecore.writers.files import dataset_text, joined, plain_line, prior_text, prototask_text
from delvecore.writers.task_files import coding_used_text
from tests.properties.models import (
    LINE,
    RANGES,
    USABLE_RANGES,
    codings,
    datasets,
    priors,
    prototasks,
    words_within,
)

pytestmark = pytest.mark.slow

many = settings(max_examples=80, deadline=None)


def index_text(numbers, *, comment):
    """A case or order file: a number per line, after a line with the comment. Manual, sections 3.3 and 4.4."""
    return joined([*([f"# {plain_line(comment)}"] if comment else []), *map(str, numbers)])


def cases_text(rows, commonality=None, comments=None):
    """`Dataset.data`, a line per case. rows: words; commonality: indexes or None; comments: by place of the case."""
    lines = []
    for place, (words, index) in enumerate(zip(rows, commonality or [None] * len(rows), strict=True)):
        parts = [*words, *([] if index is None else [f"@{index}"])]
        comment = (comments or {}).get(place)
        lines.append(" ".join([*parts, *([f"# {plain_line(comment)}"] if comment else [])]))
    return joined(lines)


@many
@given(RANGES)
def test_a_range_is_read_as_it_was_written(limits):
    assert parse_range(limits.text) == limits


@many
@given(datasets())
def test_a_dataset_is_read_as_it_was_written(dataset):
    text = dataset_text(dataset)
    assert parse_dataset(text, "d", "s") == dataset
    assert len(attribute_lines(text)) == len(dataset.attributes)


@many
@given(st.data())
def test_cases_are_read_as_they_were_written(data):
    dataset = data.draw(datasets())
    case = st.tuples(*(words_within(attribute.range) for attribute in dataset.attributes))
    rows = data.draw(st.lists(case, max_size=5))
    indexes = data.draw(st.lists(st.none() | st.integers(0, 10**17), min_size=len(rows), max_size=len(rows)))
    comments = {place: text for place in range(len(rows)) if (text := data.draw(LINE))}
    cases = read_cases(cases_text(rows, indexes, comments), dataset, "s")
    columns = [list(cases.columns[attribute.number].words) for attribute in dataset.attributes]
    assert list(zip(*columns, strict=True)) == rows
    assert (cases.count, cases.commonality, cases.comments) == (len(rows), indexes, comments)
    assert cases.lines.tolist() == list(range(1, len(rows) + 1))


@many
@given(st.data())
def test_a_prototask_is_read_as_it_was_written(data):
    dataset = data.draw(datasets(USABLE_RANGES))
    prototask = data.draw(prototasks(dataset))
    text = prototask_text(prototask)
    assert parse_prototask(text, "p", dataset, "s") == prototask
    assert sorted(key_lines(text).values()) == list(range(1, text.count("\n") + 1))


@many
@given(st.data())
def test_a_prior_is_read_as_it_was_written(data):
    dataset = data.draw(datasets(USABLE_RANGES))
    prototask = data.draw(prototasks(dataset))
    prior = data.draw(priors(dataset, prototask))
    assert parse_prior(prior_text(prior), "std", dataset, prototask, "s") == prior


@many
@given(st.data())
def test_codings_are_read_as_they_were_written(data):
    dataset = data.draw(datasets())
    used = {attribute.number: data.draw(codings(attribute)) for attribute in dataset.attributes}
    assert parse_codings(coding_used_text(used.values()), dataset, "s") == used


@given(st.permutations(range(1, 9)), LINE)
def test_an_order_is_read_as_it_was_written(numbers, comment):
    text = index_text(numbers, comment=comment)
    assert parse_indexes(text, "s", count=8, permutation=True) == numbers


@given(st.text(max_size=40))
def test_text_survives_its_bytes(text):
    assert text_of(text.encode(), "s") == text


@pytest.mark.parametrize("text", ["two\nlines", "continued \\"])
def test_what_would_not_stay_on_its_line_is_not_written(text):
    with pytest.raises(ValueError, match="one line that does not end with a backslash"):
        cases_text([["1"]], comments={0: text})


@many
@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_refused_with_a_line(content):
    dataset = parse_dataset("Origin: natural\nUsage: ?\nOrder: ?\nAttributes:\n1 X u [0,1] ?\n", "d", "s")
    faults = []
    try:
        text = text_of(content, "s")
    except ParseError as error:
        faults.append(error)
        text = content.decode("latin-1")
    for parse in (
        lambda: parse_dataset(text, "d", "s", report=faults.append),
        lambda: read_cases(text, dataset, "s", report=faults.append),
        lambda: parse_prototask(text, "p", dataset, "s", report=faults.append),
        lambda: parse_codings(text, dataset, "s", report=faults.append),
        lambda: parse_indexes(text, "s", count=3, permutation=True, report=faults.append),
    ):
        parse()
    assert all("\n" not in str(fault) for fault in faults)
    assert all(fault.line is None or fault.line >= 1 for fault in faults)
