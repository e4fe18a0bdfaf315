"""The page of `nsmc view` for a result."""

import html
import os
import pathlib

from . import _nsmc
from .errors import FileError, Interrupted

FRAMES = 1000
LONG = 10  # seconds: a run that took longer is not done again without being asked for


def template():
    """The page of web/ as it was built: beside the package, in the tree of the build, or where nsmc is installed."""
    package = pathlib.Path(__file__).resolve().parent
    places = [package / "web", package.parent.parent / "web"]
    places += [parent / "share" / "nsmc" / "web" for parent in package.parents]
    if os.environ.get("NSMC_WEB_DIR"):
        places = [pathlib.Path(os.environ["NSMC_WEB_DIR"])]
    for place in places:
        if (place / "view.html").is_file():
            return (place / "view.html").read_text(encoding="utf-8")
    raise FileError(f"the page of nsmc view is not there ({places[0] / 'view.html'}): it is made by npm when nsmc is built, and "
                    "NSMC_WEB_DIR names another folder")


def page_of(result):
    settings = {name: value for name, value in result.settings.items() if name not in ("record", "every")}
    until = result.until if result.ok else float(result.t[len(result) - 1])
    settings["until"] = until
    settings["record"] = max(result.step, until / FRAMES)
    text, stopped_by = _nsmc.page(result.model._model, result.parameters, settings, summary_of(result), template())
    if stopped_by is not None:
        raise Interrupted("the run for the page was interrupted") if isinstance(stopped_by, KeyboardInterrupt) \
            else stopped_by
    return text


def summary_of(result):
    s = result.summary
    lines = [f"{result.model.name}: {s.steps} steps of {result.step:g} s ({result.method}, {result.solver}), {result.end}"]
    if s.steps_with_contact:
        lines.append(f"  contacts    closed in {s.steps_with_contact} steps, {s.closed_max} at most")
        lines.append(f"  iterations  {s.iterations_mean:.3g} mean, {s.iterations_max} max")
        lines.append(f"  residual    {s.worst_residual:.2g} at worst; {s.unconverged_steps} steps did not converge")
    lines.append(f"  energy      {s.energy_first:.6g} at the start, {s.energy_last:.6g} at the end")
    return "\n".join([*lines, *(f"  {code}: {text}" for code, text in result.warnings)]) + "\n"


def in_notebook():
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell"


def frame(page, height=640):
    """The page within another one."""
    return (f'<iframe srcdoc="{html.escape(page)}" style="width: 100%; height: {height}px; border: 0" '
            'allow="fullscreen"></iframe>')


def view(result, path):
    if path is not None:
        pathlib.Path(path).write_text(result.page(), encoding="utf-8")
        return None
    if in_notebook():
        from IPython.display import HTML, display
        return display(HTML(frame(result.page())))
    import tempfile
    import webbrowser
    with tempfile.NamedTemporaryFile("w", prefix="nsmc-", suffix=".html", delete=False, encoding="utf-8") as file:
        file.write(result.page())
    webbrowser.open(pathlib.Path(file.name).as_uri())
    return None


def html_of(result):
    """The page where it is there and its run is short, else how the run went."""
    summary = f"<pre>{html.escape(summary_of(result))}</pre>"
    if result._page is None and result.summary.wall_seconds > LONG:
        return summary + "<p>view() does the run again and shows it.</p>"
    try:
        return frame(result.page())
    except FileError:
        return summary
