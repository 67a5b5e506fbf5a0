"""What ``kbtui search`` asks a tool, and how it shows a hit."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kbtui.cli.search import TOOLS, hit_object, print_hit, snippet
from kbtui.domain.evidence import Hit
from kbtui.tools import load_spec
from kbtui.tools.searching import search_arguments
from tests.cli.conftest import Program
from tests.support.web import reply, web

HIT = Hit(
    path="a\x1b[31m/b.md",
    start_line=10,
    end_line=29,
    text="\n".join(f"line {number}\x1b]0;owned\x07" for number in range(10, 30)),
    score=0.5,
    tool="vector_search",
    matched_lines=(20,),
    signals={"cosine": 0.25},
)


def test_every_tool_that_can_be_chosen_is_there_and_is_given_the_query() -> None:
    for name in TOOLS:
        given = search_arguments(load_spec(name), "how does import_module work?", "")
        assert given, name
        assert any("import_module" in value for value in given.values()), name


def test_each_side_of_hybrid_search_gets_its_own_text() -> None:
    assert search_arguments(load_spec("hybrid_search"), "how does it roll back?", "rollback deploy") == {
        "semantic_query": "how does it roll back?",
        "exact_keywords": "rollback deploy",
    }


def test_without_keywords_they_are_taken_from_the_query() -> None:
    given = search_arguments(load_spec("grep_search"), "what does HEARTBEAT_TIMEOUT_S mean?", "")
    assert given == {"keywords": "HEARTBEAT_TIMEOUT_S"}


def test_an_object_holds_exactly_what_the_contract_says() -> None:
    assert list(hit_object(1, HIT, "x", explain=False)) == [
        "rank",
        "path",
        "start_line",
        "end_line",
        "score",
        "tool",
        "text",
    ]
    assert hit_object(1, HIT, "x", explain=False)["text"] == HIT.text
    explained = hit_object(1, HIT, "x", explain=True)
    assert explained["signals"] == {"cosine": 0.25}
    assert [(line["name"], line["value"], line["weight"]) for line in explained["explain"]] == [("cosine", 0.25, None)]


def test_the_snippet_begins_just_above_the_first_match() -> None:
    shown = snippet(HIT)
    assert [number for number, _ in shown] == [19, 20, 21, 22, 23, 24]
    assert [number for number, _ in snippet(Hit(path="a", start_line=3, end_line=3, text="x"))] == [3]


def test_a_hit_as_text_is_clean_and_marks_what_matched(capsys: pytest.CaptureFixture[str]) -> None:
    print_hit(1, HIT, explain=True)
    text = capsys.readouterr().out
    assert "a/b.md:10-29  0.5000" in text
    assert re.search(r"likeness of meaning \(cosine\) +0\.25\n", text)
    assert ">    20  line 20" in text
    assert "owned" not in text
    assert "\x1b" not in text


def test_the_web_is_searched_from_the_command_line_and_the_folder_left_alone(program: Program, tmp_path: Path) -> None:
    found = {
        "results": [{"url": "https://docs.example/a", "title": "T\x1b[31m", "content": "Set the\x1b[2J traffic back."}]
    }
    (tmp_path / "notes.md").write_text("# Notes\n")
    with web(reply(json.dumps(found), content_type="application/json")) as server:
        env = {"KBTUI_WEB__SEARCH": "searxng", "KBTUI_WEB__SEARXNG_URL": f"http://127.0.0.1:{server.port}"}
        as_text = program("search", "roll back", "--tool", "web_search", **env)
        as_json = program("search", "roll back", "--tool", "web_search", "--json", **env)
    assert as_text.returncode == 0
    assert "https://docs.example/a  1.0000" in as_text.stdout
    assert "Set the traffic back." in as_text.stdout
    assert "\x1b" not in as_text.stdout
    assert json.loads(as_json.stdout)["path"] == "https://docs.example/a"
    assert not list(tmp_path.glob("**/*.lance"))


def test_switched_off_the_web_is_not_searched_and_it_says_how_to_switch_it_on(program: Program) -> None:
    done = program("search", "roll back", "--tool", "web_search")
    assert done.returncode == 1
    assert "switched off" in done.stderr
    assert "`web.search`" in done.stderr
