"""The log file tells what happened, and no key."""

from __future__ import annotations

import logging

import pytest

from kbtui.cli.failures import say_failure
from kbtui.cli.logs import configure_logging, log_file

KEY = "pl4nted-k3y-for-tests-only"


@pytest.fixture(autouse=True)
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def test_keys_in_messages_tracebacks_and_warnings_are_masked() -> None:
    log = configure_logging()
    try:
        raise ValueError(f"401 for {{'Authorization': 'Bearer {KEY}'}}")
    except ValueError as error:
        log.critical("call failed with %s", KEY, exc_info=error)
    logging.getLogger("some.library").error("sent %r", {"x-api-key": "sk-unknown-0123456789abcdef"})
    logging.getLogger("py.warnings").warning("UserWarning: strange key %s", KEY)
    logging.getLogger().handlers[-1].flush()
    written = log_file().read_text(encoding="utf-8")
    assert "call failed with" in written
    assert "ValueError" in written
    assert "some.library" in written
    assert "strange key" in written
    assert KEY not in written
    assert "sk-unknown" not in written


def test_a_cache_hit_is_logged_unless_less_is_asked_for() -> None:
    own = configure_logging()
    logging.getLogger("kbtui.analysis").info("schema cache hit: source=%s", "shop")
    logging.getLogger().handlers[-1].flush()
    assert "schema cache hit: source=shop" in log_file().read_text(encoding="utf-8")
    assert log_file().stat().st_mode & 0o077 == 0
    assert not own.isEnabledFor(logging.DEBUG)


def test_what_a_failure_says_on_standard_error_holds_no_key(capsys: pytest.CaptureFixture[str]) -> None:
    say_failure(f"The server said: no such key {KEY}.", f"Look at https://example.com/?key={KEY}")
    err = capsys.readouterr().err
    assert "The server said" in err
    assert KEY not in err
