"""Acts that a publisher titles by a number have the short title that they give themselves."""

from __future__ import annotations

import pytest

import indexer
import search
from indexer.structuring.acts.eu_titles import own_title


@pytest.mark.parametrize(
    ("title", "text", "own"),
    [
        (
            "PUBLIC LAW 104–191—AUG. 21, 1996",
            "(a) SHORT TITLE.—This Act may be cited as the ''Lamp Oil Act of 1996''.",
            "Lamp Oil Act of 1996 (Public Law 104–191)",
        ),
        (
            "SENATE BILL 21-190",
            'Short title. THE SHORT TITLE OF THIS PART 13 IS THE "COLONY OF LAMPS ACT".',
            "Colony of Lamps Act (Senate Bill 21-190)",
        ),
        (
            "Senate Bill No. 53",
            "22757.10. This chapter shall be known as the Transparency in Lamps Act.",
            "Transparency in Lamps Act (Senate Bill No. 53)",
        ),
        (
            "SUBSIDIARY LEGISLATION 423.19",
            "1. The title of these regulations is the Lamp Regulations.",
            "Lamp Regulations (Subsidiary Legislation 423.19)",
        ),
        ("Legal Notice 5", "LAMP OIL REGULATIONS", "Lamp Oil Regulations (Legal Notice 5)"),
        ("Legal Notice 5", "AN ACT TO AMEND THE CODE", "Legal Notice 5"),
        ("Lamp Act 1990", "This Act may be cited as the Oil Act 1991.", "Lamp Act 1990"),
        ("Senate Bill No. 53", "This chapter shall be known as it is.", "Senate Bill No. 53"),
    ],
)
def test_a_number_gives_way_to_the_short_title(title: str, text: str, own: str) -> None:
    assert own_title(title, [text, "An act."]) == own


def test_a_document_is_found_by_the_initials_of_its_short_title(tmp_path) -> None:
    (tmp_path / "law.md").write_text(
        "# PUBLIC LAW 104–191\n\n## SECTION 1. SHORT TITLE\n\n"
        'This Act may be cited as the "Lamp Oil Portability and Accountability Act of 1996".\n\n'
        "## SEC. 2. FINES\n\nWho burns oil pays 100 dollars.\n"
    )
    indexer.ingest([tmp_path / "law.md"], str(tmp_path / "index"))
    with search.open(str(tmp_path / "index"), reranker=None) as index:
        best = index.search("section 2 LOPAA", k=1).hits[0]
    assert best.passage_id == "Section 2"
    assert best.document_title.startswith("Lamp Oil Portability and Accountability Act of 1996 (")
    assert best.scores.number is not None
