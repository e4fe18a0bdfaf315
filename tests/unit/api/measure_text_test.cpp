// The grammar of measures, and what it makes of the columns of a model.
#include "compiler/api/measure_text.hpp"

#include <doctest/doctest.h>

#include "nsmc/errors.hpp"

using namespace nsmc;
using rt::MeasureKind;

namespace {

std::string message(const std::string& text) {
  try {
    parse_measure(text);
  } catch (const SettingError& error) {
    return error.what();
  }
  return "";
}

KernelPlan ball() {
  KernelPlan plan;
  plan.columns = {"z", "z'", "table.gap", "table.N", "energy", "v[1]", "v[2]", "touch[1, 2].N"};
  plan.column_dimensions = {"m", "m/s", "", "kg m/s^2", "", "1", "1", "kg m/s^2"};
  return plan;
}

NamedMeasures resolved(const std::string& text) {
  const MeasureText parsed = parse_measure(text);
  return resolve_measures(std::span(&parsed, 1), ball());
}

std::string resolve_message(const std::string& text) {
  try {
    resolved(text);
  } catch (const SettingError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("measures: every form") {
  const auto check = [](const std::string& text, MeasureKind kind, const std::string& column,
                        const std::string& bound = "", const std::string& label = "") {
    CAPTURE(text);
    const MeasureText m = parse_measure(text);
    CHECK(m.kind == kind);
    CHECK(m.column == column);
    CHECK(m.bound == bound);
    CHECK(m.label == label);
  };
  check("z", MeasureKind::end, "z");
  check("z'", MeasureKind::end, "z'");
  check("end(wall)", MeasureKind::end, "wall");
  check(" min ( table.gap ) ", MeasureKind::min, "table.gap");
  check("max(touch[1, 2].N)", MeasureKind::max, "touch[1, 2].N");
  check("mean(z)", MeasureKind::mean, "z");
  check("time(z > 0.5)", MeasureKind::first_above, "z", "0.5");
  check("time(touch[1, 2].N<-2 [mN])", MeasureKind::first_below, "touch[1, 2].N", "-2 [mN]");
  check("crossing(z, 15[mm])", MeasureKind::crossing, "z", "15[mm]");
  check("crossing(touch[1, 2].N, 1)", MeasureKind::crossing, "touch[1, 2].N", "1");
  check("iterations", MeasureKind::iterations_mean, "");
  check("mean(iterations)", MeasureKind::iterations_mean, "");
  check("max(iterations)", MeasureKind::iterations_max, "");
  check("total(iterations)", MeasureKind::iterations_total, "");
  check("end(iterations)", MeasureKind::end, "iterations");
  check("unconverged", MeasureKind::unconverged, "");
  check("steps", MeasureKind::steps, "");
  check("wall", MeasureKind::wall, "");
  check("peak = max(z)", MeasureKind::max, "z", "", "peak");
  check("hit=time(z < 1)", MeasureKind::first_below, "z", "1", "hit");
}

TEST_CASE("measures: what is wrong is said with the text and a way out") {
  CHECK(message("") == "`measure` '': expected a column, or a function of one such as max(z)");
  CHECK(message("peak=") == "`measure` 'peak=': expected a column, or a function of one such as max(z)");
  CHECK(message("max(z") == "`measure` 'max(z': expected ')' at the end");
  CHECK(message("max()") == "`measure` 'max()': expected the name of a column");
  CHECK(message("maxx(z)") == "`measure` 'maxx(z)': unknown function 'maxx'; did you mean 'max'?");
  CHECK(message("integral(z)") ==
        "`measure` 'integral(z)': unknown function 'integral'; there are end, min, max, mean, total, time, crossing");
  CHECK(message("total(z)") == "`measure` 'total(z)': unknown function 'total'; only the iterations have a total");
  CHECK(message("min(iterations)") == "`measure` 'min(iterations)': of the iterations there are mean, max and total");
  CHECK(message("time(z)") == "`measure` 'time(z)': expected a condition, such as time(z > 0.5)");
  CHECK(message("time(z >)") == "`measure` 'time(z >)': expected a number after '>'");
  CHECK(message("crossing(z)") == "`measure` 'crossing(z)': expected crossing(column, value)");
  CHECK(message("max(min(z))") == "`measure` 'max(min(z))': 'min(z)' is not the name of a column");
  CHECK(message("z > 1") == "`measure` 'z > 1': 'z > 1' is not the name of a column");
}

TEST_CASE("measures: columns, vectors, units") {
  CHECK(resolved("max( z )").names == std::vector<std::string>{"max(z)"});
  CHECK(resolved("z").names == std::vector<std::string>{"z"});
  CHECK(resolved("end(z)").names == std::vector<std::string>{"end(z)"});
  CHECK(resolved("mean(v)").names == std::vector<std::string>{"mean(v[1])", "mean(v[2])"});
  CHECK(resolved("a=mean(v)").names == std::vector<std::string>{"a[1]", "a[2]"});
  CHECK(resolved("a=mean(v[2])").names == std::vector<std::string>{"a"});
  const NamedMeasures hit = resolved("hit=crossing(z, 15[mm])");
  CHECK(hit.measures[0].bound == doctest::Approx(0.015));
  CHECK(hit.measures[0].column == 0);
  CHECK(resolved("time(table.gap<1[cm])").measures[0].bound == doctest::Approx(0.01));
  CHECK(resolved("time(table.gap<1[cm])").names == std::vector<std::string>{"time(table.gap < 1[cm])"});
  CHECK(resolve_message("crossing(z, 15[kg])") ==
        "`measure` 'crossing(z, 15[kg])': '15[kg]' is mass [kg], expected [m]");
  CHECK(resolve_message("time(z > c)").starts_with("`measure` 'time(z > c)': 'c' is not a number"));
  CHECK(resolve_message("max(tabel.N)") ==
        "`measure` 'max(tabel.N)': nothing is called 'tabel.N'; did you mean 'table.N'?");
  CHECK(resolve_message("iteration") ==
        "`measure` 'iteration': nothing is called 'iteration'; did you mean 'iterations'?");
}
