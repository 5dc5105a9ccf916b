"""What `import indexer` offers."""

import indexer


def test_the_public_names_are_these():
    assert indexer.__all__ == [
        "FORMATS",
        "GRANULARITIES",
        "IngestReport",
        "JoinReport",
        "Place",
        "Progress",
        "QuestionsReport",
        "ReindexReport",
        "SkippedFile",
        "Stage",
        "Structure",
        "UnknownPassage",
        "add_questions",
        "ingest",
        "join",
        "list_questions",
        "read",
        "reindex",
        "remove_questions",
        "rollback",
        "structure",
    ]
    assert all(hasattr(indexer, name) for name in indexer.__all__)
    assert indexer.FORMATS[0] == "auto"
    assert {"obliqa", "jsonl", "text", "html", "formex", "akoma-ntoso", "lex-articles"} < set(
        indexer.FORMATS
    )
