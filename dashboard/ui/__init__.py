"""Parts that pages share. This package imports no page."""
