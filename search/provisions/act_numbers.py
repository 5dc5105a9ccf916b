"""The numbers of EU acts in titles and texts: "Regulation (EU) No 575/2013" is 575/2013."""

from __future__ import annotations

import re
from collections.abc import Iterator

SHORT_NAMES: dict[str, tuple[str, ...]] = {
    "2009/65": ("UCITS Directive",),
    "2011/61": ("AIFMD",),
    "2013/36": ("CRD", "Capital Requirements Directive"),
    "2014/49": ("DGSD",),
    "2014/59": ("BRRD", "Bank Recovery and Resolution Directive"),
    "2014/65": ("MiFID II",),
    "2015/61": ("LCR Delegated Regulation", "LCR Delegated Act"),
    "2015/2366": ("PSD2",),
    "2016/679": ("GDPR", "DSGVO", "RGPD", "General Data Protection Regulation"),
    "2022/2554": ("DORA", "Digital Operational Resilience Act"),
    "2023/1114": ("MiCA", "MiCAR"),
    "2024/1689": ("AI Act", "Artificial Intelligence Act"),
    "575/2013": ("CRR", "Capital Requirements Regulation"),
    "596/2014": ("MAR", "Market Abuse Regulation"),
    "600/2014": ("MiFIR",),
    "648/2012": ("EMIR",),
    "806/2014": ("SRMR",),
}
"""Number of an act → what people call it. Source: the short titles in the acts themselves and in
their EUR-Lex summaries."""

_NUMBER = r"(?:No\.?\s+)?(\d{2,4}/\d{1,4})(?:/(?:EU|EC|EEC|Euratom))?(?![\w/])"
_UNION = r"\((?:EU|EC|EEC|Euratom|EU, Euratom|CFSP)\)\s+"
_ACT = re.compile(
    r"(?:\b(?:(?:Commission|Council|Delegated|Implementing)\s+){0,3}"
    rf"(?:Regulation|Directive|Decision)s?\s+(?:{_UNION})?|{_UNION}){_NUMBER}"
)


def act_numbers(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, number) of each EU act that a text names by its number."""
    for found in _ACT.finditer(text):
        yield found.start(), found.end(), found.group(1)


def act_number(title: str) -> str | None:
    """Return the number of the act that a title belongs to: the first that it names, or None."""
    return next((number for _, _, number in act_numbers(title)), None)
