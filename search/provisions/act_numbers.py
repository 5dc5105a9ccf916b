"""The numbers of EU acts in titles and texts: "Regulation (EU) No 575/2013" is 575/2013."""

from __future__ import annotations

import re
from collections.abc import Iterator

from search.provisions import vocabulary

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

_UNION = r"EU|EC|EEC|UE|EG|EWG|CE|CEE|Euratom"
UNION = rf"\((?:{_UNION}|CFSP|EU,\s?Euratom)\)"
"""The mark of an act of the Union, as part of a regular expression."""
NUMBER = (
    r"(?:N(?:[or]|\.?[°ºo])?\.?\s*)?(?P<number>\d{1,4}/(?:19|20)\d\d|(?:19|20)?\d\d/\d{1,4})"
    rf"(?:/(?:{_UNION}))?(?![\w/])"
)
"""The number of such an act, for an expression in which case does not matter."""
KINDS = "|".join(
    vocabulary.longest_first(
        kind for one in vocabulary.languages().values() for kind in one.acts_of_union
    )
)
_ACT = re.compile(
    r"(?:\b(?:(?:Commission|Council|Delegated|Implementing)\s+){0,3}"
    rf"(?:{KINDS})\s+(?:{UNION}\s+)?|{UNION}\s+)(?i:{NUMBER})"
)


def act_numbers(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, number) of each EU act that a text names by its number."""
    for found in _ACT.finditer(text):
        yield found.start(), found.end(), found["number"]


def act_number(title: str) -> str | None:
    """Return the number of the act that a title belongs to: the first that it names, or None."""
    return next((number for _, _, number in act_numbers(title)), None)
