"""What a visitor can read on a page that was run without a browser, and the archive that pages show."""

import contextlib
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from dashboard.server import archive as opened
from delvecore.archive import Archive


def opened_archive(path: Path, **options: Any) -> Archive:
    """Have the dashboard show an archive, and return it. options: of `choose_paths`."""
    opened.choose_paths([str(path)], **options)
    archive = opened.open_archive(patience=60).archive
    assert archive is not None
    return archive


@contextlib.contextmanager
def watching() -> Iterator[None]:
    """Check the archive's files meanwhile, as a server does."""
    ended = threading.Event()
    thread = threading.Thread(target=opened.watch, args=(ended,))
    thread.start()
    yield
    ended.set()
    thread.join()


def texts(app: AppTest) -> str:
    """Return all running text of a page."""
    kinds = (app.title, app.markdown, app.subheader, app.caption, app.text, app.info, app.warning, app.error)
    shown = [str(item.value) for kind in kinds for item in kind]
    return "\n".join([*shown, *(item.help for item in app.caption if item.help)])


def plain(app: AppTest) -> str:
    """Return all running text of a page without the marks of escapes."""
    return texts(app).replace("\\", "")


def answer(app: AppTest) -> str:
    """Return the heading of a page and the line below it without the marks of escapes."""
    heading = app.title[0].value.replace("**", "")  # of a path, which stays in one line
    return f"{heading} {app.markdown[0].value}".replace("\\", "")


def codes(app: AppTest) -> list[str]:
    """Return the contents of all code blocks."""
    return [item.value for item in app.code]


def figures(app: AppTest) -> list[dict[str, Any]]:
    """Return all figures as Plotly draws them."""
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


def box(app: AppTest, label: str) -> Any:
    """Return a list to choose from by what stands above it."""
    return next(one for one in app.selectbox if one.label == label)


def click(app: AppTest, label: str) -> AppTest:
    """Click a button by what it says, and run the page, which may not fail."""
    next(one for one in app.button if one.label.replace("\\", "") == label).click().run()
    assert not app.exception
    return app


def send(app: AppTest, name: str, text: str) -> AppTest:
    """Send a file to the Add data page, which may not fail."""
    app.file_uploader[0].set_value([(name, text.encode(), "text/csv")])
    assert not app.run().exception
    return app
