"""A few passages, as a translator asks an index about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kbtui.knowledge.search.translator import Translator
from kbtui.text.tokenise import tokens


class Passages:
    """What the index of a folder with these passages would say.

    Args:
        chinese: Share of them that is said to be Chinese.
    """

    version = "1"

    def __init__(self, texts: Iterable[str], chinese: float = 0.0) -> None:
        self.asked = 0
        self._terms = [tokens(text) for text in texts]
        self._chinese = chinese

    def chinese_share(self) -> float:
        return self._chinese

    def rarity(self, terms: Iterable[str]) -> dict[str, float]:
        return {term: 1.0 - sum(term in held for held in self._terms) / len(self._terms) for term in terms}

    def best_terms(self, terms: Sequence[str], k: int) -> list[str]:
        self.asked += 1
        found = sorted(self._terms, key=lambda held: -len(set(held) & set(terms)))
        return [" ".join(held) for held in found if set(held) & set(terms)][:k]


def translator_of(texts: Iterable[str], chinese: float = 0.0) -> Translator:
    return Translator(Passages(texts, chinese))  # type: ignore[arg-type]
