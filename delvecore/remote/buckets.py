"""Buckets of Amazon S3, compatible stores and Google Cloud Storage, read through Arrow.

Credentials, regions and endpoints are found as the providers' tools find them. The file systems of fsspec for
these stores would need thirty more packages; Arrow is a dependency already."""

import os
import re
import time
from datetime import timedelta
from urllib.parse import urlsplit

from pyarrow import fs

from delvecore.remote.stores import ALONE, BILLION, ChangedError, Found, Listed, StoreFault, Write, listed

PIECE = 1 << 22
PATIENCE, CONNECTING, TRIES = 30.0, 10.0, 3
SAID = {
    "NO_SUCH_BUCKET": ("no such bucket", "check the address"),
    "ACCESS_DENIED": ("no permission", "check the credentials, or ask for access"),
    "FORBIDDEN": ("no permission", "check the credentials, or ask for access"),
    "INVALID_ACCESS_KEY_ID": ("credentials that are not known there", "check them"),
    "SIGNATURE_DOES_NOT_MATCH": ("credentials that do not fit", "check them"),
    "EXPIRED_TOKEN": ("credentials that have expired", "sign in again"),
    "NETWORK_CONNECTION": ("no connection", "check the network and the address"),
    "REQUEST_TIMEOUT": ("no answer in time", "try again"),
    "Could not create a OAuth2 access token": ("no credentials", "sign in, or ask for access"),
    "Could not resolve hostname": ("no connection", "check the network and the address"),
    "CURL error": ("no connection", "check the network and the address"),
    "HTTP status 301": ("a bucket in another region", "set AWS_REGION"),
    "HTTP status 404": ("no such bucket", "check the address"),
    "HTTP status 403": ("no permission", "check the credentials, or ask for access"),
    "Permission denied": ("no permission", "check the credentials, or ask for access"),
    "Bucket not found": ("no such bucket", "check the address"),
    "The specified bucket does not exist": ("no such bucket", "check the address"),
}
"""Meanings of errors and their remedies, by a part of the error's text."""
UNSIGNED = ("no permission", "no credentials", "credentials that are not known there")


class Bucket:
    """A bucket.

    Attributes
    ----------
    scheme : str
        `s3` or `gs`. A bucket that the user's credentials cannot read is read without credentials.
    """

    def __init__(self, scheme: str, name: str) -> None:
        self.scheme, self.name = scheme, name
        self._system: fs.FileSystem | None = None

    def look(self, path: str) -> Found:
        try:
            return self._look(path)
        except StoreFault as fault:
            if fault.found not in UNSIGNED:
                raise
            signed, self._system = self._system, self._connected(anonymous=True)
            try:
                return self._look(path)
            except StoreFault as other:
                self._system = signed
                raise (fault if other.found in UNSIGNED else other) from None

    def _look(self, path: str) -> Found:
        place, address = self._place(path), f"{self.scheme}://{self._place(path)}"
        try:
            system, begin = self._connection(), time.time()
            below = system.get_file_info(fs.FileSelector(place, recursive=True, allow_not_found=True))
            files = {one.path[len(place) + 1 :]: _listed(one, begin) for one in below if one.is_file}
            if not files and (alone := system.get_file_info(place)).is_file:
                files = {ALONE: _listed(alone, begin)}
            is_bucket = bool(files) or system.get_file_info(self.name).type != fs.FileType.NotFound
        except OSError as error:
            raise fault_of(address, error) from None
        if not files:
            actual = "nothing there" if is_bucket else "no such bucket"
            raise StoreFault(address, "a delve directory or a file", actual, "check the address")
        return files

    def fetch(self, path: str, known: Listed, write: Write) -> None:
        taken = 0
        try:
            with self._connection().open_input_stream(self._place(path), compression=None) as stream:
                while piece := stream.read(PIECE):
                    taken += len(piece)
                    write(piece)
        except FileNotFoundError:
            raise ChangedError from None
        except OSError as error:
            raise fault_of(f"{self.scheme}://{self._place(path)}", error) from None
        if taken != known.size:
            raise ChangedError

    def _place(self, path: str) -> str:
        return f"{self.name}/{path}".rstrip("/")

    def _connection(self) -> fs.FileSystem:
        if self._system is None:
            self._system = self._connected()
        return self._system

    def _connected(self, *, anonymous: bool = False) -> fs.FileSystem:
        try:
            return _s3(self.name, anonymous) if self.scheme == "s3" else _gs(anonymous)
        except ImportError:  # some builds of Arrow lack a store
            address, actual = f"{self.scheme}://{self.name}", "one that was built without"
            expected = f"pyarrow with support for {self.scheme}://"
            raise StoreFault(address, expected, actual, "install the wheel from PyPI") from None


def _s3(bucket: str, anonymous: bool) -> fs.FileSystem:
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    if region is None and not endpoint:
        region = fs.resolve_s3_region(bucket)
    where = ({"region": region} if region else {}) | _at(endpoint, "https")
    return fs.S3FileSystem(
        anonymous=anonymous,
        request_timeout=PATIENCE,
        connect_timeout=CONNECTING,
        retry_strategy=fs.AwsStandardS3RetryStrategy(max_attempts=TRIES),
        **where,
    )


def _gs(anonymous: bool) -> fs.FileSystem:
    endpoint = os.environ.get("STORAGE_EMULATOR_HOST")
    patience, where = timedelta(seconds=CONNECTING), _at(endpoint, "http")
    return fs.GcsFileSystem(anonymous=anonymous or bool(endpoint), retry_time_limit=patience, **where)


def _at(endpoint: str | None, scheme: str) -> dict[str, str]:
    """Return the arguments for an endpoint; `scheme` is used if the endpoint has none."""
    if not endpoint:
        return {}
    parts = urlsplit(endpoint if "://" in endpoint else f"{scheme}://{endpoint}")
    return {"endpoint_override": parts.netloc, "scheme": parts.scheme}


def _listed(info: fs.FileInfo, begin: float) -> Listed:
    """Return the entry of an object; `begin` is the time at which the listing began."""
    return listed(info.size, info.mtime_ns // BILLION, f"{info.mtime_ns}", now=begin)


def fault_of(address: str, error: OSError) -> StoreFault:
    """Return the fault of an address for an error of Arrow."""
    text = str(error)
    actual, remedy = next((reply for mark, reply in SAID.items() if mark in text), ("", ""))
    if not actual:
        words = re.sub(r"^.*?operation: ", "", " ".join(text.split()))
        actual, remedy = f"an error there ({words[:120]})", "try again"
    return StoreFault(address, "what can be read", actual, remedy)
