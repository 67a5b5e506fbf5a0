"""The adaptive retrieval agent: a LangGraph graph of five nodes and what flows between them (spec 003)."""
