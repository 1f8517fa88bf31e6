"""Tables that are read a batch at a time, of as many rows and files as there are."""
