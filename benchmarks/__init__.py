"""Benchmarks: every figure beside a plain way of doing the same work, measured in the same run."""
