from __future__ import annotations

import stat

from kbtui.view.user_files import page_of, write_extracted


def test_the_text_of_a_file_is_written_for_its_owner_under_a_name_that_says_what_it_is() -> None:
    first, second = write_extracted("a/hand book.docx", "one\ntwo"), write_extracted("b/hand book.docx", "three")
    assert first.name.startswith("hand-book.docx-")
    assert first.suffix == ".txt"
    assert first != second
    assert first.read_text("utf-8") == "one\ntwo"
    assert stat.S_IMODE(first.stat().st_mode) == 0o600
    assert write_extracted("a/hand book.docx", "new") == first
    assert first.read_text("utf-8") == "new"


def test_only_a_pdf_has_pages_that_a_viewer_can_show() -> None:
    assert page_of("manual.pdf", "p.5") == 5
    assert page_of("Manual.PDF", "p.12-13") == 12
    assert page_of("bundle.zip", "papers/ice.pdf p.2") is None
    assert page_of("deck.pptx", "slide 3") is None
    assert page_of("manual.pdf", "") is None
