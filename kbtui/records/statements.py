"""Small changes to a statement, after it was read and before it runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from sqlglot import exp, parse_one

from kbtui.knowledge.relations.words import word_set
from kbtui.nl2sql.candidate import Candidate
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.query import Col
from kbtui.nl2sql.reader import Stages
from kbtui.nl2sql.stages import shipped_stages
from kbtui.records.acceptance import NAMING
from kbtui.records.kinds import WORDS
from kbtui.records.wording import coordinates, wants_share
from kbtui.text.numbers import value_of
from kbtui.text.tokenise import stem

if TYPE_CHECKING:
    from kbtui.domain.analysis import Reading
    from kbtui.nl2sql.catalogue import Catalogue
    from kbtui.question.model import Question

_ROOT: Final = 5
"""Letters that a word shares with others of its family: *created*, *creation*."""
_MOST_TOPIC: Final = 4
"""Words that a topic may have; more tell something that a title does not."""
_WHOLE: Final = frozenset({"exact", "stem", "quoted", "typo"})
"""How words may be like a title that they stand for; parts of titles are topics."""
_HAVING: Final = word_set(WORDS["roles"]["having"])
_AGENT: Final = word_set(WORDS["roles"]["agent"])


def stages_over_titles() -> Stages:
    """The stages of reading a question over tables of documents, where a word of a title does not mean the title."""
    stages = shipped_stages()

    def link(question: Question, catalogue: Catalogue) -> Lattice:
        lattice = stages.link(question, catalogue)
        had = _positions(question, _HAVING)
        kept = (one for one in lattice.mentions if _is_whole(one) and not (one.kind == "column" and _holds(one, had)))
        return replace(lattice, mentions=tuple(kept), starting={})

    def candidates(lattice: Lattice) -> Sequence[Candidate]:
        had, agents = _positions(lattice.question, _HAVING), _positions(lattice.question, _AGENT)
        composed = stages.candidates(lattice)
        return [one for one in composed if not (_counts_what_is_had(one, had) or _ranks_agents(one, agents))]

    return replace(stages, link=link, candidates=candidates)


def _positions(question: Question, words: frozenset[str]) -> list[int]:
    return [at for at, token in enumerate(question.tokens) if token.norm in words]


def _holds(mention: Mention, positions: Sequence[int]) -> bool:
    """Whether one of these words stands inside: *packages have a license* is no name of a column."""
    return any(mention.span.first <= at < mention.span.last for at in positions)


def _counts_what_is_had(candidate: Candidate, had: Sequence[int]) -> bool:
    """Whether a statement counts values where the things that have them are counted: *how many have a license*."""
    counting = [use.mention for use in candidate.uses if use.mention.cue is not None and use.mention.cue.op == "count"]
    measured = [use.mention for use in candidate.uses if use.role == "measure" and use.mention.kind == "column"]
    return any(one.span.last <= at < other.span.first for one in counting for other in measured for at in had)


def _ranks_agents(candidate: Candidate, agents: Sequence[int]) -> bool:
    """Whether a statement ranks those by which something is done: *which version is named by the most pages*."""
    ranking = [use.mention for use in candidate.uses if use.mention.cue is not None and use.mention.cue.op == "most"]
    if not any(one.span.first - at in (1, 2) or _holds(one, [at]) for one in ranking for at in agents):
        return False
    query = candidate.query.core
    return any(isinstance(one, Col) and one.ref.column in NAMING for one in (*query.group, *query.select))


def _is_whole(mention: Mention) -> bool:
    is_title = mention.kind == "value" and mention.ref is not None and mention.ref.column in ("title", "path")
    return not is_title or mention.how in _WHOLE


def without_unasked_presence(sql: str, question: str) -> str:
    """The statement without conditions that a field is stated which the question does not name: *made it to final*."""
    tree = parse_one(sql, dialect="sqlite")
    where = tree.args.get("where")
    if not isinstance(tree, exp.Select) or where is None or tree.args.get("group") or tree.args.get("order"):
        # No group and no place in an order is for things without a value.
        return sql
    words = _roots(question)
    conditions = list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]
    kept = [one for one in conditions if not _is_presence(one, words)]
    if len(kept) == len(conditions):
        return sql
    tree.set("where", exp.Where(this=exp.and_(*kept, copy=False)) if kept else None)
    return tree.sql(dialect="sqlite")


def _is_presence(condition: exp.Expr, words: set[str]) -> bool:
    inner = condition.this if isinstance(condition, exp.Not) else None
    if not isinstance(inner, exp.Is) or not isinstance(inner.this, exp.Column):
        return False
    return _roots_of_name(inner.this.name).isdisjoint(words)


def _roots(question: str) -> set[str]:
    return {stem(word)[:_ROOT] for word in re.findall(r"[^\W\d_]+", question.lower())}


def _roots_of_name(column: str) -> set[str]:
    return {stem(word)[:_ROOT] for word in re.split(r"[\W_]+", column.lower()) if word}


def by_named_day(sql: str, question: str, ordered: Iterable[str]) -> str:
    """The statement in the order of the day that a question for the newest or the oldest names; else as it is.

    Empty where it is in the order of something else than a day, for that answers another question.

    Args:
        ordered: Columns by which things are newer than others.
    """
    tree = parse_one(sql, dialect="sqlite")
    order = tree.args.get("order")
    columns = frozenset(ordered)
    if not isinstance(tree, exp.Select) or order is None:
        return sql
    by = order.expressions[0].this
    first = by if isinstance(by, exp.Column) else by.find(exp.Column)
    if first is None or first.name not in columns or by.find(exp.Count) is not None:
        return ""
    said = set(re.findall(r"[\w-]+", question.lower()))
    named = [name for name in columns if name.lower() in said or name.lower().replace("_", "-") in said]
    if len(named) != 1 or named[0] == first.name:
        return sql
    for column in order.find_all(exp.Column):
        if column.name == first.name:
            column.set("this", exp.to_identifier(named[0], quoted=True))
    return tree.sql(dialect="sqlite")


def by_version(sql: str, versions: Iterable[str]) -> str:
    """The statement in the order of the versions of a column, highest first, in place of that of their figures.

    The lowest first stays as it is: a value that is no version may well be the oldest.

    Args:
        versions: Columns that hold versions.
    """
    tree = parse_one(sql, dialect="sqlite")
    columns = frozenset(versions)
    for ordered in [one for one in tree.find_all(exp.Ordered) if one.args.get("desc")]:
        column = ordered.this.find(exp.Column) if isinstance(ordered.this, exp.Case) else None
        if column is not None and column.name in columns and ordered.this.find(exp.Glob) is not None:
            ordered.set("this", column.copy())
    return tree.sql(dialect="sqlite")


def with_exact_values(sql: str, question: str) -> str:
    """A condition on several values keeps those alone that the question names word for word, where it names any."""
    tree = parse_one(sql, dialect="sqlite")
    folded = _words(question)
    changed = False
    for node in list(tree.find_all(exp.In)):
        values = node.expressions
        if len(values) < 2 or not all(isinstance(value, exp.Literal) and value.is_string for value in values):
            continue
        named = [value for value in values if _is_named(str(value.this), folded)]
        if named and len(named) < len(values):
            changed = True
            if len(named) == 1:
                node.replace(exp.EQ(this=node.this.copy(), expression=named[0].copy()))
            else:
                node.set("expressions", named)
    return tree.sql(dialect="sqlite") if changed else sql


def guesses(sql: str, free: Iterable[str], question: str) -> bool:
    """Whether a condition takes each value with a word of the question: over free text that is a search.

    So is a share that no word asks for: *contribute*.

    Args:
        free: Columns whose values are nearly all different; one that the question names is no guess.
    """
    tree = parse_one(sql, dialect="sqlite")
    said = _roots(question)
    columns = {column for column in free if not said.issuperset(_roots_of_name(column))}
    if tree.find(exp.Glob) is not None or (tree.find(exp.Div) is not None and not wants_share(question)):
        # What of a text looks like a figure has no order by it.
        return True
    if tree.find(exp.Like) is not None or any(map(_mixes_names, tree.find_all(exp.Or))):
        return True
    folded = _words(question)
    for node in tree.find_all(exp.In):
        values = {_words(str(value.this)).strip() for value in node.expressions}
        if not isinstance(node.this, exp.Column) or len(node.expressions) < 2:
            continue
        if all(f" {value} " in folded for value in values):
            # Words beside one another are a name of something else: *a leaf bundle*.
            if len(values) > 1 and not coordinates(question):
                return True
        elif node.this.name in columns:
            return True
    equal = ((node.this, node.expression) for node in tree.find_all(exp.EQ))
    return any(
        isinstance(column, exp.Column) and column.name in columns and not _is_half_named(value, folded)
        for column, value in equal
        if isinstance(value, exp.Literal) and value.is_string
    )


def _is_half_named(value: exp.Literal, folded: str) -> bool:
    """Whether at least half of the words of a value stand in the question: of a sentence a common word may."""
    words = _words(str(value.this)).split()
    return 2 * sum(f" {word} " in folded for word in words) >= len(words)


def _mixes_names(either: exp.Or) -> bool:
    """Whether one side says which thing it is and the other what it states: *is gdb standard or optional*."""
    columns = {column.name for column in either.find_all(exp.Column)}
    return len(columns) > 1 and not columns.isdisjoint(NAMING)


def _is_named(value: str, folded: str) -> bool:
    words = _words(value)
    return bool(words.strip()) and words in folded


def _words(text: str) -> str:
    """The words of a text between single spaces, for looking one text up in another."""
    return " ".join(("", *re.findall(r"[\w-]+", text.casefold()), ""))


def with_ties(sql: str) -> str:
    """A statement for the first rows or groups of an order, for every one that shares their place."""
    tree = parse_one(sql, dialect="sqlite")
    limit, order = tree.args.get("limit"), tree.args.get("order")
    if not isinstance(tree, exp.Select) or limit is None or order is None:
        return sql
    first = order.expressions[0].this
    inner = tree.copy()
    inner.select(first.copy(), append=False, copy=False)
    tree.set("limit", None)
    share = exp.In(this=first.copy(), query=inner.subquery())
    grouped = tree.args.get("group") is not None
    return (tree.having(share) if grouped else tree.where(share)).sql(dialect="sqlite")


def narrowed(sql: str, table: str, key: str, values: Sequence[str | int]) -> str:
    """A statement over a table alone, for these of its rows; empty where it is over more."""
    tree = parse_one(sql, dialect="sqlite")
    sources = list(tree.find_all(exp.Table))
    if (
        not isinstance(tree, exp.Select)
        or tree.find(exp.Subquery) is not None
        or table not in {s.name for s in sources}
    ):
        return ""
    owner = next(source for source in sources if source.name == table).alias_or_name
    column = exp.column(key, table=owner, quoted=True)
    condition = exp.In(this=column, expressions=[exp.convert(value) for value in values])
    return tree.where(condition).sql(dialect="sqlite")


def topic_of(asked: str, reading: Reading) -> list[str]:
    """Words that nothing reads, and those that only parts of titles are found by."""
    titled = {
        word for link in reading.links if link.detail.split(" = ")[0].endswith(".title") for word in link.name.split()
    }
    wanted = {word.lower() for word in (*reading.unlinked, *titled)}
    found = [word for word in re.findall(r"[\w'-]+", asked) if wanted.issuperset(word.lower().split("-"))]
    is_said = all(len(word) > 2 and value_of(word.lower()) is None for word in found)
    return found if len(found) <= _MOST_TOPIC and is_said else []
