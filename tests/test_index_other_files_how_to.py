"""What the documentation says of PDF, Word, Excel and other files is what happens."""

import re
from pathlib import Path

import yaml
from reportlab.platypus import PageBreak, Paragraph

from made_files import STYLES, simple_pdf, table_shape, text_shape, write_pptx
from obsirag import RagConfig, build_rag_graph, index_vault
from obsirag.cli.citations import print_citations
from obsirag.loaders.kinds import IMAGE_SUFFIXES, TEXT_SUFFIXES
from obsirag.plugins.files import FilesOptions

PAGE = (Path(__file__).parents[1] / "docs/how-to/index-other-files.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_code_prints_what_is_shown(tmp_path, monkeypatch, capsys):
    team = tmp_path / "team"
    team.mkdir()
    (team / "journeys.md").write_text("# Journeys\n\nTrains come first.\n")
    (team / "hotels.csv").write_text("City,A night\nLyon,120 EUR\nOslo,160 EUR\n")
    (team / "rules.html").write_text("<h1>Rules</h1><p>Receipts are kept for ten years.</p>")
    monkeypatch.chdir(tmp_path)
    (code,) = blocks("python")
    exec(code.replace("loaders=", "embeddings='hashing', loaders="), {})
    assert capsys.readouterr().out == blocks("text")[0]


def test_a_mixed_folder_is_cited_by_page_slide_and_file(tmp_path, capsys):
    vault = tmp_path / "Team"
    (vault / "reports").mkdir(parents=True)
    story = []
    for chapter, text in (
        ("Welcome", "Breakfast is served at eight in the canteen."),
        ("Tools", "Laptops are replaced after four years."),
        ("Travel", "Trains are booked in second class."),
    ):
        story += [Paragraph(chapter, STYLES["Heading1"]), Paragraph(text, STYLES["BodyText"]), PageBreak()]
    simple_pdf(vault / "reports" / "handbook.pdf", story, title="Handbook")
    slides = [
        text_shape(2, "Start", kind="title"),
        text_shape(2, "Parking", kind="title")
        + table_shape(3, [["Lot", "Garage"], ["North", "Visitors park in the north garage"]], top=9),
    ]
    write_pptx(vault / "reports" / "site.pptx", slides)
    (vault / "note.md").write_text("# Note\n\nCoffee is free.\n")
    (vault / "broken.pdf").write_text("no PDF")
    config = RagConfig(vault=vault, index=tmp_path / "index", embeddings="hashing", loaders=["files"])
    report = index_vault(config)
    assert sorted(report.added) == ["note.md", "reports/handbook.pdf", "reports/site.pptx"]
    assert [finding.path for finding in report.failed] == ["broken.pdf"]

    def ask(question):
        result = build_rag_graph(config).compile().invoke({"messages": [("user", question)]})
        return result["citations"]

    (train, *_) = ask("In which class are trains booked?")
    assert (train["source"], train["part"]) == ("reports/handbook.pdf", "page 3")
    assert train["headings"][-1] == "Travel"
    print_citations([train])
    assert capsys.readouterr().out.strip() == blocks("text")[1].strip()
    (garage, *_) = ask("Where do visitors park?")
    assert (garage["source"], garage["part"]) == ("reports/site.pptx", "slide 2")
    (coffee, *_) = ask("Is coffee free?")
    assert coffee["source"] == "note.md"
    assert "part" not in coffee
    assert len(index_vault(config).unchanged) == 3


def test_the_configurations_are_valid():
    first, scans = map(yaml.safe_load, blocks("yaml"))
    assert [part.name for part in RagConfig(**first).loaders] == ["files", "text"]
    (files,) = RagConfig(**scans).loaders
    assert FilesOptions.parse(files.options, place="files").ocr
    assert RagConfig(**scans).vault_options.load_seconds > files.options["seconds"]


def test_the_tables_name_all_kinds_and_limits():
    kinds, limits = PAGE.split("| File | Read as |")[1].split("| Option | Default |")
    kinds = kinds.split("\n\n")[0]
    named = set(re.findall(r"`(\.\w+)`", kinds))
    assert named == {*TEXT_SUFFIXES, *IMAGE_SUFFIXES} - {".jpeg", ".tif"}
    defaults = {}
    for names, values in re.findall(r"^\| (`.*?) \| (`.*?) \|", limits, re.MULTILINE):
        defaults |= dict(zip(re.findall(r"`(\w+)`", names), re.findall(r"`(\d+)`", values), strict=True))
    fields = {
        name: field.default for name, field in FilesOptions.model_fields.items() if name not in ("ocr", "suffixes")
    }
    assert {name: float(value) for name, value in defaults.items()} == fields
