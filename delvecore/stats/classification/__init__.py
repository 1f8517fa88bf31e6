"""Evaluation of classifiers: contingency tables, measures, intervals, null hypotheses."""
