"""How long a visitor waits: medians, with room for a busy machine."""

import statistics
import time

# The goals are 3 s and 0.3 s on a quiet machine.
SECONDS_FOR_A_PAGE = 6
SECONDS_FOR_A_REDRAW = 1.0


def test_a_page_is_complete_soon(visit, full_address):
    visitor, waits = visit(), []
    for _ in range(3):
        began = time.perf_counter()
        visitor.open(full_address)
        waits.append(time.perf_counter() - began)
    assert statistics.median(waits) < SECONDS_FOR_A_PAGE


def test_a_changed_selector_redraws_soon(visit, full_address):
    visitor, waits = visit(), []
    visitor.open(full_address + "/datasets?dataset=demo")
    for attribute in ("AGE", "SHADE", "KIDS", "HOUR", "SEX"):
        visitor.page.get_by_role("combobox", name="Attribute").click()
        option = visitor.page.get_by_role("option", name=attribute)
        option.wait_for()
        began = time.perf_counter()
        visitor.after(option.click)
        waits.append(time.perf_counter() - began)
    print("redraws in s:", [f"{wait:.3f}" for wait in waits])
    assert statistics.median(waits) < SECONDS_FOR_A_REDRAW
