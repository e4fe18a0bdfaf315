// Expressions with numbers: at the parameters of the run, the initial state and several sizes of the forces. The checks
// of sets and laws (verify_sets.cpp, verify_scaling.cpp, verify_dissipation.cpp) try here what must hold.
#pragma once

#include <map>
#include <optional>
#include <span>

#include "compiler/mechanics/derivation.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "compiler/mechanics/samples.hpp"
#include "compiler/symbolic/evaluator.hpp"

namespace nsmc {

class Trial {
 public:
  Trial(const Derivation& derivation, const Equations& equations, const ParameterValues& overrides);

  const Derivation& d;
  const Equations& e;

  bool ok() const { return ok_; }  // no error so far
  void look_from(std::vector<double> self) {
    start_.look_from(std::move(self));
    ++view_;
  }

  // The faults that follow are those of a law of this contact. A reader looks for the line that uses the law, not for
  // one of the library: N0609 and N0614 that are found in another file are reported there.
  void look_at(const std::string& contact, const TypedLaw& law) { place_ = Place{contact, &law}; }
  void look_anywhere() { place_.reset(); }

  // With x as the values of the force symbols from `first` on: the point of a set (0), a set's variables, a law's
  // force.
  double value(sym::Expr e, const Point& x = {}, std::uint32_t first = 0) const;
  std::vector<double> values(std::span<const sym::Expr> e, const Point& x = {}, std::uint32_t first = 0) const;
  std::vector<double> numbers(const Matrix& m) const { return values(m.entries); }

  // How large the normal force will be is not known before the run. So where the expressions depend on forces (the
  // `own` ones from `first` on, which the check chooses, do not count), a fault is reported only if it is there for
  // every size from 1e-3 to 1e6 and for that of the weight. A fault without a message: nothing can be said at this
  // size. True if none was reported.
  bool expect(std::span<const sym::Expr> expressions, const std::function<std::optional<Diagnostic>()>& fault,
              std::uint32_t first = 0, std::size_t own = 0);

 private:
  double weight() const;
  void report(Diagnostic fault);
  bool elsewhere(const Diagnostic& fault) const;  // in the library, while a contact of the model is looked at
  std::string negative_arguments() const;
  std::string negative_parameters(std::span<const sym::Expr> expressions) const;

  struct Known {
    sym::Evaluator evaluator;
    unsigned view = 0;  // in which what does not vary was computed
  };

  struct Place {
    std::string contact;
    const TypedLaw* law;
  };

  std::vector<double> p_;
  std::optional<Place> place_;
  StartView start_;
  unsigned view_ = 1;
  mutable std::map<std::vector<std::uint32_t>, Known> known_;  // by the ids of the expressions
  bool ok_ = true;
};

// verify_sets.cpp: functions, extents, convexity; verify_scaling.cpp: alpha > 0, D inside C; verify_dissipation.cpp
void verify_set_nodes(Trial& trial);
void verify_sets_of_law(Trial& trial, const TypedLaw& typed, const LawEquation& law);
void verify_scaling(Trial& trial, const ContactEquation& contact, const LawEquation& law);
void verify_dissipation(Trial& trial, const ContactEquation& contact, const LawEquation& law);

}  // namespace nsmc
