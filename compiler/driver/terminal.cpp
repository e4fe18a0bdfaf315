#include "compiler/driver/terminal.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "compiler/api/files.hpp"
#include "compiler/api/load.hpp"
#include "compiler/driver/stop_signal.hpp"
#include "compiler/syntax/limits.hpp"

namespace nsmc {

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

std::string read_text(const std::string& file) {
  return file == "-" ? read_stream(stdin, file, max_file_bytes) : read_file(file, max_file_bytes);
}

// Whoever calls nsmc may hand it the model through a pipe. What a model imports is a regular file.
ModelSource source_of(const ModelFile& file) {
  ModelSource source(file.path);
  if (file.path == "-" || is_stream(file.path)) source.text = read_text(file.path);
  if (file.path == "-") source.name = "<stdin>";
  source.import_paths = file.import_paths;
  return source;
}

Model open_model(const ModelFile& file, ModelOptions options) {
  const ModelSource source = source_of(file);
  options.import_paths = source.import_paths;
  return source.text ? Model::from_text(*source.text, source.name, options) : Model::open(source.name, options);
}

std::string shown_name(const std::string& name) { return name.empty() ? "model" : name; }

void write_stdout(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw FileError(fmt::format("cannot write standard output: {}", std::strerror(errno)));
  }
}

bool colours() { return is_terminal(STDERR_FILENO) && std::getenv("NO_COLOR") == nullptr; }

void print_diagnostics(const Model& model) {
  const std::vector<DiagnosticInfo> list = model.diagnostics();
  print_diagnostics(model.diagnostics_text(colours()),
                    static_cast<std::size_t>(
                        std::count_if(list.begin(), list.end(), [](const DiagnosticInfo& d) { return d.error; })));
}

void print_diagnostics(const std::string& text, std::size_t errors) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  if (errors > 0) std::fputs(fmt::format("{}\n", counted(errors, "error")).c_str(), stderr);
}

void show_progress_bar(double part, const std::string& note) {
  constexpr int kWidth = 40;
  const auto filled = static_cast<std::size_t>(part * kWidth);
  std::fputs(fmt::format("\r[{:<{}}] {:3.0f}%  {}\x1b[K", std::string(filled, '#'), kWidth, 100 * part, note).c_str(),
             stderr);
}

RunWatch watch_run(bool quiet) {
  RunWatch watch{&stop_on_signals()};
  if (quiet || !is_terminal(STDERR_FILENO)) return watch;
  watch.progress = [](double t, double until) { show_progress_bar(t / until, fmt::format("t = {:.4g}", t)); };
  return watch;
}

void clear_progress_bar() { std::fputs("\r\x1b[K", stderr); }

std::string duration(double seconds) {
  return seconds < 1 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} s", seconds);
}

std::string counted(std::size_t n, const char* noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

}  // namespace nsmc
