"""Models: from a file or a text to equations, runs and sweeps."""

import functools
import html
import os

from . import _nsmc, contents, given
from .errors import ModelError, diagnostics_of
from .held_run import Run
from .latex import body, for_notebooks
from .result import Result
from .sweep import Sweep


def load(path, *, import_paths=(), cache=True, **parameters):
    """The model in a file. `parameters` take the place of its own values, in all that is done with it. `cache=False`
    keeps no machine code for later programs. Throws ModelError, FileError."""
    model = _nsmc.Model.open(os.fspath(path), parameters, [os.fspath(p) for p in import_paths], cache)
    return Model(model)


def parse(text, *, name="model.nsm", files=None, import_paths=(), cache=True, **parameters):
    """The model of a text. `files`: a dictionary of texts that it may import, by path; without it imports are files."""
    model = _nsmc.Model.from_text(text, name, files, parameters, [os.fspath(p) for p in import_paths], cache)
    return Model(model)


class Model:
    """A model without errors; made by `load` or `parse`. It may be used by several threads at once."""

    def __init__(self, model):
        if not model.ok():
            entries = model.diagnostics()
            first = next((entry["message"] for entry in entries if entry["error"]), "the model has errors")
            raise ModelError(first, model.diagnostics_text(), entries)
        self._model = model
        self.name = model.name()
        self.doc = model.doc()
        self.diagnostics = diagnostics_of(model.diagnostics())  # warnings

    # What is in it.

    @functools.cached_property
    def parameters(self):
        """Parameters by name."""
        return contents.named(contents.Parameter, self._model.parameters())

    @functools.cached_property
    def coordinates(self):
        """Coordinates by name, with their values at the start."""
        return contents.named(contents.Coordinate, self._model.coordinates())

    @functools.cached_property
    def velocities(self):
        """Velocities by name, with their values at the start."""
        return contents.named(contents.Coordinate, self._model.velocities())

    @functools.cached_property
    def bodies(self):
        return contents.named(contents.Body, self._model.bodies())

    @functools.cached_property
    def contacts(self):
        """Contacts by name, with their laws."""
        return {entry["name"]: contents.contact(entry) for entry in self._model.contacts()}

    @functools.cached_property
    def outputs(self):
        return contents.named(contents.Output, self._model.outputs())

    @functools.cached_property
    def columns(self):
        """What a run records: names and units."""
        return dict(self._model.columns())

    @functools.cached_property
    def settings(self):
        """All settings of runs by name."""
        return contents.named(contents.Setting, self._model.settings())

    @functools.cached_property
    def symbols(self):
        """All names of the model, in the order of the text."""
        return [contents.Symbol(**entry) for entry in self._model.symbols()]

    @functools.cached_property
    def parameter_names(self):
        return frozenset(self.parameters)

    @functools.cached_property
    def setting_names(self):
        return frozenset(self.settings)

    def emit(self, stage="equations"):
        """A stage of the compilation as text: ast, model, scene, equations, latex, llvm, asm, c, ..."""
        return self._model.emit(stage)

    @functools.cached_property
    def latex(self):
        """The equations of motion as a LaTeX document."""
        return self.emit("latex")

    def describe(self):
        """What is in the model, as text."""
        lines = [self.name + (f": {self.doc}" if self.doc else "")]

        def part(title, rows):
            if rows:
                lines.append(f"{title}:")
                width = max(len(left) for left, _ in rows)
                lines.extend(f"  {left:<{width}}  {right}".rstrip() for left, right in rows)

        def unit(of):
            return "" if of.unit in ("", "1") else f" [{of.unit}]"

        part("parameters", [(p.name, f"{p.value:g}{unit(p)}  {p.doc}") for p in self.parameters.values()])
        part("coordinates", [(q.name, f"{q.initial:g}{unit(q)}  {q.doc}") for q in self.coordinates.values()])
        part("contacts", [(c.name + (f" ({c.count})" if c.array else ""),
                           "; ".join(law.text for law in c.laws)) for c in self.contacts.values()])
        part("outputs", [(o.name, f"{unit(o).strip()}  {o.doc}".strip()) for o in self.outputs.values()])
        return "\n".join(lines)

    def __repr__(self):
        return f"<nsmc.Model {self.name or 'without a name'}: {len(self.parameters)} parameters, " \
               f"{len(self.coordinates)} coordinates, {len(self.contacts)} contacts>"

    def _repr_html_(self):
        """In a notebook: the equations, which it sets."""
        title = f"<b>{html.escape(self.name)}</b> {html.escape(self.doc)}"
        return f"<div>{title}</div>" + for_notebooks(self.latex)

    def _repr_latex_(self):
        """Where a notebook becomes a paper: the same in LaTeX."""
        return body(self.latex)

    # What can be done with it.

    def run(self, outputs=None, *, parameters=None, settings=None, inputs=None, progress=None, **given_by_name):
        """A run to its end.

        Keywords are parameters of the model and settings of the run: numbers in SI, or texts with units ("2[mm]").
        inputs: what inputs of the model follow, {name: (times, values)}, or with "held" or "cubic" as a third.
        outputs: columns to record, a vector by its name; all, if none is named. progress(t, until) is called about
        every 0.1 s. Ctrl-C throws nsmc.Interrupted, whose `result` has what was computed."""
        overrides, chosen = given.split(self, given_by_name, parameters, settings)
        answer = _nsmc.run(self._model, overrides, chosen, given.names_of(outputs), progress, dict(inputs or {}))
        return Result.of(self, overrides, chosen, answer)

    def start(self, *, outputs=None, endless=False, parameters=None, settings=None, inputs=None, **given_by_name):
        """A run in the hand of the caller. endless: no `until` ends it. outputs: columns of work that are to be counted.
        inputs: as those of run()."""
        overrides, chosen = given.split(self, given_by_name, parameters, settings)
        return Run(self, overrides, chosen, given.names_of(outputs), endless, inputs)

    def sweep(self, measure, *, vary=None, parameters=None, settings=None, lanes=None, reproducible=False, threads=0,
              progress=None, **given_by_name):
        """Runs over the grid of all keywords (and of `vary`) that are sequences; the others are those of all runs.

        measure: one, or several: "max(z)", "time(z < 0)", "iterations", ... progress(done, all) is called about every
        0.1 s. Ctrl-C throws nsmc.Interrupted, whose `result` has the runs that are done."""
        return Sweep.of(self, measure, vary, given_by_name, parameters, settings, lanes, reproducible, threads, progress)
