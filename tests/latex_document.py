"""A whole document of LaTeX around tables, to see them set."""


def latex_document(*tables: str) -> str:
    """Return a whole document that holds the tables."""
    head = [r"\documentclass[a4paper]{article}", r"\usepackage[landscape,margin=2cm]{geometry}"]
    head += [r"\usepackage{booktabs,longtable}", r"\begin{document}"]
    return "\n".join([*head, *tables, r"\end{document}", ""])
