"""The way of one loss, from its file to the Compare page, as docs/architecture.md tells it."""

import json
import re
import sys
import threading
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.server import archive as opened
from delvecore.archive import Archive
from delvecore.plots.figure import Figure
from tests.archives import small_archive, write_tree
from tests.dashboard.conftest import APP, go_to

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
OURS = (f"{ROOT}/delvecore/", f"{ROOT}/dashboard/")
MARK = 7319.25
MOST_FILES = 12
TOOLS = (
    "delvecore/answers/answer.py",
    "delvecore/number_format/",
    "delvecore/cache.py",
    "delvecore/plots/theme.py",
    "delvecore/stats/orientation.py",
)
"""Parts that keep or draw any numbers, and know of no loss."""
DEEP, MANY = 5, 200
"""How deep, and how far into each container, a function's result is searched for the mark."""


def carries(value, depth=DEEP):
    """Does a result hold the mark? An open archive is kept and handed on as a whole: it is not searched."""
    if depth < 0 or value is None or isinstance(value, str | bytes | Archive):
        return False
    if isinstance(value, float | np.floating):
        return abs(abs(value) - MARK) < 1e-6
    if isinstance(value, np.ndarray):
        numbers = value.dtype.kind == "f"
        return (
            bool((np.abs(abs(value) - MARK) < 1e-6).any()) if numbers else carries(value.ravel().tolist(), 1)
        )
    if isinstance(value, pa.Table):
        return any(carries(column, depth) for column in value.columns)
    if isinstance(value, pa.ChunkedArray):
        return any(carries(chunk, depth) for chunk in value.chunks)
    if isinstance(value, pa.Array):
        is_list = pa.types.is_list(value.type) or pa.types.is_large_list(value.type)
        numbers = value.flatten() if is_list else value
        return pa.types.is_floating(numbers.type) and carries(np.asarray(numbers))
    if isinstance(value, Figure):
        return any(carries(np.asarray(trace["x"])) for trace in value.data if "x" in trace)
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple | set | frozenset):
        return any(carries(one, depth - 1) for one in list(value)[:MANY])
    if is_dataclass(value):
        return any(carries(getattr(value, field.name, None), depth - 1) for field in fields(value))
    return False


class Follower:
    """Notes in `files` each file in which a function makes something that holds the mark for another file."""

    def __init__(self):
        self.files, self._known = [], []

    def __call__(self, frame, event, result):
        caller = frame.f_back
        name = frame.f_code.co_filename
        if event != "return" or not name.startswith(OURS):
            return
        if (caller and caller.f_code.co_filename == name) or any(result is one for one in self._known):
            return
        sys.setprofile(None)
        if carries(result):
            self._known.append(result)
            self.files.append(str(Path(name).relative_to(ROOT)))
        sys.setprofile(self)

    def __enter__(self):
        threading.setprofile(self)
        sys.setprofile(self)

    def __exit__(self, *_):
        sys.setprofile(None)
        threading.setprofile(None)


def page(**parameters):
    app = AppTest.from_file(str(APP), default_timeout=120)
    for name, value in parameters.items():
        app.query_params[name] = value
    return go_to(app, "compare").run()


@pytest.fixture
def files(tmp_path):
    """Where the mark was made anew, from the file to the page."""
    root = small_archive(tmp_path)
    files = {f"methods/marked/demo/age/std.8/loss.S.{n}": f"{MARK}\n" * 4 for n in range(2)}
    write_tree(root, {"methods/marked/Summary": "A method.\n", **files})
    opened.choose_paths([str(root)])
    follower = Follower()
    with follower:
        opened.open_archive()
    page(task="/demo/shade/std.4")  # the colors of methods, for which all losses are looked through
    with follower:
        shown = page(task="/demo/age/std.8", methods="marked", loss="S", losses="Raw")
    (bar,) = [json.loads(chart.proto.spec) for chart in shown.get("plotly_chart")][:1]
    assert any(MARK in np.atleast_1d(trace["x"]) for trace in bar["data"])
    return follower.files


def test_a_loss_passes_twelve_files_at_most_and_none_again_as_the_documents_say(files):
    whole = files[: files.index("delvecore/plots/comparison.py") + 1]
    way = [name for name, _ in groupby(name for name in whole if not name.startswith(TOOLS))]
    assert len(way) <= MOST_FILES, way
    assert len(set(way)) == len(way), way
    told = (
        (ROOT / "docs/architecture.md").read_text(encoding="utf-8").partition("## The path of one loss\n")[2]
    )
    told = re.findall(r"`((?:delvecore|dashboard)/[\w/]+\.py)`", told.partition("\n## ")[0])
    assert way == [name for name in told if name in way], way
