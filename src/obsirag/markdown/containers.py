"""The scan of an item, quote, callout or footnote: line by line, with a stack of open containers."""

from __future__ import annotations

from bisect import bisect_left
from re import Pattern

from obsirag.markdown.grammar import (
    BLANKS,
    CALLOUT,
    CODE_COLUMNS,
    DELIMITER_ROW,
    FENCE_END,
    FOOTNOTE,
    ITEM,
    RULE,
    cannot_interrupt,
    is_table_head,
)
from obsirag.markdown.nodes import Node, leaf_at

__all__ = ["DEEPEST", "ContainerScan"]

DEEPEST = 100
"""How many containers may be open within each other. Marks further in are text, so that no line costs more than this
many times its length, however deep it is nested."""


class ContainerScan:
    """Follows one container of the top level from its first line to its last.

    Args:
        text: Text with LF line ends.
        end: Where the text ends for this scan.
    """

    def __init__(self, text: str, end: int) -> None:
        self.found: list[Node] = []
        self._text = text
        self._end = end
        self._stack: list[Node] = []
        self._quotes: list[int] = []  # where in the stack the quotes and callouts are
        self._leaf: Node | None = None
        self._last = 0  # end of the last line that isn't blank
        self._line_end = 0

    def run(self, start: int, indent: int = 0) -> int:
        """Scan the container whose mark is at ``start``, indented by ``indent`` columns; return where it ends.

        Afterwards ``found`` holds it and all that is in it.
        """
        text, position = self._text, start
        while position < self._end:
            line_end = text.find("\n", position, self._end)
            self._line_end = line_end = self._end if line_end < 0 else line_end
            if position == start:
                self._open(start, 0, indent, matched=0, everything=False, first=True)
            elif not self._line(position):
                break
            position = line_end + 1
        self._close(0)
        for node in self.found:
            node.end = min(node.end, self._last)
        return self._last

    def _line(self, position: int) -> bool:
        """Take in a later line; return whether it belongs to the container of the top level."""
        at, base, column, matched = self._match_containers(position)
        everything = matched == len(self._stack)
        leaf = self._leaf
        if (
            leaf is not None
            and everything
            and leaf.kind not in ("paragraph", "table")
            and self._go_on(leaf, at, column - base)
        ):
            if self._text.find(">", position, at) >= 0:
                self._last = self._line_end
            return True
        if at >= self._line_end:
            self._blank(matched)
            if self._text.find(">", position, at) >= 0:
                self._last = self._line_end
            return bool(self._stack)
        return self._open(at, base, column, matched=matched, everything=everything, first=False)

    def _match_containers(self, position: int) -> tuple[int, int, int, int]:
        """Pass the marks of the open containers.

        Returns:
            Where the line's own text begins, the column its indent counts from, its column, the containers passed.
        """
        text, line_end = self._text, self._line_end
        base = matched = 0
        at, column = self._skip(position, 0)
        for container in self._stack:
            if container.kind in ("quote", "callout"):
                if at >= line_end or text[at] != ">" or column - base >= CODE_COLUMNS:
                    break
                at, base, column = self._after_quote_mark(at, column)
            elif at >= line_end:
                return at, base, column, self._passed_by_blank(matched)
            elif column - base >= container.width:
                base += container.width
                container.empty = False
            else:
                break
            matched += 1
        return at, base, column, matched

    def _passed_by_blank(self, index: int) -> int:
        """Return how many containers a line passes that holds nothing behind the marks of the first ``index``.

        Those are all up to the next quote; but an item that holds nothing yet, which can only be the last, ends.
        """
        following = bisect_left(self._quotes, index)
        if following < len(self._quotes):
            return self._quotes[following]
        return len(self._stack) - self._stack[-1].empty

    def _skip(self, position: int, column: int) -> tuple[int, int]:
        """Return the offset and column of the first character from ``position`` on that isn't a blank."""
        blanks = BLANKS.match(self._text, position, self._line_end)
        after = blanks.end() if blanks else position
        if "\t" not in self._text[position:after]:
            return after, column + after - position
        for character in self._text[position:after]:
            column += 1 if character == " " else 4 - column % 4
        return after, column

    def _after_quote_mark(self, at: int, column: int) -> tuple[int, int, int]:
        after, next_column = self._skip(at + 1, column + 1)
        return after, column + 1 + (next_column > column + 1), next_column

    def _blank(self, matched: int) -> None:
        if self._leaf is not None and self._leaf.kind in ("paragraph", "table", "html"):
            self._close_leaf()
        # A blank line ends quotes but not items, unless an item holds nothing yet.
        if matched < len(self._stack):
            self._close(matched)

    def _go_on(self, leaf: Node, at: int, indent: int) -> bool:
        """Go on with code, maths or HTML; return False if the line isn't part of it."""
        text, line_end = self._text, self._line_end
        blank = at >= line_end
        if leaf.kind == "indented_code" and not blank and indent < CODE_COLUMNS:
            self._close_leaf()
            return False
        if leaf.kind == "html" and leaf.more is None and blank:
            return False
        if not blank:
            self._last = line_end
        if leaf.kind == "fence" and isinstance(leaf.more, str):
            closing = FENCE_END.match(text, at, line_end) if indent < CODE_COLUMNS else None
            if closing and closing[1].startswith(leaf.more):
                self._close_leaf()
        elif (leaf.kind == "math" and text.find("$$", at, line_end) >= 0) or (
            isinstance(leaf.more, Pattern) and leaf.more.search(text, at, line_end)
        ):
            self._close_leaf()
        return True

    def _open(self, at: int, base: int, column: int, *, matched: int, everything: bool, first: bool) -> bool:
        """Open the containers and the leaf that begin at ``at``; return False if the line lies outside of all."""
        while True:
            in_paragraph = everything and self._leaf is not None and self._leaf.kind == "paragraph"
            container = self._container_at(at, column - base, in_paragraph) if matched < DEEPEST else None
            if container is None:
                return self._open_leaf(at, column - base, matched, everything, in_paragraph)
            if not matched and not first:
                return False
            self._close(matched)
            container.depth = matched
            self.found.append(container)
            self._stack.append(container)
            self._last = self._line_end
            if container.kind in ("quote", "callout"):
                self._quotes.append(matched)
                at, base, column = self._after_quote_mark(at, column)
            else:
                mark_end = at + len(container.info) + (4 if container.kind == "footnote" else 0)
                mark_column = column + mark_end - at
                after, next_column = self._skip(mark_end, mark_column)
                if container.kind == "footnote":
                    base = next_column
                else:
                    self._set_width(container, column - base, next_column - mark_column, after >= self._line_end)
                    base += container.width
                at, column = after, next_column
            matched, everything, first = len(self._stack), True, False
            if at >= self._line_end:
                return True

    def _container_at(self, at: int, indent: int, in_paragraph: bool) -> Node | None:
        text, line_end = self._text, self._line_end
        if indent >= CODE_COLUMNS:
            return None
        character = text[at]
        if character == ">":
            callout = CALLOUT.match(text, at, line_end)
            return Node("callout", at, 0, callout[1].strip().lower()) if callout else Node("quote", at, 0)
        item = ITEM.match(text, at, line_end)
        if item:
            if RULE.match(text, at, line_end) or (in_paragraph and cannot_interrupt(text, item, line_end)):
                return None
            return Node("item", at, 0, item[1])
        if character == "[" and not in_paragraph and (note := FOOTNOTE.match(text, at, line_end)):
            return Node("footnote", at, 0, note[1], CODE_COLUMNS)
        return None

    @staticmethod
    def _set_width(item: Node, indent: int, gap: int, empty: bool) -> None:
        item.empty = empty
        item.width = indent + len(item.info) + (1 if empty or gap > CODE_COLUMNS else gap)

    def _open_leaf(self, at: int, indent: int, matched: int, everything: bool, in_paragraph: bool) -> bool:
        leaf = self._leaf
        after_text = leaf is not None and leaf.kind == "paragraph"
        node = leaf_at(self._text, at, self._line_end, indent, in_paragraph=in_paragraph, after_text=after_text)
        if leaf is not None and after_text and (node is None or node.kind == "indented_code"):
            if not everything or not self._turn_into_table(leaf, at):  # else it goes on, perhaps lazily
                leaf.more = at
            self._last = self._line_end
            return True
        if node is not None and node.kind == "setext" and leaf is not None:
            leaf.kind, leaf.info = "heading", self._text[leaf.start : self._last].strip()
            self._last = self._line_end
            self._close_leaf()
            return True
        if node is None and leaf is not None and leaf.kind == "table" and everything:
            self._last = self._line_end
            return True
        if not matched:
            return False
        self._close(matched)
        if node is None:
            node = Node("paragraph", at, 0)
            node.more = at
        node.depth = len(self._stack)
        self.found.append(node)
        self._leaf = node
        self._last = self._line_end
        if node.kind in ("heading", "rule") or node.more == "closed":
            self._close_leaf()
        return True

    def _turn_into_table(self, leaf: Node, at: int) -> bool:
        """Make the paragraph's last line a table's head if the line at ``at`` is a delimiter row."""
        text, head = self._text, leaf.more
        if text[at] not in "|:-" or not isinstance(head, int) or not DELIMITER_ROW.match(text, at, self._line_end):
            return False
        if not is_table_head(text[head : self._last].strip(), text[at : self._line_end].strip()):
            return False
        if head == leaf.start:
            leaf.kind = "table"
            return True
        leaf.end = text.rfind("\n", 0, head)
        self._leaf = Node("table", head, leaf.depth)
        self.found.append(self._leaf)
        return True

    def _close_leaf(self) -> None:
        if self._leaf is not None:
            self._leaf.end = self._last
            self._leaf = None

    def _close(self, depth: int) -> None:
        """Close the leaf and all containers but the outermost ``depth``."""
        self._close_leaf()
        for container in self._stack[depth:]:
            container.end = self._last
        del self._stack[depth:]
        del self._quotes[bisect_left(self._quotes, depth) :]
