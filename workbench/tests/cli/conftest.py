"""The command line over the sample rulebook."""

from tests.rirag.cli.conftest import clean, judged, rirag, rulebook  # noqa: F401 - fixtures
