"""Pages say where instances share cases, and how numbers were corrected."""

import pytest

from dashboard.server import archive as opened
from tests.archives import write_tree
from tests.cli.test_shared_cases import ARRAY, CROSS_VALIDATION
from tests.dashboard.reading import texts
from tests.overlapping_archive import overlapping_archive

pytestmark = pytest.mark.slow

PAGES = (
    ("methods", {"method": "one", "loss": "S", "method-part": "Losses"}),
    ("ranking", {"loss": "S", "ranking-part": "Robustness"}),
    ("task_arrays", {"array": "priors", "loss": "S"}),
)


@pytest.mark.parametrize(("page", "parameters"), PAGES, ids=[page for page, _ in PAGES])
def test_a_page_with_errors_says_how_they_were_corrected(tmp_path, run_page, page, parameters):
    root = overlapping_archive(tmp_path)
    write_tree(root, {"data/priors/Array.spec": ARRAY})
    opened.choose_paths([str(root)])
    app = run_page(page, **parameters)
    assert not app.exception
    said = texts(app).replace("\\", "")
    assert CROSS_VALIDATION in said, said
