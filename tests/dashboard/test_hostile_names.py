"""Every page with hostile names everywhere: none of them is Markdown, HTML or a figure's markup."""

import json
import re
from collections.abc import Iterator

import pytest

from dashboard.datasets import tabs as dataset_tabs
from dashboard.methods import page as method_page
from dashboard.ranking import screens as ranking_screens
from dashboard.server import archive as opened
from dashboard.server.pages import ADDRESSES
from delvecore.report.words import escape
from tests.cli.test_hostile_names import Tags
from tests.hostile_archive import ARRAY, DATASET_NAME, DIRECTORY_NAMES, hostile_archive
from tests.hostile_names import HOSTILE_NAMES, PRINTED_NAMES
from tests.report.test_hostile_names import TAGS

AGE, SHADE = f"/{DATASET_NAME}/age/std.8", f"/{DATASET_NAME}/shade/std.4"
SOME = [*DIRECTORY_NAMES[::30], *(name for name in DIRECTORY_NAMES if "evil" in name or "<" in name)][:24]
PAIR = {"methods": SOME, "reference": SOME[-1]}
PARTS = (
    ("datasets", {"dataset": DATASET_NAME}, "part", dataset_tabs.PARTS),
    ("methods", {"method": SOME[-1]}, "method-part", method_page.PARTS),
    (
        "compare",
        {"task": AGE, "loss": "S", **PAIR},
        "compare-part",
        ["All pairs", "Training sets", "Test cases"],
    ),
    ("compare", {"task": SHADE, "loss": "Z", **PAIR}, "compare-part", ["Losses in numbers", "Classes"]),
    (
        "task_arrays",
        {"array": ARRAY},
        "array-part",
        ["Curves", "Winners", "Differences", "What drives it", "Cost"],
    ),
    ("ranking", {"methods": SOME, "control": SOME[-1]}, "ranking-part", ["One pair", "Robustness"]),
    ("ranking", {"methods": SOME}, "diagram", [ranking_screens.ROWS, ranking_screens.CLASSIC]),
    (
        "ranking",
        {"methods": SOME, "more": "true"},
        "question",
        ["equivalence", "hierarchy", "improvement", "pairs"],
    ),
)
VISITS = (
    *((page, {}) for page in ADDRESSES),
    *((page, {**address, name: part}) for page, address, name, parts in PARTS for part in parts),
    (
        "compare",
        {"task": DATASET_NAME, "loss": "<b>", "methods": ["<img src=x onerror=alert(1)>"], "level": "$x$"},
    ),
    ("tables", PAIR),
)
NO_MARKDOWN = (
    *("code.code_text", "text.body", "selectbox.options", "selectbox.raw_value", "multiselect.options"),
    *(
        "multiselect.raw_values",
        ".id",
        "plotly_chart.spec",
        "plotly_chart.config",
        "plotly_chart.alt",
        "dataframe.alt",
        "dataframe.columns",
        "dataframe.column_order",
        "html.body",
    ),
)
"""The fields of elements that show their text as it is."""
DOT_LIST = {"div", "p", "ol", "li", "span", "i", "b"}
LEADERS = {"div", "span", "button", "b", "i", "a", "code"}
OUR_SCRIPT = '<script src="./app/static/page.js"></script>'
RISKY = [name for name in DIRECTORY_NAMES if len(name) > 4 and re.search(r"[^\w\s.,'-]", name)]
RISKY += [
    "https://evil",
    "www.evil",
    "@evil",
    ":material/home:",
    "$$x$$",
    "<script",
    "<img",
    ":red[x]",
    "![x]",
    "<b>",
    "**x**",
]


@pytest.fixture
def hostile(tmp_path):
    root = hostile_archive(tmp_path, [name for name in DIRECTORY_NAMES if name in {*RISKY, *SOME}])
    opened.choose_paths([str(root)])
    return root


def strings(message, path: str) -> Iterator[tuple[str, str]]:
    """Yield (path of the field, text) of all texts of an element."""
    for field, value in message.ListFields():
        for one in value if field.is_repeated else [value]:
            if isinstance(one, str):
                yield f"{path}.{field.name}", one
            elif hasattr(one, "ListFields"):
                yield from strings(one, f"{path}.{field.name}")


def texts_of(block) -> Iterator[tuple[str, str]]:
    for child in getattr(block, "children", {}).values():
        if (message := getattr(child, "proto", None)) is not None:
            yield from strings(message, getattr(child, "type", ""))
        yield from texts_of(child)


UNSHOWN = ("customdata", "meta", "ids")


def drawn(part):
    """A figure without what a click gives, and whose each part is: neither is shown."""
    if isinstance(part, dict):
        hidden = (*UNSHOWN, "name") if "showarrow" in part else UNSHOWN  # annotations do not show theirs
        return {key: drawn(value) for key, value in part.items() if key not in hidden}
    return [drawn(one) for one in part] if isinstance(part, list) else part


def test_no_name_is_markup_on_any_page(hostile, run_page):
    for page, address in VISITS:
        app = run_page(page, **address)
        texts = list(texts_of(app._tree))
        assert len(texts) > 10
        for field, text in texts:
            if field.endswith("plotly_chart.spec"):
                shown = json.dumps(drawn(json.loads(text)), ensure_ascii=False)
                assert [n for n in RISKY if "<" in n and n != "<b>" and n in shown] == [], (page, address)
            elif field.endswith("html.body") and text != OUR_SCRIPT:
                reader = Tags()
                reader.feed(text)
                ours = DOT_LIST if "class='dot-list'" in text else set()
                ours |= LEADERS if 'class="leaders"' in text else set()
                assert reader.found <= {*TAGS, "style", *ours}, (page, address)
                assert [n for n in RISKY if "<" in n and n != "<b>" and n in text] == [], (page, address)
            elif not field.endswith(NO_MARKDOWN):
                assert not re.search("[\ue000-\ue002]", text), (page, address, text)
                unescaped = re.sub(r"\\.", "\0", text)
                assert [(field, n) for n in RISKY if n in unescaped] == [], (page, address)


def test_markdown_of_a_page_has_no_address_to_find():
    for name in HOSTILE_NAMES:
        escaped = escape(name)
        # Pages look for addresses when the escapes are gone, too.
        assert not re.search(r"https?://|www\.\w|\w@\w+\.", escaped.replace("\\", ""), re.IGNORECASE), name
    shown = [re.sub(r"\\(.)", r"\1", escape(name)).replace("\u200c", "") for name in PRINTED_NAMES]
    assert shown == [" ".join(name.split()) for name in PRINTED_NAMES]
