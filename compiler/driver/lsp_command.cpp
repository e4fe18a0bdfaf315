// nsmc lsp: the language server, for editors.
#include <cstdlib>
#include <iostream>

#include "compiler/driver/commands.hpp"
#include "compiler/driver/page.hpp"
#include "compiler/lsp/server.hpp"

namespace nsmc {

int lsp_command(const LspOptions& options) {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  lsp::Options server;
  server.import_paths = options.import_paths;
  if (const auto models = examples_folder()) server.models_folder = models->string();
  return lsp::serve(std::cin, std::cout, server);
}

}  // namespace nsmc
