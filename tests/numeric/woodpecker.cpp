// The limit cycle of the woodpecker toy, against an integration from event to event.
#include <algorithm>

#include "reference.hpp"
#include "run_model.hpp"

using namespace nsmc::test;

namespace {

using V = Vec<3>;
using State = Vec<6>;  // y, phi_M, phi_S and their rates

double dot(const V& a, const V& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// The toy, written down again by hand: one contact at most is closed at a time.
class Toy {
 public:
  enum Contact { none, beak, lower, upper };

  static double gap(Contact c, const State& s) {
    switch (c) {
      case beak: return lM + lG - lS - r0 - hS * s[2];
      case lower: return rM - r0 + hM * s[1];
      case upper: return rM - r0 - hM * s[1];
      case none: break;
    }
    return 1;
  }
  static V normal(Contact c) { return c == beak ? V{0, 0, -hS} : c == lower ? V{0, hM, 0} : V{0, -hM, 0}; }
  static V tangent(Contact c) { return c == beak ? V{1, lM, lG - lS} : V{1, rM, 0}; }
  static V rates(const State& s) { return {s[3], s[4], s[5]}; }

  // M x = b, by Cramer's rule.
  static V solve(const V& b) {
    const double a11 = mM + mS, a12 = mS * lM, a13 = mS * lG, a22 = JM + mS * lM * lM, a23 = mS * lM * lG,
                 a33 = JS + mS * lG * lG;
    const V c1{a22 * a33 - a23 * a23, a13 * a23 - a12 * a33, a12 * a23 - a13 * a22};
    const V c2{c1[1], a11 * a33 - a13 * a13, a12 * a13 - a11 * a23};
    const V c3{c1[2], c2[2], a11 * a22 - a12 * a12};
    const double det = a11 * c1[0] + a12 * c1[1] + a13 * c1[2];
    return {dot(c1, b) / det, dot(c2, b) / det, dot(c3, b) / det};
  }

  // Forces of the closed contact: sliding in the direction `sense`, or sticking (0).
  struct Forces {
    double N = 0, T = 0;
  };
  Forces forces(const State& s) const {
    if (closed == none) return {};
    const V n = normal(closed), t = tangent(closed), a = solve(smooth(s));
    const double nn = dot(n, solve(n)), nt = dot(n, solve(t)), tt = dot(t, solve(t));
    const double bn = -dot(n, a), bt = -dot(t, a);
    if (sense != 0) {
      const double N = bn / (nn - mu * sense * nt);
      return {N, -mu * sense * N};
    }
    const double det = nn * tt - nt * nt;
    return {(bn * tt - bt * nt) / det, (nn * bt - nt * bn) / det};
  }

  State slope(const State& s) const {
    V f = smooth(s);
    if (closed != none) {
      const Forces F = forces(s);
      const V n = normal(closed), t = tangent(closed);
      for (std::size_t k = 0; k < 3; ++k) f[k] += n[k] * F.N + t[k] * F.T;
    }
    const V a = solve(f);
    return {s[3], s[4], s[5], a[0], a[1], a[2]};
  }

  // Positive until something happens.
  double margin(const State& s) const {
    double least = 1;
    for (const Contact c : {beak, lower, upper}) {
      if (c != closed) least = std::min(least, gap(c, s) + 1e-12);
    }
    if (closed == none) return least;
    const Forces F = forces(s);
    least = std::min(least, F.N);
    if (sense != 0) return std::min(least, sense * dot(tangent(closed), rates(s)));
    return std::min(least, mu * F.N - std::abs(F.T));
  }

  // What happens where the margin is used up.
  void happen(State& s) {
    for (const Contact c : {beak, lower, upper}) {
      if (c == closed || gap(c, s) > 0 || dot(normal(c), rates(s)) >= 0) continue;
      REQUIRE(closed == none);
      hit(s, c);
      return;
    }
    const Forces F = forces(s);
    if (F.N <= 0) {
      closed = none;
    } else if (sense != 0) {
      sense = 0;  // try to stick
      const Forces stick = forces(s);
      if (std::abs(stick.T) > mu * stick.N) sense = stick.T > 0 ? -1 : 1;
    } else {
      sense = F.T > 0 ? -1 : 1;
    }
  }

  Contact closed = none;
  int sense = 0;
  int hits[4] = {0, 0, 0, 0};

 private:
  static V smooth(const State& s) {
    const double M = c_phi * (s[2] - s[1]);
    return {-(mM + mS) * g, -mS * g * lM + M, -mS * g * lG - M};
  }

  void hit(State& s, Contact c) {
    ++hits[c];
    const V n = normal(c), t = tangent(c), Mn = solve(n), Mt = solve(t);
    const double nn = dot(n, Mn), nt = dot(n, Mt), tt = dot(t, Mt);
    const double vn = dot(n, rates(s)), vt = dot(t, rates(s)), e = c == beak ? 0.5 : 0.0;
    const double det = nn * tt - nt * nt, bn = -(1 + e) * vn;
    double N = (bn * tt + vt * nt) / det, T = (-nn * vt - nt * bn) / det;
    sense = 0;
    if (std::abs(T) > mu * N) {
      // Slides afterwards: against the direction in which friction fails to hold it.
      sense = T > 0 ? -1 : 1;
      N = bn / (nn - mu * sense * nt);
      T = -mu * sense * N;
    }
    REQUIRE(N > 0);
    for (std::size_t k = 0; k < 3; ++k) s[3 + k] += Mn[k] * N + Mt[k] * T;
    if (e > 0) return;
    closed = c;
    if (sense == 0) {
      const Forces stick = forces(s);
      if (std::abs(stick.T) > mu * stick.N) sense = stick.T > 0 ? -1 : 1;
    }
    if (forces(s).N <= 0) closed = none;
  }

  static constexpr double mM = 0.0003, JM = 5e-9, mS = 0.0045, JS = 7e-7, c_phi = 0.0056, r0 = 0.0025, rM = 0.0031,
                          hM = 0.0058, lM = 0.01, lG = 0.015, hS = 0.02, lS = 0.0201, mu = 0.3, g = 9.81;
};

struct Cycle {
  double period = 0, drop = 0;
};

// Where phi_S falls through this angle, a new period begins: the sleeve slides on its lower edge.
constexpr double section = -0.3;

// On the lower edge, with the bird at phi_S.
Cycle reference(double v, double phi_S, double w, int* hits = nullptr) {
  Toy toy;
  State s{0, -0.0006 / 0.0058, phi_S, v, 0, w};
  toy.closed = Toy::lower;
  toy.sense = v < 0 ? -1 : 0;
  double t = 0, first = 0, first_y = 0;
  constexpr int settle = 20, periods = 20;
  int passed = 0;
  double last = s[2];
  for (int k = 0; passed < settle + periods + 1; ++k) {
    REQUIRE(k < 10000000);
    const State before = s;
    const double t_before = t;
    const bool event = integrate_until([&](double, const State& x) { return toy.slope(x); }, t, s, t + 2e-5, 2e-5,
                                       [&](double, const State& x) { return toy.margin(x); });
    if (last > section && s[2] <= section) {
      const double part = (last - section) / (last - s[2]);
      const double when = t_before + part * (t - t_before), y = before[0] + part * (s[0] - before[0]);
      if (passed == settle) first = when, first_y = y, std::fill(toy.hits, toy.hits + 4, 0);
      if (++passed == settle + periods + 1) {
        if (hits != nullptr) std::copy(toy.hits, toy.hits + 4, hits);
        return {(when - first) / periods, (first_y - y) / periods};
      }
    }
    last = s[2];
    if (event) toy.happen(s);
  }
  return {};
}

// The mean over the periods of a run, without the first ten.
Cycle cycle(const Trajectory& run) {
  const Column &phi = run["phi_S"], &y = run["y"];
  std::vector<double> times, heights;
  for (std::size_t k = 1; k < run.rows(); ++k) {
    if (!(phi[k - 1] > section && phi[k] <= section)) continue;
    const double part = (phi[k - 1] - section) / (phi[k - 1] - phi[k]);
    times.push_back(run.t[k - 1] + part * (run.t[k] - run.t[k - 1]));
    heights.push_back(y[k - 1] + part * (y[k] - y[k - 1]));
  }
  REQUIRE(times.size() > 20);
  const double n = static_cast<double>(times.size()) - 11;
  return {(times.back() - times[10]) / n, (heights[10] - heights.back()) / n};
}

}  // namespace

TEST_CASE("woodpecker: the limit cycle converges to that from event to event") {
  int hits[4];
  const Cycle exact = reference(-0.3411, -0.2788, -7.4583, hits);
  MESSAGE("from event to event: period " << exact.period << " s, drop " << exact.drop << " m");
  CHECK(exact.period == doctest::Approx(0.146).epsilon(0.01));
  CHECK(exact.drop == doctest::Approx(0.0195).epsilon(0.02));
  CHECK(hits[Toy::beak] == 20);
  Model model = Model::named("woodpecker");
  std::vector<Cycle> found;
  for (const double h : {4e-4, 2e-4, 1e-4, 5e-5}) {
    found.push_back(cycle(model.run({}, {.step = h, .until = 6})));
    MESSAGE("step " << h << ": period " << found.back().period << " s, drop " << found.back().drop << " m");
  }
  for (std::size_t k = 1; k < found.size(); ++k) {
    CHECK(std::abs(found[k].period - exact.period) < 0.75 * std::abs(found[k - 1].period - exact.period));
    CHECK(std::abs(found[k].drop - exact.drop) < 0.75 * std::abs(found[k - 1].drop - exact.drop));
  }
  CHECK(found.back().period == doctest::Approx(exact.period).epsilon(2e-3));
  CHECK(found.back().drop == doctest::Approx(exact.drop).epsilon(5e-3));
}

TEST_CASE("woodpecker: another start, another cycle") {
  Model model = Model::named("woodpecker");
  // Every other period is a long one.
  const Cycle exact = reference(0, -0.5, 0);
  const Cycle found = cycle(model.run({{"v0", 0}, {"psi0", -0.5}, {"w0", 0}}, {.step = 2.5e-5, .until = 6}));
  MESSAGE("from event to event: period " << exact.period << " s, drop " << exact.drop
                                         << " m; step 2.5e-5: " << found.period << " s, " << found.drop << " m");
  CHECK(found.period == doctest::Approx(exact.period).epsilon(5e-3));
  CHECK(found.drop == doctest::Approx(exact.drop).epsilon(1e-2));
}

TEST_CASE("woodpecker: it may hang still") {
  Model model = Model::named("woodpecker");
  // At rest, c (phi_S - phi_M) = -m_S g l_G, and friction carries all of the weight.
  const double psi = -0.1036 - 0.0045 * 9.81 * 0.015 / 0.0056;
  const Trajectory rest = model.run({{"v0", 0}, {"psi0", psi}, {"w0", 0}}, {.step = 1e-4, .until = 1});
  CHECK(std::abs(rest.last("y")) < 1e-9);
  CHECK(rest.last("lower.T") == doctest::Approx(0.0048 * 9.81));
  CHECK(rest.last("lower.N") == doctest::Approx(9.81 * (0.0045 * 0.025 - 0.0048 * 0.0031) / 0.0058));
  // With less friction it falls.
  const Trajectory fall = model.run({{"mu", 0.1}}, {.step = 1e-4, .until = 0.5});
  CHECK(fall.last("y") < -1);
}
