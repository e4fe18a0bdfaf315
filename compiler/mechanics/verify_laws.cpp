// What must hold of sets and laws is tried with numbers, at the parameters of the run, the initial state and unit
// forces, in many directions; a failure is shown with the point that proves it.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "compiler/mechanics/derivation.hpp"
#include "compiler/mechanics/gauge_function.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "compiler/mechanics/linear_algebra.hpp"
#include "compiler/mechanics/sets.hpp"

namespace nsmc {

using sym::Expr;
using sym::Source;
using Point = std::vector<double>;

namespace {

constexpr double kTolerance = 1e-9;

std::string text(const Point& x) {
  std::string out;
  for (const double v : x) out += (out.empty() ? "" : ", ") + fmt::format("{:.4g}", v);
  return "(" + out + ")";
}

Point scaled(const Point& x, double factor) {
  Point result = x;
  for (double& v : result) v *= factor;
  return result;
}

// Unit vectors all around: evenly in the plane, scattered in space; always the same ones.
std::vector<Point> directions(std::size_t dim) {
  if (dim == 1) return {{1.0}, {-1.0}};
  std::vector<Point> result;
  if (dim == 2) {
    constexpr int kCount = 72;
    for (int i = 0; i < kCount; ++i) {
      const double angle = 2 * std::numbers::pi * (i + 0.1) / kCount;  // off the axes, where functions may be singular
      result.push_back({std::cos(angle), std::sin(angle)});
    }
    return result;
  }
  std::uint64_t state = 88172645463325252U;
  while (result.size() < 60) {
    Point x;
    double norm2 = 0;
    for (std::size_t k = 0; k < dim; ++k) {
      state ^= state << 13U;
      state ^= state >> 7U;
      state ^= state << 17U;
      x.push_back(static_cast<double>(state >> 11U) / static_cast<double>(1ULL << 52U) - 1);
      norm2 += x.back() * x.back();
    }
    if (norm2 > 0.01 && norm2 < 1) result.push_back(scaled(x, 1 / std::sqrt(norm2)));
  }
  return result;
}

class LawCheck {
 public:
  LawCheck(const Derivation& d, const Equations& equations, const std::map<std::string, double>& overrides)
      : d_(d),
        e_(equations),
        p_(parameter_values(d.pool, equations, overrides)),
        start_(d.pool, equations, p_, {1, 2}) {}

  bool run() {
    // Every gauge of the model, also those that serve in gauge(C, x) alone.
    for (NodeId id = 0; id < d_.model.nodes.size(); ++id) {
      const Node& node = d_.model.node(id);
      if (node.kind == NodeKind::set_ellipsoid) semi_axes(node);
      if (node.kind == NodeKind::gauge) origin_inside(node.args[0], node.span);
      if (node.kind == NodeKind::set_intersection) {
        for (const NodeId part : node.args) origin_inside(part, node.span);
      }
      if (node.kind != NodeKind::set_gauge && node.kind != NodeKind::set_support) continue;
      const Expr body = d_.lowering.scalar(node.args[0]);
      function(node.kind == NodeKind::set_gauge, body, model_point(node), d_.model.type(id).rows, node.span);
    }
    if (!ok_) return false;  // convexity of something that is no gauge means nothing
    for (const ContactEquation& contact : e_.contacts) {
      if (contact.instances.count() == 0) continue;
      start_.look_from(contact.instances.self(0));
      for (const LawEquation& law : contact.laws) {
        for (const SimpleSet& set : law.sets) simple_set(law, set);
        scaling(contact, law);
        if (ok_) dissipation(contact, law);
      }
    }
    return ok_;
  }

 private:
  using Values = std::function<double(const sym::Symbol&, const Point&)>;

  double state_value(const sym::Symbol& s) const { return start_(s); }

  // The variables of a set as the model writes it.
  Values model_point(const Node& node) const {
    return [this, first = node.index](const sym::Symbol& s, const Point& x) {
      const bool variable =
          s.source == Source::force && s.index >= kSetVariable + first && s.index - kSetVariable - first < x.size();
      return variable ? x[s.index - kSetVariable - first] : state_value(s);
    };
  }

  // The point of a set in a law.
  double at(Expr e, const Point& x) const {
    return sym::evaluate(d_.pool, e, [&](const sym::Symbol& s) {
      return s.source == Source::force && s.index < x.size() ? x[s.index] : state_value(s);
    });
  }

  Diagnostic& report(Kind kind, Span span, std::string message, std::string hint = {}) {
    if (entry(kind).severity == Severity::error) ok_ = false;
    return d_.diagnostics.report(kind, span, std::move(message), std::move(hint));
  }

  // Positively homogeneous of degree one, and positive (a support function: not negative, 0 belongs to the set).
  void function(bool gauge, Expr body, const Values& values, std::size_t dim, Span span) {
    const char* name = gauge ? "gauge" : "support";
    const char* symbol = gauge ? "k" : "Phi";
    const auto value = [&](const Point& x) {
      return sym::evaluate(d_.pool, body, [&](const sym::Symbol& s) { return values(s, x); });
    };
    for (const Point& x : directions(dim)) {
      const double k = value(x);
      if (!(gauge ? k > 0 : k >= 0) || !std::isfinite(k)) {
        report(Kind::gauge_not_positive, span,
               fmt::format("the {} function is not {}: {}{} = {:.4g}", name, gauge ? "positive" : "non-negative",
                           symbol, text(x), k),
               "the set must contain the origin and be bounded in every direction");
        return;
      }
      for (const double factor : {0.5, 3.0}) {
        const double other = value(scaled(x, factor));
        if (std::abs(other - factor * k) <= kTolerance * factor * k) continue;
        report(
            Kind::function_not_homogeneous, span,
            fmt::format("the {} function is not positively homogeneous of degree one: {}{} = {:.6g}, but {}{} = {:.6g} "
                        "instead of {:.6g}",
                        name, symbol, text(x), k, symbol, text(scaled(x, factor)), other, factor * k),
            gauge ? "of a level function f(x) of degree n, the gauge is f(x)^(1/n)" : "");
        return;
      }
    }
  }

  void simple_set(const LawEquation& law, const SimpleSet& set) {
    const bool by_function = set.kind == SimpleSetKind::gauge || set.kind == SimpleSetKind::support;
    if (by_function && !(at(set.arguments[0], {}) >= 0)) {
      report(Kind::gauge_not_positive, law.set_span,
             fmt::format("the set is scaled by {:.4g} for unit forces", at(set.arguments[0], {})),
             "a scaling by a parameter is positive; the reflected set is written -1 * C");
      return;
    }
    switch (set.kind) {
      case SimpleSetKind::gauge: convex_gauge(law, set); break;
      case SimpleSetKind::support: convex_support(law, set); break;
      case SimpleSetKind::polygon: convex_polygon(law, set); break;
      case SimpleSetKind::interval: {
        const double a = at(set.arguments[0], {});
        const double b = at(set.arguments[1], {});
        if (a > b) {
          report(Kind::gauge_not_positive, law.set_span,
                 fmt::format("the set is empty: its interval reaches from {:.4g} to {:.4g} for unit forces", a, b),
                 "a friction coefficient or limit is not negative");
        }
        break;
      }
      default:
        for (const Expr extent : set.arguments) {
          if (at(extent, {}) >= 0) continue;
          report(Kind::gauge_not_positive, law.set_span,
                 fmt::format("the set has the negative extent {:.4g} for unit forces", at(extent, {})),
                 "a friction coefficient or limit is not negative");
          break;
        }
    }
  }

  // A gauge needs the origin inside of the set.
  void origin_inside(NodeId set, Span span) {
    const std::size_t n = d_.model.type(set).rows;
    std::vector<Expr> x;
    for (std::size_t i = 0; i < n; ++i) x.push_back(set_point(d_.pool, i));
    const Expr gauge = gauge_function(d_.model, d_.lowering, d_.pool, set, x);
    for (const Point& direction : directions(n)) {
      const double k = at(gauge, direction);
      if (k >= 0 && std::isfinite(k)) continue;
      report(
          Kind::gauge_not_available, span,
          fmt::format("the set has no gauge: in the direction {} it does not reach beyond the origin", text(direction)),
          "gauge(C, x) and intersections need sets with the origin inside");
      return;
    }
  }

  // An ellipsoid is a ball under the map of its semi-axes: a negative one mirrors it, and would pass unnoticed.
  void semi_axes(const Node& node) {
    for (std::size_t i = 0; i < node.args.size(); ++i) {
      const double axis = at(d_.lowering.scalar(node.args[i]), {});
      if (!(axis < 0)) continue;
      report(Kind::gauge_not_positive, node.span,
             fmt::format("semi-axis {} is negative: {:.4g} for unit forces", i + 1, axis),
             "a friction coefficient or limit is not negative");
      return;
    }
  }

  // The segment between two points of the boundary stays inside.
  void convex_gauge(const LawEquation& law, const SimpleSet& set) {
    std::vector<Point> boundary;
    for (const Point& x : directions(set.dim)) boundary.push_back(scaled(x, 1 / at(set.function, x)));
    struct {
      Point from, to, middle;
      double gauge = 1 + kTolerance;
    } worst;
    for (std::size_t i = 0; i < boundary.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        Point middle;
        for (std::size_t k = 0; k < set.dim; ++k) middle.push_back(0.5 * (boundary[i][k] + boundary[j][k]));
        const double value = at(set.function, middle);
        if (value > worst.gauge) worst = {boundary[j], boundary[i], middle, value};
      }
    }
    if (worst.middle.empty()) return;
    report(Kind::set_not_convex, set.span,
           fmt::format("the set is not convex: the segment from {} to {} leaves it at {}, where the gauge is {:.4g}",
                       text(worst.from), text(worst.to), text(worst.middle), worst.gauge),
           "a non-convex set can be the reservoir of a two-set law: law two_set(C, D)")
        .labels.push_back({law.span, fmt::format("used by law '{}' here", law.name)});
  }

  void convex_support(const LawEquation& law, const SimpleSet& set) {
    const std::vector<Point> all = directions(set.dim);
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        Point middle;
        for (std::size_t k = 0; k < set.dim; ++k) middle.push_back(0.5 * (all[i][k] + all[j][k]));
        const double mean = 0.5 * (at(set.function, all[i]) + at(set.function, all[j]));
        const double value = at(set.function, middle);
        if (value <= mean + kTolerance * (1 + std::abs(mean))) continue;
        report(Kind::support_not_convex, set.span,
               fmt::format(
                   "the support function is not convex: Phi{} = {:.6g} lies above the mean {:.6g} of Phi{} and Phi{}",
                   text(middle), value, mean, text(all[j]), text(all[i])))
            .labels.push_back({law.span, fmt::format("used by law '{}' here", law.name)});
        return;
      }
    }
  }

  void convex_polygon(const LawEquation& law, const SimpleSet& set) {
    std::vector<double> c;
    for (const Expr e : set.arguments) c.push_back(at(e, {}));
    const std::size_t n = c.size() / 2;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t j = (i + 1) % n;
      const std::size_t k = (i + 2) % n;
      const double turn =
          (c[2 * j] - c[2 * i]) * (c[2 * k + 1] - c[2 * j + 1]) - (c[2 * j + 1] - c[2 * i + 1]) * (c[2 * k] - c[2 * j]);
      if (turn >= 0) continue;
      report(Kind::set_not_convex, law.set_span,
             fmt::format("the polygon is not convex at the corner {}", text({c[2 * j], c[2 * j + 1]})),
             "corners are listed counter-clockwise");
      return;
    }
  }

  // alpha > 0 for every force, small and large [Walker 2017, (21)].
  void scaling(const ContactEquation& contact, const LawEquation& law) {
    if (!law.alpha) return;
    const auto first = d_.pool.symbol(contact.lambda[law.first]).index;
    for (const double size : {0.01, 0.3, 1.0, 4.0, 100.0}) {
      for (const Point& direction : directions(law.size)) {
        const Point force = scaled(direction, size);
        const double alpha = sym::evaluate(d_.pool, *law.alpha, [&](const sym::Symbol& s) {
          const bool own = s.source == Source::force && s.index >= first && s.index - first < force.size();
          return own ? force[s.index - first] : state_value(s);
        });
        if (alpha > 0 && std::isfinite(alpha)) continue;
        report(Kind::scaling_not_positive, law.argument_span,
               fmt::format("the force is scaled by {:.4g} at {} (other forces 1); a scaling is positive", alpha,
                           text(force)),
               "in a two-set law the normality set D must lie inside the reservoir C: scale D down, its size does not "
               "matter")
            .labels.push_back({law.span, fmt::format("in law '{}', used here", law.name)});
        return;
      }
    }
  }

  // The power -lambda.gamma that a law takes out is not negative: gamma = B^-1 A^-T n with n normal to K at x, -lambda
  // ~ A x.
  void dissipation(const ContactEquation& contact, const LawEquation& law) {
    if (law.identity_B || !law.zero_D || law.sets.size() != 1 || law.sets[0].dim != law.size) return;
    const SimpleSet& set = law.sets[0];
    if (set.kind != SimpleSetKind::ball && set.kind != SimpleSetKind::gauge && set.kind != SimpleSetKind::ellipsoid)
      return;
    std::vector<Expr> point;
    for (std::size_t i = 0; i < set.dim; ++i) point.push_back(set_point(d_.pool, i));
    const std::vector<Expr> gradient = sym::jacobian(d_.pool, std::span(&set.function, 1), point);
    for (const Point& x : directions(set.dim)) {
      Point normal = x;
      for (std::size_t i = 0; i < set.dim; ++i) {
        if (set.kind == SimpleSetKind::gauge) normal[i] = at(gradient[i], x);
        if (set.kind == SimpleSetKind::ellipsoid) normal[i] = x[i] / std::pow(at(set.arguments[i], {}), 2);
      }
      const auto A = numbers(law.A, false);
      const auto transposed = numbers(law.A, true);
      const auto y = solve_numbers(transposed, normal);
      const auto gamma = y ? solve_numbers(numbers(law.B, false), *y) : std::nullopt;
      if (!gamma) return;
      double power = 0;
      double scale = 0;
      for (std::size_t i = 0; i < set.dim; ++i) {
        double force = 0;
        for (std::size_t k = 0; k < set.dim; ++k) force += A[i * set.dim + k] * x[k];
        power += force * (*gamma)[i];
        scale += std::abs(force * (*gamma)[i]);
      }
      if (power >= -kTolerance * scale) continue;
      report(Kind::law_not_dissipative, law.left_span,
             fmt::format("law '{}' of contact '{}' feeds energy into the system, for example at the velocity {}",
                         law.name, contact.name, text(*gamma)),
             "the map on the left side should leave force and velocity opposed");
      return;
    }
  }

  std::vector<double> numbers(const Matrix& m, bool transposed) const {
    std::vector<double> result;
    for (std::size_t i = 0; i < m.rows; ++i) {
      for (std::size_t j = 0; j < m.cols; ++j) result.push_back(at(transposed ? m(j, i) : m(i, j), {}));
    }
    return result;
  }

  const Derivation& d_;
  const Equations& e_;
  std::vector<double> p_;
  StartView start_;
  bool ok_ = true;
};

}  // namespace

std::string fault_of_laws(const TypedModel& model, sym::ExprPool& pool, const Equations& equations,
                          const std::map<std::string, double>& overrides) {
  const Lowering lowering(model, pool);
  Diagnostics diagnostics;
  const Derivation d{model, pool, lowering, diagnostics};
  if (LawCheck(d, equations, overrides).run()) return "";
  for (const Diagnostic& diagnostic : diagnostics.sorted()) {
    if (entry(diagnostic.kind).severity == Severity::error) return diagnostic.message;
  }
  return "";
}

std::vector<std::size_t> parameters_of_laws(const sym::ExprPool& pool, const Equations& equations) {
  std::vector<Expr> all;
  const auto add = [&](const std::vector<Expr>& exprs) { all.insert(all.end(), exprs.begin(), exprs.end()); };
  for (const ContactEquation& contact : equations.contacts) {
    for (const LawEquation& law : contact.laws) {
      for (const Matrix* matrix : {&law.A, &law.B, &law.D}) add(matrix->entries);
      if (law.alpha) all.push_back(*law.alpha);
      for (const SimpleSet& set : law.sets) {
        add(set.arguments);
        add(set.centre);
        all.push_back(set.function);
      }
    }
  }
  std::vector<bool> needed(equations.parameters.size());
  for (const Expr e : sym::topological_order(pool, all)) {
    if (pool.op(e) != sym::Op::symbol) continue;
    const sym::Symbol& symbol = pool.symbol(e);
    if (symbol.source == Source::parameter) needed[symbol.index] = true;
    // The state that the checks look at follows from all parameters.
    if (symbol.source == Source::coordinate || symbol.source == Source::velocity) needed.assign(needed.size(), true);
  }
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (needed[i]) result.push_back(i);
  }
  return result;
}

bool verify_laws(const Derivation& d, const Equations& equations, const std::map<std::string, double>& overrides) {
  return LawCheck(d, equations, overrides).run();
}

}  // namespace nsmc
