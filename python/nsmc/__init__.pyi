from os import PathLike
from typing import Any, Callable, Dict, FrozenSet, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, Union

import numpy
import pandas
from matplotlib.axes import Axes

__version__: str

Value = Union[float, str]
Array = numpy.ndarray
Path = Union[str, "PathLike[str]"]
Progress = Callable[[float, float], object]
Names = Union[str, Sequence[str]]

def load(path: Path, *, import_paths: Sequence[Path] = ..., cache: bool = ..., **parameters: Value) -> Model: ...
def parse(text: str, *, name: str = ..., files: Optional[Mapping[str, str]] = ..., import_paths: Sequence[Path] = ...,
          cache: bool = ..., **parameters: Value) -> Model: ...
def env(model: Model, actions: Names, *, observe: Union[Names, Callable[[Run], Any], None] = ...,
        reward: Union[str, Callable[[Run], float], None] = ..., terminated: Optional[Callable[[Run], bool]] = ...,
        dt: Optional[float] = ..., until: Optional[float] = ...,
        start: Optional[Callable[[Optional[int]], Mapping[str, Value]]] = ..., **given: Value) -> Environment: ...
def prox(text: Union[str, Set], x: Any, definitions: str = ..., **parameters: Value) -> Array: ...
def gauge(text: Union[str, Set], x: Any, definitions: str = ..., **parameters: Value) -> Any: ...
def support(text: Union[str, Set], v: Any, definitions: str = ..., **parameters: Value) -> Any: ...
def contains(text: Union[str, Set], x: Any, definitions: str = ..., **parameters: Value) -> Any: ...
def boundary(text: Union[str, Set], detail: int = ..., definitions: str = ..., **parameters: Value) -> Optional[Array]: ...

class Model:
    name: str
    doc: str
    diagnostics: List[Diagnostic]
    @property
    def parameters(self) -> Dict[str, Parameter]: ...
    @property
    def coordinates(self) -> Dict[str, Coordinate]: ...
    @property
    def velocities(self) -> Dict[str, Coordinate]: ...
    @property
    def bodies(self) -> Dict[str, Body]: ...
    @property
    def contacts(self) -> Dict[str, Contact]: ...
    @property
    def outputs(self) -> Dict[str, Output]: ...
    @property
    def columns(self) -> Dict[str, str]: ...
    @property
    def settings(self) -> Dict[str, Setting]: ...
    @property
    def symbols(self) -> List[Symbol]: ...
    @property
    def parameter_names(self) -> FrozenSet[str]: ...
    @property
    def setting_names(self) -> FrozenSet[str]: ...
    @property
    def latex(self) -> str: ...
    def emit(self, stage: str = ...) -> str: ...
    def describe(self) -> str: ...
    def run(self, outputs: Optional[Names] = ..., *, parameters: Optional[Mapping[str, Value]] = ...,
            settings: Optional[Mapping[str, Value]] = ..., progress: Optional[Progress] = ...,
            **given_by_name: Value) -> Result: ...
    def start(self, *, outputs: Optional[Names] = ..., endless: bool = ...,
              parameters: Optional[Mapping[str, Value]] = ..., settings: Optional[Mapping[str, Value]] = ...,
              **given_by_name: Value) -> Run: ...
    def sweep(self, measure: Names, *, vary: Optional[Mapping[str, Any]] = ...,
              parameters: Optional[Mapping[str, Value]] = ..., settings: Optional[Mapping[str, Value]] = ...,
              lanes: Optional[int] = ..., reproducible: bool = ..., threads: int = ..., progress: Optional[Progress] = ...,
              **given_by_name: Any) -> Sweep: ...

class Result:
    model: Model
    parameters: Dict[str, Value]
    settings: Dict[str, Value]
    end: str
    message: str
    warnings: List[Tuple[str, str]]
    method: str
    solver: str
    step: float
    until: float
    accuracy: float
    cached: bool
    compile_seconds: float
    t: Array
    names: List[str]
    @property
    def ok(self) -> bool: ...
    @property
    def summary(self) -> Summary: ...
    @property
    def events(self) -> List[Event]: ...
    @classmethod
    def of(cls, model: Model, overrides: Dict[str, Value], settings: Dict[str, Value], answer: Tuple[Any, ...]) -> Result: ...
    def __getitem__(self, name: str) -> Array: ...
    def __contains__(self, name: object) -> bool: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def keys(self) -> List[str]: ...
    def units(self) -> Dict[str, str]: ...
    def to_pandas(self) -> pandas.DataFrame: ...
    def save(self, path: Path) -> None: ...
    def plot(self, *names: str, ax: Optional[Axes] = ..., **style: Any) -> Axes: ...
    def page(self) -> str: ...
    def view(self, path: Optional[Path] = ...) -> None: ...

class Run:
    model: Model
    t: float
    until: float
    steps: int
    is_over: bool
    closed: List[str]
    names: List[str]
    @property
    def state(self) -> Array: ...
    @property
    def state_names(self) -> List[str]: ...
    @property
    def q(self) -> Array: ...
    @property
    def u(self) -> Array: ...
    @property
    def numbers(self) -> StepNumbers: ...
    @property
    def M(self) -> Array: ...
    @property
    def h(self) -> Array: ...
    @property
    def W(self) -> Array: ...
    @property
    def G(self) -> Array: ...
    @property
    def c(self) -> Array: ...
    @property
    def summary(self) -> Summary: ...
    @property
    def message(self) -> str: ...
    def __getitem__(self, name: str) -> Any: ...
    def step(self) -> bool: ...
    def advance(self, t: float) -> bool: ...
    def set(self, parameters: Optional[Mapping[str, Value]] = ..., **given: Value) -> None: ...
    def save(self) -> SavedState: ...
    def restore(self, state: SavedState) -> None: ...

class SavedState:
    program: str
    parameters: Dict[str, Value]
    settings: Dict[str, Value]
    @staticmethod
    def read(path: str) -> SavedState: ...
    def write(self, path: str) -> None: ...

class StepNumbers:
    t: float
    dt: float
    velocities: List[str]
    contacts: List[str]
    closed: List[int]
    rows: List[str]
    M: Array
    u: Array
    h: Array
    gaps: Array
    W: Array
    V: Array
    gamma: Array
    Lambda: Array
    G: Array
    c: Array
    symmetric: bool
    rank: int
    smallest_eigenvalue: float
    largest_eigenvalue: float

class Sweep:
    model: Model
    measures: List[str]
    axes: Dict[str, List[Any]]
    shape: Tuple[int, ...]
    remarks: Dict[int, Tuple[bool, bool, str]]
    @property
    def count(self) -> int: ...
    @property
    def done(self) -> Array: ...
    @property
    def ok(self) -> bool: ...
    @classmethod
    def of(cls, model: Model, measure: Names, vary: Optional[Mapping[str, Any]], given_by_name: Dict[str, Any],
           parameters: Optional[Mapping[str, Value]], settings: Optional[Mapping[str, Value]], lanes: Optional[int],
           reproducible: bool, threads: int, progress: Optional[Progress]) -> Sweep: ...
    def __getitem__(self, name: str) -> Array: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def keys(self) -> List[str]: ...
    def to_pandas(self) -> pandas.DataFrame: ...
    def save(self, path: Path) -> None: ...
    def plot(self, measure: Optional[str] = ..., ax: Optional[Axes] = ..., **style: Any) -> Axes: ...

class Set:
    text: str
    dim: int
    def __init__(self, text: str, definitions: str = ..., **parameters: Value) -> None: ...
    def prox(self, x: Any) -> Array: ...
    def gauge(self, x: Any) -> Any: ...
    def support(self, v: Any) -> Any: ...
    def contains(self, x: Any) -> Any: ...
    def boundary(self, detail: int = ...) -> Optional[Array]: ...
    def triangles(self, detail: int = ...) -> Optional[List[List[int]]]: ...

class Box:
    low: Array
    high: Array
    shape: Tuple[int, ...]
    def sample(self) -> Array: ...
    def seed(self, seed: Optional[int] = ...) -> None: ...
    def contains(self, x: Sequence[float]) -> bool: ...

class Environment:
    model: Model
    actions: List[str]
    run: Run
    dt: Optional[float]
    until: Optional[float]
    action_space: Box
    observation_space: Box
    def reset(self, *, seed: Optional[int] = ..., options: Optional[Mapping[str, Value]] = ...) -> Tuple[Any, Dict[str, Any]]: ...
    def step(self, action: Any) -> Tuple[Any, float, bool, bool, Dict[str, Any]]: ...
    def render(self) -> None: ...
    def close(self) -> None: ...

class Place:
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    begin: int
    end: int

class Diagnostic:
    code: str
    name: str
    error: bool
    message: str
    place: Place
    notes: List[Tuple[Place, str]]
    hint: str

class ModelError(Exception):
    diagnostics: List[Diagnostic]
    message: str
    code: str
    name: str
    hint: str
    place: Optional[Place]
    file: str
    line: int
    column: int

class SettingError(ValueError):
    setting: str

class FileError(OSError): ...
class NumericalError(ArithmeticError): ...

class Interrupted(KeyboardInterrupt):
    result: Union[Result, Sweep, None]

class RunWarning(UserWarning): ...

class Parameter:
    name: str
    doc: str
    unit: str
    value: float
    expression: str
    structural: bool
    line: int
    bounds: Optional[Tuple[float, float]]

class Coordinate:
    name: str
    doc: str
    unit: str
    initial: float
    line: int

class Body:
    name: str
    doc: str
    count: int
    array: bool
    line: int

class Law:
    name: str
    text: str
    parts: Dict[str, str]
    forces: Dict[str, str]

class Contact:
    name: str
    doc: str
    count: int
    array: bool
    always_closed: bool
    laws: List[Law]

class Output:
    name: str
    doc: str
    unit: str

class Setting:
    name: str
    help: str
    standard: str
    unit: str
    words: List[str]
    written: Optional[Value]

class Symbol:
    name: str
    kind: str
    file: str
    line: int
    column: int
    uses: List[int]
    doc: str
    type: str
    unit: str
    value: Optional[float]
    arguments: List[str]
    members: List[str]
    local: bool
    array: bool
    library: bool

class Event:
    t: float
    contact: str
    kind: str
    before: List[float]
    after: List[float]
    percussion: List[float]

class Energy:
    counted: bool
    losses: Dict[str, float]
    supplied: float
    rest: float

class Summary:
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
    corrections: int
    energy_rise: float
    wall_seconds: float
