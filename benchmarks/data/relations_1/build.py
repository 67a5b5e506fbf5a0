"""Write small SQLite databases to databases/ (or the folder given). Standard library only, fixed seed."""

import os
import random
import sqlite3
import sys

random.seed(5)
OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "databases")
os.makedirs(OUT, exist_ok=True)


def new(name):
    p = os.path.join(OUT, f"{name}.sqlite")
    if os.path.exists(p):
        os.remove(p)
    return sqlite3.connect(p)


# ---- terra: geography
c = new("terra")
c.executescript("""
CREATE TABLE state (state_name text PRIMARY KEY, population integer, area double, country_name varchar(3), capital text);
CREATE TABLE city (city_name text, population integer, country_name varchar(3), state_name text, PRIMARY KEY(city_name,state_name), FOREIGN KEY(state_name) REFERENCES state(state_name));
CREATE TABLE border_info (state_name text, border text, PRIMARY KEY(border,state_name), FOREIGN KEY(state_name) REFERENCES state(state_name), FOREIGN KEY(border) REFERENCES state(state_name));
CREATE TABLE river (river_name text, length integer, country_name varchar(3), traverse text, PRIMARY KEY(river_name,traverse), FOREIGN KEY(traverse) REFERENCES state(state_name));
CREATE TABLE lake (lake_name text, area double, country_name varchar(3), state_name text, FOREIGN KEY(state_name) REFERENCES state(state_name));
CREATE TABLE mountain (mountain_name text, mountain_altitude integer, country_name varchar(3), state_name text, PRIMARY KEY(mountain_name,state_name), FOREIGN KEY(state_name) REFERENCES state(state_name));
CREATE TABLE highlow (state_name text PRIMARY KEY, highest_elevation integer, lowest_elevation integer, highest_point text, lowest_point text, FOREIGN KEY(state_name) REFERENCES state(state_name));
""")
S = {
    "texas": (14229000, 266807, "austin"),
    "california": (23670000, 158706, "sacramento"),
    "oregon": (2630000, 97073, "salem"),
    "nevada": (800500, 110561, "carson city"),
    "arizona": (2718000, 114000, "phoenix"),
    "utah": (1461000, 84899, "salt lake city"),
    "colorado": (2890000, 104091, "denver"),
    "new mexico": (1303000, 121593, "santa fe"),
    "oklahoma": (3025000, 69950, "oklahoma city"),
    "kansas": (2364000, 82277, "topeka"),
    "missouri": (4917000, 69697, "jefferson city"),
    "iowa": (2913000, 56290, "des moines"),
    "arkansas": (2286000, 53187, "little rock"),
    "louisiana": (4206000, 47752, "baton rouge"),
    "mississippi": (2520000, 47689, "jackson"),
    "tennessee": (4591000, 42144, "nashville"),
    "illinois": (11400000, 56345, "springfield"),
    "minnesota": (4076000, 84402, "st. paul"),
    "alaska": (401800, 591000, "juneau"),
    "hawaii": (964000, 6471, "honolulu"),
    "rhode island": (947200, 1212, "providence"),
    "maine": (1125000, 33265, "augusta"),
}
for k, (p, a, cap) in S.items():
    c.execute("insert into state values(?,?,?,?,?)", (k, p, a, "usa", cap))
B = [
    ("texas", "new mexico"),
    ("texas", "oklahoma"),
    ("texas", "arkansas"),
    ("texas", "louisiana"),
    ("california", "oregon"),
    ("california", "nevada"),
    ("california", "arizona"),
    ("oregon", "nevada"),
    ("nevada", "arizona"),
    ("nevada", "utah"),
    ("utah", "arizona"),
    ("utah", "colorado"),
    ("utah", "new mexico"),
    ("arizona", "new mexico"),
    ("arizona", "colorado"),
    ("colorado", "new mexico"),
    ("colorado", "oklahoma"),
    ("colorado", "kansas"),
    ("new mexico", "oklahoma"),
    ("oklahoma", "kansas"),
    ("oklahoma", "missouri"),
    ("oklahoma", "arkansas"),
    ("kansas", "missouri"),
    ("missouri", "iowa"),
    ("missouri", "illinois"),
    ("missouri", "tennessee"),
    ("missouri", "arkansas"),
    ("iowa", "illinois"),
    ("iowa", "minnesota"),
    ("arkansas", "tennessee"),
    ("arkansas", "mississippi"),
    ("arkansas", "louisiana"),
    ("louisiana", "mississippi"),
    ("mississippi", "tennessee"),
]
for a, b in B:
    c.execute("insert into border_info values(?,?)", (a, b))
    c.execute("insert into border_info values(?,?)", (b, a))
C = {
    "texas": [
        ("houston", 1595138),
        ("dallas", 904078),
        ("san antonio", 785880),
        ("austin", 345496),
        ("el paso", 425259),
        ("arlington", 160113),
    ],
    "california": [
        ("los angeles", 2966850),
        ("san diego", 875538),
        ("san francisco", 678974),
        ("san jose", 629442),
        ("sacramento", 275741),
        ("oakland", 339337),
        ("fresno", 218202),
    ],
    "oregon": [("portland", 366383), ("eugene", 105664), ("salem", 89233)],
    "nevada": [("las vegas", 164674), ("reno", 100756)],
    "arizona": [("phoenix", 789704), ("tucson", 330537), ("mesa", 152453)],
    "utah": [("salt lake city", 163697), ("provo", 74108)],
    "colorado": [("denver", 492365), ("colorado springs", 215150), ("boulder", 76685)],
    "new mexico": [("albuquerque", 331767), ("santa fe", 48953)],
    "oklahoma": [("oklahoma city", 403213), ("tulsa", 360919)],
    "kansas": [("wichita", 279272), ("kansas city", 161087), ("topeka", 115266)],
    "missouri": [("st. louis", 453085), ("kansas city", 448159), ("springfield", 133116)],
    "iowa": [("des moines", 191003), ("cedar rapids", 110243)],
    "arkansas": [("little rock", 158461)],
    "louisiana": [("new orleans", 557515), ("baton rouge", 219419)],
    "mississippi": [("jackson", 202895)],
    "tennessee": [("memphis", 646356), ("nashville", 455651)],
    "illinois": [("chicago", 3005172), ("springfield", 99637), ("rockford", 139712)],
    "minnesota": [("minneapolis", 370951), ("st. paul", 270230)],
    "alaska": [("anchorage", 174431)],
    "hawaii": [("honolulu", 762874)],
    "rhode island": [("providence", 156804)],
    "maine": [("portland", 61572)],
}
for s, l in C.items():
    for n, p in l:
        c.execute("insert into city values(?,?,?,?)", (n, p, "usa", s))
R = {
    "mississippi": (
        3778,
        ["minnesota", "iowa", "illinois", "missouri", "tennessee", "arkansas", "mississippi", "louisiana"],
    ),
    "missouri": (3968, ["iowa", "kansas", "missouri"]),
    "colorado": (2333, ["colorado", "utah", "arizona", "nevada", "california"]),
    "rio grande": (3033, ["colorado", "new mexico", "texas"]),
    "arkansas": (2333 - 10, ["colorado", "kansas", "oklahoma", "arkansas"]),
    "red": (1638, ["texas", "oklahoma", "arkansas", "louisiana"]),
    "canadian": (1458, ["new mexico", "texas", "oklahoma"]),
    "columbia": (1953, ["oregon"]),
    "snake": (1670, ["oregon"]),
    "tennessee": (1049, ["tennessee", "mississippi"]),
    "pecos": (805, ["new mexico", "texas"]),
    "gila": (805, ["new mexico", "arizona"]),
    "green": (1175, ["utah", "colorado"]),
    "san juan": (579, ["colorado", "new mexico", "utah"]),
}
for r, (l, ss) in R.items():
    for s in ss:
        c.execute("insert into river values(?,?,?,?)", (r, l, "usa", s))
for n, a, s in [
    ("tahoe", 497, "california"),
    ("tahoe", 497, "nevada"),
    ("salton sea", 932, "california"),
    ("great salt lake", 5180, "utah"),
    ("superior", 82362, "minnesota"),
    ("red", 1169, "minnesota"),
    ("michigan", 58016, "illinois"),
    ("pontchartrain", 1632, "louisiana"),
    ("iliamna", 2675, "alaska"),
    ("becharof", 1197, "alaska"),
]:
    c.execute("insert into lake values(?,?,?,?)", (n, a, "usa", s))
for n, a, s in [
    ("mckinley", 6194, "alaska"),
    ("st. elias", 5489, "alaska"),
    ("foraker", 5304, "alaska"),
    ("whitney", 4418, "california"),
    ("shasta", 4317, "california"),
    ("elbert", 4399, "colorado"),
    ("massive", 4396, "colorado"),
    ("harvard", 4395, "colorado"),
    ("wheeler", 4011, "new mexico"),
    ("kings", 4123, "utah"),
    ("hood", 3424, "oregon"),
]:
    c.execute("insert into mountain values(?,?,?,?)", (n, a, "usa", s))
H = {
    "texas": (2667, 0, "guadalupe peak", "gulf of mexico"),
    "california": (4418, -85, "mount whitney", "death valley"),
    "oregon": (3424, 0, "mount hood", "pacific ocean"),
    "nevada": (4005, 143, "boundary peak", "colorado river"),
    "arizona": (3851, 21, "humphreys peak", "colorado river"),
    "utah": (4123, 610, "kings peak", "beaver dam creek"),
    "colorado": (4399, 1021, "mount elbert", "arkansas river"),
    "new mexico": (4011, 859, "wheeler peak", "red bluff reservoir"),
    "oklahoma": (1516, 88, "black mesa", "little river"),
    "kansas": (1231, 207, "mount sunflower", "verdigris river"),
    "missouri": (540, 70, "taum sauk mountain", "st. francis river"),
    "iowa": (509, 146, "ocheyedan mound", "mississippi river"),
    "arkansas": (839, 17, "magazine mountain", "ouachita river"),
    "louisiana": (163, -2, "driskill mountain", "new orleans"),
    "mississippi": (246, 0, "woodall mountain", "gulf of mexico"),
    "tennessee": (2025, 55, "clingmans dome", "mississippi river"),
    "illinois": (376, 85, "charles mound", "mississippi river"),
    "minnesota": (701, 183, "eagle mountain", "lake superior"),
    "alaska": (6194, 0, "mount mckinley", "pacific ocean"),
    "hawaii": (4205, 0, "mauna kea", "pacific ocean"),
    "rhode island": (247, 0, "jerimoth hill", "atlantic ocean"),
    "maine": (1605, 0, "mount katahdin", "atlantic ocean"),
}
for s, (a, b, x, y) in H.items():
    c.execute("insert into highlow values(?,?,?,?,?)", (s, a, b, x, y))
c.commit()
# ---- screen: films
F = [
    "Anna",
    "Boris",
    "Clara",
    "Daniel",
    "Elena",
    "Frank",
    "Grace",
    "Henry",
    "Irene",
    "James",
    "Karen",
    "Louis",
    "Maria",
    "Nathan",
    "Olivia",
    "Peter",
    "Rachel",
    "Simon",
    "Tara",
    "Victor",
]
L = [
    "Abbott",
    "Bennett",
    "Carver",
    "Dalton",
    "Ellison",
    "Fairbanks",
    "Garland",
    "Holloway",
    "Ingram",
    "Jarvis",
    "Kendrick",
    "Lockwood",
    "Mercer",
    "Norwood",
    "Osborne",
    "Pryce",
    "Quinn",
    "Ramsey",
    "Sinclair",
    "Thorne",
]
names = [f"{a} {b}" for a in F for b in L]
random.shuffle(names)
it = iter(names)
cities = [
    "New York City",
    "Los Angeles",
    "Chicago",
    "London",
    "Paris",
    "Toronto",
    "Austin",
    "Sydney",
    "Boston",
    "Dublin",
]
nats = ["USA", "USA", "USA", "UK", "France", "Canada", "Australia", "Ireland"]
c = new("screen")
c.executescript("""
CREATE TABLE actor (aid int PRIMARY KEY, gender text, name text, nationality text, birth_city text, birth_year int);
CREATE TABLE director (did int PRIMARY KEY, gender text, name text, nationality text, birth_city text, birth_year int);
CREATE TABLE writer (wid int PRIMARY KEY, gender text, name text, nationality text, num_of_episodes int, birth_city text, birth_year int);
CREATE TABLE movie (mid int PRIMARY KEY, title text, release_year int, title_aka text, budget text);
CREATE TABLE tv_series (sid int PRIMARY KEY, title text, release_year int, num_of_seasons int, num_of_episodes int, title_aka text, budget text);
CREATE TABLE genre (gid int PRIMARY KEY, genre text);
CREATE TABLE company (id int PRIMARY KEY, name text, country_code text);
CREATE TABLE keyword (id int PRIMARY KEY, keyword text);
CREATE TABLE "cast" (id int PRIMARY KEY, msid int, aid int, role text, FOREIGN KEY(aid) REFERENCES actor(aid), FOREIGN KEY(msid) REFERENCES movie(mid));
CREATE TABLE classification (id int PRIMARY KEY, msid int, gid int, FOREIGN KEY(gid) REFERENCES genre(gid), FOREIGN KEY(msid) REFERENCES movie(mid));
CREATE TABLE copyright (id int PRIMARY KEY, msid int, cid int, FOREIGN KEY(cid) REFERENCES company(id), FOREIGN KEY(msid) REFERENCES movie(mid));
CREATE TABLE directed_by (id int PRIMARY KEY, msid int, did int, FOREIGN KEY(did) REFERENCES director(did), FOREIGN KEY(msid) REFERENCES movie(mid));
CREATE TABLE written_by (id int PRIMARY KEY, msid int, wid int, FOREIGN KEY(wid) REFERENCES writer(wid), FOREIGN KEY(msid) REFERENCES movie(mid));
CREATE TABLE tags (id int PRIMARY KEY, msid int, kid int, FOREIGN KEY(kid) REFERENCES keyword(id), FOREIGN KEY(msid) REFERENCES movie(mid));
""")


def person():
    return (
        random.choice(["male", "female"]),
        next(it),
        random.choice(nats),
        random.choice(cities),
        random.randint(1940, 1995),
    )


actors = [(i,) + person() for i in range(1, 61)]
dirs = [(i,) + person() for i in range(1, 16)]
# two directors who act
actors[3] = (4,) + dirs[2][1:]
actors[7] = (8,) + dirs[5][1:]
wr = []
for i in range(1, 16):
    g, n, na, ci, y = person()
    wr.append((i, g, n, na, random.choice([0, 5, 12, 24]), ci, y))
c.executemany("insert into actor values(?,?,?,?,?,?)", actors)
c.executemany("insert into director values(?,?,?,?,?,?)", dirs)
c.executemany("insert into writer values(?,?,?,?,?,?,?)", wr)
A = ["Silent", "Crimson", "Broken", "Hidden", "Golden", "Midnight", "Falling", "Last", "Distant", "Burning"]
N = ["River", "Harbor", "Promise", "Garden", "Empire", "Letter", "Mirror", "Winter", "Road", "Orchard"]
tt = [f"{a} {b}" for a in A for b in N]
random.shuffle(tt)
movies = [
    (
        i,
        tt[i],
        random.randint(1985, 2016),
        None if i % 4 else tt[i] + " (Intl)",
        random.choice([2, 5, 8, 12, 20, 35, 60, 90, 120]) * 1000000 + i * 1000,
    )
    for i in range(1, 61)
]
c.executemany("insert into movie values(?,?,?,?,?)", movies)
tv = [
    (
        200 + i,
        tt[65 + i],
        random.randint(1995, 2016),
        s := random.randint(1, 9),
        s * random.randint(8, 22),
        None,
        random.randint(1, 30) * 100000,
    )
    for i in range(15)
]
c.executemany("insert into tv_series values(?,?,?,?,?,?,?)", tv)
G = ["Drama", "Comedy", "Thriller", "Sci-Fi", "Romance", "Horror", "Western", "Documentary"]
c.executemany("insert into genre values(?,?)", list(enumerate(G, 1)))
CO = [
    ("Blue Lantern Pictures", "us"),
    ("Northgate Films", "gb"),
    ("Atlas Studios", "us"),
    ("Maple Leaf Media", "ca"),
    ("Lumiere Sud", "fr"),
    ("Harbour Light Films", "au"),
]
c.executemany("insert into company values(?,?,?)", [(i,) + x for i, x in enumerate(CO, 1)])
K = ["revenge", "family", "war", "robot", "heist", "friendship", "space", "murder", "love", "ghost"]
c.executemany("insert into keyword values(?,?)", list(enumerate(K, 1)))
k = 1
cid = 1
roles = [
    "Tom Hale",
    "Dr. Moss",
    "Ada",
    "The Stranger",
    "Captain Reed",
    "Julia",
    "Sheriff Boone",
    "Max",
    "Nora",
    "Old Man",
]
for m in movies:
    for a in random.sample(actors[:55], 5):
        c.execute(
            'insert into "cast" values(?,?,?,?)',
            (cid, m[0], a[0], random.choice(roles) + ("" if random.random() < 0.5 else f" {cid}")),
        )
        cid += 1
    for g in random.sample(range(1, 8), random.choice([1, 2, 2])):
        c.execute("insert into classification values(?,?,?)", (k, m[0], g))
        k += 1
    c.execute("insert into copyright values(?,?,?)", (k, m[0], random.choice([1, 1, 1, 2, 3, 3, 4, 5])))
    k += 1
    d = random.choice([1, 1, 1, 2, 2] + list(range(3, 14)))
    c.execute("insert into directed_by values(?,?,?)", (k, m[0], d))
    k += 1
    c.execute("insert into written_by values(?,?,?)", (k, m[0], random.choice(list(range(1, 13)) + [3, 3])))
    k += 1
    for kw in random.sample(range(1, 11), 2):
        c.execute("insert into tags values(?,?,?)", (k, m[0], kw))
        k += 1
c.commit()
# ---- scholar
c = new("papers")
c.executescript("""
CREATE TABLE author (authorId integer PRIMARY KEY, authorName varchar(50), affiliationId integer REFERENCES affiliation(affiliationId));
CREATE TABLE affiliation (affiliationId integer PRIMARY KEY, affiliationName varchar(80), continent varchar(30));
CREATE TABLE venue (venueId integer PRIMARY KEY, venueName varchar(100));
CREATE TABLE keyphrase (keyphraseId integer PRIMARY KEY, keyphraseName varchar(50));
CREATE TABLE dataset (datasetId integer PRIMARY KEY, datasetName varchar(50));
CREATE TABLE paper (paperId integer PRIMARY KEY, title varchar(300), venueId integer REFERENCES venue(venueId), year integer, numCiting integer, numCitedBy integer);
CREATE TABLE cite (citingPaperId integer REFERENCES paper(paperId), citedPaperId integer REFERENCES paper(paperId), PRIMARY KEY(citingPaperId,citedPaperId));
CREATE TABLE paperKeyphrase (paperId integer REFERENCES paper(paperId), keyphraseId integer REFERENCES keyphrase(keyphraseId), PRIMARY KEY(paperId,keyphraseId));
CREATE TABLE paperDataset (paperId integer REFERENCES paper(paperId), datasetId integer REFERENCES dataset(datasetId), PRIMARY KEY(paperId,datasetId));
CREATE TABLE writes (paperId integer REFERENCES paper(paperId), authorId integer REFERENCES author(authorId), PRIMARY KEY(paperId,authorId));
""")
AF = [
    ("University of Michigan", "North America"),
    ("Stanford University", "North America"),
    ("University of Edinburgh", "Europe"),
    ("Tsinghua University", "Asia"),
    ("ETH Zurich", "Europe"),
    ("University of Tokyo", "Asia"),
]
c.executemany("insert into affiliation values(?,?,?)", [(i,) + x for i, x in enumerate(AF, 1)])
AU = [next(it) for _ in range(40)]
c.executemany(
    "insert into author values(?,?,?)", [(i, n, random.choice([1, 1, 2, 2, 3, 4, 5, 6])) for i, n in enumerate(AU, 1)]
)
V = ["ACL", "EMNLP", "NIPS", "ICML", "CVPR", "SIGMOD", "VLDB", "CHI"]
c.executemany("insert into venue values(?,?)", list(enumerate(V, 1)))
KP = [
    "semantic parsing",
    "deep learning",
    "question answering",
    "image segmentation",
    "query optimization",
    "word embeddings",
    "reinforcement learning",
    "crowdsourcing",
    "transfer learning",
    "speech recognition",
]
c.executemany("insert into keyphrase values(?,?)", list(enumerate(KP, 1)))
DS = ["ImageNet", "Penn Treebank", "GeoSet", "WikiTables", "CoNLL"]
c.executemany("insert into dataset values(?,?)", list(enumerate(DS, 1)))
P = []
X = ["Learning", "Scaling", "Rethinking", "Probing", "Towards Robust", "Efficient", "Interactive", "Unsupervised"]
T = set()
while len(T) < 90:
    T.add(
        f"{random.choice(X)} {random.choice(KP).title()} with {random.choice(['Weak Supervision', 'Graphs', 'Attention', 'Human Feedback', 'Latent Variables', 'Sparse Data', 'Kernels', 'Tensors'])}"
    )
T = sorted(T)
random.shuffle(T)
W = {}
cites = set()
for i, t in enumerate(T, 1):
    P.append([i, t, random.randint(1, 8), random.randint(2004, 2016), 0, 0])
P.sort(key=lambda p: p[3])
order = [p[0] for p in P]
for j, p in enumerate(P):
    for q in random.sample(order[:j], min(j, random.randint(0, 6))):
        cites.add((p[0], q))
for p in P:
    p[4] = sum(a == p[0] for a, b in cites)
    p[5] = sum(b == p[0] for a, b in cites)
c.executemany("insert into paper values(?,?,?,?,?,?)", P)
c.executemany("insert into cite values(?,?)", sorted(cites))
for p in P:
    for a in set(
        random.choice(range(1, 36)) if random.random() < 0.7 else random.choice([1, 2, 3])
        for _ in range(random.randint(1, 4))
    ):
        c.execute("insert into writes values(?,?)", (p[0], a))
    for kx in random.sample(range(1, 11), random.randint(1, 3)):
        c.execute("insert into paperKeyphrase values(?,?)", (p[0], kx))
    if random.random() < 0.5:
        c.execute("insert into paperDataset values(?,?)", (p[0], random.randint(1, 5)))
c.commit()
