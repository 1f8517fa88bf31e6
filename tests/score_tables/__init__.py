"""Tests of how tables of scores are read."""
