"""Messages of chat exports and mailboxes as records with sender and date: days of a Slack channel, chats of WhatsApp.

An export of Telegram is a list of records already (`data_lists`). Messages are those of a list ``messages``, as theirs;
those of mailboxes are ``mails``.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from itertools import takewhile
from typing import Final, NamedTuple

from kbtui.domain.document import Document, Relation
from kbtui.domain.tree import Node
from kbtui.knowledge.relations.series import END, ITEM, LISTED
from kbtui.knowledge.relations.statement_text import relation_on
from kbtui.knowledge.relations.structure import structure_of
from kbtui.text.terminal import one_line

_CHAT: Final = "messages"
_MAILBOX: Final = "mails"
_MAX_MESSAGES: Final = 5_000
_MIN_MESSAGES: Final = 3
_MIN_SHARE: Final = 0.3
"""Least share of the lines with text that begin a message for a text to be a chat; others go on with one."""
_MAX_TITLE: Final = 80
_SLACK_DAY: Final = re.compile(r"(?:^|/)(?:19|20)\d\d-\d\d-\d\d\.json$", re.IGNORECASE)
_SLACK_TIME: Final = re.compile(r"(\d{9,11})\.\d{1,9}")
_DAY: Final = r"(?P<a>\d{1,4})(?P<sign>[./-])(?P<b>\d{1,2})(?P=sign)(?P<c>\d{1,4})"
_TIME: Final = r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:[ \u202f]?(?P<half>[AaPp])\.?[ \u202f]?[Mm]\.?)?"
_BEGINS: Final = re.compile(
    rf"\u200e?(?:\[{_DAY},? {_TIME}\]|{_DAY.replace('?P<', '?P<x').replace('?P=', '?P=x')},? "
    rf"{_TIME.replace('?P<', '?P<x')} -) (?P<sender>[^:\n]{{1,60}}): (?P<text>.*)"
)
_MAX_RECEIVERS: Final = 20
_FIRST_HEADER_LINE: Final = 4
"""Line of the first header in a mailbox, below a heading, its underline and a blank line."""
_LONGEST_YEAR: Final = 2
"""Digits of a year that leaves out the century."""


class Message(NamedTuple):
    """A message and its first line."""

    line: int
    sender: str
    day: date
    text: str
    receivers: tuple[str, ...] = ()


def extract(document: Document) -> Iterator[Relation]:
    """A relation for the list of messages, for each message, its sender and its day, in the order of the lines."""
    name = _CHAT
    if document.kind == "json":
        messages = slack_messages(document)
    elif document.path.lower().endswith(".mbox"):
        name, messages = _MAILBOX, list(mailbox_messages(document.text.split("\n")))
    elif document.kind == "text":
        messages = whatsapp_messages(document.text.split("\n"))
    else:
        return
    # Records are told apart by their lines: of an export that is one line none is counted.
    if not messages or len({message.line for message in messages}) < len(messages):
        return
    raw = document.text.split("\n")
    yield relation_on(document, raw, LISTED, name, messages[0].line)
    for message in messages[:_MAX_MESSAGES]:
        title = one_line(message.text, _MAX_TITLE) or message.sender
        yield relation_on(document, raw, ITEM, title, message.line)
        yield relation_on(document, raw, f"{ITEM}from", message.sender, message.line)
        for receiver in message.receivers:
            yield relation_on(document, raw, f"{ITEM}to", receiver, message.line)
        yield relation_on(document, raw, f"{ITEM}date", message.day.isoformat(), message.line)
    yield relation_on(document, raw, END, "", len(raw))


def slack_messages(document: Document) -> list[Message]:
    """The messages of a Slack channel on one day; none of another file."""
    return list(_slack(document)) if _SLACK_DAY.search(document.path) else []


def _slack(document: Document) -> Iterator[Message]:
    tree = structure_of(document)
    for node in tree.maps if tree is not None and tree.items is not None else ():
        entries = node.entries or {}
        time = _SLACK_TIME.fullmatch(_value(entries.get("ts")))
        sender = _slack_sender(entries)
        if time is None or not sender:
            continue
        text = entries.get("text")
        day = datetime.fromtimestamp(int(time[1]), UTC).date()
        yield Message(text.line if text is not None else node.line, sender, day, _value(text))


def _slack_sender(entries: dict[str, Node]) -> str:
    """The name of who sent a message, else their identifier."""
    profile = entries.get("user_profile")
    names = (profile.entries or {}) if profile is not None else {}
    stated = (names.get("real_name"), names.get("display_name"), entries.get("username"), entries.get("user"))
    return next((value for node in stated if (value := one_line(_value(node), 60))), "")


def _value(node: Node | None) -> str:
    return (node.value or "") if node is not None else ""


def mailbox_messages(lines: Sequence[str]) -> Iterator[Message]:
    """The messages of a mailbox, whose text has each with its subject as heading, and its headers below that."""
    from email.utils import getaddresses, parsedate_to_datetime

    for number, line in enumerate(lines, 1):
        if not line.startswith("From: ") or number < _FIRST_HEADER_LINE or not lines[number - 3].startswith("=="):
            continue
        below = (lines[at] for at in range(number - 1, len(lines)))
        headers = dict(header.split(": ", 1) for header in takewhile(lambda text: ": " in text, below))
        senders, receivers = (
            [one_line(person or address, 60) for person, address in getaddresses([headers.get(field, "")])]
            for field in ("From", "To")
        )
        if not senders:
            continue
        with contextlib.suppress(ValueError, OverflowError):
            day = parsedate_to_datetime(headers.get("Date", "")).date()
            yield Message(number, senders[0], day, headers.get("Subject", ""), tuple(receivers[:_MAX_RECEIVERS]))


def whatsapp_messages(lines: Sequence[str]) -> list[Message]:
    """The messages of a chat; none where the text is no chat."""
    found = [(number, match) for number, line in enumerate(lines, 1) if (match := _BEGINS.match(line)) is not None]
    if len(found) < _MIN_MESSAGES or len(found) < _MIN_SHARE * sum(bool(line.strip()) for line in lines):
        return []
    parts = [_parts(match) for _, match in found]
    day_first = _is_day_first(parts)
    messages = []
    for (number, match), (a, b, c, _sign, _half) in zip(found, parts, strict=True):
        year, month, day = (a, b, c) if len(a) > _LONGEST_YEAR else (c, b, a) if day_first else (c, a, b)
        try:
            when = date(int(year) if len(year) > _LONGEST_YEAR else 2000 + int(year), int(month), int(day))
        except ValueError:
            continue
        messages.append(Message(number, one_line(match["sender"].strip(), 60), when, match["text"]))
    return messages


def _parts(match: re.Match[str]) -> tuple[str, str, str, str, str]:
    """The three numbers of a day, what stands between them, and the half of the day; empty where it has 24 hours."""
    groups = match.groupdict()
    a, b, c, sign, half = (str(groups[name] or groups[f"x{name}"] or "") for name in ("a", "b", "c", "sign", "half"))
    return a, b, c, sign, half


def _is_day_first(parts: Sequence[tuple[str, str, str, str, str]]) -> bool:
    """Whether days stand before months: a number above 12 tells, else the sign between, else a clock of 12 hours."""
    if any(int(a) > 12 and len(a) <= _LONGEST_YEAR for a, *_ in parts):
        return True
    if any(int(b) > 12 for _, b, *_ in parts):
        return False
    return parts[0][3] == "." or not any(half for *_, half in parts)
