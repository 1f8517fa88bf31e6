"""The Methods page in a browser."""

import re

from playwright.sync_api import expect

DOT = """() => {
  const plot = document.querySelector('.js-plotly-plot'), layout = plot._fullLayout;
  const box = plot.getBoundingClientRect(), dots = plot._fullData[1];
  return [box.left + layout.xaxis._offset + layout.xaxis.d2p(dots.x[0]),
          box.top + layout.yaxis._offset + layout.yaxis.d2p(dots.y[0])];
}"""


def test_a_click_opens_a_method_and_the_address_says_so(visit, full_address):
    visitor = visit()
    visitor.open(full_address + "/methods")
    visitor.after(lambda: visitor.click_cell(1))
    visitor.page.wait_for_url(re.compile(r"method=two"))
    expect(visitor.page.get_by_text("The second method.")).to_be_visible()
    visitor.after(lambda: visitor.page.get_by_role("button", name="All methods").click())
    expect(visitor.page.get_by_text("2 methods")).to_be_visible()


def test_every_part_is_drawn(visit, full_address):
    visitor = visit("dark")
    visitor.open(full_address + "/methods?method=one&method-part=Losses")
    expect(visitor.page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    for part in ("Documentation", "Codings", "Datasets and tasks"):
        visitor.after(lambda part=part: visitor.page.get_by_role("tab", name=part).click())
        assert visitor.exceptions() == 0
    choose = visitor.page.get_by_role("combobox", name="Where")
    choose.click()
    visitor.after(visitor.page.get_by_role("option", name="/one/demo/age/std.8", exact=True).click)
    expect(visitor.page.get_by_text("minfo -a /one/demo/age/std.8")).to_be_visible()
    visitor.page.wait_for_url(re.compile(r"place=%2Fone%2Fdemo%2Fage%2Fstd\.8"))


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


def test_without_methods_the_page_says_how_to_make_one(visit, empty_address):
    visitor = visit("dark")
    visitor.open(empty_address + "/methods")
    expect(visitor.page.get_by_text("No methods yet.")).to_be_visible()
