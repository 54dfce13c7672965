"""What a plugin can bring: one hook for each kind of part. This file is the manual for writing one.

A plugin is a module (or an object) that an installed distribution names in its entry points::

    [project.entry-points.obsirag]
    acme = "acme_rag.plugin"

The name, here ``acme``, is what a configuration uses: ``embeddings: {name: acme, model: small}``. The module implements
the hooks of the kinds that it brings, as many as it likes, and may leave out arguments that it has no use for::

    from obsirag import hookimpl

    @hookimpl
    def embeddings(options):
        from acme_rag.models import AcmeEmbeddings  # heavy imports belong in here
        return AcmeEmbeddings(**options)

Rules:

- The module is imported when its name is used in a configuration, never before. What goes wrong then is reported with
  the plugin's name and distribution, and disturbs nobody who doesn't use it.
- ``options`` is what the configuration gives beside the name, as a new dictionary, with ``{env: NAME}`` already
  replaced. The plugin checks it, and raises ``obsirag.errors.ConfigError`` for what is wrong. It is shown behind the
  plugin's name and distribution, so that the message should name the option.
- A dependency that isn't installed is an ``obsirag.errors.MissingExtraError``; a service that doesn't answer, now or in
  a later call, is an ``obsirag.errors.ServiceError``. Options may be secrets: they belong in no message.
- A plugin may say for which version of this interface it is made, ``API_VERSION = 1``: one that doesn't fit is refused
  before anything of it is called. The version goes up with each hook or argument that is added here.
- obsirag's own names are its own. A name that two other distributions declare is an error for those who use it, until
  they write ``distribution:name``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from obsirag.plugins.markers import hookspec

if TYPE_CHECKING:
    from langchain_core.documents import BaseDocumentCompressor
    from langchain_core.embeddings import Embeddings
    from langchain_core.language_models import BaseChatModel
    from langchain_core.vectorstores import VectorStore
    from langchain_text_splitters import TextSplitter

    from obsirag.cleaning import CleaningStep
    from obsirag.plugins.node_parts import NodeParts
    from obsirag.records import KeywordIndex, Loader
    from obsirag.retrievers import WebSearchProvider

__all__ = [
    "chat_model",
    "cleaner",
    "embeddings",
    "hosts",
    "keyword_index",
    "loader",
    "nodes",
    "observer",
    "requires",
    "reranker",
    "search_provider",
    "splitter",
    "vector_store",
]


@hookspec(firstresult=True)
def chat_model(options: dict[str, Any]) -> BaseChatModel | None:
    """Return a LangChain chat model, with timeouts and retries of its own."""


@hookspec(firstresult=True)
def embeddings(options: dict[str, Any]) -> Embeddings | None:
    """Return LangChain embeddings, safe to be called from several threads.

    They may declare, as attributes:

    - ``model_id: str``: a stable name of what makes the vectors. An index made under another one is refused. Without
      it, the class and its attributes ``model``, ``model_name``, ``dimensions`` and the like stand for it.
    - ``input_limit: int`` and ``input_length: Callable[[str], int]``: how much the model reads, and the length of a
      text in the same unit. No chunk passes it.
    - ``batch_size: int``: how many texts to give it at a time, where the configured number would take it minutes.
    - ``concurrency: int``: how many calls at a time it takes well, if more than one.
    - ``duplicate_threshold: float``: the cosine over which two texts are near-duplicates, if .95 doesn't suit.
    """


@hookspec(firstresult=True)
def vector_store(options: dict[str, Any], embeddings: Embeddings, folder: Path) -> VectorStore | None:
    """Return a LangChain vector store, opened; each call opens it anew.

    It is used through ``add_documents(documents, ids=…)``, ``delete(ids)`` and ``similarity_search_by_vector(vector,
    k, filter=…)``, whose documents carry their ``id``. Each document has ``metadata["access"]`` and
    ``metadata["source"]``, both text, and filters are of the kind ``{"$and": [{"access": {"$in": […]}}, …]}``; a store
    of another language translates.

    It may have, as attributes:

    - ``persistent: bool``; a store that isn't persistent is filled from the catalogue when it is opened.
    - ``ids() -> list[str]``: all its ids, so that a difference from the catalogue can be found and mended.
    - ``add_vectors(ids, texts, vectors, metadatas)``: takes vectors that are known. Without it, ``add_documents`` asks
      the embeddings, which know them too.
    - ``reset()``: removes everything, the length of the vectors included, where a store is bound to one.
    - ``release()``: writes down what is held in memory, and lets go of files until the next call; called at the end of
      a run.

    Args:
        options: The options.
        embeddings: The embeddings of the index.
        folder: The index's folder, where an embedded store keeps its files.
    """


@hookspec(firstresult=True)
def keyword_index(options: dict[str, Any], folder: Path) -> KeywordIndex | None:
    """Return an index of words in the place of the catalogue's own, opened; each call opens it anew.

    It is an ``obsirag.records.KeywordIndex``. Indexing keeps it in step as it does the vector store, under the same
    ids; what it finds is held against the catalogue as vectors are, so that its hits need neither be alive nor readable
    by the caller, and its scores count in relation to each other only. While it cannot be used, the catalogue's own
    finds keywords in its place.

    It may have, as attributes, ``persistent``, ``reset()`` and ``release()`` as a vector store may, and
    ``holding(ids) -> Collection[str]``: which of some ids it holds, so that not all have to be listed for that.

    What it would run on may be unable to do it, such as an older server: then it raises an
    ``obsirag.errors.UnsupportedError``, and ``keyword_index: auto`` takes the catalogue's own.

    Args:
        options: The options.
        folder: The index's folder, where an embedded index keeps its files.
    """


@hookspec(firstresult=True)
def splitter(options: dict[str, Any]) -> TextSplitter | None:
    """Return a LangChain text splitter.

    One with ``split_note(rendered) -> list[Document]``, as ``obsirag.ObsidianSplitter`` has it, knows embeds, sources
    and labels. Another one gets the text of a note, one stretch under the same labels at a time.
    """


@hookspec(firstresult=True)
def reranker(options: dict[str, Any]) -> BaseDocumentCompressor | None:
    """Return a reranker: a LangChain document compressor, best document first, safe to be called from several threads.

    It gets copies of the chunks with the beginning of their texts. Its order counts, and ``metadata["rerank_score"]``
    if it sets that; what it leaves out follows in the order it had. One that gives each text a score is easiest made of
    ``obsirag.retrievers.ScoringReranker``, whose one method is ``score(query, texts)``.

    If it fails, the fused order stays, and the answer says so; only what stays wrong until somebody changes the
    configuration is an ``obsirag.errors.ConfigError`` in a call too.
    """


@hookspec(firstresult=True)
def cleaner(options: dict[str, Any]) -> CleaningStep | list[CleaningStep] | None:
    """Return one cleaning step or several, each an ``obsirag.cleaning.CleaningStep``.

    A step finds the changes of a rendered note's text, as ``obsirag.records.Edit`` in order and without overlaps. Those
    that touch code or maths are left out afterwards, and the source of every character is kept. It runs where
    ``cleaning.steps`` of the configuration names the plugin: after the built-in steps that change characters and take
    out lines, before those that tidy up blanks. A step that fails costs the note, with a diagnostic, and not the run.
    """


@hookspec(firstresult=True)
def loader(options: dict[str, Any]) -> Loader | None:
    """Return a loader, which reads files that are no notes: an ``obsirag.records.Loader``, safe in several threads.

    Where ``loaders`` of the configuration names the plugin, the files of the vault whose names end in one of its
    ``suffixes`` are notes too: ``load(path)`` gives an ``obsirag.records.LoadedFile``, whose text is read as a note's
    is. Two loaders must not read the same suffix. A file that it cannot read is an ``obsirag.errors.VaultError`` that
    says why; that, and whatever else goes wrong or takes too long, costs the file, with a diagnostic, and not the run.

    A file is loaded again when it changed, when the options did, or when the plugin's distribution has another version.
    """


@hookspec(firstresult=True)
def search_provider(options: dict[str, Any]) -> WebSearchProvider | None:
    """Return who searches the web: an ``obsirag.retrievers.WebSearchProvider``, safe to be called from several threads.

    Its methods are ``search(query, limit=…, allow_domains=…, block_domains=…)``, which gives ``WebHit`` values, and
    ``extract(urls)``, which gives ``WebPage`` values; ``asearch`` and ``aextract`` run them in a thread unless it has
    its own. It has timeouts and retries of its own. Finding nothing is an empty list. The lists of domains are a help
    to find the right pages: they are held against the hits again.

    The plugin has the hook ``hosts`` too.
    """


@hookspec(firstresult=True)
def nodes() -> Mapping[str, Callable[[dict[str, Any], NodeParts], Any]] | None:
    """Return other versions of nodes of the question graph: by the name of the node, a function that makes one.

    ``nodes: {grade: acme}`` of a configuration lets the version of the plugin ``acme`` take the place of the node
    ``grade``. The plugin::

        @hookimpl
        def nodes():
            return {"grade": make_grade}

        def make_grade(options, parts):
            def grade(state):
                return {"evidence": state["evidence"][:1], "following": "answer"}
            return grade

    The function gets the options and an ``obsirag.plugins.NodeParts``, such as the chat model, once for each graph. It
    returns a function, plain or async, a LangChain Runnable, or an object with ``__call__`` and, for runs with an event
    loop, an async ``call_async``. What that gets and gives is told and checked as for a node given in Python: it gets
    the state as its caller may read it, and returns an update. The state is one run's own, and not to be changed. What
    it asks the chat model, it should add to the update as ``usage``; obsirag doesn't see it otherwise.

    With options it may say whom it calls, by the hook ``hosts``.
    """


@hookspec(firstresult=True)
def observer(options: dict[str, Any]) -> Callable[[Any], Callable[[Any], object] | None] | None:
    """Return who watches the nodes of the question graph: an ``obsirag.graphs.Observer``, safe in several threads.

    It is called with an ``obsirag.graphs.NodeStart`` as a node begins; what it returns, if anything, is called with an
    ``obsirag.graphs.NodeEnd`` as the node ends. It is made with the graph, where ``tracing.observers`` of the
    configuration names the plugin, and hears what observers given in Python hear. It sees text that not everybody may
    read. One that fails is told in the log, and the run goes on.

    With options it may say whom it calls, by the hook ``hosts``.
    """


@hookspec(firstresult=True)
def requires() -> Mapping[str, str] | None:
    """Return what the plugin's parts need that its distribution doesn't bring along, such as an extra of it.

    By the name of a module that has to be there, what to give to ``pip install``: ``{"acme_gpu": "acme-rag[gpu]"}``.
    `obsirag plugins` tells it then; a part that is made without it raises an ``obsirag.errors.MissingExtraError``.
    """


@hookspec(firstresult=True)
def hosts(options: dict[str, Any]) -> list[str] | None:
    """Return the addresses that a part with these options calls; empty, or no such hook, for none.

    Under ``offline: true`` a part that names another machine is refused.
    """
