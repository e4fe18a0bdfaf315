// The page of a run.
#include "nsmc/page.hpp"

#include <pybind11/stl.h>

#include "python/bindings/bindings.hpp"

namespace nsmc::python {
namespace {

// (the page, what has ended its run from outside). template_text: the page of web/ as it was built.
py::tuple page(const Model& model, const py::dict& overrides, const py::dict& settings, const std::string& summary,
               const std::string& template_text) {
  Watch watch{py::none()};
  RunRequest request = request_of(overrides, settings, {});
  ShownRun run;
  run.overrides = request.overrides;
  run.summary = summary;
  request.stop = watch.stop();
  request.progress = [&watch](double t, double until) { watch.look(t, until); };
  request.event = [&run](const EventInfo& event) { run.events.push_back(event); };
  std::string text;
  {
    const py::gil_scoped_release unlocked;
    const Model seen = model.with_scene();
    request.outputs = columns_of_page(seen, request.overrides);
    run.result = seen.run(request, run.rows);
    text = page_of_runs(seen, {run}, template_text);
  }
  return py::make_tuple(text, watch.exception());
}

}  // namespace

void define_page(py::module_& module) { module.def("page", &page); }

}  // namespace nsmc::python
