"""The sandbox: calculations come out right, and nothing that was written to escape or to exhaust does."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from kbtui.data.sandbox import SandboxLimits, calculate
from kbtui.domain.analysis import ResultTable
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, ToolError

SALES = ResultTable(columns=("month", "total"), rows=(("2025-01", 10), ("2025-02", 12.5), ("2025-03", None)))
SHORT = SandboxLimits(seconds=0.5)


def value(code: str, limits: SandboxLimits | None = None) -> object:
    table = calculate(code, {"t1": SALES}, CancelToken(), limits=limits).table
    assert table.columns == ("value",), table
    return table.rows[0][0]


def refused(code: str, limits: SandboxLimits | None = None) -> str:
    with pytest.raises(ToolError) as caught:
        calculate(code, {"t1": SALES}, CancelToken(), limits=limits)
    return caught.value.message


def test_the_last_line_is_the_result() -> None:
    assert value("x = 2\nx + 1") == 3


def test_tables_are_lists_of_rows() -> None:
    assert value("sum(row['total'] or 0 for row in tables['t1'])") == 22.5


@pytest.mark.parametrize(
    ("code", "columns", "rows"),
    [
        ("[{'a': 1, 'b': 'x'}, {'a': 2}]", ("a", "b"), ((1, "x"), (2, None))),
        ("[1, 2]", ("value",), ((1,), (2,))),
        ("[(1, 2), (3,)]", ("column 1", "column 2"), ((1, 2), (3, None))),
        ("{'slope': 1.5, 'n': 3}", ("name", "value"), (("slope", 1.5), ("n", 3))),
        ("{'x': [1, 2], 'y': [3]}", ("x", "y"), ((1, 3), (2, None))),
        ("None", (), ()),
        ("float('nan')", ("value",), ((None,),)),
        ("'\\x1b[31mred'", ("value",), (("red",),)),
    ],
)
def test_results_of_many_shapes_are_tables(code: str, columns: tuple[str, ...], rows: tuple[object, ...]) -> None:
    table = calculate(code, {}, CancelToken()).table
    assert (table.columns, table.rows, table.truncated) == (columns, rows, False)


def test_what_is_printed_is_kept_clean() -> None:
    assert calculate("print('a\\x1b[31mb')", {}, CancelToken()).printed == "ab\n"


def test_a_long_result_is_cut_and_says_so() -> None:
    table = calculate("list(range(20000))", {}, CancelToken()).table
    assert (len(table.rows), table.row_count, table.truncated) == (10_000, 20_000, True)


def test_an_error_names_its_line() -> None:
    assert refused("x = 1\ny = 0\nx / y") == ("The calculation failed in line 3: ZeroDivisionError: division by zero.")
    assert "line 2" in refused("x = 1\nx ==")


def test_nothing_is_left_of_one_run_for_the_next() -> None:
    value("leftover = 5\nleftover")
    assert "leftover" in refused("leftover")


def test_cancelling_ends_a_run_that_would_last() -> None:
    cancel = CancelToken()
    threading.Timer(0.1, cancel.cancel).start()
    with pytest.raises(Cancelled):
        calculate("while True: pass", {}, cancel, limits=SandboxLimits(seconds=3))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("mean([1, 2, None, 6])", 3),
        ("median([3, 1, 2, 10])", 2.5),
        ("mode(['a', 'b', 'b'])", "b"),
        ("round(stdev([2, 4, 4, 4, 5, 5, 7, 9]), 4)", 2.1381),
        ("round(variance([2, 4, 4, 4, 5, 5, 7, 9]), 4)", 4.5714),
        ("quantile([1, 2, 3, 4], 0.25)", 1.75),
        ("percentile([1, 2, 3, 4], 50)", 2.5),
        ("corr([1, 2, 3], [2, 4, 6])", 1),
        ("linear_fit([0, 1, 2], [1, 3, 5])['slope']", 2),
        ("zscore([1, 2, 3])[2]", 1),
        ("growth(80, 100)", 0.25),
        ("round(cagr(100, 200, 10), 6)", 0.071773),
        ("moving_average([1, 2, 3, 4], 2)[3]", 3.5),
        ("round(pmt(0.05 / 12, 360, 200000), 2)", 1073.64),
        ("round(fv(0.01, 12, 100), 2)", 1268.25),
        ("round(pv(0.01, 12, 100), 2)", 1125.51),
        ("round(npv(0.1, [-10000, 3000, 4200, 6800]), 2)", 1188.44),
        ("round(irr([-70000, 12000, 15000, 18000, 21000, 26000]), 4)", 0.0866),
        ("round(compound_interest(1000, 0.05, 10, 12), 2)", 1647.01),
        ("days_between('2024-02-01', '2024-03-01')", 29),
        ("add_days('2025-01-31', 1)", "2025-02-01"),
    ],
)
def test_functions_give_what_textbooks_and_spreadsheets_give(code: str, expected: object) -> None:
    assert value(code) == pytest.approx(expected) if isinstance(expected, (int, float)) else value(code) == expected


ESCAPES = [
    "import os\nos.listdir('/')",
    "import os\nos.environ['HOME']",
    "import os\nos.getenv('KBTUI_CANARY', 1 / 0)",
    "import os\nos.system('touch {file}')",
    "import sys\nsys.modules['os'].system('id')",
    "import subprocess",
    "import socket",
    "import ctypes",
    "import pickle",
    "import importlib",
    "import builtins",
    "import shutil",
    "import urllib.request",
    "from kbtui import errors",
    "open('/etc/passwd').read()",
    "open('{file}', 'w').write('x')",
    "from pathlib import Path\nPath('{file}').write_text('x')",
    "from pathlib import Path\nPath('/etc/passwd').read_text()",
    "from pathlib import Path\nlist(Path('/').iterdir())",
    "__import__('os')",
    "__builtins__['open']('/etc/passwd')",
    "eval(\"open('/etc/passwd').read()\")",
    "exec(\"open('{file}', 'w')\")",
    "exec(compile('import socket', 'x', 'exec'))",
    "().__class__.__bases__[0].__subclasses__()",
    "''.__class__.__mro__[1].__subclasses__()",
    "(lambda: 0).__globals__",
    "(lambda: 0).__code__",
    "mean.__globals__['__builtins__']",
    "mean.__self__",
    "mean.__call__.__self__",
    "getattr(mean, '__glo' + 'bals__')",
    "'{0.__class__.__mro__}'.format(1)",
    "'{0.__globals__}'.format(mean)",
    "f'{mean.__globals__}'",
    "globals()['__builtins__']['open']",
    "type('X', (), {})().__class__.__base__.__subclasses__()",
    "def f():\n    yield\nf().gi_frame.f_back.f_globals",
    "try:\n    1 / 0\nexcept Exception as error:\n    tb = error.__traceback__.tb_frame.f_globals\ntb",
    "tables.__class__.__base__.__subclasses__()",
    "breakpoint()",
    "input()",
    "class A:\n    def __reduce__(self):\n        return (print, ())\nA()",
    "print.__self__",
    "setattr(mean, 'x', 1)",
    "vars(mean)['__globals__']",
    "import asyncio\nasyncio.create_subprocess_shell('id')",
    "import gc\ngc.get_objects()",
    "import inspect\ninspect.stack()",
    "quit()",
    "exit(3)",
    "raise SystemExit(3)",
    "raise KeyboardInterrupt",
]
EXHAUSTIONS = [
    "9 ** 9 ** 9",
    "2 ** (2 ** 40)",
    "1 << (1 << 40)",
    "'x' * 10 ** 12",
    "[0] * 10 ** 10",
    "b'x' * 10 ** 11",
    "'%1000000000d' % 1",
    "f'{1:1000000000}'",
    "'{:>1000000000}'.format(1)",
    "'x'.ljust(10 ** 10)",
    "'x'.zfill(10 ** 10)",
    "x = 'a'\nwhile True: x += x",
    "while True: pass",
    "try:\n    while True: pass\nexcept BaseException:\n    pass\n1",
    "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    "try:\n    x = [0] * 10 ** 10\nfinally:\n    while True: pass",
    "[x for x in range(10 ** 12)]",
    "[[y for y in range(10 ** 6)] for x in range(10 ** 6)]",
    "{x: x for x in range(10 ** 10)}",
    "sum(x for x in range(10 ** 12))",
    "sum(range(10 ** 12), start=0)\nmax(range(10 ** 12))",
    "list(range(10 ** 12))",
    "sorted(range(10 ** 11))",
    "def f(): return f()\nf()",
    "f = lambda: f()\nf()",
    "x = []\nfor _ in range(10 ** 6): x = [x]\nrepr(x)",
    "x = {}\nfor i in range(10 ** 9): x[i] = [i] * 1000",
    "def f():\n    while True: yield 1\nlist(f())",
    "eval('(' * 5000 + ')' * 5000)",
    "exec('x = 1\\n' * 10 ** 7)",
    "import re\nre.match('(a+)+$', 'a' * 40 + 'b')\nwhile True: re.match('(a|a)*b', 'a' * 1000)",
    "import math\nmath.factorial(10 ** 9)",
    "import itertools\nlist(itertools.product(range(10 ** 4), repeat=4))",
    "for i in range(10 ** 9): print('x' * 1000)",
    "print('x' * 10 ** 7)",
    "for i in range(10 ** 9): mean([1])",
    "mean([1] * 200000)",
    "mean(list(range(10 ** 8)))",
    "mean('x' * 1000)",
    "mean([10 ** 400])",
    "mean([float('inf')])",
    "mean([[1]])",
    "mode([[1], [2]])",
    "quantile([1, 2], 10 ** 50)",
    "corr([1] * 3, [2] * 4)",
    "linear_fit([1, 1], [2, 3])",
    "moving_average([1, 2, 3], 10 ** 100)",
    "moving_average([1, 2, 3], -1)",
    "pmt(0.01, 10 ** 9, 1)",
    "fv(10 ** 300, 10 ** 4, 1)",
    "compound_interest(1e308, 1e308, 1e5, 366)",
    "cagr(1e-300, 1e300, 1e-300)",
    "npv(-1, [1, 2])",
    "irr([1, 2, 3])",
    "irr([-1] + [1] * 5000)",
    "add_days('9999-12-31', 4000000)",
    "add_days('x' * 100, 1)",
    "days_between(None, 1)",
    "mean(mean)",
    "mean()",
    "mean([1], oops=2)",
    "10 ** 5000",
]


@pytest.mark.parametrize("code", ESCAPES)
def test_no_way_leads_out(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KBTUI_CANARY", "sings")
    loot = tmp_path / "loot"
    refused(code.replace("{file}", str(loot)), SHORT)
    assert os.environ["KBTUI_CANARY"] == "sings"
    assert not loot.exists()


@pytest.mark.parametrize("code", EXHAUSTIONS)
def test_nothing_takes_more_than_it_may(code: str) -> None:
    """Each ends in an error: one that ran on would be stopped, and then raise too, by the clock of `calculate`."""
    assert refused(code, SHORT)


def test_it_works_after_all_that() -> None:
    assert value("1 + 1") == 2


def test_much_of_a_table_is_refused_before_it_goes_in() -> None:
    wide = ResultTable(columns=tuple(map(str, range(100))), rows=((0,) * 100,) * 4000)
    with pytest.raises(ToolError, match="at most 300,000 cells"):
        calculate("1", {"t1": wide}, CancelToken())


def test_an_empty_or_endless_text_is_no_calculation() -> None:
    assert "no calculation" in refused(" \n")
    assert "longer than" in refused("1\n" * 20_000)
