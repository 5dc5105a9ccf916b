"""What kind of thing a question asks for, by its wording, in English and German."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from search.provisions.jurisdictions import states_in

AskedKind = Literal[
    "time", "date", "money", "percent", "number", "actor", "yes-no", "definition", "list",
    "consequence", "example", "form", "action",
]  # fmt: skip

_CONTENTS = (
    r"(?:requirements?|standards?|criteri(?:a|on)|conditions?|information|contents?|elements?|details|"
    r"measures|steps|qualifications?|skills|terms|provisions|disclosures?)\b"
)
"""What has a minimum that is not a number: `the minimum requirements for a policy`."""

_SENTENCE = re.compile(r"[^.?!]+[?]")
_WORDINGS: Mapping[AskedKind, str] = {
    "time": r"\bhow (?:long|soon|often|quickly|fast|frequently|early|late)\b|\bdeadlines?\b"
    r"|\btime ?(?:limits?|frames?|lines?|scales?)\b|\bfrequency\b|\bwithin what\b"
    r"|\bhow (?:many|much) (?:\w+ ){0,2}?(?:hours|days|weeks|months|years|notice|time)\b"
    r"|\bhow far (?:in advance|ahead)\b"
    r"|\b(?:cure|notice|retention|waiting|grace) period\b|\bperiod of time\b"
    r"|\bwhat period\b|\b(?:longer|shorter|sooner|earlier|later|more often) than\b"
    r"|\bwie (?:lange|oft|schnell|bald|häufig)\b|\bfrist(?:en)?\b"
    r"|\bwie viele (?:tage|wochen|monate|jahre)\b",
    "date": r"\bwhen\b(?=.*\?)|\bby when\b|\bdates?\b|\b(?:ab |bis |seit )?wann\b"
    r"|\bdatum\b|\bdeadlines?\b",
    "money": r"\bhow much\b(?! (?:notice|time)\b)|\bwhat (?:fee|fine|price|amount|penalt)"
    r"|\bfines?\b"
    r"|\bcosts?\b|\bamount\b|\bpenalt\w+|\bwie ?viel (?:geld|kostet)|\bwie (?:hoch|teuer)\b"
    r"|\bbuß\w+|\bfees?\b",
    "percent": r"\bpercent\w*|\bper cent\b|\bratio\b|\bthresholds?\b|\bshare of\b|\bprozent"
    r"|\bschwelle\w*|\bquote\b|\bproportion\b|\bwhat part\b",
    "number": r"\bhow (?:many|big|large|small|high|old|far(?! in advance| ahead))\b"
    r"|\b(?:minimum|maximum)\b"
    rf"(?! (?:\w+ ){{0,2}}{_CONTENTS})|\b(?:limit|"
    r"lowest|highest|at least|at most|the (?:least|most) (?:that|one|we|an?))\b"
    r"|\bwie ?viele\b|\bwie (?:groß|hoch|alt)\b|\bab welche\w*\b|\bmindest\w*|\bhöchst\w*|\bage\b",
    "actor": r"\bwho(?:m|se)?\b|\bwhich (?:body|authority|court|regulator|person|officer|"
    r"department|team|minister|agency|committee|company)\b|\bwhat (?:body|authority|court)\b"
    r"|\bwe[rmn]\b(?=.*\?)|\bwelche (?:stelle|behörde|person)\b|\bresponsible\b",
    "definition": r"\bwhat (?:does|do|is|are)\b.*\b(?:mean|meant by|meaning|definition)\b"
    r"|\bdefin(?:e|es|ed|ition)\b|\bcounts? as\b|\bqualif(?:y|ies) as\b|\bwhat constitutes\b"
    r"|^\W*what(?: is|’s|'s| are) (?:an? |the )?[\w\s'’-]{1,40}\?|\bmean(?:s|t)? by\b"
    r"|\bgilt als\b|\bwas (?:ist|sind|heißt|bedeutet|versteht)\b|\bconsidered (?:as|to be)\b",
    "list": r"\b(?:which|what) (?:\w+ ){0,3}?(?:information|details|items|documents|factors|"
    r"conditions|criteria|elements|steps|measures|requirements|records|things|data|types|"
    r"kinds|cases|circumstances|rights|duties|obligations|particulars|activities)\b"
    r"|\bwelche (?:angaben|unterlagen|pflichten|maßnahmen|voraussetzungen)\b"
    r"|\bwhat (?:must|should|has to|needs to|does) (?:\w+ ){1,8}?"
    r"(?:contain|include|cover|say)\b",
    "consequence": r"\bwhat (?:happens|will happen|are the consequences)\b|\bconsequences?\b"
    r"|\bpenalt\w+|\bsanctions?\b|\bwhat if\b|\bwas passiert\b|\bfolgen\b|\bprison\b",
    "example": r"\bexamples?\b|\bfor instance\b|\bbeispiele?\b",
    "form": r"\b(?:forms?|templates?|formats?|platform|portal|channel)\b|\bin writing\b"
    r"|\bformulare?\b|\bschriftlich\b",
    "action": r"\bhow (?:do|does|must|should|can|is|are|to)\b|\bwhat (?:must|should|do|does|"
    r"steps|has to)\b|\bwas (?:muss|müssen|soll)\b|\bwie (?:muss|müssen|soll)\b",
}
_PATTERNS = {kind: re.compile(wording, re.IGNORECASE) for kind, wording in _WORDINGS.items()}


def _outright(nouns: str, others: str) -> re.Pattern[str]:
    """Return what asks for something by its name: which fee, the fee for a licence, fees."""
    named = rf"\b(?:what|which|any|specific|standard|prescribed) (?:[\w-]+ ){{0,3}}?{nouns}\b"
    return re.compile(rf"{named}|^\W*(?:the )?{nouns}\b|\b{nouns} for\b|{others}", re.I)


_OUTRIGHT: Mapping[AskedKind, re.Pattern[str]] = {
    "money": _outright(
        r"(?:fees?|fines?|prices?|amounts?|penalt(?:y|ies)|costs?|charges?)",
        r"\bhow (?:much|big|high|large)\b|\b(?:fine|fee|penalty|cost|price|amount) of\b"
        r"|\bcosts? to\b|\b(?:do|does|will|would) \w+ cost\b|\bpay an? (?:fine|fee|penalty)\b"
        r"|\bwie ?(?:viel|hoch|teuer)\b|\bbuß|\bkostet\b",
    ),
    "percent": _outright(
        r"(?:thresholds?|ratios?|proportions?|shares?)",
        r"\bper ?cent|\b(?:threshold|ratio|proportion|share) of\b"
        r"|\bhow (?:much|big|high|large|many)\b|\bprozent|\bschwelle|\bquote\b",
    ),
    "form": _outright(
        r"(?:forms?|templates?|formats?|platforms?|portals?|channels?)",
        r"\b(?:form|template|format|portal|channel) (?:of|to|is|must|should)\b|\bin writing\b"
        r"|\bformular|\bschriftlich",
    ),
}
"""Wordings that ask for a kind of value. Others only mention it: the costs of an insolvency."""

_YES_NO = re.compile(
    r"(?:^|[.?!:;,]\s+|\b(?:and|or|so|but|then|und|oder) )\W*(?:(?:so|and|but|also|then)\W+)?"
    r"(?:can|could|may|must|do|does|did|is|are|was|were|should|shall|will|would|has|have|had|"
    r"need|am|are|kann|können|darf|dürfen|muss|muß|müssen|ist|sind|hat|haben|gilt|gelten|braucht|"
    r"brauchen|soll|sollen|wird|werden|gibt) (?!what\b|how\b|when\b|who\b)\w",
    re.IGNORECASE,
)


_TEXT = (
    r"(?:acts?|laws?|directives?|polic(?:y|ies)|procedures?|regulations?|manuals?|guidelines?|"
    r"gesetz\w*|richtlinien?|verordnung\w*|lois?|directives?|politiques?|chartes?|règlements?|"
    r"(?-i:[A-Z]{3,}|DSGVO|RGPD))"
)
_DEMANDS = r"(?:asks?|demands?|requires?|wants?|verlangt|fordert|exigent?|demandent?)"
_MORE = (
    r"(?:longer|shorter|sooner|earlier|later|more|less|fewer|higher|lower|further|stricter|"
    r"länger|kürzer|früher|später|mehr|weniger|höher|strenger)"
)
_COMPARES = re.compile(
    rf"\b{_MORE}\b.{{0,60}}\b(?:than|als)\b.{{0,60}}\b(?:{_TEXT}|{_DEMANDS})\b"
    rf"|\bas \w+ as\b.{{0,60}}\b(?:{_TEXT}|{_DEMANDS})\b"
    rf"|\b(?:our|own|unsere\w*|notre|nos)\b.{{0,60}}\b{_TEXT}\b.{{0,60}}"
    rf"\b(?:and|than|against|with|as|und|als|mit|et|que|avec)\b.{{0,60}}\b{_TEXT}\b",
    re.IGNORECASE,
)
_SIDE_BY_SIDE = re.compile(r"\bcompare[sd]?\b|\bversus\b|\bvs\b|\bdiffer", re.IGNORECASE)


def compares(question: str) -> bool:
    """Return whether a question sets what one document says beside another."""
    if _COMPARES.search(question):
        return True
    return bool(_SIDE_BY_SIDE.search(question)) and len(states_in(question)) > 1


def asked_kinds(question: str) -> frozenset[AskedKind]:
    """Return the kinds of thing that a question asks for; several where it asks for several."""
    asked = {kind for kind, pattern in _PATTERNS.items() if pattern.search(question)}
    sentences = [one.strip() for one in _SENTENCE.findall(question)]
    if any(_YES_NO.match(one) for one in sentences):
        asked.add("yes-no")
    return frozenset(asked)


def kinds_asked_outright(question: str) -> frozenset[AskedKind]:
    """Return the kinds of thing that a question asks for, without those that it only mentions."""
    return frozenset(
        kind
        for kind in asked_kinds(question)
        if kind not in _OUTRIGHT or _OUTRIGHT[kind].search(question)
    )
