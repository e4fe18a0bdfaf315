#include "runtime/solvers/body_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/solvers/sor_update.hpp"

namespace nsmc::rt {

namespace {

// Two numbers in a register: what every x86-64 has. Sums of a row have two parts, whatever the machine can do besides.
using Two = double __attribute__((vector_size(16), aligned(8)));

template <std::uint32_t stride>
inline Two product(const double* a, const double* b) {
  Two sum = *reinterpret_cast<const Two*>(a) * *reinterpret_cast<const Two*>(b);
  for (std::uint32_t k = 2; k < stride; k += 2)
    sum += *reinterpret_cast<const Two*>(a + k) * *reinterpret_cast<const Two*>(b + k);
  return sum;
}

template <std::uint32_t stride>
inline void add(const double* w, const double* change, double* y) {
  for (std::uint32_t k = 0; k < stride; k += 2) {
    Two& sum = *reinterpret_cast<Two*>(y + k);
    sum += *reinterpret_cast<const Two*>(w + k) * change[0] +
           (*reinterpret_cast<const Two*>(w + stride + k) * change[1] +
            *reinterpret_cast<const Two*>(w + 2 * stride + k) * change[2]);
  }
}

// One update of a contact with Coulomb friction: see the header. a, b: velocities of its bodies; b is not touched if
// it is the world.
template <std::uint32_t stride, bool two_bodies>
inline void update_coulomb(const CoulombRows& r, const double* w, double* a, double* b, double* Lambda,
                           double relaxation, double* change2) {
  constexpr std::uint32_t rows = 3;
  double xi[rows];
  for (std::uint32_t h = 0; h < rows; ++h) {
    Two sum = product<stride>(w + h * stride, a);
    if constexpr (two_bodies) sum += product<stride>(w + (rows + h) * stride, b);
    xi[h] = r.c[h] + (sum[0] + sum[1]);
  }
  const double N = -std::min(std::max(relaxation * r.inverse_N * xi[0] - Lambda[0], r.low), r.high);
  double change[rows] = {N - Lambda[0], 0, 0};
  const double step = relaxation * r.inverse_T;
  double T1 = Lambda[1] - step * (xi[1] + r.G_TN[0] * change[0]);
  double T2 = Lambda[2] - step * (xi[2] + r.G_TN[1] * change[0]);
  const double R = std::max(r.R + r.mu * N, 0.0), length2 = T1 * T1 + T2 * T2;
  if (length2 > R * R) {
    const double onto = R / std::sqrt(length2);
    T1 *= onto;
    T2 *= onto;
  }
  change[1] = T1 - Lambda[1];
  change[2] = T2 - Lambda[2];
  Lambda[0] = N;
  Lambda[1] = T1;
  Lambda[2] = T2;
  add<stride>(w, change, a);
  if constexpr (two_bodies) add<stride>(w + rows * stride, change, b);
  change2[0] = change[0] * change[0];
  change2[1] = change[1] * change[1] + change[2] * change[2];
}

// Whether the friction ball of a contact has the form of CoulombRows, which is filled then.
bool has_coulomb_form(const ContactProblem& p, std::uint32_t position, CoulombRows& r) {
  const ContactRows& i = p.contacts[position];
  const BodyForm::Contact& on = p.bodies.contacts[position];
  if (i.n_rows != 3 || i.n_sets != 2 || on.C != nullptr || on.V != on.W) return false;
  const SetBlock &normal = p.sets[i.first_set], &friction = p.sets[i.first_set + 1];
  if (normal.own != OwnInclusion::interval || normal.first_row != i.first_row || !normal.constant) return false;
  if (friction.own != OwnInclusion::ball || friction.dim != 2 || friction.set->scaled != 0 || !friction.plain)
    return false;
  const double* G = p.bodies.own_blocks.data() + on.own;
  const double G_T = std::max(G[4], G[8]), uneven = 8 * std::numeric_limits<double>::epsilon() * G_T;
  const bool even = G_T - std::min(G[4], G[8]) <= uneven && std::abs(G[5]) <= uneven && std::abs(G[7]) <= uneven;
  if (!(even && G[0] > 0 && G_T > 0)) return false;
  r.R = r.mu = 0;
  const std::uint32_t radius = friction.set->first_argument;
  if (friction.constant) {
    r.R = p.arguments[i.first_argument + radius];
  } else {
    if (i.K == nullptr || friction.set->n_lengths != 1) return false;
    const double* K = i.K + std::size_t{radius} * i.n_rows;
    if (K[1] != 0 || K[2] != 0) return false;
    r.R = p.dt * i.a[radius];
    r.mu = K[0];
  }
  const double* ends = p.arguments.data() + i.first_argument + normal.set->first_argument;
  r.low = ends[0];
  r.high = std::max(ends[0], ends[1]);
  std::copy_n(p.c.data() + i.first_row, 3, r.c);
  r.D_N = normal.D;
  r.D_T = friction.D;
  r.inverse_N = 1 / normal.D;
  r.inverse_T = 1 / friction.D;
  r.G_TN[0] = G[3];
  r.G_TN[1] = G[6];
  return true;
}

}  // namespace

BodySweeps::BodySweeps(ContactProblem& problem, const SolverOptions& options) : p_(problem), options_(options) {
  const auto n = static_cast<std::uint32_t>(p_.contacts.size());
  p_.bodies.coulomb.clear();
  p_.bodies.coulomb_of.assign(n, NSM_NONE);
  CoulombRows rows;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (options_.scaled || !has_coulomb_form(p_, i, rows)) continue;
    p_.bodies.coulomb_of[i] = static_cast<std::uint32_t>(p_.bodies.coulomb.size());
    p_.bodies.coulomb.push_back(rows);
  }
  p_.look_at(p_.Lambda.data());
}

// A contact of any kind: set by set, as sor.cpp does it.
void BodySweeps::update(std::uint32_t contact, double relaxation, Sweep& sweep) {
  const ContactRows& i = p_.contacts[contact];
  double* change = p_.next.data();
  for (std::uint32_t j = i.first_set; j < i.first_set + i.n_sets; ++j) {
    const SetBlock& s = p_.sets[j];
    double* own = p_.Lambda.data() + s.first_row;
    std::copy_n(own, s.dim, change);
    update_in_place(p_, j, options_, relaxation, sweep);
    for (std::uint32_t h = 0; h < s.dim; ++h) change[h] = own[h] - change[h];
    p_.bodies.move(p_.bodies.contacts[contact], i.n_rows, s.first_row - i.first_row, s.dim, change);
  }
}

template <std::uint32_t stride>
Sweep BodySweeps::sweep_of(double relaxation) {
  Sweep result;
  BodyForm& bodies = p_.bodies;
  const double slow = relaxation < 1 ? 1 / (relaxation * relaxation) : 1;  // as in SetBlock::set_weight
  const auto n = static_cast<std::uint32_t>(p_.contacts.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    if (p_.bodies.coulomb_of[i] == NSM_NONE) {
      update(i, relaxation, result);
      continue;
    }
    const BodyForm::Contact& on = bodies.contacts[i];
    const CoulombRows& rows = p_.bodies.coulomb[p_.bodies.coulomb_of[i]];
    const double* w = bodies.directions.data() + on.W;
    double* y = bodies.y.data();
    double *a = y + std::size_t{on.body[0]} * stride, *b = y + std::size_t{on.body[1]} * stride;
    double* Lambda = p_.Lambda.data() + p_.contacts[i].first_row;
    double change2[2];
    if (on.body[1] != bodies.n_bodies) {
      update_coulomb<stride, true>(rows, w, a, b, Lambda, relaxation, change2);
    } else {
      update_coulomb<stride, false>(rows, w, a, b, Lambda, relaxation, change2);
    }
    result.sum += change2[0] + change2[1];
    const double worst = slow * std::max(rows.D_N * change2[0], rows.D_T * change2[1]);
    if (worst > result.change2) {
      result.change2 = worst;
      result.worst = p_.contacts[i].first_set;
    }
    const double normal = rows.D_N * Lambda[0] * Lambda[0];
    const double friction = rows.D_T * (Lambda[1] * Lambda[1] + Lambda[2] * Lambda[2]);
    result.Lambda2 = std::max(result.Lambda2, std::max(normal, friction));
  }
  return result;
}

Sweep BodySweeps::sweep(double relaxation) {
  switch (p_.bodies.stride) {
    case 2: return sweep_of<2>(relaxation);
    case 4: return sweep_of<4>(relaxation);
    default: return sweep_of<6>(relaxation);
  }
}

}  // namespace nsmc::rt
