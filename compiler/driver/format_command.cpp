// nsmc fmt: layout in place.
#include <fmt/core.h>

#include "compiler/api/files.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/terminal.hpp"
#include "compiler/syntax/format.hpp"

namespace nsmc {

int format_command(const FormatOptions& options) {
  int result = kDone;
  for (const std::string& path : options.files) {
    if (path != "-" && !options.check && is_stream(path))
      throw FileError(fmt::format("cannot format {}: not a regular file", path));
    Sources sources;
    Diagnostics diagnostics;
    const FileId file = sources.add(path == "-" ? "<stdin>" : path, read_text(path));
    const auto formatted = format(sources, file, diagnostics);
    if (!formatted) {
      std::fputs(render(diagnostics, sources, false).c_str(), stderr);
      result = kModelErrors;
      continue;
    }
    if (path == "-" && !options.check) {
      write_stdout(*formatted);
      continue;
    }
    if (*formatted == sources.file(file).text()) continue;
    if (options.check) {
      write_stdout(fmt::format("{}: not formatted\n", path));
      result = kModelErrors;
    } else {
      replace_file(path, *formatted);
    }
  }
  return result;
}

}  // namespace nsmc
