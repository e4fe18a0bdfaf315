// Exceptions of the library as those of nsmc.errors, which have the fields.
#include <exception>

#include "python/bindings/bindings.hpp"

namespace nsmc::python {
namespace {

py::dict place_dict(const Place& place) {
  using namespace py::literals;
  return py::dict("file"_a = place.file, "line"_a = place.line, "column"_a = place.column,
                  "end_line"_a = place.end_line, "end_column"_a = place.end_column, "begin"_a = place.begin,
                  "end"_a = place.end);
}

void raise(const char* name, const py::args& arguments) {
  const py::object type = py::module_::import("nsmc.errors").attr(name);
  PyErr_SetObject(type.ptr(), type(*arguments).ptr());
}

}  // namespace

void rethrow(const py::object& exception) {
  py::object thrown = exception;
  if (PyErr_GivenExceptionMatches(exception.ptr(), PyExc_KeyboardInterrupt) != 0) {
    thrown =
        py::module_::import("nsmc.errors").attr("Interrupted")("the run stands where it was stopped, and can go on");
    thrown.attr("__cause__") = exception;
  }
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(thrown.ptr())), thrown.ptr());
  throw py::error_already_set();
}

py::list diagnostics_list(const std::vector<DiagnosticInfo>& diagnostics) {
  using namespace py::literals;
  py::list list;
  for (const DiagnosticInfo& d : diagnostics) {
    py::list notes;
    for (const DiagnosticInfo::Note& note : d.notes) notes.append(py::make_tuple(place_dict(note.place), note.text));
    list.append(py::dict("code"_a = d.code, "name"_a = d.name, "error"_a = d.error, "message"_a = d.message,
                         "place"_a = place_dict(d.place), "notes"_a = notes, "hint"_a = d.hint));
  }
  return list;
}

void define_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const ModelError& error) {
      raise("ModelError", py::make_tuple(error.what(), error.text, diagnostics_list(error.diagnostics)));
    } catch (const SettingError& error) {
      raise("SettingError", py::make_tuple(error.what(), error.setting));
    } catch (const FileError& error) {
      raise("FileError", py::make_tuple(error.what()));
    }
  });
}

}  // namespace nsmc::python
