"""``kbtui publish``, and the commands that ask what it published."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kbtui.cli.checks_of_parts import check_index
from kbtui.settings import paths
from kbtui.settings.model import Settings
from kbtui.settings.published import local_root, location_of
from tests.cli.conftest import Invoke
from tests.support.object_storage import Bucket, lead_to, s3_server

QUESTION = "when do we roll back a deploy?"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with s3_server() as address:
        yield address


@pytest.fixture
def url(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> str:
    lead_to(endpoint, monkeypatch)
    Bucket(endpoint, "books")
    return "s3://books/handbook"


@pytest.fixture
def named(url: str) -> str:
    """A name for the address, in the user's settings."""
    paths.config_file().parent.mkdir(parents=True)
    paths.config_file().write_text(f'[published.names]\nhandbook = "{url}"\nbroken = "/srv/handbook"\n')
    return "handbook"


def test_a_folder_is_published_and_asked_by_its_address_and_its_name(
    invoke: Invoke, kb: Path, url: str, named: str
) -> None:
    published = invoke("publish", str(kb), url)
    assert published.exit_code == 0, published.output
    assert f"{url} · generation " in published.stdout and "5 files" in published.stdout
    assert f"kbtui ask --kb {url}" in published.stderr
    again = invoke("publish", str(kb), named, "--json")
    assert json.loads(again.stdout)["new"] is False
    assert json.loads(again.stdout)["url"] == url
    asked = invoke("ask", "--kb", url, "--json", "--no-session", QUESTION)
    assert asked.exit_code == 0, asked.output
    events = [json.loads(line) for line in asked.stdout.splitlines()]
    assert events[0]["kb"] == url
    (answer,) = (event for event in events if event["kind"] == "answer_completed")
    assert answer["citations"][0]["path"] == "runbooks/rollback.md"
    found = invoke("search", "--kb", named, "--tool", "grep_search", "--json", "deploy")
    assert json.loads(found.stdout.splitlines()[0])["path"] == "runbooks/rollback.md"
    text = invoke("ask", "--kb", named, "--no-session", QUESTION)
    assert "[1] runbooks/rollback.md" in text.stdout


def test_a_folder_goes_before_a_collection_of_its_name(
    invoke: Invoke, kb: Path, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(kb.parent)
    assert kb.name == named
    asked = invoke("ask", "--kb", named, "--json", "--no-session", QUESTION)
    assert json.loads(asked.stdout.splitlines()[0])["kb"] == str(kb)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("s3://", "is no address of a collection"),
        ("s3:///prefix", "is no address of a collection"),
        ("s3://Books/prefix", "is no address of a collection"),
        ("s3://books", "has no prefix"),
        ("s3://books/../x", "has no prefix"),
        ("s3://books/a\nb", "has no prefix"),
        ("s3://id:secret@books/x", "holds no credentials"),
    ],
)
def test_an_address_that_is_none_is_wrong_usage(invoke: Invoke, kb: Path, address: str, message: str) -> None:
    for result in (
        invoke("publish", str(kb), address, standalone_mode=False),
        invoke("ask", "--kb", address, QUESTION, standalone_mode=False),
    ):
        said = str(result.exception)
        assert getattr(result.exception, "exit_code", None) == 2
        assert message in said
        assert "secret" not in said
    assert not paths.published_dir().exists()


def test_a_name_without_an_address_is_wrong_usage(invoke: Invoke, kb: Path, named: str) -> None:
    result = invoke("ask", "--kb", "broken", QUESTION, standalone_mode=False)
    assert "The collection broken has no address of object storage." in str(result.exception)
    result = invoke("publish", str(kb), "no-such-name", standalone_mode=False)
    assert "published.names" in str(result.exception)
    result = invoke("ask", "--kb", "handbok", QUESTION, standalone_mode=False)
    assert "Did you mean the collection handbook?" in str(result.exception)


def test_a_collection_is_neither_indexed_nor_published(invoke: Invoke, url: str) -> None:
    for arguments in (("index", url), ("publish", url, "s3://books/copy")):
        result = invoke(*arguments, standalone_mode=False)
        assert f"{url} is read only" in str(result.exception)
        assert getattr(result.exception, "exit_code", None) == 2


def test_the_screen_opens_over_a_collection_by_option_and_by_argument(
    invoke: Invoke, url: str, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    monkeypatch.setattr("kbtui.cli.open.open_screen", lambda kb, **_: opened.append(kb) or 0)
    for arguments in ((url,), (named,), ("--kb", url), ("--kb", named)):
        assert invoke(*arguments, standalone_mode=False).exception is None
    assert {location_of(kb) for kb in opened} == {url} and len(opened) == 4
    assert invoke("--kb", url, "ask", QUESTION, standalone_mode=False).exception is None


def test_doctor_says_what_is_published(invoke: Invoke, kb: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    invoke("publish", str(kb), url)
    (check,) = check_index(Settings(), local_root(url))
    assert check.status == "ok" and check.detail.startswith("5 files, 0 MB of s3://books/handbook, published 20")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    (check,) = check_index(Settings(), local_root(url))
    assert check.status == "warn" and "cannot be reached" in check.detail
    (check,) = check_index(Settings(), local_root("s3://books/other"))
    assert check.status == "fail"


def test_help_needs_no_boto3(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "boto3", None)
    result = invoke("publish", "--help")
    assert result.exit_code == 0
    assert "AWS_ENDPOINT_URL" in result.stdout
