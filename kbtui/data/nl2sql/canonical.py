# ruff: noqa: E501 (patterns read best on one line)
"""Phrases of one meaning as one token: "more than", "over" and "above" are all GT."""

from __future__ import annotations

import re
from typing import Final

_CANON: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern), to)
    for pattern, to in (
        (r"\b(?:can|could|would) you |\bplease\b|\bi want to\b|\bkindly\b", " "),
        (r"\b(?:visualize|draw|plot|make|show me|return|give me) (?:it |them )?(?:by |as |with )?a (?:bar|pie|scatter|line|stacked bar|grouped bar)? ?(?:chart|graph|plot|histogram)(?: (?:for|of|on|about|showing))?", "list "),
        (r"\b(?:in|by|with|as|using|visualize by)? ?(?:a )?(?:bar|pie|scatter|line) (?:chart|graph|plot)(?: (?:for|of|on))?|\breturn a (?:histogram|pie|bar) on", " "),
        (r"\b(?:(?:more|greater|larger|higher|bigger) than or equal to|(?:equal to )?or (?:more|greater) than(?: or equal to)?)", " GE "),
        (r"\b(?:less|smaller|lower|fewer) than or equal to", " LE "),
        (r"\b(?:no|not) (?:less|fewer|smaller|lower) than|\bat least|\bat minimum|>=|\ba minimum of", " GE "),
        (r"\b(?:no|not) (?:more|greater|larger|higher|bigger) than|\bat most|\bup to|<=|\ba maximum of", " LE "),
        (r"\b(N\d+) (?:or|and) (?:more|above|higher|greater|over|older|larger|later|after)\b(?! than)", r" GE \1 "),
        (r"\b(N\d+) (?:or|and) (?:less|fewer|below|lower|under|earlier|younger|before)\b(?! than)", r" LE \1 "),
        (r"\bolder than", " HINT_age GT "), (r"\byounger than", " HINT_age LT "),
        (r"\b(?:longer) than", " HINT_length GT "), (r"\bshorter than", " HINT_length LT "),
        (r"\btaller than", " HINT_height GT "), (r"\bheavier than", " HINT_weight GT "),
        (r"\bmore expensive than", " HINT_price GT "), (r"\bcheaper than", " HINT_price LT "),
        (r"\b(?:more|greater|larger|higher|bigger|better) ([CT]\d+) than\b", r" \1 GT "),
        (r"\b(?:less|fewer|smaller|lower|worse) ([CT]\d+) than\b", r" \1 LT "),
        (r"\b(?:more|greater|larger|higher|bigger|better|later|strictly more) (?:\w+ )?than|\bover\b|\babove\b|\bexceed(?:s|ing|ed)?\b|\bafter\b|>", " GT "),
        (r"\b(?:less|fewer|smaller|lower|earlier|worse) (?:\w+ )?than|\bunder\b|\bbelow\b|\bbefore\b|<", " LT "),
        (r"\bsince\b", " GE "),
        (r"\b(?:between|from|in the range of|within the range|within the range of|ranging from) (N\d+|Q\d+) (?:and|to) (N\d+|Q\d+)", r" BETWEEN \1 \2 "),
        (r"\bexcept (?:for )?those (?:who |that )?(?:having|have|has|with)\b", " WITHOUT "),
        (r"\bother than|\bnot equal to|!=|\bexcluding|\bexcept (?:for )?", " NE "),
        (r"\bmost (?:number of )?times\b", " MAXS times "), (r"\b(?:fewest|least) (?:number of )?times\b", " MINS times "),
        (r"\b(?:the )?(?:total )?(?:number|count|amount) of times|\bhow many times", " COUNT times "),
        (r"\b(?:all |complete |full |every |the )*(?:information|details|detail|info|data|attributes|columns|fields|records?|contents?)(?: there is)? (?:about|of|on|for|regarding|concerning|available for) (?:all |each |every |the |any )*(?=T)", " ALLCOLS "),
        (r"\b(?:the|their|its) (?:count|number|counts|numbers)(?= (?:for|in|per|EACH|each|of each|of every|,|and|\?|\.)|$)|\band (?:the )?(?:corresponding )?count\b", " and COUNT "),
        (r"\bhow many (?:different |distinct |unique |kinds of |types of )(?=[CT])", " COUNT DISTINCT "),
        (r"\bhow many\b", " COUNT "),
        (r"\b(?:the )?(?:total |overall )?(?:number|count|numbers|counts) of (?:all )?(?:the )?(?:different |distinct |unique )(?=[CT])", " COUNT DISTINCT "),
        (r"\b(?:the )?(?:total |overall )?(?:number|count|numbers|counts) of (?:all )?(?:the )?", " COUNT "),
        (r"\bcount (?:up )?(?:all )?(?:the )?(?:different |distinct |unique )(?=[CT])", " COUNT DISTINCT "),
        (r"^ ?count (?:up )?(?:all )?(?:the )?(?:COUNT )?", " COUNT "),
        (r"\bhow much (?:is |are )?(?:the )?(?:total )?", " SUM "),
        (r"\b(?:on )?average(?: number of| amount of| value of)?|\bmean\b", " AVG "),
        (r"\b(?:sum|total amount|combined|total sum|total value) of (?:all )?(?:the )?|\b(?:total|sum|summed|overall) (?:of )?(?=(?:the )?[CT]|and |, |AVG|MAXM|MINM)", " SUM "),
        (r"\b(?:maximum|maximal|max)\b(?: number of| value of)?", " MAXM "), (r"\b(?:minimum|minimal|min)\b(?: number of| value of)?", " MINM "),
        (r"\bmost (?:common|commonly|popular|frequent|frequently|often|commonly used|frequently used|prevalent|prominent)(?: used| ordered| owned)?\b|\bmost number of\b(?= C)", " COMMON "),
        (r"\b(?:least|rarest|fewest) (?:common|commonly|popular|frequent|frequently|often)(?: used)?\b|\brarest\b", " RARE "),
        (r"\b(?:most|more) recent(?:ly)?\b|\b(?:latest|newest)\b", " HINT_date MAXS "), (r"\bearliest\b|\bfirst(?= [CT])", " HINT_date MINS "),
        (r"\bmost expensive\b|\bpriciest\b", " HINT_price MAXS "), (r"\b(?:least expensive|cheapest)\b", " HINT_price MINS "),
        (r"\boldest\b", " HINT_age MAXS "), (r"\byoungest\b", " HINT_age MINS "),
        (r"\blongest\b", " HINT_length MAXS "), (r"\bshortest\b", " HINT_length MINS "),
        (r"\btallest\b", " HINT_height MAXS "), (r"\bheaviest\b", " HINT_weight MAXS "), (r"\blightest\b", " HINT_weight MINS "),
        (r"\b(?:highest|largest|biggest|greatest|best|most|richest|strongest|fastest)\b", " MAXS "),
        (r"\b(?:lowest|smallest|fewest|least|worst|slowest)\b", " MINS "),
        (r"\bfrom +(?:the +)?HINT_(\w+) (MAXS|MINS)(?: +\w+)? +to +(?:the +)?HINT_\w+ (?:MAXS|MINS)\b(?: +ones?)?", r" OBY_\1_\2 "),
        (r"\b(?:start|starting|starts|begin|beginning|begins) (?:with|from) +(?:the +)?HINT_(\w+) (MAXS|MINS)\b(?: +ones?)?(?! +[CT]\d)|\bHINT_(\w+) (MAXS|MINS) +first\b", r" OBY_\1\3_\2\4 "),
        (r"\b(?:in )?(?:an )?(?:alphabetical|alphabetic|lexicographical|lexicographic|alphabetically|lexicographically|ascending|increasing|asc)(?: \w*ly)?(?: order)?\b|\bfrom (?:low(?:est)? to high(?:est)?|small(?:est)? to larg\w+|(?:HINT_\w+ )?MINS to (?:HINT_\w+ )?MAXS|a to z)\b|\balphabetical order\b", " ASC "),
        (r"\b(?:in )?(?:a |an )?(?:descending|decreasing|desc|reverse alphabetical|reverse lexicographical|reverse)(?: \w*ly)?(?: order)?\b|\bfrom (?:high(?:est)? to low(?:est)?|larg\w+ to small\w*|(?:HINT_\w+ )?MAXS to (?:HINT_\w+ )?MINS)\b", " DESC "),
        (r"\b(?:for |of |in |by |from |at |on |to |with |per |across |under |within )?(?:each and every|each|every)(?: of the| of)?(?: different| distinct| kind of| type of)?\b|\bper\b|\bfor (?:different|various)\b|\bin (?:different|various)\b|\bbroken down by\b|\bgrouped? by\b|\bfor all (?:the )?different\b", " EACH "),
        (r"\bdid not|\bdo not|\bdoes not|\bdon ?'?t|\bdoesn ?'?t|\bdidn ?'?t|\bhaven ?'?t|\bhasn ?'?t|\bhave not|\bhas not|\bhad not|\bnever|\bnot\b|\bneither\b|\baren ?'?t|\bisn ?'?t|\bweren ?'?t", " NOT "),
        (r"\bwithout (?:the |a |any )*(?:substring|word|letter|letters|string|phrase)\b", " NOT HAS "),
        (r"\bwithout (?:any |a )?", " WITHOUT "), (r"\b(?:have|has|had|with|contain|are|is) (?:no|zero)\b|\bno(?= [CTVQ])", " WITHOUT "),
        (r"\b(?:distinct|different|unique)(?: kinds of| types of)?\b", " DISTINCT "),
        (r"\b(?:start|starts|starting|begin|begins|beginning)(?: with)?(?: the)?(?: letters?)?\b", " STARTS "),
        (r"\b(?:end|ends|ending)(?: with| in)?(?: the)?(?: letters?)?(?= [QVC])", " ENDS "),
        (r"\b(?:contain(?:s|ing)?|include(?:s)?|including|has|have|with) (?:the |a |an )*(?:(?!and|or)[a-z]+ )?(?:substring|word|letter|letters|string|phrase)(?: of)?\b|\bcontain(?:s|ing)?\b|\blike\b", " HAS "),
        (r"\b(?:with|have|has|having|had|whose) (?:the )?(Q\d+|V\d+) in (?:their|its|his|her|the) (?=C)", r" HAS \1 in the "),
        (r"\b(?:has|have|having) (Q\d+|V\d+) (?:in part|as (?:a )?part|in (?:it|them))\b", r" HAS \1 "),
        (r" +", " "),
    )
)  # fmt: skip


def canonical(line: str) -> str:
    """The line with phrases of one meaning as one token."""
    line = f" {line} "
    for pattern, to in _CANON:
        line = pattern.sub(to, line)
    return line.strip()
