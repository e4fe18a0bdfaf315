// A view on plain arrays, as the runtime would hand it to kernels, and the same numbers for the interpreter.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "compiler/codegen/program.hpp"
#include "runtime/kernel_abi.hpp"

namespace nsmc::test {

struct State {
  double t = 0.75;
  std::vector<double> p, q[2], u[2], lambda, z, shared;

  explicit State(unsigned seed, std::size_t n = 8) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> magnitude(0.5, 1.5);
    for (std::vector<double>* v : {&p, &q[0], &q[1], &u[0], &u[1], &lambda, &z}) {
      v->resize(n);
      for (double& x : *v) x = magnitude(random) * (random() % 3 == 0 ? -1 : 1);
    }
  }

  nsm_view view(const ProgramSet& programs) {
    shared.assign(programs.n_shared + 1, std::nan(""));
    return view();
  }
  nsm_view view() {
    return {t,
            p.data(),
            nullptr,
            {q[0].data(), q[1].data()},
            {u[0].data(), u[1].data()},
            lambda.data(),
            shared.data(),
            z.data(),
            nullptr};
  }

  double operator()(const sym::Symbol& s) const {
    const bool second = s.index >= second_block;
    switch (s.source) {
      case sym::Source::parameter: return p[s.index];
      case sym::Source::time: return t;
      case sym::Source::coordinate: return q[second ? 1 : 0][s.index % second_block];
      case sym::Source::velocity: return u[second ? 1 : 0][s.index % second_block];
      case sym::Source::force: return lambda[s.index];
      case sym::Source::signal: return z[s.index];
      case sym::Source::instance: break;  // not in these tests
    }
    return 0;
  }
};

inline std::size_t count(const Program& program, Opcode opcode) {
  std::size_t n = 0;
  for (const Instruction& s : program.instructions) n += s.opcode == opcode;
  return n;
}

}  // namespace nsmc::test
