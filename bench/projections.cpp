// How exact projections on sets by functions are, and what they cost: all families of
// tests/kink_families/kink_families.hpp, many points each, against a reference in long double. Fails if any point is
// off by more than 1e-12 of it or of the set, whichever is larger. Points inside are made of those on the boundary;
// they have to stay where they are. Images of the sets under random maps, whose ridges are no longer perpendicular, are
// held against the ellipsoid method (nearest_by_cuts.hpp).
#include <chrono>
#include <cstdio>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include "bench/options.hpp"
#include "runtime/sets/by_function/gauge_set.hpp"
#include "runtime/sets/by_function/nearest_by_cuts.hpp"
#include "runtime/sets/by_function/support_set.hpp"
#include "tests/kink_families/kink_families.hpp"

using namespace nsmc::rt;
using kink_families::Direction;
using kink_families::Family;

namespace {

constexpr double allowed = 1e-12;

// The kernel of 113 bits of the present function, and whether a projection has called it: nearest_by_cuts alone does.
nsm_quad_kernel precise = nullptr;
bool was_precise = false;
void notice_precise(const nsm_quad_view* view, nsm_quad* out) {
  was_precise = true;
  precise(view, out);
}

constexpr double depths[] = {0.5, 0.1, 1e-2, 1e-4, 1e-6};  // below the boundary

struct Tally {
  int points = 0, off = 0, by_cuts = 0;
  double worst = 0, seconds = 0;

  template <int n>
  void add(const Family& family, const HomogeneousFunction& f, const Direction<n>& y, const Direction<n>& nearest,
           double size) {
    Direction<n> z = y;
    precise = f.precise;
    was_precise = false;
    HomogeneousFunction noticed = f;
    if (precise != nullptr) noticed.precise = notice_precise;
    const auto start = std::chrono::steady_clock::now();
    if (family.asked() == Given::by_gauge) {
      GaugeSet{noticed, 1}.prox(z.data());
    } else {
      SupportSet{noticed, 1}.prox(z.data());
    }
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double error = (z - nearest).norm() / size;
    ++points;
    if (was_precise) ++by_cuts;
    if (!(error <= allowed)) ++off;
    if (!(error <= worst)) worst = error;
  }
};

template <int n>
void look_at(const Family& family, int sets, unsigned seed, Tally& outside, Tally& inside) {
  int number = 0;
  kink_families::for_each_point<n>(
      family, sets, seed, [&](const HomogeneousFunction& f, const auto& y, const Direction<n>& nearest, double size) {
        outside.add<n>(family, f, y, nearest, size);
        const Direction<n> below = nearest * (1 - depths[++number % std::size(depths)]);
        inside.add<n>(family, f, below, below, size);
      });
}

template <int n>
void look_at_images(const Family& family, int sets, unsigned seed, Tally& tally) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  for (int number = 0; number < sets; ++number) {
    kink_families::Member<n> member(family, number, generator);
    member.map(family, kink_families::regular_map(n, generator));
    const HomogeneousFunction f = member.function(family);
    for (const double distance : {0.5, 1.0, 3.0, 10.0}) {
      Direction<n> y, nearest = Direction<n>::Zero();
      for (double& value : y) value = distance * member.size() * normal(generator);
      int evaluations = 0;
      const bool known = nearest_by_cuts(f, family.asked(), y.data(), nearest.data(), evaluations);
      if (!known) nearest.setConstant(std::numeric_limits<double>::quiet_NaN());
      tally.add<n>(family, f, y, nearest, std::max(y.norm(), member.size()));
    }
  }
}

void print(const char* name, int n, const char* where, const Tally& t) {
  std::printf("%-42s %d %-8s %6d %5d %10.1e %8d %12.1f\n", name, n, where, t.points, t.off, t.worst, t.by_cuts,
              1e6 * t.seconds / t.points);
  std::fflush(stdout);
}

template <int n>
bool report(const Family& family, int sets, unsigned seed) {
  if (family.kind == Family::disc && n == 2) return true;
  Tally outside, inside, images;
  look_at<n>(family, sets, seed, outside, inside);
  print(family.name, n, "outside", outside);
  print(family.name, n, "inside", inside);
  if (family.is_polar()) return outside.off + inside.off == 0;
  look_at_images<n>(family, sets, seed, images);
  print(family.name, n, "mapped", images);
  return outside.off + inside.off + images.off == 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Projections on sets by functions, against a reference");
  int sets = 40, seed = 1;
  bool quick = false;
  nsmc::bench::add_quick(app, "few sets", [&] {
    sets = 2;
    quick = true;
  });
  nsmc::bench::add_number(app, "--sets", sets, "how many of each family and dimension, with 8 points each");
  nsmc::bench::add_number(app, "--seed", seed, "of the random numbers");
  std::string only;
  app.add_option("--only", only, "families whose name contains this");
  return nsmc::bench::run(app, argc, argv, [&] {
    std::printf("%-42s n where    points   off      worst  by cuts  microseconds\n", "set");
    bool good = true;
    for (const Family& family : kink_families::all) {
      if (std::string_view(family.name).find(only) == std::string_view::npos) continue;
      const auto from = static_cast<unsigned>(seed);
      const int count = family.is_polar() || (family.root && quick) ? (sets + 9) / 10 : sets;
      good = report<2>(family, count, from) && good;
      if (family.is_polar() && quick) continue;
      good = report<3>(family, count, from) && good;
      good = report<4>(family, count, from) && good;
      if (family.root && quick) continue;
      good = report<5>(family, count, from) && good;
      good = report<6>(family, count, from) && good;
    }
    return good;
  });
}
