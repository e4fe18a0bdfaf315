#include "compiler/api/model_identity.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>

#include "compiler/codegen/kernel_cache.hpp"
#include "compiler/model/settings.hpp"
#include "compiler/model/typed_model.hpp"
#include "compiler/symbolic/expr.hpp"

namespace nsmc {

namespace {

constexpr std::size_t identity_bytes = 16;

}  // namespace

std::string model_identity(Pipeline& pipeline, IdentityOf what) {
  std::string text = print(*pipeline.checked());
  const Equations& equations = *pipeline.derived();
  for (const auto& [setting, value] : equations.settings.numbers) {
    const std::string_view name = row(setting).name;
    if (what == IdentityOf::rows || (name != "until" && name != "record" && name != "every"))
      text += fmt::format("{} {}\n", name, sym::to_infix(pipeline.pool(), value, 200));
  }
  for (const auto& [setting, word] : equations.settings.words) text += fmt::format("{} {}\n", row(setting).name, word);
  const Digest all = digest(text);
  std::string identity;
  for (std::size_t k = 0; k < identity_bytes; ++k) identity += fmt::format("{:02x}", all[k]);
  return identity;
}

}  // namespace nsmc
