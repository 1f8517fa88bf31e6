"""Calls in several threads or processes, or on the workers of a Dask cluster."""
