#include "compiler/driver/plot_figure.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>

#include "compiler/driver/usage_error.hpp"
#include "nsmc/errors.hpp"
#include "runtime/output/output_file.hpp"

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
  return "set terminal pngcairo noenhanced size 1200,840 font 'Helvetica,18' linewidth 1.6";
}

const char* style_of(Series::Style style, bool in_file) {
  switch (style) {
    case Series::Style::line: return "with lines linewidth 1.6";
    case Series::Style::marked: return "with linespoints linewidth 1.6 pointtype 7 pointsize 0.5";
    case Series::Style::thin: return "with lines linewidth 0.7 linecolor '#808080'";
    case Series::Style::points: return "with points pointtype 7 pointsize 0.4";
    case Series::Style::vectors: return "with vectors head filled linewidth 0.8 linecolor '#b04000'";
    case Series::Style::area:
      return "with filledcurves closed fillstyle solid 0.15 border linewidth 1.6 linecolor '#2060a0'";
    case Series::Style::mesh:
      return in_file ? "with polygons fillcolor rgb '#9dbbdd'" : "with lines linewidth 0.5 linecolor '#2060a0'";
  }
  return "";
}

// From the least to the largest coordinate k of the series of an axis; vectors reach to their tips.
struct Range {
  double low = HUGE_VAL, high = -HUGE_VAL;
  bool empty() const { return !(high >= low); }
};

Range range_of(const Figure& figure, std::size_t k, bool second_axis = false) {
  Range range;
  for (const Series& series : figure.series) {
    if (k == 1 && series.second_axis != second_axis) continue;
    for (const std::vector<double>& row : series.rows) {
      if (row.size() <= k) continue;
      const double tip = series.style == Series::Style::vectors ? row[k] + row[k + 2] : row[k];
      for (const double x : {row[k], tip}) {
        if (!std::isfinite(x)) continue;
        range.low = std::min(range.low, x);
        range.high = std::max(range.high, x);
      }
    }
  }
  return range;
}

// With some air, so that a curve does not run along the frame; an axis of one value has some room about it.
std::string range_command(const char* axis, const Range& range, double air) {
  if (range.empty()) return {};
  const double size = range.high - range.low, scale = std::max(std::abs(range.low), std::abs(range.high));
  const double more = size > 1e-12 * scale ? air * size : scale > 0 ? 0.1 * scale : 1;
  return fmt::format("set {}range [{:.9g}:{:.9g}]\n", axis, range.low - more, range.high + more);
}

// A round step of about `count` ticks over a length.
double tick_step(double length, int count) {
  if (!(length > 0) || !std::isfinite(length)) return 1;
  const double about = length / count, power = std::pow(10.0, std::floor(std::log10(about)));
  return (about > 7 * power ? 10 : about > 3 * power ? 5 : about > 1.5 * power ? 2 : 1) * power;
}

std::string axes_commands(const Figure& figure, bool in_file) {
  const Range x = range_of(figure, 0), y = range_of(figure, 1), y2 = range_of(figure, 1, true);
  std::string script;
  if (figure.space) {
    const Range z = range_of(figure, 2);
    const auto ticks = [](const char* axis, const Range& range) {
      return range.empty() ? std::string() : fmt::format("set {}tics {}\n", axis, tick_step(range.high - range.low, 3));
    };
    script += ticks("x", x) + ticks("y", y) + ticks("z", z);
    return script + "set view 64,32,1.12,1.3\nset xyplane relative 0.08\n";
  }
  const bool plane = figure.equal_axes && in_file;
  // Of both axes of a plane in one scale: gnuplot would choose those of the shorter one for all of the width.
  if (plane)
    script += fmt::format("set size ratio -1\nset xtics {0}\nset ytics {0}\n",
                          tick_step(std::max(x.high - x.low, y.high - y.low), 6));
  if (figure.log_x)
    script += "set logscale x\nset autoscale xfix\n";
  else
    script += range_command("x", x, plane ? 0.06 : 0);
  if (figure.log_y) return script + (figure.y2_label.empty() ? "set logscale y\n" : "set logscale yy2\n");
  script += range_command("y", y, plane ? 0.06 : 0.04);
  return script + (figure.y2_label.empty() ? "" : range_command("y2", y2, 0.04));
}

}  // namespace

std::string labelled(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "1" ? name : fmt::format("{} [{}]", name, unit);
}

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
  script += axes_commands(figure, !output.empty());
  const bool plane = figure.equal_axes && !figure.space && !output.empty();
  // In a file a line more below the axis, whose label the first row of the key would touch.
  script += fmt::format("set key {} noenhanced\n", plane            ? "outside right center vertical"
                                                   : figure.space   ? "at screen 0.98,0.94 right top"
                                                   : output.empty() ? "outside bottom center horizontal"
                                                                    : "outside bottom center horizontal height 1");
  // Apart in print and for the colour-blind.
  int line = 1;
  for (const char* color : {"#1f5fa8", "#d1662a", "#2a8f6f", "#8a5aa8", "#b0922a", "#3a3f47", "#b5485d", "#3f9bb0"})
    script += fmt::format("set linetype {} linecolor rgb '{}'\n", line++, color);
  if (figure.space && !output.empty())
    script += "set style fill transparent solid 0.55\nset pm3d depthorder border linecolor '#5f86b3' linewidth 0.3\n";
  std::string plots;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& one = figure.series[i];
    plots +=
        fmt::format("{}$data{} {} {} {}", plots.empty() ? "" : ", ", i, style_of(one.style, !output.empty()),
                    one.label.empty() ? "notitle" : "title " + quoted(one.label), one.second_axis ? "axes x1y2" : "");
  }
  return script + (figure.space ? "splot " : "plot ") + plots + "\n";
}

void require_figure(const std::string& output) {
  const std::string kind = kind_of(output);
  if (output.empty() || kind == ".svg" || kind == ".pdf" || kind == ".png") return;
  throw UsageError(fmt::format("-o {}: a figure is a file .svg, .pdf or .png", output));
}

namespace {

// Where gnuplot writes: a file of its own, which nobody can have planted a link for, and which is gone at the end.
class Scratch {
 public:
  explicit Scratch(const std::string& kind) : path_(std::filesystem::temp_directory_path() / ("nsmc-XXXXXX" + kind)) {
    const int file = mkstemps(path_.data(), static_cast<int>(kind.size()));
    if (file < 0) throw rt::OutputError(path_, std::generic_category().message(errno));
    close(file);
  }
  ~Scratch() { unlink(path_.c_str()); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& path() const { return path_; }
  std::string text() const {
    std::ostringstream text;
    text << std::ifstream(path_, std::ios::binary).rdbuf();
    return text.str();
  }

 private:
  std::string path_;
};

}  // namespace

void draw_figure(const Figure& figure, const std::string& output) {
  int columns = 79, rows = 24;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 && size.ws_row > 8) {
    columns = size.ws_col - 1;
    rows = std::min(size.ws_row - 2, 50);
  }
  std::optional<Scratch> scratch;
  if (!output.empty()) scratch.emplace(kind_of(output));
  const std::string script = gnuplot_script(figure, scratch ? scratch->path() : "", columns, rows);
  std::fflush(stdout);
  FILE* gnuplot = popen("gnuplot", "w");
  if (gnuplot == nullptr) throw FileError("gnuplot cannot be started");
  const bool written = std::fwrite(script.data(), 1, script.size(), gnuplot) == script.size();
  const int status = pclose(gnuplot);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (!written || code != 0)
    throw FileError(code == 127 ? "nsmc plot needs gnuplot: install gnuplot-nox, or run scripts/setup"
                                : fmt::format("gnuplot failed with the exit code {}", code));
  if (!scratch) return;
  rt::OutputFile file(output);
  file.buffer() += scratch->text();
  file.commit();
}

}  // namespace nsmc
