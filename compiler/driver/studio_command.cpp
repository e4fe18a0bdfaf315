// nsmc studio: a page on this machine to write models in and watch them move.
#include <fmt/core.h>

#include <cstdio>
#include <filesystem>

#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/page.hpp"
#include "compiler/driver/stop_signal.hpp"
#include "compiler/driver/terminal.hpp"
#ifdef NSMC_HTTPLIB
#include "compiler/driver/studio/server.hpp"
#endif

namespace nsmc {

#ifdef NSMC_HTTPLIB

namespace fs = std::filesystem;

int studio_command(const StudioOptions& options) {
  const fs::path place = options.place.empty() ? fs::path(".") : fs::path(options.place);
  const bool folder = fs::is_directory(place);
  if (!folder && place.extension() != ".nsm")
    throw UsageError(fmt::format("{} is neither a folder nor a model (.nsm)", place.string()));
  fs::path root = folder ? place : place.parent_path();
  if (root.empty()) root = ".";
  if (!fs::is_directory(root)) throw FileError(fmt::format("there is no folder {}", root.string()));

  studio::Session session(root, examples_folder(), folder ? "" : place.filename().string());
  studio::ServerOptions server;
  server.port = options.port;
  server.page = page_template("studio.html");
  server.view = page_template("view.html");
  server.stop = &stop_on_signals();
  server.ready = [&](const std::string& address) {
    write_stdout(fmt::format("nsmc studio: {}\nCtrl-C ends it\n", address));
    std::fflush(stdout);
    if (!options.no_open) open_page(address);
  };
  studio::serve(session, server);
  return kDone;
}

#else

int studio_command(const StudioOptions&) {
  throw FileError(
      "this nsmc was built without cpp-httplib, which the studio needs: scripts/setup installs it, then build again");
}

#endif

}  // namespace nsmc
