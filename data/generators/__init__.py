"""What the generators of the archive's datasets share: draws, files, bundled data, the simulated arm."""
