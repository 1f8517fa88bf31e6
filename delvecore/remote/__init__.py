"""Archives and tables of scores in object stores and on web servers, read through copies in the cache."""
