"""Answers to questions about methods: one module a question, each of which gives an `Answer`."""
