// Many runs at once.
#include <pybind11/stl.h>

#include <cmath>
#include <limits>

#include "python/bindings/bindings.hpp"

namespace nsmc::python {
namespace {

using namespace py::literals;

std::vector<AxisText> axes_of(const py::list& given) {
  std::vector<AxisText> axes;
  for (const py::handle& one : given) {
    const auto [name, values] = py::cast<std::pair<std::string, py::list>>(one);
    bool words = false;
    for (const py::handle& value : values) words = words || py::isinstance<py::str>(value);
    if (!words) {
      axes.push_back(axis(name, py::cast<std::vector<double>>(values)));
      continue;
    }
    std::string text = name;
    for (const py::handle& value : values) text += (text == name ? "=" : ",") + py::cast<std::string>(py::str(value));
    axes.push_back({text});
  }
  return axes;
}

// (names of measures, a buffer for each, values of the axes, which rows are there, {row: what is to be said}, what has
// ended it)
py::tuple study(const Model& model, const py::list& axes, const std::vector<std::string>& measures,
                const py::dict& overrides, const py::dict& settings, std::optional<int> lanes, bool reproducible,
                unsigned threads, py::object progress) {
  Watch watch(std::move(progress));
  StudyRequest request{.axes = axes_of(axes),
                       .measures = measures,
                       .overrides = values_of(overrides),
                       .settings = values_of(settings),
                       .lanes = lanes,
                       .reproducible = reproducible,
                       .threads = threads,
                       .stop = watch.stop()};
  request.progress = [&watch](std::uint64_t rows, std::uint64_t size) {
    watch.look(static_cast<double>(rows), static_cast<double>(size));
  };
  StudyResult result;
  {
    const py::gil_scoped_release unlocked;
    result = model.study(request);
  }
  std::vector<std::vector<double>> values(result.measures.size(),
                                          std::vector<double>(result.size, std::numeric_limits<double>::quiet_NaN()));
  std::vector<double> done(result.size, 0.0);
  py::dict remarks;
  for (const StudyRow& row : result.rows) {
    done[row.index] = 1;
    for (std::size_t k = 0; k < row.values.size(); ++k)
      if (row.values[k]) values[k][row.index] = *row.values[k];
    if (row.failed || !row.converged || row.status != "ok")
      remarks[py::int_(row.index)] = py::make_tuple(row.failed, row.converged, row.status);
  }
  // In SI, once a row has them: the last axis goes fastest.
  py::list points;
  for (std::size_t k = 0, stride = result.size; k < result.axes.size(); ++k) {
    const std::size_t n = py::len(py::cast<py::tuple>(axes[k])[1]);
    stride /= n == 0 ? 1 : n;
    py::list all = py::list(py::cast<py::tuple>(axes[k])[1]);
    for (const StudyRow& row : result.rows) all[row.index / stride % n] = object_of(row.point[k]);
    points.append(all);
  }
  py::list buffers;
  for (std::vector<double>& column : values) buffers.append(buffer_of(std::move(column)));
  return py::make_tuple(result.measures, buffers, points, buffer_of(std::move(done)), remarks, watch.exception());
}

}  // namespace

void define_study(py::module_& module) { module.def("study", &study); }

}  // namespace nsmc::python
