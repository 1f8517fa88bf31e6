"""Help texts: every term of the benchmark's glossary in one or two plain sentences, and the list of all."""

from collections.abc import Mapping

TEXT = """
absolute error: Loss for numeric targets: the distance between guess and target, added over targets.
accuracy: Share of the test cases whose class is predicted right: one less the 0-1 loss.
adjustment: Where many pairs are tested, some p is small by chance. Adjusted p are larger, so that the chance
  of calling any equal pair different (Benjamini-Hochberg: the share of errors) stays at the level chosen.
angular: A quantity that goes round in a circle, such as a direction or a time of day. It is coded by its sine
  and cosine, so that the end meets the beginning.
artificial: Made by a program from a formula, without a counterpart in the world.
assessment: Recommended for comparing methods formally; do not tune a method on it.
attribute: One quantity recorded for every case: a column of the data.
AUC: Area under the ROC curve: the probability that a case of the class is given a higher probability of it
  than a case of another class; ties count half.
baseline: What a loss is measured against: that of the best guess which ignores the inputs, such as the mean
  of the targets.
binary: A category with exactly two values.
binomial interval: Where the share of right predictions may lie, given how many cases were tried. Wilson’s is
  the usual one, the exact one of Clopper and Pearson is cautious, the normal one is that of textbooks and
  poor near 0 and 1.
calibration: Do predicted probabilities come true? Of what is said with 80 %, 80 % should be right.
case: One thing observed, with a value of every attribute: a row of the data.
categorical: An attribute with a finite list of values.
censored value: Known only to lie beyond a bound: written `3:` for three or more, `:3` for three or less.
classification: All targets are categories.
coding: How a value becomes the numbers that a method sees. The default follows from the prior information; a
  method may choose another.
common testing: Every training set is judged on the same test set.
commonality index: A number shared by cases that have something in common, such as the same writer.
computing cost: Seconds of the processor for learning from one training set and predicting its test set, and
  the most memory that was used.
confidence level: How often intervals made like this hold the true value, were everything repeated: 95 % of
  them, unless another level is chosen.
contingency table: Counts of test cases by actual and predicted class, with the sums of rows and columns: its
  margins.
controlled: Chosen by the investigators, like the amount of fertilizer on a plot.
critical difference: Mean ranks further apart than this differ significantly by Nemenyi’s test or, from a
  control, by the Bonferroni-Dunn test. It shrinks with more tasks and grows with more methods.
cultivated: From the world, but gathered or altered only to have data to learn from.
dataset: A collection of cases with the same attributes.
default coding: The coding that follows from the prior information on an attribute, and that a method gets
  unless it asks for another.
dependency: Knowing the target of one case would tell something about the target of another.
development: Recommended for developing methods; do not use it to judge them afterwards.
early stopping: Training ends once the error on a validation set no longer falls. GL says how far that error
  is above its least so far, P how far the training error still falls. The weights of least error are kept.
encoding: Another word for coding: how the values of an attribute become the numbers that a method sees.
equivalence: Two methods are as good as each other where a test shows that they differ by less than a margin.
estimated expected loss: The mean loss over the training sets and test cases that were tried, with its
  standard error.
expected loss: The loss a method would have on average over fresh training sets and test cases. It is
  estimated by the mean over those tried.
F measure: Harmonic mean of precision and recall.
factor: What the members of a task-array differ in, such as noise; each has two or more levels.
factor effect: How the loss changes from one level of a factor to the other, on average over the tasks of the
  array. An interaction of two factors is half of how much the effect of one differs between the levels of the
  other.
family: Datasets of one simulator, or of one source: what is found on one of them is likely found on the
  others, too.
fold: One of the parts into which cases are cut for cross-validation: it is tested on once, and trained on
  otherwise.
Friedman’s test: Do the methods differ at all? It compares their mean ranks over the tasks with what equally
  good methods would have by chance.
gap: Cases kept out of training and test sets, because they may depend on cases that are in them.
guess: A single predicted value for each target.
hierarchical testing: Every training set is judged on a test set of its own.
historical: Kept because published work used it; not recommended for new comparisons.
Holm’s adjustment: Makes p-values larger where many pairs are tested, so that the chance of calling any equal
  pair different stays at the level chosen.
informative order: The order of the cases may mean something, such as the date of a visit.
input: An attribute that may be used to predict.
integer: A whole number that is not read as a category.
interval: Where the true value may lie, given how much the estimates scatter; the wider, the less is known.
learning experiment: Methods are applied to several task instances of one or more tasks, to estimate their
  expected losses.
learning method: See method.
learning slope: By how much the loss changes with each doubling of the training cases; below zero the method
  learns.
log probability: Loss for predictive distributions: minus the natural logarithm of the probability, or
  density, given to the true target.
loss: How far off a prediction is. Lower is better, everywhere.
loss matrix: What each pair of guess and truth costs.
McNemar's test: Compares two classifiers by the cases that only one of them has right.
mean rank: On each task the best method has rank 1, the next 2, and equal ones share the mean; then the mean
  over tasks. It depends on which methods are compared.
method: A procedure, described well enough to be repeated, that learns from a training set and predicts.
metric: One number of an instance, such as accuracy or RMSE, and whether the higher or the lower is better; a
  loss is one number of a test case.
missing value: Not known; written with a question mark, which may be followed by the reason.
multiple comparison with the best: Which methods may be the best one? Paid for choosing it from the data.
natural: From the world, and gathered because somebody wanted to learn about just that.
NLMH: The levels of noise, relevance or dependency that a prior thinks possible: none (N), low (L), medium
  (M), high (H).
no-guess penalty: What it costs to make no guess, where a loss lets a method do so.
noise level: How much of a target's variation no method could explain from the inputs: none, low, medium or
  high.
nominal: A category of three or more values without an order.
non-linearity: How much of what could be explained of a target the best linear model leaves unexplained.
non-standard instance: A training set and test set that a file lists case by case, instead of those of the
  standard scheme.
order: Whether the order of the cases may mean something.
ordinal: A category of three or more values in a natural order.
origin: Where the data come from: the world (natural), the world, but collected for comparing methods
  (cultivated), a realistic simulation (simulated), or a formula (artificial).
p-value: If two methods were equally good, how often would chance alone show a difference at least this large?
  Small values speak for a real difference.
passive value: The value that stands for nothing special, such as `no`; it is coded as zero.
performance: How well a method predicts: its expected loss. Its costs in time and memory stand
  beside it.
precision: Of the predictions of a class, the share that is right.
predicted positive rate: Share of all predictions that are of the class.
prediction: What a method says of the targets of a test case: a guess, or a predictive distribution.
predictive distribution: A prediction that gives every possible target value a probability.
prior: What is thought to be known before seeing the data: types of attributes, relevance of inputs, noise.
prior information: See prior.
prototask: What is to be predicted, from which inputs, on which cases. With a prior and a training size it
  becomes a task.
range: Every value that an attribute could have, with the permitted kinds of missing values.
real: A number from a continuous range.
recall: Of the cases of a class, the share that is predicted as it: its true positive rate.
region of practical equivalence: Differences so small that they do not matter in practice.
regression: All targets are numbers.
regret: How much more a method loses on a task than the best of those chosen: what is lost by choosing it.
relevance: How strongly an input is thought to matter for the targets: none, low, medium or high.
ROC curve: Share of a class that is found against the share of the others that is taken for it, for every
  threshold of the probability predicted.
score: One number that says how well a method did on a dataset, or in one fold of it.
sequential: The order of cases is kept because neighbours may depend on each other.
significant: A difference is significant where its adjusted p is below 1 less the confidence level; else it
  may be chance.
simulated: Made by a program that imitates something in the world.
specificity: Of the cases of other classes, the share that is not predicted as the class.
squared error: Loss for numeric targets: the squared distance between guess and target.
squared probability: Loss for one categorical target: squared distance between the probabilities given and the
  class that came true.
standard error: How far an estimate would typically move if the experiment were repeated with new data.
standard task instance: A training set and test set that the standard scheme of DELVE selects, the same for
  everybody.
standardized loss: The loss divided by that of a method that ignores the inputs: 1 is no better than
  predicting the mean, 0 is perfect. For log probability the reference is subtracted, so it lies at 0.
stratified: Each training set holds equally many cases of each value of the target.
supervised learning: Learning to predict targets from inputs, out of cases in which both are known.
target: An attribute that is to be predicted.
task: A prototask with prior information and a training size.
task instance: One training set of a task together with the test set it is judged on.
task-array: Tasks that differ in known respects only, such as the number of inputs, noise, non-linearity and
  training-set size. They show strengths and weaknesses of methods.
test case: A case of a test set: its targets are hidden from the method and compared with what it predicts.
test set: The cases on which predictions are judged.
training case: A case of a training set: its inputs and targets are shown to the method.
training set: The cases a method learns from.
transformation: A function applied to an attribute before it is encoded, such as its logarithm.
uncontrolled: Not chosen by the investigators, like the rain on a plot.
uninformative order: The order of the cases means nothing.
unit of replication: What counts once where results on many tasks are put together. Tasks of one dataset share
  cases; taken for independent they make chance look like proof. Results are averaged within the unit first.
unsupervised learning: Learning how attributes hang together, none of which is a target. The benchmark has no
  tasks for it.
usage: What the dataset is recommended for: developing methods, assessing them, or history.
validation set: Training cases that judge what was learned from the others.
value: What an attribute is in one case: a number or a word, missing, or censored.
win rate: Share of tasks on which one method is better than another; a tie counts half.
0-1 loss: Loss for categories: 0 for a right guess, 1 for a wrong one.
"""
GLOSSARY: Mapping[str, str] = dict(
    entry.split(": ", 1) for entry in TEXT.strip().replace("\n  ", " ").splitlines()
)
"""The meaning of each term: a line of the text, and the indented ones below it."""


def help_for(term: str) -> str:
    """Return the help text of a term. Raises KeyError for a term the glossary does not have."""
    return GLOSSARY[term]


def terms_with(text: str) -> list[str]:
    """Return the terms in which, or in whose meaning, all words of a text occur, those named so first."""
    asked = text.casefold().split()
    found = [
        term for term in GLOSSARY if all(word in f"{term} {GLOSSARY[term]}".casefold() for word in asked)
    ]
    return sorted(found, key=lambda term: not all(word in term.casefold() for word in asked))
