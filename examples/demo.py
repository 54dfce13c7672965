"""Index the sample vault and ask it three questions: no key, no network, no model server.

Run it with `make demo`, or with Python after `pip install 'obsirag[chroma,cli,local]'`.
"""

from pathlib import Path

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from obsirag import RagConfig, build_rag_graph, index_vault

EXAMPLES = Path(__file__).parent
QUESTIONS = [  # thread, question; the last one continues the conversation of the first
    ("asc", "玩家的 ASC 挂在哪？"),
    ("shaders", "How do I keep each new workstation from rebuilding all shaders by itself?"),
    ("asc", "那小怪的呢？"),
]

console = Console(highlight=False)
config = RagConfig(vault=EXAMPLES / "ue-notes", index=EXAMPLES / ".obsirag")

columns = (TextColumn("Indexing"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
with Progress(*columns, console=console, transient=True) as bar:
    task = bar.add_task("", total=None)

    def show(done: int, total: int, path: str) -> None:
        """Move the progress bar."""
        bar.update(task, completed=done, total=total, description=path)

    report = index_vault(config, progress=show)
console.print(str(report), markup=False)

graph = build_rag_graph(config).compile(checkpointer=InMemorySaver())
for thread, question in QUESTIONS:
    result = graph.invoke({"messages": [HumanMessage(question)]}, {"configurable": {"thread_id": thread}})
    console.rule(style="dim")
    console.print(f"[bold]{question}[/bold]   [dim]thread {thread}[/dim]\n")
    console.print(result["answer"], markup=False, soft_wrap=True)
    for citation in result["citations"]:
        place = " › ".join([citation["source"], *citation["headings"]])
        lines = f"lines {citation['start_line']}–{citation['end_line']}"
        console.print(f"\n\\[{citation['number']}] {place}, {lines}\n    [dim]{citation['link']}[/dim]", soft_wrap=True)
