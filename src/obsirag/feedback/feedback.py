"""People's marks on answers and their sources: making, seeing and revoking them, and what they say of a question."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Sequence
from datetime import UTC, datetime
from secrets import token_hex
from typing import NamedTuple

from obsirag.catalogue import Catalogue, known_paths, readable_access_keys, readable_paths
from obsirag.errors import ConfigError
from obsirag.feedback.mark import KINDS, Mark, MarkKind
from obsirag.feedback.marks_file import FileState, MarksFile
from obsirag.feedback.preference import MarkedQuestion, Preference, likeness, terms_of, weigh_marks
from obsirag.feedback.question_vectors import QuestionVectors
from obsirag.records import labels_of

__all__ = ["Feedback"]

LONGEST_TEXT = 4000
"""Characters that a question or the words of a mark may have."""

_MOST_CALLERS = 16
"""For so many kinds of callers, by their labels, it is remembered which marks they may see."""

_WEB = ("http://", "https://")


class _Visible(NamedTuple):
    """The marks that a caller may see.

    Args:
        ids: Their ids, the oldest mark's first.
        marks: They themselves.
    """

    ids: tuple[str, ...]
    marks: tuple[MarkedQuestion, ...]


class Feedback:
    """People's marks on answers and on sources.

    A mark is seen, counts and can be revoked by callers alone who hold every label that its maker held, and of a note
    nobody learns anything who may not read it. Made by ``open_feedback``.

    Args:
        file: Keeps the marks.
        catalogue: The catalogue, which knows who may read what.
        half_life: Days after which a mark counts half.
        min_likeness: From which likeness of two questions on a mark on one counts for the other, 0 to 1.
        vectors: Makes vectors of questions, by which those in other words are found alike; None for terms alone.
        now: Gives the present time.
    """

    def __init__(
        self,
        file: MarksFile,
        catalogue: Catalogue,
        *,
        half_life: float = 180.0,
        min_likeness: float = 0.5,
        vectors: QuestionVectors | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._file = file
        self._catalogue = catalogue
        self._half_life = half_life
        self._min_likeness = min_likeness
        self._vectors = vectors
        self._now = now
        self._lock = threading.Lock()
        self._state: FileState | None = None
        self._marks: tuple[MarkedQuestion, ...] = ()
        self._seen: OrderedDict[frozenset[str], _Visible] = OrderedDict()

    def add(
        self,
        kind: MarkKind,
        question: str,
        *,
        sources: Sequence[str] = (),
        words: str = "",
        labels: Collection[str] | None = (),
    ) -> Mark:
        """Keep a mark, and return it.

        Args:
            kind: ``good`` or ``bad``: what is thought of the sources of an answer; ``better_source``: which notes would
                have been better; ``correction``: what is right, in words.
            question: What was asked, so that it can be understood alone.
            sources: Paths of notes that the maker may read, or URLs; a correction needs none.
            words: What the maker adds; a correction needs some.
            labels: The labels that the maker holds.

        Raises:
            ConfigError: If something is missing, is too long, or names a note that the maker may not read.
            CatalogueError: If the index or the file with the marks cannot be used.
        """
        held = labels_of(labels)
        named = tuple(dict.fromkeys([sources] if isinstance(sources, str) else sources))
        if kind not in KINDS:
            raise ConfigError(f"There is no kind of mark {kind!r}; there are {', '.join(KINDS)}.")
        _check_text("question", question, is_needed=True)
        _check_text("words", words, is_needed=kind == "correction")
        if not all(isinstance(each, str) for each in named):
            raise ConfigError("The sources of a mark must be strings: paths of notes, or URLs.")
        if not named and kind != "correction":
            raise ConfigError(f"A mark of the kind {kind} is about sources: name at least one.")
        self._check_readable(named, held)
        mark = Mark(
            id=token_hex(6),
            kind=kind,
            question=question.strip(),
            sources=named,
            words=words.strip(),
            labels=tuple(sorted(set(held))),
            at=self._now().replace(microsecond=0),
        )
        self._file.add(mark, self._vectors.of(mark.question) if self._vectors is not None else None)
        return mark

    def list(self, *, question: str | None = None, labels: Collection[str] | None = ()) -> tuple[Mark, ...]:
        """Return the marks that a caller may see, the oldest first.

        Args:
            question: Only marks on questions like this one; all if None.
            labels: The caller's labels.

        Raises:
            ConfigError: If the labels cannot be read.
            CatalogueError: If the index or the file with the marks cannot be used.
        """
        held = labels_of(labels)
        marks = self._visible(held).marks
        if question is not None:
            terms = terms_of(question)
            marks = tuple(each for each in marks if likeness(each.terms, terms) >= max(self._min_likeness, 1e-9))
        hidden = self._hidden({source for each in marks for source in each.mark.sources}, held)
        return tuple(each.mark for each in marks if hidden.isdisjoint(each.mark.sources))

    def revoke(self, mark_id: str, *, labels: Collection[str] | None = ()) -> None:
        """Remove a mark: rankings are as if it had never been.

        Args:
            mark_id: Its id.
            labels: The caller's labels.

        Raises:
            ConfigError: If the caller sees no such mark.
            CatalogueError: If the file with the marks cannot be used.
        """
        if mark_id not in self._visible(labels_of(labels)).ids:
            raise ConfigError(f"There is no mark {mark_id!r} that these labels may see; list() tells which there are.")
        self._file.remove(mark_id)

    def preferences(self, question: str, *, labels: Collection[str] | None = ()) -> tuple[Preference, ...]:
        """Return what the marks say of sources for a question, what is most liked first.

        Args:
            question: What is asked.
            labels: The caller's labels.

        Raises:
            ConfigError: If the labels cannot be read.
            CatalogueError: If the index or the file with the marks cannot be used.
        """
        held = labels_of(labels)
        weighed = self.weigh(question, held)
        hidden = self._hidden(weighed, held)
        shown = [each for source, each in weighed.items() if source not in hidden]
        return tuple(sorted(shown, key=lambda each: (-each.share, each.source)))

    def weigh(self, question: str, labels: Collection[str]) -> dict[str, Preference]:
        """Return what the marks say of sources, by source, also of such as the caller may not read.

        It is for putting in order what was found for the caller: what is said of other sources changes nothing there.
        """
        marks = self._visible(labels).marks
        if not marks:
            return {}
        vectors = self._vectors
        is_needed = vectors is not None and any(each.vector is not None for each in marks)
        return weigh_marks(
            marks,
            terms_of(question),
            now=self._now(),
            half_life=self._half_life,
            min_likeness=self._min_likeness,
            vector=vectors.of(question) if vectors is not None and is_needed else None,
            min_cosine=vectors.min_cosine if vectors is not None else 1.0,
        )

    @property
    def asks_model(self) -> bool:
        """Whether an embedding model may be asked for a question."""
        return self._vectors is not None

    def state(self) -> Hashable:
        """Return what is the same as long as a question is weighed the same, and never comes again after that.

        If it were made of the marks themselves, it would come again when a new one is revoked, and with it what a cache
        was given in between.
        """
        with self._lock:
            self._follow()
            return self._state, self._now().astimezone(UTC).date()

    def _visible(self, labels: Collection[str]) -> _Visible:
        held = frozenset(labels)
        with self._lock:
            self._follow()
            if held not in self._seen:
                marks = tuple(each for each in self._marks if held.issuperset(each.mark.labels))
                self._seen[held] = _Visible(tuple(each.mark.id for each in marks), marks)
                while len(self._seen) > _MOST_CALLERS:
                    self._seen.popitem(last=False)
            return self._seen[held]

    def _follow(self) -> None:
        """Read the marks anew if the file has changed, which other processes write too."""
        if self._file.state() == self._state:
            return
        state, marks = self._file.read()
        vectors = self._file.read_vectors() if self._vectors is not None else {}
        self._marks = tuple(MarkedQuestion(mark, terms_of(mark.question), vectors.get(mark.id)) for mark in marks)
        self._state = state
        self._seen.clear()

    def _check_readable(self, sources: Sequence[str], labels: Collection[str]) -> None:
        notes = [source for source in sources if not source.startswith(_WEB)]
        with self._catalogue.reading() as connection:
            readable = readable_paths(connection, notes, readable_access_keys(connection, labels))
        if missing := [each for each in notes if each not in readable]:
            # The same for a note that there isn't: else it would tell which restricted ones there are.
            raise ConfigError(
                f"The index has no note {missing[0]!r} that these labels may read; give its path in the vault, such as "
                "'Folder/Note.md'."
            )

    def _hidden(self, sources: Collection[str], labels: Collection[str]) -> set[str]:
        """Return those of the sources that the index has and that the caller may not read."""
        with self._catalogue.reading() as connection:
            known = known_paths(connection, sources)
            return known - readable_paths(connection, sources, readable_access_keys(connection, labels))


def _check_text(name: str, text: object, *, is_needed: bool) -> None:
    if not isinstance(text, str):
        raise ConfigError(f"The {name} of a mark must be a string, not {type(text).__name__}.")
    if is_needed and not text.strip():
        raise ConfigError(f"The {name} of the mark is empty.")
    if len(text) > LONGEST_TEXT:
        raise ConfigError(f"The {name} of a mark may have {LONGEST_TEXT:,} characters; this one has {len(text):,}.")
