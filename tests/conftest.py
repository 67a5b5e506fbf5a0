"""What every test gets: a home of its own, no network for model hubs, a fixed locale."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kbtui.settings.providers import PROVIDERS

PAGES = {
    "runbooks/rollback.md": (
        "# Roll back a deploy\n\n## When\n\nRoll back when the error rate stays above two percent for five minutes.\n\n"
        "## How\n\n1. Announce it in the channel.\n2. Pin the last green image with `deploy pin`.\n"
        "3. Watch the error rate for ten minutes.\n"
    ),
    "adr/0007-migrations.md": (
        "---\ntitle: Two-step migrations\nreplaces: ADR-2\n---\n# ADR-7: Two-step migrations\n\n"
        "A migration never breaks the version that runs.\n"
    ),
    "adr/0002-migrations.md": "# ADR-2: One-step migrations\n\nA migration runs with the deploy that needs it.\n",
    "中文/值班.md": "# 值班说明\n\n值班每周三上午十点交接。白天收到告警后十分钟内回应。\n",
    "config.py": '"""Settings."""\n\n\nMAX_RETRIES = 5\n\n\ndef retry_limit() -> int:\n    return MAX_RETRIES\n',
}


@pytest.fixture(scope="session")
def models_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where this test run keeps the exported embedding model: exported once, for all workers and homes."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "models"


@pytest.fixture(autouse=True)
def home(models_dir: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh HOME with XDG folders inside; the exported model alone is shared by the whole run."""
    base = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(base))
    for variable, name in (
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_DATA_HOME", "data"),
        ("XDG_CACHE_HOME", "cache"),
        ("XDG_STATE_HOME", "state"),
    ):
        monkeypatch.setenv(variable, str(base / name))
    monkeypatch.setenv("KBTUI_MODELS_DIR", str(models_dir))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("LANCE_LOG", "error")
    # Nobody's own keys are read, from wherever the tests run.
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    for variable in {name for row in PROVIDERS for name in (*row.key_variables, *row.address_variables)}:
        monkeypatch.delenv(variable, raising=False)
    for variable in (
        "KBTUI_EDITOR",
        "VISUAL",
        "EDITOR",
        "NO_COLOR",
        "KB_AGENT_MAX_ITERATIONS",
        "KB_AGENT_USE_ADAPTIVE_RAG",
    ):
        monkeypatch.delenv(variable, raising=False)
    return base


@pytest.fixture(scope="session")
def exported_model(models_dir: Path) -> None:
    """The embedding model, exported before any test waits for an answer."""
    from kbtui.knowledge.embedding import open_embedder
    from kbtui.settings.model import EmbeddingSettings

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KBTUI_MODELS_DIR", str(models_dir))
        open_embedder(EmbeddingSettings()).query("ready")


@pytest.fixture
def kb(tmp_path: Path, exported_model: None) -> Path:
    """A small handbook that the real engine answers from."""
    folder = tmp_path / "handbook"
    for name, text in PAGES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder
