#include "compiler/driver/option_text.hpp"

#include <algorithm>
#include <optional>

#include "compiler/model/settings.hpp"

namespace nsmc {

std::string in_options(const std::string& message) {
  std::string text;
  std::size_t at = 0;
  for (;;) {
    const std::size_t open = message.find('`', at);
    const std::size_t close = open == std::string::npos ? open : message.find('`', open + 1);
    if (close == std::string::npos) break;
    const std::string name = message.substr(open + 1, close - open - 1);
    const std::optional<Setting> setting = find_setting(name);
    text += message.substr(at, open - at) + "--" + (setting ? std::string(row(*setting).option) : name);
    at = close + 1;
  }
  text += message.substr(at);
  // "max_iterations must be ...": whether by an option or by the model, so without dashes in front.
  const std::size_t must = text.find(" must ");
  if (must != std::string::npos && find_setting(text.substr(0, must))) {
    std::replace(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(must), '_', '-');
  }
  return text;
}

}  // namespace nsmc
