"""The parts that a statement may have, by dialect: the lists of ``guard_functions.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from kbtui.text.word_lists import toml_in


class Lists(Struct, frozen=True, kw_only=True, eq=False):
    """The allowed parts of statements in one dialect.

    Attributes:
        nodes: Classes of sqlglot's tree.
        arguments: The allowed arguments of some classes; other classes may have any.
        functions: Names of functions, lower case, for those sqlglot has no class for.
        table_functions: Names of functions that may stand for a table.
        words: Unquoted words that are functions, not columns.
        file_formats: Prefixes of a table name that is the name of a file.
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
    file_formats: frozenset[str]
    system_names: frozenset[str]
    system_prefixes: tuple[str, ...]

    def is_system(self, name: str) -> bool:
        """Whether a schema or table of this name, in lower case, is the engine's own."""
        return name in self.system_names or name.startswith(self.system_prefixes)


@lru_cache(maxsize=16)
def lists_of(dialect: str) -> Lists:
    """The lists for a dialect; an unknown dialect gets the common lists."""
    from sqlglot import exp

    read = toml_in(__package__, "guard_functions.toml")
    tree, engines = read["tree"], read["engines"]
    known = dialect in engines["system_names"]
    own = read[dialect] if known else read["common"]
    prefixes = engines["system_prefixes"].get(dialect, ()) if known else ("sqlite_", "pg_", "duckdb_", "pragma_")
    names = engines["system_names"]
    words = engines["words"]
    classes = tree["structure"] + tree["functions"] + own.get("classes", "")
    return Lists(
        dialect=dialect,
        nodes=frozenset(getattr(exp, name) for name in classes.split()),
        arguments={getattr(exp, name): frozenset(allowed.split()) for name, allowed in tree["arguments"].items()},
        types=frozenset(getattr(exp.DType, name) for name in tree["types"].split()),
        functions=frozenset((read["common"]["names"] + own["names"]).split()),
        table_functions=frozenset(own["tables"].split()),
        table_nodes=frozenset(tree["tables"].split()),
        words=frozenset(words.get(dialect, words["others"]).split()),
        default_schemas=frozenset(engines["default_schemas"].get(dialect, "").split()),
        file_formats=frozenset(engines["file_formats"].get(dialect, "").split()),
        system_names=frozenset((names[dialect] if known else " ".join(names.values())).split()),
        system_prefixes=tuple(prefixes),
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
