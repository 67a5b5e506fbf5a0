"""What the guard asks of a statement's text and words, before it is parsed."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from kbtui.data.guard_lists import odd_strings
from kbtui.errors import SqlRefused
from kbtui.text.terminal import clean, one_line

if TYPE_CHECKING:
    from sqlglot.tokenizer_core import Token

MAX_CHARS: Final = 50_000
_MAX_TOKENS: Final = 6_000
_MAX_NESTING: Final = 60
"""Brackets and CASEs within each other; the parser is recursive."""
_ASK: Final = "Ask for data with one SELECT over the source's tables."


def refused(rule: str, why: str, hint: str = _ASK) -> SqlRefused:
    return SqlRefused(f"The statement was not run: {why}.", hint, rule=rule)


def check_text(sql: str) -> None:
    if not sql.strip():
        raise refused("one_statement", "it is empty")
    if len(sql) > MAX_CHARS:
        raise refused("size", f"it is longer than {MAX_CHARS:,} characters")
    if not (sql.isascii() and sql.isprintable()) and clean(sql).replace("\n", "") != re.sub(r"[\r\n]", "", sql):
        raise refused("text", "it has invisible or control characters in it", "Write it in plain visible characters.")


def check_tokens(sql: str, tokens: list[Token], dialect: str) -> None:
    from sqlglot.tokenizer_core import TokenType

    if len(tokens) > _MAX_TOKENS:
        raise refused("size", f"it has more than {_MAX_TOKENS:,} words")
    first = next((token for token in tokens if token.token_type is not TokenType.L_PAREN), None)
    if first is None:
        raise refused("one_statement", "there is nothing in it to run")
    if first.token_type not in (TokenType.SELECT, TokenType.WITH, TokenType.FROM):
        raise refused("root", f"it begins with {one_line(first.text, 30)}, and only SELECT and WITH … SELECT read")
    # Looking a member of an enumeration up takes longer than all else that is done with a token.
    odd, semicolon = odd_strings(TokenType), TokenType.SEMICOLON
    opening = (TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE)
    closing = (TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END)
    signs = (TokenType.NOT, TokenType.DASH, TokenType.TILDE, TokenType.PLUS)
    deep, unary = 0, 0
    for position, token in enumerate(tokens):
        kind = token.token_type
        if kind is semicolon and position < len(tokens) - 1:
            raise refused("one_statement", "something stands after its semicolon")
        if kind in opening:
            deep += 1
            if deep > _MAX_NESTING:
                raise refused("size", f"its brackets stand more than {_MAX_NESTING} deep within each other")
        elif kind in closing:
            deep -= 1
        unary = unary + 1 if kind in signs else 0
        if unary > _MAX_NESTING:
            raise refused("size", f"more than {_MAX_NESTING} signs stand in a row")
        if kind in odd:
            raise refused("string", f"it has {odd[kind]} in it", "Write text as 'text'.")
        for comment in token.comments or ():
            if comment.startswith(("!", "M!", "m!", "+")) or "/*" in comment:
                raise refused("comment", "a comment in it is read differently by engines", "Leave the comment out.")
    if dialect == "mysql":
        _check_mysql(sql, tokens)
    strings = [token.token_type is TokenType.STRING for token in tokens] if dialect == "spark" else []
    if any(first and second for first, second in pairwise(strings)):
        # Some versions read 'it''s' as one text with a quote, others as two texts.
        raise refused("string", "two texts stand side by side in it", "Write a quote in a text as \\'.")


def check_substitution(sql: str, dialect: str) -> None:
    """Refuse what the engine replaces in the text of a statement before it parses it: settings and the environment.

    Args:
        sql: The statement as it would run, since an escape in a text may have become one of these signs.
    """
    if dialect == "spark" and "${" in sql:
        raise refused("string", "it has ${ in it, which the engine replaces by a setting", "Write it without ${.")


def _check_mysql(sql: str, tokens: list[Token]) -> None:
    if re.search(r"--[^\s-]", sql) and any(token.comments for token in tokens):
        raise refused("comment", "a comment in it begins with -- and no space", "Leave the comment out.")
    if re.search(r"\\['\"]", sql):
        # With NO_BACKSLASH_ESCAPES the text ends at that quote.
        raise refused("string", "a quote in it is written with a backslash", "Write a quote in a text twice: ''.")
