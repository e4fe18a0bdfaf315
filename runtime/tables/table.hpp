// Tables of measured numbers as functions of one or two arguments, with their derivatives: between rows linear, or
// cubic with continuous slopes that keep what rises rising. Stands alone; compiled kernels call nsm_table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/kernel_abi.hpp"

namespace nsmc::rt::tables {

enum class Form : std::uint8_t { linear, cubic };
// What a table says beyond its ends: the value there; the straight line that begins there; nothing, it is an error.
enum class Beyond : std::uint8_t { held, extend, stop };

// A table as numbers: n_arguments, form, beyond, n_x, n_y (1), then x, y if there are two arguments, f[i n_y + j], and
// of a cubic one its slopes in x, in y and the mixed ones, as far as there are such arguments.
inline constexpr std::size_t head = 5;
inline constexpr std::uint32_t most_derivatives = 3;  // of each argument; higher ones are 0
constexpr std::uint32_t outputs_of(std::uint32_t n_arguments) {
  return n_arguments == 1 ? most_derivatives + 1 : (most_derivatives + 1) * (most_derivatives + 1);
}

// Slopes at the rows by weighted harmonic means, 0 at peaks: between rows the cubic stays between them.
std::vector<double> monotone_slopes(std::span<const double> x, std::span<const double> f);

// x, y ascending; y empty: one argument.
std::vector<double> make_table(Form form, Beyond beyond, std::span<const double> x, std::span<const double> y,
                               std::span<const double> f);

// Where a table without continuation was last left on this thread, since it was last asked; for messages.
struct Left {
  double at, first, last;
};
std::optional<Left> take_left();

}  // namespace nsmc::rt::tables

// Visible, since kernels that were emitted as C find it in the program that loads them.
#pragma GCC visibility push(default)
extern "C" {
// out[k]: the k-th derivative; of two arguments out[4 k + l]: k times by the first, l times by the second.
void nsm_table(nsm_kernel, const void* table, uint32_t, uint32_t, const double* arguments, double* out);
}
#pragma GCC visibility pop
