"""What kbtui makes of plain questions over the demo data: the tables in docs/data.md, as they come.

The questions below were written before they were run and are asked in their order, each by itself, at default settings
and without a chat model: over the demo database (`kbtui demo`) and over a sales.csv that is made here. The first ten
that are answered, the first five that are understood and yet only offered, and the first five with a word that nothing
in the data stands for make the page.

    python benchmarks/data_page.py            # print the tables
    python benchmarks/data_page.py --write    # and put them into docs/data.md
"""

from __future__ import annotations

import argparse
import csv
import datetime
import os
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

NOW: Final = datetime.datetime(2026, 11, 20, 12, 0, tzinfo=datetime.UTC)
PAGE: Final = Path(__file__).parent.parent / "docs" / "data.md"
BEGIN: Final = "<!-- made by: python benchmarks/data_page.py --write -->\n"
END: Final = "<!-- end of what was made -->\n"

QUESTIONS: Final = (
    ("sales.csv", "total amount by region"),
    ("demo", "how many parcels are there"),
    ("sales.csv", "average amount per product in march"),
    ("demo", "how many incidents by code"),
    ("sales.csv", "which tables are there?"),
    ("demo", "什么尺寸的包裹最多"),
    ("sales.csv", "revenue by region"),
    ("demo", "which site has the most lockers"),
    ("sales.csv", "top 3 salespeople by amount"),
    ("demo", "how many lockers have no incidents"),
    ("sales.csv", "how much did we sell in 2025"),
    ("demo", "average minutes per incident code"),
    ("sales.csv", "amount per month"),
    ("demo", "how many parcels were never picked up"),
    ("sales.csv", "每个地区的总金额"),
    ("demo", "total refunds"),
    ("sales.csv", "what is the total revenue"),
    ("demo", "why did incidents rise in September"),
    ("sales.csv", "report on sales"),
    ("demo", "list the customers of kind business"),
    ("sales.csv", "median amount"),
    ("demo", "which customer has the most parcels"),
    ("sales.csv", "sales vs last year"),
    ("demo", "busiest day"),
    ("sales.csv", "the best deal"),
    ("demo", "longest incident"),
    ("sales.csv", "what is our profit margin"),
    ("demo", "who is the happiest customer"),
    ("sales.csv", "how many returns were there"),
    ("demo", "how heavy are the parcels"),
    ("sales.csv", "will sales go up next year"),
    ("demo", "谁是站长"),
    ("sales.csv", "which supplier is late"),
    ("demo", "what colour are the lockers"),
    ("sales.csv", "who approved the discounts"),
    ("demo", "which courier drives an electric van"),
)
"""Source and question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One question and what came of it; ``verdict`` is ``reads``, ``offers`` or ``refuses``."""

    source: str
    question: str
    verdict: str
    says: str
    found: str = ""


def make_sales(path: Path) -> None:
    """A file of sales: date, region, salesperson, product, quantity, amount; the same each time."""
    chance = random.Random(7)
    prices = {"Desk": 220, "Chair": 90, "Lamp": 35, "Shelf": 140}
    people = {"North": ("Ana", "Bob"), "South": ("Chen", "Dora"), "West": ("Eve",)}
    with path.open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        lines.writerow(("date", "region", "salesperson", "product", "quantity", "amount"))
        day = datetime.date(2025, 1, 1)
        while day <= datetime.date(2026, 11, 13):
            for region, names in people.items():
                if chance.random() < 0.4:
                    product, quantity = chance.choice(list(prices)), chance.randint(1, 6)
                    lines.writerow((day, region, chance.choice(names), product, quantity, quantity * prices[product]))
            day += datetime.timedelta(days=1)


def told(questions: Sequence[tuple[str, str]] = QUESTIONS) -> Iterator[Told]:
    """What comes of each question."""
    import kbtui
    from kbtui.demo.sample_database import sample_database

    with tempfile.TemporaryDirectory() as folder:
        empty, sales = Path(folder) / "empty", Path(folder) / "sales.csv"
        empty.mkdir()
        make_sales(sales)
        places = {"sales.csv": sales, "demo": sample_database()}
        for source, question in questions:
            engine = kbtui.Engine(kb=str(empty), sources=[str(places[source])], record=False, clock=lambda: NOW)
            yield _asked(engine, source, question)


def _asked(engine: Any, source: str, question: str) -> Told:
    events: list[Any] = []
    answer = engine.answer_query(question, events.append)
    chosen = [event for event in events if event.kind == "reading_chosen"]
    ran = [event.says for event in chosen if event.says]
    offered = [reading.says for event in chosen for reading in event.offered]
    if answer.outcome in ("answered", "partial"):
        says = ran[0] if ran else ""
        more = f" (the first of {len(ran)} statements)" if len(ran) > 1 else ""
        return Told(source=source, question=question, verdict="reads", says=says + more, found=_found(answer.markdown))
    unread = [word for event in chosen for word in event.unread]
    if offered and not unread:
        return Told(source=source, question=question, verdict="offers", says=" · ".join(offered))
    says = answer.markdown.split("\n\n")[0].replace("**", "").replace("\n", " ")
    return Told(source=source, question=question, verdict="refuses", says=", ".join(unread) or says)


def _found(markdown: str) -> str:
    """What the answer shows, in a line: its sentence, or the first rows of its table."""
    body = markdown.split("\n\n---\n")[0]
    opening = body.split("\n\n")[0]
    if not opening.startswith(("Read as:", "理解为", "|")) and "**" in opening:
        return opening.split("**")[1]
    rows = [line.strip("| ").split(" | ") for line in body.splitlines() if line.startswith("| ")]
    if rows:
        shown = "; ".join(" ".join(row) for row in rows[1:4])
        return shown + (" …" if len(rows) > 4 else "")
    lines = [line for line in body.split("\n\n") if not line.startswith(("Read as:", "理解为"))]
    return lines[0].replace("**", "").replace(" [1]", "").rstrip(".。") if lines else ""


def page(found: Sequence[Told]) -> str:
    """The tables, as they stand in docs/data.md."""
    parts = [BEGIN]
    titles = {
        "reads": (10, "Ten that it reads", "Read as", "Shows"),
        "offers": (5, "Five that it does not answer, and offers readings for", "Offers", ""),
        "refuses": (5, "Five that it refuses", "Not recognised", ""),
    }
    for verdict, (most, title, says, shows) in titles.items():
        rows = [one for one in found if one.verdict == verdict][:most]
        parts.append(f"\n**{title}** ({len(rows)} of {sum(one.verdict == verdict for one in found)} in this list)\n\n")
        head = ["Over", "Question", says, *([shows] if shows else [])]
        parts.append(f"| {' | '.join(head)} |\n|{'---|' * len(head)}\n")
        for one in rows:
            cells = [one.source, one.question, one.says, *([one.found] if shows else [])]
            parts.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n")
    return "".join((*parts, "\n", END))


def written(text: str, tables: str) -> str:
    """The page with the tables in place of those it has."""
    before, _, rest = text.partition(BEGIN)
    _, _, behind = rest.partition(END)
    return before + tables + behind


def rows(tables: str) -> list[list[str]]:
    """The cells of each row of the tables, without their heads."""
    lines = [
        line.strip("| ") for line in tables.splitlines() if line.startswith("| ") and not line.startswith("| Over")
    ]
    return [line.split(" | ") for line in lines]


def shown() -> str:
    """The tables as docs/data.md has them."""
    _, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    return BEGIN + rest.partition(END)[0] + END


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the tables into docs/data.md")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("DATA", "CACHE", "STATE", "CONFIG"):
            os.environ[f"XDG_{name}_HOME"] = str(Path(folder) / name.lower())
        tables = page(list(told()))
    sys.stdout.write(tables)
    if arguments.write:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), tables), encoding="utf-8")


if __name__ == "__main__":
    main()
