"""What is taken out of each format, line by line."""

from __future__ import annotations

import pytest

from kbtui.domain.document import Place, locator_of
from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.reading.formats import FORMATS, Extracted, extract_text, format_of
from kbtui.knowledge.reading.formats.base import TextBuilder
from kbtui.knowledge.reading.formats.pages import markdown_of
from tests.support import documents as made


def read(data: bytes, path: str) -> Extracted:
    found = extract_text(data, path)
    assert found is not None
    return found


def place_of(found: Extracted, words: str) -> str:
    line = next(number for number, line in enumerate(found.text.split("\n"), 1) if words in line)
    return locator_of(found.places, line, line)


def test_a_word_document_keeps_the_order_of_headings_lists_and_tables() -> None:
    assert read(made.docx(title="Deploying"), "a.docx") == Extracted(
        text=(
            "# Deployment guide\n\n# Rollback\n\nA rollback of the billing service takes eleven minutes.\n\n"
            "- Drain the queue.\n- Restore the snapshot.\n\n# Contacts\n\n| Role | Person |\n| --- | --- |\n"
            "| Duty manager | Ingrid Solberg |\n\nAfter the table nothing else is said."
        ),
        kind="markdown",
        title="Deploying",
    )


@pytest.mark.parametrize(
    ("data", "path", "main_type"),
    [
        (made.docx(), "a.docm", "application/vnd.ms-word.document.macroEnabled.main+xml"),
        (made.docx(), "a.dotx", "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml"),
        (made.docx(), "a.dotm", "application/vnd.ms-word.template.macroEnabledTemplate.main+xml"),
        (made.pptx(), "a.pptm", "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml"),
        (made.pptx(), "a.ppsx", "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml"),
        (made.pptx(), "a.ppsm", "application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml"),
        (made.pptx(), "a.potx", "application/vnd.openxmlformats-officedocument.presentationml.template.main+xml"),
        (made.pptx(), "a.potm", "application/vnd.ms-powerpoint.template.macroEnabled.main+xml"),
        (made.xlsx(), "a.xlsm", "application/vnd.ms-excel.sheet.macroEnabled.main+xml"),
        (made.xlsx(), "a.xltx", "application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml"),
        (made.xlsx(), "a.xltm", "application/vnd.ms-excel.template.macroEnabled.main+xml"),
    ],
    ids=lambda value: value if isinstance(value, str) and "/" not in value else "",
)
def test_templates_shows_and_documents_with_macros_read_as_the_documents_they_are(
    data: bytes, path: str, main_type: str
) -> None:
    usual = {"d": "docx", "p": "pptx", "x": "xlsx"}[path[2]]
    assert read(made.retyped(data, main_type), path) == read(data, f"a.{usual}")


def test_slides_have_their_title_points_table_and_notes() -> None:
    found = read(made.pptx(), "a.pptx")
    assert found.text.startswith(
        "## Quarterly review\n\n- Revenue of the harbour division grew by nine percent.\n- Churn"
    )
    assert "| Cartography | 14 |\n\nNotes: The cartography team moves to Bergen in May." in found.text
    assert place_of(found, "Churn") == "slide 1"
    assert place_of(found, "Notes:") == "slide 2"


def test_rows_of_a_sheet_name_their_columns_and_cells() -> None:
    found = read(made.xlsx(), "a.xlsx")
    assert "- Station: Finse; Altitude: 1222; Keeper: Odd Berge" in found.text
    assert place_of(found, "Finse;") == "Stations!A3"
    assert place_of(found, "railway") == "Notes!B7"


def test_chapters_are_in_the_order_in_which_they_are_read() -> None:
    found = read(made.epub(), "a.epub")
    assert found.title == "Northern lights"
    assert found.text.index("lighthouse") < found.text.index("storm")
    assert "The storm of 1907 broke the northern pier.\n\n- Two boats were lost.\n\n| Boat | Crew |" in found.text
    assert place_of(found, "Havfruen") == "ch.2"


def test_a_book_that_is_protected_against_copying_is_said() -> None:
    locked = '<encryption><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></encryption>'
    with pytest.raises(KnowledgeBaseError, match="protected against copying"):
        read(made.zipped({"META-INF/encryption.xml": locked}), "a.epub")


def test_a_notebook_reads_as_text_and_code_without_quotes() -> None:
    found = read(made.notebook(), "a.ipynb")
    assert '```python\nresidual = observed - predicted\nprint("mean residual", residual.mean())\n```' in found.text
    assert "```\nmean residual 0.042\n```" in found.text
    assert "ImportError: no gnuplot" in found.text
    assert place_of(found, "0.042") == "cell 2"


def test_a_mail_is_decoded_and_its_attachments_are_named() -> None:
    text = read(made.message("Gebühren", "Die Gebühr steigt.", attached="fees.pdf"), "a.eml").text
    assert "Subject: Gebühren\nAttachments: fees.pdf\n\nDie Gebühr steigt." in text
    html = read(made.message("x", "", html="<p>Hello <b>there</b></p><ul><li>one</li></ul>"), "a.eml").text
    assert html.endswith("Hello there\n\n- one")


def test_a_mailbox_has_a_place_for_each_message() -> None:
    box = made.mbox([made.message("First", "One."), made.message("Second", "Two.\n\nFrom here on it rains.")])
    found = read(box, "a.mbox")
    assert (place_of(found, "One."), place_of(found, "rains")) == ("message 1", "message 2")


def test_members_of_archives_have_lines_and_pages_of_their_own() -> None:
    inner = made.pdf([made.column(72, 700, ["On a page."])])
    found = read(
        made.zipped({"a/b.md": "# B\n\nthe third line\n", "c.pdf": inner, "d.png": b"\x89PNG\0", "e.py": "# no\n"}),
        "a.zip",
    )
    assert place_of(found, "third") == "a/b.md:L3"
    assert place_of(found, "On a page") == "c.pdf p.1"
    assert "```\n# no\n" in found.text
    assert "Not read of this archive: 1 member" in found.text


@pytest.mark.parametrize("ending", ["gz", "bz2", "xz"])
def test_the_lines_of_a_compressed_file_are_those_of_what_it_packs(ending: str) -> None:
    found = read(made.compressed(b"one\ntwo\n", ending), f"a.txt.{ending}")
    assert (found.text, found.places) == ("one\ntwo\n", ())
    assert read(made.tarred({"x.txt": b"in a tar"}, f"w:{ending}"), f"a.tar.{ending}").text.endswith("in a tar")


@pytest.mark.parametrize(
    ("data", "path", "lines"),
    [
        (made.ORG, "a.org", {2: "# Reindeer", 6: "The herd of Finse counted `412` animals in June.", 8: "```sh"}),
        (made.ADOC, "a.adoc", {4: "## Ramp", 7: "The ramp of the ferry carries forty tonnes.", 15: "| Upper | 80 |"}),
        (made.LATEX, "a.tex", {5: "## Mass balance", 8: "- Snow depth is measured in April."}),
        (made.POD, "a.pod", {5: "## METHODS", 9: "- flash", 12: "log.", 16: "- Greater is written &gt;.", 24: ""}),
        (made.MANUAL, "a.8", {2: "# fjordctl(8)", 7: "- --drain MINUTES", 10: "fjordd(8)"}),
        (made.MDOC, "b.8", {2: "# lockd(8)", 9: "lockd", 11: "fjordctl(8)."}),
        (made.SUBTITLES, "a.srt", {1: "", 3: "The ice road opens", 8: "Nobody drives at night."}),
        (made.WEBVTT, "a.vtt", {3: "", 7: "The ferry carries eleven lorries."}),
        (made.XML, "a.xml", {3: "server name=narvik", 4: "port: 8471"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_marked_up_text_keeps_the_lines_of_its_file(data: bytes, path: str, lines: dict[int, str]) -> None:
    found = read(data, path)
    taken = found.text.split("\n")
    assert len(taken) == data.count(b"\n") + 1
    assert {number: taken[number - 1] for number in lines} == lines
    form = format_of(path)
    assert form is not None
    assert form.in_place


def test_drawings_say_what_stands_in_them() -> None:
    assert "Valve K7 closes at nine bar" in read(made.SVG, "a.svg").text
    for packed in (True, False):
        found = read(made.drawio(packed=packed), "a.drawio")
        assert found.text == "# Network\n\nGateway forwards to Oslo\nArchive node keeps nine replicas"
        assert place_of(found, "replicas") == "page Network"
    canvas = read(made.CANVAS, "a.canvas")
    assert place_of(canvas, "ninety") == "card 1"
    assert "- Migration → runbooks/freeze.md (see)" in canvas.text


def test_files_with_the_name_of_a_format_that_are_none_of_it_are_read_as_they_are() -> None:
    assert extract_text(b"2025-01-01 rotated log\n", "app.log.1") is None
    assert extract_text(b"<a>&broken;</a>", "a.xml") is None
    assert extract_text(b"no times here", "a.srt") is None
    assert extract_text(b"# md", "a.md") is None


def test_every_format_names_a_function_that_is_there() -> None:
    from importlib import import_module

    for row in FORMATS:
        module, _, function = row.extract.partition(":")
        assert callable(getattr(import_module(f"kbtui.knowledge.reading.formats.{module}"), function)), row.name
        assert format_of(f"folder.d/x{row.suffixes[0].upper()}") is row
    assert format_of(".tex") is None
    assert format_of("plain") is None


def test_a_text_has_no_control_characters_and_a_bound() -> None:
    builder = TextBuilder(most_chars=20)
    builder.place("p.1")
    builder.add("one\x00\x0btwo\r\nthree\ud800")
    builder.add("x" * 100)
    assert builder.full()
    builder.add("never")
    assert builder.done().text == (
        "one\ntwo\nthree?\nxxxxx\n[The text is longer than is read of one file; the rest is left out.]"
    )


def test_html_reads_as_markdown() -> None:
    page = (
        "<head><title>no</title></head><body><script>no</script><h2>Head <i>line</i></h2><p>One<br>two</p>"
        "<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol><pre>x\n  y</pre><table><tr><th>k|</th><th>v</th></tr>"
        "<tr><td>1</td><td><p>2</p></td></tr></table><table><tr><td>alone</td></tr></table></body>"
    )
    assert markdown_of(page) == (
        "## Head line\n\nOne\ntwo\n\n1. a\n  - b\n2. c\n\n```\nx\n  y\n```\n\n"
        "| k\\| | v |\n| --- | --- |\n| 1 | 2 |\n\nalone"
    )
    assert markdown_of("") == ""


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        (1, 1, ""),
        (2, 3, "p.1"),
        (2, 4, "p.1-2"),
        (5, 5, "Sheet1!A5"),
        (5, 6, "Sheet1!A5:A7"),
        (4, 5, "p.2 to Sheet1!A5"),
        (8, 8, "a.md:L1"),
        (8, 10, "a.md:L1-L3"),
        (11, 11, ""),
    ],
)
def test_a_range_of_lines_is_said_by_its_first_and_last_place(start: int, end: int, said: str) -> None:
    names = {2: "p.1", 4: "p.2", 5: "Sheet1!A5", 6: "Sheet1!A7"}
    places = [Place(line=line, name=name) for line, name in names.items()]
    places += [Place(line=8, name="a.md", counted=True), Place(line=11, name="")]
    assert locator_of(places, start, end) == said
