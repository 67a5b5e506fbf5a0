"""Syntax highlighting of a range of lines, in theme variables.

Textual's own highlighter uses ``str.splitlines``, which also breaks lines at form feeds and U+2028, so its line numbers
would differ from those of citations.
"""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content, Span

_MAX_CHARS = 400_000


def highlighted(lines: Sequence[str], path: str, language: str, first: int, last: int) -> list[Content]:
    """Lines ``first`` to ``last`` (from 1) of a file, not highlighted if it is very long or of an unknown language."""
    window = lines[first - 1 : last]
    # A lexer has to start at the first line, because a line alone does not tell whether it is inside a string.
    if sum(len(line) + 1 for line in lines[:last]) > _MAX_CHARS:
        return [Content(line) for line in window]
    spans = _spans(lines[:last], path, language, first)
    return [Content(line, spans=spans.get(number)) for number, line in enumerate(window, start=first)]


def _spans(lines: Sequence[str], path: str, language: str, first: int) -> dict[int, list[Span]]:
    from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
    from pygments.token import Token
    from pygments.util import ClassNotFound

    styles = {
        Token.Comment: "$foreground 55%",
        Token.Keyword: "$text-primary",
        Token.Literal.String: "$text-success",
        Token.Literal.String.Doc: "$foreground 70%",
        Token.Literal.Number: "$text-warning",
        Token.Name.Function: "bold",
        Token.Name.Class: "bold",
        Token.Name.Tag: "$text-primary",
        Token.Name.Attribute: "$text-primary",
        Token.Generic.Heading: "bold $text-primary",
        Token.Generic.Subheading: "bold $text-primary",
        Token.Generic.Strong: "bold",
        Token.Generic.Emph: "italic",
    }
    try:
        if language:
            lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
        else:
            lexer = get_lexer_for_filename(path, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return {}
    spans: dict[int, list[Span]] = {}
    number, column = 1, 0
    for kind, value in lexer.get_tokens("\n".join(lines)):
        while kind not in styles and kind.parent is not None:
            kind = kind.parent
        style = styles.get(kind, "")
        for index, part in enumerate(value.split("\n")):
            if index:
                number, column = number + 1, 0
            if style and part and number >= first:
                spans.setdefault(number, []).append(Span(column, column + len(part), style))
            column += len(part)
    return spans
