"""A model is opened as the settings say, and whatever is in the way is told with what to do about it."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from msgspec.structs import replace

from kbtui.errors import ModelError
from kbtui.reasoning.llm import models
from kbtui.reasoning.llm.models import (
    PLACEHOLDER_KEY,
    REASONING_TOKENS,
    address_of,
    model_name,
    needs_key,
    open_chat_model,
    profile_of,
)
from kbtui.settings.model import ModelSettings

KEY = "sk-pl4nted-0123456789abcdef"
WITH_KEY = {"OPENAI_API_KEY": KEY}


def opened(environ: dict[str, str] | None = None, role: Any = "large", **settings: Any) -> Any:
    return open_chat_model(ModelSettings(**settings), role, WITH_KEY if environ is None else environ)


def refused(environ: dict[str, str] | None = None, role: Any = "large", **settings: Any) -> ModelError:
    with pytest.raises(ModelError) as raised:
        opened(environ, role, **settings)
    assert KEY not in str(raised.value)
    return raised.value


def test_importing_this_module_imports_no_client() -> None:
    program = (
        "import sys, kbtui.reasoning.llm.models\n"
        "print([m for m in ('langchain', 'langchain_core', 'openai', 'httpx', 'keyring') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_limits_and_address_reach_the_client_of_openai() -> None:
    model = opened(name="openai:local", base_url="http://localhost:8080/v1/", timeout_s=7, max_output_tokens=300)
    assert model.model_name == "local"
    assert model.openai_api_base == "http://localhost:8080/v1"
    assert (model.request_timeout, model.max_tokens, model.max_retries) == (7, 300, 0)
    assert model.stream_usage is True


def test_limits_and_window_reach_the_client_of_ollama() -> None:
    model = opened({}, name="ollama:qwen3:8b", base_url="http://gpu-box:11434", max_output_tokens=300, timeout_s=7)
    assert (model.model, model.base_url, model.num_predict) == ("qwen3:8b", "http://gpu-box:11434", 300)
    assert model.client_kwargs["timeout"] == 7
    # A window smaller than the prompt would lose its beginning without a word.
    assert model.num_ctx >= ModelSettings().context_tokens + 300


def test_a_key_is_kept_out_of_sight_in_the_client() -> None:
    model = opened(name="openai:gpt-4o-mini")
    assert model.openai_api_key.get_secret_value() == KEY
    assert KEY not in repr(model)
    assert KEY not in str(model.model_dump())


@pytest.mark.parametrize("address", ["http://localhost:8080/v1", "http://192.168.0.9:8000/v1", "http://gpu:8000/v1"])
def test_a_server_of_ones_own_needs_no_key(address: str) -> None:
    model = opened({}, name="openai:local", base_url=address)
    assert model.openai_api_key.get_secret_value() == PLACEHOLDER_KEY


def test_a_server_of_ones_own_is_given_the_key_there_is() -> None:
    model = opened(name="openai:local", base_url="http://localhost:8080/v1")
    assert model.openai_api_key.get_secret_value() == KEY


def test_ollama_behind_a_gateway_is_given_the_key_that_the_settings_name() -> None:
    model = opened({"MINE": KEY}, name="ollama:x", base_url="http://gpu:11434", api_key_env="MINE")
    assert model.client_kwargs["headers"] == {"Authorization": f"Bearer {KEY}"}


def test_a_missing_key_says_which_variable() -> None:
    error = refused({}, name="openai:gpt-4o-mini")
    assert "OPENAI_API_KEY" in error.hint
    error = refused({}, name="openai:x", base_url="https://llm.example.com/v1", api_key_env="LLM_KEY")
    assert "LLM_KEY" in error.hint


def test_a_missing_package_says_the_exact_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name, *_: None)
    assert refused(name="openai:gpt-4o-mini").hint == "pip install 'kbtui[openai]'"
    assert refused(name="google:gemini-2.5-flash").hint == "pip install 'kbtui[google]'"
    assert refused(name="groq:llama").hint == "pip install langchain-groq"


def test_a_provider_that_only_langchain_knows_names_its_package() -> None:
    assert refused(name="bedrock:x").hint == "pip install langchain-aws"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("opnai:gpt-4o", "openai:gpt-4o"),
        ("qwen3:8b", "ollama:qwen3:8b"),
        ("qwen3", "ollama:qwen3"),
        ("openai", "openai:NAME"),
        ("openai:", "openai:NAME"),
        ("", "provider:name"),
    ],
)
def test_a_name_that_leads_nowhere_is_told_how_it_should_look(name: str, hint: str) -> None:
    assert hint in refused(name=name).hint


def test_a_key_written_as_the_models_name_is_not_repeated() -> None:
    assert "pl4nted" not in str(refused(name=KEY))
    assert "pl4nted" not in str(refused(name=f"{KEY}:x"))


def test_offline_is_no_model_to_open() -> None:
    assert "offline" in refused(name="offline").message


def test_a_bare_name_is_whatever_the_address_serves() -> None:
    assert opened({}, name="qwen3-8b", base_url="http://localhost:8080/v1").model_name == "qwen3-8b"


@pytest.mark.parametrize("address", ["localhost:8080/v1", "ftp://x/v1", "http://", "http://[bad", "http://x:99999/"])
def test_what_is_no_address_is_refused(address: str) -> None:
    assert "http://" in refused(name="openai:x", base_url=address).hint


def test_the_small_model_is_the_large_one_unless_it_is_named() -> None:
    settings = ModelSettings(name="openai:big", base_url="http://localhost:1/v1")
    assert model_name(settings, "small") == model_name(settings, "large")
    two = replace(settings, small="openai:little")
    assert model_name(two, "small").model == "little"
    assert model_name(two, "small").base_url == "http://localhost:1/v1"


def test_an_address_belongs_to_the_provider_of_the_large_model() -> None:
    settings = ModelSettings(name="openai:big", small="ollama:little", base_url="http://localhost:1/v1")
    assert model_name(settings, "small").base_url == ""


def test_the_clients_own_variable_for_the_address_counts() -> None:
    name = model_name(ModelSettings(name="openai:x"))
    assert address_of(name, {}) == "https://api.openai.com/v1"
    assert needs_key(name, {})
    there = {"OPENAI_BASE_URL": "http://localhost:8080/v1"}
    assert address_of(name, there) == "http://localhost:8080/v1"
    assert not needs_key(name, there)
    assert address_of(model_name(ModelSettings(name="ollama:x")), {"OLLAMA_HOST": "box:1"}) == "http://box:1"


@pytest.mark.parametrize(
    ("settings", "temperature"),
    [
        ({"name": "openai:gpt-4o-mini"}, 0.0),
        ({"name": "openai:o3"}, None),
        ({"name": "openai:o3", "temperature": 0.5}, None),
        ({"name": "openai:not-known-yet"}, None),
        ({"name": "openai:not-known-yet", "temperature": 0.5}, 0.5),
        ({"name": "openai:local", "base_url": "http://localhost:8080/v1"}, 0.0),
        ({"name": "ollama:qwen3"}, 0.0),
    ],
)
def test_a_temperature_is_sent_only_where_it_is_taken(settings: dict[str, Any], temperature: float | None) -> None:
    assert opened(**settings).temperature == temperature


def test_a_model_that_thinks_has_room_to_think_beside_its_answer() -> None:
    assert opened(name="openai:o3", max_output_tokens=300).max_tokens == 300 + REASONING_TOKENS
    assert opened(name="openai:gpt-4o-mini", max_output_tokens=300).max_tokens == 300


def test_a_models_profile_is_believed_only_at_its_own_provider() -> None:
    own = profile_of(opened(name="openai:gpt-4o-mini"))
    assert own["structured_output"] is True
    assert profile_of(opened(name="openai:gpt-4o-mini", base_url="http://localhost:1/v1")) == {}


def test_a_model_of_a_test_has_no_profile() -> None:
    class Bare:
        profile = None

    assert profile_of(Bare()) == {}  # type: ignore[arg-type]


def test_this_machine_is_reached_past_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.example:3128")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    assert opened({}, name="ollama:x").client_kwargs["trust_env"] is False
    local = opened({}, name="openai:x", base_url="http://localhost:8080/v1")
    assert local.http_async_client.trust_env is False
    away = opened({}, name="openai:x", base_url="http://gpu.lan:8080/v1")
    assert away.http_async_client is None
    assert "trust_env" not in opened({}, name="ollama:x", base_url="http://gpu.lan:1").client_kwargs


def test_a_client_that_refuses_the_settings_is_told_without_its_input(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ValueError("bad field [type=x, input_value={'extra': 'hunter-two'}]")

    monkeypatch.setattr("langchain.chat_models.init_chat_model", refuse)
    error = refused(name="openai:gpt-4o-mini")
    assert "bad field" in error.message
    assert "hunter" not in error.message
    assert error.__cause__ is None
    assert error.__suppress_context__


def test_without_langchains_list_a_listed_provider_still_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    from langchain.chat_models import base

    monkeypatch.setattr(models, "_client_class", lambda *_: None)
    model = opened(name="openai:gpt-4o-mini")
    assert isinstance(model, base.BaseChatModel)
    assert model.max_retries == 0
