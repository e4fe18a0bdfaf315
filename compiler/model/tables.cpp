#include "compiler/model/tables.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "compiler/model/expressions.hpp"
#include "compiler/syntax/parse.hpp"
#include "runtime/tables/table.hpp"

namespace nsmc {
namespace {

constexpr std::size_t kMostValues = 200'000;  // of a table; they become constants of the machine code

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\"";
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

std::vector<std::string_view> cells_of(std::string_view line) {
  const char between = line.find(';') != line.npos ? ';' : line.find(',') != line.npos ? ',' : '\t';
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t end = line.find(between);
    cells.push_back(trimmed(line.substr(0, end)));
    if (end == line.npos) return cells;
    line.remove_prefix(end + 1);
  }
}

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<rt::tables::Form> form_named(std::string_view name) {
  if (name == "linear") return rt::tables::Form::linear;
  if (name == "cubic") return rt::tables::Form::cubic;
  return std::nullopt;
}

std::optional<rt::tables::Beyond> beyond_named(std::string_view name) {
  if (name == "held") return rt::tables::Beyond::held;
  if (name == "extend") return rt::tables::Beyond::extend;
  if (name == "stop") return rt::tables::Beyond::stop;
  return std::nullopt;
}

}  // namespace

void Tables::declare(const ast::Table& table) { tables_.push_back({&table, false, false, 0, {}, {}}); }

void Tables::elaborate(const ast::Table& table) {
  for (Declared& declared : tables_) {
    if (declared.declaration == &table) look_at(declared);
  }
}

void Tables::look_at(Declared& table) {
  if (table.looked_at) return;
  table.looked_at = true;
  const ast::Table& d = *table.declaration;
  if (d.arguments.size() > 2) {
    report(Kind::bad_table, d.arguments[2].name.span,
           fmt::format("a table has one or two arguments, this one {}", d.arguments.size()));
    return;
  }
  Rows rows;
  rows.width = d.arguments.size() + 1;
  const auto measure = [&](const std::optional<ast::Unit>& unit) {
    const UnitValue value = unit ? resolve(*unit, diagnostics_) : UnitValue{};
    rows.factors.push_back(unit ? value.factor : 1);
    return unit ? physical(value.dimension) : Dimension{};
  };
  for (const ast::TableArgument& argument : d.arguments) table.arguments.push_back(measure(argument.unit));
  table.value = measure(d.unit);
  const auto form = d.form ? form_named(d.form->text) : rt::tables::Form::linear;
  if (!form) {
    report(Kind::bad_table, d.form->span,
           fmt::format("a table is linear or cubic between its rows, not '{}'", d.form->text));
    return;
  }
  const auto beyond = d.beyond ? beyond_named(d.beyond->text) : rt::tables::Beyond::stop;
  if (!beyond) {
    report(Kind::bad_table, d.beyond->span,
           fmt::format("beyond its rows a table is held, extend or stop, not '{}'", d.beyond->text));
    return;
  }
  const std::optional<Rows> read =
      d.file ? rows_of_file(table, std::move(rows)) : rows_in_place(table, std::move(rows));
  if (!read) return;
  std::optional<std::vector<double>> sorted = arranged(d, *read);
  if (!sorted) return;
  // x, y and f one after another, as many x as the first number says, as many y as the second.
  const auto n_x = static_cast<std::size_t>((*sorted)[0]), n_y = static_cast<std::size_t>((*sorted)[1]);
  const std::span<const double> numbers = std::span(*sorted).subspan(2);
  table.index = static_cast<std::uint32_t>(model_.tables.size());
  model_.tables.push_back({d.name.text, rt::tables::make_table(*form, *beyond, numbers.first(n_x),
                                                               numbers.subspan(n_x, n_y), numbers.subspan(n_x + n_y))});
  table.known = true;
}

std::optional<double> Tables::number(const ast::Expr& expr, const Dimension& dimension, double factor) {
  const Result value = expressions_.scalar(expr, global_scope_, "a number of a table");
  if (!value) return std::nullopt;
  const std::optional<double> known = constant_number(*value);
  if (!known || !std::isfinite(*known)) {
    report(Kind::not_constant, expr.span, "a table is made of numbers that are known now");
    return std::nullopt;
  }
  const ast::Expr& written = expr.kind == ast::ExprKind::negate ? expr.args[0] : expr;
  if (written.kind == ast::ExprKind::number && !written.unit) return *known * factor;
  const Dimension given = type(*value).dimensions[0];
  if (given.fits(dimension)) return known;
  report(Kind::wrong_dimension, expr.span,
         fmt::format("this column is {}, this number {}", dimension.description(), given.description()));
  return std::nullopt;
}

std::optional<Tables::Rows> Tables::rows_in_place(const Declared& table, Rows rows) {
  const ast::Expr& list = *table.declaration->values;
  const auto wrong = [&](Span span) {
    report(Kind::bad_table, span, fmt::format("a table is a list of rows of {} numbers", rows.width),
           rows.width == 2 ? "[[0, 1], [0.1, 2]]" : "[[0, 0, 1], [0, 1, 2], [1, 0, 3], [1, 1, 4]]");
    return std::nullopt;
  };
  if (list.kind != ast::ExprKind::vector || list.unit) return wrong(list.span);
  for (const ast::Expr& row : list.args) {
    if (row.kind != ast::ExprKind::vector || row.unit || row.args.size() != rows.width) return wrong(row.span);
    for (std::size_t k = 0; k < rows.width; ++k) {
      const Dimension& dimension = k < table.arguments.size() ? table.arguments[k] : table.value;
      const std::optional<double> value = number(row.args[k], dimension, rows.factors[k]);
      if (!value) return std::nullopt;
      rows.values.push_back(*value);
    }
  }
  return rows;
}

// A first line of words may have the units of the columns: angle [deg], torque [N m].
bool Tables::read_units(const Declared& table, const std::vector<std::string_view>& cells, Rows& rows) {
  for (std::size_t k = 0; k < cells.size() && k < rows.width; ++k) {
    const std::size_t open = cells[k].rfind('['), close = cells[k].rfind(']');
    if (open == cells[k].npos || close == cells[k].npos || close < open) continue;
    const std::string unit(cells[k].substr(open, close + 1 - open));
    Sources sources;
    Diagnostics unheard;
    const FileId file = sources.add("unit", "param x = 1 " + unit);
    const auto parsed = parse(sources, file, unheard);
    const auto* param = parsed ? std::get_if<ast::Param>(&parsed->declarations.at(0).value) : nullptr;
    const bool known = param != nullptr && param->value.unit;
    const UnitValue value = known ? resolve(*param->value.unit, unheard) : UnitValue{};
    const Dimension& wanted = k < table.arguments.size() ? table.arguments[k] : table.value;
    if (!known || unheard.has_errors() || !(physical(value.dimension) == wanted)) {
      report(Kind::bad_table, table.declaration->file->span,
             known && !unheard.has_errors() ? fmt::format("column {} of '{}' is in {}, the table says {}", k + 1,
                                                          table.declaration->file->text, unit, wanted.description())
                                            : fmt::format("column {} of '{}' has the unit {}, which is none", k + 1,
                                                          table.declaration->file->text, unit));
      return false;
    }
    rows.factors[k] = value.factor;
  }
  return true;
}

std::optional<Tables::Rows> Tables::rows_of_file(const Declared& table, Rows rows) {
  const ast::Name& file = *table.declaration->file;
  const auto found = core_.models.data.find({file.span.file, file.text});
  if (found == core_.models.data.end()) return std::nullopt;  // reported when it could not be read
  std::string_view text = found->second;
  std::size_t line_number = 0;
  bool begun = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    ++line_number;
    if (line.empty() || line.starts_with('#')) continue;
    const std::vector<std::string_view> cells = cells_of(line);
    if (!begun && !number_of(cells[0])) {
      begun = true;
      if (!read_units(table, cells, rows)) return std::nullopt;
      continue;
    }
    begun = true;
    if (cells.size() != rows.width) {
      report(Kind::bad_table, file.span,
             fmt::format("line {} of '{}' has {} columns, the table {}", line_number, file.text, cells.size(),
                         rows.width));
      return std::nullopt;
    }
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const std::optional<double> value = number_of(cells[k]);
      if (!value) {
        report(Kind::bad_table, file.span,
               fmt::format("line {} of '{}': '{}' is no number", line_number, file.text,
                           std::string(cells[k].substr(0, 40))));
        return std::nullopt;
      }
      rows.values.push_back(*value * rows.factors[k]);
    }
    if (rows.values.size() > 2 * kMostValues) break;  // arranged() says so
  }
  return rows;
}

// The numbers of x and of y, then x, y and f: ascending, and a full grid.
std::optional<std::vector<double>> Tables::arranged(const ast::Table& table, const Rows& rows) {
  const Span span = table.file ? table.file->span : table.values->span;
  const auto wrong = [&](std::string message, std::string hint = {}) {
    report(Kind::bad_table, span, std::move(message), std::move(hint));
    return std::nullopt;
  };
  const std::size_t n = rows.values.size() / rows.width;
  if (n < 2) return wrong("a table has two rows or more");
  if (rows.values.size() > kMostValues) return wrong(fmt::format("a table of more than {} numbers", kMostValues));
  const auto axis = [&](std::size_t column) {
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back(rows.values[i * rows.width + column]);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  };
  const std::vector<double> x = axis(0), y = rows.width == 3 ? axis(1) : std::vector<double>();
  const std::size_t n_y = std::max<std::size_t>(y.size(), 1);
  if (x.size() * n_y != n)
    return wrong(rows.width == 2 ? std::string("the table has two rows for one argument")
                                 : fmt::format("the table has {} rows, a grid of {} times {} has {}", n, x.size(), n_y,
                                               x.size() * n_y),
                 rows.width == 2 ? "" : "a table of two arguments has a row for each pair of them");
  if (x.size() < 2 || y.size() == 1) return wrong("a table has two different values of each argument or more");
  std::vector<double> f(n, std::nan(""));
  const auto place = [](const std::vector<double>& values, double at) {
    return static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), at) - values.begin());
  };
  for (std::size_t i = 0; i < n; ++i) {
    const double* row = rows.values.data() + i * rows.width;
    f[place(x, row[0]) * n_y + (y.empty() ? 0 : place(y, row[1]))] = row[rows.width - 1];
  }
  if (std::any_of(f.begin(), f.end(), [](double value) { return std::isnan(value); }))
    return wrong("the table has two rows for one pair of arguments");
  std::vector<double> result{static_cast<double>(x.size()), static_cast<double>(y.size())};
  for (const std::vector<double>* part : {&x, &y, static_cast<const std::vector<double>*>(&f)})
    result.insert(result.end(), part->begin(), part->end());
  return result;
}

Result Tables::call(const ast::Expr& expr, std::uint32_t number, const Scope& scope) {
  Declared& table = tables_[number];
  look_at(table);
  if (!table.known) return std::nullopt;
  if (expr.args.size() != table.arguments.size()) {
    report(Kind::wrong_argument_count, expr.span,
           fmt::format("table '{}' takes {} argument{}, {} given", expr.text, table.arguments.size(),
                       table.arguments.size() == 1 ? "" : "s", expr.args.size()));
    return std::nullopt;
  }
  std::vector<NodeId> args;
  for (std::size_t k = 0; k < expr.args.size(); ++k) {
    const Result value = expressions_.scalar(expr.args[k], scope, "the argument of a table");
    if (!value) return std::nullopt;
    const Dimension given = type(*value).dimensions[0];
    if (!given.fits(table.arguments[k])) {
      report(Kind::wrong_dimension, expr.args[k].span,
             fmt::format("'{}' of table '{}' is {}, this is {}", table.declaration->arguments[k].name.text, expr.text,
                         table.arguments[k].description(), given.description()));
      return std::nullopt;
    }
    args.push_back(*value);
  }
  const NodeId id = make(NodeKind::table, {ValueKind::number, 1, 1, {table.value}}, std::move(args), expr.span);
  model_.nodes[id].index = table.index;
  return id;
}

}  // namespace nsmc
