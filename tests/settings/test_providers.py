"""Names of models and addresses of servers are read as people write them."""

from __future__ import annotations

import pytest

from kbtui.settings.providers import (
    PROVIDERS,
    is_local,
    is_loopback,
    model_label,
    nearest_provider,
    provider_of,
    split_name,
)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("openai:gpt-4o-mini", ("openai", "gpt-4o-mini")),
        ("ollama:qwen3:8b", ("ollama", "qwen3:8b")),
        ("ollama:hf.co/someone/Model-GGUF:Q4_K_M", ("ollama", "hf.co/someone/Model-GGUF:Q4_K_M")),
        (" OpenAI : gpt-4o ", ("openai", "gpt-4o")),
        ("google:gemini-2.5-flash", ("google_genai", "gemini-2.5-flash")),
        ("google-genai:gemini-2.5-flash", ("google_genai", "gemini-2.5-flash")),
        ("bedrock-converse:anthropic.claude", ("bedrock_converse", "anthropic.claude")),
        ("gpt-4o", ("openai", "gpt-4o")),
        ("claude-sonnet-4-5", ("anthropic", "claude-sonnet-4-5")),
        ("gemini-2.5-flash", ("google_genai", "gemini-2.5-flash")),
        ("qwen3", ("", "qwen3")),
        ("openai:", ("openai", "")),
    ],
)
def test_a_name_is_split_at_its_first_colon(written: str, read: tuple[str, str]) -> None:
    assert split_name(written) == read


@pytest.mark.parametrize(
    ("written", "base_url", "label"),
    [
        ("offline", "", "offline"),
        ("offline", "http://localhost:8080/v1", "offline"),
        (" OpenAI:gpt-4o ", "", "openai:gpt-4o"),
        ("gpt-4o", "", "openai:gpt-4o"),
        ("qwen3", "http://localhost:8080/v1", "openai:qwen3"),
        ("qwen3", "", "qwen3"),
        ("openai:", "", "openai:"),
    ],
)
def test_a_model_is_named_with_its_provider(written: str, base_url: str, label: str) -> None:
    assert model_label(written, base_url) == label


def test_every_name_and_alias_leads_to_its_provider() -> None:
    names = [name for row in PROVIDERS for name in (row.name, *row.aliases)]
    assert len(names) == len(set(names))
    for row in PROVIDERS:
        assert provider_of(row.name) is row


@pytest.mark.parametrize(("written", "near"), [("opnai", "openai"), ("antropic", "anthropic"), ("xyzzy", "")])
def test_a_slip_of_the_keys_is_understood(written: str, near: str) -> None:
    assert nearest_provider(written) == near


@pytest.mark.parametrize(
    ("address", "loopback", "local"),
    [
        ("http://localhost:8080/v1", True, True),
        ("http://127.0.0.9", True, True),
        ("http://[::1]:11434", True, True),
        ("http://192.168.1.20:8000/v1", False, True),
        ("http://gpu-box:8000", False, True),
        ("http://gpu.local", False, True),
        ("http://0.0.0.0:8000", False, True),
        ("https://api.openai.com/v1", False, False),
        ("https://8.8.8.8/", False, False),
        ("http://[2606:4700::1111]/", False, False),
        ("http://localhost.example.com/", False, False),
        ("http://[bad", False, False),
        ("", False, False),
    ],
)
def test_addresses_of_this_machine_and_network_are_known(address: str, loopback: bool, local: bool) -> None:
    assert (is_loopback(address), is_local(address)) == (loopback, local)
