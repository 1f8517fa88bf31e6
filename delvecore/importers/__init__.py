"""Data in and out: files and frames of cases into datasets of an archive, and datasets into files and
frames."""
