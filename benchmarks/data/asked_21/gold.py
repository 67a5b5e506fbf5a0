"""What is right for the whole-folder and relational questions of asked_21, computed from the files.

`computed` gets the texts of the folders by path. Standard library only; the frame is that of
asked_20.
"""

import os
import re
import unicodedata

from gold_rows import Gold, Row, closure, most, spans


def plain(text):
    """A text without accents, as people type names."""
    return "".join(char for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char))


def articles(files):
    """One record an article of Shorewall: its title, the authors below it and the last year of its copyright."""
    for path, text in files.items():
        head = list(spans(text.split("\nCopyright", 1)[0], r"(?m)^### (.+)$"))
        title = next(spans(text, r"(?m)^## (.+)$"))
        rights = next(spans(text, r"(?m)^Copyright.*$"))
        years = re.findall(r"(?:19|20)\d\d", rights[0][0])
        yield Row(
            path,
            [
                ("title", title[0][1], title[1]),
                ("authors", ", ".join(hit[1] for hit, _ in head), [line for _, found in head for line in found]),
                ("year", max(years), rights[1]),
            ],
        )


def shorewall_gold(files, gold):
    rows = list(articles(files))

    def put(name, chosen, *keys):
        gold.put(name, [f"{row['title']} {row.path}" for row in chosen], chosen, *keys)

    put("all-09", [row for row in rows if row["authors"] not in ("Tom Eastep", "")], "authors")
    put("rel-04", [row for row in rows if "Cristian Rodriguez" in plain(row["authors"])], "authors")
    put("rel-05", [row for row in rows if row["year"] == "2020"], "year")
    old = [
        (path, found) for path in files for _, found in spans(files[path], "This article applies to Shorewall 3.0 and")
    ]
    chosen = [Row(path, [("note", "", found)]) for path, found in old]
    assert len({row.path for row in chosen}) == len(chosen)
    gold.put("all-08", [len(chosen)], chosen, "note")


def fish_gold(files, gold):
    edges, lines = {}, {}
    for path, text in files.items():
        name = os.path.basename(path)[:-3]
        for section, at in spans(text, r"(?m)^## See Also\n(?:(?!#).*\n?)*"):
            hits = list(spans(section[0], r"(?m)^- (?:the )?(\w+) command"))
            edges.setdefault(name, []).extend(hit[1] for hit, _ in hits)
            lines.setdefault(name, {}).update({hit[1]: (path, at[0] + found[0] - 1) for hit, found in hits})
    pages = [name for name in edges if "cdh" in edges[name]]
    gold.put("rel-06", pages, [Row(lines[n]["cdh"][0], [("line", "", lines[n]["cdh"][1])]) for n in pages], "line")
    reached = closure(edges, "popd")
    used = [lines[source][name] for source in {"popd", *reached} for name in edges.get(source, ())]
    gold.put("all-10", sorted(reached), [Row(path, [("line", "", line)]) for path, line in used], "line")
    releases = [
        Row("relnotes.md", [("version", hit[1], found)])
        for hit, found in spans(files["relnotes.md"], r"(?m)^## fish (\S+) \(released .* 2022\)$")
    ]
    gold.put("all-07", [row["version"] for row in releases], releases, "version")


def savers(files):
    """One record a screen saver: its label, programmers, year, default delay, references and use of OpenGL."""
    for path, text in files.items():
        found = {
            "label": r'<screensaver name="\w+" _label="([^"]*)"',
            "by": r"Written by\s+([^;]+);\s*(\d{4})",
            "delay": r'id="delay"[^<>]*default="(\d+)"',
            "see": r"(?i)See also ([^<.]+)",
            "gl": r'gl="(yes)"',
        }
        hits = {key: next(spans(text, pattern), None) for key, pattern in found.items()}
        pairs = [(key, re.sub(r"\s+", " ", hit[0][1]), hit[1]) for key, hit in hits.items() if hit]
        yield Row(path, [*pairs, ("year", hits["by"][0][2], hits["by"][1])])


def screensavers_gold(files, gold):
    rows = list(savers(files))

    def put(name, chosen, *keys):
        gold.put(name, [f"{row['label']} {row.path}" for row in chosen], chosen, "label", *keys)

    def by(name):
        return [row for row in rows if name in row["by"]]

    gold.put("all-01", [len(by("Carsten Steger"))], by("Carsten Steger"), "by")
    years = sorted(row["year"] for row in rows)
    put("all-02", [row for row in rows if row["year"] == years[-1]], "by")
    oldest = [row for row in rows if row["year"] == years[0]]
    assert len(oldest) == 1
    gold.put("all-03", [oldest[0]["label"], years[0]], oldest, "label", "by")
    flat = [row for row in rows if "gl" not in row]
    gold.put("all-04", [len(flat)], flat, "label")
    year, count = most(years)
    gold.put("all-05", [year, count], [row for row in rows if row["year"] == year], "by")
    put("all-06", [row for row in rows if "see" in row], "see")
    put("rel-01", by("Blair Tennessy"), "by")
    put("rel-02", [row for row in rows if row.get("delay") == "40000"], "delay")
    put("rel-03", [row for row in by("Vianna") if "Marcelo" in row["by"]], "by")
    put("rel-07", [row for row in by("Jamie Zawinski") if row["year"] == "2018"], "by")


def computed(folders):
    gold = Gold()
    shorewall_gold(folders["shorewall"], gold)
    fish_gold(folders["fish"], gold)
    screensavers_gold(folders["screensavers"], gold)
    return gold
