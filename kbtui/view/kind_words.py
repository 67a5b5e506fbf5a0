"""The names that events carry, in the user's language: kinds of questions, of columns and steps, signs of a decision.

An event holds them in English, whatever language is spoken where it is shown; a name that is not listed here stays as
it is.
"""

from __future__ import annotations

from typing import Final

from kbtui.i18n import N_, SOURCE, _, language
from kbtui.text.terminal import one_line

_KINDS: Final = (
    # Of questions.
    *(N_("exact"), N_("conceptual"), N_("relational"), N_("file discovery"), N_("chitchat")),
    *(N_("simple"), N_("complex"), N_("trivial"), N_("data query"), N_("visualization"), N_("calculation")),
    *(N_("web search"), N_("consultation"), N_("multi step analysis"), N_("knowledge")),
    # Of columns, and of what a question can mention.
    *(N_("integer"), N_("number"), N_("text"), N_("date"), N_("datetime"), N_("boolean"), N_("other")),
    *(N_("folder"), N_("file"), N_("table"), N_("column")),
    # Of statements.
    *(N_("aggregation"), N_("join"), N_("filter"), N_("group"), N_("top n"), N_("detail"), N_("nested"), N_("set")),
)
SIGNS: Final = (
    # What is named in a question, or how it is put.
    *(N_("document"), N_("ticket"), N_("error code"), N_("path"), N_("flag"), N_("code"), N_("identifier")),
    *(N_("quoted"), N_("wording"), N_("no other sign"), N_("parts"), N_("spelling"), N_("mentioned"), N_("model")),
    *(N_("rules say"), N_("left out"), N_("other tools"), N_("other keywords"), N_("stated"), N_("follow-up")),
    *(N_("web"), N_("quick path"), N_("calculated"), N_("data source"), N_("source"), N_("structure")),
    *(N_("asked of the data"), N_("asked of the documents"), N_("no sign of the data"), N_("name in the data")),
    *(N_("overview"), N_("rules read it as")),
    # What small talk is.
    *(N_("greeting"), N_("thanks"), N_("farewell"), N_("identity"), N_("capability"), N_("smalltalk")),
    # What speaks for a kind of request.
    *(N_("how many"), N_("superlative"), N_("aggregate"), N_("grouped"), N_("grouped outright")),
    *(N_("compared with a number"), N_("a span of time"), N_("what data are about")),
    *(N_("two things data are about"), N_("of a database"), N_("things with a condition"), N_("lists")),
    *(N_("all of them"), N_("sold or spent"), N_("documents"), N_("how to"), N_("explained"), N_("what is")),
    *(N_("who, where, why"), N_("how things work here"), N_("what we may do"), N_("what holds always")),
    *(N_("a chart"), N_("drawn"), N_("shown as a trend"), N_("statistics"), N_("growth and rates")),
    *(N_("money over time"), N_("forecast"), N_("asked for advice"), N_("what to look at")),
    *(N_("what could be asked"), N_("suggestions"), N_("why it changed"), N_("one after the other")),
    *(N_("in depth"), N_("analysed and more"), N_("methods of several steps"), N_("several questions")),
    *(N_("analysed"), N_("weather"), N_("news"), N_("prices of the day"), N_("on the web"), N_("around here")),
    *(N_("out in the world"), N_("small talk")),
)
_OUTCOMES: Final = (N_("answered"), N_("partial"), N_("not found"), N_("declined"))
_KNOWN: Final = frozenset((*_KINDS, *SIGNS))


def kind_words(name: str) -> str:
    """A name such as ``multi_step_analysis``, in words."""
    words = name.replace("_", " ")
    return _(words) if words in _KNOWN else words


def sign_words(name: str) -> str:
    """The name of a sign, which may be the number of a pass: ``pass 2``."""
    head, _space, number = name.partition(" ")
    if head == "pass" and number.isdecimal():
        return _("pass {n}", n=number)
    return kind_words(name) if name in _KNOWN else name


def model_words(model: str) -> str:
    """Who answers: the name of a chat model, or that there is none."""
    return _("offline") if model == "offline" else one_line(model)


def outcome_words(outcome: str) -> str:
    """How an answer ended, in words."""
    return _(outcome.replace("_", " "))


def name_words(name: str) -> str:
    """A name or an outcome as the events write it where English is spoken (``not_found``), else in words."""
    words = name.replace("_", " ")
    return name if language() == SOURCE or words not in (*_KNOWN, *_OUTCOMES) else _(words)
