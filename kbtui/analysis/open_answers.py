"""Writes the answer to an open request: the results of its statements, each number cited."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kbtui.analysis.answering import Answerer
from kbtui.analysis.markdown import escape, format_cell, format_signed, format_table
from kbtui.analysis.result_checks import NO_FIGURES
from kbtui.analysis.results import StepResult
from kbtui.analysis.wording import words_of
from kbtui.domain.analysis import Reading, ResultTable
from kbtui.nl2sql.open_plans import OpenPlan, OpenStep

_MAX_ROWS = 6
_MAX_NAMED = 3
"""Parts named in a sentence, at most."""


class OpenAnswerer(Answerer, kw_only=True):
    """Writes the answer of one plan.

    Args:
        plan: The plan of the open request.
        steps: Its statements by the id of the run's step.
    """

    plan: OpenPlan
    steps: Mapping[str, OpenStep]

    def opening(self, results: Sequence[StepResult]) -> str:
        """The summary before the statements."""
        if self.plan.intent != "change":
            parts = self._largest_of_each(results)
            return self._phrase("mostly", parts=self._joint().join(parts)) if parts else ""
        level = self._level(results)
        if level is None or level.table is None:
            return ""
        now, before, difference = level.table.rows[0]
        sentences = [
            self._phrase(
                "changed",
                figure=self._capital(self.plan.figure),
                period=self.plan.now,
                earlier=self.plan.before,
                now=format_cell(now, grouped=True),
                before=format_cell(before, grouped=True),
                difference=format_signed(difference),
                percent=self._percent_of(difference, before),
                mark=self.mark(level.table),
            )
        ]
        if not difference:
            sentences.append(self._phrase("same"))
        elif (self.plan.direction, difference > 0) in (("up", False), ("down", True)):
            sentences.append(self._phrase(f"not_{self.plan.direction}"))
        if self.plan.moved:
            sentences.append(self._phrase("other_year", period=self.plan.now))
        if self.plan.until is not None:
            sentences.append(self._phrase("so_far", period=self.plan.now, day=self.plan.until.isoformat()))
        if difference and (parts := self._main_contributors(results, difference, before)):
            sentences.append(self._phrase("most", parts=self._joint().join(parts)))
            sentences.append(self._phrase("no_cause"))
        return self.words.gap.join(sentences)

    def block(self, result: StepResult, by_id: Mapping[str, StepResult], several: bool) -> str:
        """The text of one statement: its finding, its reading, its first rows."""
        step = self.steps.get(result.step.step_id)
        table = result.table
        if step is None or table is None or not table.rows:
            return self._without_rows(step, result, by_id, several)
        mark = self.mark(table)
        read_as = self.words.read_as.format(says=escape(step.reading.says))
        if step.role == "level" and self.plan.intent == "change":
            # Its figures are in the summary.
            return read_as
        heading = self._phrase("by", dimension=escape(step.dimension)) if step.dimension else self._phrase(step.role)
        lines = [heading, read_as]
        if finding := self._finding(step, table, by_id, mark):
            lines.append(finding)
        if len(table.rows) > 1:
            is_course = step.role == "course"
            rows = table.rows[-_MAX_ROWS:] if is_course else table.rows[:_MAX_ROWS]
            lines.append(format_table(ResultTable(columns=table.columns, rows=rows), _MAX_ROWS))
            if len(table.rows) > _MAX_ROWS:
                note = "shown_last" if is_course else "shown"
                lines.append(self._phrase(note, shown=_MAX_ROWS, count=f"{len(table.rows):,}", mark=mark))
        lines += [self.words.cut_period(cut).format(mark=mark) for cut in step.reading.cut]
        return "\n\n".join(lines)

    def _without_rows(
        self, step: OpenStep | None, result: StepResult, by_id: Mapping[str, StepResult], several: bool
    ) -> str:
        """Why a statement has no rows; missing data of a period are stated once."""
        level = next((other for other in by_id.values() if other.reason == NO_FIGURES), None)
        if level is None or step is None:
            return Answerer.block(self, result, by_id, several)
        if result is not level:
            return ""
        return self._phrase("nothing", period=self.plan.now, earlier=self.plan.before, held=self.plan.held)

    # ---- findings in a table ----

    def _finding(self, step: OpenStep, table: ResultTable, by_id: Mapping[str, StepResult], mark: str) -> str:
        match step.role:
            case "level":
                return f"{self.row(table)} {mark}{self.words.stop}"
            case "course":
                return self._course_text(step, table, mark)
            case "moved":
                total = next((row[2] for row in self._level_rows(by_id)), None)
                return self._contributors_text(step, table, total, mark)
            case "within":
                return self._share_spread_text(step, table, mark)
            case _:
                return self._largest_text(step, table, mark)

    def _course_text(self, step: OpenStep, table: ResultTable, mark: str) -> str:
        """The last whole period compared with the one before it, and the highest and lowest."""
        rows = [row for row in table.rows if row[-1] is not None]
        if len(rows) < 3:
            return ""
        partial = any(cut.ends for cut in step.reading.cut)
        last, before = rows[-2 if partial else -1], rows[-3 if partial else -2]
        difference = last[-1] - before[-1]
        last_text = self._phrase(
            "last_whole",
            period=format_cell(last[0]),
            value=format_cell(last[-1], grouped=True),
            difference=format_signed(_rounded(difference)),
            percent=self._percent_of(difference, before[-1]),
            earlier=format_cell(before[0]),
            mark=mark,
        )
        whole_periods = rows[:-1] if partial else rows
        high, low = max(whole_periods, key=lambda row: row[-1]), min(whole_periods, key=lambda row: row[-1])
        ends = self._phrase(
            "highest",
            period=format_cell(high[0]),
            value=format_cell(high[-1], grouped=True),
            lowest=format_cell(low[0]),
            least=format_cell(low[-1], grouped=True),
            mark=mark,
        )
        # For a change the period in question is in the summary.
        return ends if self.plan.intent == "change" else last_text + self.words.gap + ends

    def _contributors_text(self, step: OpenStep, table: ResultTable, total: Any, mark: str) -> str:
        """The parts with the largest differences, each with its share of the whole difference."""
        rows = sorted((row for row in table.rows if row[-1]), key=lambda row: abs(row[-1]), reverse=True)[:_MAX_NAMED]
        parts = []
        for row in rows:
            share = (
                self._phrase("share_of_change", percent=_format_share(row[-1] / total))
                if self.plan.adds and total
                else ""
            )
            parts.append(
                self._phrase(
                    "moved_by",
                    name=f"**{_part_name(row, step)}**",
                    difference=format_signed(_rounded(row[-1])),
                    share=share,
                )
            )
        return self._phrase("rows_moved", parts=self._joint().join(parts), mark=mark) if parts else ""

    def _largest_text(self, step: OpenStep, table: ResultTable, mark: str) -> str:
        """The largest part with its share; for a comparison the gap between the largest and the smallest part."""
        rows = [row for row in table.rows if row[step.names] is not None]
        if not rows:
            return ""
        if self.plan.intent == "compare":
            return self._gap_text(step, rows, table, mark)
        first = rows[0]
        share = (
            self._phrase("of_all", percent=_format_percentage(first[-1]))
            if self.plan.adds and first[-1] is not None
            else ""
        )
        value = format_cell(first[step.names], grouped=True)
        text = self._phrase("largest", name=_part_name(first, step), value=value, share=share, mark=mark)
        if self.plan.adds and len(rows) > _MAX_NAMED + 1:
            text += self._phrase(
                "first_three", percent=_format_percentage(sum(row[-1] or 0 for row in rows[:_MAX_NAMED])), mark=mark
            )
        return text

    def _gap_text(self, step: OpenStep, rows: Sequence[Sequence[Any]], table: ResultTable, mark: str) -> str:
        top, bottom = rows[0], rows[-1]
        first_figure = step.names
        text = self._phrase(
            "gap",
            top=_part_name(top, step),
            high=format_cell(top[first_figure], grouped=True),
            bottom=_part_name(bottom, step),
            low=format_cell(bottom[first_figure], grouped=True),
            mark=mark,
        )
        figures = len(table.columns) - first_figure - self.plan.adds
        if figures < 3 or not all(
            isinstance(row[first_figure + n], (int, float)) and row[first_figure + n]
            for row in (top, bottom)
            for n in (1, 2)
        ):
            return text
        ratios = [top[first_figure + n] / bottom[first_figure + n] for n in (1, 2)]
        parts = [
            self._phrase(name, ratio=f"{ratio:.2f}") for name, ratio in zip(("number", "each"), ratios, strict=True)
        ]
        return text + self.words.gap + self._phrase("because", parts=self.words.list_joint.join(parts), mark=mark)

    def _share_spread_text(self, step: OpenStep, table: ResultTable, mark: str) -> str:
        """The part whose share varies most between things."""
        shares: dict[str, dict[str, float]] = {}
        things = dict.fromkeys(format_cell(row[0]) for row in table.rows)
        for row in table.rows:
            shares.setdefault(format_cell(row[step.names - 1]), dict.fromkeys(things, 0.0))[format_cell(row[0])] = (
                row[-1] or 0.0
            ) / 100
        if not self.plan.adds or len(things) < 2:
            return ""
        part, share_by_thing = max(shares.items(), key=lambda item: max(item[1].values()) - min(item[1].values()))
        top, bottom = (
            max(share_by_thing, key=share_by_thing.__getitem__),
            min(share_by_thing, key=share_by_thing.__getitem__),
        )
        high, low = _format_percentage(share_by_thing[top]), _format_percentage(share_by_thing[bottom])
        return self._phrase("within", part=part, top=top, high=high, bottom=bottom, low=low, mark=mark)

    def _largest_of_each(self, results: Sequence[StepResult]) -> list[str]:
        """The largest part of each dimension with its share."""
        texts = []
        for result in results:
            step = self.steps.get(result.step.step_id)
            if (
                step is None
                or step.role != "parts"
                or result.table is None
                or not result.table.rows
                or not self.plan.adds
            ):
                continue
            row = result.table.rows[0]
            if self.plan.intent == "report" and row[-1] is not None:
                dimension, name = escape(step.dimension), _part_name(row, step)
                share = _format_percentage(row[-1])
                texts.append(
                    self._phrase(
                        "largest_of", dimension=dimension, name=name, share=share, mark=self.mark(result.table)
                    )
                )
        return texts[:_MAX_NAMED]

    def _main_contributors(self, results: Sequence[StepResult], total: float, before: Any) -> list[str]:
        """The part of each dimension with the largest excess of its share over that before, in this order."""
        contributors: list[tuple[float, str]] = []
        for result in results:
            step = self.steps.get(result.step.step_id)
            if step is None or step.role != "moved" or result.table is None or not result.table.rows:
                continue
            rows = [row for row in result.table.rows if row[-1]]
            if len(rows) < 2:
                continue
            share_before = {id(row): row[-2] / before if before else 0.0 for row in rows}
            row = max(rows, key=lambda row: row[-1] / total - share_before[id(row)])
            excess = row[-1] / total - share_before[id(row)]
            share = ""
            if self.plan.adds:
                share = self._phrase(
                    "of_change", percent=_format_share(row[-1] / total), before=_format_share(share_before[id(row)])
                )
            part = self._phrase(
                "most_part",
                dimension=escape(step.dimension),
                name=_part_name(row, step),
                difference=format_signed(_rounded(row[-1])),
                share=share,
                mark=self.mark(result.table),
            )
            contributors.append((excess, part))
        return [part for _, part in sorted(contributors, key=lambda item: -item[0])[:_MAX_NAMED]]

    # ---- words ----

    def _level(self, results: Iterable[StepResult]) -> StepResult | None:
        return next(
            (
                result
                for result in results
                if result.step.step_id in self.steps
                and self.steps[result.step.step_id].role == "level"
                and result.table is not None
                and result.table.rows
            ),
            None,
        )

    def _level_rows(self, by_id: Mapping[str, StepResult]) -> list[tuple[Any, ...]]:
        level = self._level(by_id.values())
        return list(level.table.rows) if level is not None and level.table is not None else []

    def _phrase(self, phrase: str, /, **parts: Any) -> str:
        return self.words.listing("open")[phrase].format(**parts)

    def _joint(self) -> str:
        return self._phrase("joint")

    def _percent_of(self, difference: Any, before: Any) -> str:
        if not before or difference is None:
            return ""
        return self.words.aside(f"{difference / abs(before):+.1%}")

    @staticmethod
    def _capital(text: str) -> str:
        return escape(text[:1].upper() + text[1:])


def purposes(plan: OpenPlan, language: str) -> dict[str, Reading]:
    """The readings of a plan by their purposes, in a few words."""
    readings: dict[str, Reading] = {}
    phrases = words_of(language).listing("open")
    for step in plan.steps:
        phrase = "for_part" if step.dimension else f"for_{step.role}"
        purpose = phrases[phrase].format(
            figure=plan.figure, dimension=step.dimension, period=plan.now, earlier=plan.before
        )
        if step.role == "level" and plan.intent != "change":
            purpose = plan.figure
        readings[purpose if purpose not in readings else step.reading.says] = step.reading
    return readings


def _part_name(row: Sequence[Any], step: OpenStep) -> str:
    return " ".join(format_cell(cell) for cell in row[: step.names])


def _format_share(share: float) -> str:
    return f"{share:.1%}" if 0 < abs(share) < 0.1 else f"{share:.0%}"


def _format_percentage(percentage: float) -> str:
    return _format_share(percentage / 100)


def _rounded(value: Any) -> Any:
    return round(value, 4) if isinstance(value, float) else value
