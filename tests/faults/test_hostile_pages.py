"""Web pages written to keep whoever reads them busy."""

from __future__ import annotations

import threading

import pytest

from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, ToolError
from kbtui.tools.web_fetch import passages
from kbtui.tools.web_page import Page

TABLE = "<html><body><table>" + "<tr><td>a</td></tr>" * 100_000


def page(html: str) -> Page:
    return Page(url="https://example.org/", media_type="text/html", text=html)


def test_a_page_that_takes_too_long_to_read_is_given_up_and_the_next_one_is_read() -> None:
    with pytest.raises(ToolError, match="too much time"):
        passages(page(TABLE), 10, seconds=0.2)
    assert "word" in passages(page("<html><body><p>" + "word and more " * 20 + "</p></body></html>"), 10)[0].text


def test_reading_a_page_ends_when_the_run_is_stopped() -> None:
    cancel = CancelToken()
    threading.Timer(0.2, cancel.cancel).start()
    with pytest.raises(Cancelled):
        passages(page(TABLE), 10, cancel=cancel)


def test_half_a_surrogate_pair_in_a_page_is_no_reason_to_fail() -> None:
    assert "text" in passages(page("<html><body><p>" + "some \ud800 text " * 20 + "</p></body></html>"), 10)[0].text
