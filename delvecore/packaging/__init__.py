"""Datasets and methods are passed on, and taken in, as the archive files of the manual's appendix A."""
