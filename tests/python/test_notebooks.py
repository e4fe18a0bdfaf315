# The notebooks run, and their own assertions hold. The examples of docs/python.md are run by tests/docs/page.py.
import importlib.util
import json
import os

import pytest

from conftest import ROOT

os.environ.setdefault("MPLBACKEND", "Agg")


@pytest.mark.parametrize("name", ["tippe_top", "friction_law"])
def test_a_notebook(name, monkeypatch):
    if name == "friction_law" and importlib.util.find_spec("scipy") is None:
        pytest.skip("skipped: python3-scipy is not there")
    monkeypatch.chdir(ROOT)
    notebook = json.loads((ROOT / "python" / "notebooks" / f"{name}.ipynb").read_text())
    names, asserted = {}, 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        code = "".join(cell["source"])
        if ".plot(" in code and importlib.util.find_spec("matplotlib") is None:
            continue
        asserted += code.count("assert ")
        exec(compile(code, f"{name}.ipynb", "exec"), names)
    assert asserted >= 3
