"""Recognises web addresses among paths, and finds them in typed text, in Chinese also without spaces around them."""

from __future__ import annotations

import re

from kbtui import late_patterns

_URL = late_patterns.pattern(r"https?://[^\s<>\"'`“”‘’（）【】「」《》，。；！？、：\u3400-\u9fff\[\]{}|\\^]+", re.I)


def is_web_url(path: str) -> bool:
    """Whether the path of a passage is the address of a page, not a file of the folder."""
    return path.startswith(("http://", "https://"))


def web_urls(text: str) -> tuple[str, ...]:
    """The addresses in ``text``, each once, in their order, without the punctuation of the sentence around them."""
    return tuple(dict.fromkeys(_trimmed(match.group()) for match in _URL.finditer(text)))


def _trimmed(url: str) -> str:
    url = url.rstrip(".,;:!?*_~")
    # A bracket belongs to the address only if it was opened in it.
    while url.endswith(")") and url.count(")") > url.count("("):
        url = url[:-1].rstrip(".,;:!?")
    return url
