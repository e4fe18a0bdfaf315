// The measures of a study as the user writes them:
//
//     measure  = [ label "=" ] what
//     what     = column | ("end" | "min" | "max" | "mean") "(" column ")"
//              | "time" "(" column (">" | "<") value ")" | "crossing" "(" column "," value ")"
//              | "iterations" | ("mean" | "max" | "total") "(" "iterations" ")" | "steps" | "unconverged" | "wall"
//
// A column is any of those that `run` records, or the name of a vector, which stands for its components. A value is a
// number with an optional unit.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/codegen/kernels.hpp"
#include "runtime/study/measure.hpp"

namespace nsmc {

struct MeasureText {
  std::string text;  // as written
  std::string label;
  rt::MeasureKind kind = rt::MeasureKind::end;
  bool plain = false;         // a name alone, without a function
  std::string column, bound;  // of measures that have them

  friend bool operator==(const MeasureText&, const MeasureText&) = default;
};

// Throws SettingError.
MeasureText parse_measure(const std::string& text);

struct NamedMeasures {
  std::vector<rt::Measure> measures;
  std::vector<std::string> names;  // of their columns in the table
};

// With the columns of a model. Throws SettingError.
NamedMeasures resolve_measures(std::span<const MeasureText> texts, const KernelPlan& plan);

}  // namespace nsmc
