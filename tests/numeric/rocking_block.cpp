// models/rocking_block.nsm: Housner's block against an independent integration about its corners, with his velocity
// ratio at every impact.
#include "reference.hpp"
#include "run_model.hpp"

using namespace nsmc::test;

namespace {

struct Block {
  double b = 0.02, h = 0.1, g = 9.81;
  double R() const { return std::hypot(b, h); }
  double alpha() const { return std::atan2(b, h); }
  double p2() const { return 3 * g / (4 * R()); }
  double ratio() const { return 1 - 1.5 * std::sin(alpha()) * std::sin(alpha()); }
};

// The tilt in the sense of the model: negative about the right corner.
struct Rocking {
  Sampled<2> angle;
  std::vector<double> impacts;
};

Rocking rocking(const Block& block, double theta0, double until) {
  Rocking result;
  double side = -1, t = 0;
  Vec<2> y{theta0, 0};  // |tilt| and its rate
  const double p2 = block.p2(), alpha = block.alpha();
  const auto f = [&](double, const Vec<2>& x) { return Vec<2>{x[1], -p2 * std::sin(alpha - x[0])}; };
  const auto add = [&] { result.angle.add(t, {side * y[0], side * y[1]}, {side * y[1], side * f(t, y)[1]}); };
  const double h = 1e-4;
  add();
  while (t < until) {
    const bool hit = integrate_until(f, t, y, std::min(t + h, until), h, [](double, const Vec<2>& x) { return x[0]; });
    add();
    if (!hit) continue;
    result.impacts.push_back(t);
    side = -side;
    y = {0, -block.ratio() * y[1]};
    add();
  }
  return result;
}

// The row after the first impact: the first at which the other corner bears.
std::size_t first_impact(const Trajectory& run) {
  for (std::size_t k = 0; k < run.rows(); ++k) {
    if (run["corners[1].N"][k] > 0) return k;
  }
  FAIL("no impact");
  return 0;
}

}  // namespace

TEST_CASE("rocking block: the first impact comes at Housner's T/4 if the block is slender") {
  Model model = Model::named("rocking_block");
  for (const double b : {0.02, 0.01}) {
    const Block block{b};
    for (const double part : {0.2, 0.5, 0.8}) {
      CAPTURE(b);
      CAPTURE(part);
      const double theta0 = part * block.alpha();
      const double expected = std::acosh(1 / (1 - part)) / std::sqrt(block.p2());
      const Trajectory run = model.run({{"b", b}, {"theta0", theta0}}, {1e-4, 0.5});
      CHECK(run["first_impact"][0] == doctest::Approx(expected).epsilon(1e-12));
      // sin(x) = x is wrong by x^2/6, for x <= alpha = 0.2.
      CHECK(run.t[first_impact(run)] == doctest::Approx(expected).epsilon(block.alpha() * block.alpha() / 6 + 1e-3));
      CHECK(run.t[first_impact(run)] == doctest::Approx(rocking(block, theta0, 0.5).impacts[0]).epsilon(1e-3));
    }
  }
}

TEST_CASE("rocking block: the velocity after the first impact is 1 - 3/2 sin^2(alpha) of that before it") {
  Model model = Model::named("rocking_block");
  for (const auto& [b, h] : {std::pair(0.02, 0.1), std::pair(0.05, 0.1), std::pair(0.1, 0.1), std::pair(0.12, 0.1)}) {
    CAPTURE(b);
    const Block block{b, h};
    const auto error = [&](double dt) {
      const Trajectory run = model.run({{"b", b}, {"h", h}, {"mu", 2}}, {dt, 0.3});
      const std::size_t k = first_impact(run);
      CHECK(run["corners[2].N"][k] == 0);  // no percussion where the block stood before: it leaves the ground
      CHECK(run["corners[2].gap"][k + 2] > 0);
      return std::abs(run["block.spin"][k] / run["block.spin"][k - 1] - block.ratio());
    };
    const Convergence c = convergence(8e-4, 4, [&](double step) { return worst_error(step, error); });
    check_convergence("rocking block, ratio", c, 0.7, 4e-3);
  }
}

TEST_CASE("rocking block: a slender block rocks through many impacts as the independent integration does") {
  Model model = Model::named("rocking_block");
  const Rocking exact = rocking({}, 0.1, 2);
  CHECK(exact.impacts.size() >= 10);
  const Convergence c = convergence(2e-4, 4, [&](double step) {
    return worst_error(step, [&](double dt) {
      return max_error(model.run({}, {dt}), "block.angle", [&](double t) { return exact.angle(t, 0); });
    });
  });
  check_convergence("rocking block, angle", c, 0.8, 4e-3);
}

TEST_CASE("rocking block: a stocky block stops at its first impact") {
  Model model = Model::named("rocking_block");
  for (const auto& [b, h] : {std::pair(0.1, 0.05), std::pair(0.1, 0.07)}) {  // 1/sqrt(2) = 0.7071
    CAPTURE(h);
    CHECK(Block{b, h}.ratio() < 0);
    const Trajectory run = model.run({{"b", b}, {"h", h}, {"mu", 2}}, {1e-4, 0.4});
    const std::size_t k = first_impact(run);
    CHECK(run.t[k] < 0.3);
    CHECK(run["corners[2].N"][k] > 0);
    for (std::size_t i = k; i < run.rows(); ++i) CHECK(std::abs(run["block.spin"][i]) < 1e-11);
    CHECK(std::abs(run.last("block.angle")) < 1e-3);  // the way of one step
    CHECK(run.last("corners[1].N") + run.last("corners[2].N") == doctest::Approx(9.81).epsilon(1e-9));
  }
  CHECK(Block{0.1, 0.072}.ratio() > 0);
  const Trajectory rocks = model.run({{"b", 0.1}, {"h", 0.09}, {"mu", 2}}, {1e-4, 0.4});
  CHECK(rocks["block.spin"][first_impact(rocks)] > 0.1);
}

// With Newton's restitution the corner that strikes goes up with e times its velocity, and sticks along the ground.
// About it the angular momentum is kept, as the other corner leaves without a percussion.
TEST_CASE("rocking block: an impact with restitution") {
  Model model = Model::named("rocking_block");
  for (const double e : {0.2, 0.5, 0.8}) {
    CAPTURE(e);
    const Block block;
    const Trajectory run = model.run({{"e", e}, {"mu", 2}}, {1e-5, 0.3});
    const std::size_t k = first_impact(run);
    const double w = run["block.spin"][k - 1];
    // The centre is at (b, h) from the corner. Before: velocity (-h, -b) w. After: (-h w2, v + b w2), v = 2 b e w.
    //     R^2/3 w2 + b (v + b w2) + h^2 w2 = R^2/3 w - b^2 w + h^2 w
    const double R2 = block.R() * block.R(), b = block.b, h = block.h;
    const double v = e * 2 * b * w;
    const double w2 = ((R2 / 3 - b * b + h * h) * w - b * v) / (4 * R2 / 3);
    CHECK(run["block.spin"][k] == doctest::Approx(w2).epsilon(2e-3));
    CHECK(run["block.velocity[1]"][k] == doctest::Approx(-h * w2).epsilon(2e-3));
    CHECK(run["block.velocity[2]"][k] == doctest::Approx(v + b * w2).epsilon(5e-3));
    CHECK(run["corners[2].N"][k] == 0);
  }
}
