"""Archives and tables of scores in object stores and behind web servers, read as if they lay here."""
