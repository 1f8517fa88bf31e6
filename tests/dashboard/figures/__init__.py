"""Tests of the figures that tests/dashboard/test_figures.py does not hold."""
