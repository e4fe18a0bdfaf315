// nsmc manual: a page for man, made of the options that the program has.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "compiler/driver/command_line.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/terminal.hpp"

namespace nsmc {
namespace {

struct Variable {
  std::string_view name, meaning;
};

constexpr std::array kVariables{
    Variable{"NSMC_CACHE_DIR", "where compiled models are kept; otherwise nsmc in $XDG_CACHE_HOME or ~/.cache"},
    Variable{"NSMC_CACHE_MB", "how large that may become; 0 keeps nothing"},
    Variable{"NSMC_WEB_DIR",
             "the folder of the pages of view and studio, if it is another one than that of the installation"},
    Variable{"NSMC_MPI_LIBRARY",
             "what sweep loads under mpirun, if it is another file than nsmc_mpi.so of the installation"},
    Variable{"NO_COLOR", "no colours, also on a terminal"},
};

// Text in roff: what would be taken for a command of it is not.
std::string plain(std::string_view text) {
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '.' && (k == 0 || text[k - 1] == '\n')) {
      out += "\\&.";
    } else {
      out += c;
    }
  }
  return out;
}
std::string bold(std::string_view text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + plain(text) + "\\fR"; }

std::string header(const std::string& page, const std::string& doc, const std::string& version) {
  std::string title = page;
  std::transform(title.begin(), title.end(), title.begin(), [](unsigned char c) { return std::toupper(c); });
  return fmt::format(".TH {} 1 \"\" \"nsmc {}\" \"nsmc\"\n.nh\n.ad l\n.SH NAME\n{} \\- {}\n", plain(title), version,
                     plain(page), plain(doc));
}

std::string section(const char* title) { return fmt::format(".SH {}\n", title); }
std::string item(const std::string& tag, const std::string& text) { return fmt::format(".TP\n{}\n{}\n", tag, text); }

std::string exit_status() {
  std::string out = section("EXIT STATUS");
  for (const auto& [code, meaning] : kExitCodeTexts)
    out += item(bold(std::to_string(static_cast<int>(code))), plain(meaning));
  return out;
}

std::string environment() {
  std::string out = section("ENVIRONMENT");
  for (const Variable& variable : kVariables) out += item(bold(variable.name), plain(variable.meaning));
  return out;
}

std::string value_text(const OptionText& option) { return italic(option.words.empty() ? option.placeholder : "WORD"); }

std::string option_item(const OptionText& option) {
  std::string tag;
  for (const std::string& name : option.names) {
    tag += tag.empty() ? "" : ", ";
    tag += option.positional ? italic(name) : bold(name);
  }
  if (!option.positional && !option.placeholder.empty()) tag += " " + value_text(option);
  std::string text = plain(option.help);
  for (const std::string& word : option.words) text += (&word == &option.words.front() ? ": " : ", ") + bold(word);
  if (!option.fallback.empty()) text += plain(fmt::format(" ({} if not given)", option.fallback));
  if (option.repeated && !option.positional && !option.help.ends_with("several times"))
    text += "; may be given several times";
  return item(tag, text);
}

std::string options_section(const std::vector<OptionText>& options) {
  std::string out = section("OPTIONS");
  for (const bool positional : {true, false}) {
    for (const OptionText& option : options) {
      if (option.positional == positional) out += option_item(option);
    }
  }
  return out;
}

std::string page_name(const std::string& command) { return "nsmc-" + command; }

std::string see_also(const CommandLine& line, const std::string& page) {
  std::string names = page == "nsmc" ? "" : bold("nsmc") + "(1)";
  for (const CommandText& command : line.commands) {
    const std::string name = page_name(command.name);
    if (name != page) names += (names.empty() ? "" : ", ") + bold(name) + "(1)";
  }
  return section("SEE ALSO") + names + "\n";
}

std::string page_of_program(const CommandLine& line) {
  std::string out = header("nsmc", "non-smooth mechanics, from model files to simulations", line.version);
  out += section("SYNOPSIS") + bold("nsmc") + " " + italic("COMMAND") + " [" + italic("OPTIONS") + "]\n";
  out +=
      section("DESCRIPTION") +
      plain(
          "nsmc is a modelling language and a compiler for mechanics with impacts, contacts and dry friction. A model "
          "file (.nsm) says what the system is: coordinates or bodies, energies, contacts, and force laws written as "
          "normal cone inclusions. nsmc derives the equations of motion, compiles them to machine code and simulates "
          "them.\n");
  out += section("COMMANDS");
  for (const CommandText& command : line.commands)
    out += item(bold(page_name(command.name)) + "(1)", plain(command.doc));
  out += options_section(line.options);
  out += exit_status() + environment();
  out += section("FILES") + item(italic("PREFIX/share/nsmc/models"), "models to begin with, and the library of laws");
  out += section("EXAMPLES") + ".nf\n";
  for (const CommandText& command : line.commands) {
    if (!command.example.empty()) out += plain(command.example) + "\n";
  }
  return out + ".fi\n" + see_also(line, "nsmc");
}

std::string page_of_command(const CommandLine& line, const CommandText& command) {
  const std::string page = page_name(command.name);
  std::string out = header(page, command.doc, line.version) + section("SYNOPSIS") + bold("nsmc " + command.name);
  for (const OptionText& option : command.options) {
    if (!option.positional) continue;
    const std::string name = italic(option.names.front()) + (option.repeated ? "..." : "");
    out += " " + (option.required ? name : "[" + name + "]");
  }
  for (const OptionText& option : command.options) {
    if (!option.positional && option.required) out += " " + bold(option.names.back()) + " " + value_text(option);
  }
  out += " [" + italic("OPTIONS") + "]\n" + options_section(command.options);
  if (!command.example.empty()) out += section("EXAMPLE") + ".nf\n" + plain(command.example) + "\n.fi\n";
  return out + exit_status() + see_also(line, page);
}

}  // namespace

int manual_command(const CommandLine& line, const std::string& command) {
  const auto found = std::find_if(line.commands.begin(), line.commands.end(),
                                  [&](const CommandText& one) { return one.name == command; });
  write_stdout(found == line.commands.end() ? page_of_program(line) : page_of_command(line, *found));
  return kDone;
}

}  // namespace nsmc
