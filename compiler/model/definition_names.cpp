#include "compiler/model/definition_names.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace nsmc {
namespace {

class NameCheck {
 public:
  NameCheck(const Globals& globals, Diagnostics& diagnostics) : globals_(globals), diagnostics_(diagnostics) {}

  void expression(const ast::Expr& expr, std::vector<std::string>& local) const {
    const std::size_t outer = local.size();
    if (expr.kind == ast::ExprKind::gauge || expr.kind == ast::ExprKind::support) {
      for (const ast::Name& name : expr.names) local.push_back(name.text);
    }
    if (expr.kind == ast::ExprKind::name && !known(expr.text, local)) {
      std::vector<std::string> candidates = local;
      for (const auto& [text, symbol] : globals_) candidates.push_back(text);
      diagnostics_.report(Kind::unknown_name, expr.span, fmt::format("unknown name '{}'", expr.text),
                          did_you_mean(expr.text, candidates));
    }
    // The pressure of contensou(f, R, parabolic) is a word of the language.
    const bool word = expr.kind == ast::ExprKind::call && expr.text == "contensou" && expr.args.size() == 3 &&
                      !globals_.contains(expr.text);
    for (std::size_t i = 0; i + (word ? 1 : 0) < expr.args.size(); ++i) expression(expr.args[i], local);
    local.resize(outer);
  }

 private:
  bool known(const std::string& text, const std::vector<std::string>& local) const {
    static const std::vector<std::string> kBuiltin{"t",    "pi",     "inf",    "energy", "gap",  "slip", "spin",
                                                   "roll", "nonneg", "nonpos", "reals",  "zero", "world"};
    return globals_.contains(text) || std::find(local.begin(), local.end(), text) != local.end() ||
           std::find(kBuiltin.begin(), kBuiltin.end(), text) != kBuiltin.end();
  }

  const Globals& globals_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_definition_names(const SourceModels& models, const Globals& globals, Diagnostics& diagnostics) {
  const NameCheck names(globals, diagnostics);
  const auto parameters = [](const std::vector<ast::Parameter>& list) {
    std::vector<std::string> local;
    for (const ast::Parameter& parameter : list) local.push_back(parameter.name.text);
    return local;
  };
  for (const ast::Model& file : models.files) {
    for (const ast::Declaration& declaration : file.declarations) {
      if (const auto* d = std::get_if<ast::Function>(&declaration.value)) {
        auto local = parameters(d->parameters);
        names.expression(d->body, local);
      }
      // Laws may use forces of other laws (N), which only the contact knows: expansion checks these names.
      if (const auto* d = std::get_if<ast::SetDefinition>(&declaration.value)) {
        auto local = parameters(d->parameters);
        names.expression(d->value, local);
      }
    }
  }
}

}  // namespace nsmc
