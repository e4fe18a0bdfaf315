# Every example of docs/python.md prints what stands there, and the notebooks run: their own assertions hold.
import contextlib
import importlib.util
import io
import json
import os
import re

import pytest

from conftest import ROOT

os.environ.setdefault("MPLBACKEND", "Agg")


def blocks(path):
    """Pairs of a python block and the text block after it, if there is one."""
    found = re.findall(r"^```(python|text)\n(.*?)^```$", path.read_text(), flags=re.DOTALL | re.MULTILINE)
    pairs = []
    for kind, body in found:
        if kind == "python":
            pairs.append([body, None])
        else:
            assert pairs[-1][1] is None, "two texts after one example"
            pairs[-1][1] = body
    return pairs


def test_the_examples_of_the_document(monkeypatch):
    monkeypatch.chdir(ROOT / "models")
    names = {}
    examples = blocks(ROOT / "docs" / "python.md")
    assert len(examples) >= 9
    for code, expected in examples:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "docs/python.md", "exec"), names)
        assert printed.getvalue() == (expected or ""), code


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
