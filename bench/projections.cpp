// How exact projections on sets by functions are, how often they do not get to the end, and what they cost: the
// families of tests/set_families/set_families.hpp, whose answers are known by construction, in two to six dimensions.
// Points inside are made of those on the boundary; they have to stay where they are.
//
// Fails if a point is off by more than is promised, 1e-12 of it or of the set in the plane and 1e-9 beyond, or by more
// than ten times both that and what its residual admits. Of exotic families only the latter is asked.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

#include "bench/options.hpp"
#include "tests/set_families/set_families.hpp"

using set_families::Family;

namespace {

constexpr double exact = 1e-12, promised = 1e-9;
constexpr double distances[] = {1e-9, 1e-6, 1e-4, 1e-2, 0.5, 10, 1e3, 1e6};
constexpr double depths[] = {0.5, 0.1, 1e-2, 1e-4, 1e-6};  // below the boundary

struct Tally {
  int points = 0, off = 0, open = 0, lies = 0;
  double worst = 0, seconds = 0;

  void add(const set_families::Set& set, const set_families::Vector& y, const set_families::Vector& nearest,
           double size, double allowed) {
    set_families::Vector z = y;
    const auto start = std::chrono::steady_clock::now();
    const double residual = set.prox(z);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double error = (z - nearest).norm();
    ++points;
    if (!(error <= allowed * size)) ++off;
    if (!(error <= 10 * std::max(residual, allowed * size))) ++lies;
    if (!(residual <= promised * size)) ++open;
    if (!(error <= worst * size)) worst = error / size;
  }
  void print(const char* name, int n, const char* where) const {
    std::printf("%-36s %d %-8s %6d %5d %10.1e %7.1f %% %5d %12.1f\n", name, n, where, points, off, worst,
                100.0 * open / points, lies, 1e6 * seconds / points);
    std::fflush(stdout);
  }
};

bool report(const Family& family, int n, int points, unsigned seed, bool is_promised) {
  std::mt19937 generator(seed);
  Tally outside, inside;
  const double allowed = n == 2 ? exact : promised;
  for (int number = 0; number < points; ++number) {
    const double distance = distances[static_cast<std::size_t>(number) % std::size(distances)];
    const set_families::Sample s = set_families::sample(family, n, distance, generator);
    outside.add(s.set, s.y, s.nearest, s.size, allowed);
    const set_families::Vector below = s.nearest * (1 - depths[static_cast<std::size_t>(number) % std::size(depths)]);
    inside.add(s.set, below, below, s.size, 0);
  }
  outside.print(family.name, n, "outside");
  inside.print(family.name, n, "inside");
  return outside.lies + inside.lies == 0 && (!is_promised || outside.off + inside.off == 0);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Projections on sets by functions, against answers that are known by construction");
  int points = 400, seed = 1;
  nsmc::bench::add_quick(app, "few points", [&] { points = 16; });
  nsmc::bench::add_number(app, "--points", points, "how many of each family and dimension");
  nsmc::bench::add_number(app, "--seed", seed, "of the random numbers");
  std::string only;
  app.add_option("--only", only, "families whose name contains this");
  return nsmc::bench::run(app, argc, argv, [&] {
    std::printf("%-36s n where    points   off      worst      open  lies  microseconds\n", "set");
    bool good = true;
    for (const auto* list : {&set_families::families, &set_families::exotic_families}) {
      const bool is_promised = list == &set_families::families;
      if (!is_promised) std::printf("beyond what is promised:\n");
      for (const Family& family : *list) {
        if (std::string_view(family.name).find(only) == std::string_view::npos) continue;
        const bool is_slow = family.asked == set_families::Asked::polar;
        for (int n = 2; n <= 6; ++n) {
          good =
              report(family, n, is_slow ? (points + 9) / 10 : points, static_cast<unsigned>(seed), is_promised) && good;
        }
      }
    }
    return good;
  });
}
