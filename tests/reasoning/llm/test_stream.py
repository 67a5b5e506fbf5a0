"""What reaches the screen of an answer that streams in."""

from __future__ import annotations

import pytest

from kbtui.domain.events import AnswerDelta, Event
from kbtui.reasoning.llm.safe_markdown import live_parts
from kbtui.reasoning.llm.stream import AnswerStream


def shown(text: str, size: int) -> tuple[str, AnswerStream]:
    events: list[Event] = []
    stream = AnswerStream(events.append)
    for at in range(0, len(text), size):
        stream.feed(text[at : at + size])
    stream.finish()
    return "".join(event.text for event in events if isinstance(event, AnswerDelta)), stream


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_thoughts_in_tags_are_not_shown_however_the_pieces_fall(size: int) -> None:
    text, stream = shown("<think>Should I? a < b </ think</think>\n\nUse `pin` [1]. <b>1 < 2</b>", size)
    assert stream.text == "Use `pin` [1]. <b>1 < 2</b>"
    assert text == r"Use `pin` [1]. \<b>1 < 2\</b>"


@pytest.mark.parametrize("size", [1, 4, 100])
def test_not_found_is_a_sign_and_no_text(size: int) -> None:
    text, stream = shown(" NOT_FOUND", size)
    assert (text, stream.not_found) == ("", True)


def test_a_word_that_begins_like_the_sign_is_text() -> None:
    text, stream = shown("NOT all of it [1].", 3)
    assert (text, stream.not_found) == ("NOT all of it [1].", False)


def test_thoughts_that_never_end_are_no_answer() -> None:
    text, stream = shown("<think>on and on", 5)
    assert (text, stream.not_found) == ("", False)


def test_escape_sequences_do_not_reach_the_screen() -> None:
    assert shown("red \x1b[31mtext\x1b[0m\u202e", 100)[0] == "red text"


def test_text_of_another_writer_is_set_apart_from_what_was_shown() -> None:
    events: list[Event] = []
    stream = AnswerStream(events.append)
    stream.break_off()
    assert not events
    stream.feed("Half a sent")
    stream.break_off()
    assert isinstance(events[-1], AnswerDelta)
    assert events[-1].text == "\n\n---\n\n"


@pytest.mark.parametrize("size", [1, 2, 3, 5, 9])
def test_an_escape_sequence_cut_in_two_is_still_one(size: int) -> None:
    raw = "\x1b]52;c;b3duZWQ=\x07It is \x1b[31mred\x1b[0m.\x1b]0;owned\x1b\\ Done."
    assert shown(raw, size)[0] == "It is red. Done."


@pytest.mark.parametrize("size", [1, 2, 7, 100])
@pytest.mark.parametrize("key", ["sk-pl4nted-0123456789-ends", "pl4nted-without-a-shape-pl4n"])
def test_a_key_that_the_model_repeats_is_masked_however_the_pieces_fall(
    key: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    text, stream = shown(f"Use it [1]. Your key is {key}. Also {key[:6]} and {key}", size)
    assert text == f"Use it [1]. Your key is ********. Also {key[:6]} and ********" == stream.text


def test_what_a_broken_off_answer_leaves_reaches_out_to_nobody() -> None:
    events: list[Event] = []
    stream = AnswerStream(events.append, ["https://docs.example/page"])
    said = "See [it](http://attacker.example/?q=1) or [this](https://docs.example/page) and ![x](http://attacker"
    for at in range(0, len(said), 5):
        stream.feed(said[at : at + 5])
    stream.break_off()
    text = "".join(event.text for event in events if isinstance(event, AnswerDelta))
    assert not live_parts(text, ["https://docs.example/page"])
    assert "[this](https://docs.example/page)" in text
    assert stream.text.startswith(said[:60])


def test_a_block_of_code_that_breaks_off_is_closed() -> None:
    events: list[Event] = []
    stream = AnswerStream(events.append)
    stream.feed("Run:\n\n```sh\nmake demo \n")
    stream.break_off()
    text = "".join(event.text for event in events if isinstance(event, AnswerDelta))
    assert text == "Run:\n\n```sh\nmake demo \n\n```\n\n---\n\n"
