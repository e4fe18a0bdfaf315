"""Non-smooth mechanics: models in the language of nsmc, compiled and simulated.

    import nsmc
    m = nsmc.load("ball.nsm")        # or nsmc.parse(text)
    r = m.run(e=0.5, until=2)        # parameters of the model and settings of the run
    r["z"], r.t                      # numpy arrays, without copies

docs/python.md of nsmc has it all.
"""

from ._nsmc import SavedState, version as __version__
from .contents import Body, Contact, Coordinate, Event, Law, Output, Parameter, Setting, Symbol
from .errors import (Diagnostic, FileError, Interrupted, ModelError, NumericalError, Place, RunWarning, SettingError)
from .held_run import Run, StepNumbers
from .model import Model, load, parse
from .result import Energy, Result, Summary
from .sweep import Sweep

__all__ = [
    "Body", "Contact", "Coordinate", "Diagnostic", "Energy", "Event", "FileError", "Interrupted",
    "Law", "Model", "ModelError", "NumericalError", "Output", "Parameter", "Place", "Result", "Run", "RunWarning",
    "SavedState", "Setting", "SettingError", "StepNumbers", "Summary", "Sweep", "Symbol", "load", "parse",
]
