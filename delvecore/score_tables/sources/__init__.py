"""Tables of known programs: results of harnesses, benchmarks, libraries and trackers of experiments."""
