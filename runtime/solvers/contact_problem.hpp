// The contact problem of a step, the common ground of all solvers:
//
//     xi_i in N_{K_i(Lambda)}(-Lambda_i),     xi_i = sum_j G_ij Lambda_j + c_i              [Möller 2009, (17), (34)]
//
// over the closed contacts. In: G, c and the sets; out (written by a solver): Lambda. All quantities are hatted
// [Möller 2009, (41)], Lambda are percussions (force x time), xi velocities, G velocities per percussion.
//
// G is sparse by contacts: G_ij = 0 unless i and j share a block. The rows of a contact are stored densely, row after
// row, over the columns of those contacts only; neighbours that follow each other form one run of columns. In a small
// model every contact shares the only block, there is one run, and a row is a plain dense row.
//
// Sets live in units of force and depend on the forces of their own contact; for percussions they scale with dt. Affine
// arguments a + K lambda become dt a + K Lambda; others are asked from their kernel at lambda = Lambda/dt and
// multiplied by dt. This holds for lengths: the first n_lengths arguments of a set and its centre. Coefficients and
// alpha are pure numbers, a + K Lambda/dt or what the kernel says.
//
// Where contacts are many, the problem may come in the velocities of bodies (body_form.hpp) in place of G. xi is meant
// at the percussions that were looked at last then, and form_G() turns the problem into one with G, for those who need
// it.
//
// Scaled laws xi_i in N_{K_i}(-alpha_i(Lambda) Lambda_i) [Walker 2017, (22)] are those of the set K_i/alpha_i.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/kernel_abi.hpp"
#include "runtime/sets/convex_set.hpp"
#include "runtime/solvers/body_form.hpp"
#include "runtime/solvers/newton_memory.hpp"

namespace nsmc::rt {

struct ColumnRun {
  std::uint32_t first_column, n_columns;
  std::uint32_t first_contact, n_contacts;  // positions in ContactProblem::contacts
};

// The rows of one closed contact.
struct ContactRows {
  std::uint32_t contact = 0;                // its number in the System
  const nsm_contact_class* type = nullptr;  // of a problem of a step
  std::uint32_t first_row = 0, n_rows = 0;
  std::uint32_t first_run = 0, n_runs = 0;
  std::uint32_t width = 0;      // columns of all its runs together
  std::uint32_t own = 0;        // where in a stored row its own columns begin
  std::size_t first_value = 0;  // of its rows in G
  std::uint32_t first_set = 0, n_sets = 0;
  std::uint32_t n_arguments = 0;
  std::size_t first_argument = 0;
  const double* a = nullptr;  // affine: arguments a + K lambda in units of force
  const double* K = nullptr;
  nsm_kernel arguments = nullptr;  // otherwise
  nsm_view view{};                 // what the kernel reads
};

// How the inclusion of one set can be solved, all other percussions being known: exactly, where it is an interval of
// one row or a ball of several (ball_block.hpp).
enum class OwnInclusion : std::uint8_t { general, interval, ball };

// One set: the smallest part that a prox acts upon, and what solvers know about its rows.
struct SetBlock {
  const nsm_set* set = nullptr;
  std::uint32_t contact = 0;  // position in ContactProblem::contacts
  std::uint32_t first_row = 0, dim = 0;
  bool constant = false;  // its arguments do not depend on Lambda
  OwnInclusion own = OwnInclusion::general;
  bool metric = false;  // its rows have scales s_h of their own, ContactProblem::row_scale; row_metric.hpp
  bool plain = true;    // |Lambda_i| is measured as it is; otherwise by ContactProblem::row_unit
  double D = 0;         // max_h sum_{k in the block} s_h |G_hk| s_k: G_hh if there is one row only
  double measure = 0;   // of natural_residual.hpp: D but for the units of rows
  double r = 0;         // step of the solver
  double weight = 0;    // measure * max(1, 1/(r D))^2, see natural_residual.hpp
  double factor = 1;    // on r, for scaled laws only; see iterate.hpp

  void set_weight() {
    const double rD = r * D;
    weight = rD > 0 && rD < 1 ? measure / (rD * rD) : measure;
  }
};

// What solve_uzawa puts aside: G's diagonal, c, |c| and scales by row, D by set.
struct UzawaMemory {
  std::vector<double> diagonal, c, c_magnitude, scale, D;

  void resize(std::size_t n_rows, std::size_t n_sets) {
    for (std::vector<double>* rows : {&diagonal, &c, &c_magnitude, &scale}) rows->resize(n_rows);
    D.resize(n_sets);
  }
};

// What momentum.cpp keeps: percussions and velocities of the sweep before, where the sweep began, the best percussions,
// and the measure of rows.
struct MomentumMemory {
  std::vector<double> Lambda, start, best, weight, y;
};

struct ContactProblem {
  double dt = 0;
  std::vector<ContactRows> contacts;
  std::vector<ColumnRun> runs;
  std::vector<SetBlock> sets;
  std::vector<double> G;
  BodyForm bodies;  // in place of G, if it is active
  std::vector<double> c;
  std::vector<double> c_magnitude;  // |c| before cancellation: sum of the absolute values of its terms
  std::vector<double> Lambda;       // in: where to start; out: the solution
  std::vector<double> arguments;    // of all sets, in units of percussion, for the Lambda last looked at

  double c_scale = 0;  // max_i |c_magnitude_i| / sqrt(D_i): the size of the data in the norm of natural_residual.hpp

  // By row: its scale s_h, 1 in sets without a metric, and the factor of percussions before they are squared.
  std::vector<double> row_scale, row_unit;
  bool has_metrics = false;  // of any set

  // Scratch of the solvers, at least: z the largest set dimension, force and trial the most rows of a contact, next
  // and change all rows.
  std::vector<double> z, force, trial, next, change;
  NewtonMemory newton;
  UzawaMemory uzawa;
  MomentumMemory momentum;

  std::uint32_t n_rows() const { return static_cast<std::uint32_t>(c.size()); }

  // The runs of columns of contact i: first none, then those of every contact j that it shares a block with (itself,
  // too), in ascending order.
  void begin_columns(std::uint32_t i) {
    contacts[i].first_run = static_cast<std::uint32_t>(runs.size());
    contacts[i].n_runs = contacts[i].width = 0;
  }
  void add_columns(std::uint32_t i, std::uint32_t j) {
    ContactRows& rows = contacts[i];
    const ContactRows& columns = contacts[j];
    if (j == i) rows.own = rows.width;
    if (rows.n_runs > 0 && runs.back().first_contact + runs.back().n_contacts == j) {
      runs.back().n_columns += columns.n_rows;
      ++runs.back().n_contacts;
    } else {
      runs.push_back({columns.first_row, columns.n_rows, j, 1});
      ++rows.n_runs;
    }
    rows.width += columns.n_rows;
  }

  // To be called when G (or the bodies), c and the contacts are filled: works out D, the constant arguments and
  // c_scale.
  void finish();

  // G in place of the bodies.
  void form_G();
  // The velocities of the bodies at these percussions, if there are any: xi is meant there.
  void look_at(const double* Lambda_all);

  // G_ii from the rows of a set on, in rows of length `stride`.
  const double* own_block(const SetBlock& s, std::uint32_t& stride) const {
    const ContactRows& i = contacts[s.contact];
    const std::uint32_t local = s.first_row - i.first_row;
    if (bodies.active()) {
      stride = i.n_rows;
      return bodies.own_blocks.data() + bodies.contacts[s.contact].own + std::size_t{local} * (i.n_rows + 1);
    }
    stride = i.width;
    return G.data() + i.first_value + std::size_t{local} * (i.width + 1) + i.own;
  }

  // xi_h = sum_k G_hk Lambda_k + c_h for row `local` of contact i.
  double xi(const ContactRows& i, std::uint32_t local, const double* Lambda_all) const {
    if (bodies.active()) return c[i.first_row + local] + G_times_of_bodies(i, local, Lambda_all);
    const double* g = G.data() + i.first_value + std::size_t{local} * i.width;
    double sum = c[i.first_row + local];
    for (std::uint32_t n = 0; n < i.n_runs; ++n) {
      const ColumnRun& run = runs[i.first_run + n];
      const double* x = Lambda_all + run.first_column;
      for (std::uint32_t k = 0; k < run.n_columns; ++k) sum += g[k] * x[k];
      g += run.n_columns;
    }
    return sum;
  }

  // G_h x for row `local` of contact i; with bodies, at the x that was looked at last.
  double G_times(const ContactRows& i, std::uint32_t local, const double* x) const {
    if (bodies.active()) return G_times_of_bodies(i, local, x);
    const double* g = G.data() + i.first_value + std::size_t{local} * i.width;
    double sum = 0;
    for (std::uint32_t n = i.first_run; n < i.first_run + i.n_runs; ++n) {
      const double* own = x + runs[n].first_column;
      for (std::uint32_t k = 0; k < runs[n].n_columns; ++k) sum += *g++ * own[k];
    }
    return sum;
  }

  // xi of all rows of a set. They are summed side by side, each in the order of xi: one sum alone waits for itself.
  void xi(const SetBlock& s, const double* Lambda_all, double* out) const {
    const ContactRows& i = contacts[s.contact];
    const std::uint32_t local = s.first_row - i.first_row;
    switch (bodies.active() ? 0 : s.dim) {
      case 2: return xi_of<2>(i, local, Lambda_all, out);
      case 3: return xi_of<3>(i, local, Lambda_all, out);
      default:
        for (std::uint32_t h = 0; h < s.dim; ++h) out[h] = xi(i, local + h, Lambda_all);
    }
  }

  // z <- prox_{K_i(Lambda)}(-Lambda_i + r xi_i), which is -Lambda_i of the next iterate, in scratch. The set is taken
  // at Lambda_all, as is everything else. [Möller 2009, (35)]
  //
  // Scaled laws: z = prox_{K_i}(alpha_i (-Lambda_i + r xi_i))/alpha_i, which is [Walker 2017, (30)] with the step
  // alpha_i r in place of r. Any positive step will do, and with this one stick converges as it does without alpha.
  //
  // What happened on the way:
  struct ProxStep {
    bool inside;      // the argument of prox lies in the set: nothing was projected
    double alpha;     // 1 for laws that are not scaled
    double residual;  // by which the projection misses optimality, in units of z (ConvexSet::prox)
  };
  // In a set with a metric all this is meant in the scaled rows Lambda_h/s_h, s_h xi_h (row_metric.hpp), unless asked
  // for without; z is unscaled.
  ProxStep prox_step(const SetBlock& s, double r, const double* Lambda_all, bool with_metric = true) {
    const ContactRows& i = contacts[s.contact];
    if (!s.constant) update_arguments(i, *s.set, Lambda_all);
    const ConvexSet set{s.set, arguments.data() + i.first_argument};
    const double alpha = set.alpha();
    bool inside = true;
    double residual = 0;
    if (s.metric && with_metric) return {prox_in_metric(s, r, Lambda_all), alpha, 0};
    xi(s, Lambda_all, z.data());
    for (std::uint32_t h = 0; h < s.dim; ++h) z[h] = r * z[h] - Lambda_all[s.first_row + h];
    if (s.set->scaled == 0) {
      inside = set.prox(z.data(), &residual);
    } else {
      for (std::uint32_t h = 0; h < s.dim; ++h) z[h] *= alpha;
      inside = set.prox(z.data(), &residual);
      for (std::uint32_t h = 0; h < s.dim; ++h) z[h] /= alpha;
      residual /= alpha;
    }
    return {inside, alpha, residual};
  }

  // The arguments of one set at Lambda_all, in units of percussion.
  void update_arguments(const ContactRows& i, const nsm_set& set, const double* Lambda_all) {
    update_arguments_at(i, set, Lambda_all + i.first_row);
  }
  // The same for percussions `own` of the contact.
  void update_arguments_at(const ContactRows& i, const nsm_set& set, const double* own) {
    if (i.K != nullptr) {
      const std::uint32_t first_centre = set.first_argument + set.n_arguments;
      affine_arguments(i, own, set.first_argument, set.first_argument + set.n_lengths, true);
      affine_arguments(i, own, set.first_argument + set.n_lengths, first_centre, false);
      const std::uint32_t first_alpha = first_centre + (set.shifted != 0 ? set.dim : 0);
      affine_arguments(i, own, first_centre, first_alpha, true);
      if (set.scaled != 0) affine_arguments(i, own, first_alpha, first_alpha + 1, false);
    } else if (i.arguments != nullptr) {
      ask_arguments(i, own);
    }
  }

  // G_hh of a row of a set.
  double diagonal(const SetBlock& s, std::uint32_t h) const {
    std::uint32_t stride = 0;
    const double* own = own_block(s, stride);
    return own[std::size_t{h} * (stride + 1)];
  }

  // |x_i|^2 in the measure of natural_residual.hpp, but for its weight; x: the rows of the set.
  double squares(const SetBlock& s, const double* x) const {
    double sum = 0;
    if (s.plain) {
      for (std::uint32_t h = 0; h < s.dim; ++h) sum += x[h] * x[h];
    } else {
      for (std::uint32_t h = 0; h < s.dim; ++h) {
        const double scaled = x[h] * row_unit[s.first_row + h];
        sum += scaled * scaled;
      }
    }
    return sum;
  }

  // For a scaled set after a prox_step that projected, with its alpha: gives z, which is p/alpha with p on the boundary
  // of K, the length that the law asks for in this direction, tau p with tau = 1/alpha(-tau p); see iterate.hpp.
  void find_length(const SetBlock& s, double alpha, const double* Lambda_all);

 private:
  template <std::uint32_t n>
  void xi_of(const ContactRows& i, std::uint32_t local, const double* Lambda_all, double* out) const {
    const double* g = G.data() + i.first_value + std::size_t{local} * i.width;
    double sum[n];
    for (std::uint32_t h = 0; h < n; ++h) sum[h] = c[i.first_row + local + h];
    for (std::uint32_t r = 0; r < i.n_runs; ++r) {
      const ColumnRun& run = runs[i.first_run + r];
      const double* x = Lambda_all + run.first_column;
      for (std::uint32_t k = 0; k < run.n_columns; ++k, ++g) {
        for (std::uint32_t h = 0; h < n; ++h) sum[h] += g[std::size_t{h} * i.width] * x[k];
      }
    }
    for (std::uint32_t h = 0; h < n; ++h) out[h] = sum[h];
  }
  double G_times_of_bodies(const ContactRows& i, std::uint32_t local, const double* x) const {
    const BodyForm::Contact& on = bodies.contacts[static_cast<std::size_t>(&i - contacts.data())];
    double sum = bodies.velocity(on, i.n_rows, local);
    for (std::uint32_t k = 0; on.C != nullptr && k < i.n_rows; ++k)
      sum += on.C[local * i.n_rows + k] / dt * x[i.first_row + k];
    return sum;
  }
  // The scales and units of the rows of a set, its D and measure, from G.
  void measure_rows(SetBlock& s);
  // z <- S prox_{S^-1 K_i}(S^-1 (-Lambda_i) + r S xi_i), S = diag(s_h); true if nothing was projected.
  bool prox_in_metric(const SetBlock& s, double r, const double* Lambda_all);

  // Arguments m = begin ... end - 1 of contact i, all lengths or all pure numbers.
  void affine_arguments(const ContactRows& i, const double* own, std::uint32_t begin, std::uint32_t end, bool lengths) {
    for (std::uint32_t m = begin; m < end; ++m) {
      const double* K = i.K + std::size_t{m} * i.n_rows;
      double value = 0;
      for (std::uint32_t k = 0; k < i.n_rows; ++k) value += K[k] * own[k];
      arguments[i.first_argument + m] = lengths ? dt * i.a[m] + value : i.a[m] + value / dt;
    }
  }

  void ask_arguments(const ContactRows& i, const double* own);
};

// A problem with a dense n x n matrix G (row-major) whose contacts are given with contact, n_rows, n_arguments and a, K
// or a kernel, and whose sets are those of `types`, contact by contact. For tests and for callers without a System.
ContactProblem dense_problem(const std::vector<const nsm_contact_class*>& types,
                             const std::vector<ContactRows>& contacts, const std::vector<double>& G,
                             const std::vector<double>& c, double dt);

// The same with G by blocks of contacts, sorted by row, then by column; those of the diagonal must be there.
struct GBlock {
  std::uint32_t row, column;   // positions of contacts
  std::vector<double> values;  // row after row
};
ContactProblem sparse_problem(const std::vector<const nsm_contact_class*>& types,
                              const std::vector<ContactRows>& contacts, const std::vector<GBlock>& blocks,
                              const std::vector<double>& c, double dt);

}  // namespace nsmc::rt
