"""``obsirag config``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from obsirag.cli.printing import print_json, print_line
from obsirag.cli.settle import ConfigFile, IndexFolder, PresetName, VaultFolder, settle_config
from obsirag.config import ConfigModel, Part, RagConfig, options_as_markdown, with_preset

__all__ = ["show_config"]


def show_config(
    vault: VaultFolder = None,
    index: IndexFolder = None,
    config: ConfigFile = None,
    preset: PresetName = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of configurations, for editors.")] = (
        False
    ),
    table: Annotated[bool, typer.Option("--options", help="Print a table of all options, as Markdown.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the settings as JSON instead of YAML.")] = False,
) -> None:
    """Show the settings that a command would run with: the file's, the preset's, and the defaults.

    Of the options of parts only the names are shown: they may be secrets.
    """
    if schema:
        print_json(RagConfig.model_json_schema())
    elif table:
        print_line(options_as_markdown().rstrip())
    else:
        shown = plain(with_preset(settle_config(vault, index, config, preset=preset)))
        if as_json:
            print_json(shown)
            return
        import yaml

        print_line(yaml.safe_dump(shown, allow_unicode=True, sort_keys=False).rstrip())


def plain(value: Any) -> Any:
    """Return settings as plain data, without the values of options of parts."""
    if isinstance(value, Part):
        return {"name": value.name, **dict.fromkeys(value.options, "…")} if value.options else value.name
    if isinstance(value, ConfigModel):
        return {name: plain(getattr(value, name)) for name in type(value).model_fields}
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value if isinstance(value, bool | int | float | str | None) else str(value)
