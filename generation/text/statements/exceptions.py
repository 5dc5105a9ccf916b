"""Sentences that mean nothing without the one before them, or that change what it means."""

from __future__ import annotations

import re

from search.language import vocabulary

_UNIT, _UNIT_DE, _UNIT_FR = (
    vocabulary.pattern(vocabulary.units_of("rule", "inner"), code, short=False)
    for code in ("en", "de", "fr")
)
_ARTICLE_FR = vocabulary.pattern(["article"], "fr", short=False)
_PART = (
    rf"(?:(?:sub-?)?{_UNIT}|(?:condition|requirement|prohibition|obligation|limit|restriction|"
    r"exemption|duty)s?)"
)
_TAKES_BACK = re.compile(
    r"(?:However|But|Nevertheless|Nonetheless|Except|Exceptions?|Unless|Provided that|"
    r"Notwithstanding (?:this|that|the (?:above|foregoing)))\b"
    rf"|(?:This|That|It|The|These|Those|{_PART}) [^.;]{{0,80}}?"
    r"\b(?:(?:do|does|shall|will) not apply|(?:is|are) without prejudice to)\b"
    r"|[^.,;:]{1,60}\b(?:not|only) do so\b"
    r"|(?:Jedoch|Allerdings|Ausgenommen|Ausnahmen?|Außer|Es sei denn|Abweichend (?:hiervon|davon)|"
    rf"(?:Abweichend|Unbeschadet) (?:von |de[rs]n? )?(?:S[aä]tze[ns]?|Satz|{_UNIT_DE})|"
    r"(?:Hiervon|Davon) (?:\w+ ){0,3}?(?:ausgenommen|unberührt|abgewichen))\b"
    rf"|(?:Dies|Das|Die|Der|Diese[rs]?|Satz|{_UNIT_DE}) [^.;]{{0,60}}?"
    r"\b(?:(?:gilt|gelten) (?!\w+ als\b)[^.;,]{0,30}?nicht\b|"
    r"(?:findet|finden) [^.;]{0,30}?keine Anwendung)"
    r"|(?:Toutefois|Cependant|Néanmoins|Sauf|Hormis|À moins que|Excepté|Exceptions?|"
    rf"Par (?:dérogation|exception)(?! (?:à l['’]|aux ){_ARTICLE_FR})|"
    r"(?:Font|Fait) exception|(?:Sont|Est) (?:except|exclu|exempt|dispens)\w+)\b"
    rf"|(?:Ce|Cet|Cette|Ces|Cela|Il|Elle|Ils|Elles|Les?|La|L['’]\w+|{_UNIT_FR}) [^.;]{{0,60}}?"
    r"\b(?:ne |n['’])(?:s['’]appliqu|va(?:ut|lent)|vise|concern)\w* (?:pas|point)\b",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"(?:Such|Those|These) (?!as\b)\w|This (?:may|might|could|can|should|would|will|is|includes?)\b"
    r"|That (?!is\b)\w+|(?:In|For) (?:such|that|those|these) \w"
    r"|(?:In|For) [^,.;]{1,60}, (?:it|they|this|that)\b"
    r"|[^.,;:]{1,60}\b(?:do|does|doing|did) so\b"
    r"|(?:For (?:example|instance)|Conversely|Therefore|Accordingly|In addition|Further|"
    r"Furthermore|Moreover|Similarly|Likewise|Also|Thus|Hence|Otherwise|Consequently|"
    r"In particular|It|They|Zum Beispiel|Diese[rsnm]?|Daher|Insbesondere)\b"
    r"|Dies (?:kann|könnte|darf|soll|sollte|muss|wird|würde|ist|gilt|umfasst)\b"
    r"|(?:Hierzu|Hierbei|Dabei|Dazu|Darüber hinaus|Ebenso|Gleiches|Entsprechendes)\b"
    r"|(?:Cette|Ces) (?!loi|directive|charte|politique|convention)\w|(?:Dans ce cas|En outre|"
    r"De même|Par exemple|Ainsi|Notamment|En particulier|À cet effet|À cette fin|Ils|Elles?)\b"
)


def takes_back(sentence: str) -> bool:
    """Return whether a sentence makes an exception from what comes before it."""
    return _TAKES_BACK.match(sentence) is not None


def leans_back(sentence: str) -> bool:
    """Return whether a sentence speaks of what the one before it names (`Such activities …`)."""
    return _LEANS.match(sentence) is not None
