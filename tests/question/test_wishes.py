"""Wishes about the last answer, which need no search."""

import pytest

from kbtui.question.wishes import is_wish


@pytest.mark.parametrize(
    "query",
    ["shorter", "put that in a table", "in Chinese please", "why?", "summarise it in two sentences", "用表格",
     "再短一点", "翻译成英文", "为什么？", "as bullet points", "can you make it shorter?", "用中文说一遍",
     "can you say that in one sentence?", "What did you just say, as a table?", "把刚才说的列成表格",
     "How would you put it in two sentences?", "your last answer in German, please", "请用一句话复述你的回答",
     "what you said earlier, but briefly"],
)  # fmt: skip
def test_a_wish_about_the_last_answer_is_known(query: str) -> None:
    assert is_wish(query)


@pytest.mark.parametrize(
    "query",
    ["why does the locker freeze?", "list the open tickets", "in which table are the parcels?", "and for 2012?",
     "值班多久交接一次？", "who wrote it?", "", "hello", "the table of carriers", "where is the table?",
     "how many rows are in the table?", "what did you say about HL-12?", "表格里有几行？", "你说的那个表是谁写的？",
     "what did you say?"],
)  # fmt: skip
def test_a_question_about_something_is_none(query: str) -> None:
    assert not is_wish(query)
