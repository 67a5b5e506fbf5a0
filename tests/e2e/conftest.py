"""The programs that the end-to-end tests need."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.conftest import written
from tests.support.terminal import TMUX


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "/e2e/" in str(item.path):
            item.add_marker(pytest.mark.e2e)
            if TMUX is None and hasattr(item.module, "Terminal"):  # type: ignore[attr-defined]
                item.add_marker(pytest.mark.skip(reason="tmux is not installed; .ci/run installs it"))


@pytest.fixture
def kb(indexed_kb: Path) -> Path:
    """The handbook with its index, as whoever opens it again has it."""
    return indexed_kb


@pytest.fixture
def new_kb(tmp_path: Path) -> Path:
    """The handbook, which was never indexed."""
    return written(tmp_path / "handbook")


def needs(program: str) -> pytest.MarkDecorator:
    """Skip where a program of the system is absent; CI installs it."""
    reason = f"{program} is not installed; .ci/run installs it"
    return pytest.mark.skipif(shutil.which(program) is None, reason=reason)
