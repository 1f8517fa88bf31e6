"""Pages of an archive whose datasets use every feature: groups, sequences, strata, gaps, specialized losses."""

import pytest

from tests.archives import feature_archive
from tests.dashboard.conftest import Pages
from tests.dashboard.reading import box, texts


@pytest.fixture(scope="module")
def page(tmp_path_factory, run_page):
    return Pages(feature_archive(tmp_path_factory.mktemp("features")), run_page)


def test_groups_reasons_and_bounds_are_told(page):
    app = page("datasets", dataset="speech")
    assert "2 missing values, 2 censored values, 9 commonality indexes" in app.markdown[0].value
    table = app.dataframe[0].value.set_index("attribute")
    assert table.loc["PITCH", "reasons"] == "? 1, ?noisy 1"
    assert table.loc["LENGTH", "bounds"] == "at least 2"


def test_priors_tell_dependencies_and_all_training_sizes(page):
    app = page.fresh("datasets", dataset="river", part="Priors")
    assert "is medium or high (MH), over up to 5 cases" in texts(app)
    assert list(box(app, "Training size").options) == ["10", "15", "20"]
    box(app, "Training size").set_value(15).run()
    assert not app.exception
    assert "case 1 coded" in app.dataframe[1].value


def test_specialized_losses_can_be_compared_under_their_words(page):
    app = page("compare", task="/shapes/shape/std.3", loss="Z0.2N")
    assert list(box(app, "Loss").options)[:3] == [
        "0-1 loss (Z)",
        "Loss matrix costs (Mcosts)",
        "0-1 loss, 0.2 for no guess (Z0.2N)",
    ]
    page("methods", method="careful", loss="Mcosts")
    for dataset, part in (("speech", "Cases"), ("river", "Summary and source")):
        page("datasets", dataset=dataset, part=part)
