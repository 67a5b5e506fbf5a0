"""Write the four invented folders of asked_16 and check its questions.

    python build.py OUT            # writes OUT/tickets, OUT/vault, OUT/docs and OUT/产品目录
    python build.py OUT --check    # writes them, then checks questions.jsonl against them

The texts stand in tickets.txt, vault.txt, docs.txt and catalogue.txt beside this file.
Standard library only, fixed seeds: the same files on every run.
"""

import collections
import datetime
import html
import json
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDERS = ("tickets", "vault", "docs", "产品目录")
STATES = {
    "O": "Open",
    "P": "In progress",
    "W": "Waiting for reply",
    "B": "Blocked",
    "R": "Resolved",
    "C": "Closed - won't fix",
    "D": "Closed - duplicate",
}
DONE = ("R", "C", "D")
# days on which some tickets were opened; the others lie between
OPENED = {402: "2024-06-17", 417: "2024-07-16", 428: "2024-09-03", 440: "2024-10-08", 452: "2025-01-03"}
OPENED |= {485: "2025-02-11", 503: "2025-03-05", 528: "2025-04-15"}
REPORTERS = {
    "Tidewell Baths": ["Jean Ashby", "Colm Reddy"],
    "Quayside Lido": ["Martha Oyelaran"],
    "Nordbad Aarhus": ["Signe Toft", "Bo Krag"],
    "Kestrel Sports Hall": ["Dev Malhotra"],
    "Brackwater Leisure": ["Una Prior", "Sam Tolley"],
    "Harbour Baths Oslo": ["Eirik Vang"],
    "St Aldhelm School": ["Mrs Pennick"],
    "Pinefield Arena": ["Marek Dolny", "Carla Voss"],
    "Elmhurst Climbing Centre": ["Petra Lund"],
    "Hallenbad Linth": ["Urs Ammann"],
    "Piscina Mar Vella": ["Nuria Ferrer"],
    "internal": ["Luc Berthier", "Greta Lindqvist"],
}
GROUPS = {
    "People": "person",
    "Instruments": "instrument",
    "Jobs": "job",
    "Stops": "stop",
    "Notes": "note",
    "Suppliers": "supplier",
    "Meetings": "meeting",
}
CHANGES = {"+": "Added", "~": "Changed", "!": "Fixed", "-": "Removed"}
PARENTS = {
    "concept": "Concepts",
    "cmd": "Commands",
    "conf": "Configuration reference",
    "err": "Error codes",
    "rel": "Release notes",
    "how": "Guides",
}


def source(name, marks="@"):
    """The blocks of a text beside this file: the first line without its mark, then the lines below it."""
    with open(f"{HERE}/{name}", encoding="utf-8") as file:
        text = file.read()
    for part in re.split(rf"(?m)^(?=[{marks}] )", text):
        if part.strip():
            yield part.strip("\n").split("\n")


def parted(line):
    return [part.strip() for part in line[2:].split("|")]


def keyed(text):
    """Pairs as in a=b;c=d."""
    return dict((p.strip() for p in pair.split("=", 1)) for pair in text.split(";") if "=" in pair)


def listed(text):
    return [part.strip() for part in text.split(",") if part.strip()]


def marked(block, mark):
    return [line[2:] for line in block[1:] if line.startswith(f"{mark} ")]


def prose(block, marks):
    return [line for line in block[1:] if line.strip() and not (line[0] in marks and line[1:2] == " ")]


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text.rstrip("\n") + "\n")


def between(number):
    """The day on which a ticket was opened, by the days that are given."""
    low = max(n for n in OPENED if n <= number)
    first = datetime.date.fromisoformat(OPENED[low])
    if low == number:
        return first
    high = min(n for n in OPENED if n > number)
    days = (datetime.date.fromisoformat(OPENED[high]) - first).days
    return first + datetime.timedelta(days=round(days * (number - low) / (high - low)))


def ticket_row(block):
    head, title, state, who, customer, component, days, *more = parted(block[0])
    row = {"number": int(head), "title": title, "code": state[0], "priority": state[2:], "assignee": who}
    row |= {"customer": customer, "component": component, **keyed(more[0] if more else "")}
    row["opened"] = between(row["number"])
    row["closed"] = row["opened"] + datetime.timedelta(days=int(days)) if row["code"] in DONE else None
    row["text"] = prose(block, "@>$-R")
    row["said"] = [line.split(": ", 1) for line in marked(block, ">")]
    row["shell"], row["steps"], row["end"] = marked(block, "$"), marked(block, "-"), marked(block, "R")
    row["path"] = f"T-{row['number']}.md"
    return row


def ticket_fields(row, rng):
    yield "Status", STATES[row["code"]]
    yield "Priority", row["priority"]
    yield "Assignee", row["assignee"]
    yield "Customer", row["customer"]
    yield "Reported by", rng.choice(REPORTERS[row["customer"]])
    yield "Component", row["component"]
    yield "Opened", row["opened"]
    for key, name in (("closed", "Closed"), ("version", "Version"), ("fixed", "Fixed in")):
        if row.get(key):
            yield name, row[key]
    for key, name in (("blocked", "Blocked by"), ("dup", "Duplicate of")):
        if row.get(key):
            yield name, f"[T-{row[key]}](T-{row[key]}.md)"


def ticket_page(row, rng):
    fields = "\n".join(f"**{key}:** {value}  " for key, value in ticket_fields(row, rng)).rstrip()
    parts = [f"# T-{row['number']}: {row['title']}", fields, "## Description", *row["text"]]
    if row["shell"]:
        parts.append("\n".join(["```", *row["shell"], "```"]))
    if row["steps"]:
        parts += ["## Steps", "\n".join(f"{i}. {step}" for i, step in enumerate(row["steps"], 1))]
    if row["said"]:
        parts.append("## Conversation")
        last = (row["closed"] - row["opened"]).days if row["closed"] else 12
        times = sorted((rng.randint(0, last), rng.randint(480, 1070)) for _ in row["said"])
        for (day, minute), (who, text) in zip(times, row["said"]):
            at = row["opened"] + datetime.timedelta(days=day)
            parts += [f"**{who}**, {at} {minute // 60:02}:{minute % 60:02}", text]
    if row["end"]:
        parts += ["## Resolution", *row["end"]]
    return "\n\n".join(parts)


def build_tickets(out):
    rng = random.Random(1601)
    rows = [ticket_row(block) for block in source("tickets.txt")]
    for row in rows:
        write(f"{out}/tickets/{row['path']}", ticket_page(row, rng))
    return rows


def vault_row(block):
    head, *rest = parted(block[0])
    if head.startswith("M "):
        row = {"group": "Meetings", "name": head[2:], "fields": {"present": rest[0]}, "text": prose(block, "@DA")}
        row["decisions"] = marked(block, "D")
        actions = [re.fullmatch(r"([x-]) (.+?) \| (.+?) \| (\S+)", line).groups() for line in marked(block, "A")]
        row["actions"] = [dict(zip(("done", "who", "what", "due"), a)) for a in actions]
    else:
        group, _, name = head.partition("/")
        row = {"group": group, "name": name, "fields": keyed(rest[0] if rest else ""), "text": block[1:]}
    row["needs"] = listed(row["fields"].get("needs", ""))
    row["path"] = f"{row['group']}/{row['name']}.md"
    return row


def vault_value(value, names):
    """A value with each name of a note in it as a link."""
    parts = [f"[[{part}]]" if part in names else part for part in listed(value)]
    return ", ".join(parts)


def spaced(lines):
    """The lines with a blank one between them, but not within lists."""
    text, last = "", False
    for line in lines:
        item = re.match(r"- |\d\. ", line) is not None
        text += "\n" if text and not (item and last) else ""
        text += line + "\n"
        last = item
    return text.strip("\n")


def vault_page(row, names):
    fields = [f"{key}:: {vault_value(value, names)}" for key, value in row["fields"].items()]
    fields.append(f"tags:: #{GROUPS[row['group']]}")
    if row["group"] == "Meetings":
        fields.insert(0, f"date:: {row['name']}")
        parts = [f"# Shop meeting {row['name']}", "\n".join(fields), *row["text"]]
        parts += ["## Decisions", "\n".join(f"- {text}" for text in row["decisions"])]
        marks = {"x": "[x]", "-": "[ ]"}
        lines = [f"- {marks[a['done']]} [[{a['who']}]]: {a['what']} [due:: {a['due']}]" for a in row["actions"]]
        return "\n\n".join([*parts, "## Actions", "\n".join(lines)])
    return "\n\n".join([f"# {row['name']}", "\n".join(fields), spaced(row["text"])])


def build_vault(out):
    rows = [vault_row(block) for block in source("vault.txt")]
    names = {row["name"] for row in rows}
    home = ["# Home", "", "Shop vault. Everything has a note, and every note has fields on top.", ""]
    for group in GROUPS:
        links = " · ".join(f"[[{row['name']}]]" for row in rows if row["group"] == group)
        home += [f"## {group}", "", links, ""]
    write(f"{out}/vault/Home.md", "\n".join(home))
    for row in rows:
        write(f"{out}/vault/{row['path']}", vault_page(row, names))
    return rows


def doc_title(kind, head):
    if kind == "err":
        return f"{head[0]} {head[1]}"
    return f"Carryall {head[0]} ({head[2]})" if kind == "rel" else f"[{head[0]}]" if kind == "conf" else head[0]


def doc_row(number, block):
    kind, _, first = block[0][2:].partition(" ")
    head = [part.strip() for part in first.removeprefix("|").split("|")]
    row = {"kind": kind, "id": head[0], "title": doc_title(kind, head), "block": block}
    if kind == "rel":
        row |= {"released": head[1], "codename": head[2], "manager": head[3], "owner": head[3], "reviewed": head[1]}
        row["state"] = "Current"
    else:
        row |= dict(zip(("owner", "state", "reviewed"), head[2:] if kind == "err" else head[1:]))
        row |= keyed(head[-1])
    slug = re.sub(r"[^A-Za-z0-9.]+", "-", row["title"]).strip("-")
    row["path"] = f"{slug}_{65600 + 7 * number}.html"
    return row


def marked_up(text):
    return re.sub(r"`(.+?)`", r"<code>\1</code>", html.escape(text, quote=False))


def table(head, lines):
    rows = ["<tr>" + "".join(f"<th>{marked_up(cell)}</th>" for cell in head) + "</tr>"]
    rows += ["<tr>" + "".join(f"<td>{marked_up(cell)}</td>" for cell in line) + "</tr>" for line in lines]
    return ['<table class="confluenceTable"><tbody>', *rows, "</tbody></table>"]


def properties(row):
    if row["kind"] == "rel":
        return [("Released", row["released"]), ("Codename", row["codename"]), ("Release manager", row["manager"])]
    pairs = [("Owner", row["owner"]), ("State", row["state"]), ("Reviewed", row["reviewed"])]
    names = {"severity": "Severity", "retried": "Retried", "component": "Component", "role": "Role"}
    names |= {"restart": "Needs restart of", "since": "Since"}
    return pairs + [(name, row[key]) for key, name in names.items() if key in row]


def doc_body(row):
    block, kind = row["block"], row["kind"]
    marks = {"cmd": "o$n", "conf": "k", "err": "cf", "rel": "+~!-"}.get(kind, "")
    lines = []
    steps = False
    for line in prose(block, marks):
        step = re.match(r"\d\. (.+)", line)
        if bool(step) != steps:
            lines.append("<ol>" if step else "</ol>")
            steps = bool(step)
        if step:
            lines.append(f"<li>{marked_up(step[1])}</li>")
        else:
            lines.append(line.replace("><tr>", ">\n<tr>") if line[0] == "<" else f"<p>{marked_up(line)}</p>")
    lines += ["</ol>"] if steps else []
    if kind == "conf":
        rows = [line.split(" | ") for line in marked(block, "k")]
        lines += table(("Setting", "Default", "Meaning", "Since"), rows)
    if kind == "cmd":
        lines += [
            "<h2>Options</h2>",
            *table(("Option", "Default", "Meaning"), [o.split(" | ") for o in marked(block, "o")]),
        ]
        lines += [f"<pre>{html.escape(text)}</pre>" for text in marked(block, "$")]
        lines += [f"<h2>Remarks</h2>\n<p>{marked_up(text)}</p>" for text in marked(block, "n")]
    for mark, title in (("c", "Usual cause"), ("f", "What to do")) if kind == "err" else ():
        lines += [f"<h2>{title}</h2>\n<p>{marked_up(text)}</p>" for text in marked(block, mark)]
    for mark, title in CHANGES.items() if kind == "rel" else ():
        items = [f"<li>{marked_up(text)}</li>" for text in marked(block, mark)]
        lines += [f"<h2>{title}</h2>", "<ul>", *items, "</ul>"] if items else []
    return lines


def html_page(title, crumbs, meta, body):
    lines = ["<!DOCTYPE html>", "<html>", "<head>", f"<title>Carryall : {html.escape(title)}</title>"]
    lines += ['<link rel="stylesheet" href="styles/site.css" type="text/css" />', '<meta charset="UTF-8">', "</head>"]
    lines += ['<body class="theme-default">', '<div id="page">', '<div id="main-header">', '<ol id="breadcrumbs">']
    lines += [f'<li><span><a href="index.html">{crumb}</a></span></li>' for crumb in crumbs]
    lines += ["</ol>", f'<h1 id="title-heading"><span id="title-text">{html.escape(title)}</span></h1>', "</div>"]
    lines += ['<div id="content" class="view">', *meta, '<div id="main-content" class="wiki-content group">', *body]
    lines += ["</div>", "</div>", '<div id="footer"><p>Document generated by the wiki on 14 February 2025</p></div>']
    return "\n".join([*lines, "</div>", "</body>", "</html>"])


def build_docs(out):
    rng = random.Random(1603)
    rows = [doc_row(number, block) for number, block in enumerate(source("docs.txt"))]
    authors = sorted({row["owner"] for row in rows})
    index = []
    for kind, parent in PARENTS.items():
        links = [f'<li><a href="{r["path"]}">{html.escape(r["title"])}</a></li>' for r in rows if r["kind"] == kind]
        index += [f"<h2>{parent}</h2>", "<ul>", *links, "</ul>"]
    write(f"{out}/docs/index.html", html_page("Carryall manual", [], [], index))
    for row in rows:
        made = f'Created by <span class="author">{rng.choice(authors)}</span>, last modified on {row["reviewed"]}'
        meta = [f'<div class="page-metadata">{made}</div>']
        parent = PARENTS[row["kind"]]
        body = ['<table class="page-properties"><tbody>']
        body += [f"<tr><th>{key}</th><td>{value}</td></tr>" for key, value in properties(row)]
        body += ["</tbody></table>", *doc_body(row)]
        write(f"{out}/docs/{row['path']}", html_page(row["title"], ["Carryall", parent], meta, body))
    return rows


PRODUCT = [
    "name",
    "status",
    "launched",
    "price",
    "power_w",
    "capacity",
    "warranty_months",
    "owner",
    "parts",
    "successor",
]


def product_row(block):
    head, *rest = parted(block[0])
    category, _, model = head.partition("/")
    row = {"model": model, "category": category, **dict(zip(PRODUCT, rest))}
    row["folder"] = f"产品/{category}/{model}"
    row["path"] = f"{row['folder']}/product.toml"
    row["block"] = block
    return row


def product_toml(row):
    lines = []
    for key in ("model", "name", "category", *PRODUCT[1:]):
        value = row[key]
        if key == "parts":
            lines.append(f"parts = [{', '.join(json.dumps(part, ensure_ascii=False) for part in listed(value))}]")
        elif value and (value.isdigit() or key == "launched"):
            lines.append(f"{key} = {value}")
        elif value:
            lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
    return "\n".join(lines)


def product_page(row):
    block = row["block"]
    faults = [line.split(" | ") for line in marked(block, "?")]
    parts = [f"# {row['model']} {row['name']}", *prose(block, "!?-"), "## 时间", *marked(block, "!"), "## 故障代码"]
    parts.append(
        "\n".join(["| 代码 | 意思 | 处理 |", "| --- | --- | --- |", *(f"| {' | '.join(f)} |" for f in faults)])
    )
    return "\n\n".join([*parts, "## 注意", "\n".join(f"- {text}" for text in marked(block, "-"))])


def rule_page(block):
    title, office, day = parted(block[0])
    text, last = f"# {title}\n\n| 负责部门 | 生效日期 |\n| --- | --- |\n| {office} | {day} |\n", ""
    for line in block[1:]:
        kind = "table" if line[0] == "|" else "step" if re.match(r"\d\. ", line) else "text"
        text += "\n" if kind != last or kind == "text" else ""
        text += line + "\n"
        if kind == "table" and last != "table":
            text += "|" + " --- |" * (line.count("|") - 1) + "\n"
        last = kind
    return text


def build_catalogue(out):
    rows = []
    for block in source("catalogue.txt", "@#"):
        if block[0][0] == "#":
            write(f"{out}/产品目录/制度/{parted(block[0])[0]}.md", rule_page(block))
            continue
        row = product_row(block)
        rows.append(row)
        write(f"{out}/产品目录/{row['path']}", product_toml(row))
        write(f"{out}/产品目录/{row['folder']}/说明.md", product_page(row))
    return rows


def build(out):
    return build_tickets(out), build_vault(out), build_docs(out), build_catalogue(out)


def closure(edges, first):
    """All members that first leads to, directly or through others."""
    seen, left = set(), list(edges.get(first, []))
    while left:
        name = left.pop()
        if name not in seen:
            seen.add(name)
            left += edges.get(name, [])
    return sorted(seen)


class Gold(dict):
    """For each computed question: the right facts and the files that prove them."""

    def put(self, name, members, facts):
        self[name] = ([str(fact) for fact in facts], [row["path"] for row in members])


def most(counts):
    """The member with the highest count and the count; "tie" where two share it."""
    (name, count), (_, second) = counts.most_common(2)
    return [name, count] if count > second else ["tie"]


def ticket_gold(rows, gold):
    by_number = {row["number"]: row for row in rows}

    def tickets(name, members):
        gold.put(name, members, [row["number"] for row in members])

    still = [r for r in rows if r["code"] == "O"]
    gold.put("all-01", still, [len(still)])
    tickets("all-02", sorted((r for r in rows if r["priority"] == "Urgent"), key=lambda r: r["opened"])[-3:])
    resolved = [r for r in rows if r["code"] == "R"]
    facts = most(collections.Counter(r["assignee"] for r in resolved))
    gold.put("all-03", [r for r in resolved if r["assignee"] == facts[0]], facts)
    edges = {r["number"]: [int(r["blocked"])] for r in rows if "blocked" in r}
    chain = closure(edges, 443)
    gold.put("all-04", [by_number[443], *(by_number[n] for n in chain)], chain)
    tickets("all-05", [r for r in rows if r["assignee"] == "unassigned"])
    tickets("all-06", [r for r in rows if r["customer"] == "Piscina Mar Vella" and r["code"] not in DONE])
    tickets("rel-01", [r for r in rows if r["assignee"] == "Farid Nasser" and r["code"] == "P"])
    gold.put("rel-02", [by_number[501]], [by_number[501]["blocked"]])
    tickets("rel-03", [r for r in rows if r.get("dup") == "431"])
    gold.put("rel-04", [by_number[524]], [by_number[524]["assignee"], by_number[524]["priority"]])
    gold.put("rel-05", [by_number[486]], [by_number[486]["closed"], by_number[486]["fixed"]])


def vault_gold(rows, gold):
    by_name = {row["name"]: row for row in rows}
    edges = {r["name"]: r["needs"] for r in rows if r["needs"]}

    def notes(name, members):
        gold.put(name, members, [row["name"] for row in members])

    meetings = [r for r in rows if r["group"] == "Meetings"]
    left = [(r, a) for r in meetings for a in r["actions"] if a["done"] == "-"]
    facts = most(collections.Counter(a["who"] for _, a in left))
    gold.put("all-07", [r for r, a in left if a["who"] == facts[0]], facts)
    notes("all-08", [r for r in rows if r["group"] == "Instruments" and "due" not in r["fields"]])
    chain = closure(edges, "Voicing Bolsward")
    members = {name for name in ["Voicing Bolsward", *chain] if by_name[name]["needs"]}
    gold.put("all-09", [by_name[name] for name in sorted(members)], chain)
    notes("all-10", [r for r in rows if "Refractory cement" in closure(edges, r["name"])])
    there = [r for r in meetings if "Teun Visser" in listed(r["fields"]["present"])]
    notes("all-11", sorted(there, key=lambda r: r["name"])[-3:])
    notes("rel-06", [r for r in rows if r["fields"].get("state") == "stuck"])
    mine = [(r, a) for r, a in left if a["who"] == "Lotte Zijlstra"]
    gold.put("rel-07", [r for r, _ in mine], [a["what"] for _, a in mine])
    grouw = by_name["Grouw Sint Piter"]
    gold.put("rel-08", [grouw], [grouw["fields"]["lead"], grouw["fields"]["due"]])
    gold.put("rel-09", [by_name["Casting batch 31"]], by_name["Casting batch 31"]["needs"])


def doc_gold(rows, gold):
    by_id = {row["id"]: row for row in rows}

    def pages(name, members):
        gold.put(name, members, [row["id"] for row in members])

    old = [r for r in rows if r["state"] == "Outdated"]
    gold.put("all-12", old, [len(old)])
    pages("all-13", [r for r in rows if r.get("severity") == "critical"])
    pages("all-14", [r for r in rows if r.get("role") == "clerk"])
    pages("all-15", sorted((r for r in rows if r["kind"] == "rel"), key=lambda r: r["released"])[-3:])
    gold.put("rel-10", [by_id["CA-602"]], [by_id["CA-602"]["owner"], by_id["CA-602"]["severity"]])
    pages("rel-11", [r for r in rows if r.get("component") == "courier" and r["retried"] == "yes"])
    gold.put("rel-12", [by_id["2.1.0"]], [by_id["2.1.0"]["released"], by_id["2.1.0"]["manager"]])


def catalogue_gold(rows, gold):
    by_model = {row["model"]: row for row in rows}

    def products(name, members):
        gold.put(name, members, [row["model"] for row in members])

    products("all-16", [r for r in rows if r["status"] == "停产"])
    hers = [r for r in rows if r["owner"] == "沈佳怡"]
    gold.put("all-17", hers, [len(hers)])
    products("all-18", [r for r in rows if int(r["warranty_months"]) >= 24])
    old = by_model["HZ-F403"]
    gold.put("rel-13", [old], [old["successor"], old["owner"]])
    coming = [r for r in rows if r["owner"] == "梁启航" and r["status"] == "预售"]
    gold.put("rel-14", coming, [x for r in coming for x in (r["model"], r["price"])])


def computed(tickets, vault, docs, catalogue):
    gold = Gold()
    ticket_gold(tickets, gold)
    vault_gold(vault, gold)
    doc_gold(docs, gold)
    catalogue_gold(catalogue, gold)
    return {name: (facts, list(dict.fromkeys(files))) for name, (facts, files) in gold.items()}


DASHES = dict.fromkeys(map(ord, "‐‑‒–—−"), "-")
QUOTES = {ord("‘"): "'", ord("’"): "'", ord("“"): '"', ord("”"): '"'}


def norm(text):
    text = re.sub(r"[*`]+|\[\[|\]\]", "", text.translate(DASHES).translate(QUOTES))
    return re.sub(r"\s+", " ", text).strip().lower()


def has(text, piece):
    """Is a fact stated in a text? Digits must not run on, short words must stand alone."""
    text, piece = norm(text), norm(piece)
    pattern = re.escape(piece)
    if piece[0].isdigit():
        pattern = r"(?<![\d])(?<!\d[.,])" + pattern
    if piece[-1].isdigit():
        pattern += r"(?!\d)(?![.,]\d)"
    if re.fullmatch(r"[a-z]{1,4}", piece):
        pattern = r"(?<![a-z])" + pattern + r"(?:s|es)?(?![a-z])"
    return re.search(pattern, text) is not None


KEYS = {"id", "corpus", "question", "lang", "kind", "answerable", "facts", "gold_files", "note"}
COMPUTED = ("whole_folder", "relational")


def read_all(folder):
    """The texts of a folder by path, pages of HTML without their tags."""
    texts = {}
    for root, _, files in os.walk(folder):
        for name in files:
            with open(f"{root}/{name}", encoding="utf-8") as file:
                text = file.read()
            if name.endswith(".html"):
                text = html.unescape(re.sub(r"</?code>", "", text))
                text = re.sub(r"<[^>\n]+>", " ", text)
            texts[os.path.relpath(f"{root}/{name}", folder)] = text
    return texts


def gold_faults(row, gold, texts):
    """Where the facts and the gold files of a question do not hold."""
    name, facts = row["id"], row["facts"]
    if row["kind"] in COMPUTED:
        right, files = gold[name]
        if any(f[0] not in right for f in facts) or sorted(files) != sorted(row["gold_files"]):
            yield f"{name}: differs from the computed gold {right} {files}"
        if len(facts) < min(4, len(right)):
            yield f"{name}: too few facts"
    else:
        yield from (f"{name}: in no gold file: {f}" for f in facts if not any(has(t, a) for a in f for t in texts))
    for wrong in row.get("must_not", []):
        if any(has(t, wrong) for t in texts):
            yield f"{name}: must_not {wrong!r} is in a gold file"


def faults(out, rows, gold):
    """What is wrong with the questions, as lines of text."""
    seen = set()
    corpora = {name: read_all(f"{out}/{name}") for name in FOLDERS}
    for row in rows:
        name, facts = row["id"], row["facts"]
        if set(row) - {"must_not"} != KEYS or name in seen or norm(row["question"]) in seen:
            yield f"{name}: keys, or the same question twice"
        seen |= {name, norm(row["question"])}
        if not row["answerable"] == bool(facts) == bool(row["gold_files"]) or len(facts) > 4:
            yield f"{name}: facts or gold files do not fit"
        missing = [p for p in row["gold_files"] if p not in corpora[row["corpus"]]]
        if missing:
            yield f"{name}: no such file: {missing}"
            continue
        yield from gold_faults(row, gold, [corpora[row["corpus"]][p] for p in row["gold_files"]])
        yield from (f"{name}: {a!r} is in the question" for f in facts for a in f if has(row["question"], a))


def elsewhere(out, rows):
    """Files beyond the gold ones that hold all the facts of a question: where an answer could be right by accident."""
    for row in rows:
        if row["kind"] not in COMPUTED and row["facts"]:
            texts = read_all(f"{out}/{row['corpus']}")
            others = [
                p
                for p, t in sorted(texts.items())
                if p not in row["gold_files"] and all(any(has(t, a) for a in f) for f in row["facts"])
            ]
            if others:
                yield f"{row['id']}: {', '.join(others)}"


def check(out, built):
    with open(f"{HERE}/questions.jsonl", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    for field in ("kind", "corpus", "lang"):
        print(field, dict(sorted(collections.Counter(r[field] for r in rows).items())))
    problems = list(faults(out, rows, computed(*built)))
    print(len(rows), "questions,", len(problems), "problems", *problems, sep="\n")
    print("all facts also in:", *elsewhere(out, rows), sep="\n")
    return bool(problems)


if __name__ == "__main__":
    written = build(sys.argv[1])
    sys.exit(check(sys.argv[1], written) if "--check" in sys.argv else 0)
