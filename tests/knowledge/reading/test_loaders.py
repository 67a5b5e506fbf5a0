from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbtui.domain.document import Document
from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.reading.loaders import kind_of, language_of, load, parse
from kbtui.knowledge.reading.loaders.languages import LANGUAGES
from kbtui.knowledge.reading.walker import walk
from kbtui.settings.model import IndexSettings


def read(text: str, path: str) -> Document:
    return parse(text.encode(), path)


def headings(text: str, path: str) -> list[tuple[int, str, int]]:
    return [(h.level, h.text, h.line) for h in read(text, path).headings]


def fields(text: str, path: str) -> list[tuple[str, str, int, int]]:
    return [(f.key, f.value, f.start_line, f.end_line) for f in read(text, path).fields]


def test_a_walked_file_becomes_a_document(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes("# 标题\r\n\r\n正文。".encode("gbk"))
    document = load(walk(tmp_path, IndexSettings()).files[0])
    assert (document.path, document.kind, document.title) == ("a.md", "markdown", "标题")
    assert (document.text, document.encoding) == ("# 标题\n\n正文。", "gb18030")
    assert document.size == (tmp_path / "a.md").stat().st_size
    assert document.mtime_ns == (tmp_path / "a.md").stat().st_mtime_ns
    assert len(document.sha256) == 64


def test_a_file_that_went_away_is_said_with_a_hint(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    file = walk(tmp_path, IndexSettings()).files[0]
    (tmp_path / "a.md").unlink()
    with pytest.raises(KnowledgeBaseError) as error:
        load(file)
    assert error.value.hint


def test_the_text_of_a_document_is_the_file_as_it_is() -> None:
    for path in ("a.html", "a.csv", "a.json", "a.md"):
        text = ' <p>a</p>,\t{"b": 1}\n\n\x0c\n'
        assert read(text, path).text == text


def test_markdown_headings_of_both_kinds_are_found_outside_of_code() -> None:
    text = "Title\n=====\n\n## A `b` [c](d) ##\n\n```\n# no\n```\n\nSub\n---\n"
    assert headings(text, "a.md") == [(1, "Title", 1), (2, "A b c", 4), (2, "Sub", 10)]
    assert read(text, "a.md").title == "Title"


def test_front_matter_means_what_yaml_says_with_its_lines() -> None:
    text = (
        '---\ntitle: "Roll: back"  # note\ntags: [ops, ci]\nsummary: >\n  two\n  lines\n'
        "date: 2024-01-02\nid: 007\n---\n\n# Other\n"
    )
    assert fields(text, "a.md") == [
        ("title", "Roll: back", 2, 2),
        ("tags", "ops, ci", 3, 3),
        ("summary", "two lines", 4, 6),
        ("date", "2024-01-02", 7, 7),
        ("id", "007", 8, 8),
    ]
    assert read(text, "a.md").title == "Roll: back"


def test_toml_front_matter_is_read_too() -> None:
    assert fields('+++\ntitle = "T"\ntags = ["a", "b"]\n+++\n\nText.\n', "a.md") == [
        ("title", "T", 2, 2),
        ("tags", "a, b", 3, 3),
    ]


def test_broken_front_matter_is_read_as_it_is_written() -> None:
    assert fields("---\ntitle: [unclosed\nstatus: open: it\n---\nText.\n", "a.md") == [
        ("title", "[unclosed", 2, 2),
        ("status", "open: it", 3, 3),
    ]
    assert fields("---\n\nA rule, then text.\n\n---\n", "a.md") == []


def test_a_list_of_keys_under_the_title_is_a_header() -> None:
    text = "# Use a queue\n\n- Status: accepted\n- RFC PR: [x#1](https://example.org)\n\n## Context\n\n- Not: a field\n"
    assert fields(text, "a.md") == [("Status", "accepted", 3, 3), ("RFC PR", "[x#1](https://example.org)", 4, 4)]


def test_bold_keys_and_chinese_keys_are_a_header() -> None:
    assert fields("# T\n\n**Status:** open\n**Owner**: Ana\n", "a.md") == [
        ("Status", "open", 3, 3),
        ("Owner", "Ana", 4, 4),
    ]
    assert fields("# 部署\n\n状态：已接受\n负责人：张伟\n", "a.md") == [
        ("状态", "已接受", 3, 3),
        ("负责人", "张伟", 4, 4),
    ]


def test_a_status_section_of_a_decision_record_is_a_field() -> None:
    text = "# 7. Use a queue\n\n## Status\n\nSuperseded by [9](0009.md)\n\n## Context\n\nLong.\n\nLonger.\n"
    assert fields(text, "adr/0007.md") == [("Status", "Superseded by [9](0009.md)", 5, 5)]


def test_the_header_of_a_restructuredtext_document_has_its_continuation_lines() -> None:
    header = "PEP: 7\nTitle: Style Guide\n for C\nAuthor: A <a@example.org>,\n        B\nRequires: 8\n"
    text = header + "\n\nAbstract\n========\n"
    assert fields(text, "pep.rst") == [
        ("PEP", "7", 1, 1),
        ("Title", "Style Guide for C", 2, 3),
        ("Author", "A <a@example.org>, B", 4, 5),
        ("Requires", "8", 6, 6),
    ]
    assert read(text, "pep.rst").title == "Style Guide for C"
    assert headings(text, "pep.rst") == [(1, "Abstract", 9)]


def test_levels_of_restructuredtext_follow_the_order_in_which_signs_appear() -> None:
    text = "=====\nGuide\n=====\n\nOne\n---\n\nTwo\n~~~\n\n中文标题\n--------\n\n# no heading\n"
    assert headings(text, "a.rst") == [(1, "Guide", 2), (2, "One", 5), (3, "Two", 8), (2, "中文标题", 11)]


def test_roles_and_links_in_headings_are_read_as_text() -> None:
    text = "Why :pep:`484` and ``x`` and :func:`~a.b`\n" + "=" * 50 + "\n"
    assert headings(text, "a.rst")[0][1] == "Why PEP 484 and x and ~a.b".replace("~", "")


def test_a_field_list_is_a_header() -> None:
    assert fields(":Author: Ana\n:Status: open\n   and late\n\nText.\n", "a.rst") == [
        ("Author", "Ana", 1, 1),
        ("Status", "open and late", 2, 3),
    ]


def test_a_document_of_usual_sections_is_called_by_its_file() -> None:
    assert read("# Summary\n\nx\n\n# Motivation\n\ny\n", "0042-queues.md").title == "0042-queues"
    assert read("# Summary\n\nx\n", "a.md").title == "Summary"
    assert read("just text", "notes/2025-03.txt").title == "2025-03"


def test_a_lower_heading_below_text_is_no_title() -> None:
    assert read("author:: [[Ann]]\nyear:: 1974\n\n## Notes\n\nx\n", "Books/Piranesi.md").title == "Piranesi"
    assert read("## Notes\n\nx\n", "a.md").title == "Notes"
    assert read("intro\n\n# Boxes\n\nx\n", "a.md").title == "Boxes"


def test_the_first_line_of_a_plain_text_is_its_title_where_it_stands_alone() -> None:
    assert read("\nMoving house\n\nThe van comes at nine.\n\n# not a title\n", "a.txt").title == "Moving house"
    assert read("搬家清单\n\n九点来车。\n", "a.txt").title == "搬家清单"
    for body in (
        "The van comes at nine.\n\nMore.\n",
        "one\ntwo\n\nthree\n",
        "alone\n",
        "}\n\nx\n",
        "x" * 121 + "\n\ny\n",
    ):
        assert read(body, "note.txt").title == "note", body
    assert read("Moving house\n\n# Boxes\n\ntext\n", "a.md").title == "Boxes"


def test_a_title_cannot_steer_the_terminal() -> None:
    assert read("# a\x1b[31mb\n", "a.md").title == "ab"


def test_html_has_its_title_headings_and_meta_data_with_their_lines() -> None:
    page = (
        "<!doctype html>\n<html><head>\n<title>Rates &amp; more</title>\n<meta name=author content='Ana'>\n</head>\n"
        "<body><h1>Rates</h1>\n<p>x\n<h2 class=a>By <b>weight</b></h2>\n<script>'<h2>no</h2>'</script></body></html>"
    )
    document = read(page, "a.html")
    assert (document.kind, document.title) == ("html", "Rates & more")
    assert headings(page, "a.html") == [(1, "Rates", 6), (2, "By weight", 8)]
    assert fields(page, "a.html") == [("author", "Ana", 4, 4)]


def test_the_first_row_of_a_table_names_its_columns_unless_it_is_data() -> None:
    assert headings("name;price\na;1\n", "a.csv") == [(1, "name, price", 1)]
    assert headings('"a, b"\tc\n1\t2\n', "a.tsv") == [(1, "a, b, c", 1)]
    assert headings("1,2\n3,4\n", "a.csv") == []


def test_json_has_its_outer_keys_with_their_lines() -> None:
    inner = '    "build": "make",\n    "deep": {\n      "x": {}\n    }\n'
    text = '{\n  "name": "kb",\n  "scripts": {\n' + inner + '  },\n  "n": 1\n}\n'
    assert headings(text, "package.json") == [(1, "scripts", 3), (2, "deep", 5)]
    assert fields(text, "package.json") == [("name", "kb", 2, 2), ("n", "1", 9, 9)]
    assert read(text, "package.json").title == "kb"


def test_yaml_has_its_outer_keys_and_block_text_has_none() -> None:
    text = "name: ci\non:\n  push:\n    branches: [main]\nrun: |\n  echo: not a key\njobs:\n  'a b':\n    x: 1\n"
    assert headings(text, "ci.yaml") == [(1, "on", 2), (2, "push", 3), (1, "run", 5), (1, "jobs", 7), (2, "a b", 8)]
    assert fields(text, "ci.yaml") == [("name", "ci", 1, 1)]


def test_toml_has_its_tables() -> None:
    text = 'top = 1\n[project]\nname = "kbtui"\n[[tool.x]]\ny = 2\n'
    assert headings(text, "pyproject.toml") == [(1, "project", 2), (1, "tool.x", 4)]
    assert fields(text, "pyproject.toml") == [("top", "1", 1, 1)]
    assert read(text, "pyproject.toml").title == "kbtui"


def test_python_definitions_are_nested_as_in_the_file() -> None:
    branch = "if x:\n    class A:\n        @p\n        async def m(self): ...\n"
    text = '"""Doc."""\n\n' + branch + "\ndef f():\n    def inner(): ...\n"
    assert headings(text, "m.py") == [(1, "class A", 4), (2, "def m", 6), (1, "def f", 8)]
    assert (read(text, "m.py").title, read(text, "m.py").language) == ("m.py", "python")


def test_python_that_does_not_parse_still_has_definitions() -> None:
    assert headings("class A:\n    def m(self:\n  print 1\ndef f(): pass\n", "m.py") == [
        (1, "class A", 1),
        (2, "def m", 2),
        (1, "def f", 4),
    ]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.js", "export class A {\n  run(x) {\n  }\n}\nconst f = async (x) => {\n", ["class A", "run", "f"]),
        ("a.ts", "interface I {\n}\nexport type T = string\nif (x) {\n}\n", ["interface I", "type T"]),
        ("A.java", "public class A {\n  public int get(String s) {\n    return x(1);\n", ["class A", "get"]),
        ("a.kt", "data class P(val x: Int)\nsuspend fun go() {\n", ["class P", "fun go"]),
        ("a.scala", "object Main {\n  def run(): Unit = {\n", ["object Main", "def run"]),
        ("A.cs", "namespace N {\n  public async Task Run(int x)\n  {\n", ["namespace N", "Run"]),
        ("a.c", "struct s {\nstatic int add(int a, int b)\n{\n  if (a) {\n  return add(1, 2);\n", ["struct s", "add"]),
        ("a.cpp", "class A : public B {\nvoid A::run(int x) const {\n", ["class A", "A::run"]),
        ("a.go", "type T struct {\nfunc (t *T) Run() error {\n", ["type T", "func (t *T) Run"]),
        (
            "a.rs",
            "pub struct S;\nimpl<T> Tr for S {\n    pub async fn go() {}\n",
            ["struct S", "impl Tr for S", "fn go"],
        ),
        ("a.swift", "public struct S {\n  func go() {\n", ["struct S", "func go"]),
        ("a.rb", "module M\n  class C < D\n    def go?\n", ["module M", "class C", "def go?"]),
        ("a.php", "<?php\nfinal class A {\n  public function go() {\n", ["class A", "function go"]),
        ("a.pl", "package P;\nsub go {\n", ["package P", "sub go"]),
        ("a.lua", "local function go()\nM.x = function(a)\n", ["function go", "M.x"]),
        ("a.sh", "go() {\nfunction stop {\n", ["go", "function stop"]),
        ("a.ps1", "Function Get-It {\n", ["Function Get-It"]),
        ("a.sql", "CREATE TABLE IF NOT EXISTS t (\nselect 1;\ncreate or replace view v as\n", ["TABLE t", "view v"]),
        ("a.R", "go <- function(x) {\n", ["function go"]),
        ("a.jl", "mutable struct P\nfunction go(x)\n", ["mutable struct P", "function go"]),
        ("a.hs", "data T = A\ngo :: Int -> Int\n", ["data T", "go"]),
        ("a.ml", "let rec go x =\nmodule M = struct\n", ["let rec go", "module M"]),
        ("a.ex", "defmodule A.B do\n  def go(x) do\n", ["defmodule A.B", "def go"]),
        ("a.erl", "-module(a).\ngo(X) ->\n", ["module a", "go"]),
        ("a.clj", "(ns a.b)\n(defn go [x])\n", ["ns a.b", "defn go"]),
        ("a.el", "(defun go ())\n", ["defun go"]),
        ("a.zig", "pub fn go() void {\n", ["fn go"]),
        ("a.dart", "abstract class A {\n  void go(int x) {\n", ["class A", "go"]),
        ("a.proto", "message M {\nservice S {\n  rpc Go (A) returns (B);\n", ["message M", "service S", "rpc Go"]),
        ("main.tf", 'resource "aws_x" "y" {\n', ['resource "aws_x" "y"']),
        ("Makefile", "all: a b\n\techo hi: there\nX := 1\n", ["all"]),
        ("Dockerfile", "FROM a AS b\nRUN x\n", ["FROM a AS b"]),
        ("CMakeLists.txt", "add_executable(app main.c)\n", ["add_executable app"]),
        ("setup.cfg", "[metadata]\nname = x\n", ["metadata"]),
    ],
)
def test_definitions_of_other_languages_are_told_by_their_lines(path: str, text: str, expected: list[str]) -> None:
    assert [h.text for h in read(text, path).headings] == expected


def test_code_is_told_by_name_extension_and_first_line() -> None:
    assert language_of("bin/deploy", "#!/usr/bin/env -S python3 -u\n") == "python"
    assert language_of("bin/deploy", "#!/bin/bash\n") == "shell"
    assert language_of("docker/Dockerfile.dev") == "dockerfile"
    assert language_of("README", "text") == ""
    assert kind_of("README") == "text"
    assert kind_of("page", "<!DOCTYPE html>\n<html>") == "html"
    assert kind_of("A.MD") == "markdown"
    assert len(LANGUAGES) >= 25


@pytest.mark.parametrize("path", ["a.json", "a.yaml", "a.md", "a.html", "a.py", "a.toml"])
def test_nesting_without_end_is_no_failure(path: str) -> None:
    for text in ("[" * 20_000, '{"a":' * 20_000, "---\na: " + "[" * 5_000 + "\n---\n", "<div>" * 20_000, "(" * 5_000):
        assert read(text, path).text == text


def test_aliases_that_multiply_do_not_fill_the_memory() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    document = read("---\n" + "\n".join(lines) + "\n---\n", "a.md")
    assert len(document.fields) == 12
    assert all(len(field.value) < 10_000 for field in document.fields)


_PATHS = ["a.md", "a.rst", "a.txt", "a.html", "a.csv", "a.json", "a.yaml", "a.toml", "a.py", "a.c", "a.js", "Makefile"]


@given(st.binary(max_size=400), st.sampled_from(_PATHS))
def test_no_bytes_can_make_a_loader_fail(data: bytes, path: str) -> None:
    document = parse(data, path)
    last = document.text.count("\n") + 1
    assert document.title
    assert all(1 <= heading.line <= last for heading in document.headings)
    assert all(1 <= field.start_line <= field.end_line <= last for field in document.fields)


def test_xml_that_people_read_is_a_page_and_other_xml_is_code() -> None:
    page = "<p>A station needs goods and jobs to work.</p>\n<p>It takes three months until cover is there.</p>\n"
    values = "<project>\n<artifactId>maven-core</artifactId>\n<version>3.9.1</version>\n</project>"
    assert kind_of("station.xml", page) == "html"
    assert kind_of("pom.xml", values) == "code"
