#include "runtime/tables/table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace nsmc::rt::tables {

namespace {

thread_local std::optional<Left> last_left;

constexpr std::size_t orders = most_derivatives + 1;

// What two neighbouring rows, their values (0, 1) and their slopes (2, 3), contribute to a value and its derivatives.
struct Weights {
  std::size_t row = 0;
  double of[orders][4] = {};
};

// f(x) = f0 h00(s) + f1 h01(s) + h (m0 h10(s) + m1 h11(s)), s = (x - x0)/h, by Hermite's cubics.
void add_cubic(Weights& w, double s, double h) {
  const double values[orders][4] = {
      {(2 * s - 3) * s * s + 1, (3 - 2 * s) * s * s, h * s * (s - 1) * (s - 1), h * s * s * (s - 1)},
      {(6 * s - 6) * s / h, (6 - 6 * s) * s / h, (3 * s - 4) * s + 1, (3 * s - 2) * s},
      {(12 * s - 6) / (h * h), (6 - 12 * s) / (h * h), (6 * s - 4) / h, (6 * s - 2) / h},
      {12 / (h * h * h), -12 / (h * h * h), 6 / (h * h), 6 / (h * h)}};
  for (std::size_t k = 0; k < orders; ++k) std::copy_n(values[k], 4, w.of[k]);
}

Weights weights_at(std::span<const double> x, double at, Form form, Beyond beyond) {
  Weights w;
  const std::size_t n = x.size();
  const bool below = at<x[0], above = at> x[n - 1];
  w.row = below   ? 0
          : above ? n - 2
                  : static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), at) - x.begin()) - 1;
  w.row = std::min(w.row, n - 2);
  if ((below || above || std::isnan(at)) && beyond == Beyond::stop) {
    if (!std::isnan(at)) last_left = Left{at, x[0], x[n - 1]};
    for (auto& weights : w.of) std::fill_n(weights, 4, std::numeric_limits<double>::quiet_NaN());
    return w;
  }
  if ((below || above) && beyond == Beyond::held) {
    w.of[0][above ? 1 : 0] = 1;
    return w;
  }
  const double h = x[w.row + 1] - x[w.row], s = (at - x[w.row]) / h;
  if (form == Form::linear) {
    w.of[0][0] = 1 - s, w.of[0][1] = s;
    w.of[1][0] = -1 / h, w.of[1][1] = 1 / h;
  } else if (below || above) {
    const std::size_t end = above ? 1 : 0;
    w.of[0][end] = 1, w.of[0][2 + end] = at - x[above ? n - 1 : 0];
    w.of[1][2 + end] = 1;
  } else {
    add_cubic(w, s, h);
  }
  return w;
}

double end_slope(double h0, double h1, double d0, double d1) {
  const double slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (slope * d0 <= 0) return 0;
  return d0 * d1 <= 0 && std::abs(slope) > 3 * std::abs(d0) ? 3 * d0 : slope;
}

}  // namespace

std::vector<double> monotone_slopes(std::span<const double> x, std::span<const double> f) {
  const std::size_t n = x.size();
  std::vector<double> h(n - 1), d(n - 1), m(n);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = x[i + 1] - x[i];
    d[i] = (f[i + 1] - f[i]) / h[i];
  }
  if (n == 2) return {d[0], d[0]};
  for (std::size_t i = 1; i + 1 < n; ++i) {
    if (d[i - 1] * d[i] <= 0) continue;
    const double w0 = 2 * h[i] + h[i - 1], w1 = h[i] + 2 * h[i - 1];
    m[i] = (w0 + w1) / (w0 / d[i - 1] + w1 / d[i]);
  }
  m[0] = end_slope(h[0], h[1], d[0], d[1]);
  m[n - 1] = end_slope(h[n - 2], h[n - 3], d[n - 2], d[n - 3]);
  return m;
}

std::vector<double> make_table(Form form, Beyond beyond, std::span<const double> x, std::span<const double> y,
                               std::span<const double> f) {
  const std::size_t n_x = x.size(), n_y = std::max<std::size_t>(y.size(), 1);
  std::vector<double> data{y.empty() ? 1.0 : 2.0, static_cast<double>(form), static_cast<double>(beyond),
                           static_cast<double>(n_x), static_cast<double>(n_y)};
  for (const std::span<const double> part : {x, y, f}) data.insert(data.end(), part.begin(), part.end());
  if (form == Form::linear) return data;
  const auto slopes_in_x = [&](std::span<const double> g) {
    std::vector<double> slopes(n_x * n_y), line(n_x);
    for (std::size_t j = 0; j < n_y; ++j) {
      for (std::size_t i = 0; i < n_x; ++i) line[i] = g[i * n_y + j];
      const std::vector<double> m = monotone_slopes(x, line);
      for (std::size_t i = 0; i < n_x; ++i) slopes[i * n_y + j] = m[i];
    }
    return slopes;
  };
  const std::vector<double> f_x = slopes_in_x(f);
  data.insert(data.end(), f_x.begin(), f_x.end());
  if (y.empty()) return data;
  std::vector<double> f_y;
  for (std::size_t i = 0; i < n_x; ++i) {
    const std::vector<double> m = monotone_slopes(y, f.subspan(i * n_y, n_y));
    f_y.insert(f_y.end(), m.begin(), m.end());
  }
  const std::vector<double> f_xy = slopes_in_x(f_y);
  data.insert(data.end(), f_y.begin(), f_y.end());
  data.insert(data.end(), f_xy.begin(), f_xy.end());
  return data;
}

std::optional<Left> take_left() { return std::exchange(last_left, std::nullopt); }

}  // namespace nsmc::rt::tables

extern "C" void nsm_table(nsm_kernel, const void* table, uint32_t, uint32_t, const double* arguments, double* out) {
  using namespace nsmc::rt::tables;
  const auto* data = static_cast<const double*>(table);
  const auto form = static_cast<Form>(data[1]);
  const auto beyond = static_cast<Beyond>(data[2]);
  const auto n_x = static_cast<std::size_t>(data[3]), n_y = static_cast<std::size_t>(data[4]), n = n_x * n_y;
  const double* x = data + head;
  const Weights a = weights_at({x, n_x}, arguments[0], form, beyond);
  const bool cubic = form == Form::cubic;
  if (data[0] == 1) {
    const double *f = x + n_x, *m = f + n;
    for (std::size_t k = 0; k < orders; ++k) {
      out[k] = a.of[k][0] * f[a.row] + a.of[k][1] * f[a.row + 1];
      if (cubic) out[k] += a.of[k][2] * m[a.row] + a.of[k][3] * m[a.row + 1];
    }
    return;
  }
  const double *y = x + n_x, *f = y + n_y;
  const Weights b = weights_at({y, n_y}, arguments[1], form, beyond);
  // By which of both are slopes: f, f_y, f_x, f_xy.
  const double* parts[2][2] = {{f, f + 2 * n}, {f + n, f + 3 * n}};
  const std::size_t kinds = cubic ? 4 : 2;
  for (std::size_t k = 0; k < orders; ++k) {
    for (std::size_t l = 0; l < orders; ++l) {
      double sum = 0;
      for (std::size_t p = 0; p < kinds; ++p) {
        for (std::size_t q = 0; q < kinds; ++q)
          sum += a.of[k][p] * b.of[l][q] * parts[p / 2][q / 2][(a.row + p % 2) * n_y + b.row + q % 2];
      }
      out[orders * k + l] = sum;
    }
  }
}
