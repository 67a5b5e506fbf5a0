"""``docs/models.md`` and the README speak of settings, extras and variables that there are."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from kbtui.settings.providers import PROVIDERS, provider_of
from kbtui.settings.reference import all_settings

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


@pytest.fixture(params=["docs/models.md", "README.md"])
def text(request: pytest.FixtureRequest) -> str:
    return (ROOT / str(request.param)).read_text(encoding="utf-8")


def test_every_setting_of_models_that_is_named_exists(text: str) -> None:
    named = set(re.findall(r"`(model\.[a-z_]+)`", text)) | {
        f"model.{name.lower()}" for name in re.findall(r"KBTUI_MODEL__([A-Z_]+)", text)
    }
    assert named
    assert named <= set(all_settings())


def test_every_extra_that_is_named_exists(text: str) -> None:
    named = set(re.findall(r"kbtui\[([a-z-]+)\]", text))
    assert {"openai", "anthropic", "ollama"} <= named
    assert named <= set(EXTRAS)


def test_every_model_that_is_named_has_a_provider_and_its_key_variable_is_the_first(text: str) -> None:
    for provider in re.findall(r"--model ([a-z_]+):", text):
        assert provider_of(provider), provider
    variables = {row.key_variables[0] for row in PROVIDERS if row.key_variables}
    assert set(re.findall(r"\b([A-Z]+_API_KEY)\b", text)) <= variables


def test_what_the_errors_tell_to_install_installs_the_client() -> None:
    for row in PROVIDERS:
        if row.extra:
            assert any(one.startswith(row.package) for one in EXTRAS[row.extra]), row.name
    assert set(re.findall(r"[a-z]+", EXTRAS["all-models"][0])) == {"kbtui"} | {
        row.extra for row in PROVIDERS if row.extra
    }
