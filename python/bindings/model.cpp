// Models: opened, and what is in them, as dictionaries that nsmc/contents.py makes classes of.
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include "python/bindings/bindings.hpp"

namespace nsmc::python {
namespace {

using namespace py::literals;

ModelOptions options_of(const py::dict& overrides, std::vector<std::string> import_paths, bool cache, bool scene) {
  ModelOptions options{.overrides = values_of(overrides), .import_paths = std::move(import_paths), .scene = scene};
  if (cache) options.cache = cache_of_environment();
  return options;
}

Model open(const std::string& path, const py::dict& overrides, std::vector<std::string> import_paths, bool cache) {
  const ModelOptions options = options_of(overrides, std::move(import_paths), cache, false);
  const py::gil_scoped_release unlocked;
  return Model::open(path, options);
}

Model from_text(const std::string& text, const std::string& name,
                const std::optional<std::map<std::string, std::string>>& files, const py::dict& overrides,
                std::vector<std::string> import_paths, bool cache) {
  ModelOptions options = options_of(overrides, std::move(import_paths), cache, false);
  if (files) options.files = files_in_memory(*files);
  const py::gil_scoped_release unlocked;
  return Model::from_text(text, name, options);
}

py::list parameters(const Model& model) {
  py::list list;
  for (const ParameterInfo& p : model.parameters()) {
    list.append(py::dict("name"_a = p.name, "doc"_a = p.doc, "unit"_a = p.unit, "value"_a = p.value,
                         "expression"_a = p.expression, "structural"_a = p.structural, "line"_a = p.place.line,
                         "bounds"_a = p.bounds, "input"_a = p.input));
  }
  return list;
}

py::list variables(const std::vector<VariableInfo>& variables) {
  py::list list;
  for (const VariableInfo& v : variables)
    list.append(py::dict("name"_a = v.name, "doc"_a = v.doc, "unit"_a = v.unit, "initial"_a = v.initial,
                         "line"_a = v.place.line));
  return list;
}

py::list bodies(const Model& model) {
  py::list list;
  for (const BodyInfo& b : model.bodies())
    list.append(py::dict("name"_a = b.name, "doc"_a = b.doc, "count"_a = b.count, "array"_a = b.array,
                         "line"_a = b.place.line));
  return list;
}

py::list contacts(const Model& model) {
  py::list list;
  for (const ContactInfo& c : model.contacts()) {
    py::list laws;
    for (const LawInfo& law : c.laws)
      laws.append(py::dict("name"_a = law.name, "text"_a = law.text, "parts"_a = law.parts, "forces"_a = law.forces));
    list.append(py::dict("name"_a = c.name, "doc"_a = c.doc, "count"_a = c.count, "array"_a = c.array,
                         "always_closed"_a = c.always_closed, "laws"_a = laws));
  }
  return list;
}

py::list outputs(const Model& model) {
  py::list list;
  for (const OutputInfo& o : model.outputs())
    list.append(py::dict("name"_a = o.name, "doc"_a = o.doc, "unit"_a = o.unit));
  return list;
}

py::list columns(const Model& model) {
  py::list list;
  for (const ColumnInfo& c : model.columns()) list.append(py::make_tuple(c.name, c.unit));
  return list;
}

py::list settings(const Model& model) {
  py::list list;
  for (const SettingInfo& s : model.settings()) {
    list.append(py::dict("name"_a = s.name, "help"_a = s.help, "standard"_a = s.standard, "unit"_a = s.unit,
                         "words"_a = s.words, "written"_a = s.written ? object_of(*s.written) : py::none()));
  }
  return list;
}

py::list symbols(const Model& model) {
  py::list list;
  for (const SymbolInfo& s : model.symbols()) {
    std::vector<std::uint32_t> uses;
    for (const Place& place : s.uses) uses.push_back(place.line);
    list.append(py::dict("name"_a = s.name, "kind"_a = s.kind, "file"_a = s.declared.file, "line"_a = s.declared.line,
                         "column"_a = s.declared.column, "uses"_a = uses, "doc"_a = s.doc, "type"_a = s.type,
                         "unit"_a = s.unit, "value"_a = s.value, "arguments"_a = s.arguments, "members"_a = s.members,
                         "local"_a = s.local, "array"_a = s.array, "library"_a = s.library));
  }
  return list;
}

}  // namespace

void define_model(py::module_& module) {
  const auto unlocked = py::call_guard<py::gil_scoped_release>();
  py::class_<Model>(module, "Model")
      .def_static("open", &open)
      .def_static("from_text", &from_text)
      .def("ok", &Model::ok)
      .def("name", &Model::name)
      .def("doc", &Model::doc)
      .def("diagnostics", [](const Model& model) { return diagnostics_list(model.diagnostics()); })
      .def("diagnostics_text", &Model::diagnostics_text, "colour"_a = false)
      .def("parameters", &parameters)
      .def("coordinates", [](const Model& model) { return variables(model.coordinates()); })
      .def("velocities", [](const Model& model) { return variables(model.velocities()); })
      .def("bodies", &bodies)
      .def("contacts", &contacts)
      .def("outputs", &outputs)
      .def("columns", &columns)
      .def("settings", &settings)
      .def("symbols", &symbols)
      .def("emit", &Model::emit, unlocked)
      .def("with_scene", &Model::with_scene, unlocked);
}

}  // namespace nsmc::python
