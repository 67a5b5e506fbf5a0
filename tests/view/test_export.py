from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kbtui.domain import events as ev
from kbtui.domain.answer import Citation
from kbtui.errors import UsageError
from kbtui.sessions.recording import LineProblem, Recording, by_run, read
from kbtui.text.word_lists import text_in
from kbtui.view.export import FORMATS, export_session
from tests.sessions.runs import answered, cancelled, stamp

SCRIPT = text_in("kbtui.view", "export.js")
VOID = {"meta", "br", "link", "img", "hr", "input"}


class Page(HTMLParser):
    """Checks that tags nest, and keeps what a test asks about."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.scripts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        known = dict(attrs)
        if known.get("id"):
            self.ids.append(str(known["id"]))
        if "href" in known:
            self.links.append(str(known["href"]))
        assert "src" not in known
        assert not any(name.startswith("on") for name in known)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "script" in self.open:
            self.scripts.append(data)
        elif "style" not in self.open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


def recording(*runs: list[ev.Event], problem: LineProblem | None = None) -> Recording:
    return Recording(path=Path("s.jsonl"), events=tuple(event for run in runs for event in run), problem=problem)


def hostile(text: str) -> list[ev.Event]:
    """A run in which every piece of text is ``text``."""
    item = ev.EvidenceItem(
        evidence_id="e1",
        path=text,
        start_line=1,
        end_line=2,
        score=0.5,
        kept=True,
        tool=text,
        sub_question=text,
        preview=text,
    )
    return stamp(
        [
            ev.RunStarted(query=text, kb=text, model=text),
            ev.ToolStarted(call_id="c", tool=text, sub_question=text),
            ev.ToolFinished(call_id="c", tool=text, ok=False, error=text),
            ev.EvidenceGraded(items=(item,)),
            ev.TableProduced(step_id="s", columns=(text,), rows=((text,), (None,)), source=text, row_count=2),
            ev.ChartProduced(step_id="s", title=text, chart=ev.Chart(type="bar", x=(text,), series={text: (1.0,)})),
            ev.Warned(message=text),
            ev.AnswerCompleted(
                markdown=text,
                outcome="partial",
                citations=(Citation(n=1, path=text, start_line=9, end_line=10, quote=text, stale=True),),
                unsupported=(text,),
            ),
            ev.RunFailed(error="ModelError", message=text, hint=text),
        ]
    )


HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "[x](javascript:alert(1)) ![i](http://e.test/i.png)",
    "</style></code></pre></article><h1>",
    "\x1b]0;owned\x07\x1b[31mred\x1b[0m\x00",
    "`````\n# heading\n| a | b |",
    "&lt;b&gt; & 'quotes'",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_in_a_session_becomes_mark_up_of_the_page(text: str) -> None:
    html = export_session(recording(hostile(text)), "html")
    page = Page(html)
    assert not {"img", "iframe", "object"} & set(page.tags)
    assert page.scripts == [SCRIPT]
    assert not [link for link in page.links if not link.startswith(("#", "http"))]
    assert "\x1b" not in html
    assert "\x00" not in html


@given(st.text(max_size=60))
def test_any_text_gives_a_whole_page_and_markdown_without_control_characters(text: str) -> None:
    Page(export_session(recording(hostile(text)), "html"))
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", export_session(recording(hostile(text)), "md"))


def test_the_page_fetches_nothing() -> None:
    html = export_session(recording(answered()), "html")
    assert not re.search(r"""(?:src|url\()\s*=?\s*["']?(?:https?:)?//""", html)
    assert "default-src 'none'" in html
    assert "link" not in Page(html).tags
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', html)
    digest = b64encode(sha256(SCRIPT.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    assert not re.search(r"fetch|XMLHttp|import|eval|innerHTML|https?:", SCRIPT)


def test_marks_lead_to_their_source_and_to_nothing_else() -> None:
    events = answered()
    index = next(i for i, event in enumerate(events) if event.kind == "answer_completed")
    done = events[index]
    assert isinstance(done, ev.AnswerCompleted)
    events[index] = replace(done, markdown="Yes [1]: no [7]. `code [1]`\n\n[1] runbooks/rollback.md:L12-L18")
    page = Page(export_session(recording(events, cancelled()), "html"))
    assert [link for link in page.links if link.startswith("#source")] == ["#source-1-1"]
    assert "source-1-1" in page.ids
    assert len(page.ids) == len(set(page.ids))
    assert "no [7]" in page.text


def test_the_page_tells_question_answer_source_and_how_it_came_about() -> None:
    text = Page(export_session(recording(answered()), "html")).text
    for words in (
        "how are deploys rolled back?",
        "green image",
        "12 Re-pin the last green image.",
        "Sub-questions",
        "who announces a rollback",
        "failed: ToolError: the index is gone",
        "0.88 kept runbooks/rollback.md:L12-L18",
        "0.21 dropped",
        "average 0.81 · GENERATE",
        "2026-11-20 21:03 UTC",
        "Warning: one search failed",
    ):
        assert words in text, words


def test_sources_are_listed_once_though_the_answer_has_a_footer() -> None:
    for format_ in ("md", "html"):
        assert export_session(recording(answered()), format_).count("[1] runbooks/rollback.md:L12-L18") == 0
    assert export_session(recording(answered()), "md").count("[1] `runbooks/rollback.md:L12-L18`") == 1


def test_markdown_quotes_the_cited_lines_in_a_fence_they_cannot_close() -> None:
    markdown = export_session(recording(hostile("```\n````\ntext")), "md")
    assert "`````text\n```\n````\ntext\n`````" in markdown


def test_headings_of_an_answer_stand_below_those_of_the_page() -> None:
    page = Page(export_session(recording(hostile("# Big\n\n## Small")), "html"))
    assert [tag for tag in page.tags if re.fullmatch("h[1-6]", tag)][:4] == ["h1", "h2", "h4", "h5"]


def test_a_session_of_several_questions_lists_them_first() -> None:
    page = Page(export_session(recording(answered(), cancelled()), "html"))
    assert {"#run-1", "#run-2"} <= set(page.links)
    assert {"run-1", "run-2"} <= set(page.ids)
    assert "cancelled" in page.text


@pytest.mark.parametrize("format_", ["md", "html"])
def test_an_incomplete_recording_says_so(format_: str) -> None:
    broken = recording(answered()[:7], problem=LineProblem(line_number=8, message="The line is cut off."))
    text = export_session(broken, format_)
    assert "The line is cut off." in text
    assert "not finished" in text


def test_events_come_out_as_they_went_in(tmp_path: Path) -> None:
    events = [*answered(query="谁宣布回滚？"), *cancelled()]
    path = tmp_path / "copy.jsonl"
    path.write_text(export_session(recording(events), "jsonl"), encoding="utf-8")
    again = read(path)
    assert again.events == tuple(events)
    assert by_run(again.events) == recording(events).runs


def test_every_format_ends_in_a_newline_and_no_other_format_exists() -> None:
    assert all(export_session(recording(answered()), format_).endswith("\n") for format_ in FORMATS)
    with pytest.raises(UsageError):
        export_session(recording(answered()), "pdf")


def with_a_model() -> Recording:
    return recording(
        stamp(
            [
                ev.RunStarted(query="q", model="openai:gpt-5-mini"),
                ev.AnswerCompleted(
                    markdown="Deploys are pinned. Pagers are silenced. [?]",
                    outcome="partial",
                    unsupported=("Pagers …",),
                ),
                ev.RunCompleted(duration_ms=900, llm_calls=3, tokens_in=2140, tokens_out=240, cost_usd=0.0012),
            ]
        )
    )


def test_exports_tell_what_a_run_used_and_explain_the_marks_of_sentences_without_support() -> None:
    markdown, html = (export_session(with_a_model(), format_) for format_ in ("md", "html"))
    for text in (markdown, Page(html).text):
        assert "3 calls · 2.1k in 240 out · $0.0012" in text.replace("\\", "")
        assert "[?] marks a sentence that no source supports." in text.replace("\\", "")
    assert "Pagers are silenced. [?]" in markdown
    assert '<mark class="unsupported">[?]</mark>' in html


def test_the_marks_of_a_chinese_answer_are_explained_in_chinese() -> None:
    events = stamp(
        [
            ev.RunStarted(query="值班多久交接一次？"),
            ev.AnswerCompleted(
                markdown="值班每天交接一次。 [?]", outcome="partial", unsupported=("值班每天交接一次。",)
            ),
        ]
    )
    assert "标出没有来源支持的句子" in export_session(recording(events), "md")


def test_an_offline_answer_that_quotes_such_a_mark_is_left_alone() -> None:
    events = stamp([ev.RunStarted(query="q"), ev.AnswerCompleted(markdown="a [?] b", outcome="answered")])
    assert "marks a sentence" not in export_session(recording(events), "md")
    assert "<mark" not in export_session(recording(events), "html")


def test_tables_and_charts_are_in_both_exports_with_their_numbers() -> None:
    from tests.ui.data_runs import a_data_run

    recording = Recording(path=Path("s.jsonl"), events=tuple(a_data_run()))
    md, html = export_session(recording, "md"), export_session(recording, "html")
    assert "### Table: 6 rows · sample.sqlite" in md
    assert "| 哥本哈根 Copenhagen | 498 | 1,990.75 |" in md
    assert "Malmö               █" in md
    assert "```sql\nSELECT s.city" in md
    assert "Step 2: Count parcels by city: execute\\_sql (aggregation), done, checkpoint, 2 tries, 40 ms expected" in md
    root = ET.fromstring(html[html.index("<svg") : html.index("</svg>") + 6])
    assert "哥本哈根 Copenhagen" in "".join(root.itertext())
    assert html.count("<svg") == 1
    assert '<td class="figure">1,990.75</td>' in html
    assert "Charges of Taipei by kind" in html
    assert Page(html).scripts == [SCRIPT]


def test_a_table_that_stands_whole_in_the_answer_is_exported_once() -> None:
    from kbtui.view.table_text import markdown_table
    from tests.ui.data_runs import TABLE, a_data_run

    events = tuple(
        replace(one, markdown=f"All:\n\n{markdown_table(TABLE.columns, TABLE.rows)}\n")
        if isinstance(one, ev.AnswerCompleted)
        else one
        for one in a_data_run()
    )
    recording = Recording(path=Path("s.jsonl"), events=events)
    assert export_session(recording, "md").count("哥本哈根 Copenhagen | 498") == 1
    assert "### Table" not in export_session(recording, "md")
