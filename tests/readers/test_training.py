"""`Training.n`: what networks say of their training."""

import pytest

from delvecore.errors import ParseError
from delvecore.readers.training import parse_training

TEXT = """Network: 2-1, all feed forward connections including all shortcut connections
Outputs: linear
Weights: 3
Total-Epochs: 15
Relevant-Epochs: 10
Connection-Traversals: 1234
Curve: epoch training validation GL P
5 12.5 11 0 142.8
10 9 10 0 20
15 8 10.75 7.5 inf
"""


def test_a_record_has_the_network_the_counts_and_the_curve():
    found = parse_training(TEXT, "t")
    assert found.network.startswith("2-1, ")
    assert found[1:6] == ("linear", 3, 15, 10, 1234)
    assert found.curve[0] == (5, 12.5, 11.0, 0.0, 142.8)
    assert found.kept == (10, 9.0, 10.0, 0.0, 20.0)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("Weights: 3", "Weights: many", "t: expected a line Weights:, found 'many'; run the method again"),
        (
            "10 9 10 0 20",
            "10 9 10",
            "t:9: expected an epoch and 4 numbers, found '10 9 10'; run the method again",
        ),
    ],
)
def test_a_faulty_record_is_named(before, after, message):
    with pytest.raises(ParseError) as caught:
        parse_training(TEXT.replace(before, after), "t")
    assert str(caught.value) == message
