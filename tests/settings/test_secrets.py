"""Nothing secret is shown."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import pytest

from kbtui.settings.secrets import MASK, Redactor, mask_value, redact_values


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("model.api_key", "sk-hunter2"),
        ("model.token", "hunter2"),
        ("db.password", "hunter2"),
        ("data_sources", ["postgresql://me:hunter2@host/db", "x=mysql+pymysql://me:hunter2@h:1/db?a=1"]),
        ("data_sources", ["snowflake://host/db?user=me&password=hunter2&x=1"]),
        ("model.name", "https://host/v1?api_key=hunter2"),
        ("model.name", "https://me:a@hunter2@x"),
    ],
)
def test_keys_tokens_and_passwords_are_masked(key: str, value: object) -> None:
    assert "hunter2" not in str(mask_value(key, value))


@pytest.mark.parametrize(
    ("key", "value"),
    [("ui.theme", "kbtui-dusk"), ("data_sources", ["/home/me/a.db", "sqlite:////a.db"]), ("retrieval.rrf_k", 60)],
)
def test_everything_else_is_shown_as_it_is(key: str, value: object) -> None:
    assert mask_value(key, value) == value


PLANTED = "pl4nted-k3y-for-tests-only"


@pytest.fixture
def environ() -> dict[str, str]:
    return {"OPENAI_API_KEY": PLANTED, "MY_TOKEN": "t0ken-of-mine", "HOME": "/home/me", "MAX_TOKENS": "4096000"}


@pytest.mark.parametrize(
    "text",
    [
        f"Incorrect API key provided: {PLANTED}.",
        f'{{"headers": {{"authorization": "Bearer {PLANTED}"}}}}',
        f"GET /v1?key={PLANTED}&x=1",
        "a\nt0ken-of-mine\nb",
    ],
)
def test_the_keys_of_the_environment_are_masked_wherever_they_stand(text: str, environ: dict[str, str]) -> None:
    shown = Redactor(environ).redact(text)
    assert PLANTED not in shown
    assert "t0ken-of-mine" not in shown
    assert MASK in shown


def test_a_key_is_masked_in_the_spellings_of_urls_and_json() -> None:
    redactor = Redactor({"MY_SECRET": 'with/slash+and"quote'})
    shown = redactor.mask_known(quote('with/slash+and"quote', safe="") + json.dumps({"k": 'with/slash+and"quote'}))
    assert "slash" not in shown


def test_a_key_that_begins_with_another_is_masked_whole() -> None:
    redactor = Redactor({"A_KEY": "first-part", "B_KEY": "first-part-and-second"})
    assert redactor.redact("first-part-and-second") == MASK


def test_the_working_directory_is_no_password() -> None:
    assert Redactor({"PWD": "/gone/since/long"}).redact("in /gone/since/long") == "in /gone/since/long"


def test_what_was_handed_out_is_masked_from_then_on() -> None:
    redactor = Redactor({})
    assert redactor.redact(PLANTED) == PLANTED
    redactor.learn(PLANTED)
    assert redactor.redact(f"x {PLANTED} y") == f"x {MASK} y"


def test_words_numbers_and_files_in_variables_named_like_keys_hide_nothing(tmp_path: Path) -> None:
    file = tmp_path / "credentials.json"
    file.touch()
    values = {"A_KEY": "ollama", "B_KEY": "not-needed", "MAX_TOKENS": "4096000", "APP_CREDENTIALS": str(file)}
    text = f"ollama is not-needed for 4096000 tokens in {file}"
    assert Redactor(values).redact(text) == text


@pytest.mark.parametrize(
    "key",
    [
        "sk-abcdefghijklmnop1234567890",
        "sk-ant-api03-AbC_dEf-123456",
        "sk-proj-abc***********wxyz",
        "AIzaSyA1234567890abcdefghijklmnopqrstuv",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "github_pat_11ABCDEFG0abcdefghijkl_mnopqr",
        "xoxb-123456789012-abcdefghijkl",
        "AKIAIOSFODNN7EXAMPLE",
        "gsk_abcdefghijklmnopqrstuvwxyz0123",
        "tvly-abcdefghijklmnop0123456789",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    ],
)
def test_what_looks_like_a_key_is_masked_though_nobody_knows_it(key: str) -> None:
    assert Redactor({}).redact(f"the key {key}, he said") == f"the key {MASK}, he said"


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer 0123456789abcdef",
        "{'authorization': 'Basic dXNlcjpwYXNzdzByZA=='}",
        '"x-api-key": "0123456789abcdef"',
        r"{\"Authorization\": \"Bearer 0123456789abcdef\"}",
        "[(b'api-key', '0123456789abcdef')]",
        "bearer 0123456789abcdef",
    ],
)
def test_headers_that_carry_a_key_are_masked(text: str) -> None:
    shown = Redactor({}).redact(text)
    assert "0123456789" not in shown
    assert "dXNl" not in shown
    assert MASK in shown


@pytest.mark.parametrize(
    "text",
    [
        "The bearer of bad news asks for a risk-assessment-of-everything.",
        "task-and-disk-operations are sk-learn-like",
        "Authorization: required for everyone",
        "docs/architecture.md:L10-12 of the api-key chapter",
        "commit 1648662a8d0c2f, sha256:0123456789abcdef",
        "密钥在这里：没有",
    ],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert Redactor({}).redact(text) == text


@pytest.mark.parametrize(
    ("text", "waits"),
    [("a first-pa", 8), ("a first-part", 0), ("a f", 1), ("a", 0), ("", 0), ("firsfirst", 5), ("first-part first", 5)],
)
def test_the_beginning_of_a_key_at_the_end_of_a_stream_is_seen(text: str, waits: int) -> None:
    assert Redactor({"A_KEY": "first-part"}).partial_length(text) == waits


def test_nothing_but_known_keys_is_touched_where_documents_are_quoted(environ: dict[str, str]) -> None:
    text = "The sample key is sk-abcdefghijklmnop1234567890."
    assert Redactor(environ).mask_known(text) == text


@pytest.mark.parametrize("word", ["postgres", "changeme", "staging"])
def test_a_password_that_is_a_plain_word_is_no_reason_to_change_a_document(word: str) -> None:
    redactor = Redactor({"DB_PASSWORD": word})
    assert redactor.mask_known(f"The {word} server is backed up daily.") == f"The {word} server is backed up daily."
    assert redactor.partial_length(f"the {word[:4]}") == 0


def test_a_plain_word_is_masked_in_logs_all_the_same() -> None:
    assert "changeme" not in Redactor({"DB_PASSWORD": "changeme"}).redact("login failed for me:changeme")


def test_texts_deep_inside_are_redacted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", PLANTED)
    shown = redact_values({"prompt": [{"role": "system", "content": f"x {PLANTED}"}], "n": 3, "ok": None})
    assert shown == {"prompt": [{"role": "system", "content": f"x {MASK}"}], "n": 3, "ok": None}


def test_a_setting_that_holds_a_key_by_mistake_does_not_show_it() -> None:
    assert mask_value("model.api_key_env", "sk-abcdefghijklmnop1234567890") == MASK
