"""The notes over MCP, the Model Context Protocol: search, read, ask, for clients that bring a model of their own."""

from obsirag.mcp.serving import serve_http, serve_stdio

__all__ = ["serve_http", "serve_stdio"]
