"""The loader of files, made from a configuration."""

import pytest

from obsirag.errors import ConfigError, MissingExtraError
from obsirag.loaders import FileLoader, Limits
from obsirag.plugins import Registry, files
from obsirag.records import Loader


def test_it_is_built_in():
    made = Registry().build("loader", "files", {})
    assert isinstance(made, Loader)
    assert isinstance(made, FileLoader)
    assert ".pdf" in made.suffixes
    assert ".png" not in made.suffixes


def test_with_ocr_it_reads_images_too():
    assert {".pdf", ".png", ".tiff"} <= set(files.loader({"ocr": True}).suffixes)


def test_it_reads_only_the_suffixes_that_are_given():
    assert set(files.loader({"suffixes": [".pdf", ".csv"]}).suffixes) == {".pdf", ".csv"}


def test_its_defaults_are_those_of_the_room():
    given = files.FilesOptions().model_dump(exclude={"suffixes", "ocr"})
    assert Limits(**given) == Limits()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"ocr": "yes"}, "ocr"),
        ({"seconds": 0}, "seconds"),
        ({"memory": 1}, "memory"),
        ({"suffixes": []}, "suffixes"),
        ({"suffixes": [".doc"]}, "'.doc' is none of"),
        ({"suffixes": [".png"]}, "need `ocr: true`"),
        ({"sufixes": [".pdf"]}, "sufixes"),
    ],
)
def test_wrong_options_are_told(options, told):
    with pytest.raises(ConfigError, match=told):
        files.loader(options)


@pytest.mark.parametrize(
    ("options", "missing", "extra"), [({}, "pptx", "files"), ({"ocr": True}, "rapidocr", "files,ocr")]
)
def test_what_is_not_installed_is_told(monkeypatch, options, missing, extra):
    there = files.find_spec
    monkeypatch.setattr(files, "find_spec", lambda name: None if name == missing else there(name))
    with pytest.raises(MissingExtraError, match=rf"obsirag\[{extra}\]"):
        files.loader(options)


def test_without_ocr_its_packages_are_not_needed(monkeypatch):
    there = files.find_spec
    monkeypatch.setattr(files, "find_spec", lambda name: None if name == "rapidocr" else there(name))
    assert files.loader({}).suffixes
