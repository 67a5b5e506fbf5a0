"""Resolves the target of each stated relation to a file or a named thing.

The graph is built in memory from the index (tens of thousands of relations take a fraction of a second). Names are
resolved here instead of at indexing time, because that needs all files: which file ``PEP 699`` is, and that
``text/0533-….md`` is the file that others call RFC 533.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from kbtui.domain.document import FileRecord, Relation
from kbtui.knowledge.relations.folder_descriptions import FolderDescription, described_folders, texts_beside
from kbtui.knowledge.relations.kind_words import KIND_WORD, PLACED
from kbtui.knowledge.relations.labels import file_number, label_key, series_of
from kbtui.knowledge.relations.series import SERIES_RELATIONS
from kbtui.knowledge.relations.templates import CANDIDATES
from kbtui.knowledge.relations.words import word_set
from kbtui.records.concepts import FieldNames
from kbtui.records.families import names_without_beginnings
from kbtui.records.identifiers import identified_things
from kbtui.records.names import Names
from kbtui.records.target_paths import module_paths, path_suffixes
from kbtui.records.templates import fields_of_templates

_EXTENSIONS = (".md", ".rst", ".txt", ".markdown", ".mdx", ".adoc", ".html", ".py", ".ts", ".tsx", ".js", ".jsx", ".h")
_TEXTUAL = frozenset({"mentions", "links-to", "imports"})
_QUALIFIED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){2,}")
"""A qualified name whose last part names a file: ``ansible.builtin.union``."""
_LABEL = re.compile(r"([A-Z]{2,10})([ -])(\d{1,7})")
_IMPORT = re.compile(r"\bimport\b")
_FROM_DOTS = re.compile(r"\s*from\s+\.+\s+import\b")
_SECTION_RELATIONS = (*SERIES_RELATIONS, *CANDIDATES, KIND_WORD, PLACED)
_INDEX_NAMES = ("README.md", "index.md", "index.rst", "README.rst", "__init__.py", "index.ts", "index.js", "mod.rs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A relation whose target is known.

    Attributes:
        source: Path of the stating file.
        target: Key of the target node: a path, or the key of a name that is not a file.
        label: The target as written in the document.
        line: Number of the stating line.
        text: The stating line.
    """

    source: str
    relation: str
    target: str
    label: str
    line: int
    text: str


@dataclass(frozen=True)
class Links:
    """Files, their relations and the resolved graph. Immutable; a changed index needs a new one.

    Args:
        files: All files of the folder.
        relations: All relations that they state.
    """

    files: Sequence[FileRecord]
    relations: Sequence[Relation]
    records: dict[str, FileRecord] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "records", {record.path: record for record in self.files})

    @cached_property
    def labels(self) -> dict[str, str]:
        """Best label of each file that has one, by path; infers the series of files that are named by number only."""
        labels = {record.path: self._spell(record.labels[0]) for record in self.files if record.labels}
        numbered: dict[str, list[str]] = defaultdict(list)
        for record in self.files:
            if record.path not in labels and file_number(record.path) is not None:
                numbered[posixpath.dirname(record.path)].append(record.path)
        for folder, paths in numbered.items():
            series = self._series_of_folder(folder, paths)
            if series:
                labels |= {path: self._spell(f"{series.upper()} {file_number(path)}") for path in paths}
        return labels

    def _spell(self, label: str) -> str:
        """Spell a label as the documents mostly write it: EIP-20, not EIP 20."""
        word, _, number = label.partition(" ")
        width = self._hyphenated.get(word)
        return label if width is None or not number.isdigit() else f"{word}-{number.zfill(width)}"

    @cached_property
    def _hyphenated(self) -> dict[str, int]:
        """Number width (digits, zero-padded) by series, for series that documents mostly write with a hyphen."""
        spellings: dict[str, Counter[int]] = defaultdict(Counter)
        for relation in self.relations:
            if relation.relation not in ("mentions", "links-to"):
                continue
            if (match := _LABEL.fullmatch(relation.target)) is not None:
                padded = len(match[3]) if match[3].startswith("0") else 1
                spellings[match[1]][padded if match[2] == "-" else 0] += 1
        usual = {word: counted.most_common(1)[0][0] for word, counted in spellings.items()}
        return {word: width for word, width in usual.items() if width}

    def _series_of_folder(self, folder: str, paths: Sequence[str]) -> str:
        """The series of labelled files in the folder, else the series whose mentioned numbers match these files."""
        votes = self._labelled_series.get(folder)
        if not votes:
            numbers = {file_number(path) for path in paths}
            votes = Counter(series for number in numbers for series in self._mentioned_series.get(number, ()))
        if not votes:
            return ""
        best, count = votes.most_common(1)[0]
        return best if count >= 2 or count == len(paths) else ""

    @cached_property
    def _labelled_series(self) -> dict[str, Counter[str]]:
        """How many numbered files have a label of each series, by folder."""
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for record in self.files:
            if record.labels and file_number(record.path) is not None and (series := series_of(record.labels[0])):
                counts[posixpath.dirname(record.path)][series] += 1
        return counts

    @cached_property
    def _mentioned_series(self) -> dict[int | None, list[str]]:
        """The series that relations mention with a number, by number, once for each way to write it."""
        by_number: dict[int | None, list[str]] = defaultdict(list)
        for key in {label_key(relation.target) for relation in self.relations}:
            if series := series_of(key):
                by_number[int(key.rsplit(" ", 1)[1])].append(series)
        return by_number

    @cached_property
    def aliases(self) -> dict[str, tuple[str, ...]]:
        """Paths by label key of every name of a file: labels, path, file name, stem and title."""
        paths_by_key: dict[str, dict[str, None]] = defaultdict(dict)
        short_names = names_without_beginnings(record.path for record in self.files)
        for record in self.files:
            if record.path in self._main_files_of_parts:
                # The title of a single-value file is its value, not a name.
                continue
            stem = posixpath.splitext(record.path)[0]
            names = [record.path, stem, posixpath.basename(record.path), posixpath.basename(stem), record.title]
            base, inner_suffix = posixpath.splitext(posixpath.basename(stem))
            if inner_suffix[1:].isalpha():
                # The thing that x.metadata.json describes is named x.
                names.append(base)
            names += short_names.get(record.path, ())
            own_label = self.labels.get(record.path)
            for name in (*record.labels, *([own_label] if own_label else []), *names):
                if key := label_key(name):
                    paths_by_key[key].setdefault(self._main_files.get(record.path, record.path))
        for described in self.described:
            if (described.parts or not described.text) and (key := label_key(posixpath.basename(described.folder))):
                # Main files with the same name in every folder are named after their folder.
                paths_by_key[key].setdefault(described.by)
        return {key: tuple(paths) for key, paths in paths_by_key.items()}

    @cached_property
    def described(self) -> tuple[FolderDescription, ...]:
        """Folders that form one thing with the file that describes them."""
        return tuple(described_folders(self.files))

    @cached_property
    def _main_files(self) -> dict[str, str]:
        """Main file of a thing, by its folder and by each of its other files."""
        return self.texts_beside | {
            place: described.by
            for described in self.described
            for place in (described.folder, described.text, *described.parts)
            if place
        }

    @cached_property
    def texts_beside(self) -> dict[str, str]:
        """The text with the name of each data file beside it."""
        return texts_beside(self.files)

    @cached_property
    def _main_files_of_parts(self) -> dict[str, str]:
        """Main file of a folder, by the path of each single-value file in it."""
        return {path: described.by for described in self.described for path in described.parts}

    def main_file(self, path: str) -> str:
        """The main file of the thing that a file belongs to."""
        return self._main_files.get(path, path)

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """Every relation with its target resolved, without textual relations of a file to itself."""
        edges: list[Edge] = []
        modules = {
            (relation.source_path, relation.target) for relation in self.relations if relation.relation == "imports"
        }
        for relation in chain(self.relations, fields_of_templates(self.files, self.relations, self.described)):
            if relation.relation.startswith(_SECTION_RELATIONS):
                # Relations of sections are read as records (`kbtui.records.series`, `kbtui.records.templates`).
                continue
            path = self.resolve(relation)
            if path == relation.source_path:
                if relation.relation in _TEXTUAL:
                    continue
                # A field that names its own file is a plain value.
                path = ""
            if relation.relation == "imports" and not path and _is_imported_name(relation, modules):
                continue
            path = self._main_files.get(path, path)
            edges.append(
                Edge(
                    source=relation.source_path,
                    relation=relation.relation,
                    target=path or label_key(relation.target),
                    label=relation.target,
                    line=relation.line,
                    text=relation.text,
                )
            )
        return tuple(edges)

    @cached_property
    def forward(self) -> dict[str, tuple[Edge, ...]]:
        """Edges by the path of the file that states them."""
        return _group_edges((self._main_files.get(edge.source, edge.source), edge) for edge in self.edges)

    @cached_property
    def reverse(self) -> dict[str, tuple[Edge, ...]]:
        """Edges by the node they point at."""
        return _group_edges((edge.target, edge) for edge in self.edges)

    @cached_property
    def relation_names(self) -> Counter[str]:
        """How often each relation is stated."""
        return Counter(edge.relation for edge in self.edges)

    @cached_property
    def field_names(self) -> FieldNames:
        """The names of fields, to look up those that a question may ask for."""
        return FieldNames.of(self.relation_names)

    @cached_property
    def names(self) -> dict[str, str]:
        """Most frequent spelling of each thing that is not a file, by key."""
        spellings: dict[str, Counter[str]] = defaultdict(Counter)
        for edge in self.edges:
            if edge.target not in self.records:
                spellings[edge.target][edge.label] += 1
        return {key: counted.most_common(1)[0][0] for key, counted in spellings.items()}

    def resolve(self, relation: Relation) -> str:
        """Path of the file that ``relation`` points at; empty if it is none."""
        if relation.target_path in self.records:
            return relation.target_path
        target = relation.target
        if relation.relation == "imports":
            return self._resolve_module(relation)
        if target in self.records:
            return target
        if relation.relation.startswith("links-to") or "/" in target:
            folder = posixpath.dirname(relation.source_path)
            bases = (target.strip("/"), posixpath.normpath(posixpath.join(folder, target)), *path_suffixes(target))
            for base in dict.fromkeys(bases):
                if base in self._main_files:
                    return self._main_files[base]
                for end in ("", *_EXTENSIONS, *(f"/{name}" for name in _INDEX_NAMES)):
                    if base + end in self.records:
                        return base + end
        path = self._nearest(self.aliases.get(label_key(target), ()), relation)
        if not path and relation.relation not in _TEXTUAL and _QUALIFIED.fullmatch(target):
            path = self._nearest(self.aliases.get(label_key(target.rpartition(".")[2]), ()), relation)
        return path

    def _nearest(self, paths: Sequence[str], relation: Relation) -> str:
        """Of several files with one name, the one nearest to the folder of the stating file."""
        if len(paths) <= 1:
            return paths[0] if paths and self._is_file_name(relation) else ""
        folder = posixpath.dirname(relation.source_path)
        return min(paths, key=lambda path: (-len(posixpath.commonprefix((folder, path))), len(path), path))

    def _is_file_name(self, relation: Relation) -> bool:
        """Whether the target may name a file: a plain word that equals a file stem does not in a value field."""
        target = relation.target
        if relation.relation in ("links-to", "mentions") or re.search(r"[\d/.]", target) or " " in target:
            return True
        return relation.relation not in _VALUE_FIELDS

    def _resolve_module(self, relation: Relation) -> str:
        target = relation.target
        language = self.records[relation.source_path].language if relation.source_path in self.records else ""
        folder = posixpath.dirname(relation.source_path)
        for candidate in module_paths(target, folder, language):
            if candidate in self.records:
                return candidate
            if matches := self._code_files_by_suffix.get(candidate):
                return matches[0] if len(matches) == 1 else ""
        return ""

    @cached_property
    def _code_files_by_suffix(self) -> dict[str, tuple[str, ...]]:
        """Code files by each suffix of their path, for imports relative to a source root."""
        paths_by_suffix: dict[str, list[str]] = defaultdict(list)
        for record in self.files:
            if record.kind == "code":
                parts = record.path.split("/")
                for start in range(1, len(parts)):
                    paths_by_suffix["/".join(parts[start:])].append(record.path)
        return {suffix: tuple(paths) for suffix, paths in paths_by_suffix.items()}

    def label_of(self, node: str) -> str:
        """Display name of a node: the label, title or path of a file, else the name as written."""
        node = self._main_files_of_parts.get(node, node)
        if label := self.labels.get(node):
            return label
        record = self.records.get(node)
        if record is None:
            return self.names.get(node, node)
        # The name of a main file (README.md) is not unique, but its title is.
        return record.title if record.title and node in self._main_files.values() else node

    def title_of(self, node: str) -> str:
        """The title of a file if it says more than its label; else empty."""
        record = self.records.get(node)
        if record is None:
            return ""
        title = record.title
        own_label = self.labels.get(node, "")
        if (
            own_label
            and (match := re.match(r"([A-Za-z]+[ \-_]?#?\d+)\W+", title))
            and label_key(match[1]) == label_key(own_label)
        ):
            title = title[match.end() :]
        name = posixpath.basename(node)
        names = {
            label_key(known)
            for known in (own_label, self.label_of(node), *record.labels, name, posixpath.splitext(name)[0])
        }
        return "" if label_key(title) in names else title

    @cached_property
    def finder(self) -> Names:
        """Finds mentions of files and named things in questions."""
        return Names(self.aliases, self.names, self.records, self.series)

    @cached_property
    def states(self) -> frozenset[str]:
        """Case-folded values that several files state: possible states of a thing."""
        target_counts = Counter(edge.target for edge in self.edges if edge.target not in self.records)
        return frozenset(key for key, count in target_counts.items() if count > 1)

    @cached_property
    def identified(self) -> dict[str, Edge]:
        """What states each identifier among the values, by its key: *HZ-F403* as ``model``."""
        return identified_things(self.edges, self.records)

    def has_state(self, node: str, value: str) -> bool:
        """Whether a node states ``value`` (case-folded) in any relation."""
        return any(edge.target == value for edge in self.forward.get(node, ()))

    @cached_property
    def series(self) -> frozenset[str]:
        """The numbered series that files or several relations belong to."""
        series_counts = Counter(series_of(label) for label in self.labels.values())
        series_counts.update(series_of(name) for name in self.names.values())
        return frozenset(series for series, count in series_counts.items() if series and count > 1)


_VALUE_FIELDS = word_set(
    """
    status type state priority severity category tags tag labels topic feature feature-name language license version
    python-version team 状态 类型 标签 优先级 主题
    """
)


def _is_imported_name(relation: Relation, modules: set[tuple[str, str]]) -> bool:
    """``from a.b import c`` states ``a.b`` and ``a.b.c``; the second is a module only if such a file exists."""
    module, _, name = relation.target.rpartition(".")
    in_module = (relation.source_path, module) in modules or (
        not module and _FROM_DOTS.match(relation.text) is not None
    )
    # The pattern made of the name comes last, because each name has another one to compile.
    return in_module and bool(
        _IMPORT.search(relation.text) or re.match(rf"\s*\(?\s*{re.escape(name)}\b", relation.text)
    )


def _group_edges(pairs: Iterable[tuple[str, Edge]]) -> dict[str, tuple[Edge, ...]]:
    edges_by_key: dict[str, list[Edge]] = defaultdict(list)
    for key, edge in pairs:
        edges_by_key[key].append(edge)
    return {key: tuple(edges) for key, edges in edges_by_key.items()}
