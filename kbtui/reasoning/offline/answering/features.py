"""The features of candidates: what the scorer of an answer sees of each, next to the question and to the others."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from kbtui.domain.routing import SubQuestion
from kbtui.question.answer_kinds import KINDS
from kbtui.question.normalise import has_han
from kbtui.question.terms import Rarity, Term, question_terms
from kbtui.reasoning.offline.answering.candidates import Candidate, Found, own_names, title_words
from kbtui.reasoning.offline.answering.signs import SECTIONS, SIGNS, section_kinds, signs_of
from kbtui.reasoning.offline.features import longest_run
from kbtui.reasoning.offline.quotable import document_kind
from kbtui.text.tokenise import tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Columns = dict[str, Floats]

FORMS: Final = ("sentence", "list_item", "table_row", "code", "field")
ROOT: Final = 5
"""Letters that two words share to count as one root: abandon, abandonment."""

COMPARED: Final = (
    "cov", "cov_inside", "cov_around", "cov_block", "cov_led", "near", "cosine", "cross", "across",
    "document_score",
)  # fmt: skip
"""Features whose distance to the best of the same question is one more feature."""

WANTS: Final[Mapping[str, tuple[str, ...]]] = {
    "number": ("number", "amount"),
    "when": ("date", "version"),
    "who": ("person",),
    "where": ("place", "literal"),
    "why": ("reason",),
    "how_to": ("act", "literal"),
    "definition": ("defines",),
    "yes_no": ("negates", "modal"),
    "list": ("enumerates",),
    "comparison": ("contrasts",),
    "error": ("literal",),
}
"""What a sentence has that answers each kind of question."""


_OF_DOCUMENT: Final = (
    "document_first", "document_rank", "document_score", "document_share", "document_grade", "document_passages",
)  # fmt: skip
_OF_PASSAGE: Final = ("in_passage", "passage_rank", "passage_grade", "passage_share", "passage_cosine")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One part of a question, ready to be compared with candidates.

    Attributes:
        part: What this part asks.
        whole: The whole question.
        kinds: How clearly each kind of answer is asked for (`kbtui.question.answer_kinds`).
    """

    part: SubQuestion
    whole: str
    kinds: Mapping[str, float]


def lexical(
    asked: Asked,
    candidates: Sequence[Candidate],
    documents: Sequence[Found],
    rarity: Rarity | None,
    near: Floats | None = None,
) -> tuple[list[str], Floats]:
    """Names and values, a row for each candidate, of all features for which no candidate has to be encoded.

    Args:
        near: Of `nearness`.
    """
    return as_matrix(with_signs(plain(asked, candidates, documents, rarity, near), asked, candidates))


def plain(
    asked: Asked,
    candidates: Sequence[Candidate],
    documents: Sequence[Found],
    rarity: Rarity | None,
    near: Floats | None = None,
) -> Columns:
    """The features that tokens and places tell: all but those of `signs_of`, each of which searches the text."""
    columns: Columns = {}
    _add_words(columns, asked, candidates, documents, rarity)
    _add_places(columns, candidates, documents)
    _add_near(columns, near)
    _add_forms(columns, candidates)
    _add_kinds(columns, asked)
    return columns


def with_signs(columns: Columns, asked: Asked, candidates: Sequence[Candidate]) -> Columns:
    """The columns of `plain` with those of the signs of the same candidates, and the slots that these fill."""
    return columns | sign_columns(asked, candidates, columns["cov_block"])


def as_matrix(columns: Columns) -> tuple[list[str], Floats]:
    """Names and values of columns."""
    import numpy as np

    return list(columns), np.column_stack(list(columns.values())).astype(np.float32)


def _add_words(
    columns: Columns,
    asked: Asked,
    candidates: Sequence[Candidate],
    documents: Sequence[Found],
    rarity: Rarity | None,
) -> None:
    import numpy as np

    scripts = np.array([has_han(candidate.unit.text) for candidate in candidates])
    names = (
        "cov", "cov_inside", "cov_soft", "cov_previous", "cov_next", "cov_heading", "cov_title", "cov_block",
        "cov_section", "cov_lead", "cov_led", "cov_around", "rarest", "known", "named", "named_document", "new",
    )  # fmt: skip
    for name in names:
        columns[name] = np.zeros(len(candidates), np.float32)
    for is_han in (False, True):
        rows = np.flatnonzero(scripts == is_han).tolist()
        if rows:
            own = [candidates[row] for row in rows]
            terms = question_terms(asked.part, is_han, rarity)
            for name, values in _coverage(terms.terms, terms.named, own, documents).items():
                columns[name][rows] = values
            columns["known"][rows] = terms.known
    surface, whole = tokens(asked.part.semantic_intent), frozenset(tokens(asked.whole))
    runs = [min(longest_run(surface, one.tokens), 6) / 6 for one in candidates]
    shares = [len(whole.intersection(one.tokens)) / (len(whole) or 1) for one in candidates]
    columns["run"], columns["cov_whole"] = np.array(runs, np.float32), np.array(shares, np.float32)


def _coverage(
    terms: Sequence[Term],
    named: Sequence[frozenset[str]],
    candidates: Sequence[Candidate],
    documents: Sequence[Found],
) -> Columns:
    """How much of the question stands in each candidate, and around it, by the weight of its terms."""
    import numpy as np

    weights = np.array([term.weight for term in terms] or [1.0], np.float32)
    forms = [term.forms for term in terms] or [frozenset[str]()]
    here = _present(forms, [candidate.tokens for candidate in candidates])
    soft = np.maximum(here, _present(_rooted(forms, candidates), [candidate.tokens for candidate in candidates]))
    order = [(candidate.document, candidate.section) for candidate in candidates]
    same_before = np.array([False, *(one == two for one, two in pairwise(order))])
    previous = np.zeros_like(here)
    previous[1:] = here[:-1] * same_before[1:, None]
    following = np.zeros_like(here)
    following[:-1] = here[1:] * same_before[1:, None]
    headings = {text: tuple(tokens(text)) for text in {candidate.unit.heading for candidate in candidates}}
    heading = _present(forms, [headings[candidate.unit.heading] for candidate in candidates])
    titles = [title_words(document) for document in documents]
    document_of = np.array([candidate.document for candidate in candidates])
    title = _present(forms, titles)[document_of]
    keys, section_of = np.unique(np.array(order), axis=0, return_inverse=True)
    section_of = section_of.reshape(-1)
    section = np.zeros((len(keys), len(forms)), np.float32)
    np.maximum.at(section, section_of, here)
    block = np.maximum(np.maximum(previous, here), following)
    lead = here[_leads(candidates)]
    led = np.maximum(np.maximum(here, lead), heading)
    inside = weights * _rarity_inside(here, document_of)
    totals = weights.sum()
    rare = weights * (weights >= np.sort(weights)[-min(2, len(weights))])
    text = [frozenset((*one.tokens, *headings[one.unit.heading])) if named else frozenset() for one in candidates]
    asked = frozenset().union(*forms)
    return {
        "cov": here @ weights / totals,
        "cov_inside": (here * inside).sum(1) / np.maximum(inside.sum(1), 1e-6),
        "cov_soft": soft @ weights / totals,
        "cov_previous": previous @ weights / totals,
        "cov_next": following @ weights / totals,
        "cov_heading": heading @ weights / totals,
        "cov_title": title @ weights / totals,
        "cov_block": block @ weights / totals,
        "cov_section": section[section_of] @ weights / totals,
        "cov_lead": lead @ weights / totals,
        "cov_led": led @ weights / totals,
        "cov_around": np.maximum(np.maximum(block, heading), title) @ weights / totals,
        "rarest": here @ rare / (rare.sum() or 1.0),
        "named": np.array([_share_named(named, words) for words in text], np.float32),
        "named_document": np.array([_share_named(named, own_names(one)) for one in documents], np.float32)[document_of],
        "new": np.array(
            [
                min(len(set(candidate.tokens).difference(asked)) / 12, 1.0) if candidate.tokens else 0.0
                for candidate in candidates
            ],
            np.float32,
        ),
    }


def _leads(candidates: Sequence[Candidate]) -> list[int]:
    """For each candidate the one that leads up to it: the last sentence of its section before its list, or itself."""
    found = []
    for at, candidate in enumerate(candidates):
        before = candidates[at - 1] if at else None
        is_same = before is not None and (before.document, before.section) == (candidate.document, candidate.section)
        if candidate.unit.kind == "sentence" or not is_same:
            found.append(at)
        else:
            found.append(found[at - 1])
    return found


def _present(forms: Sequence[frozenset[str]], texts: Sequence[Sequence[str]]) -> Floats:
    """1 where a text (row) holds one of the forms of a term (column)."""
    import numpy as np

    of_token: dict[str, list[int]] = {}
    for number, names in enumerate(forms):
        for name in names:
            of_token.setdefault(name, []).append(number)
    found = np.zeros((len(texts), len(forms)), np.float32)
    asked = frozenset(of_token)
    for row, text in enumerate(texts):
        for token in asked.intersection(text):
            found[row, of_token[token]] = 1.0
    return found


def _rooted(forms: Sequence[frozenset[str]], candidates: Sequence[Candidate]) -> list[frozenset[str]]:
    """For each term the words of the candidates that begin as one of its forms does."""
    words: dict[str, set[str]] = {}
    for word in {token for candidate in candidates for token in candidate.tokens if len(token) >= ROOT}:
        words.setdefault(word[:ROOT], set()).add(word)
    return [
        frozenset(word for form in names if len(form) >= ROOT and form.isascii() for word in words.get(form[:ROOT], ()))
        for names in forms
    ]


def _rarity_inside(here: Floats, document: NDArray[np.int64]) -> Floats:
    """How rare each term is among the candidates of the same document, 0 to 1, a row for each candidate."""
    import numpy as np

    found = np.ones_like(here)
    for rank in np.unique(document):
        rows = document == rank
        count = int(rows.sum())
        share = here[rows].sum(0)
        found[rows] = np.log1p(count / (1 + share)) / math.log1p(count)
    return found


def _share_named(named: Sequence[frozenset[str]], words: frozenset[str]) -> float:
    return sum(not forms.isdisjoint(words) for forms in named) / len(named) if named else 0.0


def _add_places(columns: Columns, candidates: Sequence[Candidate], documents: Sequence[Found]) -> None:
    """Where a candidate stands: in which document, in which passage, how far down."""
    import numpy as np

    best = max((document.score for document in documents), default=0.0) or 1.0
    grades = max((document.grade for document in documents), default=0.0) or 1.0
    passages = {place: item for document in documents for place, item in document.passages}
    top = max((item.hit.score for item in passages.values()), default=0.0) or 1.0
    of_documents = [
        (
            one.rank == 0,
            1 / (1 + one.rank),
            one.score,
            one.score / best,
            one.grade / grades,
            min(len(one.passages), 5) / 5,
        )
        for one in documents
    ]
    # Behind the last passage stands that of the candidates without one.
    of_passages = np.zeros((max(passages, default=0) + 2, len(_OF_PASSAGE)), np.float32)
    for place, item in passages.items():
        hit = item.hit
        of_passages[place] = 1, 1 / (1 + place), item.score, hit.score / top, hit.signals.get("cosine", 0.0)
    rows = np.array(of_documents, np.float32)[[one.document for one in candidates]]
    columns |= zip(_OF_DOCUMENT, rows.T, strict=True)
    rows = of_passages[[-1 if one.passage is None else one.passage for one in candidates]]
    columns |= zip(_OF_PASSAGE, rows.T, strict=True)
    columns["depth"] = np.array([one.depth for one in candidates], np.float32)
    columns["head"] = np.array([float(one.depth < 0.15) for one in candidates], np.float32)
    columns["section_first"] = np.array([float(one.first) for one in candidates], np.float32)


def _add_near(columns: Columns, near: Floats | None) -> None:
    """What the vectors of the index say."""
    import numpy as np

    known = near if near is not None else np.zeros_like(columns["cov"])
    columns["near"] = known
    columns["near_cov"] = known * columns["cov_block"]
    columns["no_near"] = np.full_like(known, float(near is None))


def _add_forms(columns: Columns, candidates: Sequence[Candidate]) -> None:
    """What kind of text a candidate is."""
    import numpy as np

    paths = [candidate.unit.excerpt.path for candidate in candidates]
    kinds = {path: document_kind(path) for path in set(paths)}
    for form in FORMS:
        columns[f"is_{form}"] = np.array([float(one.unit.kind == form) for one in candidates], np.float32)
    columns["is_source"] = np.array([float(kinds[path] == "code") for path in paths], np.float32)
    length = np.array([len(one.tokens) for one in candidates], np.float32)
    columns["length"] = (np.log1p(length) / 5).astype(np.float32)
    columns["short"] = (length < 4).astype(np.float32)
    columns["long"] = (length > 60).astype(np.float32)
    ends = [one.unit.text.rstrip()[-1:] for one in candidates]
    columns["announces"] = np.array([float(end in (":", "：")) for end in ends], np.float32)
    columns["asks"] = np.array([float(end in ("?", "？")) for end in ends], np.float32)
    sections = np.array([section_kinds(one.unit.heading) for one in candidates], np.float32)
    for at, name in enumerate(SECTIONS):
        columns[f"under_{name}"] = sections.reshape(-1, len(SECTIONS))[:, at]


def sign_columns(asked: Asked, candidates: Sequence[Candidate], cov_block: Floats) -> Columns:
    """The signs of each candidate, and whether they fill the slot that each kind of question asks for.

    Args:
        cov_block: The feature of that name.
    """
    import numpy as np

    signs = np.array([signs_of(one.unit.text) for one in candidates], np.float32).reshape(-1, len(SIGNS))
    columns = {f"has_{name}": signs[:, at] for at, name in enumerate(SIGNS)}
    for kind in KINDS:
        wanted = [columns[f"has_{sign}"] for sign in WANTS.get(kind, ())]
        slot = np.float32(asked.kinds.get(kind, 0.0)) * np.maximum.reduce([np.zeros_like(cov_block), *wanted])
        columns[f"{kind}:slot"], columns[f"{kind}:slot_cov"] = slot, slot * cov_block
    return columns


def _add_kinds(columns: Columns, asked: Asked) -> None:
    """What the kind of question makes of the others: its forms, its sections."""
    import numpy as np

    for kind in KINDS:
        clear = np.float32(asked.kinds.get(kind, 0.0))
        for name in ("is_list_item", "is_code", "is_table_row", "section_first", "head"):
            columns[f"{kind}:{name}"] = clear * columns[name]
        for name in SECTIONS:
            columns[f"{kind}:under_{name}"] = clear * columns[f"under_{name}"]
    columns["asks_nothing"] = np.full_like(columns["cov"], float(not asked.kinds))


def with_relevance(
    names: Sequence[str], matrix: Floats, cosines: Floats | None, logits: Floats | None, across: Floats | None
) -> tuple[list[str], Floats]:
    """The features with those of the models that read sentences, and with the distances to the best."""
    import numpy as np

    count = len(matrix)
    likeness = cosines if cosines is not None else np.zeros(count, np.float32)
    column = {name: at for at, name in enumerate(names)}
    extra = {
        "cosine": likeness,
        "cross": logits if logits is not None else np.zeros(count, np.float32),
        "no_cosine": np.full(count, float(cosines is None), np.float32),
        "cosine_cov": likeness * matrix[:, column["cov_block"]],
        "across": across if across is not None else np.zeros(count, np.float32),
        "no_across": np.full(count, float(across is None), np.float32),
    }
    joined = np.column_stack([matrix, *extra.values()]).astype(np.float32)
    every = [*names, *extra]
    return beside_best(every, joined)


def beside_best(names: Sequence[str], matrix: Floats) -> tuple[list[str], Floats]:
    """The features with the distances to the best of the question, for those of `COMPARED` that are there."""
    import numpy as np

    compared = [name for name in COMPARED if name in names]
    values = matrix[:, [list(names).index(name) for name in compared]]
    below = values - values.max(0) if len(values) else values
    return [*names, *(f"{name}:below" for name in compared)], np.column_stack([matrix, below]).astype(np.float32)
