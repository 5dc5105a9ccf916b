"""The fixtures that all tests share."""

from tests.conftest import (  # noqa: F401 - fixtures and a hook
    _built_once,
    data_folder,
    pytest_runtest_setup,
)
