"""The answer to an open request: what the statements of its plan found, each number with its statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kbtui.analysis.answering import Answerer
from kbtui.analysis.markdown import as_markdown, escaped, shown, signed
from kbtui.analysis.result_checks import NOTHING_THEN
from kbtui.analysis.results import StepResult
from kbtui.analysis.wording import words_of
from kbtui.domain.analysis import Reading, ResultTable
from kbtui.nl2sql.open_plans import OpenPlan, OpenStep

_ROWS = 6
_NAMED = 3
"""Parts that are named in a sentence."""


class OpenAnswerer(Answerer, kw_only=True):
    """Makes the answer of one plan.

    Args:
        plan: What was asked of the data.
        steps: Its statements by the step of the run that asked them.
    """

    plan: OpenPlan
    steps: Mapping[str, OpenStep]

    def opening(self, told: Sequence[StepResult]) -> str:
        """What was found, before the statements."""
        if self.plan.intent != "change":
            parts = self._largest_of_each(told)
            return self._say("mostly", parts=self._joint().join(parts)) if parts else ""
        level = self._of(told, "level")
        if level is None or level.table is None:
            return ""
        now, before, difference = level.table.rows[0]
        said = [
            self._say(
                "changed",
                figure=self._capital(self.plan.figure),
                period=self.plan.now,
                earlier=self.plan.before,
                now=shown(now, grouped=True),
                before=shown(before, grouped=True),
                difference=signed(difference),
                percent=self._percent_of(difference, before),
                mark=self.mark(level.table),
            )
        ]
        if not difference:
            said.append(self._say("same"))
        elif (self.plan.direction, difference > 0) in (("up", False), ("down", True)):
            said.append(self._say(f"not_{self.plan.direction}"))
        if self.plan.moved:
            said.append(self._say("other_year", period=self.plan.now))
        if self.plan.until is not None:
            said.append(self._say("so_far", period=self.plan.now, day=self.plan.until.isoformat()))
        if difference and (parts := self._moved_most(told, difference, before)):
            said.append(self._say("most", parts=self._joint().join(parts)))
            said.append(self._say("no_cause"))
        return self.words.gap.join(said)

    def block(self, result: StepResult, by_id: Mapping[str, StepResult], several: bool) -> str:
        """One statement: what is to be seen in it, how it is said, its first rows."""
        step = self.steps.get(result.step.step_id)
        table = result.table
        if step is None or table is None or not table.rows:
            return self._without_rows(step, result, by_id, several)
        mark = self.mark(table)
        read_as = self.words.read_as.format(says=escaped(step.reading.says))
        if step.role == "level" and self.plan.intent == "change":
            # Its figures stand above.
            return read_as
        heading = self._say("by", dimension=escaped(step.dimension)) if step.dimension else self._say(step.role)
        lines = [heading, read_as]
        if found := self._finding(step, table, by_id, mark):
            lines.append(found)
        if len(table.rows) > 1:
            is_course = step.role == "course"
            rows = table.rows[-_ROWS:] if is_course else table.rows[:_ROWS]
            lines.append(as_markdown(ResultTable(columns=table.columns, rows=rows), _ROWS))
            if len(table.rows) > _ROWS:
                note = "shown_last" if is_course else "shown"
                lines.append(self._say(note, shown=_ROWS, count=f"{len(table.rows):,}", mark=mark))
        lines += [self.words.cut_period(cut).format(mark=mark) for cut in step.reading.cut]
        return "\n\n".join(lines)

    def _without_rows(
        self, step: OpenStep | None, result: StepResult, by_id: Mapping[str, StepResult], several: bool
    ) -> str:
        """Why a statement has nothing to show; days without data are said once for all that needs them."""
        level = next((one for one in by_id.values() if one.reason == NOTHING_THEN), None)
        if level is None or step is None:
            return Answerer.block(self, result, by_id, several)
        if result is not level:
            return ""
        return self._say("nothing", period=self.plan.now, earlier=self.plan.before, held=self.plan.held)

    # ---- what is to be seen in a table ----

    def _finding(self, step: OpenStep, table: ResultTable, by_id: Mapping[str, StepResult], mark: str) -> str:
        match step.role:
            case "level":
                return f"{self.row(table)} {mark}{self.words.stop}"
            case "course":
                return self._course(step, table, mark)
            case "moved":
                total = next((row[2] for row in self._level_rows(by_id)), None)
                return self._moved(step, table, total, mark)
            case "within":
                return self._within(step, table, mark)
            case _:
                return self._largest(step, table, mark)

    def _course(self, step: OpenStep, table: ResultTable, mark: str) -> str:
        """The last whole period beside the one before it, and the ends."""
        rows = [row for row in table.rows if row[-1] is not None]
        if len(rows) < 3:
            return ""
        partial = any(cut.ends for cut in step.reading.cut)
        last, before = rows[-2 if partial else -1], rows[-3 if partial else -2]
        difference = last[-1] - before[-1]
        found = self._say(
            "last_whole",
            period=shown(last[0]),
            value=shown(last[-1], grouped=True),
            difference=signed(_rounded(difference)),
            percent=self._percent_of(difference, before[-1]),
            earlier=shown(before[0]),
            mark=mark,
        )
        whole = rows[:-1] if partial else rows
        high, low = max(whole, key=lambda row: row[-1]), min(whole, key=lambda row: row[-1])
        ends = self._say(
            "highest",
            period=shown(high[0]),
            value=shown(high[-1], grouped=True),
            lowest=shown(low[0]),
            least=shown(low[-1], grouped=True),
            mark=mark,
        )
        # In a change the first period is the one that is asked about, which stands above.
        return ends if self.plan.intent == "change" else found + self.words.gap + ends

    def _moved(self, step: OpenStep, table: ResultTable, total: Any, mark: str) -> str:
        """The parts with the largest differences, each with its share of the whole difference."""
        rows = sorted((row for row in table.rows if row[-1]), key=lambda row: abs(row[-1]), reverse=True)[:_NAMED]
        parts = []
        for row in rows:
            share = self._say("share_of_change", percent=_percent(row[-1] / total)) if self.plan.adds and total else ""
            parts.append(
                self._say("moved_by", name=f"**{_name(row, step)}**", difference=signed(_rounded(row[-1])), share=share)
            )
        return self._say("rows_moved", parts=self._joint().join(parts), mark=mark) if parts else ""

    def _largest(self, step: OpenStep, table: ResultTable, mark: str) -> str:
        """The largest part with its share; between the largest and the least, what makes the difference."""
        rows = [row for row in table.rows if row[step.names] is not None]
        if not rows:
            return ""
        if self.plan.intent == "compare":
            return self._gap(step, rows, table, mark)
        first = rows[0]
        share = self._say("of_all", percent=_whole(first[-1])) if self.plan.adds and first[-1] is not None else ""
        value = shown(first[step.names], grouped=True)
        said = self._say("largest", name=_name(first, step), value=value, share=share, mark=mark)
        if self.plan.adds and len(rows) > _NAMED + 1:
            said += self._say("first_three", percent=_whole(sum(row[-1] or 0 for row in rows[:_NAMED])), mark=mark)
        return said

    def _gap(self, step: OpenStep, rows: Sequence[Sequence[Any]], table: ResultTable, mark: str) -> str:
        top, bottom = rows[0], rows[-1]
        at = step.names
        said = self._say(
            "gap",
            top=_name(top, step),
            high=shown(top[at], grouped=True),
            bottom=_name(bottom, step),
            low=shown(bottom[at], grouped=True),
            mark=mark,
        )
        figures = len(table.columns) - at - self.plan.adds
        if figures < 3 or not all(
            isinstance(row[at + n], (int, float)) and row[at + n] for row in (top, bottom) for n in (1, 2)
        ):
            return said
        ratios = [top[at + n] / bottom[at + n] for n in (1, 2)]
        parts = [self._say(name, ratio=f"{ratio:.2f}") for name, ratio in zip(("number", "each"), ratios, strict=True)]
        return said + self.words.gap + self._say("because", parts=self.words.list_joint.join(parts), mark=mark)

    def _within(self, step: OpenStep, table: ResultTable, mark: str) -> str:
        """The part whose share differs most from thing to thing."""
        shares: dict[str, dict[str, float]] = {}
        things = dict.fromkeys(shown(row[0]) for row in table.rows)
        for row in table.rows:
            shares.setdefault(shown(row[step.names - 1]), dict.fromkeys(things, 0.0))[shown(row[0])] = (
                row[-1] or 0.0
            ) / 100
        if not self.plan.adds or len(things) < 2:
            return ""
        part, found = max(shares.items(), key=lambda item: max(item[1].values()) - min(item[1].values()))
        top, bottom = max(found, key=found.__getitem__), min(found, key=found.__getitem__)
        high, low = _whole(found[top]), _whole(found[bottom])
        return self._say("within", part=part, top=top, high=high, bottom=bottom, low=low, mark=mark)

    def _largest_of_each(self, told: Sequence[StepResult]) -> list[str]:
        """The largest part by each dimension, where its share is one."""
        found = []
        for one in told:
            step = self.steps.get(one.step.step_id)
            if step is None or step.role != "parts" or one.table is None or not one.table.rows or not self.plan.adds:
                continue
            row = one.table.rows[0]
            if self.plan.intent == "report" and row[-1] is not None:
                dimension, name = escaped(step.dimension), _name(row, step)
                share = _whole(row[-1])
                found.append(
                    self._say("largest_of", dimension=dimension, name=name, share=share, mark=self.mark(one.table))
                )
        return found[:_NAMED]

    def _moved_most(self, told: Sequence[StepResult], total: float, before: Any) -> list[str]:
        """Of each dimension the part that has more of the difference than it had of the whole; the clearest first."""
        found: list[tuple[float, str]] = []
        for one in told:
            step = self.steps.get(one.step.step_id)
            if step is None or step.role != "moved" or one.table is None or not one.table.rows:
                continue
            rows = [row for row in one.table.rows if row[-1]]
            if len(rows) < 2:
                continue
            had = {id(row): row[-2] / before if before else 0.0 for row in rows}
            row = max(rows, key=lambda row: row[-1] / total - had[id(row)])
            excess = row[-1] / total - had[id(row)]
            share = ""
            if self.plan.adds:
                share = self._say("of_change", percent=_percent(row[-1] / total), before=_percent(had[id(row)]))
            part = self._say(
                "most_part",
                dimension=escaped(step.dimension),
                name=_name(row, step),
                difference=signed(_rounded(row[-1])),
                share=share,
                mark=self.mark(one.table),
            )
            found.append((excess, part))
        return [part for _, part in sorted(found, key=lambda item: -item[0])[:_NAMED]]

    # ---- words ----

    def _of(self, told: Sequence[StepResult], role: str) -> StepResult | None:
        found = (one for one in told if one.step.step_id in self.steps and self.steps[one.step.step_id].role == role)
        return next((one for one in found if one.table is not None and one.table.rows), None)

    def _level_rows(self, by_id: Mapping[str, StepResult]) -> list[tuple[Any, ...]]:
        level = self._of(tuple(by_id.values()), "level")
        return list(level.table.rows) if level is not None and level.table is not None else []

    def _say(self, phrase: str, /, **parts: Any) -> str:
        return self.words.listing("open")[phrase].format(**parts)

    def _joint(self) -> str:
        return self._say("joint")

    def _percent_of(self, difference: Any, before: Any) -> str:
        if not before or difference is None:
            return ""
        return self.words.aside(f"{difference / abs(before):+.1%}")

    @staticmethod
    def _capital(text: str) -> str:
        return escaped(text[:1].upper() + text[1:])


def purposes(plan: OpenPlan, language: str) -> dict[str, Reading]:
    """The statements of a plan by what each is for, in a few words."""
    found: dict[str, Reading] = {}
    phrases = words_of(language).listing("open")
    for step in plan.steps:
        phrase = "for_part" if step.dimension else f"for_{step.role}"
        said = phrases[phrase].format(
            figure=plan.figure, dimension=step.dimension, period=plan.now, earlier=plan.before
        )
        if step.role == "level" and plan.intent != "change":
            said = plan.figure
        found[said if said not in found else step.reading.says] = step.reading
    return found


def _name(row: Sequence[Any], step: OpenStep) -> str:
    return " ".join(shown(cell) for cell in row[: step.names])


def _percent(share: float) -> str:
    return f"{share:.1%}" if 0 < abs(share) < 0.1 else f"{share:.0%}"


def _whole(percentage: float) -> str:
    return _percent(percentage / 100)


def _rounded(value: Any) -> Any:
    return round(value, 4) if isinstance(value, float) else value
