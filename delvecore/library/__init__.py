"""The library for notebooks: rankings and comparisons of frames, tables and arrays, with their displays."""
