"""A key that is planted in the environment is nowhere to be found after the program has run, whatever a server does.

The server here is the worst there can be: it repeats the key in its errors and even in its answers.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke, Program
from tests.support.model_request import Reply, Request
from tests.support.model_server import ModelServer
from tests.support.perfect_model import perfect

KEY = "sk-pl4nted-0123456789abcdefghij"
STORED = "k3y-of-a-small-house-without-a-shape"
TRACES = (KEY, KEY[:14], KEY[3:], STORED, STORED[:12])
"""The keys, and pieces long enough to be of use."""


def sent(request: Request) -> str:
    return next((value for name, value in request.headers.items() if name.lower() == "authorization"), "")


def refuses(request: Request) -> Reply:
    return Reply(status=401, content=f"Incorrect API key provided: you sent 'Authorization: {sent(request)}'")


def fails(request: Request) -> Reply:
    page = f"<html><h1>500</h1><pre>authorization: {sent(request)}\napi key {sent(request)[7:]}</pre></html>"
    return Reply(status=500, raw=page.encode(), content_type="text/html")


def repeats(request: Request) -> Reply:
    if request.stage in ("route", "grade"):
        return Reply(content=f"no object, but {sent(request)}")
    key = sent(request).removeprefix("Bearer ")
    return Reply(content=f"Roll back when the error rate stays above two percent [1]. Your key is {key} [1].")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(perfect) as running:
        yield running


def everything_kept(home: Path) -> Iterator[tuple[Path, bytes]]:
    for folder, _, names in os.walk(home):
        for name in names:
            path = Path(folder) / name
            yield path, path.read_bytes()


def assert_nowhere(home: Path, *outputs: str) -> None:
    for output in outputs:
        assert output
        for trace in TRACES:
            assert trace not in output
    for path, data in everything_kept(home):
        for trace in TRACES:
            assert trace.encode() not in data, path


def test_the_key_is_in_no_output_and_in_no_file(
    server: ModelServer, program: Program, invoke: Invoke, kb: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "OPENAI_API_KEY": KEY,
        "KBTUI_MODEL__NAME": "openai:scripted",
        "KBTUI_MODEL__BASE_URL": f"{server.url}/v1",
        "KBTUI_MODEL__CACHE": "true",
        "KBTUI_LOG": "debug",
    }.items():
        monkeypatch.setenv(name, value)
    outputs = []
    for behaviour, flags in ((refuses, ("--debug",)), (fails, ("--json",)), (repeats, ("--debug", "--json"))):
        server.behaviour = behaviour
        done = program("ask", *flags, "--kb", str(kb), "When should I roll back a deploy?")
        assert "two percent" in done.stdout, done.stderr
        outputs.append(done.stdout + done.stderr)
        outputs += [invoke("sessions", "export", "last", "--format", kind).output for kind in ("md", "html", "jsonl")]
    server.behaviour = refuses
    commands = (("config", "show"), ("config", "show", "--json"), ("doctor", "--json"))
    outputs += [invoke(*command, "--kb", str(kb)).output for command in commands]
    assert {sent(chat) for chat in server.chats} == {f"Bearer {KEY}"}
    assert_nowhere(home, *outputs)


def test_a_key_from_a_variable_of_ones_own_is_not_shown_either(
    server: ModelServer, program: Program, invoke: Invoke, kb: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.behaviour = refuses
    monkeypatch.setenv("HOUSE", STORED)
    monkeypatch.setenv("KBTUI_MODEL__API_KEY_ENV", "HOUSE")
    monkeypatch.setenv("KBTUI_MODEL__NAME", "openai:scripted")
    monkeypatch.setenv("KBTUI_MODEL__BASE_URL", f"{server.url}/v1")
    done = program("ask", "--json", "--debug", "--kb", str(kb), "deploy?")
    doctor = invoke("doctor", "--kb", str(kb)).output
    assert sent(server.chats[0]) == f"Bearer {STORED}"
    assert "environment variable HOUSE" in doctor
    assert_nowhere(home, done.stdout + done.stderr, doctor)


def test_a_key_written_where_a_variables_name_belongs_is_not_repeated(
    invoke: Invoke, kb: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KBTUI_MODEL__NAME", "openai:gpt-4o-mini")
    monkeypatch.setenv("KBTUI_MODEL__API_KEY_ENV", KEY)
    outputs = [invoke(*command, "--kb", str(kb)).output for command in (("doctor",), ("config", "show"))]
    assert "name of an environment variable" in outputs[0]
    assert_nowhere(home, *outputs)


EXAMPLES = (
    "sk-example-1234567890abcd",
    "Authorization: Bearer abc123def456ghi",
    "https://me:pa55word@gateway.example/x",
)


def test_documents_may_quote_keys_but_not_those_in_use(
    server: ModelServer, invoke: Invoke, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    page = f"# Keys\n\nThe staging gateway key is {KEY}; Anthropic's is {STORED}.\n\nA gateway key looks like " + (
        f"`{EXAMPLES[0]}`; send `{EXAMPLES[1]}` with it to `{EXAMPLES[2]}`.\n"
    )
    (folder / "keys.md").write_text(page, encoding="utf-8")
    for name, value in {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": STORED}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("KBTUI_MODEL__BASE_URL", f"{server.url}/v1")
    outputs = [
        invoke(
            "ask", *flags, "--model", model, "--kb", str(folder), "What does the staging gateway key look like?"
        ).stdout
        for model in ("offline", "openai:scripted")
        for flags in (("--json",), ())
    ]
    for output in outputs:
        assert not [trace for trace in TRACES if trace in output]
    for output in outputs[::2]:
        assert all(example in output for example in EXAMPLES)
    sent_texts = "\n".join(chat.said for chat in server.chats)
    assert EXAMPLES[0] in sent_texts
    assert not [trace for trace in TRACES if trace in sent_texts]
