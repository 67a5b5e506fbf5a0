"""What goes wrong between a publisher and its readers: each is a clear message, or the last good generation."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from kbtui.domain.events import Event, Warned
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, KbtuiError, KnowledgeBaseError, RemoteError, StorageError
from kbtui.publishing import fetch, manifest, storage
from kbtui.publishing.base import PublishedBase
from kbtui.publishing.collection import Collection, Generation
from kbtui.publishing.publish import Publisher
from kbtui.publishing.snapshot import snapshot
from kbtui.publishing.storage import Storage
from kbtui.settings import paths
from kbtui.settings.model import Settings
from kbtui.settings.published import local_root
from tests.publishing.conftest import Publish
from tests.support.object_storage import Bucket, refusing_server

PREFIX = "team/handbook"
NOWHERE = "http://127.0.0.1:9"
"""Nothing listens at the port of the discard protocol."""


def opened(url: str, cache_mb: float = 100.0) -> tuple[Generation, Warned | None]:
    collection = Collection(url, replace(Settings().published, cache_mb=cache_mb))
    return collection.open(lambda _: None, CancelToken()), collection.warning()


def failure(url: str, cache_mb: float = 100.0) -> KbtuiError:
    with pytest.raises(KbtuiError) as raised:
        opened(url, cache_mb)
    assert raised.value.hint
    return raised.value


def objects(bucket: Bucket) -> list[str]:
    return bucket.names(f"{PREFIX}/objects")


# Where nothing was fetched before


def test_where_nothing_is_published_that_is_said(url: str) -> None:
    error = failure(url)
    assert isinstance(error, RemoteError)
    assert error.message == f"Nothing is published at {url}."
    assert "kbtui publish" in error.hint


def test_a_missing_bucket_is_named(bucket: Bucket, kb: Path) -> None:
    assert failure("s3://no-such-bucket/handbook").message == "There is no bucket no-such-bucket."
    with pytest.raises(RemoteError, match=r"There is no bucket no-such-bucket\."):
        Publisher(kb, "s3://no-such-bucket/handbook", Settings()).publish(lambda _: None, CancelToken())


@pytest.mark.parametrize("code", ["AccessDenied", "InvalidAccessKeyId", "ExpiredToken"])
def test_refused_credentials_are_said_without_repeating_them(
    url: str, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    with refusing_server(code) as endpoint:
        monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
        error = failure(url)
    assert error.message == f"{url} may not be read with these credentials ({code})."
    assert "AWS_PROFILE" in error.hint
    assert "planted" not in str(error)


def test_rights_to_read_are_none_to_write(url: str, kb: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Storage, "get", lambda *_: (_ for _ in ()).throw(storage.ObjectMissing("current")))
    monkeypatch.setattr(Storage, "sizes", lambda *_: {})
    with refusing_server("AccessDenied") as endpoint:
        monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
        with pytest.raises(RemoteError, match="may not be written with these credentials"):
            Publisher(kb, url, Settings()).publish(lambda _: None, CancelToken())


def test_other_refusals_are_named(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with refusing_server("PermanentRedirect", 301) as endpoint:
        monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
        assert "PermanentRedirect" in failure(url).message


def test_missing_credentials_are_said(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    error = failure(url)
    assert error.message == f"There are no credentials for {url}."
    assert "AWS_PROFILE" in error.hint


def test_a_profile_that_is_not_there_is_said(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "nobody")
    assert failure(url).message.startswith("The AWS settings of this machine cannot be used")


def test_a_server_that_cannot_be_reached_is_said(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", NOWHERE)
    error = failure(url)
    assert error.message.startswith(f"{url} cannot be reached")
    assert "AWS_ENDPOINT_URL" in error.hint


def test_without_boto3_the_extra_is_named(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "boto3", None)
    error = failure(url)
    assert "boto3" in error.message
    assert error.hint == "pip install 'kbtui[s3]'"


def test_a_generation_without_an_object_is_not_whole(publish: Publish, url: str, bucket: Bucket) -> None:
    publish()
    bucket.delete(objects(bucket)[0])
    assert "is not whole" in failure(url).message
    assert not list(paths.published_dir().glob("*/g-*")), "nothing of it is asked"


def test_a_generation_without_its_manifest_is_not_whole(publish: Publish, url: str, bucket: Bucket) -> None:
    publish()
    bucket.delete(bucket.names(f"{PREFIX}/generations")[0])
    assert "is not whole" in failure(url).message


def test_a_changed_object_is_found_out(publish: Publish, url: str, bucket: Bucket) -> None:
    publish()
    key = objects(bucket)[0]
    data = bytearray(bucket.read(key))
    data[len(data) // 2] ^= 1
    bucket.write(key, bytes(data))
    error = failure(url)
    assert error.message == f"{url} is not what was published: an object was changed."
    assert "--whole" in error.hint
    assert not list(paths.published_dir().glob("*/g-*"))
    publish(whole=True)
    assert opened(url)[1] is None


def test_a_changed_manifest_is_found_out(publish: Publish, url: str, bucket: Bucket) -> None:
    publish()
    key = bucket.names(f"{PREFIX}/generations")[0]
    bucket.write(key, bucket.read(key).replace(b"rollback.md", b"rollbakk.md"))
    assert "its list of objects was changed" in failure(url).message


def test_a_manifest_of_colliding_paths_makes_no_generation(publish: Publish, url: str, bucket: Bucket) -> None:
    publish()
    with planted(
        bucket, lambda known: replace(known, files=[*known.files, replace(known.files[0], path="config.py/x")])
    ):
        assert isinstance(failure(url), StorageError)
    assert not list(paths.published_dir().glob("*/g-*"))


def test_an_index_of_another_version_is_said(publish: Publish, url: str, bucket: Bucket) -> None:
    publish()
    with planted(bucket, lambda known: replace(known, schema=1, program="0.1")):
        error = failure(url)
    assert "published by kbtui 0.1" in error.message
    assert "Publish it again" in error.hint


@contextmanager
def planted(bucket: Bucket, change: Callable[[manifest.Manifest], manifest.Manifest]) -> Iterator[None]:
    """Another manifest and a pointer to it, as somebody with the right to write can leave them."""
    present = bucket.read(f"{PREFIX}/current")
    pointer = msgspec.json.decode(present, type=manifest.Pointer)
    key = f"{PREFIX}/{manifest.manifest_key(pointer.generation)}"
    own = bucket.read(key)
    changed = msgspec.json.encode(change(msgspec.json.decode(own, type=manifest.Manifest)))
    bucket.write(key, changed)
    bucket.write(f"{PREFIX}/current", msgspec.json.encode(replace(pointer, manifest=manifest.digest(changed))))
    yield
    bucket.write(key, own)
    bucket.write(f"{PREFIX}/current", present)


# Where a generation was fetched before


def test_without_a_network_the_last_generation_answers_and_that_is_said(
    publish: Publish, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish()
    first, warning = opened(url)
    assert warning is None
    monkeypatch.setenv("AWS_ENDPOINT_URL", NOWHERE)
    generation, warning = opened(url)
    assert generation.root == first.root
    assert warning is not None
    assert f"{url} cannot be reached" in warning.message
    assert f"what was published on {first.pointer.published_at[:10]}" in warning.message


def test_a_network_that_goes_away_in_the_middle_leaves_the_last_generation(
    publish: Publish, url: str, kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish()
    first, _ = opened(url)
    (kb / "more.md").write_text("# More\n\nMore words.\n")
    publish()
    get, left = Storage.get, iter([True, True])

    def break_off(self: Storage, key: str, at_most: int, start: int = 0) -> bytes:
        if not next(left, False):
            monkeypatch.setattr(self._client.meta.events, "emit_until_response", no_network)
        return get(self, key, at_most, start)

    def no_network(*_: object, **__: object) -> None:
        raise ConnectionResetError

    monkeypatch.setattr(Storage, "get", break_off)
    generation, warning = opened(url)
    assert generation.root == first.root
    assert warning is not None and "cannot be reached" in warning.message


@pytest.mark.parametrize("damage", ["missing", "changed"])
def test_a_generation_that_is_not_whole_leaves_the_last_one(
    publish: Publish, url: str, kb: Path, bucket: Bucket, damage: str
) -> None:
    publish()
    first, _ = opened(url)
    before = objects(bucket)
    (kb / "more.md").write_text("# More\n\nMore words.\n")
    publish()
    new = next(key for key in objects(bucket) if key not in before)
    bucket.delete(new) if damage == "missing" else bucket.write(new, b"x" * len(bucket.read(new)))
    generation, warning = opened(url)
    assert generation.root == first.root
    assert warning is not None and "The answer is from what was published on" in warning.message
    assert PublishedBase(generation, Settings()).file_count() == 5


def test_a_publisher_that_dies_changes_nothing_for_readers(
    publish: Publish, url: str, kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish()
    first, _ = opened(url)
    (kb / "more.md").write_text("# More\n\nMore words.\n")
    put = Storage.put

    def die(self: Storage, key: str, data: bytes) -> None:
        if key == manifest.CURRENT:
            raise Cancelled
        put(self, key, data)

    with monkeypatch.context() as patch:
        patch.setattr(Storage, "put", die)
        with pytest.raises(Cancelled):
            publish()
    generation, warning = opened(url)
    assert (generation.root, warning) == (first.root, None)
    publish()
    assert PublishedBase(opened(url)[0], Settings()).file_count() == 6


def test_a_changed_copy_of_a_file_is_never_cited(publish: Publish, url: str) -> None:
    publish()
    generation, _ = opened(url)
    copy = generation.root / "config.py"
    copy.chmod(0o600)
    copy.write_text("MAX_RETRIES = 6\n")
    with pytest.raises(RemoteError, match=r"The copy of config\.py on this machine was changed") as raised:
        PublishedBase(generation, Settings()).source.lines("config.py")
    assert str(generation.root.parent) in raised.value.hint


def test_a_changed_copy_of_the_index_is_fetched_again(publish: Publish, url: str, kb: Path) -> None:
    publish()
    generation, _ = opened(url)
    (page,) = (generation.root.parent / "index").glob("g*/chunks.lance/data/*.lance")
    page.chmod(0o600)
    page.write_bytes(b"\0" * page.stat().st_size)
    del generation
    again, warning = opened(url)
    assert warning is None
    assert PublishedBase(again, Settings()).index.chunk_count > 0
    PublishedBase(again, Settings()).index.verify()


# Room


def test_a_collection_that_does_not_fit_is_said(publish: Publish, url: str) -> None:
    publish()
    error = failure(url, cache_mb=0.01)
    assert isinstance(error, StorageError)
    assert "published.cache_mb allows 0.01" in error.message
    assert "published.cache_mb" in error.hint


def test_what_is_not_read_makes_room_and_what_is_read_stays(
    publish: Publish, url: str, kb: Path, bucket: Bucket
) -> None:
    publish()
    first, _ = opened(url)
    other = f"s3://{bucket.name}/team/other"
    (kb / "other.md").write_text("# Other\n\nOther words.\n")
    limit_mb = Publisher(kb, other, Settings()).publish(lambda _: None, CancelToken()).size / 1e6 + 0.001
    assert "cache of published collections is full" in failure(other, limit_mb).message
    place = first.root
    del first
    second, warning = opened(other, limit_mb)
    assert warning is None
    assert not place.exists() and second.root.exists()
    assert not any(local_root(url).iterdir()), "the folder of the removed one is an empty one again"


def test_a_full_disk_is_said(publish: Publish, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    publish()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fetch, "_assemble", full)
    error = failure(url)
    assert isinstance(error, StorageError)
    assert "No space left on device" in error.message


# Publishing


def test_old_generations_are_removed_and_their_objects_later(
    publish: Publish, url: str, kb: Path, bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(keep=2)
    for number in (1, 2):
        (kb / "runbooks/rollback.md").write_text(f"# Roll back\n\nWords of generation {number}.\n")
        report = publish(keep=2)
    assert report.removed == 1
    assert len(bucket.names(f"{PREFIX}/generations")) == 2
    old = objects(bucket)
    monkeypatch.setattr("kbtui.publishing.publish._GRACE_S", -60.0)
    (kb / "runbooks/rollback.md").write_text("# Roll back\n\nWords of the last generation.\n")
    publish(keep=1, whole=True)
    assert len(bucket.names(f"{PREFIX}/generations")) == 1
    generation, _ = opened(url)
    assert {key.rpartition("/")[2] for key in objects(bucket)} == set(generation.manifest.objects)
    assert not set(old) <= set(objects(bucket))
    base = PublishedBase(generation, Settings())
    assert base.source.lines("runbooks/rollback.md")[2] == "Words of the last generation."


def test_who_may_write_but_not_delete_publishes_all_the_same(
    publish: Publish, kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise RemoteError("It may not be written.")

    monkeypatch.setattr(Storage, "delete", refuse)
    report = publish()
    assert report.is_new and report.problem == "It may not be written."


def test_a_damaged_generation_is_replaced_as_a_whole(publish: Publish, url: str, bucket: Bucket, kb: Path) -> None:
    publish()
    bucket.delete(objects(bucket)[0])
    assert publish().is_new
    assert PublishedBase(opened(url)[0], Settings()).file_count() == 5
    bucket.write(f"{PREFIX}/current", b'{"format": 1, "generation": "x", "manifest": "y", "published_at": ""}')
    with pytest.raises(RemoteError):
        publish()


def test_a_file_that_changes_meanwhile_is_published_as_it_is_indexed(
    publish: Publish, url: str, kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken, texts = snapshot, iter(["Changed.", "Changed again."])

    def change(*args: Any) -> Any:
        if (text := next(texts, "")) != "":
            (kb / "config.py").write_text(f'"""{text}"""\n')
        return taken(*args)

    monkeypatch.setattr("kbtui.publishing.publish.snapshot", change)
    publish()
    base = PublishedBase(opened(url)[0], Settings())
    assert base.source.lines("config.py")[0] == '"""Changed again."""'
    assert base.file_records()[2].line_count == 2


def test_a_file_that_never_stands_still_is_named(publish: Publish, kb: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken, numbers = snapshot, iter(range(100))

    def change(*args: Any) -> Any:
        (kb / "config.py").write_text(f"# {next(numbers)}\n")
        return taken(*args)

    monkeypatch.setattr("kbtui.publishing.publish.snapshot", change)
    with pytest.raises(KnowledgeBaseError, match=r"config\.py keeps changing while it is published"):
        publish()


def test_a_folder_without_files_is_not_published(tmp_path: Path, url: str, bucket: Bucket) -> None:
    with pytest.raises(KnowledgeBaseError, match="nothing to publish"):
        Publisher(tmp_path, url, Settings()).publish(lambda _: None, CancelToken())
    assert bucket.names() == []


def test_publishing_can_be_stopped(url: str, kb: Path, bucket: Bucket) -> None:
    cancel = CancelToken()

    def stop(event: Event) -> None:
        if event.kind == "progress" and event.stage == "upload":
            cancel.cancel()

    with pytest.raises(Cancelled):
        Publisher(kb, url, Settings()).publish(stop, cancel)
    assert f"{PREFIX}/current" not in bucket.names()
