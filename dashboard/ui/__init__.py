"""What every page shares; imports no page."""
