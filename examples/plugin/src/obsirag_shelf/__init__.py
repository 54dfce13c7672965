"""Two parts for obsirag: vectors in one SQLite file, and a search in a folder of HTML pages."""
