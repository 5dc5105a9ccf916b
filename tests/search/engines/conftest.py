"""Lets failures inside the conformance suite show what was compared."""

import pytest

pytest.register_assert_rewrite("conformance", "engine_samples")
