"""Who thinks: routes a question, grades what was found, writes the answer.

The protocols are in ``kbtui.domain.ports``. ``offline`` needs no chat model.
"""
