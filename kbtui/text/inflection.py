"""Normalises inflected English words: ``categories`` and ``category``, ``founded`` and ``founding``."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from kbtui.text.tokenise import stem

_IRREGULAR: Final = {
    "people": "person", "persons": "person", "men": "man", "women": "woman", "children": "child", "feet": "foot",
    "mice": "mouse", "geese": "goose", "teeth": "tooth", "criteria": "criterion", "data": "data", "media": "media",
    "staff": "staff", "series": "series", "status": "status", "address": "address", "addresses": "address",
    "analyses": "analysis", "bus": "bus", "buses": "bus", "gas": "gas", "class": "class", "movies": "movie",
    "cookies": "cookie", "ties": "tie", "lens": "lens", "news": "news", "premises": "premise", "indices": "index",
    "leaves": "leaf", "wives": "wife", "lives": "life", "knives": "knife", "shelves": "shelf", "halves": "half",
    "species": "species", "pass": "pass", "loss": "loss", "boss": "boss", "business": "business", "caches": "cache",
    "ids": "id", "has": "has", "was": "was", "is": "is", "as": "as", "gross": "gross", "sales": "sale",
    "statuses": "status", "gps": "gps", "aliases": "alias", "alias": "alias", "bonus": "bonus", "atlas": "atlas",
    "canvas": "canvas", "christmas": "christmas", "quizzes": "quiz", "diagnoses": "diagnosis", "vertices": "vertex",
    "colour": "color", "colours": "color", "centre": "center", "centres": "center", "licence": "license",
    "loaves": "loaf", "thieves": "thief", "wolves": "wolf", "calves": "calf", "heroes": "hero", "potatoes": "potato",
}  # fmt: skip


@lru_cache(maxsize=20_000)
def lemma(word: str) -> str:
    """A noun without its plural, in lower case; verbs of questions are matched by `root`."""
    word = word.lower()
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) == 3 and word[0].isalpha() and word[1].isdigit() and word[2] == "s":
        return word[:-1]  # Several of a code: p1s.
    if len(word) <= 3 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    if word.endswith("uses") and not word.endswith(("ouses", "auses", "fuses")):
        return word[:-2]
    return word[:-1]


@lru_cache(maxsize=20_000)
def root(word: str) -> str:
    """A stem shared by noun and verb: ``founded`` and ``founding``."""
    return stem(lemma(word))
