// Quantities as text: "0.3", "15[mm]", "-2 [m/s]", in the syntax of the language.
#pragma once

#include <string>

#include "compiler/model/dimension.hpp"
#include "nsmc/settings.hpp"

namespace nsmc {

struct Quantity {
  double value = 0;  // SI
  bool has_unit = false;
  Dimension dimension;
};

// What is thrown is a SettingError of `name` whose message begins with `what`.
struct Asker {
  std::string name, what;
};

Quantity read_quantity(const std::string& text, const Asker& asker);

// The same of a dimension, as Dimension::text() writes it: "1" is a pure number. A bare number is SI.
double read_value(const std::string& text, const Asker& asker, const std::string& dimension);
void require_dimension(const Quantity& quantity, const std::string& text, const Asker& asker,
                       const std::string& dimension);

// The shortest text that reads back as the same number.
std::string text_of(const Value& value);

}  // namespace nsmc
