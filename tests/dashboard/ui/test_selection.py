"""Addresses and what they select."""

from dashboard.ui.choices import Choices
from dashboard.ui.selection import Selection, asked_in_vain, link, page_notices, resolve, to_parameters

CHOICES = Choices(
    losses=("A", "S"),
    methods=("lin-1", "gp-1"),
    tasks=("/demo/age/std.32",),
    datasets=("demo",),
    prototasks=("/demo/age",),
)


def test_an_empty_address_selects_nothing():
    assert resolve({}, CHOICES) == (Selection(), [])


def test_an_address_round_trips():
    chosen = Selection(
        loss="S",
        methods=("gp-1", "lin-1"),
        reference="lin-1",
        task="/demo/age/std.32",
        level=0.99,
        dataset="demo",
        prototask="/demo/age",
        method="gp-1",
    )
    assert resolve(to_parameters(chosen), CHOICES) == (chosen, [])


def test_an_empty_choice_of_methods_stands_in_the_address_and_is_not_that_of_all():
    none = Selection(methods=())
    assert link(none, address="/ranking") == "/ranking?methods="
    assert resolve({"methods": [""]}, CHOICES) == (none, [])
    selection, notices = resolve({"methods": ["gone"]}, CHOICES)
    assert selection == none
    assert notices == [
        "The address asks for the method “gone”, which this archive does not have; it is left out."
    ]


def test_places_are_understood_without_a_slash_and_with_a_method_in_front():
    for text in ("demo/age/std.32", "/lin-1/demo/age/std.32", "/other-1/demo/age/std.32"):
        assert resolve({"task": [text]}, CHOICES) == (Selection(task="/demo/age/std.32"), [])
    for text in ("/demo", "demo/", "/demo/age", "/gp-1/demo/age/std.32"):
        assert resolve({"dataset": [text]}, CHOICES) == (Selection(dataset="demo"), [])
    assert resolve({"prototask": ["gp-1/demo/age"]}, CHOICES) == (Selection(prototask="/demo/age"), [])
    raw = {"method": ["/gp-1"], "methods": ["gp-1/"], "reference": ["/lin-1"], "mine": ["/gp-1"]}
    chosen = Selection(method="gp-1", methods=("gp-1",), reference="lin-1", mine="gp-1")
    assert resolve(raw, CHOICES) == (chosen, [])


def test_what_nothing_resembles_is_asked_in_vain():
    raw = {"task": ["/nowhere/age/std.32"], "dataset": ["dmo"], "array": ["kin"], "loss": ["X"]}
    selection, notices = resolve(raw, CHOICES)
    assert selection == Selection(dataset="demo")
    assert asked_in_vain(raw, selection) == {"task": "/nowhere/age/std.32", "array": "kin"}
    assert len(notices) == 4


def test_what_the_archive_does_not_have_falls_back_with_a_notice():
    selection, notices = resolve({"loss": ["X"], "methods": ["gp-1", "gone"], "level": ["0.5"]}, CHOICES)
    assert selection == Selection(methods=("gp-1",))
    assert len(notices) == 3
    assert "the method “gone”" in notices[1]


def test_repeated_and_endless_values_are_taken_once_and_not_without_end():
    selection, notices = resolve({"methods": ["gp-1"] * 9 + [str(n) for n in range(500)]}, CHOICES)
    assert selection.methods == ("gp-1",)
    assert len(notices) == 49


def test_a_link_holds_the_whole_view():
    chosen = Selection(loss="S", methods=("a&b", "c"))
    address = link(chosen, address="http://127.0.0.1:8501/compare?old=1#x", others={"part": ["Cases"]})
    assert address == "http://127.0.0.1:8501/compare?loss=S&methods=a%26b&methods=c&part=Cases"
    assert link(Selection(), address="http://127.0.0.1:8501/") == "http://127.0.0.1:8501/"


def test_in_place_of_what_a_page_would_show_stands_what_is_called_most_like_it():
    wanted = {"dataset": ["Demmo"], "method": ["gp_2"], "prototask": ["zzz"], "search": ["no choice"]}
    selection, notices = resolve(wanted, CHOICES)
    assert selection == Selection(dataset="demo", method="gp-1")
    assert "“Demmo”, which this archive does not have; this is demo, the nearest name." in notices[0]
    assert "“zzz”, which this archive does not have; it is left out." in notices[1]
    assert r"this is gp\-1, the nearest name" in notices[2]
    selection, notices = resolve({"task": ["/demo/age/std.64"]}, CHOICES)
    assert selection.task == "/demo/age/std.32"
    assert "this is \\/demo\\/age\\/std\\.32, the nearest name" in notices[0]
    assert resolve({"task": ["/demo/age/std.64"]}, Choices())[0].task is None


def test_what_was_asked_for_in_vain_is_named_escaped():
    _, notices = resolve({"dataset": ["![x](http://evil/a.png)"]}, CHOICES)
    assert r"\!\[x\]\(http" in notices[0]
    assert page_notices({"page": ["*x*"]}) == [r"There is no page “\*x\*”; this is the most similar one."]


def test_a_mistyped_method_reference_or_loss_is_the_nearest_and_mine_is_nobody_elses():
    asked = {"methods": ["gp_1"], "reference": ["Gp-1"], "loss": ["s"], "mine": ["gp-2"]}
    selection, notices = resolve(asked, Choices(losses=("S", "Q"), methods=("gp-1", "lin-1")))
    assert (selection.methods, selection.reference, selection.loss) == (("gp-1",), "gp-1", "S")
    assert selection.mine is None
    assert sum("the nearest name" in notice for notice in notices) == 3
