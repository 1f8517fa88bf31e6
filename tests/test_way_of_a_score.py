"""The way of one score, from its file to the JSON of `delve rank`, as docs/architecture.md tells it."""

import re
import sys
from pathlib import Path

import pytest

from delvecore.cli.delve import main
from tests.test_way_of_a_loss import OURS, ROOT, carries

pytestmark = pytest.mark.slow

MARK = 7319.25
MOST_FUNCTIONS = 27


class FunctionsFollowed:
    """Notes in `names` each function of ours that returns something that holds the mark, in order."""

    def __init__(self):
        self.names = []

    def __call__(self, frame, event, result):
        name = frame.f_code.co_filename
        if event != "return" or not name.startswith(OURS):
            return
        sys.setprofile(None)
        if carries(result):
            path = str(Path(name).relative_to(ROOT))
            self.names.append((path, frame.f_code.co_qualname))
        sys.setprofile(self)

    def __enter__(self):
        sys.setprofile(self)

    def __exit__(self, *_):
        sys.setprofile(None)


@pytest.fixture
def functions(tmp_path, capsys):
    path = tmp_path / "scores.csv"
    rows = "".join(f"d{n},{n + 0.5},{n + 0.25},{n + 0.75}\n" for n in range(5))
    path.write_text(f"dataset,a,b,c\n{rows}d5,{MARK},1.0,2.0\n")
    words = ["rank", str(path), "--higher-is-better", "--format", "json"]
    main(words)  # the cache is warm from here on
    followed = FunctionsFollowed()
    with followed:
        main(words)
    assert str(MARK) not in capsys.readouterr().err
    return list(dict.fromkeys(followed.names))


def test_a_score_passes_27_functions_at_most_as_the_documents_say(functions):
    assert len(functions) <= MOST_FUNCTIONS, "\n".join(map(str, functions))
    told = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    told = told.partition("## The path of one score\n")[2].partition("\n## ")[0]
    listed = re.findall(r"`((?:delvecore)/[\w/]+\.py)`", told)
    files = list(dict.fromkeys(path for path, _ in functions))
    assert set(files) <= set(listed), (files, listed)
