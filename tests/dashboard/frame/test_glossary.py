"""Help texts."""

import pytest

from dashboard.frame.glossary import GLOSSARY, help_for

# The terms of the DELVE manual, appendix D; those in pairs ("development dataset") by their first word.
TERMS = """absolute error, angular, artificial, assessment, attribute, binary, categorical, case, censored value,
classification, controlled, commonality index, cultivated, dataset, dependency, development, expected loss,
guess, historical, input, integer, log probability, loss matrix, missing value, natural, noise level, nominal,
order, ordinal, p-value, passive value, predictive distribution, prior, prototask, range, real, relevance,
regression, sequential, simulated, squared error, squared probability, standard error, target, task,
task instance, test set, training set, uncontrolled, 0-1 loss, no-guess penalty, non-standard instance,
stratified"""


@pytest.mark.parametrize("term", [" ".join(term.split()) for term in TERMS.split(",")])
def test_every_term_has_a_sentence(term):
    assert help_for(term).endswith(".")


def test_texts_are_short():
    assert max(map(len, GLOSSARY.values())) < 250
