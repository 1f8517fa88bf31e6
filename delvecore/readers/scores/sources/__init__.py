"""Tables of known programs and archives."""
