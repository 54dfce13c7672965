"""Near-duplicates: pairs of vectors that point the same way, and documents merged by them."""

from obsirag.retrievers.duplicates.merging import merge_near_duplicates
from obsirag.retrievers.duplicates.pairs import near_duplicate_pairs

__all__ = ["merge_near_duplicates", "near_duplicate_pairs"]
