"""Questions in English and Chinese turned into SQL with no model."""
