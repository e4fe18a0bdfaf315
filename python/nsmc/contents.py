"""What is in a model, as plain values. Numbers are in SI."""

from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple, Union


@dataclass(frozen=True)
class Parameter:
    name: str
    doc: str
    unit: str
    value: float
    expression: str  # of other parameters; empty: a number
    structural: bool  # sizes of arrays depend on it
    line: int
    bounds: Optional[Tuple[float, float]]
    input: bool = False  # it may change during a run; the value: where it starts


@dataclass(frozen=True)
class Coordinate:
    """A coordinate or a velocity; of an array the first element."""

    name: str
    doc: str
    unit: str
    initial: float
    line: int


@dataclass(frozen=True)
class Body:
    """A body, or a block of coordinates that belong together."""

    name: str
    doc: str
    count: int
    array: bool
    line: int


@dataclass(frozen=True)
class Law:
    name: str
    text: str  # the inclusion
    parts: Dict[str, str]  # what is named in it
    forces: Dict[str, str]  # name and unit


@dataclass(frozen=True)
class Contact:
    name: str
    doc: str
    count: int
    array: bool
    always_closed: bool
    laws: List[Law]


@dataclass(frozen=True)
class Output:
    name: str
    doc: str
    unit: str


@dataclass(frozen=True)
class Setting:
    name: str
    help: str
    standard: str
    unit: str
    words: List[str]
    written: Union[float, str, None]  # by the model


@dataclass(frozen=True)
class Symbol:
    """A name of the model. What does not apply or is not known is empty."""

    name: str
    kind: str
    file: str
    line: int
    column: int
    uses: List[int]  # lines
    doc: str
    type: str
    unit: str
    value: Optional[float]
    arguments: List[str]
    members: List[str]
    local: bool
    array: bool
    library: bool


@dataclass(frozen=True)
class Event:
    """A moment at which a contact changes what it does, of method event."""

    t: float
    contact: str
    kind: str  # impact, closing, take_off, stick, slip, turn
    before: List[float]
    after: List[float]
    percussion: List[float]


def named(kind, entries):
    """A dictionary by name."""
    return {entry["name"]: kind(**entry) for entry in entries}


def contact(entry):
    laws = [Law(**{**law, "parts": dict(law["parts"]), "forces": dict(law["forces"])}) for law in entry["laws"]]
    return Contact(**{**entry, "laws": laws})
