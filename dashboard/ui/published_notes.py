"""What a page says below a figure with results that were published elsewhere."""

from collections.abc import Sequence

from delvecore.losses.published import PUBLISHED_SIGN, PublishedValue, origins_of
from delvecore.plots import words

__all__ = ["published_note"]


def published_note(found: Sequence[PublishedValue]) -> str:
    """Say what hollow marks are, and where their figures come from, for the end of a caption."""
    if not found:
        return ""
    said = words.escape("; ".join(origins_of(found)))
    return (
        f" Hollow marks, {PUBLISHED_SIGN}: published elsewhere, bars of one standard deviation over runs; "
        f"never tested. {said}."
    )
