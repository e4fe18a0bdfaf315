// Methods, solvers and what else a run is told by a word, each beside its name. With kernel_abi.hpp this is what
// compiler and runtime share: the compiler knows the names, and what has a name is there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace nsmc::rt {

enum class Method : std::uint8_t { moreau, rk, event, lie };
inline constexpr std::string_view method_names[] = {"moreau", "rk", "event", "lie"};

enum class SolverKind : std::uint8_t { jor, sor, newton, automatic, jprox, uzawa, multiplier };
inline constexpr std::string_view solver_names[] = {"jor", "sor", "newton", "auto", "jprox", "uzawa", "multiplier"};

// In which unknowns event-driven integration solves the inclusions: forces [Studer 2006, (43), (44)] or accelerations
// [Studer 2006, (45), (46)].
enum class Form : std::uint8_t { lambda, kappa };
inline constexpr std::string_view form_names[] = {"lambda", "kappa"};

// Runge-Kutta methods, in the order of their coefficients in methods/tableau.cpp.
inline constexpr std::string_view tableau_names[] = {"euler", "midpoint", "heun", "ralston", "rk3",
                                                     "heun3", "ssp3",     "rk4",  "kutta38", "butcher5"};

constexpr std::string_view name_of(Method method) { return method_names[static_cast<std::size_t>(method)]; }
constexpr std::string_view name_of(SolverKind kind) { return solver_names[static_cast<std::size_t>(kind)]; }

// The kind of this name, counted as in the lists above.
template <class Kind>
constexpr std::optional<Kind> find_named(std::span<const std::string_view> names, std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Kind>(i);
  }
  return std::nullopt;
}

}  // namespace nsmc::rt
