"""Every file of translations holds each text of the program, no other, with the same values in it."""

from __future__ import annotations

import ast
import re
import string
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from kbtui import i18n
from kbtui.domain.analysis import ColumnKind, QueryKind
from kbtui.domain.answer import Outcome
from kbtui.domain.events import RequestType
from kbtui.domain.routing import Complexity, QueryType
from kbtui.question.query_type_model import TalkKind
from kbtui.view.kind_words import SIGNS, kind_words, name_words
from tests.i18n.messages import forms, parts
from tests.i18n.sources import PACKAGE, Source, sources

FILES = sorted((PACKAGE / "i18n").glob("*.toml"))


@pytest.fixture(scope="module")
def texts() -> list[Source]:
    return sources()


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def tables(request: pytest.FixtureRequest) -> dict[str, Any]:
    path: Path = request.param
    return tomllib.loads(path.read_text("utf-8"))


def fields(text: str) -> Counter[str]:
    """The values that a text has room for, by name."""
    return Counter(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


def test_there_is_a_file_for_each_language_but_english() -> None:
    assert i18n.languages() == ("en", *(path.stem for path in FILES))
    assert len(FILES) >= 1


def test_no_text_is_missing(texts: list[Source], tables: dict[str, Any]) -> None:
    missing = [
        f"{one.place}: {one.text!r}"
        for one in texts
        if one.text
        and one.text not in tables["plurals" if one.plural else "messages"]
        and one.text not in tables["context"].get(one.context, {})
    ]
    assert not missing, "\n".join(missing)


def test_no_translation_is_of_a_text_that_nobody_shows(texts: list[Source], tables: dict[str, Any]) -> None:
    single = {one.text for one in texts if not one.plural}
    counted = {one.text for one in texts if one.plural}
    in_contexts = {(one.context, one.text) for one in texts}
    unused = [text for text in tables["messages"] if text not in single]
    unused += [text for text in tables["plurals"] if text not in counted]
    unused += [
        f"{context}: {text}"
        for context, said in tables["context"].items()
        for text in said
        if (context, text) not in in_contexts and not ((context, "") in in_contexts and text in single)
    ]
    assert not unused, "\n".join(unused)


def test_a_translation_has_the_values_of_its_text(texts: list[Source], tables: dict[str, Any]) -> None:
    pairs = [*tables["messages"].items(), *((a, b) for said in tables["context"].values() for a, b in said.items())]
    pairs += [(text, form) for text, forms in tables["plurals"].items() for form in forms]
    wrong = [f"{text!r}: {said!r}" for text, said in pairs if fields(text) != fields(said)]
    assert not wrong, "\n".join(wrong)


def test_a_plural_has_the_values_of_its_singular(texts: list[Source]) -> None:
    wrong = [one for one in texts if one.plural and fields(one.text) != fields(one.plural)]
    assert not wrong
    plurals = {one.text: {other.plural for other in texts if other.text == one.text} for one in texts if one.plural}
    assert all(len(forms) == 1 for forms in plurals.values()), "one singular, two plurals"


def test_a_language_has_as_many_forms_of_a_plural_as_it_says(tables: dict[str, Any]) -> None:
    from gettext import c2py

    form = c2py(tables["plural"])
    needed = {form(number) for number in range(1_000)}
    wrong = [text for text, forms in tables["plurals"].items() if set(range(len(forms))) != needed]
    assert not wrong


def test_every_message_that_is_made_below_the_screen_has_a_form(tables: dict[str, Any]) -> None:
    made = forms()
    missing = [f"{one.place}: {one.text!r}" for one in made if one.text not in tables["made"]]
    assert not missing, "\n".join(missing)
    unused = set(tables["made"]) - {one.text for one in made} - parts()
    assert not unused, unused


def test_a_form_has_as_many_values_in_its_translation(tables: dict[str, Any]) -> None:
    wrong = [
        form
        for form, said in tables["made"].items()
        if sorted(fields(said)) != [str(number) for number in range(form.count("{}"))]
    ]
    assert not wrong


def test_what_is_translated_says_something(tables: dict[str, Any]) -> None:
    empty = [text for text, said in tables["messages"].items() if not said.strip()]
    assert not empty


def test_blanks_at_the_ends_of_a_text_are_those_of_its_translation_or_of_wide_punctuation(
    tables: dict[str, Any],
) -> None:
    wrong = [
        text
        for text, said in tables["messages"].items()
        if text[:1].isspace() != said[:1].isspace()
        or (text[-1:].isspace() and not said[-1:].isspace() and said[-1:] not in "，：；")
    ]
    assert not wrong


_SENTENCE = re.compile(r"[A-Za-z]{2,}[,:;]? [A-Za-z]{2,}")
_NOT_SAID = re.compile(
    r"\$|^(?:bold|italic|underline|strike|on|rows|turn|pane|part|stage|dialog)\b[a-z -]*$|[{<].*[}>]", re.S
)
"""Styles, classes of widgets, style sheets and mark-up."""
_KEPT = frozenset({"no figure leads anywhere without them", "[Using cached schema] ", "not bold"})
"""What an assertion says, what the specifications word, a style."""


def _texts_beside_the_marked(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Strings that are not handed to a function for translation, and are neither documentation nor told to a log."""
    quiet: set[ast.AST] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            quiet.add(node.value)
        elif isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            of = node.func.value if isinstance(node.func, ast.Attribute) else None
            if name in ("_", "N_", "ngettext", "pgettext", "compile") or (isinstance(of, ast.Name) and "log" in of.id):
                quiet.update(ast.walk(node))
    for node in ast.walk(module):
        if node not in quiet and isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def test_no_sentence_of_the_screen_goes_untranslated() -> None:
    left = [
        f"{path.name}:{line}: {text!r}"
        for path in sorted((PACKAGE / "ui").rglob("*.py"))
        for line, text in _texts_beside_the_marked(ast.parse(path.read_text("utf-8")))
        if _SENTENCE.search(text) and not _NOT_SAID.search(text) and text not in _KEPT
    ]
    assert not left, "\n".join(left)


def test_every_sign_of_a_request_has_its_words() -> None:
    known = {*SIGNS}
    cues = tomllib.loads((PACKAGE / "analysis" / "request_cues.toml").read_text("utf-8"))["cue"]
    assert {cue["name"] for cue in cues} <= known
    assert set(get_args(TalkKind)) <= known


def test_every_kind_in_the_events_has_its_words() -> None:
    i18n.use("zh")
    kinds = (
        *get_args(RequestType),
        *get_args(QueryType),
        *get_args(Complexity),
        *get_args(ColumnKind),
        *get_args(QueryKind),
    )
    english = [kind for kind in kinds if kind_words(kind).isascii()]
    assert not english
    assert all(not name_words(outcome).isascii() for outcome in get_args(Outcome))
    assert kind_words("something_new") == "something new"
    i18n.use("en")
    assert kind_words("multi_step_analysis") == "multi step analysis"
    assert name_words("not_found") == "not_found"
