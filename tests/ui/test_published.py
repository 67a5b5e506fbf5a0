"""The screen over a published collection: what it is called, its copies in the editor, its next generation."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.domain.holdings import Holdings
from kbtui.settings.published import local_root, location_of
from kbtui.ui import editing
from kbtui.ui.messages import Spot
from kbtui.ui.panes.browser_head import head
from kbtui.ui.workspace import FolderStatus, Workspace
from tests.ui.driving import make_app, until
from tests.ui.made import FakeEngine

URL = "s3://books/team/handbook"


@pytest.fixture
def root() -> Path:
    """The folder of a collection with one text and one document of which the text alone was published."""
    folder = local_root(URL)
    files = folder.parent / "g-1" / folder.name
    files.mkdir(parents=True)
    (files / "note.md").write_text("One.\n")
    (files / "manual.pdf").touch()
    folder.unlink()
    folder.symlink_to(f"g-1/{folder.name}")
    return folder


def test_the_head_has_the_address_of_the_collection(root: Path) -> None:
    line = head(FolderStatus(kb=root, phase="ready"), Holdings(), 80)[0].plain
    assert line.startswith("handbook") and line.rstrip().endswith("s3://books/team")
    assert str(root.parent) not in line


async def test_a_file_is_opened_as_a_copy_and_that_is_said(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[Path, int]] = []
    monkeypatch.setattr(editing, "_open", lambda _app, path, spot: opened.append((path, spot.start_line)))
    app = make_app(FakeEngine(kb=root), kb=root)
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.pause()
        editing.edit(app, Spot(path="note.md", start_line=1))
        await until(pilot, lambda: f"This is a read-only copy of {URL}." in [one.title for one in app._notifications])
    assert opened == [(root / "note.md", 1)]


async def test_a_document_without_its_pages_is_opened_as_text(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    async def open_text(_app: object, _read: object, path: Path, _spot: Spot) -> None:
        asked.append(path.name)

    monkeypatch.setattr(editing, "_view_page", lambda *_: pytest.fail("there are no pages to view"))
    monkeypatch.setattr(editing, "_open_text", open_text)
    app = make_app(FakeEngine(kb=root), kb=root)
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.pause()
        editing.edit(app, Spot(path="manual.pdf", start_line=3, locator="p.2"))
        await until(pilot, lambda: asked)
    assert asked == ["manual.pdf"]


async def test_refreshing_a_collection_fetches_and_indexes_nothing(root: Path, tmp_path: Path) -> None:
    engine = FakeEngine(kb=root)
    indexed = tmp_path / "indexed"
    workspace = Workspace(lambda: engine, root, lambda _: None, argv=["touch", str(indexed)])  # type: ignore[arg-type, return-value]
    await workspace.open()
    before = engine.refreshed
    assert await workspace.index()
    assert engine.refreshed == before + 1
    assert workspace.status.phase == "ready"
    assert not indexed.exists()


def test_a_session_is_of_the_address_whatever_the_generation(root: Path) -> None:
    assert location_of(root) == location_of(root.resolve()) == URL
