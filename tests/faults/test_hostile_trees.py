"""Folders that somebody else filled: pipes, devices and patterns where files are expected, and files out of proportion.

Every case runs in this process under an alarm, so that a walk or a read that would wait for ever fails instead.
"""

from __future__ import annotations

import base64
import json
import os
import random
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kbtui.domain.ports import CancelToken
from kbtui.errors import FolderNotFound, KnowledgeBaseError, SettingsError
from kbtui.knowledge.reading import folder_worker
from kbtui.knowledge.reading.chunking import chunk
from kbtui.knowledge.reading.cutting import Cut, Failure, cut_all
from kbtui.knowledge.reading.folder_worker import digests, walk_folder
from kbtui.knowledge.reading.ignore_rules import MAX_PATTERNS
from kbtui.knowledge.reading.left_out import left_out
from kbtui.knowledge.reading.loaders import load, parse
from kbtui.knowledge.reading.source import SourceReader
from kbtui.knowledge.reading.walk_types import WalkedFile
from kbtui.knowledge.reading.walker import MAX_IGNORE_FILE_BYTES, walk
from kbtui.knowledge.relations import MAX_RELATIONS, extract_relations
from kbtui.knowledge.relations.opening_sentences import SENTENCE
from kbtui.knowledge.relations.statement_text import MAX_CHARS
from kbtui.knowledge.search.ripgrep import LinePattern, open_finder
from kbtui.regular_files import open_regular, read_regular
from kbtui.sessions.recording import read
from kbtui.settings.model import IndexSettings
from kbtui.ui.theming import load_themes
from tests.knowledge.folders import records_of

SETTINGS = IndexSettings()
HANGS_AFTER_S = 30


@pytest.fixture(autouse=True)
def _alarm() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise AssertionError(f"it was still waiting after {HANGS_AFTER_S} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(HANGS_AFTER_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def tree(root: Path, **files: str) -> Path:
    for name, text in {"a.md": "# A\n\nSome text.\n", "sub/b.md": "# B\n\nMore text.\n", **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def found(root: Path, settings: IndexSettings = SETTINGS) -> list[str]:
    return [file.path for file in walk(root, settings).files]


def make_socket(path: Path) -> None:
    # The name of a socket may not be longer than 107 characters.
    here = Path.cwd()
    os.chdir(path.parent)
    try:
        socket.socket(socket.AF_UNIX).bind(path.name)
    finally:
        os.chdir(here)


NO_FILES: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "socket": make_socket,
    "link to a device": lambda path: path.symlink_to("/dev/zero"),
    "link to a pipe": lambda path: (os.mkfifo(f"{path}.pipe"), path.symlink_to(f"{path}.pipe")),
    "folder": Path.mkdir,
}


@pytest.mark.parametrize("name", [".gitignore", "sub/.gitignore", ".kbtuiignore"])
@pytest.mark.parametrize("make", NO_FILES.values(), ids=NO_FILES)
def test_an_ignore_file_that_is_no_regular_file_is_named_and_not_read(tmp_path: Path, make, name: str) -> None:
    make(tree(tmp_path) / name)
    walked = walk(tmp_path, SETTINGS)
    assert [file.path for file in walked.files] == ["a.md", "sub/b.md"]
    assert walked.paths_by_reason["rules"] == (name,)
    assert any(name in line and "Not used" in line for line in left_out(walked, SETTINGS))


def test_a_linked_ignore_file_does_not_count_as_in_git(tmp_path: Path) -> None:
    tree(tmp_path, rules="a.md\n")
    (tmp_path / ".gitignore").symlink_to("rules")
    assert "a.md" in found(tmp_path)


@pytest.mark.parametrize(
    "pattern",
    ["*a*a*a*a*a*a*ab", "*a" * 100 + "b", "**/a*" * 30 + "/b", "[a-z]*" * 60 + "!", "?*" * 200 + "b", "*" * 300 + "b"],
)
@pytest.mark.parametrize("by_settings", [False, True], ids=["ignore file", "index.exclude"])
def test_no_pattern_takes_longer_than_its_length_times_that_of_the_name(
    tmp_path: Path, pattern: str, by_settings: bool
) -> None:
    tree(tmp_path, **{"a" * 200 + ".md": "x", "aaa/" * 20 + "a.md": "x"})
    if by_settings:
        assert len(found(tmp_path, IndexSettings(exclude=(pattern, "sub/")))) == 3
    else:
        (tmp_path / ".gitignore").write_text(f"{pattern}\nsub/\n")
        assert len(found(tmp_path)) == 3


@pytest.mark.parametrize("pattern", ["name{}", "*pattern{}*x", "/some/where/{}"])
def test_of_300_000_patterns_the_first_count_and_the_file_is_named(tmp_path: Path, pattern: str) -> None:
    tree(tmp_path)
    (tmp_path / ".gitignore").write_text("a.md\n" + "\n".join(pattern.format(number) for number in range(300_000)))
    walked = walk(tmp_path, SETTINGS)
    assert [file.path for file in walked.files] == ["sub/b.md"]
    assert walked.paths_by_reason["patterns"] == (".gitignore",)
    assert any("too many patterns" in line for line in left_out(walked, SETTINGS))


def test_patterns_of_the_folders_above_count_towards_the_limit(tmp_path: Path) -> None:
    lines = "\n".join(f"name{number}" for number in range(MAX_PATTERNS - 1))
    tree(tmp_path, **{".gitignore": lines, "sub/.gitignore": "b.md\nc.md\n", "sub/c.md": "x"})
    walked = walk(tmp_path, SETTINGS)
    assert [file.path for file in walked.files] == ["a.md", "sub/c.md"]
    assert walked.paths_by_reason["patterns"] == ("sub/.gitignore",)


def test_more_patterns_than_can_be_matched_are_an_error_in_the_settings(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"index\.exclude"):
        walk(tree(tmp_path), IndexSettings(exclude=tuple("?" * 900 + str(number) for number in range(1000))))


def test_an_ignore_file_of_one_endless_line_is_read_up_to_its_limit(tmp_path: Path) -> None:
    tree(tmp_path)
    (tmp_path / ".gitignore").write_text("a.md\n" + "x" * (MAX_IGNORE_FILE_BYTES + 1))
    walked = walk(tmp_path, SETTINGS)
    assert [file.path for file in walked.files] == ["sub/b.md"]
    assert walked.paths_by_reason["patterns"] == (".gitignore",)


def test_line_ends_in_names_are_matched_as_in_git(tmp_path: Path) -> None:
    tree(tmp_path, **{".gitignore": "x*z\n", "x\ny.z": "x", "x\ny.md": "x"})
    assert found(tmp_path) == ["a.md", "sub/b.md", "x\ny.md"]


def test_deep_folders_with_an_ignore_file_each_are_walked(tmp_path: Path) -> None:
    deep = tmp_path
    for depth in range(200):
        (deep / ".gitignore").write_text(f"no{depth}\n")
        (deep / "no0").write_text("x")
        deep = deep / "d"
        deep.mkdir()
    (deep / "end.md").write_text("x")
    assert found(tmp_path) == ["d/" * 200 + "end.md"]


def test_names_with_line_ends_and_control_characters_are_told_on_one_line(tmp_path: Path) -> None:
    name = "big\n\x1b[31m\u202e.md"
    tree(tmp_path, **{name: "x" * 3000})
    (line,) = left_out(walk(tmp_path, IndexSettings(max_file_mb=0.002)), IndexSettings(max_file_mb=0.002))
    assert line.isprintable()


# In a worker --------------------------------------------------------------------------------------------------------


def test_a_worker_walks_as_this_process_does(tmp_path: Path) -> None:
    tree(tmp_path, **MACHINE_TEXT, **{"c\nd.md": "x", ".gitignore": "sub/\n"})
    (tmp_path / os.fsdecode(b"bad\xff.md")).touch()
    os.mkfifo(tmp_path / ".kbtuiignore")
    assert walk_folder(tmp_path, SETTINGS) == walk(tmp_path, SETTINGS)


def test_what_a_walk_refuses_arrives_as_the_same_error(tmp_path: Path) -> None:
    with pytest.raises(FolderNotFound, match="no folder") as error:
        walk_folder(tmp_path / "none", SETTINGS)
    assert error.value.hint
    with pytest.raises(SettingsError, match=r"index\.exclude"):
        walk_folder(tmp_path, IndexSettings(exclude=("!",)))


def test_a_walk_that_takes_too_long_is_stopped_with_a_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_worker, "_WALK_S", 0.0)
    with pytest.raises(KnowledgeBaseError, match="longer than") as error:
        walk_folder(tree(tmp_path), SETTINGS)
    assert error.value.hint


def test_a_file_system_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_worker, "_STALLED_S", 0.1)
    never = threading.Event()

    def work(on_entry: Callable[[str], object]) -> None:
        on_entry("mnt/gone")
        never.wait(HANGS_AFTER_S)

    with pytest.raises(KnowledgeBaseError, match="/kb/mnt/gone does not answer") as error:
        folder_worker._run_watched(work, "/kb")
    never.set()
    assert error.value.hint


# A file that becomes something else after it was looked at ----------------------------------------------------------


@pytest.mark.parametrize("make", NO_FILES.values(), ids=NO_FILES)
def test_what_replaced_a_file_is_not_waited_for_by_any_reader(tmp_path: Path, make) -> None:
    path = tree(tmp_path) / "a.md"
    path.unlink()
    make(path)
    readers: list[Callable[[], object]] = [
        lambda: load(WalkedFile(root=tmp_path, path="a.md", size=1, mtime_ns=1)),
        lambda: SourceReader(tmp_path).lines("a.md"),
        lambda: open_regular(path),
        lambda: read_regular(path, 100),
        lambda: read(path),
    ]
    for reader in readers:
        with pytest.raises(Exception, match=r"regular|no file|outside|cannot be read"):
            reader()


def test_grep_does_not_wait_for_a_pipe_that_replaced_an_indexed_file(tmp_path: Path) -> None:
    tree(tmp_path)
    records, source = records_of(tmp_path), SourceReader(tmp_path)
    (tmp_path / "a.md").unlink()
    os.mkfifo(tmp_path / "a.md")
    finder = open_finder(tmp_path, source)
    assert finder.lines(LinePattern("text"), records, CancelToken()) == {"sub/b.md": [3]}


def test_a_pipe_that_replaced_a_listed_file_is_a_failure_of_that_file(tmp_path: Path) -> None:
    files = walk_folder(tree(tmp_path), SETTINGS).files
    (tmp_path / "a.md").unlink()
    os.mkfifo(tmp_path / "a.md")
    results = {file.path: result for file, result in cut_all(files, SETTINGS, CancelToken())}
    assert isinstance(results["sub/b.md"], Cut)
    failure = results["a.md"]
    assert isinstance(failure, Failure) and "regular" in failure.reason
    assert digests(files).keys() == {"sub/b.md"}


def test_a_theme_that_is_a_pipe_is_named_as_broken(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.toml")
    assert "regular" in load_themes(shipped=tmp_path, user=tmp_path / "none").failed[0].reason


def test_a_file_that_grows_past_its_limit_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 101)
    assert len(read_regular(tmp_path / "a", 101)) == 101
    with pytest.raises(OSError, match="larger"):
        read_regular(tmp_path / "a", 100)


# Lines out of proportion ---------------------------------------------------------------------------------------------


def words(count: int) -> str:
    letters = random.Random(count)
    return " ".join("".join(letters.choices("etaoinshrdlu", k=letters.randint(2, 9))) for _ in range(count))


def search_index() -> str:
    terms = {word: list(range(len(word))) for word in set(words(20_000).split())}
    index = {"docnames": [f"pep-{number:04d}" for number in range(388)], "terms": terms}
    return f"Search.setIndex({json.dumps(index, separators=(',', ':'))})"


MACHINE_TEXT = {
    "searchindex.js": search_index(),
    "code.min.js": "/*! licence text of a few words */\n" + "!function(e,t){return e?t:n}(a,b);" * 400,
    "style.min.css": ".a{margin:0;padding:1px}.b>c{color:#fff}" * 300,
    "data.json": json.dumps(list(range(20_000)), separators=(",", ":")),
    "picture.html": f"<img src='data:;base64,{base64.b64encode(bytes(range(256)) * 40).decode()}'>",
}
DOCUMENTS = {
    "paragraph.md": f"# Title\n\n{words(3000)}\n\n{words(2000)}\n",
    "chinese.md": "部署需要两个人批准，回滚由值班负责。" * 600,
    "records.jsonl": json.dumps({"values": list(range(3000))}) + "\n",
    "table.csv": ",".join(f"column{number}" for number in range(1000)) + "\n",
    "records.json": json.dumps([{"id": number, "text": words(12)} for number in range(200)]),
    "code.py": "x = 1\n" * 3000 + "DATA = '" + "A" * 6000 + "'\n",
}


def test_minified_and_generated_files_are_left_out_by_shape_and_named(tmp_path: Path) -> None:
    tree(tmp_path, **MACHINE_TEXT)
    walked = walk(tmp_path, SETTINGS)
    assert set(walked.paths_by_reason["minified"]) == set(MACHINE_TEXT)
    assert walked.skipped == {"minified": len(MACHINE_TEXT)}
    assert any("minified" in line and "code.min.js" in line for line in left_out(walked, SETTINGS))


def test_documents_with_very_long_lines_stay(tmp_path: Path) -> None:
    tree(tmp_path, **DOCUMENTS)
    (tmp_path / "gbk.txt").write_bytes(DOCUMENTS["chinese.md"].encode("gbk"))
    (tmp_path / "utf16.txt").write_bytes(DOCUMENTS["paragraph.md"].encode("utf-16"))
    assert walk(tmp_path, SETTINGS).skipped == {}


def test_a_relation_keeps_a_part_of_its_line_that_holds_the_statement() -> None:
    text = "".join(f"PEP {number} {words(8)} " for number in range(1, 400)) * 30
    document = parse(text.encode(), "all.txt")
    relations = [relation for relation in extract_relations(document) if relation.relation != SENTENCE]
    assert len(relations) == 399
    assert all(relation.text in text and len(relation.text) <= MAX_CHARS for relation in relations)
    assert all(f"{relation.target} " in relation.text for relation in relations)


def test_a_relation_keeps_a_line_of_usual_length_whole() -> None:
    line = f"Superseded by PEP 699. {words(60)}"
    (relation,) = (one for one in extract_relations(parse(line.encode(), "a.md")) if one.relation == "superseded-by")
    assert relation.text == line


def test_relations_of_a_listing_are_limited() -> None:
    text = "\n".join(f"PEP {number}" for number in range(1, MAX_RELATIONS + 5000))
    relations = extract_relations(parse(text.encode(), "all.txt"))
    assert sum(relation.relation != SENTENCE for relation in relations) == MAX_RELATIONS


@pytest.mark.parametrize("name", ["a.md", "a.js", "a.txt"])
@pytest.mark.parametrize("text", ["x" * 500_000, "文" * 100_000, "word; " * 50_000], ids=["data", "chinese", "words"])
def test_no_passage_is_as_long_as_a_line_out_of_proportion(name: str, text: str) -> None:
    for settings in (SETTINGS, IndexSettings(chunk_chars=8000)):
        passages = chunk(parse(text.encode(), name), settings)
        assert 0 < max(len(passage.text) for passage in passages) <= 2 * settings.chunk_chars + 4000
        assert all(passage.text in text for passage in passages)
