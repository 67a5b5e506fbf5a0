"""Write the three invented folders of asked_18 and check its questions.

    python build.py OUT            # writes OUT/leases, OUT/school and OUT/小区物业
    python build.py OUT --check    # writes them, then checks questions.jsonl against them

The files of a folder stand one after the other in the text beside this file, each below a line `=== PATH`.
Standard library only.
"""

import csv
import io
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = {"leases": "leases.txt", "school": "school.txt", "小区物业": "property.txt"}
KEYS = {"id", "corpus", "question", "lang", "kind", "answerable", "facts", "gold_files", "note"}


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


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


def heads(files, under):
    """The `key: value` lines at the top of each file below a folder, by path."""
    pattern = r"(?m)^([^:：\n]{2,12})[:：] ?(.+)$"
    return {path: dict(re.findall(pattern, text)) for path, text in files.items() if path.startswith(under)}


def figure(text):
    return int(re.sub(r"\D", "", text))


def computed(folders):
    """The figures that stand in no file, by question."""
    leases, school, property_ = folders["leases"], folders["school"], folders["小区物业"]
    rents = heads(leases, "leases/").values()
    repairs = table(property_["报修记录.csv"])
    repairers = [row["维修人"] for row in repairs if row["维修人"]]
    running = [r for r in rents if r["Landlord"] == "Quill Estates" and r["Status"] == "running"]
    mornings = re.findall(r"(?m)^\| \w+ \d+ March \| Mr Amadi \|", school["duty/gate-march.md"])
    return {
        "le-01": sum(r["Landlord"] == "Marjorie Pell" for r in rents),
        "le-07": sum(figure(r["Rent"]) for r in running),
        "le-10": sum(row["inspector"] == "Tobias" for row in table(leases["inspections.csv"])),
        "le-12": leases["late-rent.log"].count("Radek"),
        "sc-04": len(mornings),
        "wy-01": sum(row["状态"] != "已完成" for row in repairs),
        "wy-03": max(map(repairers.count, repairers)),
        "wy-09": sum(row["楼栋"] == "3号楼" for row in repairs),
        "wy-10": sum(figure(r["金额"]) for r in heads(property_, "外包合同/").values()),
    }


def faults(folders, rows, figures):
    """What is wrong with the questions, as lines of text."""
    seen = set()
    for row in rows:
        name, files = row["id"], folders[row["corpus"]]
        if set(row) != KEYS or name in seen or len(row["facts"]) > 4:
            yield f"{name}: keys, facts, or an id that another question has"
        seen.add(name)
        if not row["answerable"] == bool(row["facts"]) == bool(row["gold_files"]):
            yield f"{name}: facts or gold files do not fit"
        if set(row["gold_files"]) - set(files):
            yield f"{name}: no such file: {row['gold_files']}"
            continue
        gold = "\n".join(files[path] for path in row["gold_files"]).lower()
        for fact in row["facts"]:
            if any(alternative.lower() in row["question"].lower() for alternative in fact):
                yield f"{name}: {fact} is in the question"
            is_figure = name in figures and str(figures[name]) in fact
            if not is_figure and not any(alternative.lower() in gold for alternative in fact):
                yield f"{name}: not in the gold files: {fact}"
    for name, value in figures.items():
        facts = [fact for row in rows if row["id"] == name for fact in row["facts"]]
        if not any(str(value) in fact for fact in facts):
            yield f"{name}: the figure is {value}"


def check(folders):
    with open(f"{HERE}/questions.jsonl", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    problems = list(faults(folders, rows, computed(folders)))
    print(len(rows), "questions,", len(problems), "problems", *problems, sep="\n")
    return bool(problems)


if __name__ == "__main__":
    written = build(sys.argv[1])
    sys.exit(check(written) if "--check" in sys.argv[2:] else 0)
