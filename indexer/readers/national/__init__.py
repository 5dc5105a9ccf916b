"""National XML formats of acts: a table of elements for each, and where its names and dates are.

Nothing here knows how passages are made; `indexer.structuring.acts` builds them all alike.
"""

from indexer.readers.national.bwb import BwbReader
from indexer.readers.national.canada import CanadaReader
from indexer.readers.national.cfr import CfrReader
from indexer.readers.national.clml import ClmlReader
from indexer.readers.national.denmark import RetsinformationReader
from indexer.readers.national.estonia import RiigiTeatajaReader
from indexer.readers.national.gesetze import GesetzeReader
from indexer.readers.national.legi import LegiReader
from indexer.readers.national.lexml import LexmlReader
from indexer.readers.national.uslm import UslmReader

NATIONAL = (
    ClmlReader(),
    UslmReader(),
    CfrReader(),
    CanadaReader(),
    GesetzeReader(),
    BwbReader(),
    LegiReader(),
    RetsinformationReader(),
    RiigiTeatajaReader(),
    LexmlReader(),
)
"""A reader for each format."""
