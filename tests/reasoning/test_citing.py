"""Citations of files and of pages: what they number, quote and list."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from markdown_it import MarkdownIt

from kbtui.domain.evidence import Evidence, Hit
from kbtui.domain.ports import CancelToken, WritingBrief
from kbtui.domain.routing import Routing, RoutingPlan, SubQuestion
from kbtui.errors import KnowledgeBaseError
from kbtui.reasoning.citing import Citations
from kbtui.reasoning.offline.writer import OfflineWriter
from kbtui.text.web_urls import is_web_url

URL = "https://docs.example/rollback"
TEXT = "Rollbacks are quick.\nSet the traffic back to the green image to roll back.\nThen wait."


class Files:
    """A folder that remembers which files it was asked for."""

    def __init__(self, **files: str) -> None:
        self.files = {name.replace("_", "."): text for name, text in files.items()}
        self.asked: list[str] = []

    def lines(self, path: str) -> Sequence[str]:
        self.asked.append(path)
        if path not in self.files:
            raise KnowledgeBaseError("gone")
        return self.files[path].split("\n")


def page(start: int = 1, text: str = TEXT) -> Hit:
    return Hit(
        path=URL, start_line=start, end_line=start + text.count("\n"), text=text, tool="web_search", title="Rollback"
    )


def test_a_page_is_quoted_as_it_was_fetched_and_no_file_is_looked_for() -> None:
    files = Files()
    citations = Citations(files)
    excerpt = citations.excerpt(page(start=5))
    assert files.asked == []
    assert (excerpt.start_line, excerpt.end_line, excerpt.stale) == (5, 7, False)
    assert citations.number(excerpt, 6, 6) == 1
    [made] = citations.all
    assert (made.kind, made.url, made.path, made.start_line) == ("web", URL, None, None)
    assert made.quote == "Set the traffic back to the green image to roll back."
    assert not made.stale
    assert made.label == URL


def test_the_same_lines_of_a_page_keep_their_number() -> None:
    citations = Citations(None)
    excerpt = citations.excerpt(page())
    assert [citations.number(excerpt, *lines) for lines in ((1, 1), (2, 2), (1, 1))] == [1, 2, 1]
    assert citations.known(URL, 2, 2) == 2


def test_files_and_pages_stand_in_one_footer() -> None:
    citations = Citations(Files(a_md="one\ntwo\nthree"))
    citations.number(citations.excerpt(Hit(path="a.md", start_line=2, end_line=3, text="two\nthree")), 2, 3)
    citations.number(citations.excerpt(page()), 1, 1)
    assert citations.footer() == f"---\n[1] a.md:L2-L3\n[2] {URL}"


@pytest.mark.parametrize(
    "path",
    [
        '"><system>obey.md',
        "![x](http:/a.example/p.png)/b.md",
        "[a](b).md",
        "`code`.md",
        "&lt;b&gt;.md",
        "a\\[b](c).md",
        "<!-- a.md",
        "http:a](x) <http://a.example> .md",
    ],
)
def test_a_name_of_a_file_is_no_markdown(path: str) -> None:
    citations = Citations(None)
    citations.number(citations.excerpt(Hit(path=path, start_line=1, end_line=1, text="x")), 1, 1)
    inline = next(token for token in MarkdownIt("commonmark").parse(citations.footer()) if token.type == "inline")
    assert {child.type for child in inline.children or []} <= {"text", "text_special"}
    assert inline.children is not None
    assert "".join(child.content for child in inline.children) == f"[1] {path}:L1"


@pytest.mark.parametrize("path", ["docs/my_file-2 (copy).md", "__init__.py", "值班/表.md", "a&b+c@d~e!.txt"])
def test_an_ordinary_name_stands_in_the_footer_as_it_is(path: str) -> None:
    citations = Citations(None)
    citations.number(citations.excerpt(Hit(path=path, start_line=1, end_line=1, text="x")), 1, 1)
    assert citations.footer() == f"---\n[1] {path}:L1"


def test_a_file_that_is_gone_is_still_stale() -> None:
    citations = Citations(Files())
    assert citations.excerpt(Hit(path="a.md", start_line=1, end_line=1, text="x")).stale


def test_escape_sequences_in_an_address_do_not_reach_the_footer() -> None:
    citations = Citations(None)
    hit = Hit(path="https://docs.example/\x1b]0;owned\x07a", start_line=1, end_line=1, text="x")
    citations.number(citations.excerpt(hit), 1, 1)
    assert citations.footer() == "---\n[1] https://docs.example/a"


def test_only_addresses_are_of_the_web() -> None:
    assert is_web_url("https://a.example")
    assert is_web_url("http://a.example")
    assert not is_web_url("https.md")
    assert not is_web_url("notes/http:/a.md")


def test_the_offline_writer_answers_from_a_page_and_cites_it() -> None:
    question = SubQuestion(semantic_intent="how to roll back traffic", search_keywords="roll back traffic")
    plan = RoutingPlan(
        query_type="conceptual", complexity="simple", sub_questions=(question,), suggested_tools=("web_search",)
    )
    evidence = Evidence(evidence_id="e1", hit=page(), sub_question=question.semantic_intent, score=0.9, kept=True)
    brief = WritingBrief(
        query="search the web for how to roll back traffic", routing=Routing(plan=plan), evidence=(evidence,)
    )
    answer = OfflineWriter(lambda: None, Files()).write(brief, lambda _: None, CancelToken())
    assert answer.outcome == "answered"
    assert "green image" in answer.markdown
    assert answer.markdown.rstrip().endswith(f"[1] {URL}")
    assert {citation.kind for citation in answer.citations} == {"web"}
    assert all(citation.quote and citation.quote in TEXT for citation in answer.citations)
