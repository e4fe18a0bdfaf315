// A formula in LaTeX, cut into lines of bounded width at the signs of its sums, also within brackets. What cannot be
// cut, a fraction or a root, is written with brackets where it is wider than a line; cases stay as they are. Widths are
// estimated in letters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nsmc {

double latex_width(std::string_view formula);

// Each line is whole: brackets that stay open at its end are closed by \right. and opened again by \left.
std::vector<std::string> latex_lines(std::string_view formula, double width);

}  // namespace nsmc
