"""A run in the hand of the caller."""

from types import SimpleNamespace

from . import _nsmc
from .arrays import array
from .errors import NumericalError
from .result import summary_of


class StepNumbers(SimpleNamespace):
    """The matrices of a step at a state: M, u, h, W, V, gamma, Lambda, G, c, with the names of their rows (`velocities`
    and `rows`), gaps of all contacts and which are closed, the rank of G and its extreme eigenvalues. The notation is that
    of docs/numerics.md: M u' = h + W lambda, xi = G Lambda + c."""


class Run(_nsmc.Run):
    """A run that its owner steps: by one thread at a time. Made by Model.start.

    Numerical trouble ends it: step() and advance() return False, and `message` says why."""

    def __init__(self, model, overrides, settings, outputs, endless, inputs=None):
        super().__init__(model._model, overrides, settings, outputs, endless, dict(inputs or {}))
        self.model = model

    def __getitem__(self, name):
        """A column at the present state: a number, or the array of a vector."""
        value = self._value(name)
        return value if isinstance(value, float) else array(value)

    def set(self, parameters=None, **given):
        """Parameters and inputs from the next step on. An input costs next to nothing: set it in every step."""
        self._set({**(parameters or {}), **given})

    @property
    def state(self):
        """Coordinates, then velocities; `state_names` says which."""
        return array(self._state())

    @property
    def state_names(self):
        return self.names[:len(self.state)]

    @property
    def q(self):
        """Coordinates."""
        return self.state[:self._coordinates]

    @property
    def u(self):
        """Velocities."""
        return self.state[self._coordinates:]

    @property
    def numbers(self):
        """The matrices of a step at the present state, computed anew each time: keep them to ask for several."""
        entries = self._numbers()
        if entries is None:
            raise NumericalError("the equations cannot be evaluated at this state")
        return StepNumbers(**{k: array(v) if isinstance(v, _nsmc.Buffer) else v for k, v in entries.items()})

    M = property(lambda self: self.numbers.M, doc="The mass matrix.")
    h = property(lambda self: self.numbers.h, doc="Generalised forces without those of contacts.")
    W = property(lambda self: self.numbers.W, doc="Force directions of the closed contacts, a column for each row of a law.")
    G = property(lambda self: self.numbers.G, doc="G of xi = G Lambda + c, over the closed contacts.")
    c = property(lambda self: self.numbers.c, doc="c of xi = G Lambda + c, of a step.")

    @property
    def summary(self):
        """How it went until now."""
        return summary_of(self._result()["summary"])

    @property
    def message(self):
        """Of a failure, which has ended the run; empty otherwise."""
        return self._result()["message"] if self.is_over else ""

    def __repr__(self):
        return f"<nsmc.Run of {self.model.name}: t = {self.t:g} s, {self.steps} steps{', over' if self.is_over else ''}>"
