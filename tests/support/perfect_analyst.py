"""A chat model that knows one small shop: it writes statements, plans analyses and puts follow-ups in full by a script.

What it is asked comes from the prompt alone; where the script has no answer it says that the tables have none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.support.model_request import Reply, Request
from tests.support.perfect_model import perfect, question_of, structured


def task_of(request: Request) -> str:
    """What it is asked to do: the first line of the prompt is ``Task: sql``."""
    return request.system.lstrip().split("\n", 1)[0].removeprefix("Task:").strip()


@dataclass
class Analyst:
    """The script, and what it was asked for.

    Attributes:
        statements: By a part of the question.
        plan: Steps, as the prompt wants them.
        in_full: Follow-ups by what they mean.
    """

    statements: Mapping[str, str] = field(default_factory=dict)
    plan: Sequence[Any] | str = ()
    in_full: Mapping[str, str] = field(default_factory=dict)
    tasks: list[str] = field(default_factory=list)

    def __call__(self, request: Request) -> Reply:
        task, question = task_of(request), question_of(request)
        self.tasks.append(task)
        match task:
            case "sql":
                sql = next((sql for part, sql in self.statements.items() if part in question), "")
                says = question.rstrip("?") if sql else "no table has it"
                return structured(request, {"sql": sql, "kind": "aggregation", "says": says})
            case "plan":
                return (
                    Reply(content=self.plan)
                    if isinstance(self.plan, str)
                    else structured(request, {"steps": self.plan})
                )
            case "condense":
                return structured(request, {"standalone_question": self.in_full.get(question, "")})
            case _:
                return perfect(request)
