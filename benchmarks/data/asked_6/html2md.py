"""Plain markdown of a help page: title, keywords, headings, paragraphs, list items, table cells. html2md.py IN OUT"""

import sys
from html.parser import HTMLParser


class P(HTMLParser):
    def __init__(s):
        super().__init__(convert_charrefs=True)
        s.out = []
        s.cur = ""
        s.depth = 0
        s.on = False
        s.pre = ""
        s.row = None
        s.skip = 0
        s.list = []

    def flush(s):
        t = " ".join(s.cur.split())
        s.cur = ""
        if t:
            if s.row is not None:
                s.row[-1] = (s.row[-1] + " " + t).strip() if s.row else t
            else:
                s.out.append(s.pre + t)
            s.pre = "" if not s.row else s.pre

    def handle_starttag(s, t, a):
        a = dict(a)
        if t == "div" and a.get("id") == "DisplayArea":
            s.on = True
        if not s.on:
            return
        if t in ("script", "style"):
            s.skip += 1
        if t in ("h1", "h2", "h3", "h4", "h5", "h6"):
            s.flush()
            s.pre = "#" * int(t[1]) + " "
        elif t in ("p", "div", "pre", "br"):
            s.flush()
        elif t in ("ul", "ol"):
            s.flush()
            s.list.append([t, 0])
        elif t == "li":
            s.flush()
            if s.list:
                s.list[-1][1] += 1
                s.pre = "- " if s.list[-1][0] == "ul" else "%d. " % s.list[-1][1]
        elif t == "tr":
            s.flush()
            s.row = []
            s.rd = 0
        elif t in ("td", "th") and s.row is not None:
            s.flush()
            s.row.append("")
        elif t == "table":
            s.flush()
            s.row = None

    def handle_endtag(s, t):
        if not s.on:
            return
        if t in ("script", "style") and s.skip:
            s.skip -= 1
        if t in ("h1", "h2", "h3", "h4", "h5", "h6", "p", "li", "div", "pre"):
            s.flush()
        if t in ("ul", "ol") and s.list:
            s.flush()
            s.list.pop()
        if t in ("td", "th"):
            s.flush()
        if t == "tr" and s.row is not None:
            s.flush()
            r = s.row
            s.row = None
            if any(r):
                s.out.append("| " + " | ".join(r) + " |")

    def handle_data(s, d):
        if s.on and not s.skip:
            s.cur += d


src = open(sys.argv[1], encoding="utf8").read()
i = src.find('<div id="DisplayArea"')
j = src.find("<footer", i)
p = P()
p.feed(src[i : j if j > 0 else None])
p.flush()
o = []
for l in p.out:
    if o and l.startswith("| ") and o[-1].startswith("| "):
        o.append(l)
    else:
        o += ["", l]
open(sys.argv[2], "w", encoding="utf8").write("\n".join(o).strip() + "\n")
