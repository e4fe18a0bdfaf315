#include "runtime/linear/few.hpp"

#include <limits>
#include <utility>

namespace nsmc::rt {

namespace {

// A pivot against the largest one.
constexpr double vanishing_pivot = max_few * std::numeric_limits<double>::epsilon();
// Jacobi's method is quadratic at the end; six rows take about six sweeps.
constexpr int most_sweeps = 30;

}  // namespace

FewCholesky::FewCholesky(const FewMatrix& A) : L_(A) {
  const int n = A.rows;
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) {
      for (int k = 0; k < j; ++k) L_(i, j) -= L_(i, k) * L_(j, k);
    }
    if (!(L_(j, j) > 0)) {
      good_ = false;
      return;
    }
    const double pivot = std::sqrt(L_(j, j));
    for (int i = j; i < n; ++i) L_(i, j) /= pivot;
  }
}

FewVector FewCholesky::solve_lower(FewVector b) const {
  for (int i = 0; i < b.n; ++i) {
    for (int k = 0; k < i; ++k) b[i] -= L_(i, k) * b[k];
    b[i] /= L_(i, i);
  }
  return b;
}

FewVector FewCholesky::solve_upper(FewVector b) const {
  for (int i = b.n - 1; i >= 0; --i) {
    for (int k = i + 1; k < b.n; ++k) b[i] -= L_(k, i) * b[k];
    b[i] /= L_(i, i);
  }
  return b;
}

FewQr::FewQr(const FewMatrix& A) : R_(A) {
  double first = 0;
  for (int j = 0; j < R_.cols; ++j) order_[j] = j;
  for (int j = 0; j < R_.cols; ++j) {
    const auto rest2 = [&](int column) {
      double sum = 0;
      for (int i = j; i < R_.rows; ++i) sum += R_(i, column) * R_(i, column);
      return sum;
    };
    int largest = j;
    for (int k = j + 1; k < R_.cols; ++k) {
      if (rest2(k) > rest2(largest)) largest = k;
    }
    if (largest != j) {
      for (int i = 0; i < R_.rows; ++i) std::swap(R_(i, j), R_(i, largest));
      std::swap(order_[j], order_[largest]);
    }
    const double length = std::sqrt(rest2(j));
    if (j == 0) first = length;
    if (length > vanishing_pivot * first) rank_ = j + 1;
    // I - factor w w^T with w = (1, ...) below the diagonal takes the column to -sign * length.
    const double alpha = R_(j, j), beta = alpha > 0 ? -length : length;
    factor_[j] = length > 0 ? (beta - alpha) / beta : 0;
    for (int i = j + 1; i < R_.rows; ++i) R_(i, j) = length > 0 ? R_(i, j) / (alpha - beta) : 0;
    R_(j, j) = beta;
    for (int k = j + 1; k < R_.cols; ++k) {
      double sum = R_(j, k);
      for (int i = j + 1; i < R_.rows; ++i) sum += R_(i, j) * R_(i, k);
      sum *= factor_[j];
      R_(j, k) -= sum;
      for (int i = j + 1; i < R_.rows; ++i) R_(i, k) -= sum * R_(i, j);
    }
  }
}

void FewQr::reflect(int j, FewVector& x) const {
  double sum = x[j];
  for (int i = j + 1; i < R_.rows; ++i) sum += R_(i, j) * x[i];
  sum *= factor_[j];
  x[j] -= sum;
  for (int i = j + 1; i < R_.rows; ++i) x[i] -= sum * R_(i, j);
}

FewVector FewQr::times_Qt(FewVector x) const {
  for (int j = 0; j < R_.cols; ++j) reflect(j, x);
  return x;
}

FewVector FewQr::times_Q(FewVector x) const {
  for (int j = R_.cols - 1; j >= 0; --j) reflect(j, x);
  return x;
}

FewMatrix FewQr::Q() const {
  FewMatrix result(R_.rows, R_.rows);
  for (int j = 0; j < R_.rows; ++j) result.set_col(j, times_Q(FewVector::unit(R_.rows, j)));
  return result;
}

FewVector FewQr::solve(const FewVector& b) const {
  const FewVector c = times_Qt(b);
  FewVector x(R_.cols);
  for (int i = rank_ - 1; i >= 0; --i) {
    double sum = c[i];
    for (int k = i + 1; k < rank_; ++k) sum -= R_(i, k) * x[order_[k]];
    x[order_[i]] = sum / R_(i, i);
  }
  return x;
}

FewVector FewQr::solve_transposed(const FewVector& b) const {
  FewVector y(rank_);
  for (int i = 0; i < rank_; ++i) {
    double sum = b[order_[i]];
    for (int k = 0; k < i; ++k) sum -= R_(k, i) * y[k];
    y[i] = sum / R_(i, i);
  }
  return y;
}

FewLu::FewLu(const FewMatrix& A) : LU_(A) {
  const int n = A.rows;
  double first = 0;
  for (int j = 0; j < n; ++j) row_[j] = col_[j] = j;
  for (int j = 0; j < n; ++j) {
    int p = j, q = j;
    for (int i = j; i < n; ++i) {
      for (int k = j; k < n; ++k) {
        if (std::abs(LU_(i, k)) > std::abs(LU_(p, q))) p = i, q = k;
      }
    }
    for (int k = 0; k < n; ++k) std::swap(LU_(j, k), LU_(p, k));
    for (int i = 0; i < n; ++i) std::swap(LU_(i, j), LU_(i, q));
    std::swap(row_[j], row_[p]);
    std::swap(col_[j], col_[q]);
    const double pivot = std::abs(LU_(j, j));
    if (j == 0) first = pivot;
    if (!(pivot > vanishing_pivot * first)) {
      invertible_ = false;
      return;
    }
    for (int i = j + 1; i < n; ++i) {
      LU_(i, j) /= LU_(j, j);
      for (int k = j + 1; k < n; ++k) LU_(i, k) -= LU_(i, j) * LU_(j, k);
    }
  }
}

FewVector FewLu::solve(const FewVector& b) const {
  const int n = LU_.rows;
  FewVector c(n), x(n);
  for (int i = 0; i < n; ++i) {
    c[i] = b[row_[i]];
    for (int k = 0; k < i; ++k) c[i] -= LU_(i, k) * c[k];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) c[i] -= LU_(i, k) * c[k];
    c[i] /= LU_(i, i);
  }
  for (int i = 0; i < n; ++i) x[col_[i]] = c[i];
  return x;
}

FewMatrix FewLu::inverse() const {
  FewMatrix result(LU_.rows, LU_.rows);
  for (int j = 0; j < LU_.rows; ++j) result.set_col(j, solve(FewVector::unit(LU_.rows, j)));
  return result;
}

// Jacobi's rotations make A diagonal; what is large there is left out on the way back.
FewMatrix without_large_eigenvalues(const FewMatrix& from, double most) {
  const int n = from.rows;
  FewMatrix A = from, V = FewMatrix::identity(n);
  const auto off = [&] {
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < i; ++j) sum += A(i, j) * A(i, j);
    }
    return sum;
  };
  const double size = from.norm(), enough = std::numeric_limits<double>::epsilon() * size;
  for (int sweep = 0; sweep < most_sweeps && off() > enough * enough; ++sweep) {
    for (int p = 0; p < n; ++p) {
      for (int q = p + 1; q < n; ++q) {
        if (A(p, q) == 0) continue;
        const double theta = (A(q, q) - A(p, p)) / (2 * A(p, q));
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < n; ++k) {
          const double kp = A(k, p), kq = A(k, q);
          A(k, p) = c * kp - s * kq;
          A(k, q) = s * kp + c * kq;
        }
        for (int k = 0; k < n; ++k) {
          const double pk = A(p, k), qk = A(q, k);
          A(p, k) = c * pk - s * qk;
          A(q, k) = s * pk + c * qk;
          const double vp = V(k, p), vq = V(k, q);
          V(k, p) = c * vp - s * vq;
          V(k, q) = s * vp + c * vq;
        }
      }
    }
  }
  FewMatrix result(n, n);
  for (int j = 0; j < n; ++j) {
    if (A(j, j) <= most) result.add_outer(A(j, j), V.col(j), V.col(j));
  }
  return result;
}

}  // namespace nsmc::rt
