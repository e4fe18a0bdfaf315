# Models, their contents, and errors.
import threading

import pytest

import nsmc
from conftest import BALL


def test_what_is_in_a_model(ball):
    assert (ball.name, ball.doc) == ("ball", "a ball")
    assert ball.parameters["e"].value == 0.5 and ball.parameters["e"].bounds == (0.0, 1.0)
    assert ball.parameters["m"].unit == "kg" and ball.parameters["e"].doc == "restitution"
    assert ball.coordinates["z"].initial == 1 and list(ball.velocities) == ["z'"]
    assert "normal_cone" in ball.contacts["floor"].laws[0].text
    assert ball.columns["z"] == "m" and "height[3]" in ball.columns
    assert ball.settings["method"].words and ball.settings["until"].written == 1
    assert {s.name: s.kind for s in ball.symbols}["floor"] == "contact"
    assert "restitution" in ball.describe()


def test_equations_in_a_notebook(models):
    model = nsmc.load(models / "tippe_top.nsm")
    assert model.latex.startswith(r"\documentclass")
    paper = model._repr_latex_()
    assert paper.startswith("\\section*{") and "\\mathbf{M}" in paper and "document" not in paper
    page = model._repr_html_()
    assert page.count("$$") > 10 and "documentclass" not in page and "<i>Contact" in page


def test_a_model_with_errors_has_the_diagnostic_with_its_caret_and_its_parts():
    text = "param m = 1 [kg]\nparam b = 2 [m]\nparam c = m + b\ncoord z [m]\nkinetic m/2*z'^2\n"
    with pytest.raises(nsmc.ModelError) as caught:
        nsmc.parse(text, name="wrong.nsm")
    error = caught.value
    assert (error.code, error.file, error.line, error.column) == ("N0401", "wrong.nsm", 3, 13 + 2)
    assert error.message in str(error) and "\n    3 | param c = m + b\n      |               ^" in str(error)
    assert error.diagnostics[0].error and error.diagnostics[0].place.line == 3


def test_errors_that_come_with_parameters_have_diagnostics_too():
    model = nsmc.parse("param mu = 0.3\ncoord x [m]\ninitial x' = 1 [m/s]\nkinetic 1/2*1[kg]*x'^2\n"
                       "contact c { slip x'  law joint_friction(mu*1[N]) }\nsimulate { until 1 [s]  step 1 [ms] }")
    with pytest.raises(nsmc.ModelError) as caught:
        model.run(mu=-0.3)
    assert caught.value.diagnostics and "^" in str(caught.value)
    with pytest.raises(nsmc.ModelError, match="\\^"):
        model.start(mu=-0.3)
    with pytest.raises(nsmc.ModelError):
        model.sweep("iterations", mu=-0.3, until=[0.1, 0.2])


def test_files_and_imports(tmp_path):
    with pytest.raises(nsmc.FileError):
        nsmc.load(tmp_path / "nothing.nsm")
    with pytest.raises(OSError):
        nsmc.load(tmp_path / "nothing.nsm")
    main = BALL.replace("param m = 1 [kg]", 'import "mass.nsm"')
    assert nsmc.parse(main, files={"mass.nsm": "param m = 3 [kg]\n"}).parameters["m"].value == 3
    (tmp_path / "mass.nsm").write_text("param m = 4 [kg]\n")
    (tmp_path / "main.nsm").write_text(main)
    assert nsmc.load(tmp_path / "main.nsm").parameters["m"].value == 4


def test_parameters_of_a_model_hold_for_all_that_is_done_with_it():
    slow = nsmc.parse(BALL, e=0)
    assert slow.run()["z'"].max() <= 0
    assert slow.run(e=1)["z'"].max() > 1


@pytest.mark.parametrize("given, name, words", [
    (dict(ee=1), "ee", "did you mean 'e'"),
    (dict(e=[1]), "e", r"neither a number nor a text: \[1\]; a run takes one value, several are for sweep"),
    (dict(e="1[m]"), "e", r"^e: '1\[m\]' is length \[m\]"),
    (dict(step="5[kg]"), "step", r"expected \[s\]"),
    (dict(method="newton"), "method", "newton"),
    (dict(outputs="zz"), "outputs", "zz"),
])
def test_what_does_not_fit_is_said_by_name(ball, given, name, words):
    with pytest.raises(nsmc.SettingError, match=words) as caught:
        ball.run(**given)
    assert caught.value.setting in (name, "zz")
    assert isinstance(caught.value, ValueError)


def test_a_name_that_is_both_has_to_be_said():
    both = nsmc.parse(BALL.replace("param m", "param step = 3\nparam m"))
    with pytest.raises(nsmc.SettingError, match="parameters=.*settings="):
        both.run(step=0.1)
    assert both.run(settings={"step": 0.1}, parameters={"step": 5}).step == 0.1


def test_models_and_runs_in_several_threads(models):
    top = nsmc.load(models / "tippe_top.nsm")
    alone = {mu: top.run(mu=mu, until=0.05)["head.N"][-1] for mu in (0.1, 0.2, 0.3, 0.4)}
    found, threads = {}, []
    for mu in alone:
        threads.append(threading.Thread(target=lambda mu=mu: found.update({mu: top.run(mu=mu, until=0.05)["head.N"][-1]})))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone
