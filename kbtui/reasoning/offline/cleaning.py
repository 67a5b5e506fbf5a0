"""Makes words of documents fit to stand in a Markdown answer: readable, and unable to change its layout.

The quote of a citation stays verbatim; only what is shown as the answer is cleaned.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from kbtui.text import code_marks
from kbtui.text.patterns import Patterns
from kbtui.text.terminal import clean as without_controls

_RE: Final = Patterns(__package__, "cleaning.toml")
_UPPER_ROLES = {"pep": "PEP", "rfc": "RFC", "cve": "CVE", "issue": "issue", "gh": "gh-", "bpo": "bpo-"}


def readable(text: str) -> str:
    """One sentence, list item or table row of a document as inline Markdown on one line."""
    line = re.sub(r"\s+", " ", without_controls(text, keep_newlines=False)).strip()
    line = _RE.admonition.sub("", _RE.directive.sub("", _RE.bullet.sub("", line)))
    line = _RE.number_role.sub(_numbered_role, line)
    line = _RE.role.sub(lambda match: f"`{match[1]}`", line)
    line = re.sub(r"``([^`]+)``", r"`\1`", line)
    line = _RE.rst_link.sub(lambda match: match[1], line)
    line = _RE.rst_reference.sub(lambda match: match[1] if match[0].endswith("_") else match[0], line)
    line = re.sub(r"::$", ":", line)
    return re.sub(r" {2,}", " ", _outside_code(line, _plain)).strip()


def code_block(text: str, language: str = "") -> str:
    """Lines of code as a fenced block that nothing inside can end."""
    body = without_controls(text).strip("\n")
    lines = body.split("\n")
    if lines and re.match(r"\s*(?:`{3,}|~{3,})", lines[0]):
        language = language or re.sub(r"[^\w+-]", "", lines[0].strip("`~ \t"))
        lines = lines[1:]
        if lines and re.fullmatch(r"\s*(?:`{3,}|~{3,})\s*", lines[-1]):
            lines = lines[:-1]
    if lines and _RE.directive.match(lines[0]):
        after = next((at for at, line in enumerate(lines[1:], 1) if not re.match(r"\s*(?::[\w-]+:.*)?$", line)), 0)
        lines = lines[after:]
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    shift = min(indents, default=0)
    body = "\n".join(line[shift:].rstrip() for line in lines)
    return code_marks.code_block(body, language)


def _numbered_role(match: re.Match[str]) -> str:
    name, value = match[1].lower(), match[2].strip()
    if not re.match(r"\d", value):
        return value
    prefix = _UPPER_ROLES[name]
    number = value.split("#")[0]
    return f"{prefix}{number}" if prefix.endswith("-") else f"{prefix} {number}"


def _plain(text: str) -> str:
    text = _RE.wiki.sub(r"\1", _RE.image.sub(r"\1", text))
    text = _RE.link_reference.sub(r"\1", _RE.link.sub(r"\1", text))
    text = _RE.autolink.sub(r"\1", text)
    text = _RE.footnote.sub("", text)
    text = _RE.substitution.sub(r"\1", text)
    text = _RE.rst_word_reference.sub(r"\1", text)
    # A number in brackets would read as one of our own marks.
    text = _RE.numeric_mark.sub("", text)
    text = _RE.indexed.sub(r"`\1`", text)
    return _outside_code(_RE.adorned.sub("", text), _escaped)


def _escaped(text: str) -> str:
    text = text.replace("<", "\\<")
    text = _RE.dunder.sub(lambda match: f"`{match[1]}`" if "_" in match[1].strip() else match[0], text)
    if text.count("**") % 2 or text.replace("**", "").count("*") % 2:
        text = text.replace("*", "\\*")
    if text.count("`") % 2:
        text = text.replace("`", "\\`")
    return text.replace("[", "\\[") if re.search(r"\[[^\]]*\]\(|\[\d{1,3}\]", text) else text


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    parts: list[str] = []
    position = 0
    for match in _RE.code.finditer(text):
        parts += [change(text[position : match.start()]), match.group()]
        position = match.end()
    parts.append(change(text[position:]))
    return "".join(parts)


def block_safe(text: str) -> str:
    """A paragraph that does not begin like a heading, a list, a quotation or a table."""
    match = _RE.block_start.match(text)
    if match is None:
        return text
    if match[3]:
        return f"{match[1]}{match[3]}\\{match[4]}{text[match.end() :]}"
    return f"{match[1]}\\{text[match.end(1) :]}"
