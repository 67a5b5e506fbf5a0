"""A bucket of a server on the loopback address, and a folder to publish."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from kbtui.domain.ports import CancelToken
from kbtui.publishing.publish import Publisher, PublishReport
from kbtui.settings.model import Settings
from tests.support.object_storage import Bucket, lead_to, s3_server

Publish = Callable[..., PublishReport]
_NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    with s3_server() as address:
        yield address


@pytest.fixture
def bucket(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Bucket:
    """An empty bucket, which the environment leads to."""
    lead_to(endpoint, monkeypatch)
    return Bucket(endpoint, f"books-{next(_NUMBERS)}")


@pytest.fixture
def url(bucket: Bucket) -> str:
    return f"s3://{bucket.name}/team/handbook"


@pytest.fixture
def publish(kb: Path, url: str) -> Publish:
    """Publishes the handbook of the tests."""

    def run(keep: int = 3, whole: bool = False) -> PublishReport:
        settings = replace(Settings(), published=replace(Settings().published, keep=keep))
        return Publisher(kb, url, settings).publish(lambda _: None, CancelToken(), whole=whole)

    return run
