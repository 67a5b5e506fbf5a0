# ruff: noqa: E501 (two languages stand beside each other)
"""What the answer to an open request says, in English and Chinese."""

from __future__ import annotations

from typing import Final

OPEN_WORDS: Final[dict[str, tuple[str, str]]] = {
    "changed": (
        "**{figure}: {now} in {period}, against {before} in {earlier}: {difference}{percent}** {mark}.",
        "**{figure}：{period}为 {now}，{earlier}为 {before}，变化 {difference}{percent}** {mark}。",
    ),
    "not_up": ("It did not rise.", "并没有上升。"),
    "not_down": ("It did not fall.", "并没有下降。"),
    "same": ("It did not change.", "没有变化。"),
    "so_far": (
        "{period} is not over in the data, which end {day}; it is compared with as many days before.",
        "{period}的数据截至 {day}，尚不完整，因此与之前相同天数比较。",
    ),
    "other_year": (
        "No year was named and later ones hold no data: {period} is meant.",
        "没有指明年份，且之后的年份没有数据：这里取{period}。",
    ),
    "most": ("Where most of it lies: {parts}.", "变化主要来自：{parts}。"),
    "most_part": (
        "{dimension} **{name}**, {difference}{share} {mark}",
        "{dimension} **{name}**，{difference}{share} {mark}",
    ),
    "of_change": (" ({percent} of the change; it was {before} of the whole before)", "（占变化的 {percent}，此前占整体 {before}）"),
    "mostly": ("The largest parts: {parts}.", "占比最大的：{parts}。"),
    "largest_of": ("{dimension} **{name}**, {share} {mark}", "{dimension} **{name}**，{share} {mark}"),
    "no_cause": (
        "The data say where it moved; what made it move is not in them.",
        "数据只说明变化出现在哪里，并不说明其原因。",
    ),
    "for_level": ("{figure}: {period} against {earlier}", "{figure}：{period}与{earlier}"),
    "for_course": ("{figure} over time", "{figure}的走势"),
    "for_part": ("{figure} by {dimension}", "按 {dimension} 的{figure}"),
    "by": ("**By {dimension}**", "**按 {dimension}**"),
    "course": ("**Over time**", "**走势**"),
    "level": ("**In all**", "**总体**"),
    "moved_by": ("{name} {difference}{share}", "{name} {difference}{share}"),
    "share_of_change": (" ({percent} of the change)", "（占变化的 {percent}）"),
    "rows_moved": ("{parts} {mark}.", "{parts} {mark}。"),
    "largest": ("Largest: **{name}**, {value}{share} {mark}.", "最大：**{name}**，{value}{share} {mark}。"),
    "of_all": (", {percent} of the whole", "，占整体 {percent}"),
    "first_three": (" The first three together: {percent} {mark}.", "前三项合计 {percent} {mark}。"),
    "last_whole": (
        "Last whole period {period}: **{value}**, {difference}{percent} from {earlier} {mark}.",
        "最近一个完整周期 {period}：**{value}**，较 {earlier} {difference}{percent} {mark}。",
    ),
    "highest": ("Highest: {period} ({value}); lowest: {lowest} ({least}) {mark}.", "最高：{period}（{value}）；最低：{lowest}（{least}）{mark}。"),
    "within": (
        "Sets them apart most: {part}, {high} of **{top}** and {low} of **{bottom}** {mark}.",
        "差别最大的是 {part}：占 **{top}** 的 {high}，占 **{bottom}** 的 {low} {mark}。",
    ),
    "gap": (
        "**{top}** has the most ({high}), **{bottom}** the least ({low}) {mark}.",
        "**{top}** 最多（{high}），**{bottom}** 最少（{low}）{mark}。",
    ),
    "number": ("{ratio} times as many rows", "行数为 {ratio} 倍"),
    "each": ("{ratio} times as much for each of them", "平均每行为 {ratio} 倍"),
    "because": ("Between these two: {parts} {mark}.", "两者相比：{parts} {mark}。"),
    "stopped": ("Nothing more was asked, because {step} brought nothing: {reason}.", "由于“{step}”没有结果（{reason}），后面的步骤没有执行。"),
    "shown": ("The first {shown} of {count} {mark}.", "仅显示 {count} 项中的前 {shown} 项 {mark}。"),
    "joint": ("; ", "；"),
}  # fmt: skip
"""By name, the phrase in English and in Chinese."""
