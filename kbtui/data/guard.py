"""The first of two layers between a statement and a database: only parts that are known to be harmless may run.

A statement is parsed, every part of it is looked up in allow lists, and a new statement is generated from the checked
tree in the dialect of the source. The engine never sees the original text, so nothing can hide in comments, odd quotes
or differences between this parser and the engine's. The second layer is the read-only mode of the engine (sqlite.py and
others), which is effective without this one.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from kbtui.data.guard_bombs import check_size, may_be_large
from kbtui.data.guard_lists import Lists, lists_of
from kbtui.data.guard_text import check_substitution, check_text, check_tokens, refused
from kbtui.domain.analysis import Schema, Table
from kbtui.errors import SqlRefused
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from sqlglot import exp
    from sqlglot.dialects.dialect import Dialect
    from sqlglot.generator import Generator

_CACHED_CHECKS: Final = 512


def check(sql: str, dialect: str, schema: Schema | None = None) -> str:
    """The checked statement, generated from the tree: this text must run, never the original.

    Args:
        dialect: The name of the dialect in sqlglot.
        schema: When given, only its tables may be read, whatever level it is of.

    Raises:
        SqlRefused: It breaks a rule; the message names the rule and the reason.
    """
    tables = _table_names(schema.tables) if schema is not None else None
    return _check(sql, dialect, tables)


def _table_names(tables: Sequence[Table]) -> frozenset[str]:
    """Lower-case names; of the structures checked last they are kept, since one may have thousands of tables."""
    for known, names in tuple(_cached_names):
        if known is tables:
            return names
    names = frozenset(table.name.lower() for table in tables)
    _cached_names.appendleft((tables, names))
    return names


_cached_names: deque[tuple[Sequence[Table], frozenset[str]]] = deque(maxlen=16)


@lru_cache(maxsize=_CACHED_CHECKS)
def _check(sql: str, dialect_name: str, known: frozenset[str] | None) -> str:
    from sqlglot.errors import ErrorLevel, SqlglotError

    check_text(sql)
    dialect = _dialect(dialect_name)
    lists = lists_of(dialect_name)
    try:
        tokens = dialect.tokenize(sql)
        check_tokens(sql, tokens, dialect_name)
        parsed = dialect.parser(error_level=ErrorLevel.IMMEDIATE).parse(tokens, sql)
        # A comment after the last semicolon is parsed as a statement of its own.
        statements = [part for part in parsed if part is not None and type(part).__name__ != "Semicolon"]
        if len(statements) != 1:
            raise refused("one_statement", f"there are {len(statements)} statements in it, and one may run")
        root = statements[0]
        _check_root(root)
        _check_nodes(root, lists, known)
        written = _writer(dialect_name).generate(root, copy=False)
        check_substitution(written, dialect_name)
        return written
    except SqlglotError as error:
        raise refused("parse", f"it cannot be read as {dialect_name} SQL ({_first_line(error)})") from error
    except RecursionError as error:
        raise refused("size", "its parts stand too deep within each other") from error
    except SqlRefused:
        raise
    except Exception as error:
        # The parser raises errors of other types for some malformed input.
        raise refused("parse", f"it cannot be read as {dialect_name} SQL") from error


@lru_cache(maxsize=16)
def _dialect(name: str) -> Dialect:
    from sqlglot.dialects.dialect import Dialect

    try:
        return Dialect.get_or_raise(name)
    except ValueError as error:
        raise refused("dialect", f"nothing here reads the dialect {one_line(name, 40)}") from error


def _writer(dialect: str) -> Generator:
    """The generator of statements from checked trees, without comments; raises for unsupported parts."""
    from sqlglot import exp
    from sqlglot.errors import ErrorLevel

    writer = _dialect(dialect).generator(comments=False, unsupported_level=ErrorLevel.RAISE)
    if dialect == "mysql":
        # MariaDB has no REGEXP_LIKE, and puts no backticks around DUAL. (Compiled generators have no subclasses.)
        writer._dispatch = {
            **writer._dispatch,
            exp.RegexpLike: lambda self, node: self.binary(node, "REGEXP"),
            exp.From: lambda self, node: "" if _is_dual(node.this) else self.from_sql(node),
        }
    return writer


def _is_dual(node: Any) -> bool:
    from sqlglot import exp

    return isinstance(node, exp.Table) and node.name.lower() == "dual" and not node.args.get("db")


def _first_line(error: Exception) -> str:
    return one_line(str(error).split("\n", 1)[0], 120).rstrip(".")


# ---- the tree ----


def _check_root(root: exp.Expr) -> None:
    from sqlglot import exp

    inner: Any = root
    while isinstance(inner, exp.Subquery):
        inner = inner.this
    if not isinstance(inner, (exp.Select, exp.SetOperation)):
        raise refused("root", f"it is {_name_of(root)}, and only SELECT and WITH … SELECT read")


def _check_listed(node: exp.Expr, lists: Lists) -> None:
    """The kind of a part, the function it calls and its clauses are among those that may run."""
    kind = type(node)
    if kind not in lists.nodes:
        _check_named(node, lists)
    allowed = lists.arguments.get(kind)
    if allowed is not None:
        for key, value in node.args.items():
            if value and key not in allowed:
                raise refused("clause", f"{_name_of(node)} has a part kbtui does not let run ({key.strip('_')})")


def _check_named(node: exp.Expr, lists: Lists) -> None:
    """A part of a kind that is not listed calls a function by its name, and one of those that may run."""
    from sqlglot import exp

    if type(node) is not exp.Anonymous:
        raise _refused_node(node)
    name = node.name.lower()
    stands = isinstance(node.parent, (exp.Table, exp.Lateral))
    if name not in lists.functions and not (stands and name in lists.table_functions):
        raise _refused_function(node.name)


def _check_nodes(root: exp.Expr, lists: Lists, known: frozenset[str] | None) -> None:
    """Look at every part."""
    from sqlglot import exp

    large: list[exp.Expr] = []
    count = 0
    for node in root.walk(bfs=False):
        count += 1
        kind: Any = type(node)
        if may_be_large(kind):
            large.append(node)
        _check_listed(node, lists)
        if kind is exp.Table:
            _check_table(node, lists, known)
        elif kind is exp.Column or kind is exp.Dot:
            _check_column(node, lists, known)
        elif kind is exp.Identifier and not node.args.get("quoted") and not _WORD.fullmatch(node.name):
            raise refused("node", f"it has the odd name {one_line(node.name, 40)} in it", "Put the name in quotes.")
        elif kind is exp.Var and not _PLAIN.fullmatch(node.name):
            raise refused("node", f"it has the odd word {one_line(node.name, 40)} in it")
        elif kind is exp.DataType and node.this not in lists.types:
            raise refused(
                "type", f"it casts to {one_line(node.sql(), 40)}, which is not among the types kbtui lets run"
            )
        elif kind is exp.Literal and lists.dialect == "postgres" and node.is_string:
            # Where a server reads backslashes as escapes, this text would end elsewhere than it does here.
            text = node.this
            if "\\" in text and (text.endswith("\\") or "\\'" in text):
                raise refused("string", "a text in it has a backslash before its end or before a quote")
        elif kind is exp.CTE and lists.is_system(node.alias.lower()):
            raise refused("table", f"it calls a part of its own {one_line(node.alias, 60)}, a name of the engine's")
    reason = check_size(large, count)
    if reason:
        raise refused("bomb", reason, "Ask for less.")


_WORD: Final = re.compile(r"\w[\w$]*")
_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9_ ]*")


def _check_table(node: exp.Expr, lists: Lists, known: frozenset[str] | None) -> None:
    from sqlglot import exp

    this = node.this
    if not isinstance(this, exp.Identifier):
        if type(this).__name__ not in lists.table_nodes and not isinstance(this, exp.Anonymous):
            raise _refused_function(_name_of(this), "stands for a table and")
        if isinstance(this, exp.Anonymous) and this.name.lower() not in lists.table_functions:
            raise _refused_function(this.name, "stands for a table and")
        return
    parts = [part.name for part in (node.args.get("catalog"), node.args.get("db"), this) if part is not None]
    full = ".".join(parts)
    low = full.lower()
    if len(parts) == 1 and (_is_own(node, low) or (low == "dual" and lists.dialect == "mysql")):
        return
    if any(lists.is_system(part.lower()) for part in parts):
        raise refused("system_table", f"{one_line(full, 80)} belongs to the engine, not to the data")
    if known is not None:
        bare = len(parts) == 2 and parts[0].lower() in lists.default_schemas and parts[1].lower() in known
        if low in known or bare:
            return
        raise refused("unknown_table", f"the source has no table {one_line(full, 80)}", "Look at the source's tables.")
    reads_files = lists.dialect not in ("sqlite", "postgres", "mysql")
    is_file = any(part.lower() in lists.file_formats for part in parts[:-1])
    if len(parts) > 2 or is_file or (reads_files and not all(_TABLE.fullmatch(part) for part in parts)):
        shown = one_line(full, 80)
        raise refused("unknown_table", f"{shown} looks like a file or another database, not like a table")


_TABLE: Final = re.compile(r"[^\x00-\x1f./\\*?:\[\]]+")
"""Names that no engine takes for a file: DuckDB reads ``FROM "x.csv"`` as one."""


def _is_own(node: exp.Expr, name: str) -> bool:
    """Whether the statement itself defines ``name`` where ``node`` stands: an earlier part of a WITH, or recursion."""
    from sqlglot import exp

    inside: exp.Expr = node
    above = node.parent
    while above is not None:
        if isinstance(above, exp.With):
            for part in above.expressions:
                if part is inside:
                    if above.args.get("recursive") and part.alias.lower() == name:
                        return True
                    break
                if part.alias.lower() == name:
                    return True
        else:
            within = above.args.get("with_")
            parts = within.expressions if within is not None and within is not inside else ()
            if any(part.alias.lower() == name for part in parts):
                return True
        inside, above = above, above.parent
    return False


def _check_column(node: exp.Expr, lists: Lists, known: frozenset[str] | None) -> None:
    from sqlglot import exp

    if isinstance(node, exp.Dot):
        if not isinstance(node.expression, (exp.Identifier, exp.Star)) or lists.dialect == "postgres":
            # PostgreSQL reads value.name as name(value).
            raise refused("node", "it reaches into a value with a dot")
        return
    this, schema = node.this, node.args.get("db")
    if schema is not None and lists.dialect == "postgres":
        name = schema.name.lower()
        if name not in lists.default_schemas and not any(table.startswith(f"{name}.") for table in known or ()):
            raise refused("node", f"{one_line(node.sql(), 60)} names a schema the source does not have")
    if isinstance(this, exp.Identifier) and not this.quoted and not node.args.get("table"):
        name = this.name.lower()
        if name in lists.words:
            raise refused("function", f"{name} is a word the engine answers itself, not a column")


def _refused_function(name: str, also: str = "") -> SqlRefused:
    shown = one_line(name, 60)
    also = f"{also} " if also else ""
    return refused(
        "function",
        f"{shown} {also}is not among the functions kbtui lets run",
        "Use the engine's aggregates, text, date and number functions.",
    )


def _refused_node(node: exp.Expr) -> SqlRefused:
    from sqlglot import exp

    name = _name_of(node)
    if isinstance(node, (exp.DML, exp.DDL, exp.Into, exp.Command)):
        return refused("writes", f"{name} would change something, and a source is only read")
    if isinstance(node, exp.Lock):
        return refused("writes", "it locks rows, and a source is only read")
    if isinstance(node, exp.Func):
        return _refused_function(name)
    return refused("node", f"{name} is not among the things kbtui lets run")


def _name_of(node: exp.Expr) -> str:
    from sqlglot import exp

    if isinstance(node, exp.Anonymous):
        return one_line(node.name, 60)
    if isinstance(node, exp.Func):
        return str(node.sql_name())
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(node).__name__).upper()
