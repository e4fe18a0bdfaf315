// nsmc describe: what is in a model, with units and documentation strings.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/api/pipeline.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/terminal.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "compiler/mechanics/law_text.hpp"

namespace nsmc {
namespace {

// Columns as wide as their widest entry; the last one is free.
class Table {
 public:
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  std::string text(const char* heading) const {
    if (rows_.empty()) return "";
    std::vector<std::size_t> widths;
    for (const auto& row : rows_) {
      widths.resize(std::max(widths.size(), row.size()));
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
    }
    std::string out = fmt::format("\n{}\n", heading);
    for (const auto& row : rows_) {
      std::string line = " ";
      for (std::size_t i = 0; i < row.size(); ++i) {
        line += " " + row[i];
        if (i + 1 < row.size()) line += std::string(widths[i] - width(row[i]) + 1, ' ');
      }
      out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return out;
  }

 private:
  static std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  }

  std::vector<std::vector<std::string>> rows_;
};

std::string unit(const std::string& dimension) { return dimension == "1" ? "" : "[" + dimension + "]"; }

// "1000 of them"; nothing for a single thing
std::string counted(const Instances& instances) {
  return instances.single() ? "" : fmt::format("{} of them", instances.count());
}

std::string number(double value) { return fmt::format("{}", value); }

}  // namespace

int describe_command(const std::string& file) {
  Pipeline pipeline(file);
  const Equations* equations = pipeline.derived();
  print_diagnostics(pipeline);
  if (equations == nullptr) return kModelErrors;
  sym::ExprPool& pool = pipeline.pool();
  const Equations& e = *equations;
  const std::vector<double> start = parameter_values(pool, e, {});

  std::string out = fmt::format("model {}{}\n", e.name, e.doc.empty() ? "" : ": " + e.doc);
  Table parameters;
  for (std::size_t i = 0; i < e.parameters.size(); ++i) {
    const ParameterEquation& p = e.parameters[i];
    const bool derived = !pool.is_constant(p.value);
    parameters.row({p.name, "= " + number(start[i]), unit(p.dimension), p.doc,
                    derived ? "(= " + sym::to_infix(pool, p.value, 200) + ")" : ""});
  }
  out += parameters.text("parameters (SI)");
  Table blocks;
  for (const BlockEquation& block : e.blocks) {
    if (e.blocks.size() == 1 && block.instances.single()) continue;
    blocks.row({with_index(block.name, ""), counted(block.instances), block.doc});
  }
  out += blocks.text("bodies and blocks of coordinates");
  // Of an array the first element.
  for (const bool coordinates : {true, false}) {
    Table table;
    for (const BlockEquation& block : e.blocks) {
      if (block.instances.count() == 0) continue;
      for (const VariableEquation& v : coordinates ? block.q : block.u) {
        table.row({with_index(v.name, block.instances.suffix(0)),
                   "= " + number(constant_value(pool, v.initial, start, block.instances.self(0))), unit(v.dimension),
                   v.doc});
      }
    }
    out += table.text(coordinates ? "coordinates q, at the start" : "velocities u, at the start");
  }
  Table contacts;
  for (const ContactEquation& contact : e.contacts) {
    const std::string name = with_index(contact.name, contact.instances.single() ? "" : "[i]");
    contacts.row({name, counted(contact.instances),
                  contact.always_closed ? "always closed" : "closed where its gap <= 0", contact.doc});
    for (const LawEquation& law : contact.laws) {
      contacts.row({"  law " + law.name, law_text(pool, contact, law)});
      for (const auto& [part, value] : law_parts(pool, law)) contacts.row({"    " + part, "= " + value});
      for (std::size_t k = 0; k < law.size; ++k) {
        contacts.row({"    force " + name + "." + law.force_names[k], unit(contact.force_dimensions[law.first + k])});
      }
    }
  }
  out += contacts.text("contacts");
  Table outputs;
  for (const OutputEquation& output : e.outputs) {
    outputs.row({with_index(output.name, "[i]"), unit(output.dimension), output.doc});
  }
  out += outputs.text("outputs");
  Table gauges;
  for (const std::string& line : gauge_definitions(pool, expressions_with_gauges(e))) gauges.row({line});
  out += gauges.text("gauges that are roots of equations");
  Table settings;
  const auto setting = [&](const char* name, const std::optional<sym::Expr>& value) {
    if (value) settings.row({name, number(constant_value(pool, *value, start))});
  };
  setting("until", e.settings.until);
  setting("step", e.settings.step);
  setting("record", e.settings.record);
  setting("every", e.settings.every);
  setting("tolerance", e.settings.tolerance);
  setting("omega", e.settings.omega);
  setting("max_iterations", e.settings.max_iterations);
  setting("inner_steps", e.settings.inner_steps);
  setting("rho", e.settings.rho);
  if (!e.settings.method.empty()) settings.row({"method", e.settings.method});
  if (!e.settings.tableau.empty()) settings.row({"tableau", e.settings.tableau});
  if (!e.settings.solver.empty()) settings.row({"solver", e.settings.solver});
  out += settings.text("simulate");
  write_stdout(out);
  return kDone;
}

}  // namespace nsmc
