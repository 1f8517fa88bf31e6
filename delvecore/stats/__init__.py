"""Statistics of losses: the DELVE manual's section 8."""
