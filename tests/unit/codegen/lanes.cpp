// Kernels over lanes against plain kernels: every lane has the bits of a plain kernel with the same numbers.
#include <doctest/doctest.h>

#include <bit>
#include <cstdlib>
#include <memory>
#include <set>

#include "compiler/codegen/jit.hpp"
#include "compiler/codegen/vector_library.hpp"
#include "runtime/small/lane_memory.hpp"
#include "runtime/small/lane_step.hpp"
#include "tests/unit/codegen/random_expressions.hpp"
#include "tests/unit/codegen/state.hpp"

using namespace nsmc;
using namespace nsmc::sym;

namespace {

bool same_bits(double x, double y) {
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

// The states of all lanes in the layout of lane_abi.hpp.
struct LaneStates {
  explicit LaneStates(std::vector<test::State>& states) : t(lanes(states)), parts() {
    for (std::size_t l = 0; l < states.size(); ++l) t.data()[l] = states[l].t;
    const auto add = [&](auto member) {
      const std::size_t n = member(states[0]).size();
      parts.push_back(std::make_unique<rt::LaneMemory>(n * states.size()));
      for (std::size_t l = 0; l < states.size(); ++l)
        for (std::size_t i = 0; i < n; ++i) parts.back()->data()[i * states.size() + l] = member(states[l])[i];
      return parts.back()->data();
    };
    view.t = t.data();
    view.p = add([](test::State & s) -> auto& { return s.p; });
    view.q[0] = add([](test::State & s) -> auto& { return s.q[0]; });
    view.q[1] = add([](test::State & s) -> auto& { return s.q[1]; });
    view.u[0] = add([](test::State & s) -> auto& { return s.u[0]; });
    view.u[1] = add([](test::State & s) -> auto& { return s.u[1]; });
    view.lambda = add([](test::State & s) -> auto& { return s.lambda; });
    view.shared = add([](test::State & s) -> auto& { return s.shared; });
    view.z = add([](test::State & s) -> auto& { return s.z; });
  }
  static rt::LaneMemory lanes(const std::vector<test::State>& states) { return rt::LaneMemory(states.size()); }

  rt::LaneMemory t;
  std::vector<std::unique_ptr<rt::LaneMemory>> parts;
  nsm_lane_view view{};
};

// Random kernels of one seed, over lanes and plain; calls check(value in the lane, value of the plain kernel).
template <class Check>
void compare(unsigned seed, const LaneShape& shape, Check&& check) {
  CAPTURE(seed);
  CAPTURE(shape.lanes);
  ExprPool pool;
  const std::vector<KernelSpec> specs = test::random_kernels(pool, seed);
  const ProgramSet programs = lower(pool, specs);
  const CompiledKernels plain(programs), over_lanes(programs, nullptr, nullptr, Fusing::never, shape);
  std::vector<test::State> states;
  for (unsigned l = 0; l < shape.lanes; ++l) {
    states.emplace_back(100 * seed + l);
    states.back().t = 0.1 * l;
    if (l == 1) states.back().q[0][0] = std::numeric_limits<double>::infinity();
    if (l == 2) states.back().u[0][1] = 0;
  }
  std::vector<nsm_view> views;
  for (test::State& state : states) {
    views.push_back(state.view(programs));
    if (nsm_kernel prepare = plain.find({KernelKind::prepare})) prepare(&views.back(), nullptr);
  }
  LaneStates lanes(states);
  for (const KernelSpec& spec : specs) {
    const std::size_t n = spec.outputs.size();
    rt::LaneMemory out(n * shape.lanes);
    over_lanes.find_lanes(spec.id)(&lanes.view, out.data());
    for (unsigned l = 0; l < shape.lanes; ++l) {
      CAPTURE(l);
      std::vector<double> expected(n, -77);
      plain.find(spec.id)(&views[l], expected.data());
      for (std::size_t i = 0; i < n; ++i) {
        CAPTURE(to_infix(pool, spec.outputs[i], 300));
        check(out.data()[i * shape.lanes + l], expected[i]);
      }
    }
  }
}

std::vector<unsigned> lane_counts() {
  std::vector<unsigned> counts;
  for (const unsigned lanes : {4u, 8u}) {
    if (lanes <= rt::lanes_of_processor()) counts.push_back(lanes);
  }
  return counts;
}

}  // namespace

TEST_CASE("exact kernels over lanes have the bits of plain kernels") {
  for (const unsigned lanes : lane_counts()) {
    for (unsigned seed = 0; seed < 12; ++seed) {
      compare(seed, {lanes, true}, [](double x, double y) {
        CAPTURE(x);
        CAPTURE(y);
        CHECK(same_bits(x, y));
      });
    }
  }
}

TEST_CASE("kernels with functions over lanes agree up to rounding") {
  for (const unsigned lanes : lane_counts()) {
    for (unsigned seed = 0; seed < 12; ++seed) {
      compare(seed, {lanes, false}, [](double x, double y) {
        CAPTURE(x);
        CAPTURE(y);
        if (std::isfinite(y)) CHECK(std::abs(x - y) <= 1e-12 * std::max(1.0, std::abs(y)));
      });
    }
  }
}

TEST_CASE("functions over lanes are those of the library, and none where bits count") {
  for (const char* name : {"sin", "pow", "atan2"}) {
    CHECK(vector_library_function(name, {8, true}) == nullptr);
    CHECK(vector_library_function(name, {1, false}) == nullptr);
  }
  CHECK(vector_library_function("no such function", {8, false}) == nullptr);
  std::set<std::string_view> names;
  for (const LibraryFunction& f : vector_library_functions()) {
    CHECK(f.address != nullptr);
    CHECK(names.insert(f.name).second);
  }
}
