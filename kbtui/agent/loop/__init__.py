"""The loop: a LangGraph graph in which a chat model looks for what it lacks and says when it has enough (README)."""
