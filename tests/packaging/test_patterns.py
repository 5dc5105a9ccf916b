"""No pattern needs what the oldest Python that rirag promises matches wrongly."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module

import pytest
from patterns import PRODUCT
from test_import_order import files


def test_no_module_compiles_a_possessive_quantifier():
    for module in sorted(files()):
        if not module.endswith("__main__"):
            with suppress(ModuleNotFoundError):  # an extra
                import_module(module)


@pytest.mark.parametrize("quantifier", ["*", "+", "?", "{2}"])
def test_a_possessive_quantifier_of_the_product_is_found(quantifier):
    source = f"import re\nhalf = 'z{quantifier}'\nre.compile(f'(?:a|{{half}}+)b')"
    with pytest.raises(AssertionError, match="possessive quantifiers"):
        exec(compile(source, f"{PRODUCT[0]}module.py", "exec"), {})
    exec(compile(source, "/elsewhere.py", "exec"), {})
