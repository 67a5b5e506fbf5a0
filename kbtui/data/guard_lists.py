"""What a statement may be made of, by dialect: the lists the guard looks everything up in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from kbtui.text.word_lists import toml_in

_STRUCTURE: Final = """
Select Subquery Union Intersect Except From Join Where Group Having Qualify Order Ordered Limit Offset Fetch
LimitOptions Distinct With CTE TableAlias Table Values Tuple Paren Alias Aliases Column Identifier Star Literal Boolean
Null Var Interval IntervalSpan DataType DataTypeParam Window WindowSpec Filter WithinGroup IgnoreNulls RespectNulls
Lateral Cube Rollup GroupingSets In Between Like ILike Glob Escape Is Not Neg BitwiseNot EQ NEQ GT GTE LT LTE
NullSafeEQ NullSafeNEQ Any All Add Sub Mul Div IntDiv Mod DPipe BitwiseAnd BitwiseOr BitwiseXor BitwiseLeftShift
BitwiseRightShift SimilarTo AtTimeZone JSONPath JSONPathRoot JSONPathKey JSONPathSubscript JSONKeyValue JSONValue
Bracket Slice HexString BitString TableSample Dot Overlaps
"""
"""Parts of sqlglot's tree that are no functions (sqlglot.expressions)."""

_ARGUMENTS: Final[Mapping[str, str]] = {
    "Select": "with_ expressions distinct from_ laterals joins where group having qualify windows order limit offset",
    "Subquery": "this alias with_ joins laterals where order limit offset sample",
    "Table": "this alias db catalog laterals joins only ordinality sample",
    "With": "expressions recursive",
    "CTE": "this alias materialized scalar",
    "Join": "this on side kind using method match_condition",
    "Group": "expressions cube rollup grouping_sets all",
    "Lateral": "this alias ordinality outer",
    "Union": "with_ this expression distinct by_name side kind on where order limit offset",
    "Except": "with_ this expression distinct by_name side kind on where order limit offset",
    "Intersect": "with_ this expression distinct by_name side kind on where order limit offset",
}
"""Parts that may carry words of an engine's own: which of theirs may be set."""

_TYPES: Final = """
ARRAY BIGDECIMAL BIGINT BIGNUM BINARY BIT BLOB BOOLEAN BPCHAR CHAR DATE DATE32 DATETIME DATETIME2 DATETIME64 DECIMAL
DECIMAL32 DECIMAL64 DECIMAL128 DECIMAL256 DOUBLE FLOAT INT INT128 INT256 INTERVAL JSON JSONB LIST LONGTEXT
MEDIUMINT MEDIUMTEXT MONEY NCHAR NULL NVARCHAR SMALLDATETIME SMALLINT SMALLMONEY STRUCT
TEXT TIME TIMETZ TIMESTAMP TIMESTAMPLTZ TIMESTAMPNTZ TIMESTAMPTZ TIMESTAMP_S TIMESTAMP_MS TIMESTAMP_NS TINYINT TINYTEXT
UBIGINT UINT UINT128 UINT256 UMEDIUMINT USMALLINT UTINYINT UDECIMAL UDOUBLE UUID VARBINARY VARCHAR YEAR
"""

_TABLE_NODES: Final = "Unnest Explode GenerateSeries ExplodingGenerateSeries"

_SYSTEM_PREFIXES: Final[Mapping[str, tuple[str, ...]]] = {
    "sqlite": ("sqlite_", "pragma_"),
    "duckdb": ("duckdb_", "pragma_", "sqlite_", "pg_"),
    "postgres": ("pg_",),
}
_SYSTEM_NAMES: Final[Mapping[str, str]] = {
    "sqlite": (
        "dbstat bytecode tables_used fsdir zipfile completion csv temp generate_series carray fts3tokenize fts5vocab"
    ),
    "duckdb": "information_schema system temp",
    "postgres": "information_schema",
    "mysql": "information_schema mysql performance_schema sys",
}
_DEFAULT_SCHEMAS: Final[Mapping[str, str]] = {"sqlite": "main", "duckdb": "main", "postgres": "public"}

_WORDS: Final = (
    "current_user session_user system_user user current_role current_catalog current_schema current_database "
    "current_schemas current_setting"
)
"""Words that some engines answer where a column may stand."""
_WORDS_BY_DIALECT: Final[Mapping[str, str]] = {"sqlite": "", "mysql": "current_user current_role"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lists:
    """What may be there, for one dialect.

    Attributes:
        nodes: Classes of sqlglot's tree.
        arguments: For some of them, the parts they may have; the others may have any.
        functions: Names of functions, lower case, for those sqlglot has no class for.
        table_functions: Names of functions that may stand for a table.
        words: Unquoted words that are functions, not columns.
    """

    dialect: str
    nodes: frozenset[type]
    arguments: Mapping[type, frozenset[str]]
    types: frozenset[Any]
    functions: frozenset[str]
    table_functions: frozenset[str]
    table_nodes: frozenset[str]
    words: frozenset[str]
    default_schemas: frozenset[str]
    system_names: frozenset[str]
    system_prefixes: tuple[str, ...]

    def is_system(self, name: str) -> bool:
        """Whether a schema or table of this name, in lower case, is the engine's own."""
        return name in self.system_names or name.startswith(self.system_prefixes)


@lru_cache(maxsize=16)
def lists_of(dialect: str) -> Lists:
    """The lists for a dialect; one nobody wrote lists for gets what all of them have."""
    from sqlglot import exp

    read = toml_in(__package__, "guard_functions.toml")
    known = dialect in read and dialect not in ("common", "nodes")
    own = read[dialect] if known else read["common"]
    others = ("sqlite", "postgres", "mysql", "duckdb")
    prefixes = _SYSTEM_PREFIXES.get(dialect, ()) if known else ("sqlite_", "pg_", "duckdb_", "pragma_")
    system = _SYSTEM_NAMES[dialect].split() if known else " ".join(_SYSTEM_NAMES[name] for name in others).split()
    return Lists(
        dialect=dialect,
        nodes=frozenset(getattr(exp, name) for name in (_STRUCTURE + read["nodes"]["names"]).split()),
        arguments={getattr(exp, name): frozenset(allowed.split()) for name, allowed in _ARGUMENTS.items()},
        types=frozenset(getattr(exp.DType, name) for name in _TYPES.split()),
        functions=frozenset((read["common"]["names"] + own["names"]).split()),
        table_functions=frozenset(own["tables"].split()),
        table_nodes=frozenset(_TABLE_NODES.split()),
        words=frozenset(_WORDS_BY_DIALECT.get(dialect, _WORDS).split()),
        default_schemas=frozenset(_DEFAULT_SCHEMAS.get(dialect, "").split()),
        system_names=frozenset(system),
        system_prefixes=prefixes,
    )


@lru_cache(maxsize=1)
def odd_strings(token_type: Any) -> Mapping[Any, str]:
    """Ways to write text that engines and their settings read differently."""
    return {
        token_type.BYTE_STRING: "text with escapes (E'…')",
        token_type.HEREDOC_STRING: "text between dollar signs",
        token_type.NATIONAL_STRING: "national text (N'…')",
        token_type.NATIONAL_RAW_STRING: "national text (NQ'…')",
        token_type.RAW_STRING: "raw text (R'…')",
        token_type.UNICODE_STRING: "text with Unicode escapes (U&'…')",
        token_type.HINT: "a hint to the engine",
        token_type.PARAMETER: "a variable or parameter",
        token_type.SESSION_PARAMETER: "a server variable",
        token_type.PLACEHOLDER: "a placeholder",
        token_type.COLON_EQ: "an assignment",
    }
