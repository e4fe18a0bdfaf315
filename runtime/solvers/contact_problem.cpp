// What a contact problem knows about itself before any solver starts.
#include "runtime/solvers/contact_problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "runtime/solvers/ball_block.hpp"
#include "runtime/solvers/row_metric.hpp"

namespace nsmc::rt {

namespace {

// Whether rows of K that belong to the set are all zero: its arguments are then the same for every Lambda.
bool is_constant(const ContactRows& i, const nsm_set& set) {
  if (i.n_arguments == 0) return true;
  if (i.K == nullptr) return false;
  const std::uint32_t end = set.first_argument + total_arguments(set);
  const double* K = i.K + std::size_t{set.first_argument} * i.n_rows;
  const double* K_end = i.K + std::size_t{end} * i.n_rows;
  return std::all_of(K, K_end, [](double value) { return value == 0; });
}

// G: of the set, in rows of length `stride`.
OwnInclusion own_inclusion(const nsm_set& set, const double* G, std::uint32_t stride) {
  if (set.shifted != 0) return OwnInclusion::general;
  if (set.kind == NSM_SET_INTERVAL && set.dim == 1 && set.scaled == 0) return OwnInclusion::interval;
  if (set.kind != NSM_SET_BALL || set.dim < 2 || set.dim > max_ball_block) return OwnInclusion::general;
  const BallFacts<double> facts(G, stride, set.dim);
  return facts.symmetric && facts.finite ? OwnInclusion::ball : OwnInclusion::general;
}

}  // namespace

void ContactProblem::measure_rows(SetBlock& s) {
  std::uint32_t stride = 0;
  const double* own = own_block(s, stride);
  double* scale = row_scale.data() + s.first_row;
  std::fill_n(scale, s.dim, 1.0);
  s.metric = false;
  if (s.set->kind == NSM_SET_ELLIPSOID) {
    double most = 0, least = std::numeric_limits<double>::infinity();
    for (std::uint32_t h = 0; h < s.dim; ++h) {
      most = std::max(most, diagonal(s, h));
      least = std::min(least, diagonal(s, h));
    }
    s.metric = least > 0 && most > row_metric::uneven * least;
    for (std::uint32_t h = 0; s.metric && h < s.dim; ++h) scale[h] = std::sqrt(most / diagonal(s, h));
  } else if (can_have_metric(s.set->kind)) {
    scale[2] = drilling_scale(diagonal(s, 0), diagonal(s, 1), diagonal(s, 2));
    s.metric = scale[2] != 1;
  }
  s.D = 0;
  for (std::uint32_t h = 0; h < s.dim; ++h) {
    const double* g = own + std::size_t{h} * stride;
    double sum = 0;
    if (s.metric) {
      for (std::uint32_t k = 0; k < s.dim; ++k) sum += std::abs(g[k]) * (scale[h] * scale[k]);
    } else {
      for (std::uint32_t k = 0; k < s.dim; ++k) sum += std::abs(g[k]);
    }
    if (!(sum <= s.D)) s.D = sum;
  }
  s.measure = s.D;
  const bool extreme = s.D > most_ordinary_D && s.D <= std::numeric_limits<double>::max();
  s.plain = !s.metric && !extreme;
  has_metrics = has_metrics || s.metric;
  if (s.plain) return;
  const int power = extreme ? std::ilogb(s.D) / 2 : 0;
  s.measure = std::ldexp(s.D, -2 * power);
  for (std::uint32_t h = 0; h < s.dim; ++h) row_unit[s.first_row + h] = std::ldexp(1 / scale[h], power);
}

bool ContactProblem::prox_in_metric(const SetBlock& s, double r, const double* Lambda_all) {
  const ContactRows& i = contacts[s.contact];
  const std::uint32_t local = s.first_row - i.first_row;
  const double* scale = row_scale.data() + s.first_row;
  const ConvexSet set{s.set, arguments.data() + i.first_argument};
  const double alpha = set.alpha(), *centre = set.centre(), *a = set.own();
  for (std::uint32_t h = 0; h < s.dim; ++h) {
    z[h] = r * (scale[h] * xi(i, local + h, Lambda_all)) - Lambda_all[s.first_row + h] * (1 / scale[h]);
    if (s.set->scaled != 0) z[h] *= alpha;
    if (centre != nullptr) z[h] -= centre[h] / scale[h];
  }
  int turns = 0;
  if (s.set->kind == NSM_SET_ELLIPSOID) {
    double axes[max_shifted_dim];
    for (std::uint32_t h = 0; h < s.dim; ++h) axes[h] = a[h] / scale[h];
    turns = Ellipsoid{axes, s.dim}.prox(z.data());
  } else {
    const bool parabolic = s.set->kind == NSM_SET_CONTENSOU_PARABOLIC;
    turns = Contensou{a[0], a[1] * (1 / scale[2]), parabolic ? Pressure::parabolic : Pressure::uniform}.prox(z.data());
  }
  for (std::uint32_t h = 0; h < s.dim; ++h) {
    if (centre != nullptr) z[h] += centre[h] / scale[h];
    if (s.set->scaled != 0) z[h] /= alpha;
    z[h] *= scale[h];
  }
  return turns == 0;
}

void ContactProblem::finish() {
  c_scale = 0;
  has_metrics = false;
  row_scale.resize(c.size());
  row_unit.resize(c.size());
  for (SetBlock& s : sets) {
    const ContactRows& i = contacts[s.contact];
    measure_rows(s);
    std::uint32_t stride = 0;
    const double* own = own_block(s, stride);
    s.own = own_inclusion(*s.set, own, stride);
    if (s.own == OwnInclusion::interval && !s.plain) s.own = OwnInclusion::general;
    s.constant = is_constant(i, *s.set);
    if (s.constant) update_arguments(i, *s.set, Lambda.data());
    if (s.D > 0) {
      double largest = 0;
      for (std::uint32_t h = s.first_row; h < s.first_row + s.dim; ++h)
        largest = std::max(largest, s.metric ? row_scale[h] * c_magnitude[h] : c_magnitude[h]);
      c_scale = std::max(c_scale, largest / std::sqrt(s.D));
    }
  }
}

void ContactProblem::look_at(const double* Lambda_all) {
  if (!bodies.active()) return;
  std::fill(bodies.y.begin(), bodies.y.end(), 0.0);
  for (std::size_t i = 0; i < contacts.size(); ++i)
    bodies.move(bodies.contacts[i], contacts[i].n_rows, 0, contacts[i].n_rows, Lambda_all + contacts[i].first_row);
}

void ContactProblem::form_G() {
  if (!bodies.active()) return;
  const std::uint32_t stride = bodies.stride;
  std::size_t n_values = 0;
  for (ContactRows& i : contacts) {
    i.first_value = n_values;
    n_values += std::size_t{i.n_rows} * i.width;
  }
  G.assign(n_values, 0);
  for (std::size_t n = 0; n < contacts.size(); ++n) {
    const ContactRows& i = contacts[n];
    const BodyForm::Contact& on = bodies.contacts[n];
    double* g = G.data() + i.first_value;
    for (std::uint32_t r = i.first_run; r < i.first_run + i.n_runs; ++r) {
      for (std::uint32_t m = runs[r].first_contact; m < runs[r].first_contact + runs[r].n_contacts; ++m) {
        const ContactRows& j = contacts[m];
        const BodyForm::Contact& other = bodies.contacts[m];
        for (int a = 0; a < 2; ++a) {
          for (int b = 0; b < 2; ++b) {
            if (on.body[a] != other.body[b] || on.body[a] == bodies.n_bodies) continue;
            const double* V = bodies.directions.data() + on.V + static_cast<std::size_t>(a) * i.n_rows * stride;
            const double* W = bodies.directions.data() + other.W + static_cast<std::size_t>(b) * j.n_rows * stride;
            for (std::uint32_t h = 0; h < i.n_rows; ++h) {
              for (std::uint32_t k = 0; k < j.n_rows; ++k)
                g[std::size_t{h} * i.width + k] +=
                    std::inner_product(V + h * stride, V + (h + 1) * stride, W + k * stride, 0.0);
            }
          }
        }
        g += j.n_rows;
      }
    }
    for (std::uint32_t h = 0; on.C != nullptr && h < i.n_rows; ++h) {
      double* own = G.data() + i.first_value + std::size_t{h} * i.width + i.own;
      for (std::uint32_t k = 0; k < i.n_rows; ++k) own[k] += on.C[h * i.n_rows + k] / dt;
    }
  }
  bodies.clear();
}

void ContactProblem::ask_arguments(const ContactRows& i, const double* own) {
  for (std::uint32_t k = 0; k < i.n_rows; ++k) force[k] = own[k] / dt;
  nsm_view view = i.view;
  view.lambda = force.data();
  double* out = arguments.data() + i.first_argument;
  i.arguments(&view, out);
  for (std::uint32_t j = 0; j < i.n_sets; ++j) {
    const nsm_set& set = *sets[i.first_set + j].set;
    double* own_out = out + set.first_argument;
    for (std::uint32_t m = 0; m < set.n_lengths; ++m) own_out[m] *= dt;
    if (set.shifted == 0) continue;
    for (std::uint32_t m = set.n_arguments; m < set.n_arguments + set.dim; ++m) own_out[m] *= dt;
  }
}

void ContactProblem::find_length(const SetBlock& s, double alpha, const double* Lambda_all) {
  // alpha if the percussions of the set were -z and all others as they are.
  const ContactRows& i = contacts[s.contact];
  std::copy_n(Lambda_all + i.first_row, i.n_rows, trial.data());
  for (std::uint32_t h = 0; h < s.dim; ++h) trial[s.first_row - i.first_row + h] = -z[h];
  if (i.K != nullptr) {
    const std::uint32_t last = s.set->first_argument + total_arguments(*s.set) - 1;
    affine_arguments(i, trial.data(), last, last + 1, false);
  } else if (i.arguments != nullptr) {
    ask_arguments(i, trial.data());
  }
  const double there = ConvexSet{s.set, arguments.data() + i.first_argument}.alpha();
  // 1/alpha(-tau p) = 1 + m tau at tau = 1/alpha is 1/there; m < 1 where k_C > 0.
  const double one_minus_m = 1 - (1 / there - 1) * alpha;
  if (!(one_minus_m > 1e-6)) return;
  const double stretch = alpha / one_minus_m;
  if (!(stretch > 1e-6 && stretch < 1e6)) return;
  for (std::uint32_t h = 0; h < s.dim; ++h) z[h] *= stretch;
}

namespace {

// All but G and its runs.
ContactProblem problem_without_G(const std::vector<const nsm_contact_class*>& types,
                                 const std::vector<ContactRows>& given, const std::vector<double>& c, double dt) {
  ContactProblem problem;
  problem.dt = dt;
  problem.c = c;
  for (double value : c) problem.c_magnitude.push_back(std::abs(value));
  problem.Lambda.assign(c.size(), 0);
  problem.next.assign(c.size(), 0);
  problem.change.assign(c.size(), 0);
  std::uint32_t row = 0, dim = 0, rows = 0;
  std::size_t argument = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    ContactRows contact = given[i];
    contact.first_row = row;
    contact.first_set = static_cast<std::uint32_t>(problem.sets.size());
    contact.n_sets = types[i]->n_sets;
    contact.first_argument = argument;
    for (std::uint32_t j = 0; j < types[i]->n_sets; ++j) {
      SetBlock block;
      block.set = types[i]->sets + j;
      block.contact = static_cast<std::uint32_t>(i);
      block.first_row = row + block.set->first_row;
      block.dim = block.set->dim;
      problem.sets.push_back(block);
      dim = std::max(dim, block.dim);
    }
    row += contact.n_rows;
    rows = std::max(rows, contact.n_rows);
    argument += contact.n_arguments;
    problem.contacts.push_back(contact);
  }
  problem.arguments.assign(argument, 0);
  problem.z.assign(dim, 0);
  problem.force.assign(rows, 0);
  problem.trial.assign(rows, 0);
  return problem;
}

}  // namespace

ContactProblem dense_problem(const std::vector<const nsm_contact_class*>& types, const std::vector<ContactRows>& given,
                             const std::vector<double>& G, const std::vector<double>& c, double dt) {
  ContactProblem problem = problem_without_G(types, given, c, dt);
  const auto n = static_cast<std::uint32_t>(c.size());
  problem.G = G;
  problem.runs.push_back({0, n, 0, static_cast<std::uint32_t>(given.size())});
  for (ContactRows& contact : problem.contacts) {
    contact.first_run = 0;
    contact.n_runs = 1;
    contact.width = n;
    contact.own = contact.first_row;
    contact.first_value = std::size_t{contact.first_row} * n;
  }
  problem.finish();
  return problem;
}

ContactProblem sparse_problem(const std::vector<const nsm_contact_class*>& types, const std::vector<ContactRows>& given,
                              const std::vector<GBlock>& blocks, const std::vector<double>& c, double dt) {
  ContactProblem problem = problem_without_G(types, given, c, dt);
  std::size_t first = 0;
  for (std::uint32_t i = 0; i < problem.contacts.size(); ++i) {
    ContactRows& rows = problem.contacts[i];
    problem.begin_columns(i);
    std::size_t end = first;
    for (; end < blocks.size() && blocks[end].row == i; ++end) problem.add_columns(i, blocks[end].column);
    rows.first_value = problem.G.size();
    for (std::uint32_t h = 0; h < rows.n_rows; ++h) {
      for (std::size_t b = first; b < end; ++b) {
        const std::size_t columns = problem.contacts[blocks[b].column].n_rows;
        const double* values = blocks[b].values.data() + h * columns;
        problem.G.insert(problem.G.end(), values, values + columns);
      }
    }
    first = end;
  }
  problem.finish();
  return problem;
}

}  // namespace nsmc::rt
