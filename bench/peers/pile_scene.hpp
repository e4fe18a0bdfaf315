// Spheres that fall into a box, as bench/models/pile.nsm has them, for programs other than nsmc.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <vector>

namespace nsmc::bench {

struct PileScene {
  int n, k;  // spheres, and how many stand side by side at the start
  double m = 0.1, r = 0.02, mu = 0.3, v = 0.5, g = 9.81, dt = 1e-3;

  double pitch() const { return 2.3 * r; }
  double half() const { return k * pitch() / 2; }
  std::array<double, 3> position(int index) const {
    const int i = index + 1, column = index % (k * k);
    return {-half() + pitch() * (0.5 + column % k) + 0.1 * r * std::sin(7.0 * i),
            -half() + pitch() * (0.5 + column / k) + 0.1 * r * std::sin(11.0 * i),
            1.05 * r + pitch() * (index / (k * k)) + 0.05 * r * std::sin(13.0 * i)};
  }
  std::array<double, 3> velocity(int index) const {
    const int i = index + 1;
    return {0.2 * v * std::sin(5.0 * i), 0.2 * v * std::sin(3.0 * i), -v};
  }
};

// Where the spheres are and how they move, in the units of the scene.
struct PileState {
  std::vector<std::array<double, 3>> position, velocity, spin;
};

// A pile in the hands of another program.
class PeerPile {
 public:
  virtual ~PeerPile() = default;
  virtual void step() = 0;
  virtual PileState state() const = 0;
};

// With so many sweeps of its sequential impulses in a step.
std::unique_ptr<PeerPile> bullet_pile(const PileScene& scene, int sweeps);
std::unique_ptr<PeerPile> ode_pile(const PileScene& scene, int sweeps);

}  // namespace nsmc::bench
