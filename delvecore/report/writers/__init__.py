"""Tables as text, LaTeX, HTML, Markdown, Typst, CSV."""
