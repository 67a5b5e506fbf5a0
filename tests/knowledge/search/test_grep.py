"""grep_search: what it finds, in which order, and that its lines are those of the file."""

from __future__ import annotations

import stat
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, ToolError
from kbtui.knowledge.reading.source import SourceReader
from kbtui.knowledge.search import ripgrep
from kbtui.knowledge.search.grep import GrepSearcher
from kbtui.knowledge.search.grep_ranking import name_tokens
from kbtui.knowledge.search.keywords import first_terms, split_keywords
from kbtui.knowledge.search.ripgrep import NOT_FOUND_NOTE, LinePattern, PythonFinder, escape, find_ripgrep, open_finder
from tests.knowledge.folders import records_of, write_files

Search = Callable[..., list[Hit]]

PROSE = "\n".join(f"This is line {number} of a long story about nothing in particular." for number in range(1, 80))


def searcher(
    root: Path, files: Mapping[str, str | bytes], labels: Mapping[str, tuple[str, ...]] | None = None, rg: bool = True
) -> GrepSearcher:
    write_files(root, files)
    records, source = records_of(root, labels), SourceReader(root)
    return GrepSearcher(root, source, lambda: records, None if rg else PythonFinder(source))


def paths(hits: list[Hit]) -> list[str]:
    return [hit.path for hit in hits]


def assert_lines_are_those_of_the_file(root: Path, hits: list[Hit]) -> None:
    reader = SourceReader(root)
    for hit in hits:
        lines = reader.lines(hit.path)
        assert hit.text == "\n".join(lines[hit.start_line - 1 : hit.end_line])
        assert len(hit.text) <= 2000
        assert all(hit.start_line <= line <= hit.end_line for line in hit.matched_lines)


def test_a_match_comes_with_ten_lines_on_both_sides(tmp_path: Path) -> None:
    lines = PROSE.split("\n")
    lines[39] = "the flux capacitor hums"
    grep = searcher(tmp_path, {"story.txt": "\n".join(lines)})
    [hit] = grep.search("capacitor", 5)
    assert (hit.start_line, hit.end_line, hit.matched_lines) == (30, 50, (40,))
    assert hit.tool == "grep_search"
    assert_lines_are_those_of_the_file(tmp_path, [hit])


def test_windows_that_meet_become_one_passage(tmp_path: Path) -> None:
    lines = ["x"] * 60
    lines[19] = lines[34] = "flux"
    [hit] = searcher(tmp_path, {"a.txt": "\n".join(lines)}).search("flux", 5)
    assert (hit.start_line, hit.end_line, hit.matched_lines) == (10, 45, (20, 35))


def test_windows_that_do_not_meet_stay_apart(tmp_path: Path) -> None:
    lines = ["x"] * 90
    lines[19] = lines[69] = "flux"
    hits = searcher(tmp_path, {"a.txt": "\n".join(lines)}).search("flux", 5)
    assert sorted((hit.start_line, hit.end_line) for hit in hits) == [(10, 30), (60, 80)]


def test_no_passage_is_longer_than_two_thousand_characters(tmp_path: Path) -> None:
    grep = searcher(tmp_path, {"a.txt": "\n".join(f"flux {'word ' * 40}{number}" for number in range(200))})
    hits = grep.search("flux", 10)
    assert hits
    assert_lines_are_those_of_the_file(tmp_path, hits)


def test_one_very_long_line_is_cut_around_its_match(tmp_path: Path) -> None:
    grep = searcher(tmp_path, {"data.txt": "a " * 5000 + "needle " + "b " * 5000})
    [hit] = grep.search("needle", 5)
    assert "needle" in hit.text
    assert len(hit.text) <= 2000


def test_a_rare_keyword_counts_more_than_a_common_one(tmp_path: Path) -> None:
    files = {f"common{number}.txt": "the server server server server is a server\n" for number in range(20)}
    files["rare.txt"] = "the flywheel of the server\n"
    assert searcher(tmp_path, files).search("server flywheel", 5)[0].path == "rare.txt"


def test_passages_with_only_the_common_word_are_noise(tmp_path: Path) -> None:
    files = {f"common{number}.txt": "a server\n" for number in range(30)}
    files["rare.txt"] = "the flywheel governor of the server\n"
    assert paths(searcher(tmp_path, files).search("server flywheel governor", 20)) == ["rare.txt"]


def test_a_number_does_not_find_a_longer_number(tmp_path: Path) -> None:
    files = {"a.txt": "see PEP 509 for this\n", "b.txt": "see PEP 5 for that\n"}
    assert paths(searcher(tmp_path, files).search("PEP 5", 5)) == ["b.txt"]


def test_a_name_and_its_number_are_found_in_any_spelling(tmp_path: Path) -> None:
    files = {"a.txt": "see PEP-0484\n", "b.txt": "PEP: 484\n", "c.txt": "pep484 is\n", "d.txt": "PEP 4840 and 484\n"}
    assert set(paths(searcher(tmp_path, files).search('"PEP 484"', 5))) == {"a.txt", "b.txt", "c.txt"}


def test_a_word_finds_its_inflections_and_no_other_word(tmp_path: Path) -> None:
    files = {"a.txt": "we deployed it\n", "b.txt": "deploys and deployments\n", "c.txt": "it was important\n"}
    grep = searcher(tmp_path, files)
    assert set(paths(grep.search("deploy", 5))) == {"a.txt", "b.txt"}
    assert grep.search("import", 5) == []


@pytest.mark.parametrize(
    "word", ["authentication", "governance", "queries", "mapping", "running", "use", "uses", "analysis", "data", "bus"]
)
def test_a_word_finds_itself_whatever_its_stem(tmp_path: Path, word: str) -> None:
    assert paths(searcher(tmp_path, {"a.txt": f"some {word} here\n"}).search(word, 5)) == ["a.txt"]


def test_a_word_finds_the_identifiers_it_is_part_of(tmp_path: Path) -> None:
    files = {"a.rs": "struct DiffExecutor;\n", "b.py": "def run_executor(): ...\n", "c.txt": "nothing\n"}
    assert set(paths(searcher(tmp_path, files).search("executor", 5))) == {"a.rs", "b.py"}


def test_an_identifier_written_as_asked_comes_first(tmp_path: Path) -> None:
    files = {"a.py": "MAXITEMS = max_Items\n", "b.py": "MaxItems = 3\n"}
    assert searcher(tmp_path, files).search("MaxItems", 5)[0].path == "b.py"


@pytest.mark.parametrize(
    "keyword", ["-e", "--", "--files", "a.*b", "(", "[x", "\\d", "$HOME", "a|b", "^x", "it's", "50%", "<b>", "\\<"]
)
def test_keywords_are_literal_and_never_options(tmp_path: Path, keyword: str) -> None:
    files = {"a.txt": f"before\nhere: {keyword} it is\n", "b.txt": "an ordinary line, axxb, home\n"}
    assert paths(searcher(tmp_path, files).search(f'"{keyword}"', 5)) == ["a.txt"]


def test_stop_words_are_looked_for_only_when_there_is_nothing_else(tmp_path: Path) -> None:
    assert [text for text, _ in split_keywords("how does the flywheel work")] == ["flywheel", "work"]
    assert [text for text, _ in split_keywords("the of")] == ["the", "of"]


def test_phrases_in_quotes_stay_whole_and_sequences_are_taken_as_they_are() -> None:
    assert split_keywords('rollback "type comment", PEP 484') == [
        ("rollback", False),
        ("type comment", True),
        ("PEP 484", False),
    ]
    assert [text for text, _ in split_keywords(["type comment", "PEP 484"])] == ["type comment", "PEP 484"]


def test_a_phrase_also_looks_for_its_words_and_finds_its_plural(tmp_path: Path) -> None:
    files = {"whole.txt": "type comments\n", "half.txt": "a comment\n", "none.txt": "nothing\n"}
    hits = searcher(tmp_path, files).search('"type comment"', 5)
    assert hits[0].path == "whole.txt"
    assert "none.txt" not in paths(hits)


def test_chinese_is_found_whole_and_by_pairs_where_it_is_nowhere_whole(tmp_path: Path) -> None:
    files = {"a.md": "# 部署\n\n失败的部署要立即回滚到上一个版本。\n", "b.md": "# 值班\n\n每周三交接。\n"}
    grep = searcher(tmp_path, files)
    assert paths(grep.search("回滚", 5)) == ["a.md"]
    assert paths(grep.search("部署回滚流程", 5)) == ["a.md"]


def test_a_latin_word_is_found_between_chinese_characters(tmp_path: Path) -> None:
    files = {"a.md": "我们使用Python开发\n", "b.md": "我们使用Pythonista\n"}
    assert paths(searcher(tmp_path, files).search("Python", 5)) == ["a.md"]


def test_the_file_a_keyword_names_is_found_though_it_never_says_its_name(tmp_path: Path) -> None:
    files = {"peps/pep-0703.rst": "# Optional GIL\n\nBiased reference counting.\n", "b.rst": "reference counting\n" * 9}
    grep = searcher(tmp_path, files, labels={"peps/pep-0703.rst": ("PEP 703",)})
    assert grep.search('"PEP 703" reference counting', 5)[0].path == "peps/pep-0703.rst"
    assert paths(grep.search("PEP 703", 5)) == ["peps/pep-0703.rst"]


def test_signals_say_how_many_keywords_are_there_and_whether_as_written(tmp_path: Path) -> None:
    [hit] = searcher(tmp_path, {"a.txt": "Alpha and BETA\n"}).search("Alpha beta gamma", 5)
    assert hit.signals["coverage"] == pytest.approx(2 / 3, abs=1e-3)
    assert hit.signals["exact"] == pytest.approx(1 / 3, abs=1e-3)
    assert hit.signals["bm25"] > 0


@pytest.mark.parametrize("rg", [True, False])
@pytest.mark.parametrize("encoding", ["gbk", "gb18030", "big5", "utf-16", "utf-8-sig"])
def test_files_in_other_encodings_are_found_at_their_own_lines(tmp_path: Path, encoding: str, rg: bool) -> None:
    text = "\n".join([*["開頭的一行文字，說明背景。"] * 12, "這裡寫著部署失敗後的處理方法。", *["結尾的文字。"] * 3])
    grep = searcher(tmp_path, {"a.txt": text.encode(encoding)}, rg=rg)
    [hit] = grep.search("部署失敗", 5)
    assert hit.matched_lines == (13,)
    assert_lines_are_those_of_the_file(tmp_path, [hit])


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_numbers_are_ours_whatever_ends_a_line(tmp_path: Path, end: str) -> None:
    text = end.join(["one\x0cstill one", "two\u2028still two", "three", "the needle", "five"])
    [hit] = searcher(tmp_path, {"a.txt": text.encode()}).search("needle", 5)
    assert hit.matched_lines == (4,)
    assert_lines_are_those_of_the_file(tmp_path, [hit])


def test_only_files_the_index_knows_are_searched_even_hidden_ones(tmp_path: Path) -> None:
    write_files(tmp_path, {"a.txt": "needle\n", "b.txt": "needle\n", ".hidden/c.txt": "needle\n", ".gitignore": "*\n"})
    records = [record for record in records_of(tmp_path) if record.path in ("a.txt", ".hidden/c.txt")]
    hits = GrepSearcher(tmp_path, SourceReader(tmp_path), lambda: records).search("needle", 5)
    assert set(paths(hits)) == {"a.txt", ".hidden/c.txt"}


def test_file_names_may_hold_newlines_dashes_and_spaces(tmp_path: Path) -> None:
    files = {"-e": "needle\n", "two\nlines.txt": "needle\n", "a b:12.txt": "needle\n"}
    hits = searcher(tmp_path, files).search("needle", 5)
    assert set(paths(hits)) == set(files)


def test_a_file_that_vanished_is_left_out(tmp_path: Path) -> None:
    grep = searcher(tmp_path, {"a.txt": "needle\n", "b.txt": "needle\n"})
    (tmp_path / "b.txt").unlink()
    assert paths(grep.search("needle", 5)) == ["a.txt"]


def test_matches_are_where_the_file_is_now_not_where_it_was_indexed(tmp_path: Path) -> None:
    grep = searcher(tmp_path, {"a.txt": "needle\n"})
    (tmp_path / "a.txt").write_text("new first line\nnew second line\nneedle\n")
    [hit] = grep.search("needle", 5)
    assert hit.matched_lines == (3,)


def test_python_finds_what_ripgrep_finds(tmp_path: Path) -> None:
    files = {
        f"f{number}.md": f"# Doc {number}\n\nDeploy {number} of the DiffExecutor, PEP {number}, 部署。\n"
        for number in range(9)
    }
    with_rg, without = searcher(tmp_path, files), searcher(tmp_path, files, rg=False)
    for keywords in ("deploying", "PEP 3", "executor", "部署", '"of the diffexecutor"', "doc 7 deploy"):
        assert with_rg.search(keywords, 20) == without.search(keywords, 20)
    assert without.note == NOT_FOUND_NOTE
    assert with_rg.note == ""


def test_ripgrep_beside_python_comes_before_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside, on_path = tmp_path / "bin", tmp_path / "path"
    for folder in (beside, on_path):
        folder.mkdir()
        (folder / "rg").write_text("#!/bin/sh\n")
        (folder / "rg").chmod(0o755)
    monkeypatch.setenv("PATH", str(on_path))
    monkeypatch.setattr(ripgrep.sys, "executable", str(beside / "python"))
    assert find_ripgrep() == beside / "rg"
    (beside / "rg").unlink()
    assert find_ripgrep() == on_path / "rg"
    (on_path / "rg").unlink()
    assert find_ripgrep() is None
    assert open_finder(tmp_path, SourceReader(tmp_path)).note == NOT_FOUND_NOTE


def test_a_ripgrep_that_fails_is_an_error_with_a_hint(tmp_path: Path) -> None:
    broken = tmp_path / "rg"
    broken.write_text("#!/bin/sh\necho no such option >&2\nexit 2\n")
    broken.chmod(broken.stat().st_mode | stat.S_IXUSR)
    write_files(tmp_path, {"kb/a.txt": "needle"})
    records, source = records_of(tmp_path / "kb"), SourceReader(tmp_path / "kb")
    finder = open_finder(tmp_path / "kb", source, lambda: broken)
    with pytest.raises(ToolError, match="no such option") as caught:
        GrepSearcher(tmp_path / "kb", source, lambda: records, finder).search("needle", 5)
    assert caught.value.hint


def test_a_cancelled_search_kills_ripgrep_at_once(tmp_path: Path) -> None:
    slow = tmp_path / "rg"
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    write_files(tmp_path, {"kb/a.txt": "needle"})
    records, source = records_of(tmp_path / "kb"), SourceReader(tmp_path / "kb")
    finder = open_finder(tmp_path / "kb", source, lambda: slow)
    cancel = CancelToken()
    threading.Timer(0.1, cancel.cancel).start()
    start = time.monotonic()
    with pytest.raises(Cancelled):
        GrepSearcher(tmp_path / "kb", source, lambda: records, finder).search("needle", 5, cancel)
    assert time.monotonic() - start < 30


def test_more_files_than_fit_one_command_line_are_all_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ripgrep, "_ARGUMENT_BYTES", 40)
    grep = searcher(tmp_path, {f"file-number-{number}.txt": "needle\n" for number in range(12)})
    assert len(grep.search("needle", 20)) == 12


def test_common_words_in_long_files_are_found_beyond_the_first_matches(tmp_path: Path) -> None:
    lines = ["flux"] * 400
    lines[350] = "flux governor"
    grep = searcher(tmp_path, {"a.txt": "\n".join(lines), "b.txt": "x\n"})
    assert any(351 in hit.matched_lines for hit in grep.search("flux governor", 10))


def test_counts_are_of_lines_by_keyword(tmp_path: Path) -> None:
    grep = searcher(tmp_path, {"a.txt": "flux\nflux flux\n", "b.txt": "governor\n", "c.txt": "x\n"})
    assert grep.count_files(["flux", "governor", "absent"]) == {"flux": {"a.txt": 2}, "governor": {"b.txt": 1}}


def test_files_are_told_by_all_texts_that_they_hold(tmp_path: Path) -> None:
    found = searcher(tmp_path, {"a.md": "A Gate\n\nand a pump\n", "b.md": "gates\n", "c.md": "pumps\n"})
    assert found.holding(["gate"]) == {"a.md", "b.md"}
    assert found.holding(["PUMP", "gat"]) == {"a.md"}
    assert found.holding(["pump", "harbour"]) == frozenset()


def test_the_files_of_a_search_are_looked_at_once_for_all_its_terms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = searcher(tmp_path, {"a.md": "a gate\n", "b.md": "a pump\n"})
    looked_at: list[str] = []
    monkeypatch.setattr(ripgrep, "_is_regular", lambda root, path: not looked_at.append(path))
    found.search("gate pump harbour", 5)
    assert sorted(looked_at) == ["a.md", "b.md"]
    found.search("gate", 5)
    assert len(looked_at) == 4


def test_a_run_looks_for_a_word_once_and_the_next_run_looks_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grep, run = searcher(tmp_path, {"a.md": "a gate\n", "b.md": "a pump\n"}), CancelToken()
    passes: list[object] = []
    once = ripgrep.Ripgrep._run
    monkeypatch.setattr(ripgrep.Ripgrep, "_run", lambda *asked: passes.append(asked) or once(*asked))
    assert paths(grep.search("gate pump", 5, run)) == paths(grep.search("pump gate", 5, run)) != []
    assert len(passes) == 2
    (tmp_path / "b.md").write_text("a gate and a pump\n")
    assert [hit.path for hit in grep.search("gate", 5, run)] == ["a.md"]
    assert set(paths(grep.search("gate", 5, CancelToken()))) == {"a.md", "b.md"}
    assert len(passes) == 3


def test_nothing_is_found_without_keywords_or_files(tmp_path: Path) -> None:
    assert searcher(tmp_path, {"a.txt": "x\n"}).search("", 5) == []
    assert GrepSearcher(tmp_path, SourceReader(tmp_path), list).search("x", 5) == []


def test_both_pattern_syntaxes_mean_the_same() -> None:
    for text in (
        "a.b",
        "x+y",
        "[z]",
        "{n}",
        "q?",
        "back\\slash",
        "c|d",
        "^e$",
        "(f)",
        "g*",
        "<h>",
        "i-j",
        "#k",
        "&l",
        "~m",
    ):
        assert LinePattern(escape(text)).python.fullmatch(text)
    assert all(term.pattern.python for term in first_terms(split_keywords("c++ .net f(x) a[0] x-y")))


def test_the_tokens_of_as_many_names_are_kept_as_a_large_folder_has() -> None:
    # Each question goes through all of them, in order: a smaller cache would forget each before it is used again.
    assert name_tokens.cache_info().maxsize >= 100_000
