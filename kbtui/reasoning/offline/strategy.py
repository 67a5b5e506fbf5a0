"""Which tools a kind of question gets, and what is tried when they found too little (spec 003, D1 and D3)."""

from __future__ import annotations

from collections.abc import Sequence

from kbtui.domain.routing import QueryType

# One row a type: what each pass asks, the first pass first.
_PASSES: dict[QueryType, tuple[tuple[str, ...], ...]] = {
    "exact": (("grep_search",), ("hybrid_search",), ("vector_search",)),
    "conceptual": (("hybrid_search",), ("grep_search", "vector_search"), ("local_file_qa",)),
    "relational": (("graph_related", "read_file"), ("hybrid_search",), ("grep_search", "vector_search")),
    "file_discovery": (("local_file_qa",), ("hybrid_search",), ("grep_search",)),
    "chitchat": ((),),
}
_COMPARISON: tuple[tuple[str, ...], ...] = (
    ("graph_related", "hybrid_search"),
    ("grep_search", "vector_search"),
    ("local_file_qa",),
)


def tools_for(query_type: QueryType, *, compares: bool = False) -> tuple[str, ...]:
    """The tools of the first pass.

    Args:
        compares: The question asks for text about several things beside a relation; the graph alone has none.
    """
    return _COMPARISON[0] if compares and query_type == "relational" else _PASSES[query_type][0]


def tools_after(query_type: QueryType, tried: Sequence[str], *, compares: bool = False) -> tuple[str, ...]:
    """The tools of the next pass: the first row with something new in it, else the last row again."""
    rows = _COMPARISON if compares and query_type == "relational" else _PASSES[query_type]
    for row in rows:
        # What hybrid search contains was tried with it, except that vectors alone rank differently.
        fresh = tuple(tool for tool in row if tool not in tried and tool != "read_file")
        if fresh:
            return fresh
    return tuple(tool for tool in rows[-1] if tool != "read_file")
