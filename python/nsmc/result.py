"""What came of a run."""

import os
import warnings
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Dict

from .arrays import array, need_numpy
from .contents import Event
from .errors import Interrupted, RunWarning
from .page import html_of, page_of, view
from .plots import pandas_for, plot_columns


@dataclass(frozen=True)
class Energy:
    """Where it went: energy_last - energy_first = supplied - the sum of the losses + rest."""

    counted: bool
    losses: Dict[str, float]  # by law, and "damping"
    supplied: float
    rest: float  # what the method has gained or lost


@dataclass(frozen=True)
class Summary:
    """How a run went, as `nsmc run` says it."""

    steps: int
    steps_with_contact: int
    closed_max: int
    closed_mean: float
    iterations_max: int
    iterations_mean: float
    iterations_total: int
    newton_steps: int
    unconverged_steps: int
    worst_residual: float
    worst_time: float
    worst_contact: str
    position_error: float
    position_time: float
    position_contact: str
    internal_steps: int
    evaluations: int
    rejected_steps: int
    switching_steps: int
    forced_steps: int
    shortest_step: float
    longest_step: float
    events: Dict[str, int]
    energy_first: float
    energy_last: float
    energy_min: float
    energy_max: float
    energy: Energy
    watched: bool
    penetration: float
    penetration_time: float
    penetration_contact: str
    penetration_share: float
    corrections: int
    energy_rise: float
    wall_seconds: float


def summary_of(entries):
    return Summary(**{**entries, "energy": Energy(**entries["energy"])})


class Result:
    """The rows of a run, and how it went.

    r["table.N"] is a column, r["top.position"] a matrix of a row for each time, r.t the times: arrays of numpy that look at
    the memory of the run (memoryviews without numpy), and cannot be written to."""

    def __init__(self, model, overrides, settings, rows, events, result):
        self.model = model
        self.parameters = overrides  # that were given
        self.settings = settings  # that were given
        self.end = result["end"]  # finished, interrupted, numerical_failure, strict_failure
        self.message = result["message"]  # of a failure
        self.warnings = result["warnings"]  # of (code, text)
        self.method, self.solver = result["method"], result["solver"]
        self.step, self.until, self.accuracy = result["step"], result["until"], result["accuracy"]
        self.default_steps = result["default_steps"]  # nobody chose a method, a step or an accuracy
        self.cached, self.compile_seconds = result["cached"], result["compile_seconds"]
        self.t = array(rows.t())
        self.names = rows.names
        self._rows, self._events, self._summary = rows, events, result["summary"]
        self._columns = {}
        self._page = None

    @classmethod
    def of(cls, model, overrides, settings, answer):
        rows, events, result, stopped_by = answer
        made = cls(model, overrides, settings, rows, events, result)
        if isinstance(stopped_by, KeyboardInterrupt):
            raise Interrupted(f"{made.message}; `result` of this exception has it", made) from stopped_by
        if stopped_by is not None:
            raise stopped_by
        for code, text in made.warnings:
            warnings.warn(f"{code}: {text}", RunWarning, stacklevel=3)
        if not made.ok:
            warnings.warn(f"the run ended early: {made.message}", RunWarning, stacklevel=3)
        return made

    @property
    def ok(self):
        """The run came to its end."""
        return self.end == "finished"

    @property
    def summary(self):
        return summary_of(self._summary)

    @property
    def events(self):
        """What contacts did and when, of method event."""
        return [Event(*event) for event in self._events]

    def __getitem__(self, name):
        if name not in self._columns:
            found = self._rows.column(name)
            if found is None:
                vectors = [column.partition("[")[0] for column in self.names]  # top.position, not top.position[3]
                near = get_close_matches(str(name), [*self.names, *vectors], 1)
                hint = f"; did you mean '{near[0]}'?" if near else ""
                raise KeyError(f"nothing that was recorded is called '{name}'{hint}")
            self._columns[name] = array(found)
        return self._columns[name]

    def __contains__(self, name):
        return self._rows.column(name) is not None

    def __len__(self):
        return self._rows.count

    def keys(self):
        return list(self.names)

    def __iter__(self):
        return iter(self.names)

    def units(self):
        """Units of the columns, in SI."""
        known = self.model.columns
        return {name: known.get(name, "") for name in self.names}

    def __repr__(self):
        s = self._summary
        return f"<nsmc.Result {self.model.name}: {len(self)} rows of {len(self.names)} columns to t = " \
               f"{self.t[len(self) - 1] if len(self) else 0:g} s, {s['steps']} steps by {self.method}, {self.end}>"

    # Out of here.

    def to_pandas(self):
        """A DataFrame, with t as the index."""
        pandas = pandas_for("to_pandas()")
        return pandas.DataFrame({name: self[name] for name in self.names}, index=pandas.Index(self.t, name="t"))

    def save(self, path):
        """To a file: .npz (numpy.load reads it; t and the columns by name), or .csv as `nsmc run -o` writes it."""
        path = os.fspath(path)
        if path.endswith(".npz"):
            numpy = need_numpy("a file .npz")
            numpy.savez_compressed(path, t=self.t, **{name: self[name] for name in self.names})
        elif path.endswith(".csv"):
            self._rows.write_csv(path)
        else:
            raise ValueError(f"{path}: a result is saved as .npz or .csv")

    def plot(self, *names, ax=None, **style):
        """Columns over time by matplotlib; returns its axes. Without names: all coordinates."""
        return plot_columns(self, names or list(self.model.coordinates), ax, style)

    def page(self):
        """The page of `nsmc view` that shows this run, as HTML text that needs no network. The run is done again with what
        moves in the picture, once."""
        if self._page is None:
            self._page = page_of(self)
        return self._page

    def view(self, path=None):
        """Shows the page: in a notebook in place, else in the browser. With a path, writes it there instead."""
        return view(self, path)

    def _repr_html_(self):
        """In a notebook: the page; of a run of more than ten seconds only how it went."""
        return html_of(self)
