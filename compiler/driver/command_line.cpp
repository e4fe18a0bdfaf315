#include "compiler/driver/command_line.hpp"

#include <algorithm>

#include "compiler/driver/read_command_line.hpp"

namespace nsmc {
namespace {

// "METHOD:{moreau,rk}", as CLI11 tells what an option takes, is the placeholder METHOD and two words.
void take_type(const std::string& type, OptionText& text) {
  text.placeholder = type.substr(0, type.find(':'));
  const std::size_t open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return;
  for (std::size_t at = open + 1; at <= close;) {
    const std::size_t end = std::min(type.find(',', at), close);
    text.words.push_back(type.substr(at, end - at));
    at = end + 1;
  }
}

OptionText option_text(const CLI::Option& option) {
  OptionText text;
  text.positional = option.get_positional();
  if (text.positional) {
    text.names = {option.get_name(true, false)};
  } else {
    for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  }
  if (option.get_items_expected_max() > 0) take_type(option.get_type_name(), text);
  text.help = option.get_description();
  text.fallback = option.get_default_str();
  text.required = option.get_required();
  text.repeated =
      option.get_items_expected_max() > 1 || option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  return text;
}

// The footer of a command begins with it.
std::string example_in(const std::string& footer) {
  const std::string begin = "example: ";
  if (!footer.starts_with(begin)) return "";
  return footer.substr(begin.size(), footer.find('\n') - begin.size());
}

std::vector<OptionText> options_of(const CLI::App& app) {
  std::vector<OptionText> all;
  for (const CLI::Option* option : app.get_options()) all.push_back(option_text(*option));
  return all;
}

}  // namespace

CommandLine read_command_line(const CLI::App& app, const std::string& version) {
  CommandLine line{version, options_of(app), {}};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    line.commands.push_back(
        {command->get_name(), command->get_description(), example_in(command->get_footer()), options_of(*command)});
  }
  return line;
}

}  // namespace nsmc
