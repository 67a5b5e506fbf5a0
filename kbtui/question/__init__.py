"""A question is read once: language, tokens, numbers, periods, operators; the rooms behind take the `Question`."""
