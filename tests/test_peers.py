"""The comparison with other packages, and the calls that replace theirs, hold for the packages of the group `peers`."""

import importlib.util
import re

import numpy as np
import pytest

import delvecore as dv
from docs.draw_peers import COLUMNS, PAGE, peer_table, scores_of_four_methods, with_table

ABSENT = [name for name in COLUMNS if importlib.util.find_spec(name.replace("-", "_")) is None]
needs_peers = pytest.mark.skipif(
    bool(ABSENT), reason=f"needs pip install -e '.[peers]': no {', '.join(ABSENT)}"
)


def replacement(page: str, call: str) -> str:
    """The call of this library in the row of a call of another one."""
    (row,) = (line for line in page.splitlines() if line.startswith(f"| `{call}"))
    return re.findall(r"`([^`]+)`", row.split(" | ")[1])[0]


@pytest.mark.parametrize(
    "call",
    [
        "posthoc_nemenyi_friedman(wide)",
        "critical_difference_diagram(",
        'plot_critical_difference(scores, labels, lower_better=False, test="nemenyi")',
        "graph_ranks(",
        "plot_stats(",
        'autorank(data, force_mode="nonparametric")`, 3 methods',
    ],
)
def test_calls_of_nemenyis_test_lead_to_nemenyis_test(call):
    assert 'test="nemenyi"' in replacement(PAGE.read_text(encoding="utf-8"), call)


@pytest.mark.parametrize("row", ["CDdiagram.Nemenyi", "`CDdiagram.Nemenyi(ps)`"])
def test_nemenyis_diagram_of_r_leads_to_nemenyis_test(row):
    page = PAGE.with_name("coming-from-R.md").read_text(encoding="utf-8")
    (line,) = (line for line in page.splitlines() if line.startswith(f"| {row} |"))
    _, _, command, python, *_ = line.split("|")
    assert "--test nemenyi" in command
    assert 'test="nemenyi"' in python


@needs_peers
@pytest.mark.filterwarnings("ignore")
def test_the_comparison_with_other_packages_is_what_their_calls_return():
    page = PAGE.read_text(encoding="utf-8")
    assert with_table(page, peer_table()) == page, "python -m docs.draw_peers"


@needs_peers
@pytest.mark.filterwarnings("ignore")
def test_nemenyi_and_wilcoxon_give_the_p_of_scikit_posthocs():
    import scikit_posthocs

    wide = scores_of_four_methods()
    long = wide.melt(var_name="method", value_name="score")
    theirs = {
        "nemenyi": scikit_posthocs.posthoc_nemenyi_friedman(wide),
        "wilcoxon": scikit_posthocs.posthoc_wilcoxon(
            long, val_col="score", group_col="method", p_adjust="holm"
        ),
    }
    for test, p in theirs.items():
        pairs = dv.rank(wide, higher_is_better=True, test=test).pairs()
        expected = [p.loc[one, other] for one, other in zip(pairs.method_a, pairs.method_b, strict=True)]
        np.testing.assert_allclose(pairs.p_adjusted, expected, atol=1e-6, err_msg=test)
