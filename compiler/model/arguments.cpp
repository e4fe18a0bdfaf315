#include "compiler/model/arguments.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "compiler/model/expressions.hpp"

namespace nsmc {

std::optional<Options> Arguments::options_of(const ast::Expr& call, const std::vector<std::string>& names,
                                             const char* what) {
  Options options;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const bool named = i < call.names.size() && !call.names[i].text.empty();
    std::string name = named ? call.names[i].text : "";
    if (!named) {
      if (i >= names.size()) {
        report(Kind::wrong_argument_count, call.args[i].span,
               fmt::format("{} '{}' takes {} argument{} at most", what, call.text, names.size(),
                           names.size() == 1 ? "" : "s"),
               fmt::format("it takes {}", joined(names)));
        return std::nullopt;
      }
      name = names[i];
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      std::string hint = did_you_mean(name, names);
      if (hint.empty()) hint = fmt::format("it takes {}", joined(names));
      report(Kind::unknown_argument, call.names[i].span,
             fmt::format("{} '{}' has no argument '{}'", what, call.text, name), hint);
      return std::nullopt;
    }
    if (!options.emplace(name, &call.args[i]).second) {
      report(Kind::wrong_argument_count, call.args[i].span,
             fmt::format("the argument '{}' of {} '{}' is given twice", name, what, call.text));
      return std::nullopt;
    }
  }
  return options;
}

Result Arguments::typed_value(const ast::Expr& expr, const Scope& scope, std::uint32_t rows, Dimension wanted,
                              const std::string& what) {
  const Result value = expressions_.expression(expr, scope);
  if (!value) return std::nullopt;
  const Type& t = type(*value);
  if (t.kind != ValueKind::number || t.cols != 1 || t.rows != rows) {
    report(Kind::shape_mismatch, expr.span,
           fmt::format("{} is {}, this is {}", what, rows == 1 ? "a number" : fmt::format("a vector of {}", rows),
                       shape_text(t)));
    return std::nullopt;
  }
  for (const Dimension& d : t.dimensions) {
    if (d.fits(wanted)) continue;
    report(Kind::wrong_dimension, expr.span,
           fmt::format("{} must be {}, this is {}", what, wanted.description(), d.description()),
           d.is_dimensionless() ? fmt::format("give it a unit, as in {} [{}]", rows == 1 ? "1" : "[...]", wanted.text())
                                : "");
    return std::nullopt;
  }
  return value;
}

Result Arguments::option(const Options& options, const char* name, const Scope& scope, std::uint32_t rows,
                         Dimension dimension, std::optional<double> fallback, Span span) {
  const auto found = options.find(std::string_view(name));
  if (found != options.end()) {
    const Result value = typed_value(*found->second, scope, rows, physical(dimension), fmt::format("the {}", name));
    if (value && node(*value).depends.any()) {
      report(Kind::not_constant, found->second->span, fmt::format("the {} may depend on parameters alone", name));
      return std::nullopt;
    }
    return value;
  }
  if (!fallback) {
    const Dimension needed = physical(dimension);
    report(Kind::body_incomplete, span, fmt::format("the argument '{}' is missing", name),
           fmt::format("add {} = {}{}", name, rows == 1 ? "..." : fmt::format("a vector of {}", rows),
                       needed.is_dimensionless() ? "" : fmt::format(", in [{}]", needed.text())));
    return std::nullopt;
  }
  if (*fallback == 0) return zeros(rows, span);
  return make_number(*fallback, physical(dimension), span);
}

}  // namespace nsmc
