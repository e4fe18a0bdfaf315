// From the solution of the inclusions to the modes of the next smooth phase.
#include <algorithm>
#include <cmath>

#include "runtime/methods/event/accelerations.hpp"
#include "runtime/methods/event/face_problem.hpp"
#include "runtime/sets/exposed_face.hpp"
#include "runtime/solvers/kappa.hpp"

namespace nsmc::rt::event {

namespace {

// Accelerations below this part of their terms count as zero. It lies between the accuracy of the solver and what a
// force that has left its set makes of it (leaves_set, conditions.hpp).
constexpr double zero_rate = 1e-12;
// Natural residuals of problems on acceleration level: solved well enough to go on with, and not solved.
constexpr double good_enough = 1e-9, no_accelerations = 1e-6;
constexpr double same_forces = 1e-12;   // of the forces that sets depend on
constexpr double beyond_border = 1e-6;  // of a set: how far outside a force that wants to leave is looked at
constexpr double held_rate = 1e-9;      // of the rates: what a held direction may keep

// What the laws want a unit to do: z = -lambda + r xi', and what is left of it outside of the set, which is r xi' where
// this is not 0.
struct Step {
  double point[max_shifted_dim], excess[max_shifted_dim], size = 0;
};

}  // namespace

// Once more, by newton and from 0, what is not solved.
static ContactSolution made_sure(ContactProblem& problem, const SolverOptions& options, ContactSolution solution) {
  if (solution.residual <= good_enough || options.asked_to_stop()) return solution;
  const int spent = solution.iterations;
  std::fill(problem.Lambda.begin(), problem.Lambda.end(), 0.0);
  solution = solve_newton(problem, options);
  solution.iterations += spent;
  return solution;
}

ContactSolution solve_surely(ContactProblem& problem, const SolverOptions& options) {
  return made_sure(problem, options, solve(problem, options));
}

// Solves the problem with faces; its forces go into problem().Lambda. Linearised sets are linearised anew until the
// forces stay.
// Where that has no solution, as with mu*norm(N) around N = 0, whose tangents are below 0 for half of all N, the sets
// are those of the last forces for once: the forces that they give are a better place to linearise at.
static ContactSolution solve_faces(FaceProblem& faces, Accelerations& at, ContactProblem& target,
                                   const SolverOptions& options, Form form, Accelerations::Transition* report) {
  ContactSolution solution;
  constexpr int most = 40;
  bool frozen = false;
  for (int round = 0; round < most; ++round) {
    const int before = solution.iterations;
    faces.build(at, frozen);
    if (form == Form::kappa) {
      KappaSolution kappa = solve_kappa(faces.problem, options);
      if (report != nullptr) {
        report->regular = kappa.regular;
        report->dependent = std::move(kappa.dependent);
      }
      if (!kappa.regular) return kappa.solution;
      solution = made_sure(faces.problem, options, kappa.solution);
    } else {
      solution = solve_surely(faces.problem, options);
    }
    solution.iterations += before;
    if ((!solution.finite || solution.residual > no_accelerations) && !faces.affine && !frozen) {
      frozen = true;
      continue;
    }
    if (!solution.finite) return solution;
    double change = 0, size = 0;
    for (std::size_t k = 0; k < target.Lambda.size(); ++k) {
      change = std::max(change, std::abs(target.Lambda[k] - faces.problem.Lambda[k]));
      size = std::max(size, std::abs(faces.problem.Lambda[k]));
      target.Lambda[k] = faces.problem.Lambda[k];
    }
    if (faces.affine || (change <= same_forces * size && !frozen)) break;
    frozen = false;
  }
  return solution;
}

Accelerations::Transition Accelerations::transition(const SolverOptions& options, Form form,
                                                    const std::vector<std::uint8_t>& leaving) {
  Transition result;
  ContactProblem& problem = work_.problem;
  FaceProblem faces;
  result.solution = solve_faces(faces, *this, problem, options, form, &result);
  result.force_dependent =
      std::any_of(faces.problem.sets.begin(), faces.problem.sets.end(), [](const SetBlock& s) { return !s.constant; });
  if (!result.regular || !result.solution.finite) return result;
  for (const ContactRows& rows : problem.contacts) {
    const ContactInfo& contact = system_.contacts()[rows.contact];
    std::copy_n(problem.Lambda.data() + rows.first_row, rows.n_rows, own_.data());
    for (std::uint32_t k = modes_.first_unit[rows.contact]; k < modes_.first_unit[rows.contact + 1]; ++k) {
      Unit& unit = modes_.units[k];
      Ridges& ridges = modes_.ridges[k];
      const bool at_ridge = reaches_ridge(rows, unit);
      ridges.near = ridges.asked = false;
      if (faces.faces[k] == Face::point) {
        unit.mode = Mode::slip;  // its direction and corner are known from its velocity
        continue;
      }
      const FlatFace* flat = faces.faces[k] == Face::edge && unit.dim > 2 ? &faces.face_sets[k].face : nullptr;
      // z outside of the face means that xi' is not 0.
      const SetBlock& block = faces.problem.sets[faces.problem.contacts[&rows - problem.contacts.data()].first_set +
                                                 (k - modes_.first_unit[rows.contact])];
      const ContactRows& face_rows = faces.problem.contacts[block.contact];
      faces.problem.update_arguments(face_rows, *block.set, problem.Lambda.data());
      const ConvexSet face{block.set, faces.problem.arguments.data() + face_rows.first_argument};
      const double alpha = face.alpha(), r = block.D > 0 ? 1 / block.D : 0;
      Step step;
      double middle[max_shifted_dim] = {};  // of an edge
      if (flat != nullptr) {
        for (std::uint32_t h = 0; h < unit.dim; ++h)
          middle[h] = face.own()[0] * flat->inner[h] + (face.centre() != nullptr ? face.centre()[h] : 0);
      } else if (faces.faces[k] == Face::edge) {
        const Edge edge = edge_of(rows, unit, own_.data());
        for (int h = 0; h < 2; ++h) middle[h] = edge.corner[h] + edge.length / 2 * edge.along[h];
      }
      const auto excess = [&](double stretch, bool with_rate) {
        step.size = 0;
        for (std::uint32_t h = 0; h < unit.dim; ++h) {
          const double rate = with_rate ? r * xi_rate(rows, unit.row + h) : 0;
          double centre = face.centre() != nullptr ? face.centre()[h] : 0;
          if (faces.faces[k] == Face::edge) centre = middle[h];
          const double z = alpha * (rate - own_[unit.row + h]);
          step.point[h] = step.excess[h] = centre + stretch * (z - centre);
        }
        face.prox(step.point);
        for (std::uint32_t h = 0; h < unit.dim; ++h) step.excess[h] -= step.point[h];
        if (flat != nullptr) {  // what is normal to the face belongs to slip along it
          double across[max_shifted_dim];
          std::copy_n(step.excess, unit.dim, across);
          std::fill_n(step.excess, unit.dim, 0.0);
          for (std::uint32_t j = 0; j < flat->k; ++j) {
            for (std::uint32_t h = 0; h < unit.dim; ++h) step.excess[h] += flat->along(across, j) * flat->basis[j][h];
          }
        } else if (faces.faces[k] == Face::edge) {
          const Edge edge = edge_of(rows, unit, own_.data());
          const double along = step.excess[0] * edge.along[0] + step.excess[1] * edge.along[1];
          for (std::uint32_t h = 0; h < 2; ++h) step.excess[h] = along * edge.along[h];
        }
        for (std::uint32_t h = 0; h < unit.dim; ++h) step.size = std::hypot(step.size, step.excess[h]);
        return step.size;
      };
      const bool leverage = has_leverage(rows, unit) && block.D > 0;
      bool leaves = leverage && excess(1, true) > zero_rate * r * rate_scale(rows, unit);
      if (!leverage) {  // it goes on with the acceleration that it has
        for (std::uint32_t h = 0; h < unit.dim; ++h) {
          step.excess[h] = xi_rate(rows, unit.row + h);
          step.size = std::hypot(step.size, step.excess[h]);
        }
        leaves = step.size > zero_rate * rate_scale(rows, unit);
      }
      // The force of a unit that is known to leave sits on the border, where xi' begins with 0.
      if (!leaves && leaving[k] != 0 && !at_ridge && modes_.determinate) leaves = excess(1 + beyond_border, false) > 0;
      if (!leaves) {
        unit.mode = faces.faces[k] == Face::edge ? Mode::edge : Mode::hold;
        if (flat != nullptr) ridges.held = *flat;
        if (at_ridge) ++unit.corner;
        continue;
      }
      double* n0 = modes_.direction.data() + contact.first_row + unit.row;
      for (std::uint32_t h = 0; h < unit.dim; ++h) n0[h] = step.excess[h] / step.size;
      unit.mode = Mode::slip;
      if (flat != nullptr) {
        leave_face(rows, unit, own_.data(), *flat, step.excess, n0);
      } else if (faces.faces[k] == Face::edge) {
        const Edge edge = edge_of(rows, unit, own_.data());
        leave_edge(rows, unit, own_.data(), n0[0] * edge.along[0] + n0[1] * edge.along[1] > 0, n0);
      } else if (unit.dim == 2) {
        find_corner(rows, unit, own_.data(), step.point, n0);
      } else if (unit.dim > 2) {
        find_first_face(rows, unit, own_.data(), step.point, n0);
      }
    }
    std::copy_n(own_.data(), rows.n_rows, modes_.lambda.data() + contact.first_row);
  }
  return result;
}

bool Accelerations::can_hold(const SolverOptions& options) {
  ContactProblem& problem = work_.problem;
  FaceProblem faces;
  const ContactSolution solution = solve_faces(faces, *this, problem, options, Form::lambda, nullptr);
  if (!solution.finite || solution.residual > no_accelerations) return false;
  for (const ContactRows& rows : problem.contacts) {
    for (std::uint32_t k = modes_.first_unit[rows.contact]; k < modes_.first_unit[rows.contact + 1]; ++k) {
      const Unit& unit = modes_.units[k];
      if (unit.mode != Mode::hold) continue;
      for (std::uint32_t h = 0; h < unit.dim; ++h) {
        if (std::abs(xi_rate(rows, unit.row + h)) > held_rate * rate_scale(rows, unit)) return false;
      }
    }
  }
  for (const ContactRows& rows : problem.contacts) {
    std::copy_n(problem.Lambda.data() + rows.first_row, rows.n_rows,
                modes_.lambda.data() + system_.contacts()[rows.contact].first_row);
  }
  return true;
}

}  // namespace nsmc::rt::event
