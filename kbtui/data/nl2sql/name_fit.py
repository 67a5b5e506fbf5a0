"""How well words name a table or column: by all of its words, by those its table does not say, or by its last one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from kbtui.data.nl2sql.model import Named, SchemaModel
from kbtui.data.nl2sql.names import name_words, shortens
from kbtui.data.nl2sql.query import Ref
from kbtui.text.inflection import lemma, root

Synonyms = Mapping[str, Sequence[tuple[str, ...]]]
"""A word's other words, each as lemmas."""
COUNTING: Final = frozenset(("number", "total", "count", "sum", "average", "minimum", "maximum", "min", "max"))


class NameFit:
    """Fits words to the names of one schema.

    Args:
        model: The schema.
        synonyms: General words for the same thing.
    """

    def __init__(self, model: SchemaModel, synonyms: Synonyms) -> None:
        self._model = model
        self._synonyms = synonyms
        self._whole = {lemma(ref.column) for ref in model.columns} | {lemma(name) for name in model.tables}

    def phrasings(self, inner: Sequence[str]) -> list[tuple[list[str], float]]:
        """Other ways to say a name, each with how much it counts for."""
        phrasings: list[tuple[list[str], float]] = [(list(inner), 1.0)]
        if len(inner) == 1 and inner[0] in self._whole:
            # A name written as it is in the schema: "stuid".
            phrasings.append((list(name_words(inner[0])), 0.98))
        if any("_" in word for word in inner):
            phrasings.append(([w for word in inner for w in name_words(word)], 1.0))
        if len(inner) > 1 and any(word in ("max", "min", "avg") for word in inner):
            phrasings.append(([part for word in inner for part in name_words(word)], 1.0))
        if len(inner) > 1 and inner[-1] == "number" and inner[0] not in COUNTING:
            # A phone number is the phone.
            phrasings.append((list(inner[:-1]), 0.95))
        if inner[0] in COUNTING or inner[0] in ("order", "most", "least"):
            return phrasings
        whole = " ".join(inner)
        phrasings.extend((list(other), 0.85) for other in self._synonyms.get(whole, ()))
        if len(inner) > 1:
            for position, word in enumerate(inner):
                others = self._synonyms.get(word, ())
                phrasings.extend(([*inner[:position], *other, *inner[position + 1 :]], 0.85) for other in others)
        return phrasings

    def score(self, phrase: Sequence[str], worth: float, columns: dict[Ref, float], tables: dict[str, float]) -> None:
        """Add the columns and tables that the words of ``phrase`` may name, each with how well they fit."""
        asked = {root(word) for word in phrase}
        pool: dict[int, Named] = {}
        for word in asked:
            for named in self._model.by_root.get(word, ()):
                pool[id(named)] = named
        if len(asked) == 1 and not pool:
            (single,) = asked
            for word, nameds in self._model.by_root.items():
                if shortens(word, single) or (shortens(single, word) and len(single) >= 4):
                    for named in nameds:
                        self._keep(
                            named, 0.72 * worth * (1.0 if len(named.own or named.roots) == 1 else 0.7), columns, tables
                        )
            return
        for named in pool.values():
            score = self._fit(asked, named)
            if score:
                self._keep(named, score * worth, columns, tables)

    @staticmethod
    def _keep(named: Named, score: float, columns: dict[Ref, float], tables: dict[str, float]) -> None:
        if named.column is None:
            tables[named.ref.table] = max(score, tables.get(named.ref.table, 0.0))
        else:
            columns[named.ref] = max(score, columns.get(named.ref, 0.0))

    def _fit(self, asked: set[str], named: Named) -> float:
        roots = named.roots
        if asked == roots:
            return 1.0
        if named.column is None:
            if asked < roots:
                # The head of a name is its last word: "departments" for "company_departments".
                head = root(named.words[-1]) in asked
                return (0.72 if head else 0.55) + 0.2 * len(asked) / len(roots)
            return 0.0
        own = named.own
        table = self._model.tables[named.ref.table].roots
        if asked == own:
            return 0.97
        if own <= asked and asked - own <= table:
            return 1.0
        covered = {r for r in roots if any(r == a or shortens(r, a) for a in asked)}
        explained = {a for a in asked if a in roots or a in table or any(shortens(r, a) for r in roots)}
        if explained != asked:
            return 0.0
        if covered >= own:
            return 0.9
        if asked <= roots:
            head = root(named.words[-1]) in asked or (named.words[-1] in ("name", "id", "code") and len(own) == 2)
            return (0.62 if head else 0.52) + 0.3 * len(asked & own) / max(1, len(own)) - 0.02
        return 0.0
