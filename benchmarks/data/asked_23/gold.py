"""What is right for the whole-folder and relational questions of asked_23, computed from the files.

`computed` gets the texts of the folders by path. Standard library only; the frame is that of
asked_22.
"""

import re

from gold_rows import Gold, Row, most, spans


def written(files, pattern, *keys):
    """One record for each match of a pattern in the files; the groups of the pattern are the fields of the record."""
    for path, text in files.items():
        for hit, found in spans(text, pattern):
            yield Row(path, [*((key, hit[n], found) for n, key in enumerate(keys, 1)), ("hit", hit[0].strip(), found)])


def releases(files):
    """One record for each line of the release notes that dates a version, with the line of its heading."""
    line = r"(?m)^(?P<head>(?:bzr|brz)\S* ?.*)(?=\n#{5})|^:(?P<key>[^:\s][^:\n]*):[ \t]+(?P<value>.+)$"
    for path, text in files.items():
        if re.fullmatch(r"release-notes/br?z[r-].*\d\.txt", path):
            version, fields = "", []
            for hit, found in spans(text, line):
                if hit["head"]:
                    version, fields = (
                        re.sub(r"^(?:bzr|brz)[- ]*", "", hit["head"]).strip(),
                        [("head", hit["head"], found)],
                    )
                elif hit["key"] == "Codename":
                    fields.append(("codename", hit["value"].strip('"'), found))
                else:
                    name = version if hit["key"] == "Released" else hit["key"].replace(".b", "b")
                    yield Row(path, [*fields, ("version", name, found), ("date", hit["value"].strip(), found)])


def bazaar_gold(files, gold):
    rows = list(releases(files))
    dated = [row for row in rows if re.fullmatch(r"\d{4}-\d\d-\d\d", row["date"])]
    open_ = [row for row in rows if "RELEASED" in row["date"]]
    assert len(dated) + len(open_) == len(rows)

    def put(name, chosen, *keys):
        gold.put(name, [row["version"] for row in chosen], chosen, *(keys or ("date",)))

    never = [row for row in open_ if re.match(r"2\.\d", row["version"])]
    gold.put("all-01", [len(never)], never, "date")
    last = max(dated, key=lambda row: row["date"])
    gold.put("all-02", [last["version"], last["date"]], [last], "date")
    put("all-03", [row for row in dated if row["date"].startswith("2012")])
    year, _ = most(row["date"][:4] for row in dated)
    gold.put("all-04", [year], [row for row in dated if row["date"].startswith(year)], "date")
    designs = {path: text for path, text in files.items() if path.startswith("developers/")}
    heads = sorted(written(designs, r"(?m)^:Date: (\d{4}-\d\d-\d\d)$", "date"), key=lambda row: row["date"])
    assert heads[0]["date"] < heads[1]["date"]
    gold.put("all-05", [heads[0].path, heads[0]["date"]], heads[:1], "date")
    found = [row for row in heads if row["date"].startswith("2007-07")]
    gold.put("rel-04", [row.path for row in found], found, "date")
    put("rel-01", [row for row in dated if row["date"] == "2010-09-17"])
    found = [row for row in dated if row.get("codename") == "little italy"]
    gold.put("rel-02", [found[0]["version"], found[0]["date"]], found, "codename", "date")
    notes = {path: text for path, text in files.items() if path.startswith("release-notes/")}
    fixed = list(written(notes, r"\(([\w ]+), #606537\)", "who"))
    assert len(fixed) == 1
    above = [row for row in rows if row.path == fixed[0].path and row.lines["date"] < fixed[0].lines["who"]]
    held = Row(fixed[0].path, [("line", "", fixed[0].lines["who"] + above[-1].lines["date"])])
    gold.put("rel-03", [fixed[0]["who"], above[-1]["version"]], [held], "line")


def tagged(files):
    """One record a tag, of the fields in its file; the values of fields that go on below are joined."""
    for path, text in files.items():
        hits = list(spans(text, r"(?m)^([A-Z][\w-]+):[ \t]*(.*(?:\n[ \t].*)*)"))
        yield Row(path, [(hit[1].lower(), hit[2].strip(), found) for hit, found in hits])


def lintian_gold(files, gold):
    rows = list(tagged(files))

    def put(name, chosen, *keys):
        gold.put(name, [row["tag"] for row in chosen], chosen, *keys)

    errors = [row for row in rows if row["severity"] == "error"]
    gold.put("all-06", [len(errors)], errors, "severity")
    name, count = most(row["check"] for row in rows)
    gold.put("all-07", [name, count], [row for row in rows if row["check"] == name], "check")
    put("all-08", [row for row in rows if row.get("experimental") == "yes"], "experimental")
    old = {row["tag"]: len(row.get("renamed-from", "").split()) for row in rows}
    top = [row for row in rows if old[row["tag"]] == max(old.values())]
    assert len(top) == 1
    gold.put("all-09", [top[0]["tag"], max(old.values())], top, "renamed-from")
    put("all-10", [row for row in rows if row["check"] == "fields/mail-address" and "see-also" not in row], "tag")
    found = [row for row in rows if (row["check"], row["severity"]) == ("testsuite", "pedantic")]
    put("rel-05", found, "severity", "check")
    found = [row for row in rows if re.search(r"debian-policy 7\.4(?![\d.])", row.get("see-also", ""))]
    put("rel-06", found, "see-also")
    found = [row for row in rows if "systemd-no-service-for-init-script" in row.get("renamed-from", "").split()]
    gold.put("rel-07", [found[0]["tag"], found[0]["severity"]], found, "tag", "severity")
    marks = {row.path: row for row in written(files, r"(?m)^# Imported from pkg-perl-tools.*$")}
    gold.put("rel-08", [row["tag"] for row in rows if row.path in marks], marks.values(), "hit")


def munin_gold(files, gold):
    plugins = {path: text for path, text in files.items() if path != "plugins.history"}

    def put(name, chosen, key="hit"):
        gold.put(name, [row.path for row in chosen], chosen, key)

    first = list(written(plugins, r"\A#!.*\n"))
    assert len(first) == len(plugins)
    put("all-11", [row for row in first if not re.search(r"perl|/(?:ba)?sh", row["hit"])])
    by = list(written(plugins, r"(?m)^.*Magnus Hagander.*<.*$"))
    gold.put("all-12", [len({row.path for row in by})], by, "hit")
    marks = list(written(plugins, r"(?m)^.*#%#\s*family=snmpauto.*$"))
    assert len({row.path for row in marks}) == len(marks)
    gold.put("all-13", [len(marks)], marks, "hit")
    history = {"plugins.history": files["plugins.history"]}
    steps = list(written(history, r"(?m)^\[(.+?)\]\n((?:[^\[\n].*\n|\n)*)", "version", "names"))
    names = {row["version"]: [name for name in row["names"].split() if name != "#"] for row in steps}
    top, _ = most(version for version, given in names.items() for _ in given)
    head = next(written(history, rf"(?m)^\[{re.escape(top)}\]$"))
    gold.put("all-14", [top], [head], "hit")
    gold.put("rel-10", names["1.4.4"], [row for row in steps if row["version"] == "1.4.4"], "names")
    put("rel-09", list(written(plugins, r"(?m)^.*Stig Sandbeck Mathisen.*$")))
    put("rel-11", list(written(plugins, r"(?m)^.*public domain.*$")))
    put("rel-12", unique(written(plugins, r"(?m)^.*graph_category time\b.*$")))


def unique(rows):
    return list({row.path: row for row in rows}.values())


def components_gold(files, gold):
    log = {"CHANGELOG.md": files["CHANGELOG.md"]}
    steps = list(written(log, r"(?m)^### (\S+)\n\n`(\d{4}-\d\d-\d\d)`$", "version", "date"))
    found = [row for row in steps if row["date"].startswith("2019")]
    gold.put("all-15", [len(found)], found, "hit")
    issue = list(written(log, r"(?m)^.*\[#589\].*$"))
    above = [[row for row in steps if row.lines["date"] < row_.lines["hit"]][-1] for row_ in issue]
    both = [
        Row(row.path, [("line", "", row.lines["hit"] + row_.lines["hit"])])
        for row, row_ in zip(issue, above, strict=True)
    ]
    gold.put("rel-13", [row["version"] for row in above], both, "line")
    pages = {path: text for path, text in files.items() if path.endswith("/README.md")}
    titles = {path: re.search(r"(?m)^title: (.+)$", text)[1] for path, text in pages.items()}

    def put(name, chosen):
        gold.put(name, [f"{titles[row.path]} {row.path}" for row in chosen], chosen, "hit")

    put("all-16", list(written(pages, r"(?m)^\|\s*is-view\s*\|.*$")))
    tables = list(written(pages, r"(?m)^#### (\S+) (?:Props|参数)\n((?:\n|(?!#).+\n)*)", "name", "table"))
    sizes = {row["name"] + row.path: len(re.findall(r"(?m)^\|(?!属性|[-: |]+$)", row["table"])) for row in tables}
    top = [row for row in tables if sizes[row["name"] + row.path] == max(sizes.values())]
    assert len(top) == 1
    gold.put("all-17", [f"{top[0]['name']} {titles[top[0].path]}", max(sizes.values())], top, "hit")
    put("all-18", list(written(pages, r"\A---\ntitle: .*\n(?:.+\n)*?---\n\s*(?=###)")))
    put("rel-14", list(written(pages, r"(?m)^\|\s*mask-closable\s*\|[^|]*\|[^|]*\|\s*`false`\s*\|.*$")))


def computed(folders):
    gold = Gold()
    bazaar_gold(folders["bazaar"], gold)
    lintian_gold(folders["lintian"], gold)
    munin_gold(folders["munin"], gold)
    components_gold(folders["移动组件"], gold)
    return gold
