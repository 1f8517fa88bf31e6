"""Import of files and frames of cases as datasets of an archive, and export of datasets."""
