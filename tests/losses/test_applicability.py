"""Which losses a task allows: Figure 5.1 of the manual."""

import pytest

from delvecore.losses.spec import allowed_losses
from delvecore.model import Prior, PriorLine, Prototask

pytestmark = pytest.mark.usefixtures("losses_of_delve")


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        (["binary"], "LQZ"),
        (["nominal"], "LQZ"),
        (["ordinal"], "LQZ"),
        (["integer"], "ALSZ"),
        (["real"], "ALS"),
        (["angular"], "L"),
        (["real", "integer"], "ALS"),
        (["integer", "nominal"], "LZ"),
        (["binary", "nominal"], "LZ"),
        (["real", "nominal"], "L"),
    ],
)
def test_losses_are_those_that_every_target_allows(types, expected):
    targets = tuple(range(1, len(types) + 1))
    prototask = Prototask("d", "p", "natural", "all", "retain", (), targets, 1, (1,), "common", 1)
    lines = tuple(PriorLine(n, "NLMH", kind, ()) for n, kind in zip(targets, types, strict=True))
    assert allowed_losses(prototask, Prior("d", "p", "std", lines)) == expected
