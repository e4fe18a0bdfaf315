"""What is thrown, and the diagnostics in it."""

from dataclasses import dataclass, field
from typing import List, Tuple


@dataclass(frozen=True)
class Place:
    """A range of a source file. Lines and columns count from 1, begin and end are offsets in bytes from 0."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    begin: int
    end: int


@dataclass(frozen=True)
class Diagnostic:
    """What nsmc has to say about a model at one place."""

    code: str
    name: str
    error: bool
    message: str
    place: Place
    notes: List[Tuple[Place, str]] = field(default_factory=list)
    hint: str = ""


def diagnostics_of(entries):
    return [
        Diagnostic(**{
            **entry, "place": Place(**entry["place"]),
            "notes": [(Place(**place), text) for place, text in entry["notes"]]
        }) for entry in entries
    ]


class ModelError(Exception):
    """A model with errors. The text is what `nsmc check` prints, with a caret at the place; `diagnostics` has all of
    it, and `code`, `name`, `message`, `file`, `line`, `column`, `hint` are those of the first error."""

    def __init__(self, message, text="", entries=()):
        super().__init__("\n" + text.rstrip("\n") if text else message)
        self.diagnostics = diagnostics_of(entries)
        first = next((d for d in self.diagnostics if d.error), None)
        self.message = message
        self.code = first.code if first else ""
        self.name = first.name if first else ""
        self.hint = first.hint if first else ""
        self.place = first.place if first else None
        self.file = first.place.file if first else ""
        self.line = first.place.line if first else 0
        self.column = first.place.column if first else 0


class SettingError(ValueError):
    """A parameter, setting, column, axis or measure that does not fit; `setting` is its name."""

    def __init__(self, message, setting=""):
        # The library quotes its options; here they are keywords, and a parameter is one by its own name.
        super().__init__(message.replace("`set` ", "").replace("`", "'"))
        self.setting = setting


class FileError(OSError):
    """A file that cannot be read or written."""


class NumericalError(ArithmeticError):
    """A run in the hand of the caller, or that of an environment, came to numbers that nothing can be made of."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run or a sweep. `result` is what was computed until then; of a run in hand it is None: the run
    itself stands where it was stopped, and goes on."""

    def __init__(self, message="", result=None):
        super().__init__(message)
        self.result = result


class RunWarning(UserWarning):
    """A run that is doubtful, or came to its end early. The codes are those of docs/diagnostics.md."""
