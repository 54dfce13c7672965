"""What `langgraph dev` and `langgraph up` serve, under the name that langgraph.json gives it."""

from pathlib import Path

from obsirag import build_rag_graph, load_config

# With labels of its own, a graph takes none from its clients: all of them read what is for everybody.
notes = build_rag_graph(load_config(Path(__file__).with_name("obsirag.yaml")), labels=[]).compile()
