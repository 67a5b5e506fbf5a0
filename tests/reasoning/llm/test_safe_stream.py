"""Whatever has been shown of an answer, nothing in it reaches out, however it was cut."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbtui.reasoning.llm.safe_markdown import live_parts
from kbtui.reasoning.llm.safe_stream import SafeStream

URL = "http://attacker.example/steal?q=1"
KNOWN = "https://docs.example/page"


def shown(text: str, size: int, allowed: tuple[str, ...] = ()) -> list[str]:
    """All that was on the screen, after each piece and at the end."""
    stream = SafeStream(allowed)
    so_far, found = "", []
    for at in range(0, len(text), size):
        so_far += stream.feed(text[at : at + size])
        found.append(so_far)
    return [*found, so_far + stream.finish()]


LIVE = [
    f"See ![chart]({URL}) for it.",
    f"See [the handbook]({URL}) and [more]({URL} 'so it says').",
    f"See <{URL}> or {URL} or www.attacker.example/a?b=c now.",
    f"See [it][1] and [1].\n\n[1]: {URL}\n\nThe end.",
    f"<img src='{URL}'> and <a href='{URL}'>this</a>.",
    f"- one\n\n      {URL} indented\n\n- two [x]({URL})",
    f"`open [a]({URL}) and ![b]({URL})",
    f"[![a]({URL})]({URL}) and [a\nb]({URL}).",
    f"```\ncode {URL}\n```\nand {URL} behind it",
    # What is shown of the first paragraph is taken back by what follows in it.
    f'`"~~~<[1]//attacker.example/a)|```[1]:):[> > word`- `\n\n{URL}\\',
]


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
@pytest.mark.parametrize("text", LIVE)
def test_nothing_shown_reaches_out(text: str, size: int) -> None:
    for so_far in shown(text, size):
        assert not live_parts(so_far)


@pytest.mark.parametrize("size", [1, 5, 1000])
@pytest.mark.parametrize(
    "text",
    [
        "Roll back when the rate is high [1]. Then:\n\n- tell `#ops` [2]\n- wait **two** minutes\n\nThat is all.",
        "```python\nnodes: list[Node] = [a for a in b]\n\nprint(f'{x}<y')\n```\n\nRun it [1].",
        "值班每周三上午十点交接 [1]。\n\n见 `中文/值班.md`。",
        f"See [the page]({KNOWN}), or {KNOWN} itself.",
        "A | B\n--|--\n1 < 2 | `a|b`",
    ],
)
def test_a_harmless_answer_is_shown_whole(text: str, size: int) -> None:
    assert shown(text, size, (KNOWN,))[-1] == text


def test_words_are_shown_as_they_come() -> None:
    stream = SafeStream()
    assert stream.feed("Roll back ") == "Roll back "
    assert stream.feed("wh") == ""
    assert stream.feed("en it fails [1") == "when it fails "
    assert stream.feed("]. ") == "[1]. "


def test_it_knows_the_block_of_code_it_is_in() -> None:
    stream = SafeStream()
    stream.feed("Run:\n\n~~~~sh\nmake it \n\nnow ")
    assert stream.fence == "~~~~"
    stream.feed("\n~~~~\n\nDone. ")
    assert stream.fence == ""


SIGNS = ["[", "]", "(", ")", "!", "<", ">", "`", "```", "~~~", ":", "a", "\\", "|", "*", "_", '"', "word", "1."]
ADDRESSES = ["[1]", "[1]: ", "<b>", "//attacker.example/a", "www.attacker.example/a", URL]
PIECES = st.sampled_from([*SIGNS, *ADDRESSES, " ", "    ", "\n", "\n\n", "- ", "> "])


@given(st.lists(PIECES, max_size=24), st.integers(1, 9))
@settings(max_examples=60, deadline=None)
def test_no_text_reaches_out_at_any_piece(pieces: list[str], size: int) -> None:
    for so_far in shown("".join(pieces), size):
        assert not live_parts(so_far)
