"""The pages of an archive with groups, sequences, strata and specialised losses, in a browser."""

import pytest

from tests.archives import feature_archive
from tests.browser.conftest import TURNED_TEXT, WIDER_THAN_WINDOW, served

PLACES = (
    "datasets?dataset=speech&part=Prototasks",
    "datasets?dataset=river&part=Prototasks",
    "datasets?dataset=shapes&part=Prototasks",
    "compare?task=/shapes/shape/std.3&loss=Z0.2N",
    "methods?method=careful&loss=Mcosts",
    "methods?method=careful&method-part=Check",
)


@pytest.fixture(scope="module")
def address(browser, tmp_path_factory):
    """The address of a server with the archive of features."""
    directory = tmp_path_factory.mktemp("features")
    with served(directory, feature_archive(directory)) as address:
        yield address


def test_pages_of_the_features_work_and_fit_narrow_and_wide(address, visit):
    visitor = visit("dark", width=390)
    visitor.open(address)
    for place in PLACES:
        visitor.page.set_viewport_size({"width": 390, "height": 900})
        visitor.walk(f"{address}/{place}")
        assert visitor.exceptions() == 0, place
        assert visitor.page.evaluate(WIDER_THAN_WINDOW) <= 0, place
        assert visitor.page.evaluate(TURNED_TEXT) == [], place
        visitor.fits((1280,))
        assert visitor.page.evaluate(TURNED_TEXT) == [], place
