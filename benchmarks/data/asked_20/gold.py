"""What is right for the whole-folder and relational questions of asked_20, computed from the files.

`computed` gets the texts of the folders by path. Standard library only; the frame is that of
asked_19.
"""

import os
import re

from gold_rows import Gold, Row, most


def matched(files, pattern):
    """One record a file, of the lines that match a pattern with a key and a value; the first line of a key counts."""
    for path, text in files.items():
        hits = [(re.fullmatch(pattern, line), number) for number, line in enumerate(text.split("\n"), 1)]
        pairs = [(hit[1].lower(), hit[2].strip(), number) for hit, number in hits if hit]
        if pairs:
            yield Row(path, pairs[::-1])


def headed(files):
    """One record a specification, of the indented lines below each of its headings."""
    for path, text in files.items():
        fields, key = {}, ""
        for number, line in enumerate(text.split("\n"), 1):
            if re.match(r"\S", line):
                key = line.strip().rstrip(":").replace("Contacts", "Contact")
            elif line.strip():
                fields.setdefault(key, []).append((line.strip(), number))
        if "Name Strings" in fields:
            yield Row(path, [(k, " ".join(t for t, _ in found), [n for _, n in found]) for k, found in fields.items()])


def listed(files, path, pattern):
    """One record for each line of a file that begins with a pattern."""
    lines = enumerate(files[path].split("\n"), 1)
    return [Row(path, [("line", line, number)]) for number, line in lines if re.match(pattern, line)]


def closure(edges, start):
    """The names that need another, directly or through others; `edges` gives the needs of each name."""
    reached = set()
    while True:
        more = {name for name, needs in edges.items() if {start, *reached} & set(needs)} - reached
        if not more:
            return reached
        reached |= more


def ikiwiki_gold(files, gold):
    fields = "Plugin|Author|Included in ikiwiki|Enabled by default|Included in goodstuff|Tags"
    rows = [row for row in matched(files, rf"({fields}): (.+)") if "plugin" in row]

    def where(key, value):
        return [row for row in rows if value in row.get(key, "").split(", ")]

    def put(name, chosen, *keys):
        gold.put(name, [row["plugin"] for row in chosen], chosen, "plugin", *keys)

    default = where("enabled by default", "yes")
    gold.put("all-01", [len(default)], default, "enabled by default")
    put("all-02", where("tags", "type/slow"), "tags")
    contrib = [row for row in rows if row.path.startswith("plugins/contrib/") and "author" in row]
    author, count = most(row["author"] for row in contrib)
    gold.put("all-03", [author, count], [row for row in contrib if row["author"] == author], "author")
    put("all-04", where("tags", "type/fun"), "tags")
    good = where("included in goodstuff", "yes")
    bundle = listed(files, "plugins/goodstuff.md", "- ")
    assert {row["line"][2:] for row in bundle} == {row["plugin"] for row in good}
    for row in good:
        row.lines["line"] = row.lines["included in goodstuff"]
    gold.put("all-05", [len(good)], good + bundle, "line")
    put("all-06", where("author", "Simon McVittie"), "author")
    put("rel-01", [row for row in where("tags", "type/auth") if row in default], "tags", "enabled by default")
    put("rel-02", [row for row in where("tags", "type/format") if row["author"] == "schmonz"], "author", "tags")


def extensions_gold(files, gold):
    rows = list(headed(files))

    def put(name, chosen, *keys):
        gold.put(name, [row["Name Strings"] for row in chosen], chosen, "Name Strings", *keys)

    obsolete = [row for row in rows if row.get("Status", "").startswith("Obsolete")]
    gold.put("all-07", [len(obsolete)], obsolete, "Status")
    put("all-08", [row for row in rows if row.get("Status") == "Proposal"], "Status")
    years = {row["Name Strings"]: max(re.findall(r"(?:19|20)\d\d", row.get("Version", "")) or ["0"]) for row in rows}
    newest = [row for row in rows if years[row["Name Strings"]] == max(years.values())]
    assert len(newest) == 1
    gold.put("all-09", [newest[0]["Name Strings"], newest[0]["Version"]], newest, "Name Strings", "Version")
    paul = [row for row in rows if "Brian Paul" in row.get("Contact", "")]
    gold.put("all-10", [len(paul)], paul, "Contact")
    edges = {row["Name Strings"]: re.findall(r"[A-Z]+_\w+", row.get("Dependencies", "")) for row in rows}
    needy = closure(edges, "EGL_KHR_base_image")
    put("all-11", [row for row in rows if row["Name Strings"] in needy], "Dependencies")
    put("rel-03", [row for row in rows if "Kristian Høgsberg" in row.get("Contact", "")], "Contact")
    found = [row for row in rows if "#446" in row.get("Number", "")]
    gold.put("rel-04", [found[0]["Name Strings"], found[0]["Contact"]], found, "Name Strings", "Contact", "Number")


def skycultures_gold(files, gold):
    inis = {path: text for path, text in files.items() if path.endswith(".ini")}
    rows = [row for row in matched(inis, r"\s*(\w+)\s*=\s*(.+)")]

    def put(name, chosen, *keys):
        gold.put(name, [f"{row['name']} {os.path.dirname(row.path)}" for row in chosen], chosen, "name", *keys)

    def told(name, text):
        names = {os.path.dirname(row.path): row["name"] for row in rows}
        chosen = [row for path in files for row in listed(files, path, f".*{text}")]
        folders = [os.path.dirname(row.path) for row in chosen]
        gold.put(name, [f"{names[folder]} {folder}" for folder in folders], chosen, "line")

    people = [row for row in rows if row["classification"] == "ethnographic"]
    gold.put("all-12", [len(people)], people, "classification")
    put("all-13", [row for row in rows if "license" not in row])
    told("all-14", "contributed by Karrie Berglund")
    authors = [re.split(r",? and |, | & | email:| <", row.get("author", "")) for row in rows]
    author, count = most(name for names in authors for name in names if " " in name)
    gold.put("all-15", [author, count], [row for row in rows if author in row.get("author", "")], "author")
    told("all-16", "created by Suki Lock for the South African Astronomical Observatory")
    put("rel-05", [row for row in rows if row["classification"] == "comparative"], "classification")
    put("rel-06", [row for row in rows if row.get("author") == "Khalid AlAjaji"], "author")
    put("rel-07", [row for row in rows if row.get("boundaries") == "own"], "boundaries")


def handbook_gold(files, gold):
    def titled(pattern):
        return [row for path in files if path != "index.md" for row in listed(files, path, pattern)]

    chapters = titled(r"# 第 \d+ 章")
    names = [re.sub(r"# 第 (\d+) 章 ", r"\1. ", row["line"]) for row in chapters]
    contents = [row for row in listed(files, "index.md", r"\d+\. ") if row["line"] in names]
    assert len(contents) == len(chapters)
    gold.put("all-17", [len(chapters)], chapters + contents, "line")
    sections = titled(r"## 9\.\d+\. ")
    contents = [listed(files, path, r"9\.\d+\. ") for path in ("unix-services.md", "index.md")]
    assert all(len(lines) == len(sections) for lines in contents)
    gold.put("all-18", [len(sections)], sum(contents, sections), "line")
    pages = [row.path for row in titled(r"## A\.\d+\. ")]
    light = [row for path in pages for row in listed(files, path, r".*LXDE")]
    gold.put("all-19", [files[row.path].split("\n")[0] for row in light], light, "line")


def computed(folders):
    gold = Gold()
    ikiwiki_gold(folders["ikiwiki"], gold)
    extensions_gold(folders["extensions"], gold)
    skycultures_gold(folders["skycultures"], gold)
    handbook_gold(folders["handbook_zh"], gold)
    return gold
