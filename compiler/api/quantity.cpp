#include "compiler/api/quantity.hpp"

#include <fmt/core.h>

#include <cctype>
#include <cmath>
#include <cstdlib>

#include "compiler/syntax/parse.hpp"
#include "nsmc/errors.hpp"

namespace nsmc {

Quantity read_quantity(const std::string& text, const Asker& asker) {
  Sources sources;
  Diagnostics diagnostics;
  const FileId file = sources.add(asker.name, "param value = " + text);
  const auto model = parse(sources, file, diagnostics);
  const auto wrong = [&](const std::string& why) {
    return SettingError(asker.name, fmt::format("{}: '{}' {}", asker.what, text, why));
  };
  const auto* param = model && model->declarations.size() == 1 && model->declarations[0].doc.empty()
                          ? std::get_if<ast::Param>(&model->declarations[0].value)
                          : nullptr;
  if (!model && entry(diagnostics.sorted().front().kind).kind == Kind::number_out_of_range) {
    throw wrong("is too large: " + diagnostics.sorted().front().message);
  }
  const auto no_number = [&] {
    // "1s" for "1[s]"
    char* rest = nullptr;
    std::strtod(text.c_str(), &rest);
    const std::string number = text.substr(0, static_cast<std::size_t>(rest - text.c_str()));
    while (*rest == ' ') ++rest;
    const bool unit = !number.empty() && std::isalpha(static_cast<unsigned char>(*rest)) != 0;
    return wrong(unit ? fmt::format("has its unit not in brackets: {}[{}]", number, rest)
                      : "is not a number with an optional unit, such as 0.3 or 15[mm]");
  };
  if (param == nullptr) throw no_number();
  const bool negative = param->value.kind == ast::ExprKind::negate;
  const ast::Expr& number = negative ? param->value.args[0] : param->value;
  if (number.kind != ast::ExprKind::number) throw no_number();
  Quantity quantity;
  quantity.value = negative ? -number.value : number.value;
  if (number.unit) {
    const UnitValue unit = resolve(*number.unit, diagnostics);
    if (diagnostics.has_errors()) {
      const Diagnostic first = diagnostics.sorted().front();
      throw wrong(fmt::format("is not a quantity: {}{}{}", first.message, first.hint.empty() ? "" : "; ", first.hint));
    }
    quantity.value *= unit.factor;
    quantity.dimension = unit.dimension;
    quantity.has_unit = true;
  }
  if (!std::isfinite(quantity.value)) throw wrong("is not a finite number");
  return quantity;
}

void require_dimension(const Quantity& quantity, const std::string& text, const Asker& asker,
                       const std::string& dimension) {
  if (!quantity.has_unit || quantity.dimension.text() == dimension) return;
  throw SettingError(asker.name,
                     fmt::format("{}: '{}' is {}, expected {}", asker.what, text, quantity.dimension.description(),
                                 dimension == "1" ? "a pure number" : "[" + dimension + "]"));
}

double read_value(const std::string& text, const Asker& asker, const std::string& dimension) {
  const Quantity quantity = read_quantity(text, asker);
  require_dimension(quantity, text, asker, dimension);
  return quantity.value;
}

std::string text_of(const Value& value) {
  return value.number() != nullptr ? fmt::format("{}", *value.number()) : *value.text();
}

}  // namespace nsmc
