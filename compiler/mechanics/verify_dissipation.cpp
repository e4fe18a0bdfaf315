// A law takes energy out of the system, or leaves it: gamma.lambda <= 0 for every pair that it allows. Of a law
//     B gamma + D lambda in N_{A K}(-alpha lambda),   K = K_1 x ... x K_m,
// pairs are found from points x of K and normals y of K there: -alpha lambda = A x, B gamma + D lambda = A^-T y.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compiler/mechanics/linear_algebra.hpp"
#include "compiler/mechanics/trial.hpp"

namespace nsmc {

using sym::Expr;
using Fault = std::optional<Diagnostic>;

namespace {

using Pair = BoundaryPoint;

bool is_finite(const Point& x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return std::isfinite(sum);
}

double product(const Point& a, const Point& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Point times(const std::vector<double>& matrix, const Point& x, bool transposed = false) {
  const std::size_t n = x.size();
  Point result(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) result[i] += matrix[transposed ? k * n + i : i * n + k] * x[k];
  }
  return result;
}

// Points of one simple set with their normals. A normal 0 belongs to every point: the contact sticks in these rows.
class PairsOfSet {
 public:
  PairsOfSet(const Trial& trial, const SimpleSet& set) : trial_(trial), set_(set) {
    function_ = set.function;
    if (is_contensou(set.kind)) function_ = contensou_gauge();
    for (std::size_t i = 0; i < set.dim; ++i) point_.push_back(set_point(trial.d.pool, i));
    if (is_by_function(set.kind) || is_contensou(set.kind)) {
      gradient_ = sym::jacobian(trial.d.pool, std::span(&function_, 1), point_);
    }
  }

  // Anew for each size of the forces.
  std::vector<Pair> pairs() const {
    const SetNumbers numbers{trial_.values(set_.arguments), [&](const Point& x) { return trial_.value(function_, x); },
                             [&](const Point& x) { return trial_.values(gradient_, x); }};
    std::vector<Pair> result;
    if (set_.kind == SetKind::interval) {
      const double a = numbers.arguments[0], b = numbers.arguments[1];
      if (std::isfinite(b)) result.push_back({{1}, {b}});
      if (std::isfinite(a)) result.push_back({{-1}, {a}});
      result.push_back({{0}, {std::isfinite(b) ? b : std::isfinite(a) ? a + 1 : 1}});
      result.push_back({{0}, {std::isfinite(a) ? a : std::isfinite(b) ? b - 1 : -1}});
      return result;
    }
    const Point centre = trial_.values(set_.centre);
    for (const Point& direction : directions(set_.dim)) {
      Pair pair = row_of(set_.kind).boundary(direction, numbers);
      for (std::size_t i = 0; i < centre.size(); ++i) pair.point[i] += centre[i];
      if (!is_finite(pair.normal) || !is_finite(pair.point)) continue;  // a kink, or a set without an end
      result.push_back({Point(set_.dim), pair.point});
      result.push_back(std::move(pair));
    }
    return result;
  }

 private:
  // Of the body with the extents f, f, f r.
  Expr contensou_gauge() const {
    sym::ExprPool& pool = trial_.d.pool;
    const bool uniform = set_.kind == SetKind::contensou_uniform;
    std::vector<Expr> x;
    for (std::size_t i = 0; i < 3; ++i) {
      x.push_back(pool.div(set_point(pool, i), i < 2 ? set_.arguments[0] : pool.mul(set_.arguments)));
    }
    x.resize(6, pool.constant(0));
    sym::ImplicitGauge gauge{uniform ? sym::ImplicitGauge::uniform : sym::ImplicitGauge::parabolic, 3, {}};
    return pool.implicit(pool.add_implicit(std::move(gauge)), 0, x);
  }

  const Trial& trial_;
  const SimpleSet& set_;
  Expr function_;
  std::vector<Expr> point_, gradient_;
};

class Dissipation {
 public:
  Dissipation(const Trial& trial, const ContactEquation& contact, const LawEquation& law)
      : trial_(trial), contact_(contact), law_(law) {
    for (const SimpleSet& set : law.sets) sets_.emplace_back(trial, set);
  }

  // The largest power relative to the sizes of force and velocity, if it is positive.
  Fault fault() const {
    const std::vector<double> A = trial_.numbers(law_.A);
    const std::vector<double> B = trial_.numbers(law_.B);
    const std::vector<double> D = trial_.numbers(law_.D);
    Point transposed;
    for (std::size_t i = 0; i < law_.size; ++i) {
      for (std::size_t k = 0; k < law_.size; ++k) transposed.push_back(A[k * law_.size + i]);
    }
    struct {
      double power = 1e-9;
      Point gamma, force;
    } worst;
    const auto look_at = [&](const std::optional<Point>& gamma, const Point& x) {
      if (!gamma || !is_finite(*gamma)) return;
      const double size = norm(*gamma) * norm(x);
      if (!(size > 0)) return;
      const double power = -product(*gamma, x) / size;
      // A little more does not make a better example.
      if (power > worst.power + (worst.gamma.empty() ? 0 : 1e-6))
        worst = {power, scaled(*gamma, 1 / norm(*gamma)), scaled(x, -1)};
    };
    for (const Pair& pair : combined()) {
      const Point x = times(A, pair.point);
      const auto normal = solve_numbers(transposed, pair.normal);
      if (!normal) continue;
      if (norm(*normal) > 0) look_at(solve_numbers(B, *normal), x);
      // Normals are as long as we like: what a damper does shows where they are 0.
      if (!law_.zero_D) look_at(solve_numbers(B, times(D, x)), x);
    }
    if (worst.gamma.empty()) return std::nullopt;
    // The force is that of alpha = 1; where it is scaled, its direction.
    return Diagnostic{
        Kind::law_not_dissipative,
        law_.inclusion,
        fmt::format("law '{}' of contact '{}' feeds energy into the system, for example at the velocity {}, "
                    "where its force {} {}",
                    law_.name, with_index(contact_.name, ""), point_text(worst.gamma),
                    law_.alpha ? "points along" : "is", point_text(worst.force)),
        {{law_.span,
          fmt::format("in contact '{}', which uses law '{}' here", with_index(contact_.name, ""), law_.name)}},
        hint(B)};
  }

 private:
  // All pairs of a single set; of a product the pairs of each set beside pairs of the others, by a fixed pattern.
  std::vector<Pair> combined() const {
    std::vector<std::vector<Pair>> parts;
    std::size_t most = 1;
    for (const PairsOfSet& set : sets_) {
      parts.push_back(set.pairs());
      if (parts.back().empty()) return {};
      most = std::max(most, parts.back().size());
    }
    const std::size_t count = parts.size() == 1 ? most : std::max<std::size_t>(4 * most, 200);
    std::vector<Pair> result;
    for (std::size_t i = 0; i < count; ++i) {
      Pair pair;
      for (std::size_t j = 0; j < parts.size(); ++j) {
        // Steps that have no common measure run through all combinations.
        const double place = std::fmod(static_cast<double>(i) * std::sqrt(2.0 + 3.0 * static_cast<double>(j)), 1.0);
        const std::size_t k =
            parts.size() == 1 ? i : static_cast<std::size_t>(place * static_cast<double>(parts[j].size()));
        const Pair& part = parts[j][k];
        pair.normal.insert(pair.normal.end(), part.normal.begin(), part.normal.end());
        pair.point.insert(pair.point.end(), part.point.begin(), part.point.end());
      }
      result.push_back(std::move(pair));
    }
    return result;
  }

  std::string hint(const std::vector<double>& B) const {
    if (!law_.zero_D) return "the coefficient of a damper or a compliance is positive";
    bool reversed = true;
    for (std::size_t i = 0; i < law_.size; ++i) reversed = reversed && B[i * law_.size + i] < 0;
    if (reversed) return "the force on the system is opposed to the velocity: slip in normal_cone(C, -T)";
    if (law_.identity_B) return "the set should have the origin inside: then force and velocity are opposed";
    return "the map on the left side should leave force and velocity opposed";
  }

  const Trial& trial_;
  const ContactEquation& contact_;
  const LawEquation& law_;
  std::vector<PairsOfSet> sets_;
};

// A velocity that B takes to 0, if there is one: the last row that elimination with full pivoting leaves.
std::optional<Point> null_vector(std::vector<double> a, std::size_t n) {
  double scale = 0;
  for (const double v : a) {
    if (!std::isfinite(v)) return std::nullopt;
    scale = std::max(scale, std::abs(v));
  }
  std::vector<std::size_t> columns(n);
  for (std::size_t k = 0; k < n; ++k) columns[k] = k;
  for (std::size_t j = 0; j < n; ++j) {
    std::size_t row = j, column = j;
    for (std::size_t i = j; i < n; ++i) {
      for (std::size_t k = j; k < n; ++k) {
        if (std::abs(a[i * n + k]) > std::abs(a[row * n + column])) row = i, column = k;
      }
    }
    if (std::abs(a[row * n + column]) <= 1e-14 * scale) {  // the rows from here on are 0: choose x_j = 1
      Point y(n);
      y[j] = 1;
      for (std::size_t i = j; i-- > 0;) {
        for (std::size_t k = i + 1; k <= j; ++k) y[i] -= a[i * n + k] * y[k] / a[i * n + i];
      }
      Point x(n);
      for (std::size_t k = 0; k < n; ++k) x[columns[k]] = y[k];
      return scaled(x, 1 / norm(x));
    }
    for (std::size_t k = 0; k < n; ++k) std::swap(a[j * n + k], a[row * n + k]);
    for (std::size_t i = 0; i < n; ++i) std::swap(a[i * n + j], a[i * n + column]);
    std::swap(columns[j], columns[column]);
    for (std::size_t i = j + 1; i < n; ++i) {
      const double factor = a[i * n + j] / a[j * n + j];
      for (std::size_t k = j; k < n; ++k) a[i * n + k] -= factor * a[j * n + k];
    }
  }
  return std::nullopt;
}

// A law of maximal dissipation, gamma in N_C(-alpha lambda), takes no energy in if C has the origin: n.x >= n.0 for a
// normal n at x. Sets that are not moved have it, and for these there is nothing to try.
bool has_origin(const Trial& trial, const SimpleSet& set) {
  if (set.kind == SetKind::polygon) return false;
  if (set.kind != SetKind::interval) return set.centre.empty();
  const std::vector<double> ends = trial.values(set.arguments);
  return ends[0] <= 0 && ends[1] >= 0;
}

}  // namespace

void verify_dissipation(Trial& trial, const ContactEquation& contact, const LawEquation& law) {
  // Coefficients of a damper may be 0; without one, velocities that B takes to 0 are free whatever the force.
  if (!law.identity_B && law.zero_D) {
    const auto free = null_vector(trial.numbers(law.B), law.size);
    if (free) {
      trial.expect({}, [&]() -> Fault {
        return Diagnostic{
            Kind::law_map_singular,
            law.left_span,
            fmt::format("the map on the left side of law '{}' is singular: it takes the velocity {} to 0", law.name,
                        point_text(*free)),
            {{law.span,
              fmt::format("in contact '{}', which uses law '{}' here", with_index(contact.name, ""), law.name)}},
            "the force against such a velocity is not determined; give the law an invertible map, or fewer velocities"};
      });
      return;
    }
  }
  if (law.identity_B && law.zero_D &&
      std::all_of(law.sets.begin(), law.sets.end(), [&](const SimpleSet& set) { return has_origin(trial, set); })) {
    return;
  }
  const Dissipation dissipation(trial, contact, law);
  std::vector<Expr> depends;
  for (const SimpleSet& set : law.sets) {
    depends.insert(depends.end(), set.arguments.begin(), set.arguments.end());
    depends.insert(depends.end(), set.centre.begin(), set.centre.end());
    depends.push_back(set.function);
  }
  trial.expect(depends, [&] { return dissipation.fault(); });
}

}  // namespace nsmc
