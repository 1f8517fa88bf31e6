"""The whole archive of DELVE for the browser, in the folder `delve`: found by `delvecore.locations`."""
