// A state of a model with several blocks, as one instance of a declaration sees it, and finite differences along a
// motion: what the tests of bodies, elements, contacts and joints share.
#pragma once

#include "tests/unit/mechanics/derived_model.hpp"

namespace nsmc::test {

struct BodyState {
  const DerivedModel* model = nullptr;
  double t = 0;
  std::vector<double> p, self;
  std::vector<std::vector<std::vector<double>>> q, u;  // by block and instance

  double operator()(const sym::Symbol& s) const {
    switch (s.source) {
      case sym::Source::time: return t;
      case sym::Source::parameter: return p.at(s.index);
      case sym::Source::instance: return self.at(s.index);
      case sym::Source::signal:
      case sym::Source::force: return std::nan("");
      case sym::Source::coordinate:
      case sym::Source::velocity: break;
    }
    const Equations& e = model->equations();
    const Reference& reference = e.references.at(reference_of(s.index));
    const auto& values = (s.source == sym::Source::coordinate ? q : u).at(reference.block);
    return values.at(instance(reference)).at(variable_of(s.index));
  }

  // Which instance of its block a reference means.
  std::size_t instance(const Reference& reference) const {
    if (!reference.index) return 0;
    const double index = constant_value(model->pool, *reference.index, p, self);
    const auto found =
        model->equations().blocks.at(reference.block).instances.find({static_cast<std::int64_t>(std::lround(index))});
    REQUIRE(found.has_value());
    return *found;
  }

  double at(sym::Expr e) const { return sym::evaluate(model->pool, e, *this); }
  std::vector<double> at(const std::vector<sym::Expr>& e) const { return sym::evaluate(model->pool, e, *this); }
};

// Random, with unit quaternions; seen by the first instance of everything.
inline BodyState random_state(const DerivedModel& model, Random& random) {
  BodyState state;
  state.model = &model;
  state.t = random.in(0, 2);
  state.p = parameter_values(model.pool, model.equations(), {});
  for (const BlockEquation& block : model.equations().blocks) {
    auto& q = state.q.emplace_back();
    auto& u = state.u.emplace_back();
    for (std::size_t k = 0; k < block.instances.count(); ++k) {
      q.push_back(random.vector(block.q.size(), -1.5, 1.5));
      u.push_back(random.vector(block.u.size(), -2, 2));
      if (!block.quaternion) continue;
      double norm = 0;
      for (std::size_t i = 0; i < 4; ++i) norm = std::hypot(norm, q.back()[*block.quaternion + i]);
      for (std::size_t i = 0; i < 4; ++i) q.back()[*block.quaternion + i] /= norm;
    }
  }
  return state;
}

// The state after the time s of a motion with the present velocities, to the first order in s.
inline BodyState moved(const BodyState& x, double s) {
  BodyState result = x;
  result.t += s;
  for (std::size_t b = 0; b < x.q.size(); ++b) {
    const BlockEquation& block = x.model->equations().blocks[b];
    for (std::size_t k = 0; k < x.q[b].size(); ++k) {
      BodyState seen = x;
      seen.self = block.instances.self(k);
      const std::vector<double> rate = seen.at(block.q_dot);
      for (std::size_t i = 0; i < rate.size(); ++i) result.q[b][k][i] += s * rate[i];
    }
  }
  return result;
}

// d/dt of a function of the positions along the motion.
inline double rate_of(const BodyState& x, const std::function<double(const BodyState&)>& f) {
  return static_cast<double>(slope([&](long double s) { return f(moved(x, static_cast<double>(s))); }, 1e-3L));
}

// The velocities of the references, one after another.
inline std::vector<double> velocities_of(const BodyState& x, const std::vector<std::size_t>& references) {
  std::vector<double> u;
  for (const std::size_t r : references) {
    const Reference& reference = x.model->equations().references[r];
    const auto& part = x.u[reference.block][x.instance(reference)];
    u.insert(u.end(), part.begin(), part.end());
  }
  return u;
}

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Vectors in space, and what a rigid body with the coordinates q does with them; by cross products, not by matrices.
using V3 = std::array<double, 3>;
inline V3 operator+(const V3& a, const V3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline V3 operator-(const V3& a, const V3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline V3 operator*(double s, const V3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const V3& a, const V3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline V3 cross(const V3& a, const V3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double norm(const V3& a) { return std::sqrt(dot(a, a)); }
inline V3 centre(const std::vector<double>& q) { return {q[0], q[1], q[2]}; }
inline V3 turned(const std::vector<double>& q, const V3& x) {
  const V3 e{q[4], q[5], q[6]};
  return x + (2 * q[3]) * cross(e, x) + 2.0 * cross(e, cross(e, x));
}
inline V3 placed(const std::vector<double>& q, const V3& x) { return centre(q) + turned(q, x); }
inline V3 spin(const std::vector<double>& q, const std::vector<double>& u) { return turned(q, {u[3], u[4], u[5]}); }
inline V3 velocity_at(const std::vector<double>& q, const std::vector<double>& u, const V3& p) {
  return V3{u[0], u[1], u[2]} + cross(spin(q, u), p - centre(q));
}

// The same in the plane: q = (x, y, phi).
using V2 = std::array<double, 2>;
inline V2 placed2(const std::vector<double>& q, const V2& s) {
  return {q[0] + std::cos(q[2]) * s[0] - std::sin(q[2]) * s[1], q[1] + std::sin(q[2]) * s[0] + std::cos(q[2]) * s[1]};
}
inline V2 velocity_at2(const std::vector<double>& q, const std::vector<double>& u, const V2& p) {
  return {u[0] - u[2] * (p[1] - q[1]), u[1] + u[2] * (p[0] - q[0])};
}

}  // namespace nsmc::test
