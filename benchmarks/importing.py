"""What `import obsirag` costs, as a multiple of `import langchain_core.documents`.

    python benchmarks/importing.py [ROUNDS]

Both are imported in fresh interpreters, in turns, with files already in the system's cache; the fastest of each counts.
The budget is 1.2.
"""

from __future__ import annotations

import subprocess
import sys

TIMED = "import time; start = time.process_time(); import {}; print(time.process_time() - start)"


def cpu_seconds(module: str) -> float:
    """Return the CPU seconds that importing ``module`` takes in a fresh interpreter."""
    command = [sys.executable, "-c", TIMED.format(module)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    times: dict[str, list[float]] = {"obsirag": [], "langchain_core.documents": []}
    for _ in range(rounds):
        for module, taken in times.items():
            taken.append(cpu_seconds(module))
    ours, theirs = (min(taken) for taken in times.values())
    print(f"import obsirag: {ours * 1000:.1f} ms")
    print(f"import langchain_core.documents: {theirs * 1000:.1f} ms")
    print(f"ratio: {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
