"""A method keeps its place among colors and marks for as long as the server runs."""

from dashboard.server import archive as opened
from dashboard.server.archive import look_order
from delvecore.score_tables.options import ScoreOptions

TABLE = "dataset,good,middle,bad\na,1,2,3\nb,1,2,3\nc,1,2,3\n"
TURNED = "dataset,winner,good,middle,bad\na,0,3,2,1\nb,0,3,2,1\nc,0,3,2,1\n"


def serve(path, text):
    path.write_text(text)
    opening = opened.open_archive(check=True, patience=10)
    assert opening.archive is not None
    return opening


def test_new_results_do_not_change_how_a_method_looks(tmp_path):
    path = tmp_path / "rmse.csv"
    path.write_text(TABLE)
    opened.choose_paths([str(path)], scores=ScoreOptions(higher_is_better=False))
    before = serve(path, TABLE)
    assert look_order(before.archive) == ("good", "middle", "bad")
    after = serve(path, TURNED)
    assert after.state != before.state
    assert look_order(after.archive) == ("good", "middle", "bad", "winner")


def test_what_a_visitor_adds_moves_nobody(tmp_path):
    path, own = tmp_path / "rmse.csv", tmp_path / "own.csv"
    path.write_text(TABLE)
    own.write_text("dataset,mine\na,0\nb,0\nc,0\n")
    options = ScoreOptions(higher_is_better=False)
    opened.choose_paths([str(path)], scores=options)
    served = opened.open_archive(patience=10)
    both = served.archive.beside([str(own)], scores=options)
    assert look_order(both) == (*look_order(served.archive), "mine")
    assert look_order(served.archive) == ("good", "middle", "bad")
