"""The corpus beside the small handbook, indexed once for all tests, and the plans of a folder without it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from kbtui.bootstrap import Engine
from kbtui.settings.model import Settings
from tests.conftest import PAGES
from tests.injection.documents import write_documents


@dataclass(frozen=True, slots=True, kw_only=True)
class Folders:
    """A handbook as it is, the same with the corpus in it, and the home with the indexes of both."""

    clean: Path
    poisoned: Path
    home: Path

    @contextmanager
    def environment(self) -> Iterator[pytest.MonkeyPatch]:
        """What the runs of a whole module share: folders of their own for settings, index, sessions and logs."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("HOME", str(self.home))
            for name in ("CONFIG", "DATA", "CACHE", "STATE"):
                patch.setenv(f"XDG_{name}_HOME", str(self.home / name.lower()))
            yield patch

    def contents(self) -> dict[Path, bytes]:
        """Every file of the folder with the corpus."""
        return {path: path.read_bytes() for path in sorted(self.poisoned.rglob("*")) if path.is_file()}


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory, shared_model: None) -> Folders:
    base = tmp_path_factory.mktemp("injection")
    folders = Folders(clean=base / "clean", poisoned=base / "poisoned", home=base / "home")
    for folder in (folders.clean, folders.poisoned):
        for name, text in PAGES.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    write_documents(folders.poisoned)
    with folders.environment():
        for folder in (folders.clean, folders.poisoned):
            Engine(Settings(), folder, record=False).answer_query("When is a deploy rolled back?")
    return folders
