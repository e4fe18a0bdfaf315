#include "compiler/api/quantity.hpp"

#include <fmt/format.h>

#include <cmath>

#include "compiler/api/usage_error.hpp"
#include "compiler/syntax/parse.hpp"

namespace nsmc {

Quantity read_quantity(const std::string& text, const std::string& what) {
  Sources sources;
  Diagnostics diagnostics;
  const FileId file = sources.add(what, "param value = " + text);
  const auto model = parse(sources, file, diagnostics);
  const auto wrong = [&](const std::string& why) -> UsageError {
    return UsageError(fmt::format("{}: '{}' {}", what, text, why));
  };
  const auto* param = model && model->declarations.size() == 1 && model->declarations[0].doc.empty()
                          ? std::get_if<ast::Param>(&model->declarations[0].value)
                          : nullptr;
  if (!model && entry(diagnostics.sorted().front().kind).kind == Kind::number_out_of_range) {
    throw wrong("is too large: " + diagnostics.sorted().front().message);
  }
  if (param == nullptr) throw wrong("is not a number with an optional unit, such as 0.3 or 15[mm]");
  const bool negative = param->value.kind == ast::ExprKind::negate;
  const ast::Expr& number = negative ? param->value.args[0] : param->value;
  if (number.kind != ast::ExprKind::number) throw wrong("is not a number with an optional unit, such as 0.3 or 15[mm]");
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

}  // namespace nsmc
