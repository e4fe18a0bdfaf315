// What the tests of compiler/model share: checking a text, with or without the standard library.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "compiler/api/load.hpp"
#include "compiler/model/check.hpp"
#include "compiler/syntax/parse.hpp"

namespace nsmc::test {

struct Checked {
  Sources sources;
  Diagnostics diagnostics;
  std::optional<TypedModel> model;

  explicit Checked(std::string text, bool library = false, const ParameterValues& structure = {}) {
    std::optional<SourceModels> models;
    if (library) {
      models = load({"test.nsm", std::move(text)}, sources, diagnostics);
    } else if (auto parsed = parse(sources, sources.add("test.nsm", std::move(text)), diagnostics)) {
      models.emplace().files.push_back(std::move(*parsed));
    }
    if (models) model = check(*models, diagnostics, structure);
  }

  std::string errors() const { return render(diagnostics, sources, false); }

  // The codes of the diagnostics, in order: "N0201 N0403".
  std::string codes() const {
    std::string result;
    for (const Diagnostic& d : diagnostics.sorted()) {
      result += (result.empty() ? "" : " ") + std::string(entry(d.kind).code);
    }
    return result;
  }

  const TypedModel& good() const {
    if (!model) throw std::runtime_error(errors());
    return *model;
  }

  const Type& output(const std::string& name) const {
    for (const TypedOutput& o : good().outputs) {
      if (o.name == name) return good().type(o.value);
    }
    throw std::runtime_error("no output " + name);
  }
};

// "number [m]", "vector 2 [m, 1]", "matrix 2x2 [..]"
inline std::string type_text(const Type& type) {
  std::string text = type.size() == 1 ? "number"
                     : type.cols == 1 ? "vector " + std::to_string(type.rows)
                                      : "matrix " + std::to_string(type.rows) + "x" + std::to_string(type.cols);
  std::string dimensions;
  for (const Dimension& d : type.dimensions) {
    dimensions += (dimensions.empty() ? "" : ", ") + (d.is_any() ? std::string("any") : d.text());
  }
  return text + " [" + dimensions + "]";
}

// The type of an expression over x [m], y [m], m [kg] and phi [rad]. Empty if it is refused.
inline std::string type_of(const std::string& expression) {
  const Checked checked(
      "param m = 2 [kg]\ncoord x [m] = 1\ncoord y [m] = 1\ncoord phi [rad] = 0\n"
      "kinetic m/2*(x'^2 + y'^2) + 1 [kg m^2]*phi'^2\noutput a = " +
      expression + "\n");
  if (!checked.model) return "";
  return type_text(checked.output("a"));
}

}  // namespace nsmc::test
