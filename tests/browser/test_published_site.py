"""A published site in a browser, from files: figures are drawn, search works, nothing else is fetched."""

import pytest

from delvecore.cli import delve
from tests.library.frames import long_frame


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_site_works_without_a_server(browser, tmp_path, scheme):
    long_frame().to_csv(tmp_path / "scores.csv", index=False)
    assert delve.main(["publish", str(tmp_path / "site"), str(tmp_path / "scores.csv")]) == 0
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    told: list[str] = []
    fetched: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    page.on("pageerror", lambda error: told.append(str(error)))
    page.on("request", lambda request: fetched.append(request.url))
    for name in ("index", "ranking", "pairs", "datasets/d0", "methods/ada", "questions/regret"):
        page.goto((tmp_path / "site" / f"{name}.html").as_uri())
        for place in page.locator(".plot").all():
            place.locator(".main-svg").first.wait_for()
    assert told == []
    assert all(address.startswith(("file:", "data:")) for address in fetched)
    page.get_by_role("searchbox").fill("bagg")
    page.get_by_role("link", name="Method: bagging").click()
    page.wait_for_url("**/methods/bagging.html")
    page.get_by_role("searchbox").fill("ad")  # a part of "Leaderboard", and the start of the method's name
    page.keyboard.press("Enter")
    page.wait_for_url("**/methods/ada.html")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the figure as SVG").first.click()
    svg = download.value.path().read_text("utf-8")
    assert "<metadata>DELVE for the browser" in svg
    assert "delve publish" in svg
    context.close()
