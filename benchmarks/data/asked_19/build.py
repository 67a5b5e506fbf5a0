"""Write the four invented folders of asked_19 and check its questions.

    python build.py OUT            # writes OUT/docs, OUT/wiki, OUT/proposals and OUT/帮助中心
    python build.py OUT --check    # writes them, then checks questions.jsonl and lines.jsonl against them

The files of a folder stand one after the other in the text beside this file, each below a line `=== PATH`.
Standard library only. The frame is that of asked_17.
"""

import collections
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from label_checks import check

SOURCES = {"docs": "docs.txt", "wiki": "wiki.txt", "proposals": "proposals.txt", "帮助中心": "help.txt"}


def files_of(name):
    """The texts of a folder by path."""
    with open(f"{HERE}/{SOURCES[name]}", encoding="utf-8") as file:
        parts = re.split(r"(?m)^=== (.+)\n", file.read())
    return {path: text.rstrip("\n") + "\n" for path, text in zip(parts[1::2], parts[2::2])}


def build(out):
    folders = {name: files_of(name) for name in SOURCES}
    for name, files in folders.items():
        for path, text in files.items():
            os.makedirs(os.path.dirname(f"{out}/{name}/{path}"), exist_ok=True)
            with open(f"{out}/{name}/{path}", "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
    return folders


class Row(dict):
    """The fields of a record, with its file and with the line of each field."""

    def __init__(self, path, pairs):
        super().__init__((key, value) for key, value, _ in pairs)
        self.path = path
        self.lines = {key: line for key, _, line in pairs}


def numbered(text):
    return enumerate(text.split("\n"), 1)


def matched(files, under, pattern):
    """One record a file below a folder, of the lines that match a pattern with a key and a value."""
    for path, text in files.items():
        if path.startswith(under):
            hits = [(re.fullmatch(pattern, line), number) for number, line in numbered(text)]
            pairs = [(hit[1], hit[2], number) for hit, number in hits if hit]
            if pairs:
                yield Row(path, pairs)


def items(files, pattern, names, ends=""):
    """One record for each line that matches a pattern."""
    for path, text in files.items():
        for number, line in numbered(text):
            hit = re.fullmatch(pattern, line)
            if hit and path.endswith(ends):
                yield Row(path, [(name, value, number) for name, value in zip(names, hit.groups())])


def closure(edges, start):
    """The names that need another, directly or through others; `edges` gives the needs of each name."""
    reached = set()
    while True:
        more = {name for name, needs in edges.items() if {start, *reached} & set(needs)} - reached
        if not more:
            return reached
        reached |= more


class Gold(dict):
    """What is right for a question and where it stands, computed from the fields."""

    def put(self, name, facts, rows, *fields):
        lines = collections.defaultdict(set)
        for row in rows:
            lines[row.path] |= {row.lines[field] for field in fields}
        self[name] = [str(fact) for fact in facts], {path: sorted(found) for path, found in lines.items()}


def most(rows, field):
    counted = collections.Counter(row[field] for row in rows).most_common(2)
    assert len(counted) == 1 or counted[0][1] > counted[1][1]
    name, count = counted[0]
    return [name, count], [row for row in rows if row[field] == name]


def docs_gold(files, gold):
    plugins = list(matched(files, "plugins/", r"(\w+): (.+)"))
    edges = {r["plugin"]: re.findall(r"[\w-]+", r["needs"]) for r in plugins}
    free = [r for r in plugins if not edges[r["plugin"]]]
    gold.put("all-01", [r["plugin"] for r in free], free, "plugin", "needs")
    needy = closure(edges, "calendar")
    gold.put("all-02", sorted(needy), [r for r in plugins if r["plugin"] in needy], "plugin", "needs")
    gold.put("all-03", *most(plugins, "maintainer"), "maintainer")
    releases = list(items(files, r"## ([\d.]+) \((.+)\)", ("version", "day"), "CHANGELOG.md"))
    year = [r for r in releases if r["day"].startswith("2025")]
    gold.put("all-04", [r["version"] for r in year], year, "version")
    row = r"\| `([\w.]+)` \| (.+?) \| (.+?) \| (.+?) \|"
    settings = items(files, row, ("name", "default", "meaning", "when"), "settings.md")
    restart = [r for r in settings if r["when"] == "restart"]
    gold.put("rel-01", [r["name"] for r in restart], restart, "name")
    beta = [r for r in plugins if r["state"] == "beta"]
    gold.put("rel-02", [r["plugin"] for r in beta], beta, "plugin", "state")
    commands = items(files, r"\| `(plumb \w+)` \| (.+?) \| (yes|no) \|", ("name", "what", "root"), "commands.md")
    root = [r for r in commands if r["root"] == "yes"]
    gold.put("rel-03", [r["name"] for r in root], root, "name")


def wiki_gold(files, gold):
    pages = list(matched(files, "", r"(Owner|Last reviewed|Status|Decided|By): (.+)"))
    old = [r for r in pages if r.get("Status") == "outdated"]
    gold.put("all-05", [r.path for r in old], old, "Status")
    gold.put("all-06", *most(pages, "Owner"), "Owner")
    decided = [r for r in pages if "Decided" in r]
    gold.put("all-07", [len(decided)], decided, "Decided")
    stale = [r for r in pages if r.get("Last reviewed", "9") < "2025-06-01"]
    gold.put("all-08", [r.path for r in stale], stale, "Last reviewed")
    his = [r for r in pages if r["Owner"] == "Douwe Hiemstra" and r.path.startswith("Policies/")]
    gold.put("rel-04", [f"{r.path} Discounts" if "Money" in r.path else r.path for r in his], his, "Owner")
    stock = [r for r in pages if "Zaagtand instead" in r.path]
    gold.put("rel-05", stock[0]["By"].split(", "), stock, "By")


def proposals_gold(files, gold):
    rows = [
        Row(r.path, [(k, v, r.lines[k]) for k, v in r.items()]) for r in matched(files, "sep-", r"([A-Z][\w-]+): (.+)")
    ]
    number = {r["Proposal"].lstrip("0"): r for r in rows}

    def named(members):
        return [f"SEP {r['Proposal']} {int(r['Proposal'])} {r['Title']}" for r in members]

    refused = [r for r in rows if r["Status"] == "Rejected"]
    gold.put("all-09", named(refused), refused, "Title", "Status")
    edges = {n: r.get("Requires", "").split(", ") for n, r in number.items()}
    needy = closure(edges, "15")
    members = [r for n, r in number.items() if n in needy]
    gold.put("all-10", named(members), members, "Title", "Requires")
    final = [r for r in rows if r["Status"] == "Final"]
    gold.put("all-11", [len(final)], final, "Status")
    new = [r for r in rows if r.get("Supersedes") == "4"]
    gold.put("rel-06", [new[0]["Author"], new[0]["Title"]], new, "Title", "Author", "Supersedes")
    drafts = [r for r in rows if r["Status"] == "Draft" and r["Author"] == "Mwangi Otieno"]
    gold.put("rel-07", named(drafts), drafts, "Title", "Author", "Status")
    newest = max(rows, key=lambda r: r["Created"])
    gold.put("rel-08", [named([newest])[0], newest["Created"]], [newest], "Title", "Created")
    added = [r for r in rows if r.get("Sheaf-Version") == "1.2"]
    gold.put("rel-09", named(added), added, "Title", "Sheaf-Version")


def help_gold(files, gold):
    rows = list(matched(files, "", r"(标题|适用版本|负责人|更新日期): (.+)"))
    only = [r for r in rows if r["适用版本"] == "旗舰版"]
    gold.put("all-12", [r["标题"] for r in only], only, "标题", "适用版本")
    gold.put("all-13", *most(rows, "负责人"), "负责人")
    late = [r for r in rows if r["更新日期"] >= "2026-08-01"]
    gold.put("all-14", [r["标题"] for r in late], late, "标题", "更新日期")
    releases = list(items(files, r"## ([\d.]+)（(.+)）", ("version", "day"), "更新日志.md"))
    year = [r for r in releases if r["day"].startswith("2025")]
    gold.put("all-15", [len(year)], year, "version")
    hers = [r for r in rows if r["负责人"] == "余昕"]
    gold.put("rel-10", [r["标题"] for r in hers], hers, "标题", "负责人")
    oldest = min(rows, key=lambda r: r["更新日期"])
    gold.put("rel-11", [oldest["标题"], oldest["更新日期"]], [oldest], "标题", "更新日期")
    reports = items(files, r"\| (.+?) \| (.+?) \| (每.+?) \|", ("name", "who", "often"), "报表.md")
    seen = [r for r in reports if r["who"] == "店长"]
    gold.put("rel-12", [r["name"] for r in seen], seen, "name")


def computed(folders):
    gold = Gold()
    docs_gold(folders["docs"], gold)
    wiki_gold(folders["wiki"], gold)
    proposals_gold(folders["proposals"], gold)
    help_gold(folders["帮助中心"], gold)
    return gold


if __name__ == "__main__":
    written = build(sys.argv[1])
    sys.exit(check(HERE, written, computed(written)) if "--check" in sys.argv else 0)
