"""The default stages of reading a question."""

from __future__ import annotations

from collections.abc import Sequence

from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.query import Query
from kbtui.nl2sql.reader import Stages


def shipped_stages() -> Stages:
    """The default stages."""
    from kbtui.nl2sql.gate import shipped_gate
    from kbtui.nl2sql.generate import candidates
    from kbtui.nl2sql.headers import headers_of
    from kbtui.nl2sql.lexicon import concepts_of
    from kbtui.nl2sql.linking import link
    from kbtui.nl2sql.profile import profile
    from kbtui.nl2sql.ranker import shipped_ranker
    from kbtui.nl2sql.reranker import shipped_reranker
    from kbtui.nl2sql.says import says
    from kbtui.question.reader import read

    def write(query: Query, catalogue: Catalogue, headers: Sequence[str]) -> str | None:
        # sqlglot takes long to import, and a question about documents needs no statement.
        from kbtui.nl2sql.build import Unjoinable, sql_of

        try:
            return sql_of(query, catalogue, headers)
        except Unjoinable:
            return None

    return Stages(
        read=lambda text, today: read(text, today=today),
        profile=lambda schema, ask, ask_each, today: profile(
            schema, ask, today=today, concepts_of=concepts_of, ask_each=ask_each
        ),
        link=link,
        candidates=candidates,
        write=write,
        headers=headers_of,
        says=says,
        ranker=shipped_ranker,
        reranker=shipped_reranker,
        gate=shipped_gate,
    )
