"""Many runs at once."""

import csv
import itertools
import os

from . import _nsmc, given
from .arrays import array, need_numpy, numbers, numpy
from .errors import Interrupted, SettingError
from .plots import axes_of, label, pandas_for


def is_axis(value):
    """A sequence, also an array of numpy; but not a text, and not a single number."""
    return not isinstance(value, str) and hasattr(value, "__len__") and getattr(value, "ndim", 1) > 0


def values_of(name, values):
    values = list(values.tolist() if hasattr(values, "tolist") else values)
    if not values:
        raise SettingError(f"the axis of '{name}' has no values", name)
    return values if any(isinstance(v, str) for v in values) else numbers(values)


class Sweep:
    """A table over a grid: s["max(z)"] is an array with a dimension for each axis, s["mu"] the values of an axis.

    What was not measured (a time that never came, a run that failed or was not done) is nan; `remarks` has what is to be
    said about single runs, by their number in the grid, where the last axis goes fastest."""

    def __init__(self, model, axes, answer):
        self.model = model
        self.measures, buffers, points, done, self.remarks, _ = answer
        self.axes = {name: values for (name, _), values in zip(axes, points)}
        self.shape = tuple(len(values) for values in self.axes.values())
        self._values = {name: array(buffer) for name, buffer in zip(self.measures, buffers)}
        self._done = array(done)

    @classmethod
    def of(cls, model, measure, vary, given_by_name, parameters, settings, lanes, reproducible, threads, progress):
        axes = [(name, values_of(name, v)) for name, v in (vary or {}).items()]
        for name in [name for name, v in given_by_name.items() if is_axis(v)]:
            axes.append((name, values_of(name, given_by_name.pop(name))))
        for name, _ in axes:
            if "." not in name:  # param.name and simulate.name are known to the study
                given.split(model, {name: 0}, None, None)
        overrides, chosen = given.split(model, given_by_name, parameters, settings)
        answer = _nsmc.study(model._model, axes, given.names_of(measure), overrides, chosen, lanes, reproducible, threads,
                             progress)
        made = cls(model, axes, answer)
        stopped_by = answer[-1]
        if isinstance(stopped_by, KeyboardInterrupt):
            raise Interrupted(f"interrupted after {made.count} of {len(made._done)} runs; `result` of this exception has "
                              "them", made) from stopped_by
        if stopped_by is not None:
            raise stopped_by
        return made

    @property
    def count(self):
        """How many runs are done."""
        return int(sum(self._done))

    @property
    def done(self):
        """Which runs are done, by their place in the grid."""
        return self._shaped(self._done) != 0 if numpy is not None else self._done

    @property
    def ok(self):
        """All runs are done and came to their end, and all their steps converged."""
        return self.count == len(self._done) and not any(failed or not converged
                                                         for failed, converged, _ in self.remarks.values())

    def _shaped(self, values):
        return values.reshape(self.shape) if numpy is not None else memoryview(values)

    def __getitem__(self, name):
        if name in self._values:
            return self._shaped(self._values[name])
        if name in self.axes:
            values = self.axes[name]
            return numpy.asarray(values) if numpy is not None else values
        raise KeyError(f"nothing is called '{name}': there are {', '.join([*self.axes, *self.measures])}")

    def keys(self):
        return [*self.axes, *self.measures]

    def __iter__(self):
        return iter(self.keys())

    def __len__(self):
        return len(self._done)

    def __repr__(self):
        grid = " x ".join(f"{len(v)} {name}" for name, v in self.axes.items())
        what = ", ".join([grid, *self.measures] if grid else self.measures)
        return f"<nsmc.Sweep of {self.model.name}: {what}; {self.count} of {len(self)} runs>"

    def to_pandas(self):
        """A DataFrame with a row for each run."""
        pandas = pandas_for("to_pandas()")
        if not self.axes:
            return pandas.DataFrame(self._values)
        index = pandas.MultiIndex.from_product(self.axes.values(), names=list(self.axes))
        if len(self.axes) == 1:
            index = index.get_level_values(0)
        return pandas.DataFrame(self._values, index=index).reset_index()

    def save(self, path):
        """To a file: .npz (axes and measures by name), or .csv with a row for each run."""
        path = os.fspath(path)
        if path.endswith(".npz"):
            need_numpy("a file .npz").savez_compressed(path, **{name: self[name] for name in self.keys()})
        elif path.endswith(".csv"):
            with open(path, "w", newline="", encoding="utf-8") as file:
                rows = csv.writer(file, lineterminator="\n")
                rows.writerow(self.keys())
                for k, point in enumerate(itertools.product(*self.axes.values())):
                    rows.writerow([*point, *(values[k] for values in self._values.values())])
        else:
            raise ValueError(f"{path}: a sweep is saved as .npz or .csv")

    def plot(self, measure=None, ax=None, **style):
        """A measure over the first axis, a line for each value of the others, by matplotlib; returns its axes."""
        ax = axes_of(ax)
        measure = measure or self.measures[0]
        (name, x), others = next(iter(self.axes.items())), list(self.axes.items())[1:]
        table = self[measure].reshape(len(x), -1)
        for k in range(table.shape[1]):
            words, rest = [], k
            for other, values in reversed(others):
                words.insert(0, f"{other} = {values[rest % len(values)]}")
                rest //= len(values)
            ax.plot(x, table[:, k], label=", ".join(words) or measure, **style)
        ax.set_xlabel(label(name, self.model.parameters[name].unit if name in self.model.parameters else ""))
        ax.set_ylabel(measure)
        if others:
            ax.legend()
        return ax
