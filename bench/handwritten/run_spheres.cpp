// models/column.nsm and models/pyramid.nsm: equal spheres on each other and on the floor. Of a body q = (x, e), u = (v,
// spin in its frame). The inertia is the same about all axes, so that G needs no rotation: with directions d and
// normals n,
//     G = s_i s_j d_i . d_j/m + r^2/J (n_i x d_i) . (n_j x d_j)    for each common body, s = +1 for the first, -1 for
//     the
// second body of a contact. G is kept in blocks of 3 x 3 for contacts that share a body.
#include <cmath>
#include <memory>

#include "bench/handwritten/quaternion.hpp"
#include "bench/handwritten/runs.hpp"

namespace nsmc::bench {

namespace {

constexpr double m = 0.1, r = 0.02, J = 0.4 * m * r * r, g = 9.81;
constexpr int floor_body = -1;

struct Pair {
  int first, second;  // second: a body or the floor
  double mu;
};

struct Sphere {
  double x[3], e[4], v[3], w[3];
  double R[3][3];
  double spin[3];  // in the frame of the world
};

struct Block {
  int other;  // position of the contact
  double G[3][3];
};

template <int Neighbours>
struct Closed {
  Pair pair;
  int contact;
  double d[3][3];   // n, t1, t2
  double nd[3][3];  // n x d
  double c[3], Lambda[3];
  double D[2];  // of normal and friction
  int n_blocks;
  Block blocks[Neighbours];
};

inline double dot3(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

inline void cross3(const double* a, const double* b, double* out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

// Two contacts can share a body only if they are at most Band places apart in the list of all.
template <int Bodies, int Contacts, int Neighbours, int Band>
struct Spheres {
  Sphere body[Bodies];
  Pair pair[Contacts];
  double Lambda[Contacts][3];
  bool was_closed[Contacts];
  Closed<Neighbours> closed[Contacts];
  int n_closed;

  // Adds contact k if it is closed.
  void look(int k, double dt) {
    const Pair& p = pair[k];
    const Sphere& a = body[p.first];
    double n[3] = {0, 0, 1};
    // At rest a gap changes by what the tolerance leaves of a velocity, 1e-15 in a step: a contact that was closed
    // stays so within such errors, or spheres would hop.
    const double slack = was_closed[k] ? 1e-12 : 0;
    if (p.second == floor_body) {
      if (a.x[2] - r > slack) return;
    } else {
      const Sphere& b = body[p.second];
      for (int j = 0; j < 3; ++j) n[j] = a.x[j] - b.x[j];
      const double distance = std::sqrt(dot3(n, n));
      if (distance - 2 * r > slack) return;
      for (double& component : n) component /= distance;
    }
    Closed<Neighbours>& t = closed[n_closed++];
    t.pair = p;
    t.contact = k;
    // t1: the first (or second) axis seen along n
    const int axis = std::fabs(n[0]) > 0.9 ? 1 : 0;
    double* t1 = t.d[1];
    for (int j = 0; j < 3; ++j) t1[j] = (j == axis ? 1 : 0) - n[axis] * n[j];
    const double length = std::sqrt(dot3(t1, t1));
    for (int j = 0; j < 3; ++j) {
      t1[j] /= length;
      t.d[0][j] = n[j];
    }
    cross3(n, t1, t.d[2]);
    for (int h = 0; h < 3; ++h) {
      cross3(n, t.d[h], t.nd[h]);
      // gravity acts on both bodies alike
      double sum = dot3(t.d[h], a.v) - r * dot3(t.nd[h], a.spin);
      if (p.second == floor_body) {
        sum -= dt * g * t.d[h][2];
      } else {
        sum -= dot3(t.d[h], body[p.second].v) + r * dot3(t.nd[h], body[p.second].spin);
      }
      t.c[h] = sum;
      t.Lambda[h] = Lambda[k][h];
    }
  }

  void fill(int i) {
    Closed<Neighbours>& a = closed[i];
    a.n_blocks = 0;
    const auto add = [](const Closed<Neighbours>& x, const Closed<Neighbours>& y, double sign, Block& block) {
      for (int h = 0; h < 3; ++h) {
        for (int k = 0; k < 3; ++k)
          block.G[h][k] += sign / m * dot3(x.d[h], y.d[k]) + r * r / J * dot3(x.nd[h], y.nd[k]);
      }
    };
    const int begin = i > Band ? i - Band : 0, end = i + Band < n_closed ? i + Band + 1 : n_closed;
    for (int j = begin; j < end; ++j) {
      const Closed<Neighbours>& b = closed[j];
      const bool ff = a.pair.first == b.pair.first, fs = a.pair.first == b.pair.second;
      const bool sf = a.pair.second == b.pair.first;
      const bool ss = a.pair.second != floor_body && a.pair.second == b.pair.second;
      if (!ff && !fs && !sf && !ss) continue;
      Block& block = a.blocks[a.n_blocks++];
      block = Block{j, {}};
      if (ff) add(a, b, 1, block);
      if (ss) add(a, b, 1, block);
      if (fs) add(a, b, -1, block);
      if (sf) add(a, b, -1, block);
      if (j == i) {
        a.D[0] = block.G[0][0];
        a.D[1] = block.G[1][1];  // = G_22, and nothing besides
      }
    }
  }

  int solve() {
    int sweeps = 0;
    while (sweeps < run_most_sweeps) {
      ++sweeps;
      double change2 = 0, size2 = 0;
      for (int i = 0; i < n_closed; ++i) {
        Closed<Neighbours>& t = closed[i];
        // Normal and friction of one contact do not see each other in G.
        double xi[3] = {t.c[0], t.c[1], t.c[2]};
        for (int k = 0; k < t.n_blocks; ++k) {
          const double* x = closed[t.blocks[k].other].Lambda;
          for (int h = 0; h < 3; ++h) xi[h] += dot3(t.blocks[k].G[h], x);
        }
        const double N = std::fmax(0.0, t.Lambda[0] - xi[0] / t.D[0]);
        double T1 = t.Lambda[1] - xi[1] / t.D[1], T2 = t.Lambda[2] - xi[2] / t.D[1];
        const double R = t.pair.mu * N, T = T1 * T1 + T2 * T2;
        if (T > R * R) {
          const double onto = R / std::sqrt(T);
          T1 *= onto;
          T2 *= onto;
        }
        const double dN = N - t.Lambda[0], d1 = T1 - t.Lambda[1], d2 = T2 - t.Lambda[2];
        change2 = std::fmax(change2, std::fmax(t.D[0] * dN * dN, t.D[1] * (d1 * d1 + d2 * d2)));
        size2 = std::fmax(size2, std::fmax(t.D[0] * N * N, t.D[1] * (T1 * T1 + T2 * T2)));
        t.Lambda[0] = N;
        t.Lambda[1] = T1;
        t.Lambda[2] = T2;
      }
      if (change2 <= run_tolerance * run_tolerance * size2) break;
    }
    return sweeps;
  }

  void push() {
    for (int i = 0; i < n_closed; ++i) {
      const Closed<Neighbours>& t = closed[i];
      double P[3], moment[3];
      for (int j = 0; j < 3; ++j) {
        P[j] = t.d[0][j] * t.Lambda[0] + t.d[1][j] * t.Lambda[1] + t.d[2][j] * t.Lambda[2];
        moment[j] = -r * (t.nd[1][j] * t.Lambda[1] + t.nd[2][j] * t.Lambda[2]);
      }
      const auto act = [&](Sphere& s, double sign) {
        for (int j = 0; j < 3; ++j) {
          s.v[j] += sign * P[j] / m;
          s.w[j] += (s.R[0][j] * moment[0] + s.R[1][j] * moment[1] + s.R[2][j] * moment[2]) / J;
        }
      };
      act(body[t.pair.first], 1);
      if (t.pair.second != floor_body) act(body[t.pair.second], -1);
      for (int h = 0; h < 3; ++h) Lambda[t.contact][h] = t.Lambda[h];
      was_closed[t.contact] = true;
    }
  }

  void drift(double s) {
    for (Sphere& b : body) {
      for (int j = 0; j < 3; ++j) b.x[j] += s * b.v[j];
      turn(b.e, b.w, s);
    }
  }

  std::uint64_t run(double dt, std::uint64_t steps, double* q, double* u) {
    std::uint64_t sweeps = 0;
    for (std::uint64_t step = 0; step < steps; ++step) {
      drift(dt / 2);
      for (Sphere& b : body) {
        rotation(b.e, b.R);
        for (int j = 0; j < 3; ++j) b.spin[j] = dot3(b.R[j], b.w);
      }
      n_closed = 0;
      for (int k = 0; k < Contacts; ++k) look(k, dt);
      for (int i = 0; i < n_closed; ++i) fill(i);
      if (n_closed > 0) sweeps += static_cast<std::uint64_t>(solve());
      for (int k = 0; k < Contacts; ++k) {
        was_closed[k] = false;
        Lambda[k][0] = Lambda[k][1] = Lambda[k][2] = 0;
      }
      for (Sphere& b : body) b.v[2] -= dt * g;
      push();
      drift(dt / 2);
    }
    for (const Sphere& b : body) {
      for (int j = 0; j < 3; ++j) *q++ = b.x[j];
      for (int j = 0; j < 4; ++j) *q++ = b.e[j];
      for (int j = 0; j < 3; ++j) *u++ = b.v[j];
      for (int j = 0; j < 3; ++j) *u++ = b.w[j];
    }
    return sweeps;
  }

  void place(int i, double x, double y, double z) { body[i] = Sphere{{x, y, z}, {1, 0, 0, 0}, {}, {}, {}, {}}; }
};

template <int N>
std::uint64_t run_column(double dt, std::uint64_t steps, double* q, double* u) {
  const auto column = std::make_unique<Spheres<N, N, 3, 1>>();
  for (int i = 0; i < N; ++i) {
    column->place(i, 0, 0, (2 * i + 1) * r - (i + 1) * 1e-9);
    column->pair[i] = {i, i == 0 ? floor_body : i - 1, 0.3};
  }
  return column->run(dt, steps, q, u);
}

}  // namespace

std::uint64_t run_column_10(double dt, std::uint64_t steps, double* q, double* u) {
  return run_column<10>(dt, steps, q, u);
}
std::uint64_t run_column_100(double dt, std::uint64_t steps, double* q, double* u) {
  return run_column<100>(dt, steps, q, u);
}
std::uint64_t run_column_1000(double dt, std::uint64_t steps, double* q, double* u) {
  return run_column<1000>(dt, steps, q, u);
}

std::uint64_t run_pyramid(double dt, std::uint64_t steps, double* q, double* u) {
  const double pi = 3.14159265358979323846, a = (2 * r + 2e-4) / std::sqrt(3.0);
  Spheres<4, 10, 10, 10> pyramid{};
  for (int i = 0; i < 3; ++i)
    pyramid.place(i, a * std::cos(2 * pi * (i + 1) / 3), a * std::sin(2 * pi * (i + 1) / 3), r);
  pyramid.place(3, 0, 0, r + std::sqrt(4 * r * r - a * a));
  const Pair pairs[10] = {{0, floor_body, 0.2}, {1, floor_body, 0.2}, {2, floor_body, 0.2}, {3, 0, 0.4},
                          {3, 1, 0.4},          {3, 2, 0.4},          {0, 1, 0.4},          {0, 2, 0.4},
                          {1, 2, 0.4},          {3, floor_body, 0.2}};
  for (int k = 0; k < 10; ++k) pyramid.pair[k] = pairs[k];
  return pyramid.run(dt, steps, q, u);
}

}  // namespace nsmc::bench
