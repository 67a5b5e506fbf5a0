from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbtui.domain.document import Chunk
from kbtui.knowledge.reading.chunking import MAX_UNCUT_CHARS, chunk, embedding_text
from kbtui.knowledge.reading.loaders import parse
from kbtui.settings.model import IndexSettings


def chunks(text: str, path: str = "a.md", target: int = 200) -> list[Chunk]:
    return chunk(parse(text.encode(), path), IndexSettings(chunk_chars=target))


def test_sections_are_cut_at_their_headings_and_carry_the_path_to_them() -> None:
    body = "Some words that fill this section well enough to let it stand alone. " * 2
    text = f"# Guide\n\n{body}\n\n## Rollback\n\n{body}\n\n### Steps\n\n{body}\n\n## Contact\n\n{body}\n"
    found = chunks(text)
    assert [(c.title, c.heading_path, c.text.split("\n")[0]) for c in found] == [
        ("Guide", (), "# Guide"),
        ("Guide", ("Rollback",), "## Rollback"),
        ("Guide", ("Rollback", "Steps"), "### Steps"),
        ("Guide", ("Contact",), "## Contact"),
    ]


def test_a_long_section_is_cut_between_paragraphs() -> None:
    paragraphs = [f"Paragraph {n} " + "word " * 20 for n in range(6)]
    found = chunks("# T\n\n" + "\n\n".join(paragraphs))
    assert len(found) > 2
    assert all(c.text.startswith(("# T", "Paragraph")) for c in found)


def test_the_header_is_a_chunk_of_its_own() -> None:
    found = chunks("PEP: 1\nTitle: One\nStatus: Final\n\n\nAbstract\n========\n\nText.\n", "pep.rst")
    assert [(c.kind, c.start_line, c.end_line) for c in found] == [("header", 1, 3), ("prose", 6, 9)]


def test_front_matter_with_the_title_below_it_is_a_header() -> None:
    found = chunks("---\ntitle: T\n---\n\n# T\n\nText.\n")
    assert [(c.kind, c.start_line, c.end_line) for c in found] == [("header", 1, 3), ("prose", 5, 7)]


def test_a_document_that_is_all_header_is_one_chunk() -> None:
    assert [c.kind for c in chunks("a: 1\nb: 2\nc: 3\n")] == ["header"]


def test_crumbs_join_their_neighbours_under_the_same_heading() -> None:
    found = chunks("# T\n\n## A\n\nx\n\n## B\n\ny\n")
    assert len(found) == 1


def test_the_end_of_a_long_section_does_not_swallow_the_next() -> None:
    text = "# T\n\n## A\n\n" + ("word " * 35 + "\n\n") * 2 + "short\n\n## B\n\ny\n"
    assert [c.heading_path for c in chunks(text)][-1] == ("B",)


def test_a_heading_is_never_the_end_of_a_chunk() -> None:
    body = "Some words that fill this section well enough. " * 4
    for c in chunks(f"# T\n\n{body}\n\n## A\n\n### B\n\n{body}\n\n## C\n\n{body}\n"):
        assert not c.text.split("\n")[-1].startswith("#")


def test_what_announces_code_stays_with_it() -> None:
    text = "# T\n\n" + "word " * 35 + "\n\nRun this:\n\n```\n" + "make deploy --now\n" * 5 + "```\n"
    assert "Run this:\n\n```\nmake" in chunks(text)[-1].text


def test_code_is_cut_at_definitions_with_what_stands_above_them() -> None:
    text = (
        "import os  # and more\n" * 5
        + "\n\n# Why it is here.\n@cache\ndef first():\n    "
        + "a = 1  # some words\n    " * 12
        + "\n\n"
        "class Second:\n    def method(self):\n        " + "b = 2  # some words\n        " * 12 + "\n\nLAST = 1\n"
    )
    found = chunks(text, "m.py")
    assert any(c.text.startswith("# Why it is here.\n@cache\ndef first") for c in found)
    assert ("class Second", "def method") in {c.heading_path for c in found if c.text.startswith("class Second:")}
    assert found[-1].heading_path == () and found[-1].text == "LAST = 1"
    assert found[1].kind == "definition"


def test_one_word_without_end_is_one_chunk_and_nothing_else_exceeds_twice_the_target() -> None:
    text = "# T\n\n" + "x" * 5000 + "\n\n```\n" + "code line\n" * 200 + "```\n"
    found = chunks(text)
    assert [c for c in found if len(c.text) > 400] == [c for c in found if "x" * MAX_UNCUT_CHARS in c.text]
    assert [c.start_line for c in found if len(c.text) > 400] == [c.end_line for c in found if len(c.text) > 400]


@pytest.mark.parametrize("path", ["a.md", "a.rst", "a.txt", "a.html", "a.csv", "a.json", "a.yaml"])
def test_a_paragraph_on_one_line_is_cut_between_its_sentences(path: str) -> None:
    line = " ".join(f"Sentence {n} says something of its own, etc. and more." for n in range(40))
    found = chunks(f"{line}\n", path)
    assert " ".join(c.text for c in found) == line
    assert all((c.start_line, c.end_line) == (1, 1) and len(c.text) <= 300 for c in found)
    assert all(c.text.startswith("Sentence") and c.text.endswith("more.") for c in found)


def test_a_sentence_without_end_is_cut_between_words_and_chinese_at_its_full_stops() -> None:
    found = chunks("word " * 300)
    assert {word for c in found for word in c.text.split()} == {"word"}
    assert max(len(c.text) for c in found) <= 300
    chinese = chunks("部署失败时应该先回滚，然后通知值班的人。" * 40)
    assert len(chinese) > 3 and all(c.text.endswith("。") for c in chinese)


def test_a_long_line_of_code_stays_whole() -> None:
    assert len(chunks("a = [" + "1, " * 500 + "]\n", "a.py")) == 1


TABLES = {
    "a.md": ("The prices:\n\n| name | price |\n|---|---|\n", "| apple {} | {} crowns |\n", ""),
    "a.rst": (
        "The prices:\n\n=========  =========\nname       price\n=========  =========\n",
        "apple {:<3}  {} crowns\n",
        "=========  =========\n",
    ),
    "a.html": ("<p>The prices:</p>\n<table>\n", "<tr><td>apple {}</td><td>{}</td></tr>\n", "</table>\n"),
    "b.md": ("To deploy:\n\n", "- step {} takes {} minutes\n", ""),
}


@pytest.mark.parametrize("path", TABLES)
def test_a_table_or_list_that_fits_is_kept_whole_with_the_line_that_announces_it(path: str) -> None:
    lead, row, end = TABLES[path]
    body = "Some words that fill this section well enough to let it stand alone. "
    part = lead + "".join(row.format(n, n) for n in range(4)) + end
    found = chunks(f"{body * 2}\n\n{part}\n{body * 2}\n", path)
    assert [c.text for c in found if "1" in c.text] == [part.strip()]


@pytest.mark.parametrize("path", ["a.md", "a.rst"])
def test_a_table_that_is_cut_repeats_the_names_of_its_columns_for_what_is_embedded(path: str) -> None:
    lead, row, end = TABLES[path]
    found = chunks(lead + "".join(row.format(n, n) for n in range(40)) + end, path)
    assert len(found) > 2
    assert [c.heading_path for c in found] == [(), *[("name, price",)] * (len(found) - 1)]
    assert all("name, price" in embedding_text(c) and "name" not in c.text for c in found[1:])


def test_the_rows_of_a_table_file_carry_the_names_of_its_columns() -> None:
    found = chunks("name,price\n" + "apple,1\n" * 100, "a.csv")
    assert len(found) > 1
    assert all(c.heading_path == ("name, price",) and c.kind == "table" for c in found)


def test_a_key_outside_a_table_of_json_is_not_under_the_one_before() -> None:
    inner = "\n".join(f'    "key{n}": "some value",' for n in range(10))
    found = chunks('{\n  "a": {\n' + inner + '\n    "z": 1\n  },\n  "b": "' + "x" * 150 + '"\n}\n', "a.json")
    assert found[-1].heading_path == ()
    assert found[0].heading_path == ("a",)


def test_what_is_embedded_says_where_it_stands_and_leaves_out_tags_and_link_targets() -> None:
    text = "# T\n\n## A\n\nSee <b>the</b> [guide](https://example.org/x).\n"
    assert embedding_text(chunks(text)[0]) == "T > A\n## A\nSee the [guide].".replace("T > A\n", "T > A\n# T\n")
    rst = Chunk(path="a.rst", start_line=1, end_line=1, text="`Guide <https://example.org>`__ and <T>", title="")
    assert embedding_text(rst) == "`Guide`__ and <T>"


def test_an_empty_document_has_no_chunks() -> None:
    assert chunks("") == []
    assert chunks(" \n\n\x0c\n") == []


_LINES = [
    "",
    "",
    "word " * 12,
    "x" * 900,
    "Some words that end. " * 40,
    "# H",
    "## I",
    "Title",
    "=====",
    "-----",
    "- item",
    "  more",
    "```",
    "    code",
    "Example::",
    "| a | b |",
    "|---|---|",
    "Key: value",
    "---",
    "> quoted",
    ">",
    "def f():",
    "class C:",
    "    return 1",
    "@cache",
    '"a": {',
    '  "b": 1',
    "key:",
    "[table]",
    "a,b",
    "<h1>x</h1>",
    "<!--",
    ".. note::",
    "\x0c",
    "\u2028",
    "部署。",
]


@given(
    st.lists(st.sampled_from(_LINES), max_size=40),
    st.sampled_from(
        ["a.md", "a.rst", "a.txt", "a.html", "a.csv", "a.json", "a.yaml", "a.toml", "a.py", "a.c", "a.nix"]
    ),
    st.sampled_from([200, 400]),
)
def test_every_line_with_text_is_in_exactly_one_chunk_and_chunks_are_their_lines(
    drawn: list[str], path: str, target: int
) -> None:
    document = parse("\n".join(drawn).encode(), path)
    lines = document.text.split("\n")
    seen: set[int] = set()
    last: tuple[int, int] = (0, 0)
    for c in chunk(document, IndexSettings(chunk_chars=target)):
        whole = "\n".join(lines[c.start_line - 1 : c.end_line])
        # Parts of one line follow one another in it; otherwise no line is in two chunks.
        begin = whole.find(c.text, last[1] if c.start_line == last[0] else 0)
        assert begin >= 0 and (c.start_line > last[0] or c.start_line == c.end_line == last[0])
        assert c.text == whole or c.start_line == c.end_line
        assert lines[c.start_line - 1].strip() and lines[c.end_line - 1].strip()
        assert len(c.text) <= 2 * target or c.start_line == c.end_line or max(map(len, c.text.split("\n"))) > target
        seen.update(range(c.start_line, c.end_line + 1))
        last = (c.end_line, begin + len(c.text) if c.start_line == c.end_line else len(lines[c.end_line - 1]))
    assert all(number in seen for number, line in enumerate(lines, 1) if line.strip())


@pytest.mark.parametrize(
    "path", ["a.md", "a.rst", "a.txt", "a.html", "a.json", "a.yaml", "a.toml", "a.csv", "a.py", "a.c"]
)
def test_hostile_input_is_read_in_linear_time(path: str) -> None:
    for hostile in ("[" * 100_000, "<" * 50_000, "`" * 50_000 + " x", "a(" * 50_000, "\\" * 50_000, "- " * 50_000):
        assert chunks(hostile, path)
        assert chunks("\n".join([hostile[:300]] * 300), path)


def test_chinese_is_cut_shorter_because_each_character_says_more() -> None:
    chinese = chunks("# 题\n\n" + "部署失败时应该先回滚。\n\n" * 40)
    english = chunks("# T\n\n" + "Roll back.\n\n" * 40)
    assert max(len(c.text) for c in chinese) < 0.75 * max(len(c.text) for c in english)
