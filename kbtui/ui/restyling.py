"""Styles that change with the size of the screen, looked at where they can have changed."""

from __future__ import annotations

from textual.css.model import SelectorType
from textual.dom import DOMNode


def restyle(top: DOMNode, changed: frozenset[str]) -> None:
    """Look again at the styles of those below ``top`` that a rule with one of these classes is for.

    Textual looks at all of them, which takes a third of the time of another size.
    """
    stylesheet = top.app.stylesheet
    ends = [
        one.selectors[-1]
        for rule in stylesheet.rules
        for one in rule.selector_set
        if any(selector.type is SelectorType.CLASS and selector.name in changed for selector in one.selectors)
    ]
    stylesheet.update_nodes(node for node in top.walk_children(with_self=True) if any(end.check(node) for end in ends))
