// Models whose kernels are written by hand: what the compiler would make of small .nsm files.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "runtime/kernel_abi.hpp"
#include "tests/unit/runtime/contact_cases.hpp"

namespace models {

// A kernel table with the arrays it points to.
struct Model {
  std::vector<nsm_block_class> block_classes;
  std::vector<nsm_block> blocks;
  std::vector<nsm_element_class> element_classes;
  std::vector<nsm_element> elements;
  std::vector<nsm_contact_class> contact_classes;
  std::vector<nsm_contact> contacts;
  std::vector<nsm_output_class> output_classes;
  std::vector<nsm_output> outputs;
  nsm_model table{};

  const nsm_model& finish(std::uint32_t n_p) {
    table.abi = NSM_ABI;
    table.n_p = n_p;
    table.n_q = table.n_u = 0;
    for (const nsm_block& block : blocks) {
      table.n_q += block_classes[block.block_class].n_q;
      table.n_u += block_classes[block.block_class].n_u;
    }
    table.n_block_classes = static_cast<std::uint32_t>(block_classes.size());
    table.n_blocks = static_cast<std::uint32_t>(blocks.size());
    table.n_element_classes = static_cast<std::uint32_t>(element_classes.size());
    table.n_elements = static_cast<std::uint32_t>(elements.size());
    table.n_contact_classes = static_cast<std::uint32_t>(contact_classes.size());
    table.n_contacts = static_cast<std::uint32_t>(contacts.size());
    table.n_output_classes = static_cast<std::uint32_t>(output_classes.size());
    table.n_outputs = static_cast<std::uint32_t>(outputs.size());
    table.block_classes = block_classes.data();
    table.blocks = blocks.data();
    table.element_classes = element_classes.data();
    table.elements = elements.data();
    table.contact_classes = contact_classes.data();
    table.contacts = contacts.data();
    table.output_classes = output_classes.data();
    table.outputs = outputs.data();
    return table;
  }
};

inline nsm_block_class block_class(const char* name, std::uint32_t n, nsm_kernel dynamics, bool diagonal = true) {
  nsm_block_class type{};
  type.name = name;
  type.n_q = type.n_u = n;
  type.mass_structure = diagonal ? NSM_MASS_DIAGONAL : NSM_MASS_DENSE;
  type.identity_kinematics = 1;
  type.quaternion = NSM_NONE;
  type.dynamics = dynamics;
  return type;
}

inline nsm_contact_class contact_class(const nsm_contact_class& shape, const char* name, std::uint32_t n_blocks,
                                       nsm_kernel gap, nsm_kernel directions) {
  nsm_contact_class type = shape;
  type.name = name;
  type.n_blocks = n_blocks;
  type.gap = gap;
  type.directions = directions;
  return type;
}

// --- A ball over a table: p = (m, g, e), q = (z). Columns: z, u, gap, lambda, energy, t (observed).
inline Model bouncing_ball() {
  Model model;
  model.block_classes = {block_class("ball", 1, [](const nsm_view* v, double* out) {
    out[0] = v->p[0];
    out[1] = -v->p[0] * v->p[1];
  })};
  model.block_classes[0].constant_mass = 1;
  model.block_classes[0].energy = [](const nsm_view* v, double* out) {
    const double m = v->p[0], g = v->p[1], z = v->q[0][0], u = v->u[0][0];
    out[0] = m * u * u / 2 + m * g * z;
  };
  model.blocks = {{0, 0, 0, nullptr}};
  model.contact_classes = {contact_class(
      cases::unilateral, "table", 1, [](const nsm_view* v, double* out) { out[0] = v->q[0][0]; },
      [](const nsm_view* v, double* out) {
        const double values[] = {1, 0, v->p[2], -cases::infinity, 0, 0, 0};  // W, chi, restitution, a, K
        std::copy(std::begin(values), std::end(values), out);
      })};
  model.contacts = {{0, {0, 0}, "table", nullptr}};
  model.finish(3);
  model.table.n_observed = 1;
  model.table.observe = [](const nsm_view* v, double* out) { out[0] = v->t; };
  return model;
}

// --- Balls in a row, each its own block, with its mass as a parameter of the instance; p = (e).
// A contact touches two of them: gap x_2 - x_1 - 1, a ball has diameter 1.
inline Model cradle(const std::vector<double>& masses,
                    const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) {
  Model model;
  model.block_classes = {block_class("ball", 1, [](const nsm_view* v, double* out) {
    out[0] = v->self[0];
    out[1] = 0;
  })};
  for (std::uint32_t i = 0; i < masses.size(); ++i) model.blocks.push_back({0, i, i, &masses[i]});
  model.contact_classes = {contact_class(
      cases::unilateral, "touch", 2, [](const nsm_view* v, double* out) { out[0] = v->q[1][0] - v->q[0][0] - 1; },
      [](const nsm_view* v, double* out) {
        const double values[] = {-1, 1, 0, v->p[0], -cases::infinity, 0, 0, 0};  // W_1, W_2, chi, restitution, a, K
        std::copy(std::begin(values), std::end(values), out);
      })};
  for (const auto& [first, second] : pairs) model.contacts.push_back({0, {first, second}, nullptr, nullptr});
  model.finish(1);
  return model;
}

// --- A point mass on an incline: p = (m, g, angle, mu), q = (x down the slope, y off it).
inline Model incline(bool affine = true) {
  Model model;
  model.block_classes = {block_class(
      "mass", 2,
      [](const nsm_view* v, double* out) {
        const double m = v->p[0], g = v->p[1], angle = v->p[2];
        out[0] = m;  // dense, lower triangle
        out[1] = 0;
        out[3] = m;
        out[4] = m * g * std::sin(angle);
        out[5] = -m * g * std::cos(angle);
      },
      false)};
  model.block_classes[0].constant_mass = 1;
  model.blocks = {{0, 0, 0, nullptr}};
  nsm_kernel directions = [](const nsm_view* v, double* out) {
    const double mu = v->p[3];
    const double values[] = {0,
                             1,
                             1,
                             0,  // W: normal, tangential
                             0,
                             0,
                             0,
                             0,  // chi, restitution
                             -cases::infinity,
                             0,
                             0,
                             0,  // a
                             0,
                             0,
                             0,
                             0,
                             -mu,
                             0,
                             mu,
                             0};  // K
    std::copy(std::begin(values), std::end(values), out);
  };
  nsm_kernel directions_only = [](const nsm_view*, double* out) {
    const double values[] = {0, 1, 1, 0, 0, 0, 0, 0};
    std::copy(std::begin(values), std::end(values), out);
  };
  nsm_contact_class type = contact_class(
      cases::planar, "ground", 1, [](const nsm_view* v, double* out) { out[0] = v->q[0][1]; },
      affine ? directions : directions_only);
  if (!affine) {
    type.affine = 0;
    type.arguments = [](const nsm_view* v, double* out) {
      out[0] = -cases::infinity;
      out[1] = 0;
      out[3] = v->p[3] * v->lambda[0];
      out[2] = -out[3];
    };
  }
  model.contact_classes = {type};
  model.contacts = {{0, {0, 0}, "ground", nullptr}};
  model.finish(4);
  return model;
}

}  // namespace models
