from __future__ import annotations

import sys
from pathlib import Path

# The bundled model is made by a script among the benchmarks.
sys.path.append(str(Path(__file__).parent.parent.parent / "benchmarks"))
