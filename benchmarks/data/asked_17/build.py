"""Write the four invented folders of asked_17 and check its questions.

    python build.py OUT            # writes OUT/minutes, OUT/oncall, OUT/hivelog and OUT/程序文件
    python build.py OUT --check    # writes them, then checks questions.jsonl and lines.jsonl against them

The files of a folder stand one after the other in the text beside this file, each below a line `=== PATH`.
Standard library only.
"""

import collections
import csv
import io
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from label_checks import check

SOURCES = {"minutes": "minutes.txt", "oncall": "oncall.txt", "hivelog": "hivelog.txt", "程序文件": "procedures.txt"}


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


def table(files, path):
    for number, line in enumerate(csv.DictReader(io.StringIO(files[path])), 2):
        yield Row(path, [(key, value, number) for key, value in line.items()])


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


def minutes_gold(files, gold):
    action = r"- \[(.)\] (\w+): (.+) \(due (\S+)\)"
    actions = [r for r in items(files, action, ("done", "who", "what", "due")) if r.path != "README.md"]
    left = [r for r in actions if r["done"] == " "]
    gold.put("all-01", *most(left, "who"), "who")
    late = [r for r in left if r["due"] < "2024-12-01"]
    gold.put("all-02", [r["what"] for r in late], late, "what")
    gold.put("all-03", [len(left)], left, "done")
    heads = list(matched(files, "committee/", r"(Present|Apologies|Chair|Minutes): (.+)"))
    away = [r for r in heads if "Bryn Hollis" not in r["Present"]]
    gold.put("all-04", [r.path[10:-3] for r in away], away, "Present")
    hers = [r for r in left if r["who"] == "Bryn"]
    gold.put("rel-01", [r["what"] for r in hers], hers, "what")
    day = [r for r in heads if r.path == "committee/2024-10-08.md"]
    gold.put("rel-02", [day[0]["Chair"], day[0]["Minutes"]], day, "Chair", "Minutes")


def oncall_gold(files, gold):
    runbooks = list(matched(files, "runbooks/", r"(\w+): (.+)"))
    mortems = list(matched(files, "postmortems/", r"(\w+): (.+)"))
    drafts = [r for r in mortems if r["status"] == "draft"]
    gold.put("all-05", [r["title"] for r in drafts], drafts, "title", "status")
    worst = [r for r in mortems if r["severity"] == "sev1"]
    gold.put("all-06", [len(worst)], worst, "severity")
    edges = {r["title"]: re.findall(r"[\w-]+", r["depends_on"]) for r in runbooks}
    needy = closure(edges, "pgmain")
    gold.put("all-07", sorted(needy), [r for r in runbooks if r["title"] in needy], "title", "depends_on")
    gold.put("all-08", *most(mortems, "lead"), "lead")
    hers = [r for r in runbooks if r["owner"] == "Selma Okoye"]
    gold.put("rel-03", [r["title"] for r in hers], hers, "title", "owner")
    stale = [r for r in runbooks if r["tier"] == "1" and r["last_drill"] < "2024-10-01"]
    gold.put("rel-04", [r["title"] for r in stale], stale, "title", "tier", "last_drill")
    longest = max(worst, key=lambda r: int(r["minutes"]))
    gold.put("rel-05", [longest["title"], longest["minutes"]], [longest], "title", "severity", "minutes")
    owed = [r for r in items(files, r"- (.+)\. (\w+), open\.", ("what", "who")) if r["who"] == "Selma"]
    gold.put("rel-06", [r["what"] for r in owed], owed, "what")
    first = min(runbooks, key=lambda r: r["last_drill"])
    gold.put("rel-12", [first["title"], first["last_drill"]], [first], "title", "last_drill")


def hivelog_gold(files, gold):
    releases = list(items(files, r"## ([\d.]+) \((.+)\)", ("version", "day"), "CHANGELOG.md"))
    year = [r for r in releases if r["day"].startswith("2024")]
    gold.put("all-09", [r["version"] for r in year], year, "version")
    newest = max(releases, key=lambda r: r["day"])
    gold.put("rel-08", [newest["version"], newest["day"]], [newest], "version")
    names = ("from", "names")
    rows = [r for r in items(files, r"from hivelog import (()[\w, ]+)", names, ".py") if r.path.startswith("src/")]
    edges = {r.path[12:-3]: re.findall(r"\w+", r["from"]) for r in rows}
    needy = closure(edges, "sun")
    gold.put("all-10", sorted(needy), [r for r in rows if r.path[12:-3] in needy], "from")
    tests = []
    for path, text in files.items():
        for hit in re.finditer(r"(?m)^@pytest\.mark\.slow\ndef (\w+)", text):
            line = text[: hit.start()].count("\n") + 1
            tests.append(Row(path, [("mark", "slow", line), ("name", hit[1], line + 1)]))
    gold.put("all-11", [r["name"] for r in tests], tests, "mark", "name")
    row = r"\| (.+?) \| (.+?) \| (.+?) \| (.+?) \| (.+?) \| (.+?) \|"
    scales = items(files, row, ("Maker", "Ending", "Reading", "Zone", "Temperature", "Reader"), "scales.md")
    without = [r for r in scales if r["Temperature"] == "no"]
    gold.put("rel-07", [r["Maker"] for r in without], without, "Maker")


def procedures_gold(files, gold):
    rows = list(matched(files, "", r"\| (\w+) \| (.+) \|"))

    def documents(name, members, *fields):
        gold.put(name, [r["文件编号"] for r in members], members, "文件编号", *fields)

    documents("all-12", [r for r in rows if r["状态"] == "作废"], "状态")
    gold.put("all-13", *most([r for r in rows if r["状态"] == "现行"], "编制"), "编制", "状态")
    edges = {r["文件编号"]: r["引用文件"].split("、") for r in rows}
    needy = closure(edges, "GL-07")
    documents("all-14", [r for r in rows if r["文件编号"] in needy], "引用文件")
    year = [r for r in rows if r["生效日期"].startswith("2024")]
    gold.put("all-15", [len(year)], year, "生效日期")
    documents("rel-09", [r for r in rows if r["状态"] == "修订中" and r["批准"] == "柏岚"], "状态", "批准")
    devices = list(table(files, "设备台账.csv"))
    late = [r for r in devices if r["检定有效期"] < "2025-05-01"]
    gold.put("rel-10", [r["设备编号"] for r in late], late, "设备编号")
    his = [r for r in devices if r["责任人"] == "段磊"]
    gold.put("rel-11", [r["设备编号"] for r in his], his, "设备编号")


def computed(folders):
    gold = Gold()
    minutes_gold(folders["minutes"], gold)
    oncall_gold(folders["oncall"], gold)
    hivelog_gold(folders["hivelog"], gold)
    procedures_gold(folders["程序文件"], gold)
    return gold


if __name__ == "__main__":
    written = build(sys.argv[1])
    sys.exit(check(HERE, written, computed(written)) if "--check" in sys.argv else 0)
