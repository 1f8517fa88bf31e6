"""Answers to questions about methods: each module covers one question and returns an `Answer`."""
