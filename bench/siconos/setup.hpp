// What the runs by Siconos share: the simulation, solvers of contact problems, rigid bodies and their contacts.
//
// One step is one Newton iteration (SICONOS_TS_LINEAR): directions of contacts and gyroscopic moments are taken once
// per step, as nsmc does; Siconos takes them where the step would end without contacts, q_k + dt v_k, nsmc at the
// midpoint. A contact is closed if its gap, continued to the midpoint with the velocity at the beginning, is <=
// `slack`.
#pragma once

#include <Friction_cst.h>
#include <SolverOptions.h>
#include <dlfcn.h>

#include <SiconosKernel.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "bench/handwritten/runs.hpp"
#include "bench/siconos/runs.hpp"
#include "bench/timing.hpp"

namespace nsmc::bench {
namespace {

inline SP::SiconosVector vector_of(std::initializer_list<double> values) {
  auto vector = std::make_shared<SiconosVector>(static_cast<unsigned>(values.size()));
  std::copy(values.begin(), values.end(), vector->getArray());
  return vector;
}

inline SP::SimpleMatrix diagonal_of(std::initializer_list<double> values) {
  const auto n = static_cast<unsigned>(values.size());
  auto matrix = std::make_shared<SimpleMatrix>(n, n);
  unsigned k = 0;
  for (const double value : values) {
    (*matrix)(k, k) = value;
    ++k;
  }
  return matrix;
}

inline std::shared_ptr<FrictionContact> friction_problem(int dimension, int solver, int most_iterations,
                                                         NM_types storage) {
  auto problem = std::make_shared<FrictionContact>(dimension, solver);
  SolverOptions& options = *problem->numericsSolverOptions();
  options.dparam[SICONOS_DPARAM_TOL] = run_tolerance;
  options.iparam[SICONOS_IPARAM_MAX_ITER] = most_iterations;
  problem->setMStorageType(storage);
  problem->setKeepLambdaAndYState(true);  // start from the percussions of the step before
  return problem;
}

// Gauss-Seidel over the contacts, each solved by Siconos' own choice (by formulas in the plane, by Newton's method
// else). Its error is |r - r_before|/|r| of a sweep over all percussions r; nsmc weights them with G, the tolerance is
// the same.
inline std::shared_ptr<FrictionContact> gauss_seidel(int dimension, NM_types storage = NM_DENSE) {
  auto problem = friction_problem(dimension, dimension == 2 ? SICONOS_FRICTION_2D_NSGS : SICONOS_FRICTION_3D_NSGS,
                                  run_most_sweeps, storage);
  problem->numericsSolverOptions()->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
      SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT;
  return problem;
}

// Newton's method for all contacts together. Of its formulations that of Jean and Moreau alone converges for 1000
// spheres. Its error is |r - P(r - u~)|/max(|q|, |r|, |u|), P the projection onto the cones and u~ = u + (mu |u_T|, 0,
// 0).
inline std::shared_ptr<FrictionContact> newton() {
  auto problem = friction_problem(3, SICONOS_FRICTION_3D_NSN_AC, 100, NM_SPARSE_BLOCK);
  SolverOptions& options = *problem->numericsSolverOptions();
  options.iparam[SICONOS_FRICTION_3D_NSN_FORMULATION] = SICONOS_FRICTION_3D_NSN_FORMULATION_JEANMOREAU_STD;
  options.iparam[SICONOS_FRICTION_3D_NSN_LINESEARCH] = SICONOS_FRICTION_3D_NSN_LINESEARCH_NO;
  return problem;
}

// OpenBLAS, if that is behind Siconos, wakes threads for matrices of six rows: with one it is 1.4 times as fast.
inline void use_one_thread() {
  using SetThreads = void (*)(int);
  if (void* set = dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) reinterpret_cast<SetThreads>(set)(1);
}

// Siconos says on the standard output when a solver has not converged; here it is seen in the residual.
inline void say_nothing(int, Simulation*) {}

class SiconosSimulation {
 public:
  SiconosSimulation(double dt, std::uint64_t steps, SP::OneStepNSProblem problem, double slack = 0)
      : steps_(steps), problem_(problem) {
    system_ = std::make_shared<NonSmoothDynamicalSystem>(0, static_cast<double>(steps + 1) * dt);
    auto scheme = std::make_shared<MoreauJeanOSI>(0.5);  // closed at gamma = 1/2 unless told otherwise
    scheme->setConstraintActivationThreshold(slack);
    simulation_ = std::make_shared<TimeStepping>(system_, std::make_shared<TimeDiscretisation>(0, dt), scheme, problem);
    simulation_->setNewtonOptions(SICONOS_TS_LINEAR);
    simulation_->setCheckSolverFunction(say_nothing);
  }

  void add(SP::DynamicalSystem body) { system_->insertDynamicalSystem(body); }

  void link(SP::NonSmoothLaw law, SP::Relation relation, SP::DynamicalSystem first,
            SP::DynamicalSystem second = nullptr) {
    system_->link(std::make_shared<Interaction>(law, relation), first, second);
  }

  SiconosResult run() {
    use_one_thread();
    simulation_->initialize();
    const SolverOptions& options = *problem_->numericsSolverOptions();
    const SP::InteractionsGraph closed = simulation_->indexSet(1);
    SiconosResult result{0, 0, 0};
    const double start = processor_time();
    for (std::uint64_t k = 0; k < steps_; ++k) {
      const bool solved = closed->size() > 0;
      simulation_->computeOneStep();
      if (solved) {
        result.sweeps += options.iparam[SICONOS_IPARAM_ITER_DONE];
        result.residual = std::max(result.residual, options.dparam[SICONOS_DPARAM_RESIDU]);
      }
      simulation_->nextStep();
    }
    result.ns = (processor_time() - start) / static_cast<double>(steps_);
    result.sweeps /= static_cast<double>(steps_);
    return result;
  }

 private:
  std::uint64_t steps_;
  SP::OneStepNSProblem problem_;
  std::shared_ptr<NonSmoothDynamicalSystem> system_;
  std::shared_ptr<TimeStepping> simulation_;
};

template <class Body>
inline void write_state(const Body& body, double*& q, double*& u) {
  q = std::copy_n(body.q()->getArray(), body.q()->size(), q);
  u = std::copy_n(body.velocity()->getArray(), body.velocity()->size(), u);
}

inline constexpr double standard_gravity = 9.81;

// q = (x, e), u = (v, spin in the frame of the body), as nsmc has them.
inline SP::NewtonEulerDS rigid_body(double m, std::initializer_list<double> inertia, std::initializer_list<double> q,
                                    std::initializer_list<double> u) {
  auto body = std::make_shared<NewtonEulerDS>(vector_of(q), vector_of(u), m, diagonal_of(inertia));
  body->setFExtPtr(vector_of({0, 0, -m * standard_gravity}));
  const double* I = inertia.begin();
  body->setNullifyMGyr(I[0] == I[1] && I[1] == I[2]);
  return body;
}

inline SP::NewtonEulerDS ball(double m, double r, std::initializer_list<double> q, std::initializer_list<double> u) {
  const double I = 2. / 5 * m * r * r;
  return rigid_body(m, {I, I, I}, q, u);
}

// A sphere of a body, its centre at (0, 0, a) in the frame of the body, on the plane z = 0.
class SphereOnFloor final : public NewtonEuler3DR {
 public:
  SphereOnFloor(double r, double a) : r_(r), a_(a) {
    for (SP::SiconosVector n : {_Nc, _relNc}) (*n)(2) = 1;
  }

  void computeh(double, const BlockVector& q0, SiconosVector& y) override {
    const double* q = q0.getAllVect()[0]->getArray();
    const double *x = q, *e = q + 3;
    double *p1 = _Pc1->getArray(), *p2 = _Pc2->getArray();
    p2[0] = p1[0] = x[0] + a_ * 2 * (e[1] * e[3] + e[0] * e[2]);
    p2[1] = p1[1] = x[1] + a_ * 2 * (e[2] * e[3] - e[0] * e[1]);
    p1[2] = x[2] + a_ * (e[0] * e[0] - e[1] * e[1] - e[2] * e[2] + e[3] * e[3]) - r_;
    p2[2] = 0;
    y(0) = p1[2];
  }

 private:
  double r_, a_;
};

// Two equal spheres around the centres of mass of their bodies.
class SphereOnSphere final : public NewtonEuler3DR {
 public:
  explicit SphereOnSphere(double r) : r_(r) {}

  void computeh(double, const BlockVector& q0, SiconosVector& y) override {
    const double *a = q0.getAllVect()[0]->getArray(), *b = q0.getAllVect()[1]->getArray();
    double *n = _Nc->getArray(), *p1 = _Pc1->getArray(), *p2 = _Pc2->getArray();
    for (int k = 0; k < 3; ++k) n[k] = a[k] - b[k];
    const double distance = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; ++k) {
      n[k] /= distance;
      p1[k] = a[k] - r_ * n[k];
      p2[k] = b[k] + r_ * n[k];
    }
    y(0) = distance - 2 * r_;
  }

 private:
  double r_;
};

}  // namespace
}  // namespace nsmc::bench
