"""What a page states about itself at its head is told from its text."""

from __future__ import annotations

import pytest

from kbtui.text.page_heads import breadcrumbs, page_fields
from kbtui.text.pages import page_blocks
from kbtui.text.sentences import sentences

BOX = "<table><tr><th>Owner</th>\n<td>Ada Moss</td></tr><tr><th>Valid from</th><td>2024-05-01</td></tr></table>"
WAY = "<ol id='breadcrumbs'><li><a href='i.html'>Ferry</a></li>\n<li><span>Signal codes</span></li></ol>"


@pytest.mark.parametrize(
    ("head", "stated"),
    [
        (BOX, [("Owner", "Ada Moss", 3), ("Valid from", "2024-05-01", 3)]),
        ("<dl><dt>Owner</dt>\n<dd>Ada Moss</dd></dl>", [("Owner", "Ada Moss", 3)]),
        ("<p><b>Owner:</b> Ada Moss</p>\n<p>状态：有效</p>", [("Owner", "Ada Moss", 2), ("状态", "有效", 3)]),
    ],
)
def test_rows_of_a_box_terms_and_labels_below_the_title_are_fields(
    head: str, stated: list[tuple[str, str, int]]
) -> None:
    page = f"<title>Fog</title><h1>Fog</h1>\n{head}<p>One long tone. It is sounded twice.</p><p>Later: no field.</p>"
    assert [(field.name, field.value, field.line) for field in page_fields(page_blocks(page))] == stated


@pytest.mark.parametrize(
    "page",
    [
        BOX,
        "<h1>Ports</h1><table><tr><th>Port</th><th>Use</th></tr><tr><td>25</td><td>mail</td></tr></table>",
        "<h1>Words</h1><dl><dt>Fog</dt><dd>Water in the air that hides the far bank.</dd></dl>",
        "<h1>Fog</h1><p>One long tone.</p><table><tr><th>Owner</th><td>Ada</td></tr></table>",
    ],
)
def test_a_fragment_a_table_with_columns_explanations_and_what_follows_text_are_no_fields(page: str) -> None:
    assert page_fields(page_blocks(page)) == []


def test_a_box_of_fields_its_author_and_the_foot_of_a_page_are_no_text_of_it() -> None:
    page = (
        f"<div class='wrap'>{WAY}</div><h1>Fog</h1><div class='page-metadata'>Written by Bo, yesterday</div>{BOX}"
        "<p>One long tone.</p><div id='footer'><p>Made by the wiki</p></div>"
    )
    assert [(unit.kind, unit.text) for unit in sentences(page, kind="html") if unit.kind != "heading"] == [
        ("field", "Owner | Ada Moss"),
        ("field", "Valid from | 2024-05-01"),
        ("sentence", "One long tone."),
    ]


def test_the_way_to_a_page_is_read_with_the_place_of_each_step() -> None:
    page = f"<p>Hello</p>\n{WAY}<p>After</p>"
    steps = [(name, page.count("\n", 0, offset) + 1) for name, offset in breadcrumbs(page)]
    assert steps == [("Ferry", 2), ("Signal codes", 3)]
    assert breadcrumbs("<ol><li>Ferry</li></ol>") == []
