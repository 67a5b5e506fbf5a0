"""What is read from storage is believed only where it is whole, and leads nowhere else."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from kbtui.errors import RemoteError
from kbtui.publishing.manifest import (
    Blob,
    IndexFile,
    Manifest,
    Pointer,
    PublishedFile,
    digest,
    read_manifest,
    read_pointer,
)

URL = "s3://books/handbook"
WORDS = Blob(sha256=digest(b"words"), size=5, object=digest(b"some words"), offset=5)
KNOWN = Manifest(
    format=1,
    generation="g",
    published_at="2026-01-01T00:00:00+00:00",
    program="1",
    schema=8,
    made_of="",
    index=[IndexFile(path="g1/meta.json", blob=WORDS)],
    files=[PublishedFile(path="a/b.md", mtime_ns=1, content=WORDS)],
    objects={WORDS.object: 10},
)
POINTER = Pointer(format=1, generation="g", manifest="0" * 64, published_at="2026-01-01T00:00:00+00:00")


def read(manifest: Manifest) -> Manifest:
    data = msgspec.json.encode(manifest)
    return read_manifest(data, replace(POINTER, manifest=digest(data)), URL)


def test_a_manifest_that_is_whole_is_read() -> None:
    assert read(KNOWN) == KNOWN
    assert KNOWN.size == 5
    assert read_pointer(msgspec.json.encode(POINTER), URL) == POINTER


def test_another_manifest_than_the_one_that_is_meant_is_refused() -> None:
    with pytest.raises(RemoteError, match="its list of objects was changed"):
        read_manifest(msgspec.json.encode(KNOWN), POINTER, URL)


@pytest.mark.parametrize("path", ["../../outside.md", "/etc/outside.md", "a//b", "a/./b", "", "a\0b", ".."])
def test_no_path_of_a_manifest_leaves_the_folder(path: str) -> None:
    for changed in (
        replace(KNOWN, files=[replace(KNOWN.files[0], path=path)]),
        replace(KNOWN, index=[replace(KNOWN.index[0], path=path)]),
    ):
        with pytest.raises(RemoteError, match="was changed"):
            read(changed)


@pytest.mark.parametrize(
    "blob",
    [
        replace(WORDS, sha256="../x"),
        replace(WORDS, object="../x"),
        replace(WORDS, offset=6),
        replace(WORDS, object="0" * 64),
    ],
)
def test_a_blob_is_within_an_object_of_the_manifest(blob: Blob) -> None:
    with pytest.raises(RemoteError, match="was changed"):
        read(replace(KNOWN, index=[replace(KNOWN.index[0], blob=blob)]))


def test_no_size_is_below_zero() -> None:
    data = msgspec.json.encode(KNOWN).replace(b'"offset":5', b'"offset":-5')
    with pytest.raises(RemoteError):
        read_manifest(data, replace(POINTER, manifest=digest(data)), URL)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"\xff" * 100,
        msgspec.json.encode(replace(POINTER, generation="../../x")),
        msgspec.json.encode(replace(POINTER, manifest="x")),
    ],
)
def test_a_pointer_that_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(RemoteError, match="was changed") as raised:
        read_pointer(data, URL)
    assert "--whole" in raised.value.hint


def test_a_later_format_is_said_to_be_one() -> None:
    with pytest.raises(RemoteError, match="another version of kbtui"):
        read_pointer(b'{"format": 99}', URL)
