"""The tables of a MediaWiki installation, in miniature: the names are its own, the rows are invented."""

import random
import sqlite3
from datetime import datetime, timedelta

SCHEMA = """
CREATE TABLE page (page_id INTEGER PRIMARY KEY, page_namespace INTEGER, page_title TEXT, page_is_redirect INTEGER,
  page_is_new INTEGER, page_touched TEXT, page_latest INTEGER, page_len INTEGER);
CREATE TABLE revision (rev_id INTEGER PRIMARY KEY, rev_page INTEGER, rev_comment TEXT, rev_actor INTEGER,
  rev_timestamp TEXT, rev_minor_edit INTEGER, rev_len INTEGER, rev_parent_id INTEGER);
CREATE TABLE actor (actor_id INTEGER PRIMARY KEY, actor_user INTEGER, actor_name TEXT);
CREATE TABLE user (user_id INTEGER PRIMARY KEY, user_name TEXT, user_real_name TEXT, user_email TEXT,
  user_registration TEXT, user_editcount INTEGER);
CREATE TABLE user_groups (ug_user INTEGER, ug_group TEXT);
CREATE TABLE categorylinks (cl_from INTEGER, cl_to TEXT, cl_type TEXT, cl_timestamp TEXT);
CREATE TABLE pagelinks (pl_from INTEGER, pl_from_namespace INTEGER, pl_namespace INTEGER, pl_title TEXT);
CREATE TABLE image (img_name TEXT PRIMARY KEY, img_size INTEGER, img_width INTEGER, img_height INTEGER,
  img_major_mime TEXT, img_minor_mime TEXT, img_actor INTEGER, img_timestamp TEXT);
"""
USERS = [  # name, real name, groups, weight
    ("Mossgatherer", "Petra Lindholm", "sysop bureaucrat", 22),
    ("QuietOtter", "Sam Adeyinka", "sysop", 18),
    ("Nightjar77", "Colm Reilly", "", 14),
    ("LichenBot", None, "bot", 25),
    ("FernFan", "Yuki Tanabe", "autopatrolled", 12),
    ("StoneSkipper", "Greta Holm", "", 6),
    ("Bogwalker", None, "autopatrolled", 9),
    ("TrailMix", "Noor Haddad", "", 3),
    ("OldOak", "William Thatch", "", 2),
    ("Pebble", None, "", 1),
    ("Lurker9", None, "", 0),
    ("SundewSue", "Susan Marchbank", "", 0),
]
GUESTS = ["203.0.113.7", "198.51.100.42", "192.0.2.118", "203.0.113.90"]
NOUNS = [
    "Silver_birch",
    "Bog_myrtle",
    "Red_squirrel",
    "Heron",
    "Pine_marten",
    "Sphagnum",
    "Sundew",
    "Otter",
    "Kestrel",
    "Lapwing",
    "Brown_trout",
    "Adder",
    "Peat_bog",
    "Drystone_wall",
    "Heather",
    "Bracken",
    "Curlew",
    "Dragonfly",
    "Bilberry",
    "Rowan",
    "Capercaillie",
    "Wild_garlic",
    "Badger",
    "Barn_owl",
    "Stoat",
    "Salmon_ladder",
    "Watermill",
    "Old_quarry",
    "Sheepfold",
    "Hay_meadow",
    "Beaver_dam",
    "Glacial_erratic",
    "Stone_circle",
    "Lime_kiln",
    "Skylark",
    "Common_frog",
    "Newt",
    "Wood_anemone",
    "Foxglove",
    "Crossbill",
]
PLACES = ["Ashdale", "Birkwater", "Corrie_Glen", "Dunmoor", "Eskbank", "Fallow_Fell", "Garth_Wood", "Hollin_Hill"]
BIRDS = {"Heron", "Kestrel", "Lapwing", "Curlew", "Capercaillie", "Barn_owl", "Skylark", "Crossbill"}
BEASTS = {"Red_squirrel", "Pine_marten", "Otter", "Brown_trout", "Adder", "Dragonfly", "Badger", "Stoat", "Newt"}
BUILT = {"Drystone_wall", "Salmon_ladder", "Watermill", "Old_quarry", "Sheepfold", "Stone_circle", "Lime_kiln"}
WET = {"Sphagnum", "Peat_bog", "Bog_myrtle", "Beaver_dam", "Otter", "Heron", "Common_frog", "Newt", "Sundew"}
LAND = {"Peat_bog", "Hay_meadow", "Glacial_erratic", "Beaver_dam"}
CATEGORIES = ["Animals", "Plants", "Places", "Birds", "Wetlands", "History", "Stubs"]
NOTES = ["", "", "typo", "+ photo", "links", "new section", "revert vandalism", "cleanup", "reference added"]


def categories(title: str, rng: random.Random) -> list[str]:
    """Where an article is filed; one in seven is filed nowhere."""
    thing = title.split("_of_")[0]
    found = ["Animals"] * (thing in BIRDS | BEASTS | {"Common_frog"}) + ["Birds"] * (thing in BIRDS)
    found += ["History"] * (thing in BUILT) + ["Wetlands"] * (thing in WET)
    found += ["Places"] * (thing in PLACES or thing in LAND or "_of_" in title)
    found = found or ["Plants"]
    found += ["Stubs"] * (rng.random() < 0.2)
    return [] if rng.random() < 0.14 and title != "Curlew" else found


def stamp(moment: datetime) -> str:
    return moment.strftime("%Y%m%d%H%M%S")


def titles() -> list[tuple[int, str, int]]:
    """Namespace (0 article, 1 talk, 2 user, 10 template, 14 category), title, whether it redirects."""
    found = [(0, n, 0) for n in (*NOUNS, *PLACES)]
    found += [(0, f"{n}_of_{p}", 0) for i, n in enumerate(NOUNS) for p in (PLACES[i % 8], PLACES[(i * 3 + 1) % 8])]
    found += [(0, f"List_of_{c.lower()}", 0) for c in CATEGORIES[:5]]
    found += [(0, n.lower().replace("_", "-"), 1) for n in NOUNS[::3]]
    found += [(1, n, 0) for n in NOUNS[::2]] + [(2, u[0], 0) for u in USERS[:8]]
    return found + [(10, t, 0) for t in ("Infobox", "Stub", "Citation_needed")] + [(14, c, 0) for c in CATEGORIES]


def mediawiki(con: sqlite3.Connection) -> None:
    rng = random.Random(4107)
    con.executescript(SCHEMA)
    start, end = datetime(2023, 2, 1), datetime(2026, 11, 15)
    weights = [u[3] for u in USERS] + [2] * len(GUESTS)
    for number, name in enumerate([u[0] for u in USERS] + GUESTS, 1):
        con.execute("INSERT INTO actor VALUES (?,?,?)", (number, number if number <= 12 else None, name))
    pages, revision = titles(), 0
    for page, (space, title, redirect) in enumerate(pages, 1):
        born = start + timedelta(minutes=int(rng.random() ** 1.6 * 60 * 24 * 1300))
        count = 1 if redirect else max(1, round(rng.lognormvariate(1.9, 0.8)))
        span = (end - born).total_seconds()
        moments = [born, *sorted(born + timedelta(seconds=int(rng.random() * span)) for _ in range(count - 1))]
        length, parent = rng.randint(150, 4000) if not redirect else rng.randint(25, 50), 0
        for moment in moments:
            revision += 1
            who = rng.choices(range(1, 17), weights)[0]
            minor = int(rng.random() < (0.7 if who == 4 else 0.22)) if parent else 0
            if parent:
                length = max(60, length + rng.randint(-40, 60 if minor else 1500))
            note = "created page" if not parent else rng.choice(NOTES)
            row = (revision, page, note, who, stamp(moment), minor, length, parent)
            con.execute("INSERT INTO revision VALUES (?,?,?,?,?,?,?,?)", row)
            parent = revision
        row = (page, space, title, redirect, int(count == 1), stamp(moments[-1]), revision, length)
        con.execute("INSERT INTO page VALUES (?,?,?,?,?,?,?,?)", row)
        if space == 0 and not redirect:
            for name in categories(title, rng):
                con.execute("INSERT INTO categorylinks VALUES (?,?,'page',?)", (page, name, stamp(moments[-1])))
            for target in sorted({int(rng.random() ** 2.5 * len(pages)) for _ in range(rng.randint(0, 9))}):
                con.execute("INSERT INTO pagelinks VALUES (?,0,?,?)", (page, pages[target][0], pages[target][1]))
            if rng.random() < 0.15:
                con.execute("INSERT INTO pagelinks VALUES (?,0,0,?)", (page, rng.choice(["Yew", "Ptarmigan", "Tarn"])))
    for number, (name, real, groups, _) in enumerate(USERS, 1):
        edits = con.execute("SELECT COUNT(*) FROM revision WHERE rev_actor = ?", (number,)).fetchone()[0]
        joined = stamp(start + timedelta(days=number * (29 if number < 9 else 110), minutes=rng.randint(0, 1400)))
        mail = f"{name.lower()}@example.org" if real else None
        con.execute("INSERT INTO user VALUES (?,?,?,?,?,?)", (number, name, real, mail, joined, edits))
        con.executemany("INSERT INTO user_groups VALUES (?,?)", [(number, g) for g in groups.split()])
    for noun in rng.sample(NOUNS, 34):
        kind = rng.choices(["jpeg", "png", "svg+xml", "gif"], [60, 22, 12, 6])[0]
        size = (rng.randint(300, 6000), rng.randint(300, 4000))
        name = f"{noun}_{rng.randint(1, 40):02d}.{kind.replace('jpeg', 'jpg').replace('+xml', '')}"
        when = stamp(start + timedelta(minutes=rng.randint(0, 60 * 24 * 1380)))
        row = (
            name,
            rng.randint(9_000, 7_900_000),
            *size,
            "image",
            kind,
            rng.choices([1, 2, 3, 5, 6, 7], [10, 3, 4, 6, 2, 2])[0],
            when,
        )
        con.execute("INSERT INTO image VALUES (?,?,?,?,?,?,?,?)", row)
