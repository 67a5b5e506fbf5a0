"""What every test gets: a home of its own, no network for model hubs, a fixed locale."""

from __future__ import annotations

import gc
import itertools
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


def pytest_collection_finish() -> None:
    """Thousands of collected tests live as long as the run: looking through them for garbage took a quarter of it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 10)


def pytest_sessionfinish() -> None:
    """When a worker has said that it is done, pytest looks through all there is five times, and it has 5 s to end."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def models_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where this test run keeps the exported embedding model: exported once, for all workers and homes."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "models"


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names of homes; pytest would read the names of all that there are for each that it makes."""
    base = tmp_path_factory.mktemp("homes")
    return (base / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def home(models_dir: Path, homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh HOME with XDG folders inside; the exported model alone is shared by the whole run."""
    base = next(homes)
    base.mkdir()
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


EXPORT = (
    "from kbtui.knowledge.embedding import open_embedder\n"
    "from kbtui.settings.model import EmbeddingSettings\n"
    "open_embedder(EmbeddingSettings()).query('ready')\n"
)


@pytest.fixture(scope="session", autouse=True)
def export_begun(request: pytest.FixtureRequest, models_dir: Path) -> Iterator[None]:
    """The export, begun beside the first tests where two workers would both wait for it."""
    wanted = any("exported_model" in getattr(item, "fixturenames", ()) for item in request.session.items)
    if not wanted or os.environ.get("PYTEST_XDIST_WORKER") != "gw0":
        yield
        return
    env = {**os.environ, "KBTUI_MODELS_DIR": str(models_dir), "HF_HUB_OFFLINE": "1"}
    child = subprocess.Popen([sys.executable, "-c", EXPORT], env=env, cwd=Path(__file__).parents[1])
    yield
    child.wait()


@pytest.fixture(scope="session")
def exported_model(models_dir: Path) -> Iterator[None]:
    """The embedding model, exported before any test waits for an answer, and loaded once in this process.

    Loading it takes as long as the rest of a small run, and a loaded one has no state. What loads, damages or replaces
    models is tested with the real thing, in tests/knowledge/test_embedding.py; so is every process of its own.
    """
    from kbtui.knowledge.embedding import bundled, open_embedder
    from kbtui.settings.model import EmbeddingSettings

    load = bundled.Runner
    loaded: dict[tuple[Any, ...], Any] = {}

    def load_once(folder: Path, *options: Any) -> Any:
        file = (folder / bundled.MODEL_FILE).stat()
        key = (file.st_dev, file.st_ino, file.st_mtime_ns, file.st_size, *options)
        if key not in loaded:
            loaded[key] = load(folder, *options)
        return loaded[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KBTUI_MODELS_DIR", str(models_dir))
        open_embedder(EmbeddingSettings()).query("ready")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundled, "Runner", load_once)
        yield


@pytest.fixture
def kb(tmp_path: Path, exported_model: None) -> Path:
    """A small handbook that the real engine answers from."""
    folder = tmp_path / "handbook"
    for name, text in PAGES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder
