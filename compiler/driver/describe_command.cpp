// nsmc describe: what is in a model, with units and documentation strings.
#include <fmt/core.h>

#include <algorithm>

#include "compiler/api/quantity.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/terminal.hpp"
#include "compiler/support/diagnostics.hpp"

namespace nsmc {
namespace {

// Columns as wide as their widest entry. What stands last in a row is free, and is broken where it leaves the page.
class TextTable {
 public:
  // Documentation strings are the user's: nothing in them reaches the terminal as a command.
  void row(std::vector<std::string> cells) {
    for (std::string& cell : cells) cell = shown_line(cell);
    while (!cells.empty() && cells.back().empty()) cells.pop_back();
    rows_.push_back(std::move(cells));
  }

  std::string text(const char* heading) const {
    if (rows_.empty()) return "";
    std::vector<std::size_t> widths;
    for (const auto& row : rows_) {
      widths.resize(std::max(widths.size(), row.size()));
      for (std::size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
    }
    std::string out = fmt::format("\n{}\n", heading);
    for (const auto& row : rows_) {
      std::string line = " ";
      for (std::size_t i = 0; i + 1 < row.size(); ++i) {
        if (widths[i] > 0) line += " " + row[i] + std::string(widths[i] - width(row[i]) + 1, ' ');
      }
      out += line + " " + broken(row.back(), width(line) + 1) + "\n";
    }
    return out;
  }

 private:
  static std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  }

  // At blanks, into lines that begin a little to the right of `column`.
  static std::string broken(const std::string& text, std::size_t column) {
    constexpr std::size_t kPage = 120, kNarrowest = 40;
    const std::size_t room = kPage - std::min(column, kPage - kNarrowest);
    const std::string next_line = "\n" + std::string(column + 2, ' ');
    std::string out;
    std::size_t used = 0;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(' ', begin), text.size());
      const std::string word = text.substr(begin, end - begin);
      if (begin == 0) {
        out += word;
      } else if (used + 1 + width(word) <= room) {
        out += " " + word;
        ++used;
      } else {
        out += next_line + word;
        used = 2;
      }
      used += width(word);
      begin = end + 1;
    }
    return out;
  }

  std::vector<std::vector<std::string>> rows_;
};

std::string in_brackets(const std::string& unit) { return unit == "1" ? "" : "[" + unit + "]"; }

// "1000 of them"; nothing for a single thing
std::string how_many(bool array, std::size_t count) { return array ? fmt::format("{} of them", count) : ""; }

std::string number(double value) { return fmt::format("{}", value); }

// Inputs are told apart: they may change during a run.
std::string parameters_text(const Model& model, bool inputs) {
  TextTable table;
  for (const ParameterInfo& p : model.parameters()) {
    if (p.input != inputs) continue;
    table.row({p.name, "= " + number(p.value), in_brackets(p.unit), p.doc,
               p.expression.empty() ? "" : "(= " + p.expression + ")"});
  }
  return table.text(inputs ? "inputs, at the start" : "parameters (SI)");
}

std::string bodies_text(const Model& model) {
  TextTable table;
  const std::vector<BodyInfo> bodies = model.bodies();
  for (const BodyInfo& body : bodies) {
    if (bodies.size() == 1 && !body.array) continue;
    table.row({body.name, how_many(body.array, body.count), body.doc});
  }
  return table.text("bodies and blocks of coordinates");
}

std::string variables_text(const std::vector<VariableInfo>& variables, const char* heading) {
  TextTable table;
  for (const VariableInfo& v : variables) table.row({v.name, "= " + number(v.initial), in_brackets(v.unit), v.doc});
  return table.text(heading);
}

std::string contacts_text(const Model& model) {
  TextTable table;
  for (const ContactInfo& contact : model.contacts()) {
    table.row({contact.name, how_many(contact.array, contact.count),
               contact.always_closed ? "always closed" : "closed where its gap <= 0", contact.doc});
    for (const LawInfo& law : contact.laws) {
      table.row({"  law " + law.name, law.text});
      for (const auto& [part, value] : law.parts) table.row({"    " + part, "= " + value});
      for (const auto& [force, unit] : law.forces) {
        table.row({"    force " + contact.name + "." + force, in_brackets(unit)});
      }
    }
  }
  return table.text("contacts");
}

std::string events_text(const Model& model) {
  TextTable table;
  for (const EventDescription& event : model.events()) table.row({event.doc, event.text});
  return table.text("events");
}

std::string outputs_text(const Model& model) {
  TextTable table;
  for (const OutputInfo& output : model.outputs()) table.row({output.name, in_brackets(output.unit), output.doc});
  return table.text("outputs");
}

std::string gauges_text(const Model& model) {
  TextTable table;
  for (const std::string& line : model.gauges()) table.row({line});
  return table.text("gauges that are roots of equations");
}

// Numbers, then words.
std::string settings_text(const Model& model) {
  TextTable table;
  for (const bool words : {false, true}) {
    for (const SettingInfo& setting : model.settings()) {
      if (setting.written && setting.words.empty() != words) table.row({setting.name, text_of(*setting.written)});
    }
  }
  return table.text("simulate");
}

}  // namespace

int describe_command(const ModelFile& file) {
  const Model model = open_model(file);
  print_diagnostics(model);
  if (!model.ok()) return kModelErrors;
  write_stdout(fmt::format("model {}{}\n", model.name(), model.doc().empty() ? "" : ": " + shown_line(model.doc())) +
               parameters_text(model, false) + parameters_text(model, true) + bodies_text(model) +
               variables_text(model.coordinates(), "coordinates q, at the start") +
               variables_text(model.velocities(), "velocities u, at the start") +
               variables_text(model.states(), "states, at the start") +
               variables_text(model.discrete(), "discrete variables, at the start") + contacts_text(model) +
               events_text(model) + outputs_text(model) + gauges_text(model) + settings_text(model));
  return kDone;
}

}  // namespace nsmc
