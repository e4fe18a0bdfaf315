#include "compiler/model/settings.hpp"

#include <cmath>
#include <limits>

#include "compiler/support/internal_check.hpp"
#include "runtime/names.hpp"

namespace nsmc {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr std::string_view kPositive = "be a finite number greater than 0";
constexpr std::string_view kOfEvent = "`rtol`, `atol` and `form` belong to `method` event, not to ";

constexpr SettingRow kRows[] = {
    {.name = "method",
     .option = "method",
     .kind = SettingKind::word,
     .places = kSimulate | kAxis,
     .words = rt::method_names,
     .standard = "moreau",
     .help = "integrator"},
    {.name = "tableau",
     .option = "tableau",
     .kind = SettingKind::word,
     .places = kSimulate | kAxis,
     .words = rt::tableau_names,
     .owner = "method",
     .owner_word = "rk",
     .misplaced = "`tableau` is for `method` rk, this run is by ",
     .standard = "rk4",
     .help = "coefficients of the method rk"},
    {.name = "solver",
     .option = "solver",
     .kind = SettingKind::word,
     .places = kSimulate | kAxis,
     .words = rt::solver_names,
     .standard = "auto; multiplier with method lie",
     .help = "contact solver"},
    {.name = "until",
     .option = "until",
     .placeholder = "T",
     .kind = SettingKind::time,
     .places = kSimulate | kAxis,
     .most = kUnbounded,
     .range = kPositive,
     .standard = "none: it must be given",
     .help = "end time"},
    {.name = "step",
     .option = "step",
     .placeholder = "DT",
     .kind = SettingKind::time,
     .places = kSimulate | kAxis,
     .most = kUnbounded,
     .range = kPositive,
     .standard = "until/10000",
     .help = "step size"},
    {.name = "accuracy",
     .option = "accuracy",
     .placeholder = "E",
     .kind = SettingKind::number,
     .places = kSimulate | kAxis,
     .most = 0.1,
     .range = "lie between 0 and 0.1",
     .standard = "1e-4 where neither method nor step are given, for at most 100 contacts",
     .help = "methods moreau and rk: steps that keep this relative error; `step` is where states are reported then"},
    {.name = "record",
     .option = "record",
     .placeholder = "DT",
     .kind = SettingKind::time,
     .places = kSimulate | kRunOnly,
     .most = kUnbounded,
     .range = kPositive,
     .standard = "every step",
     .help = "record at this interval"},
    {.name = "omega",
     .option = "omega",
     .placeholder = "W",
     .kind = SettingKind::number,
     .places = kSimulate | kAxis,
     .most = 2,
     .open = true,
     .range = "lie between 0 and 2",
     .standard = "1",
     .help = "relaxation of the solver, between 0 and 2"},
    {.name = "tolerance",
     .option = "tol",
     .placeholder = "E",
     .kind = SettingKind::number,
     .places = kSimulate | kAxis,
     .most = kUnbounded,
     .range = kPositive,
     .standard = "1e-10",
     .help = "tolerance of the solver, relative to the percussions"},
    {.name = "max_iterations",
     .option = "max-iterations",
     .placeholder = "N",
     .kind = SettingKind::whole,
     .places = kSimulate | kAxis,
     .most = 1e9,
     .range = "be a whole number between 1 and 1e9",
     .standard = "10000",
     .help = "iterations of the solver in one step"},
    {.name = "every",
     .option = "every",
     .placeholder = "N",
     .kind = SettingKind::whole,
     .places = kSimulate | kRunOnly,
     .most = 1e15,
     .range = "be a whole number of steps, at least 1",
     .standard = "1",
     .help = "record every Nth step"},
    {.name = "inner_steps",
     .option = "inner-steps",
     .placeholder = "P",
     .kind = SettingKind::whole,
     .places = kSimulate | kAxis,
     .most = 1e6,
     .range = "be a whole number between 1 and 1e6",
     .owner = "method",
     .owner_word = "lie",
     .misplaced = "`inner_steps` belongs to `method` lie, this run is by ",
     .standard = "1",
     .help = "method lie: steps of the friction substep"},
    {.name = "rho",
     .option = "rho",
     .placeholder = "R",
     .kind = SettingKind::number,
     .places = kSimulate | kAxis,
     .most = kUnbounded,
     .range = kPositive,
     .owner = "solver",
     .owner_word = "multiplier",
     .misplaced = "`rho` belongs to `solver` multiplier, this run is by ",
     .standard = "found from G",
     .help = "solver multiplier: its step"},
    {.name = "rtol",
     .option = "rtol",
     .placeholder = "E",
     .kind = SettingKind::number,
     .places = kAxis,
     .most = kUnbounded,
     .range = kPositive,
     .owner = "method",
     .owner_word = "event",
     .misplaced = kOfEvent,
     .standard = "1e-10",
     .help = "method event: relative tolerance of smooth motion"},
    {.name = "atol",
     .option = "atol",
     .placeholder = "E",
     .kind = SettingKind::number,
     .places = kAxis,
     .most = kUnbounded,
     .range = kPositive,
     .owner = "method",
     .owner_word = "event",
     .misplaced = kOfEvent,
     .standard = "1e-12",
     .help = "method event: absolute tolerance of smooth motion"},
    {.name = "form",
     .option = "form",
     .kind = SettingKind::word,
     .places = kAxis,
     .words = rt::form_names,
     .owner = "method",
     .owner_word = "event",
     .misplaced = kOfEvent,
     .standard = "lambda",
     .help = "method event: unknowns of the inclusions between impacts, forces (lambda, by every `solver`) or "
             "accelerations (kappa, by auto, sor, jor or newton; needs a regular G)"},
    {.name = "scaled",
     .option = "scaled",
     .kind = SettingKind::flag,
     .standard = "off",
     .help = "a step for every row of a set in stick, for badly scaled contacts"},
    {.name = "energy",
     .option = "energy",
     .kind = SettingKind::flag,
     .places = kRunOnly,
     .standard = "counted where it costs next to nothing",
     .help = "says where the energy went: counts the work of every law, joint, damper and given force"},
    {.name = "no_stabilisation",
     .option = "no-stabilisation",
     .kind = SettingKind::flag,
     .standard = "off: contacts that last do not sink",
     .help = "methods moreau and rk: leave positions of closed contacts to the plain scheme"},
    {.name = "strict",
     .option = "strict",
     .kind = SettingKind::flag,
     .standard = "off: they are told at the end",
     .help = "the first warning, as of a step that does not converge, ends the run with exit code 3"},
};

}  // namespace

std::span<const SettingRow> setting_rows() { return kRows; }

std::optional<Setting> find_setting(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    if (kRows[i].name == name) return static_cast<Setting>(i);
  }
  return std::nullopt;
}

Setting setting(std::string_view name) {
  const std::optional<Setting> found = find_setting(name);
  internal_check(found.has_value(), "a setting without a row");
  return *found;
}

bool fits(const SettingRow& row, double value) {
  const bool whole = row.kind == SettingKind::whole;
  if (!std::isfinite(value) || (whole && value != std::floor(value))) return false;
  return (whole ? value >= 1 : value > 0) && (row.open ? value < row.most : value <= row.most);
}

}  // namespace nsmc
