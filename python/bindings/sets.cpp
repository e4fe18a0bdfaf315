// Sets by themselves, at one point or many: points come as one list of numbers, one after another.
#include "nsmc/sets.hpp"

#include <pybind11/stl.h>

#include <array>

#include "python/bindings/bindings.hpp"

namespace nsmc::python {
namespace {

using Numbers = std::vector<double>;

// f for each of the points in `x`: what it writes to `out`, `width` numbers each.
template <class F>
Buffer for_each_point(const Set& set, const Numbers& x, std::size_t width, const F& f) {
  const std::size_t dim = set.dim(), points = x.size() / dim;
  Numbers out(points * width);
  {
    const py::gil_scoped_release unlocked;
    for (std::size_t k = 0; k < points; ++k)
      f(std::span(x).subspan(k * dim, dim), std::span(out).subspan(k * width, width));
  }
  return buffer_of(std::move(out));
}

Set set_from_text(const std::string& text, const std::string& definitions, const py::dict& parameters) {
  const ModelOptions options{.overrides = values_of(parameters), .cache = cache_of_environment()};
  const py::gil_scoped_release unlocked;
  return Set::from_text(text, definitions, options);
}

py::tuple boundary(const Set& set, int detail) {
  const std::vector<Numbers> points = set.boundary(detail);
  Numbers all;
  for (const Numbers& point : points) all.insert(all.end(), point.begin(), point.end());
  Buffer buffer = buffer_of(std::move(all));
  const auto dim = static_cast<py::ssize_t>(set.dim());
  buffer.shape = {static_cast<py::ssize_t>(points.size()), dim};
  buffer.strides = {dim, 1};
  return py::make_tuple(buffer, set.dim() == 3 ? py::cast(set_triangles(detail)) : py::none());
}

}  // namespace

void define_sets(py::module_& module) {
  using In = std::span<const double>;
  using Out = std::span<double>;
  py::class_<Set>(module, "Set")
      .def_static("from_text", &set_from_text)
      .def_static("from_model", &Set::from_model, py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("dim", &Set::dim)
      .def_property_readonly("convex", &Set::convex)
      .def("prox",
           [](const Set& set, const Numbers& x) {
             return for_each_point(set, x, set.dim(), [&](In from, Out to) {
               std::copy(from.begin(), from.end(), to.begin());
               set.prox(to);
             });
           })
      .def("gauge",
           [](const Set& set, const Numbers& x) {
             return for_each_point(set, x, 1, [&](In from, Out to) { to[0] = set.gauge(from); });
           })
      .def("support",
           [](const Set& set, const Numbers& x) {
             return for_each_point(set, x, 1, [&](In from, Out to) { to[0] = set.support(from); });
           })
      .def("contains",
           [](const Set& set, const Numbers& x) {
             return for_each_point(set, x, 1, [&](In from, Out to) { to[0] = set.contains(from) ? 1 : 0; });
           })
      .def("boundary", &boundary);
}

}  // namespace nsmc::python
