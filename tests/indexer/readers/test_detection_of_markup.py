"""Several formats share a suffix: the beginning of the file decides."""

import json

import pytest
from act_samples import FORMEX, LEX, SAMPLES

from indexer.load.sources import find_sources
from indexer.readers.detect import reader_for
from indexer.readers.xml.parsing import root_name

LANTERNS = (SAMPLES / "lantern-act.xml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "text", "format_"),
    [
        ("a.xml", FORMEX, "formex"),
        ("a.xml", LANTERNS, "akoma-ntoso"),
        ("a.xml", "<rss/>", "xml"),
        ("a.json", json.dumps(LEX), "lex-articles"),
        ("a.json", '[{"ID": "1"}]', "obliqa"),
        ("a.json", '{"x": 1}', "obliqa"),
        ("a.html", "<p>1.1 X</p>", "html"),
        ("a.akn", LANTERNS, "akoma-ntoso"),
        ("a", FORMEX, "formex"),
        ("a", "<!doctype html><html>", "html"),
        ("a", json.dumps(LEX), "lex-articles"),
    ],
)
def test_the_beginning_decides(tmp_path, name, text, format_):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert reader_for(path).name == format_


def test_a_format_that_is_asked_for_is_used(tmp_path):
    path = tmp_path / "a.xml"
    path.write_text(FORMEX)
    assert reader_for(path, "akoma-ntoso").name == "akoma-ntoso"


def test_foreign_files_of_a_folder_are_skipped_with_the_reason(tmp_path):
    (tmp_path / "act.xml").write_text(FORMEX)
    (tmp_path / "feed.xml").write_text("<rss/>")
    found = find_sources(tmp_path)
    assert [file.path.name for file in found.files] == ["act.xml"]
    assert [file.reason for file in found.skipped] == ["XML of settings or data (<rss>)"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("<a/>", "a"),
        ("<?xml version='1.0'?>\n<!-- <b> --><!DOCTYPE x [<!ENTITY y '<z>'>]>\n<akn:act>", "act"),
        ("\ufeff<a>".lstrip("\ufeff"), "a"),
        ("text <a>", ""),
        ("", ""),
    ],
)
def test_the_first_element_is_found_behind_what_stands_before_it(text, name):
    assert root_name(text) == name


def test_an_act_of_lex_articles_is_no_list_of_records_in_an_object(tmp_path):
    path = tmp_path / "act.json"
    path.write_text('{"schema": "lex-articles/1", "provisions": [{"num": "Article 1"}]}')

    assert reader_for(path).name == "lex-articles"
