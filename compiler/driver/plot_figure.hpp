// A figure as a value, and gnuplot, which draws it: into a file, or as characters for the terminal.
#pragma once

#include <string>
#include <vector>

namespace nsmc {

struct Series {
  enum class Style { line, marked, thin, points, vectors, area, mesh } style = Style::line;
  std::string label;                      // empty: not in the legend
  std::vector<std::vector<double>> rows;  // x, y; of vectors x, y, dx, dy; of a mesh x, y, z. An empty row: a gap
  bool second_axis = false;
};

struct Figure {
  std::string title, x_label, y_label, y2_label, z_label;
  std::vector<Series> series;
  bool equal_axes = false, space = false;
  bool log_x = false, log_y = false;
};

// "z [m]"
std::string labelled(const std::string& name, const std::string& unit);

// The commands of gnuplot, with the data in them. output: empty for the terminal, whose size is given.
std::string gnuplot_script(const Figure& figure, const std::string& output, int columns, int rows);

// Throws FileError where there is no gnuplot or it fails, UsageError for another kind of file. The file appears whole.
void draw_figure(const Figure& figure, const std::string& output);

// Throws UsageError for a file whose kind cannot be drawn.
void require_figure(const std::string& output);

}  // namespace nsmc
