"""What is right for the whole-folder and relational questions of asked_22, computed from the files.

`computed` gets the texts of the folders by path. Standard library only; the frame is that of
asked_21.
"""

import os
import re

from gold_rows import Gold, Row, closure, most, spans


def written(files, pattern, *keys):
    """One record for each match of a pattern in the files; the groups of the pattern are the fields of the record."""
    for path, text in files.items():
        for hit, found in spans(text, pattern):
            yield Row(path, [*((key, hit[n], found) for n, key in enumerate(keys, 1)), ("hit", hit[0], found)])


def docker_gold(files, gold):
    row = r"(?m)^\| (Deprecated|Removed|Disabled) +\| \[(.+?)\]\(.*?\) +\| (\S+) +\| (\S+) +\|$"
    rows = list(written({"deprecated.md": files["deprecated.md"]}, row, "status", "feature", "since", "until"))

    def put(name, chosen, *facts):
        gold.put(name, facts or [row["feature"] for row in chosen], chosen, "hit")

    only = [row for row in rows if row["status"] == "Deprecated"]
    put("all-01", only, len(only))
    versions = {row["since"]: tuple(map(int, row["since"][1:].split("."))) for row in rows}
    oldest = [row for row in rows if versions[row["since"]] == min(versions.values())]
    assert len(oldest) == 1
    put("all-02", oldest, oldest[0]["feature"], oldest[0]["since"])
    put("rel-01", [row for row in rows if (row["status"], row["since"]) == ("Removed", "v19.03")])
    put("rel-02", [row for row in rows if row["until"] == "v19.03"])
    heads = list(written(files, r"(?m)^title: \"(.+)\"\ndescription: .*\nkeywords: \"(.*)\"$", "title", "words"))
    chosen = [row for row in heads if "notary" in row["words"].split(", ")]
    gold.put("all-03", [row["title"] for row in chosen], chosen, "hit")
    note = list(written(files, r"cluster management command, and must be executed on a swarm\s+> manager node"))
    assert len({row.path for row in note}) == len(note)
    gold.put("all-05", [len(note)], note, "hit")
    related_gold(files, gold)


def related_gold(files, gold):
    """The commands that the pages of others name below "Related commands"."""
    edges, links = {}, {}
    for path, text in files.items():
        for section, at in spans(text, r"(?m)^## Related commands\n(?:(?!#).*\n?)*"):
            name = os.path.basename(path)[:-3]
            for hit, found in spans(section[0], r"(?m)^\* \[.*?\]\(([\w-]+)\.md\)"):
                edges.setdefault(name, []).append(hit[1])
                links[name, hit[1]] = Row(path, [("line", "", at[0] + found[0] - 1)])
    pages = [name for name in edges if "system_df" in edges[name]]
    gold.put("rel-03", [name.replace("_", " ") for name in pages], [links[n, "system_df"] for n in pages], "line")
    reached = {name for name in closure(edges, "image_prune") if name.startswith("network_")}
    used = [links[name, other] for name in ("image_prune", "network_prune") for other in reached & set(edges[name])]
    gold.put("all-04", sorted(name.replace("_", " ") for name in reached), used, "line")


def described(files):
    """One record a core, of the lines with a key and a value."""
    for path, text in files.items():
        hits = list(spans(text, r'(?m)^[ \t]*(\w+)[ \t]*=[ \t]*"?(.*?)"?[ \t]*$'))
        yield Row(path, [(hit[1], hit[2], found) for hit, found in hits])


def cores_gold(files, gold):
    rows = list(described(files))

    def put(name, chosen, *keys):
        gold.put(name, [f"{row['display_name']} {row.path}" for row in chosen], chosen, *keys)

    def where(key, value):
        return [row for row in rows if value in row.get(key, "").split("|")]

    trial = where("is_experimental", "true")
    gold.put("all-06", [len(trial)], trial, "is_experimental")
    counts = {row.path: int(row.get("firmware_count") or 0) for row in rows}
    top = [row for row in rows if counts[row.path] == max(counts.values())]
    assert len(top) == 1
    gold.put("all-07", [top[0]["display_name"], max(counts.values())], top, "firmware_count")
    put("all-08", where("permissions", "dynarec"), "permissions")
    kind, count = most(row["categories"] for row in rows if row["categories"] != "Emulator")
    gold.put("all-09", [kind, count], where("categories", kind), "categories")
    found = [row for row in rows if "Rinnegatamante" in row.get("authors", "")]
    gold.put("all-10", [len(found)], found, "authors")
    put("rel-04", [row for row in rows if "Apache" in row.get("license", "")], "license")
    free = [row for row in where("manufacturer", "Sega") if row["license"] == "Non-commercial"]
    put("rel-05", free, "manufacturer", "license")
    put("rel-06", where("supported_extensions", "z80"), "supported_extensions")
    wanted = [
        Row(row.path, [("display_name", row["display_name"], 1), ("file", "", row.lines[key])])
        for row in rows
        for key in row
        if re.fullmatch(r"firmware\d+_path", key) and row[key] == "disksys.rom"
    ]
    put("rel-07", wanted, "file")


def perldelta_gold(files, gold):
    deltas = {path: text for path, text in files.items() if path != "perlhist.pod"}
    names = {path: next(spans(text, r"new for perl ?v?([\d._]+)"))[0][1] for path, text in deltas.items()}

    def put(name, chosen, key="hit"):
        gold.put(name, [f"{names[row.path]} {row.path}" for row in chosen], chosen, key)

    put("all-11", list(written(deltas, "(?m)^=head1 Obituary$")))
    thanks = r"from\s+(?:over\s+|approximately\s+)?(\d+)\s+authors"
    rows = sorted(written(deltas, thanks, "authors"), key=lambda row: int(row["authors"]))
    assert int(rows[0]["authors"]) < int(rows[1]["authors"])
    gold.put("all-12", [names[rows[0].path], rows[0]["authors"]], rows[:1], "authors")
    put(
        "rel-08",
        [next(written({path: text}, "CVE-2013-1667")) for path, text in deltas.items() if "CVE-2013-1667" in text],
    )
    put("rel-10", list(written(deltas, r"Atsushi\s+Sugawara")))
    line = r"(?m)^ ([^\W\d]\S*(?: [A-Z])?)? +(\d+\.\d+\.\d+)(-?RC\d)? +(\d{4}-\w{3}-\d\d)"
    past = list(written({"perlhist.pod": files["perlhist.pod"]}, line, "holder", "version", "trial", "date"))
    found = [row for row in past if row["holder"] == "Abigail"]
    gold.put("all-13", [len(found)], found, "hit")
    stable = [row for row in past if not row["trial"] and int(row["version"].split(".")[1]) % 2 == 0]
    found = [row for row in stable if row["date"].startswith("2018")]
    gold.put("all-14", [row["version"] for row in found], found, "hit")
    found = [row for row in past if row["version"] == "5.24.3" and not row["trial"]]
    gold.put("rel-09", [found[0]["holder"], found[0]["date"]], found, "hit")
    between = r"differences between\s+(?:the )?v?([\d.]+) release and\s+the\s+v?([\d.]+)\s+release"
    steps = {row["new"]: row for row in written(deltas, between, "old", "new")}
    chain = ["5.30.3"]
    while steps[chain[-1]]["old"] != "5.28.0":
        chain.append(steps[chain[-1]]["old"])
    gold.put("all-15", [f"{new} {steps[new].path}" for new in chain[1:]], [steps[new] for new in chain], "hit")


MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def day(text):
    """A date as year, month and day, of a text such as 2003/05/13, 2000年12月23日 or Nov 9 2000."""
    hit = re.match(r"([A-Z][a-z]{2}) (\d+) (\d{4})", text)
    if hit:
        return int(hit[3]), MONTHS.index(hit[1]) + 1, int(hit[2])
    return tuple(map(int, re.findall(r"\d+", text)))


def pages_gold(files, gold):
    by = r"(?m)^[^\w\s]*中文版维护人[^\w\s]*\n+((?: +.*\n)+)(?:\s*^[^\w\s]*中文版最新更新[^\w\s]*\n+ +(.*))?"
    rows = list(written(files, by, "by", "date"))

    def put(name, chosen):
        gold.put(name, [f"{row.path.split('.')[0]} {row.path}" for row in chosen], chosen, "hit")

    jin = list(written(files, "翻译人员：金步国"))
    gold.put("all-16", [len(jin)], jin, "hit")
    last = max(day(row["date"] or "") for row in rows)
    newest = [row for row in rows if day(row["date"] or "") == last]
    assert len(newest) == 1
    gold.put("all-17", [newest[0].path.split(".")[0], newest[0]["date"]], newest, "hit")
    put("all-18", [row for row in rows if "riser" in row["by"]])
    put("rel-11", [row for row in rows if day(row["date"] or "")[:2] == (2001, 11)])
    put("rel-12", [row for row in rows if "所罗门" in row["by"] and day(row["date"])[0] == 2001])
    put("rel-13", [row for row in rows if "唐友" in row["by"]])
    found = [row for row in rows if row.path == "exportfs.8.txt"]
    gold.put("rel-14", [found[0]["by"], found[0]["date"]], found, "hit")


def computed(folders):
    gold = Gold()
    docker_gold(folders["docker"], gold)
    cores_gold(folders["cores"], gold)
    perldelta_gold(folders["perldelta"], gold)
    pages_gold(folders["手册页"], gold)
    return gold
