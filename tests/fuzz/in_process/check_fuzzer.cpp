// For libFuzzer (scripts/fuzz): any bytes are parsed and checked as a model. There are diagnostics or a typed model,
// which can be printed and formatted; what crashes, hangs or throws is a finding.
#include <cstddef>
#include <cstdint>
#include <string>

#include "compiler/api/load.hpp"
#include "compiler/model/check.hpp"
#include "compiler/support/diagnostics.hpp"
#include "compiler/syntax/format.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nsmc;
  const std::string text(reinterpret_cast<const char*>(data), size);
  Sources sources;
  Diagnostics diagnostics;
  const ModelSource source("fuzz.nsm", text, files_in_memory({{"part.nsm", "param part = 1 [m]\n"}}));
  if (const std::optional<SourceModels> models = load(source, sources, diagnostics)) {
    (void)check(*models, diagnostics, {});
    Diagnostics ignored;
    (void)format(sources, 0, ignored);
  }
  (void)render(diagnostics, sources, true);
  (void)render_json(diagnostics, sources);
  return 0;
}
