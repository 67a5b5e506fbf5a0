"""Loaders of other packages: read in workers, cited with their places, named and skipped when they fail."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kbtui.domain.ports import CancelToken
from kbtui.knowledge.reading.cutting import Cut, Failure, cut_all
from kbtui.knowledge.reading.extraction import recipe
from kbtui.knowledge.reading.folder_worker import POOL, reading_rules, walk_folder
from kbtui.knowledge.reading.formats.base import MAX_CHARS
from kbtui.knowledge.reading.formats.others import extract_by_plugin
from kbtui.knowledge.reading.source import open_reader
from kbtui.plugins import EntryPoint
from kbtui.settings.model import IndexSettings
from kbtui.text.file_formats import format_of
from tests.support.plugins import installed, write_package

LOADER = """
import os, sys, time
from kbtui.domain.document import Place
from kbtui.knowledge.reading.formats import Extracted, TextBuilder

def extract(data, path):
    word = data.split()[0].decode()
    if word == "raise":
        raise ValueError("no journal")
    if word == "exit":
        os._exit(3)
    if word == "memory":
        return "x" * (8 << 30)
    if word == "hang":
        time.sleep(1000)
    if word == "number":
        return 7
    if word == "odd":
        places = (Place(line=9, name="far"), Place(line=2, name="e\\n1"))
        return Extracted(text="a\\x1b[31mb\\r\\nc\\ud800", kind="text", places=places)
    if word == "kind":
        return Extracted(text="a", kind="music")
    if word == "plain":
        return None
    if word == "write":
        with open(os.devnull if not os.path.isdir("/tmp") else "/tmp/kbtui-test.copy", "w") as stream:
            stream.write("copy")
    builder = TextBuilder()
    for number, entry in enumerate(data.decode().split("%%"), 1):
        builder.blank()
        builder.place(f"entry {number}")
        builder.add(entry.strip())
    return builder.done("text", title="The yard")
"""


@pytest.fixture(scope="module", autouse=True)
def packages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    site = tmp_path_factory.mktemp("site")
    write_package(site, "journals", LOADER, {"kbtui.loaders": {".kjr": "journals:extract", "PDF": "journals:extract"}})
    write_package(site, "broken", "import nothing_there", {"kbtui.loaders": {"brk": "broken:extract"}})
    with installed(site):
        yield


def cut(folder: Path, files: dict[str, bytes], settings: IndexSettings | None = None) -> dict[str, Cut | Failure]:
    for name, data in files.items():
        (folder / name).write_bytes(data)
    settings = settings or IndexSettings()
    return {file.path: result for file, result in cut_all(walk_folder(folder, settings).files, settings, CancelToken())}


def test_a_file_is_read_by_the_loader_of_its_suffix_and_cited_by_its_places(tmp_path: Path) -> None:
    found = cut(tmp_path, {"a.kjr": b"\x00 The crane\n%%\nThe derrick was greased on Monday."})
    result = found["a.kjr"]
    assert isinstance(result, Cut)
    assert result.reading.record.title == "The yard"
    reader = open_reader(tmp_path, IndexSettings())
    lines = reader.lines("a.kjr")
    place = lines.index("The derrick was greased on Monday.") + 1
    assert reader.locator("a.kjr", place, place) == "entry 2"
    assert reader.text("a.kjr").is_extracted


def test_kbtuis_own_formats_go_before_those_of_others() -> None:
    form = format_of("manual.pdf")
    assert form is not None
    assert form.plugin is None
    assert format_of("a.kjr") is not None
    assert format_of("kjr") is None


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("raise", "no journal"),
        ("exit", "Reading it broke the process that did"),
        ("memory", "It took more memory to read than a file may."),
        ("number", "the loader of journals-1.2 returned no text but int"),
        ("kind", "the loader of journals-1.2 returned no text but Extracted"),
        ("write", "File too large"),
    ],
)
def test_a_file_whose_loader_fails_is_named_and_fails_alone(tmp_path: Path, word: str, reason: str) -> None:
    found = cut(tmp_path, {"bad.kjr": word.encode(), "fine.md": b"# Fine\n"})
    bad = found["bad.kjr"]
    assert isinstance(bad, Failure)
    assert reason in bad.reason
    assert isinstance(found["fine.md"], Cut)


def test_a_loader_that_cannot_be_imported_is_named(tmp_path: Path) -> None:
    bad = cut(tmp_path, {"a.brk": b"x"})["a.brk"]
    assert isinstance(bad, Failure)
    assert bad.reason.startswith("the loader of broken-1.2 could not be loaded: No module named 'nothing_there'")


def test_a_loader_that_hangs_costs_its_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kbtui.knowledge.reading import cutting

    monkeypatch.setattr(cutting, "_BATCH_S", 1.5)
    found = cut(tmp_path, {"bad.kjr": b"hang", "fine.md": b"# Fine\n"})
    bad = found["bad.kjr"]
    assert isinstance(bad, Failure)
    assert "took longer than" in bad.reason
    assert isinstance(found["fine.md"], Cut)


def test_what_a_loader_returns_is_cleaned_and_bounded(tmp_path: Path) -> None:
    found = cut(tmp_path, {"odd.kjr": b"odd", "plain.kjr": b"plain words"})
    assert all(isinstance(result, Cut) for result in found.values())
    reader = open_reader(tmp_path, IndexSettings())
    assert reader.lines("odd.kjr") == ["a[31mb", "c?"]
    assert reader.locator("odd.kjr", 2, 2) == "e 1"
    assert reader.lines("plain.kjr") == ["plain words"]


def test_the_text_of_a_loader_has_a_greatest_length(tmp_path: Path) -> None:
    write_package(tmp_path, "endless", "def extract(data, path):\n    return 'word ' * 4_000_000", {})
    with installed(tmp_path):
        text = extract_by_plugin(b"", "a.end", EntryPoint("endless-1.2", "kbtui.loaders", "end", "endless", "extract"))
    assert text is not None
    assert len(text.text) < MAX_CHARS + 200
    assert text.text.endswith("the rest is left out.]")


def test_loaders_run_in_workers_alone(tmp_path: Path) -> None:
    import sys

    cut(tmp_path, {"a.kjr": b"one"})
    assert "journals" not in sys.modules
    assert POOL.name == "folder"


def test_another_version_of_a_package_has_its_files_read_again(tmp_path: Path) -> None:
    from kbtui.text.file_formats import plugin_formats

    before = recipe(reading_rules(IndexSettings()))
    write_package(tmp_path, "more", "", {"kbtui.loaders": {"mor": "more:extract"}})
    with installed(tmp_path):
        assert recipe(reading_rules(IndexSettings())) != before
    assert ".kjr" in plugin_formats()
    assert recipe(reading_rules(IndexSettings())) == before
