// models/tippe_top.nsm against theory: Jellett's quantity, and the spins at which its two equilibria lose their
// stability.
#include <Eigen/Eigenvalues>
#include <complex>

#include "tippe_top.hpp"

using namespace nsmc::test;
using namespace nsmc::test::tippe_top;

namespace {

// The balance of Jellett's quantity. Let S be the centre of mass, e the axis of the top, n the vertical. A sphere of
// radius r with its centre at a e touches the floor at r_C = a e - r n from S. Contact forces F act there, of any size
// and direction, and a drilling moment tau n. With the angular momentum L about S,
//     L' = r_C x F + tau n,   J = -L . r_C,
//     J' = -(r_C x F) . r_C - tau n . r_C - L . (a e') = tau (r - a cos(theta)) - a L . (omega x e).
// The first term vanishes: neither the normal nor the sliding force changes J. For a top of revolution, L = I1 omega +
// (I3 - I1)(omega . e) e lies in the plane of omega and e, so the last one does, too. What remains is
//     J' = tau (r - a cos(theta)),
// the drilling moment times the height of S above the contact. J is Jellett's invariant where there is none (R = 0).
Model with_jellett() {
  return Model::text(changed("tippe_top", {{"let a = top.axis(3)",
                                            "let a = top.axis(3)\n"
                                            "output of_head = dot(top.angular_momentum, [0, 0, r1] - a1*a)\n"
                                            "output of_tip = dot(top.angular_momentum, [0, 0, r2] - a2*a)"}}));
}

struct Balance {
  double change, error;  // over the quantity itself; the largest from `from` on
};

Balance balance(const Trajectory& run, const std::string& contact, double a, double r, double from) {
  const Column &J = run["of_" + contact], &tau = run[contact + ".tau"], &theta = run["inclination"];
  std::size_t k = 0;
  while (run.t[k] < from) ++k;
  const double first = J[k];
  double expected = first, change = 0, error = 0;
  for (++k; k < run.rows(); ++k) {
    // tau is the mean over the step that ends here
    expected += (run.t[k] - run.t[k - 1]) * tau[k] * (r - a * (std::cos(theta[k - 1]) + std::cos(theta[k])) / 2);
    change = std::max(change, std::abs(J[k] - first));
    error = std::max(error, std::abs(J[k] - expected));
  }
  return {change / std::abs(first), error / std::abs(first)};
}

// An equilibrium: head down (theta = 0) or tip down (theta = pi). h = r - a is the height of S.
struct Equilibrium {
  std::string name;
  double a, r;

  double h() const { return r - a; }

  // [Leine 2003, (18)] with its denominator corrected: omega^2 (r/h) (I3 - I1 r/h) = -a m g. At this spin a precession
  // of the tilted top rolls without slipping, at the rate Omega = r/h omega, so that friction neither drives nor damps
  // it.
  double critical() const {
    const double k = r / h();
    return std::sqrt(-a * kMass * kGravity / (k * (I3 - I1 * k)));
  }

  // The largest growth rate of small tilts with friction T = -epsilon slip, epsilon = mu m g 3 pi/8/(omega R) (17).
  // With the complex tilt zeta = e_x + i e_y and the velocity v of S,
  //     slip = v - h zeta' + i r omega zeta,   m v' = -epsilon slip,
  //     I1 zeta'' - i I3 omega zeta' + m g a zeta = h epsilon slip.
  double growth(double omega, double mu_over_R) const {
    using Complex = std::complex<double>;
    const Complex i(0, 1);
    const double eps = mu_over_R * kMass * kGravity * 3 * kPi / 8 / omega;
    Eigen::Matrix3cd A;                                                  // of (v, zeta, zeta')
    A << -eps / kMass, -eps / kMass * i * r * omega, eps / kMass * h(),  //
        0, 0, 1,                                                         //
        h() * eps / I1, (-kMass * kGravity * a + h() * eps * i * r * omega) / I1,
        (i * I3 * omega - h() * h() * eps) / I1;
    return Eigen::ComplexEigenSolver<Eigen::Matrix3cd>(A).eigenvalues().real().maxCoeff();
  }
};

const Equilibrium kOnHead{"head", a1, r1}, kOnTip{"tip", -a2, r2};

// The growth rate of a small tilt in a run: the slope of its logarithm over the second half.
double simulated_growth(Model& model, const Equilibrium& at, double omega, double mu_over_R, double step,
                        double until) {
  const bool head = at.a > 0;
  // Small, so that the slip stays far below R omega and the drilling moment mu N R hardly takes spin away.
  const double R = 5e-5, tilt = 1e-5, theta = head ? tilt : kPi - tilt;
  const double z = head ? r1 - a1 * std::cos(theta) : r2 - a2 * std::cos(theta);
  RunSettings settings{step, until};
  settings.tolerance = 1e-10;
  settings.every = static_cast<std::uint32_t>(std::lround(1e-2 / step));
  const Trajectory run =
      model.run({{"theta0", theta}, {"z0", z - 1e-12}, {"spin", omega}, {"R", R}, {"mu", mu_over_R * R}}, settings);
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t k = run.rows() / 2; k < run.rows(); ++k) {
    const double x = run.t[k], y = std::log(head ? run["inclination"][k] : kPi - run["inclination"][k]);
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace

TEST_CASE("tippe top: Jellett's quantity changes by the drilling moment, and by nothing else") {
  Model model = with_jellett();
  double change = 0;
  const auto head = [&](double R) {
    return convergence(1e-4, 3, [&, R](double step) {
      const Balance b = balance(model.run({{"R", R}}, {step, 1.3}), "head", a1, r1, 0);
      change = b.change;
      return b.error;
    });
  };
  // On the head: the friction force turns the top over and takes a third of its energy, but not of J.
  check_convergence("tippe top, balance of Jellett's quantity on the head", head(kRadius), 0.9, 8e-4);
  MESSAGE("of which it changes by " << change);
  CHECK(change > 0.012);
  check_convergence("tippe top, Jellett's invariant without a drilling moment", head(0), 0.9, 5e-7);
  // On the tip, where drilling takes more of it.
  const Convergence tip = convergence(1e-4, 3, [&](double step) {
    const Balance b = balance(model.run({}, {step, 3}), "tip", a2, r2, 1.4);
    change = b.change;
    return b.error;
  });
  check_convergence("tippe top, balance of Jellett's quantity on the tip", tip, 0.9, 5e-5);
  MESSAGE("of which it changes by " << change);
  CHECK(change > 0.1);
}

TEST_CASE("tippe top: small tilts grow and decay as linear theory says, and change at the critical spins") {
  Model model = Model::named("tippe_top");
  CHECK(kOnHead.critical() == doctest::Approx(21.6998).epsilon(1e-5));
  CHECK(kOnTip.critical() == doctest::Approx(88.1074).epsilon(1e-5));
  struct Case {
    Equilibrium at;
    double mu_over_R, until;  // a ratio at which rates are large; time for the other modes to die out
  };
  for (const Case& c : {Case{kOnHead, 20, 8}, Case{kOnTip, 60, 1.2}}) {
    CAPTURE(c.at.name);
    const double critical = c.at.critical();
    const auto rate = [&](double ratio) {
      const double theory = c.at.growth(ratio * critical, c.mu_over_R);
      const double seen = simulated_growth(model, c.at, ratio * critical, c.mu_over_R, 5e-5, c.until);
      MESSAGE(c.at.name << ": at " << ratio << " of the critical spin a tilt grows by " << seen << " 1/s, in theory by "
                        << theory);
      return std::pair(seen, theory);
    };
    // The head is unstable above, the tip below.
    const double sign = c.at.a > 0 ? 1 : -1;
    for (const double ratio : {0.9, 1.1}) {
      const auto [seen, theory] = rate(ratio);
      CHECK(seen == doctest::Approx(theory).epsilon(0.03));
      CHECK(sign * (ratio - 1) * seen > 0);
    }
    // Where the rate vanishes, by a straight line between two runs.
    const double below = rate(0.98).first, above = rate(1.02).first;
    CHECK(sign * below < 0);
    CHECK(sign * above > 0);
    const double vanishes = 0.98 + 0.04 * below / (below - above);
    MESSAGE(c.at.name << ": the rate vanishes at " << vanishes * critical << " rad/s, critical spin " << critical);
    CHECK(vanishes == doctest::Approx(1).epsilon(3e-3));
  }
}
