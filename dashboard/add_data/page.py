"""Add data: how does mine do beside these?"""

from dashboard.add_data import own as own_parts
from dashboard.frame import page, words
from dashboard.server import uploads
from dashboard.server.uploads import Own


def sentence(mine: Own) -> str:
    if not mine.added:
        return (
            "**Nothing of yours yet.** Drop the archive file of a method or a dataset here: it is checked "
            "and shown beside this archive, to you alone."
        )
    names = [f"the {added.kind} **{words.escape(added.name)}**" for added in mine.added.values()]
    verb = "is" if len(names) == 1 else "are"
    text = f"{words.and_list(names)} {verb} shown beside this archive on all pages, to you alone."
    return text[0].upper() + text[1:]


view = page.begin("How does mine do beside these?")
mine = uploads.own()
page.answer(sentence(mine), view)
own_parts.show_refused(mine)
own_parts.take_files(mine)
for added in list(mine.added.values()):
    own_parts.show_added(view, mine, added)
if not mine.added:
    page.empty_state(
        "What you add appears here,",
        "with what is wrong with it, if anything. To make an archive file:",
        "delve pack METHOD",
    )
