"""Evaluates arithmetic expressions exactly, with a parser of its own: input is never run as code.

Numbers are fractions, so 0.1 + 0.2 is 0.3; only roots, logarithms and angles are rounded (to 15 digits). Expensive
operations are refused in advance: the size of a power, factorial or shift is known from its operands.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Final, Literal

from kbtui.errors import KbtuiError

Number = Fraction | float
_Function = Callable[[list[Number]], Number]
Reason = Literal["too_large", "division_by_zero", "too_long", "undefined", "no_sum"]

_MAX_BITS: Final = 4096
_MAX_CHARACTERS: Final = 500
_MAX_DEPTH: Final = 40
_MAX_FACTORIAL: Final = 450
_MAX_EXPONENT: Final = 300
_FULL_DIGITS: Final = 40
_SIGNIFICANT: Final = 10

_TOKEN = re.compile(
    r"\s*(?:(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)(?![\w.])"
    r"|(?:[a-zπ][a-z0-9]*)|(?:\*\*|//|<<|>>|[-+*/^()%!,√]))"
)


class SumRefused(KbtuiError):
    """A sum that is not worked out; ``reason`` says for what reason."""

    def __init__(self, why: Reason, detail: str = "") -> None:
        self.reason: Reason = why
        self.detail = detail
        super().__init__(_REASONS[why].format(detail=detail), "Ask for something smaller, or write the sum anew.")


_REASONS: Final[dict[Reason, str]] = {
    "too_large": "That number would be too large to work out{detail}.",
    "division_by_zero": "Nothing can be divided by zero.",
    "too_long": "That sum is too long or too deeply nested.",
    "undefined": "That has no value among the real numbers{detail}.",
    "no_sum": "That is no sum.",
}


def evaluate(expression: str) -> Number:
    """The value of ``expression``: a fraction where it is exact, a float (15 digits) where it was rounded.

    Knows ``+ - * / // ^ ** % ! << >> √``, brackets, ``mod``, and the functions of `_FUNCTIONS`. ``%`` is a percentage
    unless a number follows it.

    Raises:
        SumRefused: It is no expression, has no value, or would take too long.
    """
    if len(expression) > _MAX_CHARACTERS:
        raise SumRefused("too_long")
    return _Parser(expression.strip()).parse()


class _Parser:
    """Precedence climbing; ``-2^2`` is -4 and ``2^3^2`` is 512, as in mathematics (and in Python)."""

    def __init__(self, text: str) -> None:
        matches = list(_TOKEN.finditer(text))
        if "".join(match[0] for match in matches) != text:
            raise SumRefused("no_sum")
        self._tokens = [match[0].strip() for match in matches]
        self._at = 0
        self._depth = 0

    def parse(self) -> Number:
        value = self._expression()
        if self._at != len(self._tokens):
            raise SumRefused("no_sum")
        return value

    def _peek(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else ""

    def _take(self, text: str = "") -> str:
        if self._at >= len(self._tokens) or (text and self._peek() != text):
            raise SumRefused("no_sum")
        self._at += 1
        return self._tokens[self._at - 1]

    def _expression(self, least: int = 0) -> Number:
        """Parse and evaluate up to an operator with a precedence below ``least``."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise SumRefused("too_long")
        if (sign := self._peek()) in ("+", "-"):
            self._take()
            value = self._expression(_SIGN)
            value = -value if sign == "-" else value
        else:
            value = self._postfix()
        while (sign := self._peek()) in _OPERATORS and (operator := _OPERATORS[sign])[0] >= least:
            self._take()
            begun, level = self._at, operator[0]
            other = self._expression(_SIGN if level == _POWER else level + 1)
            if level == _ADDED and self._at == begun + 2 and self._peek(-1) == "%":
                # 80 + 5% is 84, as on every pocket calculator.
                other = _within_limits(value * other)
            value = _within_limits(operator[1](value, other))
        self._depth -= 1
        return value

    def _postfix(self) -> Number:
        value = self._atom()
        while (sign := self._peek()) == "!" or (sign == "%" and not self._is_operand_next()):
            self._take()
            value = _factorial(value) if sign == "!" else value / 100
        return value

    def _is_operand_next(self) -> bool:
        after = self._peek(1)
        return after != "mod" and (after[:1].isalnum() or after[:1] in ("π", ".", "(", "√"))

    def _atom(self) -> Number:
        symbol = self._take()
        if symbol[0].isdigit() or symbol[0] == ".":
            return _literal(symbol)
        if symbol == "(":
            value = self._expression()
            self._take(")")
            return value
        if symbol == "√":
            return _root(self._postfix(), 2)
        if symbol in _CONSTANTS:
            return _CONSTANTS[symbol]
        if symbol in _FUNCTIONS and self._peek() == "(":
            self._take()
            arguments = [self._expression()]
            while self._peek() == ",":
                self._take()
                arguments.append(self._expression())
            self._take(")")
            return _apply_function(symbol, arguments)
        raise SumRefused("no_sum")


def _literal(text: str) -> Fraction:
    digits, _, exponent = text.replace(",", "").partition("e")
    if exponent and abs(int(exponent)) > _MAX_EXPONENT:
        raise SumRefused("too_large", f" (more than {_MAX_EXPONENT} digits)")
    return Fraction(digits) * Fraction(10) ** int(exponent or 0)


def _within_limits(value: Number) -> Number:
    if isinstance(value, float):
        if math.isnan(value):
            raise SumRefused("undefined")
        if math.isinf(value):
            raise SumRefused("too_large")
    elif max(value.numerator.bit_length(), value.denominator.bit_length()) > _MAX_BITS:
        raise SumRefused("too_large")
    return value


def power(base: Number, exponent: Number) -> Number:
    """``base`` to the power of ``exponent``; its size is checked in advance.

    Raises:
        SumRefused: It would be too large, or has no real value.
    """
    if base == 0 and exponent < 0:
        raise SumRefused("division_by_zero")
    if isinstance(base, Fraction) and isinstance(exponent, Fraction) and exponent.denominator == 1:
        bits = max(abs(base.numerator), base.denominator).bit_length()
        if base in (0, 1, -1):
            return base ** (int(exponent) % 2 or 2) if exponent else Fraction(1)
        if (bits - 1) * abs(exponent) > _MAX_BITS:
            raise SumRefused("too_large", _about_digits(base, exponent))
        return _within_limits(base ** int(exponent))
    if isinstance(base, Fraction) and isinstance(exponent, Fraction) and exponent.denominator in (2, 3):
        return power(_root(base, exponent.denominator), Fraction(exponent.numerator))
    if base < 0:
        raise SumRefused("undefined")
    return _in_floats(lambda: math.pow(float(base), float(exponent)))


def _about_digits(base: Fraction, exponent: Fraction) -> str:
    try:
        digits = abs(float(exponent) * math.log10(abs(base)))
    except OverflowError:
        return ""
    return f" (about {digits:,.0f} digits)" if digits < 1e12 else ""


def _root(value: Number, degree: int) -> Number:
    if value < 0 and degree % 2 == 0:
        raise SumRefused("undefined", " (a square root of a negative number)")
    if isinstance(value, Fraction):
        top, bottom = _whole_root(abs(value.numerator), degree), _whole_root(value.denominator, degree)
        if top is not None and bottom is not None:
            return Fraction(top if value >= 0 else -top, bottom)
    return _in_floats(lambda: math.copysign(abs(float(value)) ** (1 / degree), float(value)))


def _whole_root(value: int, degree: int) -> int | None:
    if degree == 2:
        root = math.isqrt(value)
        return root if root * root == value else None
    if value.bit_length() > 900:
        return None
    estimate = round(value ** (1 / degree))
    return next((root for root in (estimate - 1, estimate, estimate + 1) if root**degree == value), None)


def _factorial(value: Number) -> Fraction:
    if value != int(value) or value < 0:
        raise SumRefused("undefined", " (a factorial is of whole numbers from 0)")
    if value > _MAX_FACTORIAL:
        raise SumRefused("too_large")
    return Fraction(math.factorial(int(value)))


def _shift(value: Number, by: Number, sign: str) -> Number:
    if value != int(value) or by != int(by) or by < 0:
        raise SumRefused("undefined", " (whole numbers are shifted by whole numbers)")
    if by > _MAX_BITS:
        raise SumRefused("too_large")
    return _within_limits(Fraction(int(value) << int(by) if sign == "<<" else int(value) >> int(by)))


def _in_floats(work: Callable[[], float]) -> Number:
    try:
        return _within_limits(work())
    except (OverflowError, ValueError) as error:
        raise SumRefused("too_large" if isinstance(error, OverflowError) else "undefined") from error


def _median(values: list[Number]) -> Number:
    ranked, middle = sorted(values), len(values) // 2
    return ranked[middle] if len(ranked) % 2 else (ranked[middle - 1] + ranked[middle]) / 2


def _round(values: list[Number]) -> Number:
    """Half away from zero, as people round."""
    places = int(values[1]) if len(values) > 1 else 0
    if abs(places) > 30:
        raise SumRefused("too_large")
    scale = Fraction(10) ** places
    return (
        Fraction(math.floor(abs(Fraction(values[0])) * scale + Fraction(1, 2))) / scale * (1 if values[0] >= 0 else -1)
    )


def _integers(values: list[Number]) -> list[int]:
    if any(value != int(value) for value in values):
        raise SumRefused("undefined", " (whole numbers are needed)")
    return [int(value) for value in values]


def _logarithm(values: list[Number], base: float | None = None) -> Number:
    if values[0] <= 0:
        raise SumRefused("undefined", " (a logarithm is of positive numbers)")
    number = values[0]
    # math.log takes integers of any length; a float of them may overflow.
    natural = (
        math.log(number.numerator) - math.log(number.denominator) if isinstance(number, Fraction) else math.log(number)
    )
    if base is None and len(values) == 1:
        return natural
    by = base if base is not None else float(values[1])
    if by <= 0 or by == 1:
        raise SumRefused("undefined")
    result = natural / math.log(by)
    nearest = Fraction(round(result))
    # The logarithm of a power of the base is an integer, which floating-point division may miss.
    exact = isinstance(number, Fraction) and abs(nearest) < _MAX_BITS and number == Fraction(by) ** int(nearest)
    return nearest if exact else result


def _divide(dividend: Number, divisor: Number) -> Number:
    if divisor == 0:
        raise SumRefused("division_by_zero")
    return dividend / divisor


def _floor_divide(dividend: Number, divisor: Number) -> Fraction:
    return Fraction(math.floor(_divide(dividend, divisor)))


_ADDED, _SIGN, _POWER = 1, 3, 4
_OPERATORS: Final[dict[str, tuple[int, Callable[[Number, Number], Number]]]] = {
    "<<": (0, lambda a, b: _shift(a, b, "<<")),
    ">>": (0, lambda a, b: _shift(a, b, ">>")),
    "+": (_ADDED, lambda a, b: a + b),
    "-": (_ADDED, lambda a, b: a - b),
    "*": (2, lambda a, b: a * b),
    "/": (2, _divide),
    "//": (2, _floor_divide),
    "%": (2, lambda a, b: a - _floor_divide(a, b) * b),
    "mod": (2, lambda a, b: a - _floor_divide(a, b) * b),
    "^": (_POWER, lambda a, b: power(a, b)),
    "**": (_POWER, lambda a, b: power(a, b)),
}
"""Precedence and function of each operator."""


def _floats(function: Callable[[float], float]) -> tuple[int, int, _Function]:
    return 1, 1, lambda v: _in_floats(lambda: function(float(v[0])))


_CONSTANTS: Final[dict[str, Number]] = {"pi": math.pi, "π": math.pi, "e": math.e, "tau": math.tau}
_FUNCTIONS: Final[dict[str, tuple[int, int, _Function]]] = {
    "sqrt": (1, 1, lambda v: _root(v[0], 2)),
    "cbrt": (1, 1, lambda v: _root(v[0], 3)),
    "abs": (1, 1, lambda v: -v[0] if v[0] < 0 else v[0]),
    "exp": _floats(math.exp),
    "ln": (1, 1, lambda v: _in_floats(lambda: float(_logarithm(v)))),
    "log": (1, 2, lambda v: _logarithm(v, None if len(v) > 1 else 10.0)),
    "log10": (1, 1, lambda v: _logarithm(v, 10.0)),
    "log2": (1, 1, lambda v: _logarithm(v, 2.0)),
    "sin": _floats(math.sin),
    "cos": _floats(math.cos),
    "tan": _floats(math.tan),
    "factorial": (1, 1, lambda v: _factorial(v[0])),
    "round": (1, 2, _round),
    "floor": (1, 1, lambda v: Fraction(math.floor(v[0]))),
    "ceil": (1, 1, lambda v: Fraction(math.ceil(v[0]))),
    "pow": (2, 2, lambda v: power(v[0], v[1])),
    "min": (1, 99, lambda v: min(v)),
    "max": (1, 99, lambda v: max(v)),
    "sum": (1, 99, lambda v: sum(v, Fraction(0))),
    "mean": (1, 99, lambda v: sum(v, Fraction(0)) / len(v)),
    "median": (1, 99, _median),
    "gcd": (2, 99, lambda v: Fraction(math.gcd(*_integers(v)))),
    "lcm": (2, 20, lambda v: _within_limits(Fraction(math.lcm(*_integers(v))))),
}
FUNCTION_NAMES: Final = frozenset(_FUNCTIONS)


def _apply_function(name: str, arguments: list[Number]) -> Number:
    min_arguments, max_arguments, function = _FUNCTIONS[name]
    if not min_arguments <= len(arguments) <= max_arguments:
        raise SumRefused("no_sum")
    return _within_limits(function(arguments))


def format_number(value: Number) -> tuple[str, bool]:
    """A number as text with thousands separators and at most ten significant digits, and whether it is exact.

    Whole numbers are written in full up to 40 digits; what is longer or tiny as ``1.07 × 10^301``.
    """
    exact = Fraction(value)
    if exact.denominator == 1 and isinstance(value, Fraction) and abs(exact.numerator) < 10**_FULL_DIGITS:
        return f"{exact.numerator:,}", True
    if exact == 0:
        return "0", True
    magnitude = _magnitude(abs(exact))
    if not -6 < magnitude < 15:
        digits, _ = _decimal(exact / Fraction(10) ** magnitude, _SIGNIFICANT - 1)
        is_same = isinstance(value, Fraction) and Fraction(digits) * Fraction(10) ** magnitude == exact
        return f"{digits} × 10^{magnitude}", is_same
    places = max(0, _SIGNIFICANT - 1 - magnitude) if abs(exact) >= 1 else _SIGNIFICANT - 1 - magnitude
    # Numbers with two decimals are written in full.
    written, is_same = _decimal(exact, max(places, 2))
    return written, is_same and isinstance(value, Fraction)


def _magnitude(value: Fraction) -> int:
    """The power of ten of the first significant digit."""
    estimate = len(str(value.numerator)) - len(str(value.denominator))
    return estimate if value >= Fraction(10) ** estimate else estimate - 1


def _decimal(value: Fraction, places: int) -> tuple[str, bool]:
    scaled = abs(value) * 10**places
    whole = math.floor(scaled + Fraction(1, 2))
    digits = f"{whole:0{places + 1}d}"
    left, right = (digits[:-places], digits[-places:].rstrip("0")) if places else (digits, "")
    sign = "-" if value < 0 and whole else ""
    return f"{sign}{int(left):,}" + (f".{right}" if right else ""), whole == scaled
