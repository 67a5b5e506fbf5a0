"""What every test gets: a home of its own, no network for model hubs, a fixed locale."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


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
