"""Requests carried out by a crew: several processes here, or the workers of a Dask cluster."""
