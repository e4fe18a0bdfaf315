// The contact problem in the velocities of bodies. With M_b = L_b L_b^T and velocities in the metric of M, y = L^T u,
//
//     xi_i = sum_b V~_ib^T y_b + C_i/dt Lambda_i + c_i,   y_b = sum_j W~_jb Lambda_j,   V~ = L^-1 V,  W~ = L^-1 W,
//
// summed over the one or two bodies of a contact. G_ij = V~_i^T W~_j never appears but for the own blocks G_ii: a
// contact between spheres of a pile has ten neighbours, 90 numbers of G and only 36 of V~, and when contacts come and
// go there is nothing to look up. This is how programs for many bodies sweep ("sequential impulses").
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nsmc::rt {

// What sweeps know of a contact whose friction needs no search (body_sweeps.hpp).
struct CoulombRows {
  double c[3];
  double low, high;       // the interval of -Lambda_N
  double R, mu;           // the radius of friction is R + mu Lambda_N
  double D_N, inverse_N;  // G_NN
  double D_T, inverse_T;  // G_TT = D_T I
  double G_TN[2];
};

struct BodyForm {
  static constexpr std::uint32_t most_u = 6;  // velocities of a body

  struct Contact {
    std::uint32_t body[2];  // the second one of a contact with the world is the world, which has no velocities
    std::size_t V, W;       // in `directions`: n_rows x stride of the first body, then of the second; the same if V = W
    std::size_t own;        // in `own_blocks`
    const double* C;        // compliance, or null
  };

  std::uint32_t n_bodies = 0;  // without the world
  std::uint32_t stride = 0;    // numbers of a body: 2, 4 or 6, filled up by zeros
  std::vector<Contact> contacts;
  std::vector<double> directions;
  std::vector<double> own_blocks;  // G_ii with C_i/dt, row after row
  std::vector<double> y;           // of all bodies and the world
  std::vector<CoulombRows> coulomb;
  std::vector<std::uint32_t> coulomb_of;  // by contact: its place there, or NSM_NONE

  bool active() const { return !contacts.empty(); }
  void clear() { contacts.clear(); }

  double* velocities(const Contact& contact, int side) { return y.data() + std::size_t{contact.body[side]} * stride; }
  const double* velocities(const Contact& contact, int side) const {
    return y.data() + std::size_t{contact.body[side]} * stride;
  }

  // V~_h^T y, h a row of the contact.
  double velocity(const Contact& contact, std::uint32_t n_rows, std::uint32_t h) const {
    const double* first = directions.data() + contact.V + std::size_t{h} * stride;
    const double* second = first + std::size_t{n_rows} * stride;
    const double *a = velocities(contact, 0), *b = velocities(contact, 1);
    double sum = 0;
    for (std::uint32_t k = 0; k < stride; ++k) sum += first[k] * a[k] + second[k] * b[k];
    return sum;
  }

  // y += W~ times what percussions of the contact, of its rows from `first` on, have changed by.
  void move(const Contact& contact, std::uint32_t n_rows, std::uint32_t first, std::uint32_t n, const double* change) {
    for (std::uint32_t side = 0; side < 2; ++side) {
      const double* w = directions.data() + contact.W + std::size_t{side * n_rows + first} * stride;
      double* own = velocities(contact, static_cast<int>(side));
      for (std::uint32_t h = 0; h < n; ++h, w += stride) {
        for (std::uint32_t k = 0; k < stride; ++k) own[k] += w[k] * change[h];
      }
    }
  }
};

}  // namespace nsmc::rt
