"""Rewrites of a SQL statement between reading and execution, and the stages of reading over tables of documents."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from sqlglot import exp, parse_one

from kbtui.knowledge.relations.words import word_set
from kbtui.nl2sql.candidate import Candidate
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.query import Col
from kbtui.nl2sql.reader import Stages
from kbtui.nl2sql.stages import shipped_stages
from kbtui.records.acceptance import IDENTIFYING_COLUMNS
from kbtui.records.kind_names import WORDS
from kbtui.records.kinds import Kind, Thing
from kbtui.records.wording import coordinates, has_measuring_word, wants_share
from kbtui.text.language import has_cjk
from kbtui.text.numbers import value_of
from kbtui.text.tokenise import stem

if TYPE_CHECKING:
    from kbtui.domain.analysis import Reading
    from kbtui.nl2sql.catalogue import Catalogue
    from kbtui.question.model import Question

_PREFIX: Final = 5
"""Length of the prefix that words of one family share: *created*, *creation*."""
_MAX_TOPIC_WORDS: Final = 4
"""Most words of a topic; more are a statement that no title makes."""
_WHOLE_MATCHES: Final = frozenset({"exact", "stem", "quoted", "typo"})
"""Match types by which words stand for a whole title; a partial match is a topic."""
_HAVE_VERBS: Final = word_set(WORDS["roles"]["having"])
_AGENT_WORDS: Final = word_set(WORDS["roles"]["agent"])


def stages_over_titles() -> Stages:
    """The stages for tables of documents, where a single word of a title does not stand for the title."""
    stages = shipped_stages()

    def link(question: Question, catalogue: Catalogue) -> Lattice:
        lattice = stages.link(question, catalogue)
        verbs = _positions(question, _HAVE_VERBS)
        kept = (
            mention
            for mention in lattice.mentions
            if _is_whole(mention) and not (mention.kind == "column" and _spans_any(mention, verbs))
        )
        return replace(lattice, mentions=tuple(kept), by_first_token={})

    def candidates(lattice: Lattice) -> Sequence[Candidate]:
        verbs, agents = _positions(lattice.question, _HAVE_VERBS), _positions(lattice.question, _AGENT_WORDS)
        composed = stages.candidates(lattice)
        return [
            candidate
            for candidate in composed
            if not (_counts_values(candidate, verbs) or _ranks_agents(candidate, agents))
        ]

    return replace(stages, link=link, candidates=candidates)


def _positions(question: Question, words: frozenset[str]) -> list[int]:
    return [index for index, token in enumerate(question.tokens) if token.norm in words]


def _spans_any(mention: Mention, positions: Sequence[int]) -> bool:
    """Whether a mention spans one of the positions: *packages have a license* does not name a column."""
    return any(mention.span.first <= at < mention.span.last for at in positions)


def _counts_values(candidate: Candidate, positions: Sequence[int]) -> bool:
    """Whether a statement counts values although the question counts their owners: *how many have a license*."""
    counting = [use.mention for use in candidate.uses if use.mention.cue is not None and use.mention.cue.op == "count"]
    measured = [use.mention for use in candidate.uses if use.role == "measure" and use.mention.kind == "column"]
    return any(
        count.span.last <= at < measure.span.first for count in counting for measure in measured for at in positions
    )


def _ranks_agents(candidate: Candidate, agents: Sequence[int]) -> bool:
    """Whether a statement ranks the agents instead of the objects: *which version is named by the most pages*."""
    ranking = [use.mention for use in candidate.uses if use.mention.cue is not None and use.mention.cue.op == "most"]
    if not any(mention.span.first - at in (1, 2) or _spans_any(mention, [at]) for mention in ranking for at in agents):
        return False
    query = candidate.query.core
    return any(
        isinstance(term, Col) and term.ref.column in IDENTIFYING_COLUMNS for term in (*query.group, *query.select)
    )


def _is_whole(mention: Mention) -> bool:
    is_title = mention.kind == "value" and mention.ref is not None and mention.ref.column in ("title", "path")
    return not is_title or mention.how in _WHOLE_MATCHES


def without_unasked_presence(sql: str, question: str) -> str:
    """Drop ``IS NOT NULL`` conditions on fields that the question does not name: *made it to final*."""
    tree = parse_one(sql, dialect="sqlite")
    where = tree.args.get("where")
    if not isinstance(tree, exp.Select) or where is None or tree.args.get("group") or tree.args.get("order"):
        # Groups and ranks need the condition: they exclude things without a value.
        return sql
    words = _roots(question)
    conditions = list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]
    kept = [condition for condition in conditions if not _is_presence(condition, words)]
    if len(kept) == len(conditions):
        return sql
    tree.set("where", exp.Where(this=exp.and_(*kept, copy=False)) if kept else None)
    return tree.sql(dialect="sqlite")


def _is_presence(condition: exp.Expr, words: set[str]) -> bool:
    """Whether a condition is ``IS NOT NULL`` on a column that the question does not name."""
    inner = condition.this if isinstance(condition, exp.Not) else None
    if not isinstance(inner, exp.Is) or not isinstance(inner.this, exp.Column):
        return False
    return _roots_of_name(inner.this.name).isdisjoint(words)


def _roots(question: str) -> set[str]:
    return {stem(word)[:_PREFIX] for word in re.findall(r"[^\W\d_]+", question.lower())}


def _roots_of_name(column: str) -> set[str]:
    return {stem(word)[:_PREFIX] for word in re.split(r"[\W_]+", column.lower()) if word}


def order_by_named_date(sql: str, question: str, ordered: Iterable[tuple[str, str]]) -> str:
    """Order a statement by the date column that a question for the newest or oldest names; else leave it unchanged.

    Empty if the statement is ordered by something other than a date, which answers another question.

    Args:
        ordered: Columns that define what is newer, each with its table.
    """
    tree = parse_one(sql, dialect="sqlite")
    order = tree.args.get("order")
    sources = {table.name for table in tree.find_all(exp.Table)}
    columns = {column for table, column in ordered if table in sources}
    if not isinstance(tree, exp.Select) or order is None:
        return sql
    order_term = order.expressions[0].this
    first = order_term if isinstance(order_term, exp.Column) else order_term.find(exp.Column)
    if first is None or first.name not in columns or order_term.find(exp.Count) is not None:
        return ""
    words = set(re.findall(r"[\w-]+", question.lower()))
    named_columns = [name for name in columns if name.lower() in words or name.lower().replace("_", "-") in words]
    if len(named_columns) != 1 or named_columns[0] == first.name:
        return sql
    for column in order.find_all(exp.Column):
        if column.name == first.name:
            column.set("this", exp.to_identifier(named_columns[0], quoted=True))
    return tree.sql(dialect="sqlite")


def order_by_version(sql: str, versions: Iterable[str]) -> str:
    """Order by version instead of by number, for descending orders of version columns.

    Ascending orders are unchanged: a value that is not a version may be the oldest.

    Args:
        versions: Columns that hold versions.
    """
    tree = parse_one(sql, dialect="sqlite")
    columns = frozenset(versions)
    for ordered in [term for term in tree.find_all(exp.Ordered) if term.args.get("desc")]:
        column = ordered.this.find(exp.Column) if isinstance(ordered.this, exp.Case) else None
        if column is not None and column.name in columns and ordered.this.find(exp.Glob) is not None:
            ordered.set("this", column.copy())
    return tree.sql(dialect="sqlite")


def with_exact_values(sql: str, question: str) -> str:
    """Reduce ``IN`` conditions to the values that the question names literally, if it names any."""
    tree = parse_one(sql, dialect="sqlite")
    question_words = _words(question)
    changed = False
    for node in list(tree.find_all(exp.In)):
        values = node.expressions
        if len(values) < 2 or not all(isinstance(value, exp.Literal) and value.is_string for value in values):
            continue
        named_values = [value for value in values if _is_named(str(value.this), question_words)]
        if named_values and len(named_values) < len(values):
            changed = True
            if len(named_values) == 1:
                node.replace(exp.EQ(this=node.this.copy(), expression=named_values[0].copy()))
            else:
                node.set("expressions", named_values)
    return tree.sql(dialect="sqlite") if changed else sql


_MIN_HAN: Final = 3
"""Fewest characters of a Chinese value that a question contains for it to be named."""


def has_guess(sql: str, free: Iterable[str], question: str) -> bool:
    """Whether a condition matches any value with a word of the question, which over free text is a guess.

    So is a ratio that no word asks for: *contribute*.

    Args:
        free: Free-text columns (nearly all values differ); one that the question names is not a guess.
    """
    tree = parse_one(sql, dialect="sqlite")
    roots = _roots(question)
    columns = {column for column in free if not roots.issuperset(_roots_of_name(column))}
    if tree.find(exp.Glob) is not None or (tree.find(exp.Div) is not None and not wants_share(question)):
        # An order by numbers found inside a text means nothing.
        return True
    if tree.find(exp.Like) is not None or any(map(_mixes_names, tree.find_all(exp.Or))):
        return True
    question_words = _words(question)
    for node in tree.find_all(exp.In):
        values = {_words(str(value.this)).strip() for value in node.expressions}
        if not isinstance(node.this, exp.Column) or len(node.expressions) < 2:
            continue
        if all(f" {value} " in question_words for value in values):
            # Adjacent words name something else: *a leaf bundle*.
            if len(values) > 1 and not coordinates(question):
                return True
        elif node.this.name in columns:
            return True
    equalities = ((node.this, node.expression) for node in tree.find_all(exp.EQ))
    return any(
        isinstance(column, exp.Column) and column.name in columns and not _is_half_named(value, question_words)
        for column, value in equalities
        if isinstance(value, exp.Literal) and value.is_string
    )


def measures_by_guess(sql: str, measures: Iterable[str], question: str) -> bool:
    """Whether a statement orders by or adds up a figure that no word of the question names.

    *The biggest* of a folder may be anything; *the longest* says what is compared.
    """
    if has_measuring_word(question):
        return False
    tree, roots = parse_one(sql, dialect="sqlite"), _roots(question)
    nodes = (*tree.find_all(exp.Ordered), *tree.find_all(exp.Sum, exp.Avg, exp.Max, exp.Min))
    compared = {column.name for node in nodes for column in node.find_all(exp.Column)}
    return any(_roots_of_name(column).isdisjoint(roots) for column in compared.intersection(measures))


def _is_half_named(value: exp.Literal, question_words: str) -> bool:
    """Whether the question contains at least half of the words of a value; a common word alone may be chance."""
    words = _words(str(value.this)).split()
    # Chinese has no spaces between words; a short one may be part of another.
    named = (
        f" {word} " in question_words or (has_cjk(word) and len(word) >= _MIN_HAN and word in question_words)
        for word in words
    )
    return 2 * sum(named) >= len(words)


def _mixes_names(either: exp.Or) -> bool:
    """Whether an ``OR`` combines an identifying column with another: *is gdb standard or optional*."""
    columns = {column.name for column in either.find_all(exp.Column)}
    return len(columns) > 1 and not columns.isdisjoint(IDENTIFYING_COLUMNS)


def _is_named(value: str, question_words: str) -> bool:
    words = _words(value)
    return bool(words.strip()) and words in question_words


def _words(text: str) -> str:
    """The case-folded words of a text between single spaces, for substring tests."""
    return " ".join(("", *re.findall(r"[\w-]+", text.casefold()), ""))


def with_ties(sql: str) -> str:
    """Rewrite ``LIMIT n`` so that rows or groups that tie with the first n are included."""
    tree = parse_one(sql, dialect="sqlite")
    limit, order = tree.args.get("limit"), tree.args.get("order")
    if not isinstance(tree, exp.Select) or limit is None or order is None:
        return sql
    first = order.expressions[0].this
    limited = tree.copy()
    limited.select(first.copy(), append=False, copy=False)
    tree.set("limit", None)
    tie_condition = exp.In(this=first.copy(), query=limited.subquery())
    grouped = tree.args.get("group") is not None
    return (tree.having(tie_condition) if grouped else tree.where(tie_condition)).sql(dialect="sqlite")


def restrict_to_keys(sql: str, table: str, key: str, values: Sequence[str | int]) -> str:
    """Restrict a statement to rows of a table with these keys; empty if it has a subquery or not that table."""
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


def topic_of(question: str, reading: Reading) -> list[str]:
    """Words that no part of a reading uses, and words that matched only parts of titles; empty if not a topic."""
    title_words = {
        word for link in reading.links if link.detail.split(" = ")[0].endswith(".title") for word in link.name.split()
    }
    words = {word.lower() for word in (*reading.unlinked, *title_words)}
    topic = [word for word in re.findall(r"[\w'-]+", question) if words.issuperset(word.lower().split("-"))]
    is_topic = all(len(word) > 2 and value_of(word.lower()) is None for word in topic)
    return topic if len(topic) <= _MAX_TOPIC_WORDS and is_topic else []


def select_things(kinds: Sequence[Kind], things: Collection[Thing]) -> str:
    """A statement that selects the things; empty where they are of several kinds."""
    kinds = [kind for kind in kinds if any(thing in kind.things for thing in things)]
    if len(kinds) != 1:
        return ""
    members = [thing for thing in things if thing in kinds[0].things]
    by_number = kinds[0].is_numbered
    keys = ", ".join(str(t.number) if by_number else "'" + t.key.replace("'", "''") + "'" for t in members)
    key = "number" if by_number else "path"
    return f'SELECT "title" FROM "{kinds[0].name}" WHERE "{key}" IN ({keys})'  # noqa: S608 - read over tables here
