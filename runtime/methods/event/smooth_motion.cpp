#include "runtime/methods/event/smooth_motion.hpp"

#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <vector>

namespace nsmc::rt::event {

namespace {

int call_rate(realtype t, N_Vector y, N_Vector y_rate, void* data) {
  return static_cast<MotionEquation*>(data)->rate(t, N_VGetArrayPointer(y), N_VGetArrayPointer(y_rate)) ? 0 : 1;
}

int call_settle(realtype t, N_Vector y, void* data) {
  return static_cast<MotionEquation*>(data)->settle(t, N_VGetArrayPointer(y)) ? 0 : 1;
}

constexpr ARKODE_ERKTableID step_table = ARKODE_VERNER_8_5_6;
// In place of one that has been taken before, with another length.
constexpr long most_steps = 5000;
// The control of the step, with the numbers of ARKODE: by how much a step may be longer than the one before, and than
// the first one if its length was but a guess; what is taken of the length that the error asks for; the weights of the
// errors of this step and of the last one; and the smallest error that is told from none.
constexpr double most_growth = 25, first_growth = 1e4, safety = 0.99;
constexpr double weight_now = 0.8, weight_before = 0.31, no_error = 1e-10;

// ARKODE's controller PI, by itself, since ARKODE does not tell what it wants beyond the end of a step of the run. `p`:
// order of the error estimate.
int choose_step(N_Vector, realtype, realtype h, realtype, realtype, realtype error, realtype error_before, realtype,
                int, int p, realtype* next, void* wanted) {
  *next = h * std::pow(std::max(error, no_error), -weight_now / p) *
          std::pow(std::max(error_before, no_error), weight_before / p);
  *static_cast<double*>(wanted) = std::min(safety * *next, most_growth * h);
  return 0;
}

void be_quiet(int, const char*, const char*, char*, void*) {}

}  // namespace

struct SmoothMotion::Solver {
  SUNContext context = nullptr;
  N_Vector y = nullptr, out = nullptr;
  void* memory = nullptr;
  double wanted = 0;  // the next step, by the error of the last one

  Solver(MotionEquation& equation, std::size_t n, double rtol, double atol) {
    if (SUNContext_Create(nullptr, &context) != 0) throw std::bad_alloc();
    // A model without coordinates has a trivial motion, too.
    y = N_VNew_Serial(static_cast<sunindextype>(std::max<std::size_t>(n, 1)), context);
    out = N_VClone(y);
    if (y == nullptr || out == nullptr) throw std::bad_alloc();
    N_VConst(0, y);
    memory = ERKStepCreate(call_rate, 0, y, context);
    if (memory == nullptr) throw std::bad_alloc();
    ERKStepSetErrHandlerFn(memory, be_quiet, nullptr);
    ERKStepSetUserData(memory, &equation);
    ERKStepSetTableNum(memory, step_table);
    ERKStepSStolerances(memory, rtol, atol);
    ERKStepSetPostprocessStepFn(memory, call_settle);
    ERKStepSetMaxErrTestFails(memory, 60);
    ERKStepSetMaxNumSteps(memory, -1);
    ERKStepSetMaxHnilWarns(memory, -1);
    ERKStepSetSafetyFactor(memory, safety);
    ERKStepSetMaxGrowth(memory, most_growth);
    ERKStepSetAdaptivityFn(memory, choose_step, &wanted);
    // For what ARKODE's times are off the end of a step by rounding; Hermite's would ask for f at points in between.
    ERKStepSetInterpolantType(memory, ARK_INTERP_LAGRANGE);
  }
  ~Solver() {
    ERKStepFree(&memory);
    if (out != nullptr) N_VDestroy(out);
    if (y != nullptr) N_VDestroy(y);
    SUNContext_Free(&context);
  }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  void begin(double t, const double* from, std::size_t n, double step) {
    std::copy_n(from, n, N_VGetArrayPointer(y));
    ERKStepReset(memory, t, y);
    ERKStepSetInitStep(memory, step);
    // ARKODE would allow the larger growth to the very first step of its life, whoever chose its length.
    ERKStepSetMaxFirstGrowth(memory, step > 0 ? most_growth : first_growth);
  }
  std::size_t size() const { return static_cast<std::size_t>(N_VGetLength(y)); }
};

SmoothMotion::SmoothMotion(MotionEquation& equation, std::size_t n, double rtol, double atol)
    : solver_(std::make_unique<Solver>(equation, n, rtol, atol)) {}

SmoothMotion::~SmoothMotion() = default;

void SmoothMotion::restart(double t, const double* y, double step) {
  usual_step_ = step;
  solver_->begin(t, y, solver_->size(), step);
}

bool SmoothMotion::advance(double t_end, double longest, double& t, double* y) {
  ERKStepSetMaxStep(solver_->memory, longest);
  ERKStepSetStopTime(solver_->memory, t_end);
  const int flag = ERKStepEvolve(solver_->memory, t_end, solver_->out, &t, ARK_ONE_STEP);
  if (flag < 0) return false;
  std::copy_n(N_VGetArrayPointer(solver_->out), solver_->size(), y);
  usual_step_ = t < t_end ? solver_->wanted : std::max(solver_->wanted, usual_step_);
  ++steps_;
  return true;
}

bool SmoothMotion::restep(double t0, const double* y0, double t, double* y) {
  solver_->begin(t0, y0, solver_->size(), t - t0);
  ERKStepSetMaxStep(solver_->memory, t - t0);
  ERKStepSetStopTime(solver_->memory, t);
  double reached = t0;
  ERKStepSetMaxNumSteps(solver_->memory, most_steps);
  const int flag = ERKStepEvolve(solver_->memory, t, solver_->out, &reached, ARK_NORMAL);
  ERKStepSetMaxNumSteps(solver_->memory, -1);
  if (flag < 0) return false;
  std::copy_n(N_VGetArrayPointer(solver_->out), solver_->size(), y);
  ++steps_;
  return true;
}

void SmoothMotion::visit_stages(MotionEquation& equation, double t0, const double* y0, double t, std::size_t n,
                                const std::function<void(double, const double*, double)>& visit) {
  struct Free {
    void operator()(ARKodeButcherTable table) const { ARKodeButcherTable_Free(table); }
  };
  const std::unique_ptr<ARKodeButcherTableMem, Free> table(ARKodeButcherTable_LoadERK(step_table));
  if (table == nullptr) throw std::bad_alloc();
  const double h = t - t0;
  std::vector<double> y(n);
  std::vector<std::vector<double>> rates(static_cast<std::size_t>(table->stages), std::vector<double>(n, 0));
  for (int i = 0; i < table->stages; ++i) {
    std::copy_n(y0, n, y.data());
    for (int j = 0; j < i; ++j) {
      for (std::size_t k = 0; k < n; ++k) y[k] += h * table->A[i][j] * rates[static_cast<std::size_t>(j)][k];
    }
    const double at = t0 + table->c[i] * h;
    if (!equation.rate(at, y.data(), rates[static_cast<std::size_t>(i)].data())) return;
    if (table->b[i] != 0) visit(at, y.data(), h * table->b[i]);
  }
}

}  // namespace nsmc::rt::event
