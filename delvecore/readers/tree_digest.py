"""Digest of the contents of a directory. It uses only the standard library, because wheel builds need it."""

import hashlib
import os
from collections.abc import Mapping

from delvecore.readers.tar_archives import Identity, identity_of


def is_current(identities: Mapping[str, Identity]) -> bool:
    """Do files and folders, given by path, have the same identities as when they were read?"""
    try:
        return all(identity_of(os.stat(path)) == identity for path, identity in identities.items())
    except OSError:
        return False


def tree_digest(root: str) -> tuple[str, dict[str, Identity]]:
    """Return the digest of a directory, and the identities of its files and folders by path.

    The digest is the SHA-256 of the relative names and contents of all files, in the order of names. A
    symbolic link counts by its name, not by the content of its target. Compiled Python modules do not count,
    because pip compiles the sources of an installed archive. A new or removed file changes the identity of
    its folder. Raises OSError."""
    whole, identities = hashlib.sha256(), dict[str, Identity]()
    for folder, folders, names in os.walk(root):
        folders.sort()
        identities[folder] = identity_of(os.stat(folder))
        for name in sorted([*names, *(one for one in folders if os.path.islink(os.path.join(folder, one)))]):
            if name.endswith(".pyc") and os.path.basename(folder) == "__pycache__":
                continue
            path = os.path.join(folder, name)
            inside = os.path.relpath(path, root).replace(os.sep, "/")
            if not os.path.isfile(path) or os.path.islink(path):
                whole.update(f"{inside}\0none\0".encode())
                continue
            with open(path, "rb", buffering=0) as file:
                identities[path] = identity_of(os.fstat(file.fileno()))
                content = file.read()
            whole.update(f"{inside}\0{len(content)}\0".encode())
            whole.update(content)
    return whole.hexdigest(), identities
