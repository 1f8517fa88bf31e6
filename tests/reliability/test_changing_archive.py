"""Pages of an archive whose files change, go and come while they are shown: no page ends in a traceback."""

import random
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.server import archive as opened
from dashboard.server.pages import ADDRESSES
from tests.archives import losses, write_tree
from tests.dashboard.conftest import APP, go_to, one_search_for_components  # noqa: F401, a fixture for all
from tests.dashboard.reading import watching
from tests.properties.mangling import whole_archive
from tests.reliability.fuzzing import LONGEST, limited, times

pytestmark = pytest.mark.slow
LONGEST_PAUSE = 0.02
"""Seconds between two changes; a page takes some hundredths."""


class Changer(threading.Thread):
    """Changes files of a delve directory at random until it is told to stop; everything comes back."""

    def __init__(self, root: Path, seed: int) -> None:
        super().__init__(daemon=True)
        self.root, self.chance, self.stopped = root, random.Random(seed), threading.Event()
        self.hidden = root.parent / "hidden"
        self.changes = 0

    def run(self) -> None:
        acts: list[Callable[[], None]] = [self.hide_method, self.hide_dataset, self.hide_all, self.hide_file]
        acts += [self.change_losses, self.add_method] * 2
        while not self.stopped.wait(self.chance.random() * LONGEST_PAUSE):
            self.chance.choice(acts)()
            self.changes += 1

    def stop(self) -> int:
        self.stopped.set()
        self.join()
        return self.changes

    def hide(self, path: Path) -> None:
        """Take something away for a moment."""
        path.rename(self.hidden)
        self.stopped.wait(self.chance.random() * LONGEST_PAUSE)
        self.hidden.rename(path)

    def hide_method(self) -> None:
        self.hide(self.root / "methods" / self.chance.choice(("one", "two")))

    def hide_dataset(self) -> None:
        self.hide(self.root / "data/demo")

    def hide_all(self) -> None:
        self.hide(self.root)

    def hide_file(self) -> None:
        self.hide(self.chance.choice(sorted(path for path in self.root.rglob("*") if path.is_file())))

    def change_losses(self) -> None:
        path = self.root / "methods/one/demo/age/std.8/loss.S.0"
        path.write_text(losses(self.chance.randrange(5), self.chance.choice((3, 4)), 1.0))

    def add_method(self) -> None:
        method = self.root / "methods/three"
        if method.exists():
            shutil.rmtree(method)
        else:
            shutil.copytree(self.root / "methods/two", method)
            write_tree(method, {"Summary": "The third method.\n"})


@pytest.fixture
def changer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Changer]:
    root = whole_archive(tmp_path, monkeypatch)
    opened.choose_paths([str(root)])
    monkeypatch.setattr(opened, "LEAST_PAUSE", LONGEST_PAUSE)
    monkeypatch.setattr(opened, "PAUSES_A_LOOK", 1)
    changer = Changer(root, seed=1)
    changer.start()
    with watching():
        yield changer
        changer.stop()


def test_no_page_ends_in_a_traceback_while_files_change(changer: Changer) -> None:
    chance, failed, app, moves = random.Random(2), [], None, 0
    runs = times(60_000)
    for run in runs:
        page = chance.choice(ADDRESSES)
        with limited(f"run {run}: {page}"):
            if app is None or chance.random() < 0.3:
                app = AppTest.from_file(str(APP), default_timeout=LONGEST)
                app.run()
        with limited(f"run {run}: {page}"):
            go_to(app, page).run()
        asked = [button for button in app.button if button.key == "show-new"]
        for button in asked:
            with limited(f"run {run}: {page}, new state"):
                button.click().run()
        moves += len(asked)
        failed += [f"run {run}, {page}: {box.value}\n{''.join(box.stack_trace)}" for box in app.exception]
    assert changer.stop() > len(runs)
    assert moves > 0
    assert failed == [], f"{len(failed)} of {len(runs)} runs:\n" + "\n".join(failed)
