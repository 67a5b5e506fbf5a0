"""The text of mails: header fields, body, and names of attachments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import policy
from email.errors import MessageError
from email.message import EmailMessage
from email.parser import BytesParser
from itertools import zip_longest
from typing import Final

from kbtui.knowledge.reading.formats.base import Extracted, TextBuilder, damaged_error
from kbtui.knowledge.reading.formats.pages import markdown_of
from kbtui.text.decoding import decode

_FIELDS: Final = ("From", "To", "Cc", "Date", "Subject")
_MAX_FIELD_CHARS: Final = 1_000
_MAX_PARTS: Final = 200
_MAX_MESSAGES: Final = 50_000
_MAX_BODY_BYTES: Final = 2_000_000
_BEGINS: Final = re.compile(rb"^From [^\n]*\d{4}[^\n]*\r?\n", re.MULTILINE)
_QUOTED_FROM: Final = re.compile(r"^>(>*From )", re.MULTILINE)
_LINK_NOISE: Final = re.compile(r"<https?://[^\s>]{80,}>")


def extract(data: bytes, _path: str) -> Extracted:
    """The text of one message.

    Raises:
        KnowledgeBaseError: The file is not a mail.
    """
    message = _parse(data)
    if not any(message.get(name) for name in ("From", "Subject", "Date", "To")):
        raise damaged_error()
    builder = TextBuilder()
    _write(builder, message)
    return builder.done("text", title=_field(message, "Subject"))


def extract_box(data: bytes, _path: str) -> Extracted:
    """The text of a mailbox, with a place for each message.

    Raises:
        KnowledgeBaseError: The file is not a mailbox.
    """
    builder = TextBuilder()
    number = 0
    for number, raw in enumerate(_messages(data), 1):
        if builder.full() or number > _MAX_MESSAGES:
            break
        message = _parse(raw)
        builder.begin(f"message {number}")
        subject = _field(message, "Subject") or "(no subject)"
        builder.add(subject)
        builder.add("=" * max(3, min(len(subject), 100)))
        builder.blank()
        _write(builder, message)
    if not number:
        raise damaged_error()
    return builder.done("text")


def _messages(data: bytes) -> Iterator[bytes]:
    """The messages of a mailbox, which begin with a ``From`` line; such a line in a text has a ``>`` in front."""
    starts = [match for match in _BEGINS.finditer(data) if match.start() == 0 or data[: match.start()].endswith(b"\n")]
    for match, after in zip_longest(starts, starts[1:]):
        yield data[match.end() : after.start() if after is not None else len(data)]


def _parse(data: bytes) -> EmailMessage:
    try:
        return BytesParser(policy=policy.default).parsebytes(data.lstrip(b"\r\n"))
    except (MessageError, ValueError, RecursionError, IndexError, AttributeError) as error:
        raise damaged_error() from error


def _field(message: EmailMessage, name: str) -> str:
    try:
        return " ".join(str(message.get(name, "")).split())[:_MAX_FIELD_CHARS]
    except Exception:  # noqa: BLE001 - the parser raises many types of errors on malformed fields
        return ""


def _write(builder: TextBuilder, message: EmailMessage) -> None:
    for name in _FIELDS:
        if value := _field(message, name):
            builder.add(f"{name}: {value}")
    attachments = list(_attachment_names(message))
    if attachments:
        builder.add(f"Attachments: {', '.join(attachments)}")
    builder.blank()
    builder.add(_body(message))


def _parts(message: EmailMessage) -> Iterator[EmailMessage]:
    for number, part in enumerate(message.walk()):
        if number >= _MAX_PARTS:
            return
        if isinstance(part, EmailMessage) and not part.is_multipart():
            yield part


def _attachment_names(message: EmailMessage) -> Iterator[str]:
    for part in _parts(message):
        try:
            name = part.get_filename()
        except Exception:  # noqa: BLE001 - see `_field`
            name = None
        if name:
            yield " ".join(str(name).split())[:200]


def _body(message: EmailMessage) -> str:
    """The plain text of a message, or that of its HTML where there is none."""
    plain_parts: list[str] = []
    html_parts: list[str] = []
    for part in _parts(message):
        kind = part.get_content_type()
        if kind not in ("text/plain", "text/html") or part.get_content_disposition() == "attachment":
            continue
        (plain_parts if kind == "text/plain" else html_parts).append(_text_of(part))
    if any(text.strip() for text in plain_parts):
        return _LINK_NOISE.sub("", _QUOTED_FROM.sub(r"\1", "\n\n".join(plain_parts)))
    return "\n\n".join(map(markdown_of, html_parts))


def _text_of(part: EmailMessage) -> str:
    raw = part.get_payload(decode=True)
    data = raw[:_MAX_BODY_BYTES] if isinstance(raw, bytes) else b""
    charset = part.get_content_charset()
    if charset:
        try:
            return data.decode(charset, "replace")
        except (LookupError, ValueError):
            pass
    return decode(data).text
