"""What a notebook uses: rankings and comparisons of frames, tables and arrays, with what they show."""
