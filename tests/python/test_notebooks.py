# The notebooks run, print what is stored in them, and their own assertions hold. With NSMC_UPDATE_GOLDENS=1 what they print is stored.
import contextlib
import importlib.util
import io
import json
import os
import sys

import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "tests" / "docs"))
from page import compare

os.environ.setdefault("MPLBACKEND", "Agg")


@pytest.mark.parametrize("name", ["tippe_top", "friction_law"])
def test_a_notebook(name, monkeypatch):
    if name == "friction_law" and importlib.util.find_spec("scipy") is None:
        pytest.skip("skipped: python3-scipy is not there")
    monkeypatch.chdir(ROOT)
    path = ROOT / "python" / "notebooks" / f"{name}.ipynb"
    notebook = json.loads(path.read_text())
    cells = notebook["cells"]
    # Somebody reads it: before every cell of code it says why.
    assert all(cell["cell_type"] == "markdown" or before["cell_type"] == "markdown" or ".plot(" in "".join(cell["source"])
               for before, cell in zip(cells, cells[1:])) and cells[0]["cell_type"] == "markdown"
    names, asserted = {}, 0
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        code = "".join(cell["source"])
        if ".plot(" in code and importlib.util.find_spec("matplotlib") is None:
            continue
        asserted += code.count("assert ")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, f"{name}.ipynb", "exec"), names)
        if os.environ.get("NSMC_UPDATE_GOLDENS"):
            text = printed.getvalue().splitlines(keepends=True)
            cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": text}] if text else []
            continue
        stored = "".join(line for output in cell["outputs"] for line in output.get("text", []))
        compare(stored.splitlines(), printed.getvalue().splitlines(), code)
    if os.environ.get("NSMC_UPDATE_GOLDENS"):
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
    assert asserted >= 3
