// nsmc completion: what bash and zsh complete, made of the options that the program has.
#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "compiler/driver/command_line.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/terminal.hpp"

namespace nsmc {

namespace {

// What the value of an option is, by its placeholder.
enum class TakenValue { none, word, model, file, folder, other };
TakenValue taken_value(const OptionText& option) {
  if (!option.words.empty()) return TakenValue::word;
  if (option.positional) return option.names.front() == "PLACE" ? TakenValue::file : TakenValue::model;
  if (option.placeholder.empty()) return TakenValue::none;
  if (option.placeholder == "DIR") return TakenValue::folder;
  for (const std::string_view file : {"FILE", "TABLE", "FIGURE", "PAGE", "STATE"}) {
    if (option.placeholder == file) return TakenValue::file;
  }
  return TakenValue::other;
}

std::string words_of(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::string names_of(const std::vector<OptionText>& options) {
  std::string out;
  for (const OptionText& option : options) {
    if (!option.positional) out += (out.empty() ? "" : " ") + words_of(option.names);
  }
  return out;
}

const OptionText* first_argument(const CommandText& command) {
  const auto found = std::find_if(command.options.begin(), command.options.end(),
                                  [](const OptionText& option) { return option.positional; });
  return found == command.options.end() ? nullptr : &*found;
}

// What COMPREPLY becomes for a value, from the word that was begun.
std::string bash_values(const OptionText& option) {
  switch (taken_value(option)) {
    case TakenValue::word: return fmt::format("_nsmc_words \"{}\"", words_of(option.words));
    case TakenValue::model: return "_nsmc_models";
    case TakenValue::file: return "_nsmc_files";
    case TakenValue::folder: return "_nsmc_folders";
    case TakenValue::none:
    case TakenValue::other: return ":";
  }
  return ":";
}

// Options that are completed in the same way share a line.
std::string bash_command(const CommandText& command) {
  std::string out = fmt::format("    {})\n      case $before in\n", command.name);
  for (const OptionText& option : command.options) {
    if (option.positional || taken_value(option) == TakenValue::none) continue;
    std::string names;
    for (const std::string& name : option.names) names += (names.empty() ? "" : "|") + name;
    out += fmt::format("        {}) {}; return ;;\n", names, bash_values(option));
  }
  const OptionText* argument = first_argument(command);
  return out + fmt::format("      esac\n      if [[ $word == -* ]]; then _nsmc_words \"{}\"; else {}; fi ;;\n",
                           names_of(command.options), argument == nullptr ? ":" : bash_values(*argument));
}

std::string bash_completion(const CommandLine& line) {
  std::string commands, cases;
  for (const CommandText& command : line.commands) {
    commands += (commands.empty() ? "" : " ") + command.name;
    cases += bash_command(command);
  }
  return fmt::format(R"(# Completion of nsmc {} for bash, printed by `nsmc completion bash`.
_nsmc_words() {{ mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word"); }}
_nsmc_files() {{ compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$word"); }}
_nsmc_folders() {{ compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$word"); }}
_nsmc_models() {{
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$word" | while read -r file; do
    if [[ -d $file || $file == *.nsm || $file == *.csv ]]; then printf '%s\n' "$file"; fi
  done)
}}
_nsmc() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command= k
  # --option=value is three words to bash.
  if [[ $word == "=" ]]; then
    word=
  elif [[ $before == "=" ]]; then
    before=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  for ((k = 1; k < COMP_CWORD; k++)); do
    if [[ ${{COMP_WORDS[k]}} != -* ]]; then
      command=${{COMP_WORDS[k]}}
      break
    fi
  done
  COMPREPLY=()
  case $command in
    "") _nsmc_words "{} {}" ;;
{}  esac
}}
complete -F _nsmc nsmc
)",
                     line.version, commands, names_of(line.options), cases);
}

// Inside of single quotes of zsh, and in a description of _arguments.
std::string for_zsh(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      if (c == ':' || c == '[' || c == ']' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out;
}

std::string zsh_values(const OptionText& option) {
  switch (taken_value(option)) {
    case TakenValue::word: return fmt::format("({})", words_of(option.words));
    case TakenValue::model: return "_files -g \"*.(nsm|csv)\"";
    case TakenValue::file: return "_files";
    case TakenValue::folder: return "_files -/";
    case TakenValue::none:
    case TakenValue::other: return " ";
  }
  return " ";
}

std::string zsh_option(const OptionText& option) {
  const std::string value =
      fmt::format(":{}:{}", for_zsh(option.positional ? option.names.front() : option.placeholder), zsh_values(option));
  if (option.positional) return fmt::format(" '{}{}'", option.repeated ? "*" : "", value);
  std::string out;
  const bool takes = taken_value(option) != TakenValue::none;
  for (const std::string& name : option.names) {
    const char* equal = takes && name.starts_with("--") ? "=" : "";
    out += fmt::format(" \\\n        '{}{}{}[{}]{}'", option.repeated ? "*" : "", name, equal, for_zsh(option.help),
                       takes ? value : "");
  }
  return out;
}

std::string zsh_completion(const CommandLine& line) {
  std::string commands, cases, options;
  for (const OptionText& option : line.options) options += zsh_option(option);
  for (const CommandText& command : line.commands) {
    commands += fmt::format("    '{}:{}'\n", command.name, for_zsh(command.doc));
    cases += fmt::format("    {})\n      _arguments -s", command.name);
    for (const OptionText& option : command.options) cases += zsh_option(option);
    cases += " ;;\n";
  }
  return fmt::format(R"(#compdef nsmc
# Completion of nsmc {} for zsh, printed by `nsmc completion zsh`.
_nsmc() {{
  local curcontext=$curcontext state line
  local -a commands
  commands=(
{}  )
  _arguments -C{} \
        '1:command:->command' '*::argument:->argument'
  if [[ $state == command ]]; then
    _describe command commands
    return
  fi
  case $line[1] in
{}  esac
}}
if [[ $funcstack[1] == _nsmc ]]; then
  _nsmc "$@"
else
  compdef _nsmc nsmc
fi
)",
                     line.version, commands, options, cases);
}

}  // namespace

int completion_command(const CommandLine& line, const std::string& shell) {
  write_stdout(shell == "bash" ? bash_completion(line) : zsh_completion(line));
  return kDone;
}

}  // namespace nsmc
