#include "compiler/driver/plot_figure.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "compiler/driver/usage_error.hpp"
#include "nsmc/errors.hpp"

namespace nsmc {
namespace {

// 'it''s': in single quotes gnuplot changes nothing.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c == '\n' ? ' ' : c;
  }
  return out + "'";
}

std::string kind_of(const std::string& output) { return std::filesystem::path(output).extension().string(); }

std::string terminal_of(const std::string& output, int columns, int rows) {
  if (output.empty()) return fmt::format("set terminal dumb noenhanced size {},{}", columns, rows);
  const std::string kind = kind_of(output);
  if (kind == ".svg") return "set terminal svg noenhanced size 800,560 font 'Helvetica,15' background '#ffffff'";
  if (kind == ".pdf") return "set terminal pdfcairo noenhanced size 16cm,11cm font 'Helvetica,11'";
  return "set terminal pngcairo noenhanced size 1200,840 font 'Helvetica,18'";
}

const char* style_of(Series::Style style) {
  switch (style) {
    case Series::Style::line: return "with lines linewidth 1.6";
    case Series::Style::marked: return "with linespoints linewidth 1.6 pointtype 7 pointsize 0.5";
    case Series::Style::thin: return "with lines linewidth 0.7 linecolor '#808080'";
    case Series::Style::points: return "with points pointtype 7 pointsize 0.4";
    case Series::Style::vectors: return "with vectors head filled linewidth 0.8 linecolor '#b04000'";
    case Series::Style::area:
      return "with filledcurves closed fillstyle solid 0.15 border linewidth 1.6 linecolor '#2060a0'";
    case Series::Style::mesh: return "with lines linewidth 0.5 linecolor '#2060a0'";
  }
  return "";
}

// Of both axes of a plane in one scale: gnuplot would choose those of the shorter one for all of the width.
double tick_step(const Figure& figure) {
  double largest = 0;
  for (const std::size_t k : {0, 1}) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const Series& series : figure.series) {
      for (const std::vector<double>& row : series.rows) {
        if (row.size() <= k || !std::isfinite(row[k])) continue;
        low = std::min(low, row[k]);
        high = std::max(high, row[k]);
      }
    }
    largest = std::max(largest, high - low);
  }
  if (!(largest > 0) || !std::isfinite(largest)) return 1;
  const double about = largest / 6, power = std::pow(10.0, std::floor(std::log10(about)));
  return (about > 5 * power ? 10 : about > 2 * power ? 5 : about > power ? 2 : 1) * power;
}

}  // namespace

std::string gnuplot_script(const Figure& figure, const std::string& output, int columns, int rows) {
  std::string script = "set encoding utf8\n" + terminal_of(output, columns, rows) + "\n";
  if (!output.empty()) script += "set output " + quoted(output) + "\n";
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    script += fmt::format("$data{} << END\n", i);
    for (const std::vector<double>& row : figure.series[i].rows) {
      for (const double x : row) script += std::isfinite(x) ? fmt::format("{:.9g} ", x) : "NaN ";
      script += "\n";
    }
    script += "END\n";
  }
  if (!figure.title.empty()) script += "set title " + quoted(figure.title) + "\n";
  script += "set xlabel " + quoted(figure.x_label) + "\nset ylabel " + quoted(figure.y_label) + "\n";
  if (!figure.z_label.empty()) script += "set zlabel " + quoted(figure.z_label) + " rotate\n";
  if (!figure.y2_label.empty())
    script += "set ytics nomirror\nset y2tics\nset y2label " + quoted(figure.y2_label) + "\n";
  if (!output.empty()) script += "set grid linecolor '#d0d0d0'\n";
  const bool plane = figure.equal_axes && !figure.space && !output.empty();
  if (plane) script += fmt::format("set size ratio -1\nset xtics {0}\nset ytics {0}\n", tick_step(figure));
  if (figure.equal_axes && figure.space && !output.empty()) script += "set view equal xyz\n";
  if (figure.log_x) script += "set logscale x\n";
  if (figure.log_y) script += figure.y2_label.empty() ? "set logscale y\n" : "set logscale yy2\n";
  // In a file a line more below the axis, whose label the first row of the key would touch.
  script += fmt::format("set key outside {} noenhanced\n", plane            ? "right center vertical"
                                                           : output.empty() ? "bottom center horizontal"
                                                                            : "bottom center horizontal height 1");
  // Apart in print and for the colour-blind.
  int line = 1;
  for (const char* color : {"#1f5fa8", "#d1662a", "#2a8f6f", "#8a5aa8", "#b0922a", "#3a3f47"})
    script += fmt::format("set linetype {} linecolor rgb '{}'\n", line++, color);
  std::string plots;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& one = figure.series[i];
    plots +=
        fmt::format("{}$data{} {} {} {}", plots.empty() ? "" : ", ", i, style_of(one.style),
                    one.label.empty() ? "notitle" : "title " + quoted(one.label), one.second_axis ? "axes x1y2" : "");
  }
  return script + (figure.space ? "splot " : "plot ") + plots + "\n";
}

void require_figure(const std::string& output) {
  const std::string kind = kind_of(output);
  if (output.empty() || kind == ".svg" || kind == ".pdf" || kind == ".png") return;
  throw UsageError(fmt::format("-o {}: a figure is a file .svg, .pdf or .png", output));
}

void draw_figure(const Figure& figure, const std::string& output) {
  int columns = 79, rows = 24;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 && size.ws_row > 8) {
    columns = size.ws_col - 1;
    rows = std::min(size.ws_row - 2, 50);
  }
  const std::string kind = kind_of(output);
  const std::string temporary = output.empty() ? "" : fmt::format("{}.tmp-{}{}", output, getpid(), kind);
  const std::string script = gnuplot_script(figure, temporary, columns, rows);
  std::fflush(stdout);
  FILE* gnuplot = popen("gnuplot", "w");
  if (gnuplot == nullptr) throw FileError("gnuplot cannot be started");
  const bool written = std::fwrite(script.data(), 1, script.size(), gnuplot) == script.size();
  const int status = pclose(gnuplot);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  std::error_code error;
  if (!written || code != 0) {
    if (!temporary.empty()) std::filesystem::remove(temporary, error);
    throw FileError(code == 127 ? "nsmc plot needs gnuplot: install gnuplot-nox, or run scripts/setup"
                                : fmt::format("gnuplot failed with the exit code {}", code));
  }
  if (temporary.empty()) return;
  std::filesystem::rename(temporary, output, error);
  if (error) throw FileError(fmt::format("cannot write {}: {}", output, error.message()));
}

}  // namespace nsmc
