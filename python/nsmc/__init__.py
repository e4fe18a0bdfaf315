"""Non-smooth mechanics: models in the language of nsmc, compiled and simulated.

    import nsmc
    m = nsmc.load("ball.nsm")        # or nsmc.parse(text)
    r = m.run(e=0.5, until=2)        # parameters of the model and settings of the run
    r["z"], r.t                      # numpy arrays, without copies

docs/python.md of nsmc has it all.
"""

from ._nsmc import SavedState, version as __version__
from .contents import Body, Contact, Coordinate, Event, Law, Output, Parameter, Setting, Symbol
from .environment import Box, Environment, env
from .errors import (Diagnostic, FileError, Interrupted, ModelError, NumericalError, Place, RunWarning, SettingError)
from .held_run import Run, StepNumbers
from .model import Model, load, parse
from .result import Energy, Result, Summary
from .sets import Set, boundary, contains, gauge, prox, support
from .sweep import Sweep

__all__ = [
    "Body", "Box", "Contact", "Coordinate", "Diagnostic", "Energy", "Environment", "Event", "FileError", "Interrupted",
    "Law", "Model", "ModelError", "NumericalError", "Output", "Parameter", "Place", "Result", "Run", "RunWarning",
    "SavedState", "Set", "Setting", "SettingError", "StepNumbers", "Summary", "Sweep", "Symbol", "boundary", "contains",
    "env", "gauge", "load", "parse", "prox", "support",
]
