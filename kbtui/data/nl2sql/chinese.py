# ruff: noqa: E501 (patterns read best on one line)
"""A Chinese question over data put into the order of an English one, so that one grammar and one linker serve both.

Chinese puts what narrows down before what it narrows (金额最高的5个客户); with the words known from a glossary, clauses
are told apart by 的 and turned around. Names of Chinese schemas stay as they are and are linked directly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from kbtui.text.language import simplified

_DIGITS: Final = {"零": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_SCALES: Final = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
_NUMERAL: Final = re.compile(r"[零一二两三四五六七八九十百千万亿]+")
_WORDS: Final[tuple[tuple[str, str, str], ...]] = (
    # kind, English, the Chinese words
    ("count", "", "有多少 共有多少 一共有多少 总共有多少 多少 有几 几 总数 个数 件数 人数 次数 数目 总数量 条数"),
    ("order_desc", "", "从高到低 从大到小 从多到少 从新到旧 降序 倒序 由高到低 由大到小"),
    ("order_asc", "", "从低到高 从小到大 从少到多 从旧到新 升序 由低到高 由小到大 字母顺序"),
    ("sort", "", "排序 排列 排名"),
    ("max", "", "最高 最多 最大"), ("min", "", "最低 最少 最小"),
    ("max", "most expensive", "最贵"), ("max", "longest", "最长"), ("max", "latest", "最新 最晚 最近"),
    ("max", "heaviest", "最重"), ("max", "oldest", "最老 年龄最大"), ("min", "youngest", "最年轻 年龄最小"),
    ("min", "cheapest", "最便宜"), ("min", "shortest", "最短"), ("min", "earliest", "最早 最旧"), ("min", "lightest", "最轻"),
    ("avg", "average", "平均 均值 平均值 平均数"),
    ("sum", "sum of", "总和 合计 总计 总共 总的 一共 总 累计"),
    ("maxm", "maximum", "最大值 最高值"), ("minm", "minimum", "最小值 最低值"),
    ("each", "each", "每个 每位 每家 每种 每张 每首 每一个 各个 各种 各 每 每条 每台 每件 每类 不同的每个 每名"),
    ("distinct", "different", "不同 不重复 去重 有哪些"),
    ("gt", "more than", "大于 超过 高于 多于 长于 晚于 贵于"), ("ge", "at least", "至少 不少于 不低于 大于等于 不小于"),
    ("lt", "less than", "小于 少于 低于 不足 不到 早于 短于"), ("le", "at most", "至多 不超过 不多于 不高于 小于等于 最多为"),
    ("after", "", "之后 以后"), ("before", "", "之前 以前"), ("orless", "", "以下 以内"), ("ormore", "", "以上 及以上 或以上"),
    ("between", "", "介于 在"), ("not", "not", "不是 不在 不为 不属于 非"), ("without", "without", "没有 从未 未 从来没有 没 无"),
    ("like", "contains", "包含 含有 带有"), ("starts", "starts with", "以"), ("and", "and", "和 与 及 以及 、 , ， 还有 并且 且"),
    ("or", "or", "或 或者 还是"), ("of", "", "的"), ("by", "", "按 按照 依照 根据"),
    ("which", "which", "哪个 哪些 哪位 哪一个 哪种 哪家 哪几个 哪台 哪首 哪张 哪类 谁 哪"),
    ("top", "", "前 排名前"), ("month", "month", "每月 每个月 按月 各月 月度"), ("year", "year", "每年 按年 各年 年度"),
    ("quarter", "quarter", "每季度 按季度 各季度 每个季度"), ("day", "day", "每天 每日 按天 按日"),
    ("range", "", "到 至"), ("is", "", "是 为 等于 叫 名为 叫做 来自 位于 在 属于 住在"), ("have", "", "有 拥有 具有"),
    ("starting", "", "开头 开始"), ("times", "times", "次"),
    ("skip", "", "请 列出 显示 查询 查找 找出 给出 统计 计算 告诉我 我想知道 想知道 看看 一下 帮我 所有 全部 所有的 吗 呢 ？ ? 。 ! ！ 都 那些 "
     "分别 什么 是什么 是多少 为多少 多大 它们 他们 其 里 中 里面 当中 之间 超出 下 过 了 被 共 拥有的 并 结果 请问 画 画出 图 柱状图 饼图 折线图 对应 信息 笔 个 位 家 台 件 条 张 首 种 元 类 用 该 以来 期间 发生 情况 分布 各自 只 值 ： : 给我 做"),
)  # fmt: skip
_MEASURES: Final = frozenset("个位家台件条张首种名元类次人块笔")


class Word(NamedTuple):
    """A piece of the question: what it does in it, and what it says in English."""

    kind: str
    text: str


def number_of(text: str) -> int:
    """``两百`` is 200."""
    total = part = digit = 0
    for letter in text:
        if letter in _DIGITS:
            digit = _DIGITS[letter]
        elif _SCALES[letter] >= 10_000:
            total = (total + part + digit or 1) * _SCALES[letter]
            part = digit = 0
        else:
            part += (digit or 1) * _SCALES[letter]
            digit = 0
    return total + part + digit


def segments(
    question: str,
    glossary: Mapping[str, Sequence[str]],
    names: Iterable[str],
    known: frozenset[str],
    values: Iterable[str],
) -> tuple[list[Word], list[str]]:
    """The words of a question by longest match, and what was not understood.

    Args:
        glossary: English words of Chinese ones; ``=`` before those that are values.
        names: Chinese names of the schema.
        known: Words that names of the schema are made of; the first translation made of them is taken.
        values: Stored values in Chinese.
    """
    table: dict[str, Word] = {}
    for kind, english, listed in _WORDS:
        for word in listed.split():
            table.setdefault(word, Word(kind, english))
    for chinese, englishes in glossary.items():
        plain = [english for english in englishes if not english.startswith("=")]
        if plain:
            fitting = next((e for e in plain if all(part in known for part in e.split())), plain[0])
            table[chinese] = Word("name", fitting)
        else:
            table.setdefault(chinese, Word("value", englishes[0][1:]))
    for name in names:
        table[name] = Word("name", name)
    for value in values:
        table.setdefault(value, Word("value", value))
    longest = max(map(len, table))
    text = simplified(question)
    words: list[Word] = []
    unknown: list[str] = []
    position = 0
    latin = re.compile(
        r"\"[^\"]*\"|'[^']*'|“[^”]*”|「[^」]*」|《[^》]*》|@\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d|\d+(?:\.\d+)?|[A-Za-zÀ-ɏ_][A-Za-z0-9_.&/'À-ɏ-]*(?: [A-Za-zÀ-ɏ][A-Za-z0-9_.&/'À-ɏ-]*)*"
    )
    while position < len(text):
        if match := latin.match(text, position):
            piece = match.group()
            kind = "number" if piece[0].isdigit() else "span" if piece[0] == "@" else "value"
            scale = _SCALES.get(text[match.end() : match.end() + 1], 0) if kind == "number" else 0
            end = match.end()
            if scale:
                piece, end = f"{float(piece) * scale:g}", end + 1
            words.append(Word(kind, piece.strip("\"'“”「」《》")))
            position = end + (
                1 if kind == "number" and text[end : end + 1] in _MEASURES and text[end : end + 2] not in table else 0
            )
            continue
        for length in range(min(longest, len(text) - position), 0, -1):
            piece = text[position : position + length]
            if piece in table:
                words.append(table[piece])
                position += length
                break
        else:
            match_number = _NUMERAL.match(text, position)
            if match_number:
                words.append(Word("number", str(number_of(match_number.group()))))
                position = match_number.end()
                if text[position : position + 1] in _MEASURES:
                    position += 1
                continue
            if not text[position].isspace():
                unknown.append(text[position])
            position += 1
    return [word for word in words if word.kind != "skip"], ["".join(unknown)] if unknown else []


def reordered(words: Sequence[Word]) -> tuple[str, int | None]:
    """The words as an English question that the grammar reads, and how many rows are asked for."""
    turned = _Turned(list(words))
    return turned.text, turned.limit


class _Turned:
    def __init__(self, words: list[Word]) -> None:
        self._tail: list[str] = []
        self.limit: int | None = None
        self._ranked = False
        words = [w for n, w in enumerate(words) if not (w.kind == "of" and n and words[n - 1].kind == "distinct")]
        words = self._order(words)
        parts: list[list[Word]] = [[]]
        for word in words:
            if word.kind == "of":
                parts.append([])
            else:
                parts[-1].append(word)
        parts = [part for part in parts if part]
        if not parts:
            self.text = ""
            return
        *before, head = parts
        # "客户的名称和城市": what is only named before the head is what the head is of.
        self._ranked = any(word.kind in ("max", "min") for part in parts for word in part)
        if (
            any(word.kind in ("max", "min") and not word.text for part in before for word in part[:1])
            and len(before[0]) == 1
        ):
            # 最大的费用金额: the largest of the values, not what has the largest.
            kind = before.pop(0)[0].kind
            head = [Word("maxm", "maximum") if kind == "max" else Word("minm", "minimum"), *head]
        modifiers = [self._modifier(part) for part in before]
        select = self._head(head)
        self.text = " ".join(" ".join([select, *[m for m in modifiers[::-1] if m], *self._tail]).split())

    def _order(self, words: list[Word]) -> list[Word]:
        kinds = [word.kind for word in words]
        direction = "descending" if "order_desc" in kinds else "ascending"
        if "sort" in kinds or "order_desc" in kinds or "order_asc" in kinds:
            if "by" in kinds:
                start = len(kinds) - 1 - kinds[::-1].index("by")
                end = next(
                    (n for n in range(start, len(kinds)) if kinds[n] in ("sort", "order_desc", "order_asc")), len(kinds)
                )
                inner = [word for word in words[start + 1 : end] if word.kind not in ("of",)]
                rest = [
                    w for w in words[:start] + words[end + 1 :] if w.kind not in ("sort", "order_desc", "order_asc")
                ]
                if inner:
                    self._tail.append(f", ordered by {self._plain(inner)} in {direction} order")
                return rest
            words = [w for w in words if w.kind not in ("sort", "order_desc", "order_asc")]
        if "by" in kinds and "sort" not in kinds:
            start = kinds.index("by")
            if start + 1 < len(words) and words[start + 1].kind == "name":
                words = [*words[:start], Word("each", "each"), *words[start + 1 :]]
                following = start + 2
                if following < len(words) and words[following].kind != "of":
                    words.insert(following, Word("of", ""))
                if start:
                    # 包裹数量按城市: what is counted was said first.
                    words = [*words[start : following + 1], *words[:start], *words[following + 1 :]]
        return words

    def _plain(self, words: Sequence[Word]) -> str:
        names = [word.text for word in words if word.kind in ("name", "avg", "sum")]
        if any(word.kind == "count" for word in words):
            return "number of " + " ".join(names)
        return " ".join(names)

    def _say(self, word: Word) -> str:
        match word.kind:
            case "value":
                return f'"{word.text}"'
            case "name" | "number" | "span" | "and" | "or" | "distinct" | "avg" | "sum" | "maxm" | "minm" | "times":
                return word.text
            case _:
                return ""

    def _buckets(self, words: list[Word]) -> list[Word]:
        kept = []
        for word in words:
            if word.kind in ("month", "year", "quarter", "day"):
                self._tail.append(f"by {word.kind}")
            else:
                kept.append(word)
        return kept

    def _condition(self, words: Sequence[Word]) -> str | None:
        """A comparison, a negation, a value: as it reads after "with"."""
        kinds = [word.kind for word in words]
        english = {"gt": "more than", "ge": "at least", "lt": "less than", "le": "at most"}
        suffix = {"after": "gt", "before": "lt", "ormore": "ge", "orless": "le"}
        for kind, to in suffix.items():
            if kind in kinds and ("number" in kinds or "span" in kinds or "value" in kinds):
                words = [w for w in words if w.kind not in (kind, "is", "between")]
                spot = next(n for n, w in enumerate(words) if w.kind in ("number", "span", "value"))
                if words[spot].kind == "span":
                    first, last = words[spot].text[1:].split("..")
                    words[spot] = Word("value", last if kind == "after" else first)
                words = [*words[:spot], Word(to, ""), *words[spot:]]
                kinds = [word.kind for word in words]
        for kind, phrase in english.items():
            if kind not in kinds:
                continue
            spot = kinds.index(kind)
            left = [w for w in words[:spot] if w.kind in ("name", "sum", "avg", "count")]
            right = list(words[spot + 1 :])
            if any(w.kind == "avg" for w in right):
                named = " ".join(w.text for w in left if w.kind == "name")
                return f"whose {named} is {phrase} the average {named}"
            value = next((self._say(w) for w in right if w.kind in ("number", "value")), "")
            after = [w.text for w in right if w.kind == "name"]
            if after:
                return f"with {phrase} {value} {' '.join(after)}"
            lead = [w.text for w in left if w.kind == "name"]
            if any(w.kind == "count" for w in left) and lead:
                return f"with {phrase} {value} {lead[-1]}"
            agg = next((w.text + " " for w in left if w.kind in ("sum", "avg")), "")
            return f"with {agg}{' '.join(lead)} {phrase} {value}"
        if "range" in kinds and kinds.count("number") == 2:
            low, high = [w.text for w in words if w.kind == "number"]
            named = " ".join(w.text for w in words if w.kind == "name")
            return f"with {named} between {low} and {high}"
        if "without" in kinds:
            spot = kinds.index("without")
            inner = [self._say(w) for w in words[spot + 1 :]]
            lead = [self._say(w) for w in words[:spot] if w.kind == "name"]
            return f"{'of ' + ' '.join(lead) if lead else ''} without {' '.join(p for p in inner if p)}"
        if "not" in kinds:
            spot = kinds.index("not")
            named = " ".join(w.text for w in words[:spot] if w.kind == "name")
            value = " ".join(self._say(w) for w in words[spot + 1 :] if w.kind in ("value", "number", "name"))
            return f"whose {named} is not {value}" if named else f"not in {value}"
        if "like" in kinds or "starts" in kinds:
            kind = "contains" if "like" in kinds else "starts with"
            named = " ".join(w.text for w in words if w.kind == "name")
            value = next((self._say(w) for w in words if w.kind in ("value", "number")), "")
            return f"whose {named} {kind} {value}"
        return None

    def _modifier(self, words: list[Word]) -> str:
        words = self._buckets(words)
        kinds = [word.kind for word in words]
        if "max" in kinds or "min" in kinds:
            return self._superlative(words)
        said = self._condition(words)
        if said is not None:
            return said
        if "each" in kinds:
            spot = kinds.index("each")
            names = [w.text for w in words[spot + 1 :] if w.kind == "name"]
            lead = " ".join(self._say(w) for w in words[:spot])
            rest = f" of {' '.join(names[1:])}" if len(names) > 1 else ""
            return f"{lead} for each {names[0]}{rest}" if names else lead
        names = [w.text for w in words if w.kind == "name"]
        values = [self._say(w) for w in words if w.kind in ("value", "span")]
        numbers = [w.text for w in words if w.kind == "number"]
        if numbers and names and self._ranked and "have" not in kinds:
            self._limit_with(numbers[0])
            return "of " + " of ".join(names[::-1])
        if "and" in kinds and len(names) == 2 and not values:
            return f"of {names[0]} and {names[1]}"
        link = " or " if len(values) > 1 else " "
        if (
            values
            and names
            and "is" in kinds
            and kinds.index("is") > min(n for n, k in enumerate(kinds) if k == "name")
        ):
            return f"whose {' '.join(names)} is {link.join(values)}"
        if numbers and names:
            return f"with {numbers[0]} {names[-1]}" if "have" in kinds else f"whose {' '.join(names)} is {numbers[0]}"
        if "have" in kinds and names:
            return f"that have {' '.join(names)}"
        return " ".join(
            [*(["of " + " of ".join(names[::-1])] if names else []), *(["in " + link.join(values)] if values else [])]
        )

    def _superlative(self, words: Sequence[Word]) -> str:
        kinds = [word.kind for word in words]
        high = "max" in kinds
        spot = kinds.index("max" if high else "min")
        names = [w.text for w in words[:spot] if w.kind == "name"]
        if not names and words[spot].text:
            return words[spot].text
        agg = next((w.text + " " for w in words if w.kind in ("avg", "sum")), "")
        if len(names) > 1 and names[-1] == "quantity":
            names.pop()
            agg = "number of "
        number = next((w.text for w in words if w.kind == "number"), "")
        if any(w.kind == "count" for w in words[:spot]):
            agg = "number of "
        values = [self._say(w) for w in words if w.kind in ("value", "span")]
        said = f"with the {number} {'most' if high else 'least'} {agg}{names[-1]}" if names else ""
        said = said if agg or not names else f"with the {number} {'highest' if high else 'lowest'} {names[-1]}"
        owner = f" of {' of '.join(names[:-1][::-1])}" if len(names) > 1 else ""
        return " ".join([owner, said, *(["in " + " ".join(values)] if values else [])])

    def _head(self, words: list[Word]) -> str:
        words = self._buckets(words)
        kinds = [word.kind for word in words]
        number = next((w.text for w in words if w.kind == "number"), "")
        if "max" in kinds or "min" in kinds:
            high = "max" in kinds
            spot = kinds.index("max" if high else "min")
            names = [w.text for w in words[:spot] if w.kind == "name"]
            after = [w.text for w in words[spot + 1 :] if w.kind == "name"]
            values = [self._say(w) for w in words if w.kind in ("value", "span")]
            place = " in " + " ".join(values) if values else ""
            if after and words[spot].text:
                return f"list {words[spot].text} {' '.join(after)}{place}"
            if after and not names:
                # 最高价格, 最长的: the largest value itself.
                return f"what is the {'maximum' if high else 'minimum'} {' '.join(after)}{place}"
            agg = (
                "number of "
                if "count" in kinds
                else next((w.text + " " for w in words if w.kind in ("avg", "sum")), "")
            )
            if len(names) > 1 and names[-1] == "quantity":
                names.pop()
                agg = "number of "
            if ("which" in kinds or "each" in kinds) and len(names) >= 2:
                return f"which {names[0]} has the {'most' if high else 'least'} {agg}{names[-1]}{place}"
            shown = " ".join(after) or (names[0] if len(names) > 1 else "")
            return f"list {shown} with the {number} {'highest' if high else 'lowest'} {agg}{names[-1] if names else ''}{place}"
        condition = None
        if set(kinds) & {
            "gt",
            "ge",
            "lt",
            "le",
            "after",
            "before",
            "ormore",
            "orless",
            "without",
            "not",
            "like",
            "starts",
        }:
            leads = "which" in kinds or "count" in kinds
            names_at = [n for n, k in enumerate(kinds) if k == "name"]
            if names_at:
                # 哪些客户没有包裹: who is asked for stands first.
                spot = names_at[0]
                condition = self._condition(words[spot + 1 :] if leads else words)
                if condition is not None and leads:
                    lead = "how many" if "count" in kinds else "which"
                    return f"{lead} {words[spot].text} {condition}"
                if condition is not None:
                    return f"list {words[names_at[-1]].text} {condition}"
        if "each" in kinds:
            spot = kinds.index("each")
            names = [w.text for w in words[spot + 1 :] if w.kind == "name"]
            if names:
                rest = [*words[:spot], *[w for w in words[spot + 1 :] if not (w.kind == "name" and w.text == names[0])]]
                rest = [w for w in rest if w.kind not in ("each", "have")]
                return f"{self._head(rest)} for each {names[0]}" if rest else f"list {names[0]}"
        values = [self._say(w) for w in words if w.kind in ("value", "span")]
        place = " in " + " ".join(values) if values else ""
        if "top" in kinds and number:
            named = " ".join(w.text for w in words if w.kind == "name")
            return f"list top {number} {named}{place}"
        if "count" in kinds:
            names = [w.text for w in words if w.kind == "name"]
            unique = "different " if "distinct" in kinds else ""
            if any(w.kind in ("avg",) for w in words):
                return f"average {' '.join(names)}{place}"
            return f"how many {unique}{' of '.join(names[::-1])}{place}"
        said = [self._say(w) for w in words if w.kind not in ("value", "span", "number")]
        names_only = [w.text for w in words if w.kind == "name"]
        aggs = [w.text for w in words if w.kind in ("avg", "sum", "maxm", "minm")]
        lead = f"top {number} " if number and "which" not in kinds and not aggs else ""
        if number and lead:
            self._limit_with(number)
            lead = ""
        if aggs and names_only:
            return (
                f"what is the {' and '.join(aggs)} {names_only[-1]}"
                + (f" of {' of '.join(names_only[:-1])}" if len(names_only) > 1 else "")
                + place
            )
        if "distinct" in kinds and names_only:
            said = ["different", *[part for part in said if part and part != "different"]]
        if names_only[-1:] == ["quantity"] or names_only[-1:] == ["amount"]:
            whole = names_only[:-1]
            if whole:
                return (
                    f"number of {' of '.join(whole)}{place}"
                    if names_only[-1] == "quantity"
                    else f"total {' '.join(names_only)}{place}"
                )
        which = "which " if "which" in kinds else "list "
        if len(names_only) > 1 and "and" not in kinds and "or" not in kinds:
            unique = "different " if "distinct" in kinds else ""
            return which + unique + " of ".join(names_only[::-1]) + place
        return which + " ".join(part for part in said if part) + place

    def _limit_with(self, number: str) -> None:
        self.limit = int(float(number))
