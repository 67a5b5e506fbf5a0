"""Records of files with the lines of their fields, and what is right for a question, computed from them.

The `gold.py` of asked_20, asked_21 and asked_22 begin with these. Standard library only.
"""

import collections
import re


class Row(dict):
    """The fields of a record, with its file and with the lines of each field."""

    def __init__(self, path, pairs):
        super().__init__((key, value) for key, value, _ in pairs)
        self.path = path
        self.lines = {key: [line] if isinstance(line, int) else line for key, _, line in pairs}


def spans(text, pattern):
    """The matches of a pattern in a text, each with the numbers of the lines that it covers."""
    for hit in re.finditer(pattern, text):
        first = text.count("\n", 0, hit.start()) + 1
        yield hit, list(range(first, first + hit[0].count("\n") + 1))


def closure(edges, start):
    """The names that are reached from another, directly or through others; `edges` gives the next names of each."""
    reached = set()
    while True:
        more = {name for source in {start, *reached} for name in edges.get(source, ())} - reached - {start}
        if not more:
            return reached
        reached |= more


class Gold(dict):
    """What is right for a question and where it stands, computed from the fields."""

    def put(self, name, facts, rows, *fields):
        lines = collections.defaultdict(set)
        for row in rows:
            lines[row.path] |= {line for field in fields for line in row.lines[field]}
        self[name] = [str(fact) for fact in facts], {path: sorted(found) for path, found in sorted(lines.items())}


def most(names):
    (name, count), (_, second) = collections.Counter(names).most_common(2)
    assert count > second
    return name, count
