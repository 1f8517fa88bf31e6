"""Section 8, analysing the results: sentences that no other test is named after."""

from delvecore.cli import mstats


def last_words(text):
    return [line.split()[-1] for line in text.splitlines() if "Significance" in line]


def test_p_is_the_same_whichever_method_is_first(small, run_command):
    for loss, task in (("S", "age/std.4"), ("Z", "sex/std.4")):
        one, other = (
            run_command(mstats.main, "-l", loss, "-c", compared, f"/{method}/demo/{task}").out
            for method, compared in (("base", "line"), ("line", "base"))
        )
        assert last_words(one) == last_words(other)
        assert len(last_words(one)) == 1
