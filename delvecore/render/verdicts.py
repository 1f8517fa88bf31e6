"""The words of verdicts, for all outputs. Programs read the codes of `Verdict`."""

SIGNIFICANT = "significant"
SIGNIFICANTLY = f"{SIGNIFICANT}ly"
BETTER, WORSE = f"{SIGNIFICANTLY} better", f"{SIGNIFICANTLY} worse"
NOT_BETTER, NOT_WORSE = f"not {BETTER}", f"not {WORSE}"
NOT_DIFFERENT = f"not {SIGNIFICANTLY} different"
NO_DIFFERENCE = f"no {SIGNIFICANT} difference"
NOT_TESTED = "not tested"
