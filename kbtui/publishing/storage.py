"""Objects below one prefix of a bucket that speaks S3.

boto3 is the platform's own client: its credentials (environment, profiles, SSO, roles), ``AWS_ENDPOINT_URL`` and its
proxies are those of other tools on the machine. It is imported when the first collection is opened.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

from kbtui.errors import KbtuiError, RemoteError
from kbtui.settings.published import split_url
from kbtui.text.terminal import one_line

INSTALL_HINT: Final = "pip install 'kbtui[s3]'"
CONNECTIONS: Final = 8
"""Requests that are under way at once."""

_CONNECT_S: Final = 3
_READ_S: Final = 20
_ATTEMPTS: Final = 2
_BLOCK: Final = 1 << 20
_MISSING: Final = frozenset({"NoSuchKey", "404", "NotFound"})
_REFUSED: Final = frozenset(
    {
        *("AccessDenied", "403", "Forbidden", "AllAccessDisabled", "AccountProblem", "InvalidAccessKeyId"),
        *("SignatureDoesNotMatch", "ExpiredToken", "InvalidToken", "TokenRefreshRequired", "UnauthorizedAccess"),
    }
)

T = TypeVar("T")


class ObjectMissing(Exception):
    """There is no such object; the key is the argument."""


class Storage:
    """The objects of one collection; safe to use from several threads.

    Every method raises `RemoteError` where the storage cannot be reached or refuses.

    Args:
        url: Address of the collection.

    Raises:
        RemoteError: boto3 is not installed, or its configuration is broken.
        UsageError: The address is not well-formed.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.bucket, self._prefix = split_url(url)
        try:
            import boto3
            from botocore.config import Config
        except ImportError as error:
            raise RemoteError("Published collections need the package boto3.", INSTALL_HINT) from error
        with self._errors():
            self._client: Any = boto3.session.Session().client(
                "s3",
                config=Config(
                    connect_timeout=_CONNECT_S,
                    read_timeout=_READ_S,
                    retries={"total_max_attempts": _ATTEMPTS, "mode": "standard"},
                    max_pool_connections=CONNECTIONS,
                    # Other servers than Amazon's know no such checksums; SHA-256 of each object is compared here.
                    request_checksum_calculation="when_required",
                    response_checksum_validation="when_required",
                ),
            )

    def get(self, key: str, at_most: int, start: int = 0) -> bytes:
        """At most ``at_most`` bytes of an object, from ``start`` on.

        Raises:
            ObjectMissing: There is none.
        """
        with self._errors(key):
            asked = f"bytes={start}-{start + at_most - 1}"
            body = self._client.get_object(Bucket=self.bucket, Key=self._key(key), Range=asked)["Body"]
            with contextlib.closing(body):
                data: bytes = body.read(at_most)
            return data

    def blocks(self, key: str) -> Iterator[bytes]:
        """The bytes of an object, in blocks.

        Raises:
            ObjectMissing: There is none.
        """
        with self._errors(key):
            body = self._client.get_object(Bucket=self.bucket, Key=self._key(key))["Body"]
            with contextlib.closing(body):
                yield from body.iter_chunks(_BLOCK)

    def put(self, key: str, data: bytes) -> None:
        """Write an object."""
        with self._errors(writes=True):
            self._client.put_object(Bucket=self.bucket, Key=self._key(key), Body=data)

    def put_file(self, key: str, path: Path) -> None:
        """Write an object of any size from a file, in parts where it is large."""
        with self._errors(writes=True):
            self._client.upload_file(str(path), self.bucket, self._key(key))

    def sizes(self, folder: str) -> dict[str, tuple[int, float]]:
        """Size in bytes and time of writing (seconds since 1970) of the objects below ``folder``, by key."""
        found = {}
        with self._errors():
            pages = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self.bucket, Prefix=self._key(f"{folder}/")
            )
            for page in pages:
                for item in page.get("Contents", ()):
                    found[item["Key"][len(self._prefix) + 1 :]] = item["Size"], item["LastModified"].timestamp()
        return found

    def delete(self, keys: list[str]) -> None:
        """Delete objects."""
        with self._errors(writes=True):
            for start in range(0, len(keys), 1000):
                group = [{"Key": self._key(key)} for key in keys[start : start + 1000]]
                self._client.delete_objects(Bucket=self.bucket, Delete={"Objects": group, "Quiet": True})

    def _key(self, key: str) -> str:
        return f"{self._prefix}/{key}"

    @contextlib.contextmanager
    def _errors(self, key: str = "", *, writes: bool = False) -> Iterator[None]:
        """Turn errors of boto3 into those of kbtui.

        Args:
            key: The object that is read, for `ObjectMissing`.
        """
        try:
            yield
        except KbtuiError:
            raise
        except Exception as error:  # boto3 has many bases: botocore's, s3transfer's, urllib3's
            raise _translated(error, self.url, self.bucket, key, writes=writes) from error


def _translated(error: Exception, url: str, bucket: str, key: str, *, writes: bool) -> Exception:
    from boto3.exceptions import Boto3Error
    from botocore import exceptions as aws

    while isinstance(error, Boto3Error) and isinstance(error.__context__, Exception):
        error = error.__context__
    if isinstance(error, aws.ClientError):
        code = str(error.response.get("Error", {}).get("Code", ""))
        # InvalidRange is an object without a byte where one was asked for.
        if key and code in (*_MISSING, "InvalidRange"):
            return ObjectMissing(key)
        if code == "NoSuchBucket":
            return RemoteError(
                f"There is no bucket {bucket}.", "Check its name; AWS_ENDPOINT_URL says which server is asked."
            )
        if code in _REFUSED:
            return RemoteError(
                f"{url} may not be written with these credentials ({one_line(code, 60)})."
                if writes
                else f"{url} may not be read with these credentials ({one_line(code, 60)}).",
                "Check the profile (AWS_PROFILE) and the rights on the bucket.",
            )
        return RemoteError(
            f"The storage refused {url} ({one_line(code, 60)}).", "Check the bucket, its region and AWS_ENDPOINT_URL."
        )
    if isinstance(error, _credential_errors(aws)):
        return RemoteError(
            f"There are no credentials for {url}.",
            "Sign in as for other AWS tools: environment variables, a profile (AWS_PROFILE) or a role of the machine.",
        )
    if isinstance(error, aws.ProfileNotFound | aws.ConfigParseError | aws.PartialCredentialsError | ValueError):
        return RemoteError(
            f"The AWS settings of this machine cannot be used ({type(error).__name__}).",
            "Check ~/.aws, AWS_PROFILE and AWS_ENDPOINT_URL.",
        )
    return RemoteError(
        f"{url} cannot be reached ({type(error).__name__}).", "Check the network, and AWS_ENDPOINT_URL where it is set."
    )


def _credential_errors(aws: Any) -> tuple[type[Exception], ...]:
    names = ("NoCredentialsError", "CredentialRetrievalError", "TokenRetrievalError", "SSOError", "NoAuthTokenError")
    return tuple(getattr(aws, name) for name in names if hasattr(aws, name))


def in_turns(work: Callable[[T], None], items: Iterator[T], done: Callable[[T], None]) -> None:
    """Do ``work`` for every item, several at once; ``done`` is called in this thread after each.

    Raises:
        Exception: The first error of any of them; what has not begun by then is not done.
    """
    from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

    running: dict[Future[None], T] = {}
    with ThreadPoolExecutor(CONNECTIONS, thread_name_prefix="kbtui-storage") as pool:

        def collect(least: int) -> None:
            while len(running) >= least and running:
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    item = running.pop(future)
                    future.result()
                    done(item)

        try:
            # No more items than that are held in memory.
            for item in items:
                running[pool.submit(work, item)] = item
                collect(2 * CONNECTIONS)
            collect(1)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
