"""Translates names in events into the user's language: kinds of questions, columns and steps, and routing signals.

Events always carry the English names; a name that is not listed here is shown unchanged.
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
    *(N_("folder"), N_("file"), N_("table"), N_("column"), N_("kind"), N_("field")),
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
_PLAIN: Final = {
    "exact": N_("exact names"),
    "conceptual": N_("explanation"),
    "relational": N_("relations"),
    "file discovery": N_("which files"),
    "chitchat": N_("small talk"),
    "complex": N_("in parts"),
    "simple": "",
    "trivial": "",
    "data query": N_("asked of the data"),
    "visualization": N_("a chart"),
    "consultation": N_("asked for advice"),
    "multi step analysis": N_("several steps"),
    "knowledge": N_("asked of the documents"),
}
"""Names of kinds of questions beside an answer; the audit screen shows the names above."""
_TOOLS: Final = {
    "hybrid_search": N_("words and meaning"),
    "search": N_("words and meaning"),
    "vector_search": N_("meaning"),
    "grep_search": N_("exact words"),
    "grep": N_("exact words"),
    "graph_related": N_("related documents"),
    "relations": N_("related documents"),
    "local_file_qa": N_("files"),
    "read_file": N_("read a file"),
    "read": N_("read a file"),
    "list_documents": N_("list documents"),
    "count_documents": N_("count documents"),
    "get_data_source_context": N_("tables, columns"),
    "schema": N_("tables, columns"),
    "execute_sql": N_("asked the data"),
    "sql": N_("asked the data"),
    "python_executor": N_("calculated"),
    "calc": N_("calculated"),
    "web_search": N_("the web"),
    "web_fetch": N_("read a page"),
    "git_history": N_("the history of files"),
    "finish": N_("enough found"),
}
"""Descriptions of built-in tools; tools of plug-ins are shown by name."""
_OUTCOMES: Final = (N_("answered"), N_("partial"), N_("not found"), N_("declined"))
OUTCOME_NAMES: Final = {
    "answered": N_("answered"),
    "partial": N_("answered in part"),
    "not_found": N_("not found"),
    "declined": N_("declined"),
}
_KNOWN: Final = frozenset((*_KINDS, *SIGNS))


def kind_words(name: str) -> str:
    """A name such as ``multi_step_analysis`` in words."""
    words = name.replace("_", " ")
    return _(words) if words in _KNOWN else words


def plain_kind(name: str) -> str:
    """A kind of question in everyday words; empty for kinds that need no mention."""
    words = name.replace("_", " ")
    return (_(_PLAIN[words]) if _PLAIN[words] else "") if words in _PLAIN else kind_words(name)


def tool_words(tool: str) -> str:
    """A short description of a tool."""
    return _(_TOOLS[tool]) if tool in _TOOLS else one_line(tool).replace("_", " ")


def sign_words(name: str) -> str:
    """The name of a routing signal, which may be the number of a pass: ``pass 2``."""
    head, _space, number = name.partition(" ")
    if head == "pass" and number.isdecimal():
        return _("pass {n}", n=number)
    return kind_words(name) if name in _KNOWN else name


def model_words(model: str) -> str:
    """The name of the chat model, or that the answer was made offline."""
    return _("offline") if model == "offline" else one_line(model)


def outcome_words(outcome: str) -> str:
    """The outcome of an answer in words."""
    return _(outcome.replace("_", " "))


def name_words(name: str) -> str:
    """A name or outcome as in events (``not_found``) if the language is English, else translated."""
    words = name.replace("_", " ")
    return name if language() == SOURCE or words not in (*_KNOWN, *_OUTCOMES) else _(words)
