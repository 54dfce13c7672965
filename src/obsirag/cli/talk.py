"""A conversation with a question graph, at the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from obsirag.cli.citations import print_citations
from obsirag.cli.marking import mark_answer
from obsirag.cli.printing import complain, one_line, print_line, print_piece
from obsirag.cli.reviewing import (
    HELP,
    HOW,
    MARKS,
    Command,
    Reviewing,
    WrongCommandError,
    command_in,
    print_kept,
    print_passage,
    print_review,
)
from obsirag.cli.saving import save_answer
from obsirag.errors import ObsiragError

if TYPE_CHECKING:
    from obsirag.config import RagConfig
    from obsirag.feedback import Feedback
    from obsirag.graphs import RagContext

__all__ = ["Talk"]


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation.

    Args:
        graph: The question graph, compiled with a checkpointer.
        thread: The conversation's name.
        context: Whose conversation it is.
        feedback: Keeps what is thought of the answers.
        settings: The configuration, which says where answers become notes.
    """

    graph: Any
    thread: str
    context: RagContext
    feedback: Feedback
    settings: RagConfig

    def hear(self, line: str, reviewing: Reviewing | None) -> Reviewing | None:
        """Answer a question, or obey a command; return the question that waits for a person afterwards.

        Args:
            line: What was typed.
            reviewing: The question that waits.
        """
        try:
            command = command_in(line)
        except WrongCommandError as error:
            if reviewing is not None:
                complain(f"{error} {HOW}")
                return reviewing
            command = None  # then it is for the notes
        if command is None:
            if reviewing is not None:
                complain(f"The question that waited is given up, unanswered: {one_line(reviewing.question)}")
            return self.ask(line)
        if command.name == "/help":
            complain(HELP if reviewing is None else HOW)
            return reviewing
        if command.name in (*MARKS, "/save"):
            self.judge(command)
            return reviewing
        if reviewing is None:
            complain(f"No question waits for a person, so that there is nothing to {command.name.removeprefix('/')}.")
            return None
        try:
            return self.obey(command, reviewing)
        except WrongCommandError as error:
            complain(str(error))
            return reviewing

    def judge(self, command: Command) -> None:
        """Keep what is thought of the last answer, or make a note of it."""
        from obsirag.graphs import last_answer

        turn = last_answer(self.graph.get_state(self.config).values.get("messages", []), self.context)
        if turn is None:
            complain(f"There is no answer from the notes yet for {command.name} to be about.")
            return
        try:
            labels = self.context.get("labels", ())
            if command.name == "/save":
                save_answer(self.settings, command.words, turn, labels)
            else:
                mark_answer(self.feedback, command, turn, labels)
        except (WrongCommandError, ObsiragError) as error:
            complain(str(error))

    def ask(self, question: str) -> Reviewing | None:
        """Answer a question."""
        from langchain_core.messages import HumanMessage

        return self.run({"messages": [HumanMessage(question)]})

    def obey(self, command: Command, reviewing: Reviewing) -> Reviewing | None:
        """Do what a command says about the question that waits.

        Raises:
            WrongCommandError: If it cannot be done.
        """
        match command.name:
            case "/approve":
                if command.words:
                    raise WrongCommandError("/approve takes nothing: say with /keep from which passages, and approve.")
                return self.decide(reviewing, reviewing.approval())
            case "/reject":
                return self.decide(reviewing, reviewing.rejection(command.words))
            case "/show" if command.words:
                for number in reviewing.numbers(command.words):
                    print_passage(reviewing, number)
                return reviewing
            case "/show":
                print_review(reviewing)
                return reviewing
        change = reviewing.keep if command.name == "/keep" else reviewing.drop
        changed = change(command.words)
        print_kept(changed)
        return changed

    def decide(self, reviewing: Reviewing, decision: dict[str, Any]) -> Reviewing | None:
        """Take up the run with a decision."""
        from langgraph.types import Command as Resume

        now = self.waiting()
        if now is None or now.waiting.id != reviewing.waiting.id:
            complain("This question does not wait any more: somebody else decided, or asked another one.")
            return self.show_waiting()
        return self.run(Resume(resume={reviewing.waiting.id: decision}))

    def run(self, given: Any) -> Reviewing | None:
        """Run the graph, and print what comes of it."""
        modes = ["messages", "values"]
        # Of each question the last state is kept, not one for every step: those hold all hits.
        print_answer(self.graph.stream(given, self.config, context=self.context, stream_mode=modes, durability="exit"))
        return self.show_waiting()

    def show_waiting(self) -> Reviewing | None:
        """Print the question that waits for a person, if one does."""
        reviewing = self.waiting()
        if reviewing is not None:
            print_review(reviewing)
        return reviewing

    def waiting(self) -> Reviewing | None:
        """Return the question that waits for a person, as this caller may read it."""
        from obsirag.graphs import waiting_review

        waiting = waiting_review(self.graph.get_state(self.config), self.context)
        return None if waiting is None else Reviewing.begin(waiting)

    @property
    def config(self) -> dict[str, Any]:
        """What tells LangGraph the thread."""
        return {"configurable": {"thread_id": self.thread}}


def print_answer(events: Iterator[Any]) -> None:
    """Print an answer as it comes, then what it leans on."""
    result: dict[str, Any] = {}
    for mode, event in events:
        if mode == "messages":
            print_piece(event[0].text)
        elif "__interrupt__" not in event:
            result = event
    if result.get("status") == "awaiting_review":
        return  # what is waited for is shown next
    print_line()
    if result.get("citations"):
        print_citations(result["citations"])
    elif not result.get("answer"):
        complain("There is no answer.")
