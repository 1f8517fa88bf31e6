"""What a visitor can read on a page that was run without a browser."""

from streamlit.testing.v1 import AppTest


def texts(app: AppTest) -> str:
    """Return all running text of a page."""
    kinds = (app.title, app.markdown, app.subheader, app.caption, app.text, app.info, app.warning, app.error)
    return "\n".join(str(item.value) for kind in kinds for item in kind)


def codes(app: AppTest) -> list[str]:
    """Return the contents of all code blocks."""
    return [item.value for item in app.code]
