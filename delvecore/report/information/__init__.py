"""What dinfo, minfo and mstats print."""
