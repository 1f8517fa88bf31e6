"""Datasets and methods in archive files, as in appendix A of the manual."""
