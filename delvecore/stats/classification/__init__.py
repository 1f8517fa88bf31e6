"""What classifiers' predictions are worth: contingency tables, measures, intervals, null hypotheses."""
