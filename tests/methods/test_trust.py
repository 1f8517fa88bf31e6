"""Which objects a file may name without being trusted."""

import pytest

from delvecore.errors import DelveError
from delvecore.methods.objects import check_trusted, is_known


@pytest.mark.parametrize(
    "place",
    ["sklearn.svm:SVC", "sklearn.decomposition:PCA", "imblearn.over_sampling:SMOTE", "sklearn.svm:Nowhere"],
)
def test_classes_that_learn_of_known_packages_are_known(place):
    assert is_known(place)


@pytest.mark.parametrize(
    "place",
    [
        "subprocess:Popen",
        "sklearn.datasets._base:os.system",
        "sklearn.base:BaseEstimator.__init__",
        "sklearn.datasets:fetch_openml",
        "sklearn_evil:Tree",
        "delvecore.methods.objects:ObjectMethod",
        "learner.py:Tree",
        "../sklearn.svm:SVC",
        "",
    ],
)
def test_everything_else_is_not(place):
    assert not is_known(place)


def test_a_parameter_from_which_pickles_are_read_has_to_be_trusted():
    place, parameters = "sklearn.cluster:FeatureAgglomeration", ["n_clusters", "memory"]
    check_trusted(place, trust=False, parameters=parameters[:1])
    with pytest.raises(DelveError, match="FeatureAgglomeration with the parameter memory; read what it does"):
        check_trusted(place, trust=False, parameters=parameters)
