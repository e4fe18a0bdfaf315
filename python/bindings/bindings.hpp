// The module nsmc._nsmc: the library as the package nsmc in Python sees it. Here things are brought to and fro, no
// more: names, defaults and what is convenient stand in the package (python/nsmc), what nsmc can do in the library.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nsmc/nsmc.hpp"

namespace nsmc::python {

namespace py = pybind11;

// Parts of the module, a file each.
void define_errors(py::module_& module);
void define_buffers(py::module_& module);
void define_model(py::module_& module);
void define_run(py::module_& module);
void define_study(py::module_& module);
void define_sets(py::module_& module);
void define_page(py::module_& module);

// {"mu": 0.2, "until": "3[s]", "scaled": True}
std::map<std::string, Value> values_of(const py::dict& values);
py::object object_of(const Value& value);
py::list list_of(const std::vector<std::string>& names);
py::list diagnostics_list(const std::vector<DiagnosticInfo>& diagnostics);

// Ends a run from Python: at ctrl-C (where Python would have looked for it), and where `progress` throws. The exception
// waits until the run has come to its end.
class Watch {
 public:
  explicit Watch(py::object progress) : progress_(std::move(progress)) {}

  const std::atomic<bool>* stop() const { return &stop_; }
  void look(double done, double whole);  // without the lock of the interpreter
  py::object exception();                // None, or what has ended the run; it is then forgotten

 private:
  py::object progress_;
  py::object caught_;
  std::atomic<bool> stop_ = false;
};

// Numbers in memory that somebody keeps, by the buffer protocol: memoryview(buffer), numpy.asarray(buffer).
struct Buffer {
  std::shared_ptr<const void> owner;
  const double* data;
  std::vector<py::ssize_t> shape, strides;  // strides in numbers
};
// Numbers of its own; column by column if it is a matrix.
Buffer buffer_of(std::vector<double> numbers);
Buffer buffer_of(std::vector<double> numbers, std::size_t rows, std::size_t columns);

// Throws what has ended a run; ctrl-C as nsmc.Interrupted.
[[noreturn]] void rethrow(const py::object& exception);

py::dict result_dict(const RunResult& result);
RunRequest request_of(const py::dict& overrides, const py::dict& settings, const std::vector<std::string>& outputs,
                      const py::dict& inputs = {});
// Of each input (times, values), or (times, values, form).
Inputs inputs_of(const py::dict& inputs);

}  // namespace nsmc::python
