"""Reading what a page of chunks shows."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = frozenset({"meta", "input", "br", "img", "link"})


class ShownPage(HTMLParser):
    """A page as read: the note's text with the chunks' places in it, and all elements.

    Attributes:
        text: The text of all elements of class ``text``, with the characters that stand-ins stand for.
        chunks: By id, where the text of a chunk begins and ends in that.
        pieces: For each element of class ``text``, its classes, start and end.
        elements: Name and attributes of every element.
        contexts: By chunk id, the texts of the contexts in it.
        facts: By chunk id, its metadata as they are shown.
        marked: Class and text of each marked stretch of the text.
    """

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text = ""
        self.chunks: dict[str, tuple[int, int]] = {}
        self.pieces: list[tuple[set[str], int, int]] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.contexts: dict[str, list[str]] = {}
        self.facts: dict[str, dict[str, str]] = {}
        self.marked: list[tuple[set[str], str]] = []
        self._open: list[tuple[str, set[str], dict[str, str], int, list[str]]] = []
        self.feed(page)
        self.close()
        assert not self._open, "elements that nothing closes"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.elements.append((tag, attributes))
        if tag not in VOID:
            self._open.append((tag, set(attributes.get("class", "").split()), attributes, len(self.text), []))

    def handle_endtag(self, tag: str) -> None:
        name, classes, attributes, start, said = self._open.pop()
        assert name == tag, f"</{tag}> closes <{name}>"
        chunk = next((each[2]["id"] for each in self._open if "chunk" in each[1]), "")
        if "text" in classes:
            self.pieces.append((classes, start, len(self.text)))
            if chunk:
                self.chunks[chunk] = (start, len(self.text))
        elif "odd" in classes and self._in_text:
            self.text += chr(int(attributes["title"].removeprefix("U+"), 16))
        elif "context" in classes:
            self.contexts.setdefault(chunk, []).append("".join(said))
        elif tag in ("dt", "dd") and chunk:
            names = self.facts.setdefault(chunk, {})
            if tag == "dt":
                names["".join(said)] = ""
            else:
                names[list(names)[-1]] = "".join(said)
        elif self._in_text and classes:
            self.marked.append((classes, self.text[start:]))

    def handle_data(self, data: str) -> None:
        for each in self._open:
            each[4].append(data)
        if self._in_text and not any("odd" in each[1] for each in self._open):
            self.text += data

    @property
    def _in_text(self) -> bool:
        return any("text" in each[1] for each in self._open)
