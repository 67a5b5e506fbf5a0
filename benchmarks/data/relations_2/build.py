"""Write small SQLite databases to databases/ (or the folder given). Standard library only, fixed seed."""

import os
import random
import sqlite3
import sys

random.seed(11)
OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "databases")
os.makedirs(OUT, exist_ok=True)


def new(name):
    p = os.path.join(OUT, f"{name}.sqlite")
    if os.path.exists(p):
        os.remove(p)
    return sqlite3.connect(p)


F = [
    "Alice",
    "Brian",
    "Carmen",
    "Derek",
    "Emma",
    "Felix",
    "Gina",
    "Harold",
    "Isla",
    "Jorge",
    "Kim",
    "Leo",
    "Mona",
    "Nick",
    "Opal",
    "Paul",
]
L = [
    "Adler",
    "Boyd",
    "Cruz",
    "Dunn",
    "Ellis",
    "Frost",
    "Gale",
    "Hart",
    "Irwin",
    "Jensen",
    "Keane",
    "Lowe",
    "Moss",
    "Nash",
    "Ortiz",
    "Price",
]
names = [f"{a} {b}" for a in F for b in L]
random.shuffle(names)
it = iter(names)
c = new("dining")
c.executescript("""
CREATE TABLE business (bid integer PRIMARY KEY, business_id text UNIQUE, name text, full_address text, city text, state text, latitude text, longitude text, review_count integer, is_open integer, rating real);
CREATE TABLE category (id integer PRIMARY KEY, business_id text REFERENCES business(business_id), category_name text);
CREATE TABLE neighbourhood (id integer PRIMARY KEY, business_id text REFERENCES business(business_id), neighbourhood_name text);
CREATE TABLE user (uid integer PRIMARY KEY, user_id text UNIQUE, name text);
CREATE TABLE review (rid integer PRIMARY KEY, business_id text REFERENCES business(business_id), user_id text REFERENCES user(user_id), rating real, text text, year integer, month text);
CREATE TABLE tip (tip_id integer PRIMARY KEY, business_id text REFERENCES business(business_id), user_id text REFERENCES user(user_id), text text, likes integer, year integer, month text);
CREATE TABLE checkin (cid integer PRIMARY KEY, business_id text REFERENCES business(business_id), count integer, day text);
""")
A = ["Golden", "Blue", "Little", "Old Town", "Sunset", "Corner", "Lucky", "Iron"]
B = ["Wok", "Taco", "Oven", "Bean", "Plate", "Kettle", "Barrel", "Spoon"]
nm = [f"{a} {b}" for a in A for b in B]
random.shuffle(nm)
cities = [
    ("Dallas", "TX"),
    ("Houston", "TX"),
    ("Madison", "WI"),
    ("Pittsburgh", "PA"),
    ("Phoenix", "AZ"),
    ("San Diego", "CA"),
]
cats = ["Restaurants", "Mexican", "Chinese", "Italian", "Coffee", "Bars", "Bakery", "Pizza", "Sushi", "Gyms"]
hoods = ["Downtown", "Old Mill", "Riverside", "Hillcrest", "Union Park", "Eastgate"]
i1 = i2 = 1
for i in range(1, 51):
    ci, st = random.choice(cities)
    b = f"b{i:03}x"
    c.execute(
        "insert into business values(?,?,?,?,?,?,?,?,?,?,?)",
        (
            i,
            b,
            nm[i],
            f"{random.randint(10, 999)} {random.choice(['Main St', 'Oak Ave', 'Lake Rd', 'Pine St'])}, {ci}, {st}",
            ci,
            st,
            f"{random.uniform(30, 45):.4f}",
            f"-{random.uniform(80, 118):.4f}",
            random.randint(3, 240),
            int(random.random() < 0.85),
            random.choice([2, 2.5, 3, 3.5, 3.5, 4, 4, 4.5, 5]),
        ),
    )
    for k in random.sample(cats, random.choice([1, 2, 2, 3])):
        c.execute("insert into category values(?,?,?)", (i1, b, k))
        i1 += 1
    if random.random() < 0.8:
        c.execute("insert into neighbourhood values(?,?,?)", (i, b, random.choice(hoods)))
    for d in random.sample(
        ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"], random.randint(0, 5)
    ):
        c.execute("insert into checkin values(?,?,?,?)", (i2, b, random.randint(1, 40), d))
        i2 += 1
us = []
for i in range(1, 41):
    n = next(it)
    us.append((i, f"u{i:03}", n))
    c.execute("insert into user values(?,?,?)", us[-1])
mo = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
for r in range(1, 301):
    c.execute(
        "insert into review values(?,?,?,?,?,?,?)",
        (
            r,
            f"b{random.randint(1, 46):03}x",
            f"u{random.choice([random.randint(1, 36), random.randint(1, 6)]):03}",
            random.choice([1, 2, 3, 3, 4, 4, 5, 5]),
            random.choice(["great food", "slow service", "will come back", "too loud", "best in town", "overpriced"]),
            random.randint(2010, 2016),
            random.choice(mo),
        ),
    )
for t in range(1, 91):
    c.execute(
        "insert into tip values(?,?,?,?,?,?,?)",
        (
            t,
            f"b{random.randint(1, 50):03}x",
            f"u{random.randint(1, 30):03}",
            random.choice(["try the soup", "come early", "cash only", "ask for the patio"]),
            random.randint(0, 30),
            random.randint(2010, 2016),
            random.choice(mo),
        ),
    )
c.commit()
c = new("football")
c.executescript("""
CREATE TABLE league (league_id integer PRIMARY KEY, league_name text, country text, level integer);
CREATE TABLE club (club_id integer PRIMARY KEY, club_name text, city text, founded integer, league_id integer REFERENCES league(league_id), stadium_id integer REFERENCES stadium(stadium_id));
CREATE TABLE stadium (stadium_id integer PRIMARY KEY, stadium_name text, capacity integer, opened integer);
CREATE TABLE player (player_id integer PRIMARY KEY, player_name text, nationality text, birth_year integer, height_cm integer, position text, club_id integer REFERENCES club(club_id), market_value real);
CREATE TABLE coach (coach_id integer PRIMARY KEY, coach_name text, nationality text, club_id integer REFERENCES club(club_id));
CREATE TABLE trophy (trophy_id integer PRIMARY KEY, trophy_name text);
CREATE TABLE won (club_id integer REFERENCES club(club_id), trophy_id integer REFERENCES trophy(trophy_id), year integer, PRIMARY KEY(club_id,trophy_id,year));
CREATE TABLE game (game_id integer PRIMARY KEY, home_club_id integer REFERENCES club(club_id), away_club_id integer REFERENCES club(club_id), home_goals integer, away_goals integer, attendance integer, season integer);
CREATE TABLE scored (player_id integer REFERENCES player(player_id), game_id integer REFERENCES game(game_id), goals integer, PRIMARY KEY(player_id,game_id));
CREATE TABLE sponsor (sponsor_id integer PRIMARY KEY, sponsor_name text);
CREATE TABLE sponsored_by (club_id integer REFERENCES club(club_id), sponsor_id integer REFERENCES sponsor(sponsor_id), PRIMARY KEY(club_id,sponsor_id));
""")
for r in [
    (1, "Premier Division", "England", 1),
    (2, "First Division", "England", 2),
    (3, "Liga Norte", "Spain", 1),
    (4, "Bundesklasse", "Germany", 1),
]:
    c.execute("insert into league values(?,?,?,?)", r)
clubs = [
    "Ashford Rovers",
    "Brinley City",
    "Carrow Town",
    "Dunmore United",
    "Eastleigh Albion",
    "Ferrol CF",
    "Getafe Norte",
    "Hallen SV",
    "Ingolberg FC",
    "Jena Nord",
    "Kirkby Wanderers",
    "Lugo Atletico",
]
cty = [
    "Ashford",
    "Brinley",
    "Carrow",
    "Dunmore",
    "Eastleigh",
    "Ferrol",
    "Getafe",
    "Hallen",
    "Ingolberg",
    "Jena",
    "Kirkby",
    "Lugo",
]
for i, n in enumerate(clubs, 1):
    c.execute(
        "insert into stadium values(?,?,?,?)",
        (
            i,
            f"{cty[i - 1]} {random.choice(['Park', 'Arena', 'Ground'])}",
            8000 + i * 137 + random.randint(0, 60) * 1000,
            random.randint(1895, 2015),
        ),
    )
    c.execute(
        "insert into club values(?,?,?,?,?,?)",
        (i, n, cty[i - 1], 1880 + random.randint(0, 90), [1, 1, 1, 2, 2, 3, 3, 4, 4, 4, 2, 3][i - 1], i),
    )
pos = ["Goalkeeper", "Defender", "Midfielder", "Forward"]
nat = ["England", "Spain", "Germany", "Brazil", "France", "Nigeria"]
pl = []
for i in range(1, 97):
    r = (
        i,
        next(it),
        random.choice(nat),
        random.randint(1982, 2004),
        random.randint(165, 201),
        random.choice(pos),
        (i - 1) % 12 + 1,
        round(random.uniform(0.3, 60), 1),
    )
    pl.append(r)
    c.execute("insert into player values(?,?,?,?,?,?,?,?)", r)
for i in range(1, 13):
    c.execute("insert into coach values(?,?,?,?)", (i, next(it), random.choice(nat), i))
for i, t in enumerate(["National Cup", "League Shield", "Super Cup", "Continental Cup"], 1):
    c.execute("insert into trophy values(?,?)", (i, t))
for y in range(2005, 2025):
    for t in random.sample([1, 2, 3, 4], 2):
        c.execute("insert or ignore into won values(?,?,?)", (random.choice([1, 2, 2, 2, 3, 4, 6, 8, 8, 9]), t, y))
for i, s in enumerate(["Northbank", "Volta Energy", "Kestrel Air", "Pine Foods", "Orbit Mobile"], 1):
    c.execute("insert into sponsor values(?,?)", (i, s))
for i in range(1, 12):
    for s in random.sample(range(1, 6), random.choice([1, 1, 2, 3])):
        c.execute("insert into sponsored_by values(?,?)", (i, s))
g = 1
for s in (2021, 2022, 2023):
    for _ in range(50):
        a, b = random.sample(range(1, 13), 2)
        hg, ag = random.randint(0, 4), random.randint(0, 3)
        c.execute("insert into game values(?,?,?,?,?,?,?)", (g, a, b, hg, ag, random.randint(3000, 52000), s))
        for cl, n in ((a, hg), (b, ag)):
            ps = [p[0] for p in pl if p[6] == cl and p[5] != "Goalkeeper"][:6]
            cnt = {}
            for _ in range(n):
                x = random.choice(ps[:3] + ps)
                cnt[x] = cnt.get(x, 0) + 1
            for p, k in cnt.items():
                c.execute("insert into scored values(?,?,?)", (p, g, k))
        g += 1
c.commit()
c = sqlite3.connect(os.path.join(OUT, "dining.sqlite"))
c.execute("update business set rating=4.5 where name='Old Town Wok'")
c.execute("update business set city='Dallas',state='TX' where bid=(select max(bid) from business where city='Phoenix')")
c.execute(
    "update business set rating=1.5 where bid=(select bid from business where rating=2 and business_id in (select business_id from review) limit 1)"
)
c.commit()
