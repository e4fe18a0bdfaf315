// A formula in LaTeX, cut into lines of bounded width at the signs of its sums, also within brackets. Widths are
// estimated in letters; a fraction or a root is never cut, however wide it is.
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
