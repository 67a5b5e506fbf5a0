"""What every test gets: a home of its own, no network for model hubs, a fixed locale."""

from __future__ import annotations

import gc
import itertools
import os
import shutil
import signal
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from kbtui import i18n
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


# The benchmarks are scripts that import one another by name.
sys.path.append(str(Path(__file__).parent.parent / "benchmarks"))

# Hundreds of programs are started: where Python may keep no byte code, each of them compiles all of kbtui again, which
# is a fifth of what a question on the command line takes.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Shells start what runs in the background with these ignored, and every program a test starts would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)


# Nothing of the machine that the tests run on is used: no keys, no servers, no editor, no language. A test sets what it
# needs for itself alone.
for _variable in (
    *(name for row in PROVIDERS for name in (*row.key_variables, *row.address_variables)),
    *("KBTUI_EDITOR", "VISUAL", "EDITOR", "NO_COLOR", "KB_AGENT_MAX_ITERATIONS", "KB_AGENT_USE_ADAPTIVE_RAG"),
):
    os.environ.pop(_variable, None)
os.environ |= {
    "HF_HUB_OFFLINE": "1",
    "LANCE_LOG": "error",
    "LC_ALL": "C.UTF-8",
    "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
}


# An example takes as long as the machine lets it: a deadline fails where much else runs.
settings.register_profile("kbtui", deadline=None)
settings.load_profile("kbtui")


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
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names of homes; pytest would read the names of all that there are for each that it makes."""
    base = tmp_path_factory.mktemp("homes")
    return (base / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def home(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh HOME with XDG folders inside."""
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
    i18n.use(i18n.SOURCE)  # a test may have spoken another language before
    return base


@pytest.fixture(scope="session")
def shared_model() -> Iterator[None]:
    """The embedding model, loaded once in this process: a loaded model has no state, and loading takes 0.2 s a test.

    What loads or damages models is tested with the real thing, in tests/knowledge/embedding/test_model_files.py; and
    every process of its own loads its own.
    """
    from kbtui.knowledge.embedding import bundled

    open_runner = bundled.BundledEmbedder._open
    loaded: dict[int, Any] = {}

    def open_once(self: Any) -> Any:
        if self._threads not in loaded:
            loaded[self._threads] = open_runner(self)
        return loaded[self._threads]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundled.BundledEmbedder, "_open", open_once)
        yield


def written(folder: Path, pages: Mapping[str, str] = PAGES) -> Path:
    """A folder with these pages."""
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def kb(tmp_path: Path, shared_model: None) -> Path:
    """A small handbook that the real engine answers from."""
    return written(tmp_path / "handbook")


@pytest.fixture(scope="session")
def indexed_once(tmp_path_factory: pytest.TempPathFactory, shared_model: None) -> tuple[Path, Path, Path]:
    """Where the handbook is put again for each test, a copy of it as it was indexed, and the cache with its index."""
    from kbtui.domain.cancel import CancelToken
    from kbtui.knowledge.store.indexer import Indexer
    from kbtui.settings.model import Settings

    base = tmp_path_factory.mktemp("indexed")
    folder, cache = written(base / "handbook"), base / "cache"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(base))
        patch.setenv("XDG_CACHE_HOME", str(cache))
        Indexer(folder, Settings()).run(lambda _event: None, CancelToken())
    return folder, shutil.copytree(folder, base / "as indexed"), cache


@pytest.fixture
def indexed_kb(home: Path, indexed_once: tuple[Path, Path, Path]) -> Path:
    """`kb` with an index that is up to date: a screen that is opened over it starts no process to make one."""
    folder, as_indexed, cache = indexed_once
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(as_indexed, folder)
    shutil.copytree(cache, os.environ["XDG_CACHE_HOME"])
    return folder
