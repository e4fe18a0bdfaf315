// Values, names and buffers between Python and C++, and how a run is ended from Python.
#include <pybind11/stl.h>

#include "python/bindings/bindings.hpp"
#include "python/bindings/columns.hpp"

namespace nsmc::python {

std::map<std::string, Value> values_of(const py::dict& values) {
  std::map<std::string, Value> result;
  for (const auto& [key, value] : values) {
    const auto name = py::cast<std::string>(key);
    if (py::isinstance<py::str>(value)) {
      result[name] = py::cast<std::string>(value);
      continue;
    }
    const double number = PyFloat_AsDouble(value.ptr());  // whatever counts as one: numpy's numbers, too
    if (PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      const bool several = py::isinstance<py::sequence>(value) || py::hasattr(value, "__len__");
      throw SettingError(name, "'" + name + "' is neither a number nor a text: " +
                                   py::cast<std::string>(py::repr(value)).substr(0, 80) +
                                   (several ? "; a run takes one value, several are for sweep()" : ""));
    }
    result[name] = number;
  }
  return result;
}

Inputs inputs_of(const py::dict& inputs) {
  Inputs result;
  for (const auto& [key, value] : inputs) {
    const auto name = py::cast<std::string>(key);
    try {
      const auto parts = py::cast<std::vector<py::object>>(value);
      if (parts.size() < 2 || parts.size() > 3) throw py::cast_error();
      InputSamples samples{py::cast<std::vector<double>>(parts[0]), py::cast<std::vector<double>>(parts[1])};
      if (parts.size() == 3) samples.form = py::cast<std::string>(parts[2]);
      result[name] = std::move(samples);
    } catch (const py::cast_error&) {
      throw SettingError(name, "the input '" + name + "' is given as (times, values), or (times, values, form)");
    }
  }
  return result;
}

py::object object_of(const Value& value) {
  if (const double* number = value.number()) return py::float_(*number);
  return py::str(*value.text());
}

py::list list_of(const std::vector<std::string>& names) {
  py::list list;
  for (const std::string& name : names) list.append(name);
  return list;
}

void Watch::look(double done, double whole) {
  const py::gil_scoped_acquire lock;
  if (stop_.load(std::memory_order_relaxed)) return;
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!progress_.is_none()) progress_(done, whole);
  } catch (py::error_already_set& error) {
    caught_ = error.value();
    stop_.store(true, std::memory_order_relaxed);
  }
}

py::object Watch::exception() {
  stop_.store(false, std::memory_order_relaxed);
  py::object caught = caught_ ? std::move(caught_) : py::none();
  caught_ = py::object();
  return caught;
}

Buffer buffer_of(std::vector<double> numbers) {
  const auto kept = std::make_shared<const std::vector<double>>(std::move(numbers));
  return {kept, kept->data(), {static_cast<py::ssize_t>(kept->size())}, {1}};
}

Buffer buffer_of(std::vector<double> numbers, std::size_t rows, std::size_t columns) {
  Buffer buffer = buffer_of(std::move(numbers));
  buffer.shape = {static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(columns)};
  buffer.strides = {1, static_cast<py::ssize_t>(rows)};
  return buffer;
}

void define_buffers(py::module_& module) {
  py::class_<Buffer>(module, "Buffer", py::buffer_protocol()).def_buffer([](Buffer& buffer) {
    std::vector<py::ssize_t> strides = buffer.strides;
    for (py::ssize_t& stride : strides) stride *= static_cast<py::ssize_t>(sizeof(double));
    static const double nothing = 0;  // an address, also of no numbers
    return py::buffer_info(const_cast<double*>(buffer.data != nullptr ? buffer.data : &nothing), buffer.shape, strides,
                           true);
  });
  // How many rows there are, t, and columns side by side.
  py::class_<RowBlock, std::shared_ptr<RowBlock>>(module, "Rows")
      .def_property_readonly("names", [](const RowBlock& rows) { return list_of(rows.names()); })
      .def_property_readonly("count", &RowBlock::rows)
      .def("t",
           [](const std::shared_ptr<RowBlock>& rows) {
             return Buffer{rows, rows->t.data(), {static_cast<py::ssize_t>(rows->rows())}, {1}};
           })
      // By name: a column, or the components of a vector as a matrix; None if there is nothing of this name.
      .def("column",
           [](const std::shared_ptr<RowBlock>& rows, const std::string& name) -> std::optional<Buffer> {
             const std::optional<ColumnRange> found = find_columns(rows->names(), name);
             if (!found) return std::nullopt;
             const auto n = static_cast<py::ssize_t>(rows->rows());
             const auto wide = static_cast<py::ssize_t>(rows->names().size());
             const double* data = rows->values.data() + found->first;
             if (!found->vector) return Buffer{rows, data, {n}, {wide}};
             return Buffer{rows, data, {n, static_cast<py::ssize_t>(found->count)}, {wide, 1}};
           })
      .def("write_csv", &RowBlock::write_csv, py::call_guard<py::gil_scoped_release>());
}

}  // namespace nsmc::python
