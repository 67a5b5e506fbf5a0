"""From a question to a statement: catalogue, linking, typed candidates, ranker and gate; and back, in words."""
