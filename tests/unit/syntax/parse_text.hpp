// What the tests of compiler/syntax share: parsing a string, and looking at the diagnostics it gave.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "compiler/syntax/format.hpp"
#include "compiler/syntax/parse.hpp"
#include "compiler/syntax/print.hpp"
#include "compiler/syntax/same.hpp"

namespace nsmc::test {

struct Parsed {
  Sources sources;
  Diagnostics diagnostics;
  std::optional<ast::Model> model;

  explicit Parsed(std::string text) {
    const FileId file = sources.add("test.nsm", std::move(text));
    model = parse(sources, file, diagnostics);
  }
  std::vector<Diagnostic> errors() const { return diagnostics.sorted(); }
  // "N0104 2:7 message", one for each diagnostic.
  std::vector<std::string> lines() const {
    std::vector<std::string> result;
    for (const Diagnostic& d : errors()) {
      const Position at = sources.file(d.span.file).position(d.span.begin);
      result.push_back(std::string(entry(d.kind).code) + " " + std::to_string(at.line) + ":" +
                       std::to_string(at.column) + " " + d.message);
    }
    return result;
  }
  std::string text(Span span) const { return std::string(sources.text(span)); }
};

// The only declaration of a text that must parse.
template <class T>
T only(std::string text) {
  Parsed parsed(std::move(text));
  if (!parsed.model) throw std::runtime_error(render(parsed.diagnostics, parsed.sources, false));
  return std::get<T>(parsed.model->declarations.at(0).value);
}

inline ast::Expr expression(const std::string& text) { return only<ast::Let>("let a = " + text).value; }

// The structure of an expression with every operation in parentheses: (+ a (- b)), to see how it was grouped.
inline std::string grouped(const ast::Expr& e) {
  using enum ast::ExprKind;
  std::string result;
  auto all = [&](std::string head, std::size_t from = 0) {
    result = "(" + head;
    for (std::size_t i = from; i < e.args.size(); ++i) result += " " + grouped(e.args[i]);
    return result + ")";
  };
  switch (e.kind) {
    case number:
    case name: return print(e);
    case sum:
    case product: return all(e.ops);
    case negate: return all("neg");
    case power: return all("^");
    case derivative: return all("'");
    case index: return all("[]");
    case member: return all("." + e.text);
    case call: return all(e.text + "()");
    case reduction: return all(e.text + " for " + e.names[0].text);
    case vector: return all("vec");
    case comparison: return all(e.text);
    case logic_and: return all("and");
    case logic_or: return all("or");
    case logic_not: return all("not");
    case intersection: return all("cap");
    case piecewise: return all("cases");
    case gauge: return all("gauge");
    case support: return all("support");
  }
  return {};
}
inline std::string grouped(const std::string& text) { return grouped(expression(text)); }

}  // namespace nsmc::test
