"""Files and frames of cases become datasets of an archive, and datasets files and frames."""
