"""``kbtui doctor`` asks the chat model one question, and says what is wrong with it and how to mend that."""

from __future__ import annotations

import json
import ssl
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from kbtui.cli import checks_of_model
from kbtui.cli.checks_of_model import check_chat_model, check_keyring, check_web_search
from kbtui.domain.health import Check
from kbtui.reasoning.checking.trust import Record
from kbtui.reasoning.llm.remembered import keep_record
from kbtui.settings.model import ModelSettings, Settings, WebSettings
from kbtui.settings.providers import provider_of
from tests.cli.conftest import Invoke
from tests.support.model_request import Reply
from tests.support.model_server import ModelServer

KEY = "sk-pl4nted-0123456789abcdef"
PAGE = b"<!doctype html><html><body>Welcome</body></html>"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.setenv(variable, KEY)
    monkeypatch.setattr(checks_of_model, "CALL_TIMEOUT_S", 4.0)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(lambda _request: Reply(content="OK"), models=("scripted", "scripted-large")) as running:
        yield running


def checked(**model: object) -> dict[str, Check]:
    return {check.name: check for check in check_chat_model(Settings(model=model))}  # type: ignore[arg-type]


def openai(server: ModelServer, name: str = "openai:scripted", **model: object) -> Check:
    return checked(name=name, base_url=f"{server.url}/v1", **model)["chat model"]


def ollama(server: ModelServer, name: str = "ollama:scripted", **model: object) -> Check:
    return checked(name=name, base_url=server.url, **model)["chat model"]


PROVIDERS = {"openai": "/v1", "ollama": "", "anthropic": "", "google_genai": ""}
EACH = pytest.mark.parametrize("provider", PROVIDERS)


def asked(provider: str, server: ModelServer, model: str = "scripted") -> Check:
    row = provider_of(provider)
    assert row is not None
    pytest.importorskip(row.module, reason=f"the extra {row.extra} is not installed")
    return checked(name=f"{provider}:{model}", base_url=f"{server.url}{PROVIDERS[provider]}")["chat model"]


def refusing(server: ModelServer, status: int, **reply: object) -> Check:
    server.behaviour = lambda _request: Reply(content="no", status=status, **reply)  # type: ignore[arg-type]
    return openai(server)


def test_offline_needs_nothing_and_asks_nobody() -> None:
    found = checked(name="offline")
    assert set(found) == {"chat model"}
    assert found["chat model"].status == "ok"


@pytest.mark.parametrize("ask", [openai, ollama])
def test_a_model_that_answers_is_ok_after_one_short_call(
    ask: Callable[[ModelServer], Check], server: ModelServer
) -> None:
    assert ask(server).status == "ok"
    (chat,) = server.chats
    limit = chat.body.get("max_completion_tokens") or chat.body["options"]["num_predict"]
    assert limit == checks_of_model.CALL_TOKENS


def test_it_says_where_the_key_came_from_and_not_the_key(server: ModelServer) -> None:
    found = openai(server)
    assert "OPENAI_API_KEY" in found.detail
    assert KEY not in found.detail
    sent = {name.lower(): value for name, value in server.chats[0].headers.items()}
    assert sent["authorization"] == f"Bearer {KEY}"


def test_the_small_model_is_asked_too_when_it_is_another(server: ModelServer) -> None:
    found = checked(name="openai:scripted-large", small="openai:scripted", base_url=f"{server.url}/v1")
    assert {found["chat model"].status, found["small chat model"].status} == {"ok"}
    assert [chat.body["model"] for chat in server.chats] == ["scripted-large", "scripted"]


@pytest.mark.parametrize(("structured", "word"), [("auto", "first question"), ("tools", "tools")])
def test_it_says_how_plans_will_be_asked_for(structured: str, word: str, server: ModelServer) -> None:
    found = checked(name="openai:scripted", base_url=f"{server.url}/v1", structured=structured)
    assert word in found["chat model: plans"].detail


@pytest.mark.parametrize(
    ("odds", "status", "word"), [(0.0, "ok", "refute"), (-6.0, "ok", "mostly"), (6.0, "warn", "often")]
)
def test_it_says_how_far_the_statements_of_the_model_are_trusted(
    odds: float, status: str, word: str, server: ModelServer
) -> None:
    settings = {"name": "openai:scripted", "base_url": f"{server.url}/v1"}
    keep_record(ModelSettings(**settings), Record(odds))
    found = checked(**settings)["chat model: statements"]
    assert (found.status, word in found.detail) == (status, True)


def test_a_missing_extra_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name, *_: None)
    found = checked(name="openai:gpt-4o-mini")["chat model"]
    assert (found.status, found.todo) == ("fail", "pip install 'kbtui[openai]'")


def test_an_unknown_provider_is_told_the_nearest() -> None:
    found = checked(name="opnai:gpt-4o-mini")["chat model"]
    assert found.status == "fail"
    assert "openai:gpt-4o-mini" in found.todo


def test_a_missing_key_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    found = checked(name="openai:gpt-4o-mini")["chat model"]
    assert found.status == "fail"
    assert "OPENAI_API_KEY" in found.todo


def test_a_refused_key_says_where_it_was_taken_from(server: ModelServer) -> None:
    server.behaviour = lambda _request: Reply(status=401, content=f"Incorrect API key provided: {KEY}")
    found = openai(server)
    assert found.status == "fail"
    assert "401" in found.detail
    assert "OPENAI_API_KEY" in found.todo
    assert KEY not in found.detail + found.todo


def test_a_refused_call_without_a_key_says_that_none_was_sent(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    found = refusing(server, 401)
    assert "No key was sent" in found.todo
    assert "OPENAI_API_KEY" in found.todo


def test_a_forbidden_model_is_a_failure(server: ModelServer) -> None:
    found = refusing(server, 403)
    assert found.status == "fail"
    assert "403" in found.detail


@pytest.mark.parametrize("status", [429, 500, 503, 408])
def test_what_may_pass_by_itself_is_a_warning(status: int, server: ModelServer) -> None:
    found = refusing(server, status)
    assert found.status == "warn"
    assert str(status) in found.detail
    assert len(server.chats) == 1


def test_a_model_that_the_server_has_not_is_told_what_it_has(server: ModelServer) -> None:
    server.behaviour = lambda _request: Reply(status=404, content="model not found")
    found = openai(server, name="openai:script")
    assert found.status == "fail"
    assert "script" in found.detail
    assert "scripted, scripted-large" in found.todo


def test_for_ollama_it_says_how_to_pull_the_model(server: ModelServer) -> None:
    server.behaviour = lambda _request: Reply(status=404, content="model 'qwen3:8b' not found")
    found = ollama(server, name="ollama:qwen3:8b")
    assert found.todo.startswith("ollama pull qwen3:8b")
    assert "scripted" in found.todo


def test_an_address_without_v1_is_told_the_whole_one(server: ModelServer) -> None:
    found = checked(name="openai:scripted", base_url=server.url)["chat model"]
    assert found.status == "fail"
    assert f"{server.url}/v1" in found.todo


def test_ollamas_own_address_has_no_v1(server: ModelServer) -> None:
    found = checked(name="ollama:scripted", base_url=f"{server.url}/v1")["chat model"]
    assert "/v1" in found.todo


@pytest.mark.parametrize(("name", "start"), [("openai:scripted", "running"), ("ollama:scripted", "ollama serve")])
def test_a_server_that_does_not_run_is_said(name: str, start: str, server: ModelServer) -> None:
    server.kill()
    found = checked(name=name, base_url=server.url)["chat model"]
    assert found.status == "fail"
    assert "refused" in found.detail
    assert start in found.todo


def test_a_server_that_says_nothing_is_given_up_on(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks_of_model, "CALL_TIMEOUT_S", 0.4)
    server.behaviour = lambda _request: Reply(stall_after=0)
    found = openai(server)
    assert found.status == "warn"
    assert "0.4 s" in found.detail


def test_a_server_that_breaks_off_is_said(server: ModelServer) -> None:
    server.behaviour = lambda _request: Reply(reset_after=0)
    found = openai(server)
    assert found.status == "fail"
    assert found.todo


@pytest.mark.parametrize("path", ["", "/v1"])
@pytest.mark.parametrize("name", ["openai:scripted", "ollama:scripted"])
def test_a_web_page_in_place_of_an_interface_is_said(name: str, path: str, web_page: str) -> None:
    found = checked(name=name, base_url=web_page + path)["chat model"]
    assert found.status == "fail"
    assert found.todo
    assert "web page" in found.detail or "/v1" in found.todo


def test_https_where_the_server_speaks_http_is_said(server: ModelServer) -> None:
    found = checked(name="openai:scripted", base_url=server.url.replace("http:", "https:") + "/v1")["chat model"]
    assert found.status == "fail"
    assert "http://" in found.todo


def test_a_certificate_that_is_not_trusted_is_said(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    def untrusted(*_: object) -> None:
        raise RuntimeError("call failed") from ssl.SSLCertVerificationError("CERTIFICATE_VERIFY_FAILED")

    monkeypatch.setattr(checks_of_model, "_call", untrusted)
    found = openai(server)
    assert found.status == "fail"
    assert "SSL_CERT_FILE" in found.todo


def test_a_host_that_does_not_exist_is_said() -> None:
    found = checked(name="openai:scripted", base_url="http://no-such-host.invalid/v1")["chat model"]
    assert "no-such-host.invalid" in found.detail


def test_what_is_no_address_is_said() -> None:
    found = checked(name="openai:scripted", base_url="localhost:8080/v1")["chat model"]
    assert "http://localhost:8080/v1" in found.todo


def test_a_key_in_an_address_is_not_shown(server: ModelServer) -> None:
    server.kill()
    address = server.url.replace("http://", "http://me:pl4nted@")
    found = checked(name="openai:scripted", base_url=address)["chat model"]
    assert "pl4nted" not in found.detail + found.todo


def test_every_failure_of_the_command_is_without_the_key(
    invoke: Invoke, server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KBTUI_MODEL__NAME", "openai:scripted")
    monkeypatch.setenv("KBTUI_MODEL__BASE_URL", f"{server.url}/v1")
    server.behaviour = lambda _request: Reply(status=400, content=f"bad header Authorization: Bearer {KEY}")
    done = invoke("doctor", "--json", "--kb", str(tmp_path))
    row = next(row for row in map(json.loads, done.stdout.strip().split("\n")) if row["name"] == "chat model")
    assert done.exit_code == 1
    assert "400" in row["detail"]
    assert row["todo"]
    assert KEY not in done.output


def test_the_keyring_is_reported_and_never_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    (found,) = check_keyring(Settings())
    assert found.status == "ok"
    monkeypatch.setitem(sys.modules, "keyring", None)
    (found,) = check_keyring(Settings())
    assert "kbtui[keyring]" in found.detail
    assert found.status == "ok"


def test_web_search_is_off_by_default() -> None:
    (found,) = check_web_search(Settings())
    assert (found.status, found.detail) == ("ok", "off")


def test_a_web_search_that_cannot_be_asked_is_a_warning() -> None:
    (found,) = check_web_search(Settings(web=WebSettings(search="searxng")))
    assert found.status == "warn"
    assert "searxng" in (found.detail + found.todo).lower()
    assert found.todo


@EACH
def test_each_provider_answers_with_its_own_key(provider: str, server: ModelServer) -> None:
    found = asked(provider, server)
    assert (found.status, found.todo) == ("ok", "")
    assert server.chats[0].key == ("" if provider == "ollama" else KEY)


@EACH
@pytest.mark.parametrize(
    ("status", "said", "verdict", "detail"),
    [
        (401, f"no such key: {KEY}", "fail", "refused the key"),
        (403, "not in your country", "fail", "(403): not in your country"),
        (429, "quota used up", "warn", "(429): quota used up"),
        (500, "boom", "warn", "(500): boom"),
        (529, "Overloaded", "warn", "(529): Overloaded"),
        (400, "Your credit balance is too low", "fail", "credit"),
    ],
)
def test_each_provider_is_quoted_and_a_hint_given(
    provider: str, status: int, said: str, verdict: str, detail: str, server: ModelServer
) -> None:
    server.behaviour = lambda _request: Reply(status=status, content=said)
    found = asked(provider, server)
    assert found.status == verdict
    assert detail in found.detail
    assert found.todo
    assert KEY not in found.detail + found.todo
    assert "doctor" not in found.todo


@EACH
def test_each_provider_is_asked_for_the_models_it_has(provider: str, server: ModelServer) -> None:
    server.behaviour = lambda _request: Reply(status=404, content="no such model")
    found = asked(provider, server, "scriptd")
    assert "no model scriptd" in found.detail
    assert "It offers scripted, scripted-large." in found.todo


@EACH
def test_each_server_that_is_not_there_or_breaks_off_is_said(provider: str, server: ModelServer) -> None:
    server.behaviour = lambda _request: Reply(reset_after=0)
    assert "off" in asked(provider, server).detail
    server.kill()
    assert "the connection was refused" in asked(provider, server).detail


def test_google_refuses_a_key_with_400(server: ModelServer) -> None:
    server.behaviour = lambda _request: Reply(status=400, content="API key not valid. Please pass a valid API key.")
    found = asked("google_genai", server)
    assert "refused the key (400)" in found.detail
    assert "GOOGLE_API_KEY" in found.todo


@pytest.mark.parametrize(("provider", "end"), [("anthropic", "/v1"), ("google_genai", "/v1beta")])
def test_what_the_client_adds_to_the_address_is_to_be_left_out(provider: str, end: str, server: ModelServer) -> None:
    row = provider_of(provider)
    assert row is not None
    pytest.importorskip(row.module, reason=f"the extra {row.extra} is not installed")
    found = checked(name=f"{provider}:scripted", base_url=f"{server.url}{end}")["chat model"]
    assert found.todo == f"Leave {end} out of model.base_url."


@pytest.fixture
def web_page() -> Iterator[str]:
    """The address of a server that answers everything with a web page."""

    class Page(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Nothing is printed."""

        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            self.send_response(200)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.send_header("content-length", str(len(PAGE)))
            self.end_headers()
            self.wfile.write(PAGE)

        do_POST = do_GET

    http = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{http.server_address[1]}"
    http.shutdown()
    http.server_close()
    thread.join()
