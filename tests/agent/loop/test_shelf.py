"""What is cited for what a tool worked out: the statement, or the line of the document that a sentence names."""

from __future__ import annotations

from kbtui.agent.loop.shelf import FOLDER, Shelf, over_files
from kbtui.domain.answer import Citation
from kbtui.domain.evidence import Hit

LINES = [
    Hit(path="peps/pep-0204.rst", start_line=4, end_line=4, text="Status: Rejected", note="PEP 204: Range Literals"),
    Hit(path="peps/pep-0736.rst", start_line=6, end_line=6, text="Status: Rejected", note="PEP 736: Shorthand calls"),
    Hit(path="peps/pep-0022.rst", start_line=9, end_line=9, text="Created: 22-Aug-2000", note="PEP 22: Exceptions"),
]


def cited_for(text: str, citation: Citation | None) -> Citation:
    shelf = Shelf(nonce="n")
    number = shelf.put_text(text, citation, "query_records", "", LINES)
    return shelf.stated[shelf.given[number].path](text)


def test_a_count_over_documents_is_cited_by_how_it_was_counted_and_by_no_line_with_a_number() -> None:
    for text in ("131 of the 736 PEPs have the status “Rejected”.", "That is 22 %."):
        found = cited_for(text, over_files("SELECT COUNT(*) FROM peps WHERE status = 'Rejected'"))
        assert (found.path, found.label) == (None, FOLDER)
        assert "COUNT(*)" in (found.sql or "")


def test_a_document_that_is_named_is_cited_by_its_line() -> None:
    found = cited_for("PEP 204 was rejected.", over_files("SELECT COUNT(*) FROM peps"))
    assert (found.path, found.start_line) == ("peps/pep-0204.rst", 4)


def test_where_nothing_else_stands_behind_a_text_its_nearest_line_is_cited() -> None:
    assert cited_for("Created on 22-Aug-2000.", None).path == "peps/pep-0022.rst"
