from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.reasoning.checking import AnswerChecker, CheckedAnswer, Source
from kbtui.reasoning.citing import Citations

DEPLOY = (
    "Deploys need two approvals from the platform team.\n"
    "A deploy is rolled back with `deploy pin`, which restores the last green image.\n"
    "Roll back when the error rate stays above 5% for 10 minutes."
)
BACKUP = (
    "The database is backed up every night at 02:00 to the Frankfurt region.\n"
    "Backups are kept for 35 days.\n"
    "Restoring a backup takes 40 minutes and never needs downtime."
)
DUTY = "值班每周三上午十点交接。\n白天收到告警后十分钟内回应。"
PAGES = {"deploy.md": DEPLOY, "ops/backup.md": BACKUP, "值班.md": DUTY}


class Lines:
    def lines(self, path: str) -> Sequence[str]:
        return PAGES[path].split("\n")


def sources() -> list[Source]:
    return [
        Source(n=n, hit=Hit(path=path, start_line=1, end_line=len(text.split("\n")), text=text))
        for n, (path, text) in enumerate(PAGES.items(), start=1)
    ]


Check = Callable[[str], tuple[CheckedAnswer, Citations]]


@pytest.fixture
def check() -> Check:
    def run(markdown: str) -> tuple[CheckedAnswer, Citations]:
        citations = Citations(Lines())
        return AnswerChecker(lambda: None).check(markdown, sources(), citations, CancelToken()), citations

    return run
