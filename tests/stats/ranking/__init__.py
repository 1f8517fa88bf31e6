"""Tests of the statistics over many tasks."""
