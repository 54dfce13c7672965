"""The options of answers that become notes."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from obsirag.config.model import ConfigModel

__all__ = ["GrowthOptions"]


def _inside(folder: str) -> str:
    path = PurePosixPath(folder)
    if path.is_absolute() or "\\" in folder or ":" in folder or not folder.isprintable():
        raise ValueError("must be a folder in the vault, such as Answers or Notes/Answers")
    if not path.parts or any(part.startswith(".") for part in path.parts):
        raise ValueError("must be a folder in the vault, and none that is hidden")
    return path.as_posix()


class GrowthOptions(ConfigModel):
    """Where answers that a person approved become notes."""

    folder: (
        Annotated[str, StringConstraints(strict=True, strip_whitespace=True, min_length=1), AfterValidator(_inside)]
        | None
    ) = Field(
        default=None,
        description="The folder in the vault into which they are written, and outside of which nothing is; no answer "
        "becomes a note if not set.",
    )
