"""A loader of kbtui that reads lists in the manner of todo.txt: ``(A) grease the crane +yard @shed``."""

from __future__ import annotations

import re

from kbtui.knowledge.reading.formats import Extracted, TextBuilder

_ITEM = re.compile(r"(?P<done>x )?(?:\((?P<priority>[A-Z])\) )?(?P<text>.+)")


def extract(data: bytes, path: str) -> Extracted | None:
    """The items of a list, each with its number as its place; None for a file that is no list.

    It runs in a process that kbtui limits in time and memory, and that can write no file.
    """
    builder = TextBuilder()
    number = 0
    for line in data.decode("utf-8", "replace").splitlines():
        item = _ITEM.fullmatch(line.strip())
        if item is None:
            continue
        number += 1
        builder.place(f"item {number}")
        priority = f", priority {item['priority']}" if item["priority"] else ""
        builder.add(f"{'Done' if item['done'] else 'To do'}{priority}: {item['text']}")
    return builder.done("text", title=path.rpartition("/")[2]) if number else None
