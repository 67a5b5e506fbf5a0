"""Pages are read as their blocks, whole or from the middle."""

from __future__ import annotations

import pytest

from kbtui.text.pages import page_blocks
from kbtui.text.sentences import sentences


def blocks(markup: str) -> list[tuple[str, int, str]]:
    return [(block.kind, block.start_line, block.text) for block in page_blocks(markup)]


def test_headings_items_and_code_are_told_from_prose() -> None:
    page = (
        "<h2><a name='x'></a>3. Running it</h2>\n<p>Use this:</p>\n<pre>\n  tool --fast\n\n  done\n</pre>\n"
        "<ul><li><p>One\nthing.</p></li></ul><dl><dt>--fast</dt><dd>Skips.</dd></dl>"
    )
    assert blocks(page) == [
        ("heading", 1, "3. Running it"),
        ("prose", 2, "Use this:"),
        ("code", 4, "  tool --fast\n\n  done"),
        ("list_item", 8, "One\nthing."),
        ("prose", 9, "--fast: Skips."),
    ]


def test_a_table_of_contents_and_navigation_are_no_text() -> None:
    page = (
        "<nav><p>Home</p></nav><dl><dt>7.5 <a href='m.html#use'>Hints for use</a></dt></dl>"
        "<ul><li><a href='other.html'>Other page</a></li></ul><p>See <a href='#a'>this</a> about it all.</p>"
    )
    assert [text for _, _, text in blocks(page)] == ["Other page", "See this about it all."]


def test_a_single_line_break_does_not_end_a_sentence_and_two_begin_a_paragraph() -> None:
    page = "<div><p><br>\n  <br>\nAda wrote the core and<br>\nmost of the rest.<br>\n<br>\nBo drew it.<br></p></div>"
    assert [(unit.start_line, unit.end_line, unit.text) for unit in sentences(page, kind="html")] == [
        (3, 4, "Ada wrote the core and most of the rest."),
        (6, 6, "Bo drew it."),
    ]


def test_rows_of_a_table_have_the_names_of_their_columns() -> None:
    page = "<table><tr><th>port</th><th>use</th></tr>\n<tr><td>25</td><td>mail</td></tr></table><p>After.</p>"
    head, row, after = sentences(page, kind="html")
    assert (head.level, head.text) == (1, "port | use")
    assert (row.kind, row.text, row.columns, row.start_line) == ("table_row", "25 | mail", ("port", "use"), 2)
    assert after.text == "After."


def test_a_table_that_places_paragraphs_is_read_as_paragraphs() -> None:
    page = (
        "<table><tr><td><b>5.4.</b></td><td><b>Can it attach?</b></td></tr>\n"
        "<tr><td>5.5.</td><td><p>No. It needs\nfull control.</p></td></tr></table>"
    )
    assert blocks(page) == [("prose", 1, "Can it attach?"), ("prose", 2, "No. It needs\nfull control.")]


def test_line_ends_of_a_page_mean_nothing() -> None:
    page = "<p>Use of\n<code>-O2</code> and above is not recommended as\nit reports errors that do not exist.</p>"
    assert [unit.text for unit in sentences(page, kind="html")] == [
        "Use of -O2 and above is not recommended as it reports errors that do not exist."
    ]


def test_lines_are_counted_through_tags_comments_and_scripts_of_several_lines() -> None:
    page = "<!-- a\nb -->\n<p\n class='x'>One.</p><script>\nvar a = '<p>';\n</script>\n<p>Two.</p>"
    assert blocks(page) == [("prose", 4, "One."), ("prose", 7, "Two.")]


@pytest.mark.parametrize(
    "piece", ["<a ", "<!--\n", "<tr><td>", "<li>", "<x ", "<dt>a", "<pre>", "<script>", "<br>", "<td>a<p>"]
)
def test_hostile_markup_is_read_in_linear_time(piece: str) -> None:
    # Quadratic work on this much takes minutes: the test would not come back.
    page_blocks(piece * 40_000)


def test_text_that_is_laid_out_with_line_breaks_is_read_as_a_text_file() -> None:
    page = "<p><br>\n====== CHANGES<br>\n<br>\n* Fix it when it<br>\n  is cold.<br>\n* Add a valve.<br></p>"
    assert [(unit.kind, unit.start_line, unit.text) for unit in sentences(page, kind="html")] == [
        ("sentence", 2, "CHANGES"),
        ("list_item", 4, "Fix it when it is cold."),
        ("list_item", 6, "Add a valve."),
    ]


def test_a_term_begins_the_paragraph_that_explains_it() -> None:
    page = "<dl><dt>port</dt>\n<dt>p</dt><dd>Where it\nlistens. Default 5.<pre>port = 5</pre></dd><dt>user</dt></dl>"
    assert [(unit.start_line, unit.end_line, unit.text) for unit in sentences(page, kind="html")] == [
        (1, 2, "port, p"),
        (1, 3, "port, p: Where it listens."),
        (3, 3, "Default 5."),
        (3, 3, "port = 5"),
        (3, 3, "user"),
    ]


def test_the_way_to_other_pages_and_titles_of_boxes_are_no_text() -> None:
    page = (
        "<div class='navheader'><div><p>Home of it</p></div></div><table><tr><td><a href='a.html'>Prev</a></td>"
        "<td><a href='b.html'>Up</a></td><td>Part 2</td></tr></table><h3>Note</h3><p>Table 13.1. Levels of it.</p>"
    )
    assert [unit.text for unit in sentences(page, kind="html")] == ["Table 13.1. Levels of it."]


def test_the_link_of_a_heading_to_itself_is_no_text() -> None:
    page = '<h3>Flags<a class="headerlink" href="#flags">¶</a></h3><dl><dt>x<a href="#x">¶</a></dt><dd>The x.</dd></dl>'
    assert [unit.text for unit in sentences(page, kind="html")] == ["Flags", "x", "x: The x."]


def test_the_line_after_the_mark_of_a_link_is_the_next() -> None:
    assert blocks('<h3>Flags <a href="#flags">¶\n</a></h3><p>After.</p>') == [
        ("heading", 1, "Flags"),
        ("prose", 2, "After."),
    ]


def test_an_empty_script_hides_nothing_in_a_page_of_xml_and_its_end_is_looked_for_in_others() -> None:
    page = "<script src='a.js'/><p>Shown.</p><script>var hidden;</script><p>Also shown.</p>"
    xml = f"<html xmlns='http://www.w3.org/1999/xhtml'>{page}</html>"
    assert [text for _, _, text in blocks(xml)] == ["Shown.", "Also shown."]
    assert [text for _, _, text in blocks(f"<html>{page}</html>")] == ["Also shown."]


def test_an_item_that_only_leads_to_another_page_is_told_from_one_that_says_something() -> None:
    page = "<ul><li><a href='fog.html'>Fog</a></li><li>One tone: <a href='fog.html'>fog</a> or ice.</li></ul>"
    assert [(unit.text, unit.is_link) for unit in sentences(page, kind="html")] == [
        ("Fog", True),
        ("One tone: fog or ice.", False),
    ]
