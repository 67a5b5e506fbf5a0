from __future__ import annotations

import sys
from pathlib import Path

# The benchmarks are scripts that import one another by name.
sys.path.insert(0, str(Path(__file__).parent.parent.parent / "benchmarks"))
