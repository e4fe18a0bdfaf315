// Numbers for a run: parameters (defaults, overridden by name), and the initial state that follows from them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/mechanics/equations.hpp"

namespace nsmc {

// A parameter whose default is an expression of other parameters follows their overrides.
std::vector<double> parameter_values(const sym::ExprPool& pool, const Equations& equations,
                                     const ParameterValues& overrides);

// The value of an expression of parameters and, for arrays, of the numbers of an instance.
double constant_value(const sym::ExprPool& pool, sym::Expr e, const std::vector<double>& p,
                      const std::vector<double>& self = {});

// The model at its start, as one instance of a declaration sees it: values for symbols, all forces of one size.
class StartView {
 public:
  StartView(const sym::ExprPool& pool, const Equations& equations, const std::vector<double>& p,
            std::vector<double> self)
      : pool_(pool), e_(equations), p_(p), self_(std::move(self)) {}

  void look_from(std::vector<double> self) {
    self_ = std::move(self);
    known_.clear();
  }
  void set_force(double size) { force_ = size; }
  double operator()(const sym::Symbol& symbol) const;

 private:
  const sym::ExprPool& pool_;
  const Equations& e_;
  const std::vector<double>& p_;  // must outlive this
  std::vector<double> self_;
  double force_ = 1;
  mutable std::map<std::pair<int, std::uint32_t>, double> known_;  // checks ask for the same values again and again
};

}  // namespace nsmc
