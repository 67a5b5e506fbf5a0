"""A folder in three conventions: a numbered series with headers, YAML beside a text, pages with a table of facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kbtui.domain.document import FileRecord
from kbtui.knowledge.reading.loaders import parse
from kbtui.knowledge.relations import extract_relations, file_labels
from kbtui.records.links import Links

_PROPOSALS: Final = (
    (11, "Cold starts", "storage", "provisional", "2023-02-01", ("Ana Ruiz",), None, None),
    (14, "Warm pools", "storage", "implemented", "2021-06-09", ("Ana Ruiz", "Bo Lind"), "v1.4", 11),
    (19, "Shared leases", "network", "provisional", "2024-08-30", ("Bo Lind",), None, 14),
    (23, "Lease audit", "network", "withdrawn", "2020-01-15", ("Ana Ruiz",), None, None),
)
_TICKETS: Final = (
    ("BIKE-3", "Bell rings twice", "open", "Cleo Ott", "BIKE-5"),
    ("BIKE-5", "Brake squeals", "open", "Dan Poe", "BIKE-8"),
    ("BIKE-8", "Chain slips", "closed", "Cleo Ott", ""),
    ("BIKE-9", "Lamp flickers", "blocked", "Cleo Ott", ""),
)
_MODULES: Final = (
    ("车铃模块", "已发布", "陈静", "2025-02-01"),
    ("刹车模块", "草稿", "李明", "2025-05-03"),
    ("车灯模块", "已发布", "李明", "2025-03-09"),
)
_PONDS: Final = (("Mill Pond", 12, "Easton"), ("Goose Pond", 4, "Weston"), ("Tarn Pond", 31, "Easton"))


def files() -> dict[str, str]:
    """Text by path."""
    found: dict[str, str] = {}
    slug = {row[0]: f"plans/{row[2]}/{row[0]}-{row[1].lower().replace(' ', '-')}" for row in _PROPOSALS}
    for number, title, group, status, created, authors, stable, replaces in _PROPOSALS:
        listed = "".join(f"  - {author}\n" for author in authors)
        more = f"replaces:\n  - /{slug[replaces]}\n" if replaces else ""
        stage = f"milestone:\n  stable: {stable}\n" if stable else ""
        found[f"{slug[number]}/meta.yaml"] = (
            f"title: {title}\nauthors:\n{listed}owning-group: group-{group}\nstatus: {status}\n"
            f"creation-date: {created}\n{more}{stage}"
        )
        found[f"{slug[number]}/README.md"] = f"# {title}\n\nWhat this is about, at length.\n"
    for key, title, status, person, blocks in _TICKETS:
        more = f"- Blocks: {blocks}\n" if blocks else ""
        found[f"desk/{key}.md"] = f"# {key}: {title}\n\n- Status: {status}\n- Assignee: {person}\n{more}\nSeen once.\n"
    for name, depth, town in _PONDS:
        rows = f"| Fact | Value |\n|---|---|\n| Town | {town} |\n| Maximum depth | {depth} m |\n"
        found[f"ponds/{name.replace(' ', '_')}.md"] = f"# {name}\n\n{rows}\nPeople skate here.\n"
    for title, status, person, day in _MODULES:
        found[f"产品/{title}.md"] = (
            f"---\n标题: {title}\n状态: {status}\n负责人: {person}\n更新日期: {day}\n---\n\n正文。\n"
        )
    return found


def links() -> Links:
    """The same, read."""
    return linked(files())


def linked(texts: Mapping[str, str]) -> Links:
    """Texts by path, read."""
    documents = [parse(text.encode(), path) for path, text in texts.items()]
    records = [
        FileRecord(path=d.path, kind=d.kind, title=d.title, labels=file_labels(d), line_count=d.text.count("\n"))
        for d in documents
    ]
    return Links(records, [relation for d in documents for relation in extract_relations(d)])


class Source:
    """The lines of the folder, as `kbtui.knowledge.reading.source.SourceReader` gives them."""

    def lines(self, path: str) -> list[str]:
        return files()[path].split("\n")
