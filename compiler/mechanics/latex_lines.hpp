// A formula in LaTeX, cut into lines of bounded width at the signs of its sums, also within brackets, and between
// factors, arguments and relations where a term alone is wider. What cannot be cut, a fraction or a root, is written
// with brackets where it is wider than a line; cases that are wide get names and equations of their own. Widths are
// estimated in letters.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nsmc {

double latex_width(std::string_view formula);

// Each line is whole: brackets that stay open at its end are closed by \right. and opened again by \left.
std::vector<std::string> latex_lines(std::string_view formula, double width);

// Names of cases, one for each text.
class LatexCases {
 public:
  struct Named {
    std::string name;
    std::vector<std::pair<std::string, std::string>> rows;  // value, condition
  };

  // The formula with names in the place of cases that are wider than `width`, from the inside out.
  std::string named(std::string_view formula, double width);

  // What was named since this was asked last.
  std::vector<Named> take() { return std::exchange(fresh_, {}); }

 private:
  std::map<std::string, std::string> names_;
  std::vector<Named> fresh_;
};

}  // namespace nsmc
