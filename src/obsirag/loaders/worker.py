"""The process that reads files: a file can then break, take all memory or never end, and cost itself alone.

It reads one request a line from its standard input and answers each by a line on what was its standard output, both as
JSON. It ends when its input does.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import warnings
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from obsirag.errors import VaultError
from obsirag.loaders.kinds import read_file
from obsirag.loaders.limits import MEBIBYTE, Limits

__all__ = ["main"]


def main() -> None:
    """Read files until no more are asked for."""
    # What a library prints must not get between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="surrogatepass")
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    logging.disable()
    _serve(sys.stdin.buffer, answers)


def _serve(requests: IO[bytes], answers: IO[str]) -> None:
    for line in requests:
        request = json.loads(line)
        limits = Limits(**request["limits"])
        _limit_memory(limits.memory)
        answers.write(json.dumps(_answer(Path(request["path"]), limits, request["ocr"])) + "\n")
        answers.flush()


def _answer(path: Path, limits: Limits, ocr: bool) -> dict[str, Any]:
    try:
        return asdict(read_file(path, limits, ocr=ocr))
    except VaultError as error:
        return {"fault": str(error)}
    except OSError as error:
        return {"fault": f"it cannot be opened: {error.strerror or type(error).__name__}"}


def _limit_memory(mebibytes: int) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    wanted = mebibytes * MEBIBYTE
    try:
        resource.setrlimit(resource.RLIMIT_AS, (wanted if most < 0 else min(wanted, most), most))
    except (OSError, ValueError):  # macOS
        return


if __name__ == "__main__":
    main()
