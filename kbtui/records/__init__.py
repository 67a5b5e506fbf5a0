"""The folder as a database: what documents state about themselves, as tables that questions are asked of."""
