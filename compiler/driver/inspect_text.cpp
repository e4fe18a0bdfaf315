#include "compiler/driver/inspect_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace nsmc {

namespace {

// Seven digits are enough to compare with a paper; what is below this part of the largest element of its matrix is
// rounding, and would only widen the columns.
constexpr double negligible = 1e-15;

std::string number(double value, double largest) {
  if (std::abs(value) <= negligible * largest) value = 0;
  return fmt::format("{:.7g}", value);
}

std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// Cells under each other: the first column to the left, numbers to the right.
std::string aligned(const std::vector<std::vector<std::string>>& cells) {
  std::vector<std::size_t> widths;
  for (const auto& row : cells) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], width(row[k]));
  }
  std::string out;
  for (const auto& row : cells) {
    std::string line = " ";
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::string blank(widths[k] - width(row[k]), ' ');
      line += k == 0 ? " " + row[k] + blank : "  " + blank + row[k];
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string matrix_text(const std::string& heading, const Eigen::Ref<const Eigen::MatrixXd>& values,
                        const std::vector<std::string>& rows, const std::vector<std::string>& columns) {
  const double largest = values.size() == 0 ? 0 : values.cwiseAbs().maxCoeff();
  std::vector<std::vector<std::string>> cells{{""}};
  cells[0].insert(cells[0].end(), columns.begin(), columns.end());
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    cells.push_back({rows[static_cast<std::size_t>(i)]});
    for (Eigen::Index j = 0; j < values.cols(); ++j) cells.back().push_back(number(values(i, j), largest));
  }
  return fmt::format("\n{}\n{}", heading, aligned(cells));
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "1" ? name : fmt::format("{} [{}]", name, unit);
}

std::string contacts_text(const StepNumbers& numbers) {
  if (numbers.contacts.empty()) return "";
  std::vector<std::vector<std::string>> cells{{"", "gap", ""}};
  for (std::size_t i = 0; i < numbers.contacts.size(); ++i) {
    const bool closed = std::binary_search(numbers.closed.begin(), numbers.closed.end(), i);
    cells.push_back({numbers.contacts[i], std::isnan(numbers.gaps[i]) ? "-" : fmt::format("{:.7g}", numbers.gaps[i]),
                     closed ? "closed" : "open"});
  }
  return "\ncontacts\n" + aligned(cells);
}

// One line for each row of a matrix.
std::string json_of(const StepNumbers::Matrix& values) {
  std::string out = "[";
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    const Eigen::RowVectorXd row = values.row(i);
    out += fmt::format("{}\n    {}", i == 0 ? "" : ",",
                       nlohmann::json(std::vector<double>(row.begin(), row.end())).dump());
  }
  return out + "]";
}

std::string json_of(const StepNumbers::Vector& values) {
  return nlohmann::json(std::vector<double>(values.begin(), values.end())).dump();
}

}  // namespace

std::string inspect_text(const std::string& model, const StepNumbers& numbers) {
  std::string out =
      fmt::format("{} at t = {:.9g} s, for a step of {:.9g} s; all in SI\n", model, numbers.t, numbers.dt);
  out += matrix_text("M u' = h + W lambda: the masses M", numbers.M(), numbers.velocities, numbers.velocities);
  Eigen::MatrixXd motion(numbers.u().size(), 2);
  motion << numbers.u(), numbers.h();
  std::vector<std::string> velocities;
  for (std::size_t k = 0; k < numbers.velocities.size(); ++k)
    velocities.push_back(with_unit(numbers.velocities[k], numbers.velocity_units[k]));
  out += matrix_text("velocities u and forces h", motion, velocities, {"u", "h"});
  out += contacts_text(numbers);
  if (numbers.rows.empty()) return out + "\nno contact is closed\n";
  out += matrix_text("directions W of the closed contacts", numbers.W(), numbers.velocities, numbers.rows);
  if (numbers.V() != numbers.W())
    out += matrix_text("velocities of the contacts are V^T u + chi: V", numbers.V(), numbers.velocities, numbers.rows);
  Eigen::MatrixXd contacts(numbers.gamma().size(), 3);
  contacts << numbers.gamma(), numbers.c(), numbers.Lambda();
  out += matrix_text("contact velocities gamma, c of xi = G Lambda + c, last percussions Lambda", contacts,
                     numbers.rows, {"gamma", "c", "Lambda"});
  out += matrix_text("G = V^T M^-1 W", numbers.G(), numbers.rows, numbers.rows);
  out += fmt::format("\nrank of G: {} of {}\neigenvalues of {}: {:.7g} to {:.7g}\n", numbers.rank, numbers.rows.size(),
                     numbers.symmetric ? "G" : "(G + G^T)/2",
                     std::abs(numbers.smallest_eigenvalue) <= negligible * numbers.largest_eigenvalue
                         ? 0
                         : numbers.smallest_eigenvalue,
                     numbers.largest_eigenvalue);
  return out;
}

std::string inspect_json(const std::string& model, const StepNumbers& numbers) {
  const auto text = [](const auto& value) { return nlohmann::json(value).dump(); };
  std::vector<std::string> closed;
  for (const std::size_t i : numbers.closed) closed.push_back(numbers.contacts[i]);
  std::string out = "{\n";
  const auto add = [&](const char* name, const std::string& value) {
    out += fmt::format("{}  \"{}\": {}", out.size() > 2 ? ",\n" : "", name, value);
  };
  add("model", text(model));
  add("t", text(numbers.t));
  add("dt", text(numbers.dt));
  add("velocities", text(numbers.velocities));
  add("u", json_of(numbers.u()));
  add("h", json_of(numbers.h()));
  add("M", json_of(numbers.M()));
  add("contacts", text(numbers.contacts));
  add("gaps", text(numbers.gaps));  // null where there is none
  add("closed", text(closed));
  add("rows", text(numbers.rows));
  add("W", json_of(numbers.W()));
  add("V", json_of(numbers.V()));
  add("gamma", json_of(numbers.gamma()));
  add("c", json_of(numbers.c()));
  add("Lambda", json_of(numbers.Lambda()));
  add("G", json_of(numbers.G()));
  add("rank", text(numbers.rank));
  add("symmetric", text(numbers.symmetric));
  add("eigenvalues", text(std::vector<double>{numbers.smallest_eigenvalue, numbers.largest_eigenvalue}));
  return out + "\n}\n";
}

}  // namespace nsmc
