// Runs a model in this process and hands back its columns by name, for tests against known answers.
//
// Every run must finish, and every step of it must converge, unless a test says otherwise: `run` requires both.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "compiler/api/pipeline.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "runtime/simulation/simulate.hpp"

namespace nsmc::test {

using Overrides = ParameterValues;
using Column = std::vector<double>;

struct RunSettings {
  double step = 0;   // 0: what the model says
  double until = 0;  // 0: what the model says
  rt::SolverKind solver = rt::SolverKind::sor;
  double tolerance = 1e-12;
  double residual = 0;  // > 0: steps that do not converge may leave this much
  int max_iterations = 10000;
  double omega = 1;         // relaxation of the solver
  std::uint32_t every = 1;  // record every so many steps
  rt::Method method = rt::Method::moreau;
  const char* tableau = "rk4";  // of rk
  rt::IntegratorOptions integrator = {};
  double rho = 0;           // of the solver multiplier
  bool work = false;        // count it, into columns
  bool stabilises = false;  // most tests look at the plain scheme of the papers
};

class Trajectory final : public rt::Recorder {
 public:
  // Columns beyond these names are left out.
  explicit Trajectory(const std::vector<std::string>& names) : names_(names), columns_(names.size()) {}

  void record(double time, std::span<const double> values) override {
    t.push_back(time);
    for (std::size_t k = 0; k < columns_.size(); ++k) columns_[k].push_back(values[k]);
  }

  const Column& operator[](const std::string& name) const {
    for (std::size_t k = 0; k < names_.size(); ++k) {
      if (names_[k] == name) return columns_[k];
    }
    FAIL("no column " << name);
    return columns_[0];
  }

  double last(const std::string& name) const { return (*this)[name].back(); }
  std::size_t rows() const { return t.size(); }
  const std::vector<std::string>& names() const { return names_; }

  Column t;
  rt::Summary summary;

 private:
  std::vector<std::string> names_;
  std::vector<Column> columns_;
};

// The columns of a run; those of work, which stand last, are there if it is counted.
inline std::vector<std::string> recorded_columns(const KernelPlan& plan, bool work) {
  const std::size_t n = work ? plan.columns.size() : plan.work_column;
  return {plan.columns.begin(), plan.columns.begin() + static_cast<std::ptrdiff_t>(n)};
}

class Model {
 public:
  // A file of models/. `structure`: parameters that the size of arrays depends on, for this model and all its runs.
  static Model named(const std::string& name, const Overrides& structure = {}) {
    return Model(NSMC_SOURCE_DIR "/models/" + name + ".nsm", structure);
  }

  // A model that only a test needs, from its text.
  static Model text(const std::string& text) { return Model(ModelSource("test.nsm", text)); }

  const Equations& equations() { return *pipeline_->derived(); }
  const sym::ExprPool& pool() { return pipeline_->pool(); }
  const Kernels& kernels() { return *pipeline_->compiled(); }

  // Every parameter of the model, with these in the place of what the file says.
  std::vector<double> parameters(Overrides overrides = {}) {
    overrides.insert(structure_.begin(), structure_.end());
    return parameter_values(pool(), equations(), overrides);
  }

  double until(const std::vector<double>& p) {
    return constant_value(pool(), *equations().settings.number("until"), p);
  }
  // That of the model; models that leave it to the accuracy need short ones here.
  double step(const std::vector<double>& p) {
    const auto given = equations().settings.number("step");
    return given ? constant_value(pool(), *given, p) : until(p) / 100'000;
  }

  Trajectory run(const Overrides& overrides = {}, const RunSettings& settings = {}) {
    const Equations& e = equations();
    for (const auto& [name, value] : overrides) {
      bool known = false;
      for (const ParameterEquation& p : e.parameters) known = known || p.name == name;
      REQUIRE_MESSAGE(known, "no parameter " << name);
    }
    const std::vector<double> p = parameters(overrides);
    rt::SimulationOptions options;
    options.until = settings.until > 0 ? settings.until : until(p);
    options.step = settings.step > 0 ? settings.step : step(p);
    options.method = settings.method;
    options.integrator = settings.integrator;
    options.integrator.tableau = rt::find_tableau(settings.tableau);
    options.solver.kind = settings.solver;
    options.solver.tolerance = settings.tolerance;
    options.solver.max_iterations = settings.max_iterations;
    options.solver.omega = settings.omega;
    options.record_every = settings.every;
    options.method = settings.method;
    options.solver.rho = settings.rho;
    options.parts.work = settings.work;
    options.stabilises = settings.stabilises;
    const rt::System system(pipeline_->compiled()->table(), p);
    rt::State state = rt::initial_state(system);
    Trajectory trajectory(recorded_columns(pipeline_->compiled()->plan(), settings.work));
    const rt::SimulationResult result = rt::simulate(system, state, options, trajectory);
    REQUIRE_MESSAGE(result.reason == rt::EndReason::finished, result.message);
    const bool accepted = result.summary.unconverged_steps == 0 || result.summary.worst_residual <= settings.residual;
    REQUIRE_MESSAGE(accepted, result.summary.unconverged_steps << " steps did not converge, worst residual "
                                                               << result.summary.worst_residual);
    trajectory.summary = result.summary;
    return trajectory;
  }

 private:
  explicit Model(ModelSource source, const Overrides& structure = {})
      : structure_(structure), pipeline_(std::make_unique<Pipeline>(std::move(source), structure)) {
    const bool compiled = pipeline_->compiled() != nullptr;
    REQUIRE_MESSAGE(compiled, render(pipeline_->diagnostics(), pipeline_->sources(), false));
  }

  Overrides structure_;
  std::unique_ptr<Pipeline> pipeline_;
};

// Where in the steps a kink falls makes the error of one run jump up and down by a factor. The worst of a few runs with
// nearly equal steps does not, and shows the order.
template <class Error>
double worst_error(double step, Error&& error, int runs = 4) {
  double worst = 0;
  for (int k = 0; k < runs; ++k) worst = std::max(worst, error(step * (1 - 0.2 * k / runs)));
  return worst;
}

struct Convergence {
  std::vector<double> steps, errors;
  double order = 0;  // slope of log(error) over log(step), least squares
};

// error(step) at steps first, first/2, ..., first/2^(n-1).
template <class Error>
Convergence convergence(double first, int n, Error&& error) {
  Convergence c;
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int k = 0; k < n; ++k) {
    c.steps.push_back(first / std::pow(2.0, k));
    c.errors.push_back(error(c.steps.back()));
    const double x = std::log(c.steps.back());
    const double y = std::log(c.errors.back());
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  c.order = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  return c;
}

// At least `order`, and as good as `finest` at the smallest step.
inline void check_convergence(const std::string& what, const Convergence& c, double order, double finest) {
  std::string list;
  for (const double error : c.errors) list += " " + std::to_string(error / c.errors.back());
  MESSAGE(what << ": order " << c.order << ", error " << c.errors.back() << " at step " << c.steps.back()
               << ", errors over it" << list);
  CHECK_MESSAGE(c.order >= order, what);
  CHECK_MESSAGE(c.errors.back() <= finest, what);
}

// max_k |a_k - b(t_k)|
template <class Exact>
double max_error(const Trajectory& run, const std::string& column, Exact&& exact) {
  const Column& values = run[column];
  double worst = 0;
  for (std::size_t k = 0; k < values.size(); ++k) worst = std::max(worst, std::abs(values[k] - exact(run.t[k])));
  return worst;
}

}  // namespace nsmc::test
