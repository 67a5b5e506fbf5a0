"""What an English follow-up over data may mean in full: the question before with one thing of it changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kbtui.analysis.chart_words import named
from kbtui.analysis.follow_up_words import either, listed
from kbtui.analysis.proposals import PICTURES, Proposal, Proposals
from kbtui.data.nl2sql.picture_talk import without_picture
from kbtui.reasoning.offline.followup.things_en import things_of
from kbtui.text.numbers import english_words

_LEAD: Final = re.compile(rf"^(?:{either('en', 'leads')}\b[\s,]*)+", re.I)
_TAIL: Final = re.compile(rf"[\s,]+{either('en', 'tails')}$", re.I)
_ONLY: Final = re.compile(rf"^{either('en', 'only')}\s+(?:show\s+|the\s+ones?\s+|those\s+|for\s+the\s+)?", re.I)
_LISTING: Final = re.compile(rf"^(?:{either('en', 'listing')}\s+)+(?:the\s+|all\s+)*", re.I)
_PRONOUN: Final = re.compile(rf"\b{either('en', 'pronouns')}\b", re.I)
_PREPOSED: Final = re.compile(rf"^(?P<prep>{either('en', 'prepositions')})\s+(?P<thing>.+)$", re.I)
_AGGREGATE: Final = re.compile(rf"\b{either('en', 'aggregates')}\b", re.I)
_OPENING: Final = re.compile(rf"^{either('en', 'openings')}\b", re.I)

_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_SPAN: Final = (
    rf"(?:{_MONTH}(?:,?\s+(?:of\s+)?(?:19|20)\d\d)?|(?:the\s+)?(?:first|second|third|fourth)\s+(?:quarter|half)(?:\s+of\s+(?:19|20)\d\d)?"
    r"|q[1-4](?:\s+(?:of\s+)?(?:19|20)\d\d)?|(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?|the\s+year\s+(?:19|20)\d\d|yesterday|today"
    r"|(?:the\s+)?(?:last|this|previous|past)\s+(?:\d+\s+)?(?:years?|quarters?|months?|weeks?|days?)|the\s+(?:year|month|quarter|week)\s+before)"
)
_WHEN: Final = (
    rf"(?:(?:in|for|during|since|before|after|until|from|of)\s+)?{_SPAN}(?:\s+(?:to|and|until|through|-)\s+{_SPAN})?"
)
_IS_WHEN: Final = re.compile(
    rf"^(?P<prep>in|for|during|since|before|after|until|from|of)?\s*(?P<span>(?:{_WHEN}))$", re.I
)
_ANY_WHEN: Final = re.compile(rf"\b{_WHEN}\b", re.I)
_BEFORE_SPAN: Final = re.compile(r"^(?:in|for|during|since|before|after|until|from|of)\b", re.I)

_GROUP: Final = re.compile(
    r"^(?:per|by|for\s+(?:each|every)|each|every|grouped\s+by|group(?:\s+it)?\s+by|broken\s+down\s+by|break\s+(?:it\s+)?down\s+by|split\s+by|"
    r"in\s+each)\s+(?P<what>[\w -]+)$",
    re.I,
)
_PER: Final = re.compile(
    r"\b(?P<word>per|by|for\s+(?:each|every)|in\s+each|in\s+every|each|every|grouped\s+by)\s+(?P<what>(?:(?!(?:in|for|from|since|where|with|"
    r"of|during|per|by|and|as|when)\b)[\w-]+\s?)+)",
    re.I,
)
_NUMBER: Final = rf"\d+|{english_words()}"
_TOP: Final = re.compile(
    rf"^(?:the\s+)?(?P<way>top|bottom|first|last|best|worst|highest|lowest|largest|smallest|biggest)\s+(?P<count>{_NUMBER})?(?:\s+ones?)?"
    r"(?:\s+of\s+(?:them|those|these))?$",
    re.I,
)
_HAS_TOP: Final = re.compile(rf"\b(?P<way>top|bottom|first|last|best|worst)\s+(?P<count>{_NUMBER})\b", re.I)
_COUNTS: Final = re.compile(r"^how\s+(?:many|much)\s+(?P<things>[\w -]+?)(?:\s+are|\s+exist)?$", re.I)
_THERE: Final = re.compile(r"\s+(?:(?:are|were|is)\s+there|(?:do|does|did)\s+we\s+have)\b", re.I)
_SORT: Final = re.compile(
    r"^(?:sort(?:ed)?|order(?:ed)?|rank(?:ed)?)\b.*|^(?:in\s+)?(?:ascending|descending|alphabetical|reverse)(?:\s+order)?$|^(?:from\s+)?"
    r"(?:high(?:est)?|low(?:est)?|new(?:est)?|old(?:est)?|large(?:st)?|small(?:est)?)\s+(?:to\s+\w+|first)$",
    re.I,
)
_HOW_MANY: Final = re.compile(
    r"^how\s+many(?:\s+(?:are\s+(?:there|they|these|those|that)|is\s+that|in\s+total|altogether|of\s+them))*$|^count\s+(?:them|those|these)$",
    re.I,
)
_WHICH: Final = re.compile(
    r"^(?:(?:list|show|name|display)(?:\s+me)?(?:\s+(?:them|those|these|all(?:\s+of\s+them)?))|which(?:\s+(?:ones?|are\s+(?:they|these|those)))?"
    r"|what\s+are\s+(?:they|these|those)|who\s+are\s+they)$",
    re.I,
)
_THEIRS: Final = re.compile(
    r"^(?:list|show|give|name|display|what\s+are)(?:\s+me)?\s+(?:their|its|his|her)\s+(?P<what>[\w ,&-]+)$", re.I
)
_BEING: Final = re.compile(r"(?:is|are|was|were)$", re.I)
_MORE_OF: Final = re.compile(
    r"^(?:(?:with|include|including|add|show|also|plus)\s+(?:also\s+)?(?P<det>their|its|his|her)"
    r"|(?:include|including|add|also\s+show|show\s+also)\s+(?P<det2>the))\s+(?P<what>[\w ,&-]+)$",
    re.I,
)
_COMPARED: Final = re.compile(
    r"\b(?P<how>(?:over|above|under|below|more\s+than|less\s+than|fewer\s+than|\w+er\s+than|at\s+least|at\s+most|exactly)\s+)"
    r"(?P<value>[$€£]?\d[\d.,]*(?:\s*%)?)",
    re.I,
)
_CLAUSE: Final = 4
"""So many words may be a sentence of their own."""

_LONGEST: Final = 12


def proposals_en(query: str, question: str) -> Proposals | None:
    """What ``query`` may mean after ``question``; None where it does not look like a follow-up.

    Args:
        query: Cleaned, without the mark at its end.
        question: The last question about data in full, without the mark at its end.
    """
    said = query.strip()
    bare = _stripped(said)
    if not bare or len(said.split()) > _LONGEST:
        return None
    # Whatever else changes, the picture stays what it is, and is spoken of last.
    plain = without_picture(question).question.strip(" ,.?") or question
    if (picture := _picture(bare, plain)) is not None:
        return picture
    chart = named(question).kind if plain != question else None
    found = _changed(said, bare, plain)
    return found.ending(f" as a {PICTURES['en'][chart]}") if found is not None and chart is not None else found


def _changed(said: str, bare: str, question: str) -> Proposals | None:
    led = bare.lower() != said.lower()
    for rule in (_sorted, _top, _grouped, _when, _bounded, _count, _which, _theirs, _more, _pointing):
        if (found := rule(bare, question)) is not None:
            return found
    if _OPENING.match(bare) and len(bare.split()) >= _CLAUSE:
        return None
    only = _ONLY.match(said) or _ONLY.match(bare)
    bare = _ONLY.sub("", bare)
    if (measure := _measured(bare, question)) is not None:
        return measure
    if only or led or _PREPOSED.match(bare) or len(bare.split()) <= 3:
        swapped = tuple(_swapped(bare, question, narrowing=only is not None))
        return Proposals(_narrowing_first(swapped) if only else swapped, means=bare, certain=only is not None)
    return None


def _stripped(text: str) -> str:
    text = _LEAD.sub("", text).strip(" ,")
    while (shorter := _TAIL.sub("", text).strip(" ,")) != text:
        text = shorter
    return text


def _picture(bare: str, question: str) -> Proposals | None:
    """ "As a pie chart": the same numbers in another picture."""
    said = named(bare)
    if not said.any or not set(re.findall(r"[\w']+", bare.lower())) <= set(listed("en", "picture")):
        return None
    chart = PICTURES["en"].get(said.kind or "", "chart")
    return Proposals.sure(f"{question} as a {chart}", f"as a {chart}")


def _sorted(bare: str, question: str) -> Proposals | None:
    if not _SORT.match(bare):
        return None
    order = re.sub(r"^(?:sort|order|rank)(?:ed)?(?:\s+(?:it|them|that|those))?\s*", "", bare, flags=re.I)
    how = f"sorted {order}" if order else "sorted"
    return Proposals.sure(f"{question}, {how}", how)


def _top(bare: str, question: str) -> Proposals | None:
    """ "Top 10": so many of them, in place of as many as there were or of all."""
    found = _TOP.match(_ONLY.sub("", bare))
    if found is None or not (found["count"] or _HAS_TOP.search(question)):
        return None
    if (known := _HAS_TOP.search(question)) is not None:
        said = f"{found['way']} {found['count'] or known['count']}"
        return Proposals.sure(question[: known.start()] + said + question[known.end() :], said, known[0])
    said = f"{found['way']} {found['count']}"
    made = [Proposal(f"{question}, {said}")]
    if (per := _PER.search(question)) is not None:
        measure = _as_measure((question[: per.start()] + question[per.end() :]).strip(" ,"))
        made.insert(0, Proposal(f"{said} {_plural(per['what'].strip())} by {measure}"))
    return Proposals(tuple(made), means=said, certain=True)


def _grouped(bare: str, question: str) -> Proposals | None:
    """ "Per month": parted by something, or by something else than before."""
    found = _GROUP.match(bare)
    if found is None:
        return None
    what = found["what"].strip()
    made = [Proposal(f"{question} per {what}")]
    if (per := list(_PER.finditer(question))) and (last := per[-1]):
        end = "" if last.end() == len(question) else " "
        swapped = f"{question[: last.start()]}{last['word']} {what}{end}{question[last.end() :]}"
        made = [Proposal(swapped, was=last[0].strip())]
    elif (when := _last(_ANY_WHEN, question)) is not None and when.end() == len(question):
        made.insert(0, Proposal(f"{question[: when.start()].rstrip()} per {what} {when[0]}"))
    return Proposals(tuple(made), means=bare, certain=True)


def _when(bare: str, question: str) -> Proposals | None:
    """ "And for 2012?": another time."""
    span = _ONLY.sub("", bare)
    found = _IS_WHEN.match(span)
    if found is None:
        return None
    known = _last(_ANY_WHEN, question)
    if known is None:
        text = span if found["prep"] else f"in {span}"
        return Proposals.sure(f"{question} {re.sub(r'^for ', 'in ', text, flags=re.I)}", span)
    # The preposition stays, unless the new time brings one that means another thing.
    own = _BEFORE_SPAN.match(known[0])
    kept = found["prep"] and found["prep"].lower() in ("since", "before", "after", "until", "from")
    text = span if kept or own is None else f"{own[0]} {found['span']}"
    return Proposals.sure(question[: known.start()] + text + question[known.end() :], span, known[0])


def _bounded(bare: str, question: str) -> Proposals | None:
    """ "Above 15000?": another bound, or one where there was none."""
    said = _ONLY.sub("", bare)
    if _COMPARED.match(said) is None:
        return None
    known = _last(_COMPARED, question)
    if known is None:
        return Proposals(
            (Proposal(f"{question} {said}"), Proposal(f"{question} with {said}")), means=said, certain=True
        )
    return Proposals.sure(question[: known.start()] + said + question[known.end() :], said, known[0])


def _count(bare: str, question: str) -> Proposals | None:
    """ "How many are there?" after a list."""
    if not _HOW_MANY.match(bare):
        return None
    things = _LISTING.sub("", question).strip()
    return Proposals.sure(f"How many {things}", things)


def _which(bare: str, question: str) -> Proposals | None:
    """ "List them" after how many there are."""
    counted = re.match(r"how\s+many\s+", question, re.I)
    if counted is None or not _WHICH.match(bare):
        return None
    things = _THERE.sub("", question[counted.end() :])
    head, verb = re.match(r"([\w-]+)\s*(\S*)", things).groups()  # type: ignore[union-attr]
    asks = "List" if not verb or (_PREPOSED.match(f"{verb} x") and not _BEING.match(verb)) else "Which"
    return Proposals.sure(f"{asks} {things}", f"{asks} {head}", counted[0].strip())


def _theirs(bare: str, question: str) -> Proposals | None:
    """ "List their names" after how many there are, or after a list."""
    found = _THEIRS.match(bare)
    if found is None:
        return None
    if (counted := re.match(r"how\s+many\s+", question, re.I)) is not None:
        things = _THERE.sub("", question[counted.end() :])
        return Proposals.sure(f"List the {found['what']} of {things}", found["what"], counted[0].strip())
    return Proposals.sure(f"{question} with their {found['what']}", found["what"])


def _more(bare: str, question: str) -> Proposals | None:
    """ "With their email": another column."""
    found = _MORE_OF.match(bare)
    if found is None:
        return None
    return Proposals.sure(f"{question} with {found['det'] or found['det2']} {found['what']}", bare)


def _pointing(bare: str, question: str) -> Proposals | None:
    """ "Which of those are in Oslo?": the question before and then this one, as steps."""
    if not _PRONOUN.search(bare) or not _OPENING.match(bare) or len(bare.split()) < _CLAUSE:
        return None
    return Proposals((Proposal(f"{question}, then {bare}"),), means=bare, steps=True)


def _measured(bare: str, question: str) -> Proposals | None:
    """ "And the average?": another figure of the same."""
    word = re.sub(r"^the\s+", "", bare, flags=re.I)
    known = _AGGREGATE.search(question)
    if known is None or not _AGGREGATE.fullmatch(word):
        return None
    return Proposals.sure(question[: known.start()] + word.lower() + question[known.end() :], word, known[0])


def _swapped(bare: str, question: str, *, narrowing: bool) -> Iterator[Proposal]:
    """Another thing in the place of each one that was spoken of, and beside them all."""
    preposed = _PREPOSED.match(bare)
    core = re.sub(r"^the\s+", "", preposed["thing"] if preposed else bare, flags=re.I)
    for thing in things_of(question):
        if _ANY_WHEN.search(thing.text):
            # Nothing but another time takes the place of a time.
            continue
        article = f"{thing.determiner} " if thing.determiner.lower() in ("the", "our", "all") else ""
        start = thing.start + (len(thing.determiner) + 1 if article and thing.determiner else 0)
        prep = preposed["prep"].lower() if preposed else ""
        if prep in ("", thing.after, "for", "in", "of", "to", "at", "on"):
            yield Proposal(question[:start] + core + question[thing.end :], was=question[start : thing.end])
    if preposed:
        yield Proposal(f"{question} {bare}")
        if preposed["prep"].lower() in ("without", "except", "excluding", "not"):
            yield Proposal(f"{question} that are not {core}")
    for joint in ("in", "for", "with", "from", "that are") if narrowing or not preposed else ("in",):
        if not preposed or preposed["prep"].lower() == "for":
            yield Proposal(f"{question} {joint} {core}")


def _narrowing_first(found: tuple[Proposal, ...]) -> tuple[Proposal, ...]:
    """What leaves nothing out before what does: "only" narrows down."""
    return tuple(sorted(found, key=lambda one: bool(one.was)))


def _as_measure(asked: str) -> str:
    if found := _COUNTS.match(_THERE.sub("", asked)):
        return f"number of {found['things']}"
    return _LISTING.sub("", asked).removeprefix("the ").strip()


def _plural(word: str) -> str:
    if word.endswith("s"):
        return word
    return f"{word[:-1]}ies" if re.search(r"[^aeiou]y$", word) else f"{word}s"


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = list(pattern.finditer(text))
    return found[-1] if found else None
