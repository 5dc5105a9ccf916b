"""Mails and saved pages (`.eml`, `.mht`): their text, with subject, sender and date."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from email import policy
from email.errors import MessageError
from email.message import EmailMessage, MIMEPart
from email.parser import BytesParser
from html import escape
from pathlib import Path

from indexer.blocks import ATTACHED, LeftOut
from indexer.readers.converted.reader import Converted
from indexer.readers.files import file_bytes, guessed_text, too_large, unusable
from indexer.readers.html.reader import HtmlReader
from search.errors import InputError
from search.records import MetadataValue

MOST_HEAD = 50_000
"""Characters of a line of a head at most: the time that reading it takes grows with the square."""
QUOTED = "Quoted mail"
"""The heading of the earlier mail that a mail answers."""
SIGNATURE = "signature of a mail"
_RULE = re.compile(r"[-_]{3,}\s*")
_SIGNATURE_WORDS = 80
"""What follows a rule at the end of a mail is its signature if it has no more words."""
_TOLD = ("from", "to", "cc", "date")


def mail_to_html(path: Path, folder: Path) -> Converted:
    """Write the page of a message, or its text as a page.

    Raises:
        InputError: it is empty, too large, or holds no text.
    """
    message = _parsed(file_bytes(path), path)
    subject = " ".join(str(message.get("subject", "")).split())
    body = message.get_body(preferencelist=("html", "plain"))
    if body is None:
        problem = "a message without text; save its attachments and load those"
        raise InputError(problem, path, code="source.empty")
    made = folder / f"{path.stem}.html"
    left_out = list(_attached(message))
    is_page = body.get_content_subtype() == "html"
    if is_page and body.get_content_charset() is None:
        made.write_bytes(_bytes(body))  # browsers save pages without naming the encoding
    else:
        text = _content(body, path)
        page, unread = (text, []) if is_page else _page(text, subject)
        left_out = [*unread, *left_out]
        made.write_text(page, encoding="utf-8", errors="replace")
    saved_page = "multipart/related" in str(message.get("content-type", "")).lower()
    title = "" if saved_page else subject
    metadata: dict[str, MetadataValue] = {
        f"mail_{name}": " ".join(str(message[name]).split())
        for name in _TOLD
        if message.get(name) and not saved_page
    }
    return Converted(made, HtmlReader(), title, metadata, left_out)


def _parsed(data: bytes, path: Path) -> EmailMessage:
    try:
        message = BytesParser(policy=policy.default).parsebytes(data)
    except (MessageError, ValueError, RecursionError, LookupError) as error:
        raise unusable("not a message that can be read; save it again", path) from error
    heads = (value for part in message.walk() for _, value in part.raw_items())
    if any(len(str(value)) > MOST_HEAD for value in heads):
        problem = f"a line of its head has more than {MOST_HEAD:,} characters; save it again"
        raise too_large(path, problem)
    if not isinstance(message, EmailMessage) or not message.keys():
        raise unusable("not a message, whatever its name says; give it its right suffix", path)
    return message


def _bytes(part: MIMEPart) -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _content(part: MIMEPart, path: Path) -> str:
    if part.get_content_charset() is None:
        return guessed_text(_bytes(part))[0]
    try:
        return str(part.get_content())
    except (LookupError, UnicodeError, ValueError, KeyError) as error:
        problem = "its text is in an encoding that rirag does not know; save it as UTF-8"
        raise InputError(problem, path, code="source.encoding") from error


def _page(text: str, subject: str) -> tuple[str, list[LeftOut]]:
    """Return the text of a mail as a page, and its signature.

    A mail that it quotes (`> …`) is below a heading of its own.
    """
    lines = text.splitlines()
    own = [line for line in lines if not line.startswith(">")]
    quoted = [line.lstrip("> ") for line in lines if line.startswith(">")]
    ends = (
        at
        for at, line in enumerate(own)
        if line == "-- " or (_RULE.fullmatch(line) and not own[at - 1].strip())
    )
    end = next((at for at in ends if len(" ".join(own[at:]).split()) <= _SIGNATURE_WORDS), len(own))
    left_out = [LeftOut(line, SIGNATURE) for line in own[end:] if line.strip()]
    heading = [f"<h2>{QUOTED}</h2>"] if quoted else []
    body = "".join([*_paragraphs(own[:end]), *heading, *_paragraphs(quoted)])
    return f"<html><body><h1>{escape(subject)}</h1>{body}</body></html>", left_out


def _paragraphs(lines: Sequence[str]) -> Iterator[str]:
    return (f"<p>{escape(line)}</p>" for line in lines if line.strip())


def _attached(message: EmailMessage) -> Iterator[LeftOut]:
    for part in message.iter_attachments():
        name = part.get_filename()
        if name and part.get_content_maintype() not in {"image", "font"}:
            yield LeftOut(str(name), ATTACHED)
