"""The Methods page in a browser."""

import re

from playwright.sync_api import expect

DOT = """() => {
  const plot = document.querySelector('.js-plotly-plot'), layout = plot._fullLayout;
  const box = plot.getBoundingClientRect(), dots = plot._fullData[1];
  return [box.left + layout.xaxis._offset + layout.xaxis.d2p(dots.x[0]),
          box.top + layout.yaxis._offset + layout.yaxis.d2p(dots.y[0])];
}"""


def test_every_part_is_drawn(visit, full_address):
    visitor = visit("dark")
    visitor.open(full_address + "/methods?method=one&method-part=Losses")
    expect(visitor.page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    for part in ("Codings", "Documentation"):
        visitor.after(lambda part=part: visitor.page.get_by_role("tab", name=part).click())
        assert visitor.exceptions() == 0
    expect(visitor.page.get_by_text("minfo -a /one")).to_be_visible()
    visitor.after(lambda: visitor.page.get_by_role("button", name="Leaderboard").click())
    expect(visitor.page.get_by_role("heading", name="Who wins")).to_be_visible()


def test_a_click_on_a_dot_leads_to_the_comparison(visit, full_address):
    visitor = visit()
    visitor.open(full_address + "/methods?method=two&loss=S&method-part=Losses")
    visitor.page.locator(".js-plotly-plot").scroll_into_view_if_needed()
    visitor.page.evaluate("() => document.querySelector('.js-plotly-plot').scrollIntoView({block: 'center'})")
    visitor.page.wait_for_timeout(300)
    x, y = visitor.page.evaluate(DOT)
    visitor.page.mouse.move(x - 4, y, steps=4)
    visitor.page.mouse.move(x, y, steps=2)
    visitor.page.wait_for_timeout(200)
    visitor.after(lambda: visitor.page.mouse.click(x, y))
    visitor.page.wait_for_url(re.compile(r"/compare\?.*task=%2Fdemo%2Fage%2Fstd\.8"))
    expect(visitor.page.get_by_role("combobox", name="Reference")).to_have_value("two")
