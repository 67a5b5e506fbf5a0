from __future__ import annotations

import sys
from pathlib import Path

# The benchmarks are scripts that import one another by name.
sys.path.append(str(Path(__file__).parent.parent.parent / "benchmarks"))
