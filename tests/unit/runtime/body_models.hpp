// More models whose kernels are written by hand: bodies in space, pendulums on constraints, springs, stacks of beads.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/unit/runtime/hand_models.hpp"

namespace models {

inline void write(std::initializer_list<double> values, double* out) { std::copy(values.begin(), values.end(), out); }

// --- A rigid body: q = (x, e) with the unit quaternion e from body to space, u = (v in space, omega in the body);
// self = (m, A, B, C, g), gravity along -z. M = diag(m, m, m, A, B, C), h = (0, 0, -m g, -omega x J omega).
inline nsm_block_class rigid_body() {
  nsm_block_class type = block_class("body", 6, [](const nsm_view* v, double* out) {
    const double *s = v->self, *w = v->u[0] + 3;
    write({s[0], s[0], s[0], s[1], s[2], s[3], 0, 0, -s[0] * s[4], (s[2] - s[3]) * w[1] * w[2],
           (s[3] - s[1]) * w[2] * w[0], (s[1] - s[2]) * w[0] * w[1]},
          out);
  });
  type.n_q = 7;
  type.constant_mass = 1;
  type.identity_kinematics = 0;
  type.quaternion = 3;
  type.kinematics = [](const nsm_view* v, double* out) {
    const double *e = v->q[0] + 3, *u = v->u[0], *w = u + 3;
    write({u[0], u[1], u[2], -(e[1] * w[0] + e[2] * w[1] + e[3] * w[2]) / 2,
           (e[0] * w[0] + e[2] * w[2] - e[3] * w[1]) / 2, (e[0] * w[1] + e[3] * w[0] - e[1] * w[2]) / 2,
           (e[0] * w[2] + e[1] * w[1] - e[2] * w[0]) / 2},
          out);
  };
  type.energy = [](const nsm_view* v, double* out) {
    const double *s = v->self, *u = v->u[0];
    double twice = 0;
    for (int k = 0; k < 3; ++k) twice += s[0] * u[k] * u[k] + s[1 + k] * u[3 + k] * u[3 + k];
    out[0] = twice / 2 + s[0] * s[4] * v->q[0][2];
  };
  type.initial = [](const nsm_view* v, double* out) {  // self goes on with the angular velocity
    write({0, 0, 0, 2, 0, 0, 0, 0, 0, 0, v->self[5], v->self[6], v->self[7]}, out);
  };
  return type;
}

// R(e) a, from body to space.
inline Eigen::Vector3d rotate(const double* e, const Eigen::Vector3d& a) {
  return Eigen::Quaterniond(e[0], e[1], e[2], e[3]).toRotationMatrix() * a;
}

// A contact class of n rows that are bilateral constraints, each with an interval of its own.
inline nsm_contact_class constraint(const char* name, std::uint32_t n_blocks, std::uint32_t n_rows, nsm_kernel position,
                                    nsm_kernel directions) {
  static const nsm_set sets[6] = {
      {NSM_SET_INTERVAL, 0, 1, 0, 2, 2, 0, 0, nullptr}, {NSM_SET_INTERVAL, 1, 1, 2, 2, 2, 0, 0, nullptr},
      {NSM_SET_INTERVAL, 2, 1, 4, 2, 2, 0, 0, nullptr}, {NSM_SET_INTERVAL, 3, 1, 6, 2, 2, 0, 0, nullptr},
      {NSM_SET_INTERVAL, 4, 1, 8, 2, 2, 0, 0, nullptr}, {NSM_SET_INTERVAL, 5, 1, 10, 2, 2, 0, 0, nullptr},
  };
  nsm_contact_class type =
      contact_class(cases::contact_class(n_rows, sets, n_rows, 2 * n_rows), name, n_blocks, nullptr, directions);
  type.n_position = n_rows;
  type.position = position;
  return type;
}

// What follows W in the output of `directions` of such a constraint: chi = 0, restitution, a, K.
inline void write_bilateral(std::uint32_t n_rows, double restitution, double* out) {
  for (std::uint32_t h = 0; h < n_rows; ++h) {
    out[h] = 0;
    out[n_rows + h] = restitution;
    out[2 * n_rows + 2 * h] = -cases::infinity;
    out[2 * n_rows + 2 * h + 1] = cases::infinity;
  }
  std::fill_n(out + 4 * n_rows, 2 * n_rows * n_rows, 0.0);
}

// --- A pendulum of mass m and length L, p = (m, g, L, restitution of the constraint). In the plane with q = (x, y), y
// upwards, and the rod as a constraint (`copies` times the same one); or, if generalised, with its angle from below.
inline Model pendulum(std::uint32_t copies, bool generalised = false) {
  Model model;
  if (generalised) {
    model.block_classes = {block_class("angle", 1, [](const nsm_view* v, double* out) {
      write({v->p[0] * v->p[2] * v->p[2], -v->p[0] * v->p[1] * v->p[2] * std::sin(v->q[0][0])}, out);
    })};
    model.block_classes[0].energy = [](const nsm_view* v, double* out) {
      const double m = v->p[0], g = v->p[1], L = v->p[2], w = v->u[0][0];
      out[0] = m * L * L * w * w / 2 - m * g * L * std::cos(v->q[0][0]);
    };
  } else {
    model.block_classes = {block_class("bob", 2, [](const nsm_view* v, double* out) {
      write({v->p[0], v->p[0], 0, -v->p[0] * v->p[1]}, out);
    })};
    model.block_classes[0].energy = [](const nsm_view* v, double* out) {
      const double *q = v->q[0], *u = v->u[0];
      out[0] = v->p[0] * (u[0] * u[0] + u[1] * u[1]) / 2 + v->p[0] * v->p[1] * q[1];
    };
    model.contact_classes = {constraint(
        "rod", 1, 1, [](const nsm_view* v, double* out) { out[0] = std::hypot(v->q[0][0], v->q[0][1]) - v->p[2]; },
        [](const nsm_view* v, double* out) {
          const double *q = v->q[0], r = std::hypot(q[0], q[1]);
          write({q[0] / r, q[1] / r}, out);
          write_bilateral(1, v->p[3], out + 2);
        })};
    for (std::uint32_t n = 0; n < copies; ++n) model.contacts.push_back({0, {0, 0}, "rod", nullptr});
  }
  model.blocks = {{0, 0, 0, nullptr}};
  model.finish(4);
  return model;
}

// --- A chain of n point masses in the plane, p = (m, g, restitution); every link has length 1, the first one hangs at
// the origin.
inline Model rope(std::uint32_t n) {
  Model model;
  model.block_classes = {block_class("bead", 2, [](const nsm_view* v, double* out) {
    write({v->p[0], v->p[0], 0, -v->p[0] * v->p[1]}, out);
  })};
  model.block_classes[0].constant_mass = 1;
  model.block_classes[0].energy = [](const nsm_view* v, double* out) {
    const double *q = v->q[0], *u = v->u[0];
    out[0] = v->p[0] * (u[0] * u[0] + u[1] * u[1]) / 2 + v->p[0] * v->p[1] * q[1];
  };
  model.contact_classes = {
      constraint(
          "hook", 1, 1, [](const nsm_view* v, double* out) { out[0] = std::hypot(v->q[0][0], v->q[0][1]) - 1; },
          [](const nsm_view* v, double* out) {
            const double *q = v->q[0], r = std::hypot(q[0], q[1]);
            write({q[0] / r, q[1] / r}, out);
            write_bilateral(1, v->p[2], out + 2);
          }),
      constraint(
          "link", 2, 1,
          [](const nsm_view* v, double* out) {
            out[0] = std::hypot(v->q[1][0] - v->q[0][0], v->q[1][1] - v->q[0][1]) - 1;
          },
          [](const nsm_view* v, double* out) {
            const double x = v->q[1][0] - v->q[0][0], y = v->q[1][1] - v->q[0][1], r = std::hypot(x, y);
            write({-x / r, -y / r, x / r, y / r}, out);
            write_bilateral(1, v->p[2], out + 4);
          })};
  for (std::uint32_t i = 0; i < n; ++i) {
    model.blocks.push_back({0, 2 * i, 2 * i, nullptr});
    if (i == 0) {
      model.contacts.push_back({0, {0, 0}, "hook", nullptr});
    } else {
      model.contacts.push_back({1, {i - 1, i}, nullptr, nullptr});
    }
  }
  model.finish(3);
  return model;
}

// --- A stack of n beads of diameter 1 under gravity, each its own block with one coordinate, over a floor at 0;
// p = (m, g, e).
inline Model stack(std::uint32_t n) {
  Model model;
  model.block_classes = {block_class("bead", 1, [](const nsm_view* v, double* out) {
    write({v->p[0], -v->p[0] * v->p[1]}, out);
  })};
  model.block_classes[0].constant_mass = 1;
  model.contact_classes = {
      contact_class(
          cases::unilateral, "floor", 1, [](const nsm_view* v, double* out) { out[0] = v->q[0][0] - 0.5; },
          [](const nsm_view* v, double* out) {
            write({1, 0, v->p[2], -cases::infinity, 0, 0, 0}, out);
          }),
      contact_class(
          cases::unilateral, "touch", 2, [](const nsm_view* v, double* out) { out[0] = v->q[1][0] - v->q[0][0] - 1; },
          [](const nsm_view* v, double* out) {
            write({-1, 1, 0, v->p[2], -cases::infinity, 0, 0, 0}, out);
          })};
  for (std::uint32_t i = 0; i < n; ++i) {
    model.blocks.push_back({0, i, i, nullptr});
    if (i == 0) {
      model.contacts.push_back({0, {0, 0}, nullptr, nullptr});
    } else {
      model.contacts.push_back({1, {i - 1, i}, nullptr, nullptr});
    }
  }
  model.finish(3);
  return model;
}

// --- Two masses on a line with a spring between them, each its own block: self of the masses = (m), of the spring
// (k, its free length).
inline Model two_masses(const double* masses, const double* spring) {
  Model model;
  model.block_classes = {block_class("mass", 1, [](const nsm_view* v, double* out) { write({v->self[0], 0}, out); })};
  model.block_classes[0].energy = [](const nsm_view* v, double* out) {
    out[0] = v->self[0] * v->u[0][0] * v->u[0][0] / 2;
  };
  model.blocks = {{0, 0, 0, masses}, {0, 1, 1, masses + 1}};
  model.element_classes = {{"spring", 2,
                            [](const nsm_view* v, double* out) {
                              const double f = v->self[0] * (v->q[1][0] - v->q[0][0] - v->self[1]);
                              write({f, -f}, out);
                            },
                            [](const nsm_view* v, double* out) {
                              const double x = v->q[1][0] - v->q[0][0] - v->self[1];
                              out[0] = v->self[0] * x * x / 2;
                            },
                            nullptr}};
  model.elements = {{0, {0, 1}, spring}};
  model.finish(0);
  return model;
}

}  // namespace models
