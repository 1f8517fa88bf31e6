"""Calls computed by several threads, processes, or the workers of a Dask cluster."""
