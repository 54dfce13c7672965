"""Cleaning rendered notes before they are cut: small named steps in a fixed order."""

from obsirag.cleaning.pipeline import clean, cleaning_steps
from obsirag.cleaning.step import CleaningStep

__all__ = ["CleaningStep", "clean", "cleaning_steps"]
