// Names of the model as LaTeX: letters as they are, words upright, Greek letters as commands, digits, indices and
// owners as subscripts, primes as dots.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/symbolic/expr.hpp"

namespace nsmc::sym {

namespace {

constexpr auto greek_words = std::to_array<std::string_view>(
    {"alpha",   "beta",  "gamma",  "delta",   "epsilon", "varepsilon", "zeta",  "eta",   "theta", "vartheta",
     "iota",    "kappa", "lambda", "mu",      "nu",      "xi",         "pi",    "rho",   "sigma", "tau",
     "upsilon", "phi",   "varphi", "chi",     "psi",     "omega",      "Gamma", "Delta", "Theta", "Lambda",
     "Xi",      "Pi",    "Sigma",  "Upsilon", "Phi",     "Psi",        "Omega"});

constexpr auto greek_letters = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"α", "alpha"},  {"β", "beta"},  {"γ", "gamma"}, {"δ", "delta"},    {"ε", "varepsilon"}, {"ϵ", "epsilon"},
     {"ζ", "zeta"},   {"η", "eta"},   {"θ", "theta"}, {"ϑ", "vartheta"}, {"ι", "iota"},       {"κ", "kappa"},
     {"λ", "lambda"}, {"μ", "mu"},    {"µ", "mu"},    {"ν", "nu"},       {"ξ", "xi"},         {"π", "pi"},
     {"ρ", "rho"},    {"σ", "sigma"}, {"τ", "tau"},   {"υ", "upsilon"},  {"φ", "varphi"},     {"ϕ", "phi"},
     {"χ", "chi"},    {"ψ", "psi"},   {"ω", "omega"}, {"Γ", "Gamma"},    {"Δ", "Delta"},      {"Θ", "Theta"},
     {"Λ", "Lambda"}, {"Ξ", "Xi"},    {"Π", "Pi"},    {"Σ", "Sigma"},    {"Υ", "Upsilon"},    {"Φ", "Phi"},
     {"Ψ", "Psi"},    {"Ω", "Omega"}});

// Coordinates and velocities of rigid bodies, as docs/numerics.md has them.
constexpr auto body_words = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"position", "x"}, {"quaternion", "e"}, {"angle", "\\varphi"}, {"velocity", "v"}, {"spin", "\\Omega"}});

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (std::string_view("_#$%&{}").find(c) != std::string_view::npos)
      (out += '\\') += c;
    else if (c == '\\')
      out += "\\backslash ";
    else if (c == '^' || c == '~')
      ((out += '\\') += c) += "{}";
    else
      out += c;
  }
  return out;
}

std::string braced(std::string_view command, std::string_view body) {
  std::string out(command);
  out += '{';
  out += body;
  out += '}';
  return out;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
}

// Several letters as upright text. Greek ones stand for themselves in math mode; others beyond ASCII have no place
// there and \text leaves it.
std::string upright(std::string_view text) {
  if (is_ascii(text)) return braced("\\mathrm", escaped(text));
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t length = 1;
    while (i + length < text.size() && (static_cast<unsigned char>(text[i + length]) & 0xC0U) == 0x80U) ++length;
    const std::string_view point = text.substr(i, length);
    const auto greek = std::find_if(greek_letters.begin(), greek_letters.end(),
                                    [&](const auto& entry) { return entry.first == point; });
    out += greek != greek_letters.end() ? fmt::format("\\{}{{}}", greek->second)
                                        : braced(length == 1 ? "\\mathrm" : "\\text", escaped(point));
    i += length;
  }
  return out;
}

// One word without digits at its end: a letter, a Greek letter or upright text.
std::string word(std::string_view text) {
  if (text.size() == 1 && is_letter(text[0])) return std::string(text);
  if (std::find(greek_words.begin(), greek_words.end(), text) != greek_words.end()) return fmt::format("\\{}", text);
  for (const auto& [letter, name] : greek_letters)
    if (text == letter) return fmt::format("\\{}", name);
  return upright(text);
}

// The digit that the last byte of a subscript digit of Unicode (U+2080 ...) stands for; 10 or more if it is none.
unsigned subscript_digit(char last) { return static_cast<unsigned char>(last) - 0x80U; }

struct Parts {
  std::string letter;
  std::vector<std::string> subscripts;
};

std::string joined(const std::vector<std::string>& subscripts) {
  std::string out;
  for (const auto& subscript : subscripts) (out += out.empty() ? "" : ",") += subscript;
  return out;
}

// "mu_max2", "x1", "N": the letter, and as subscripts what follows the first underscore and digits at the end.
Parts split_identifier(std::string_view text) {
  Parts parts;
  const std::size_t underscore = text.find('_', 1);
  std::string_view rest;
  if (underscore != std::string_view::npos && underscore + 1 < text.size()) {
    rest = text.substr(underscore + 1);
    text = text.substr(0, underscore);
  }
  std::size_t stem = text.size();
  while (stem > 0 && is_digit(text[stem - 1])) --stem;
  if (stem == 0) stem = text.size();  // nothing but digits
  const bool number = std::all_of(text.begin(), text.end(), is_digit);
  parts.letter = number ? std::string(text) : word(text.substr(0, stem));
  if (stem < text.size()) parts.subscripts.emplace_back(text.substr(stem));
  if (!rest.empty()) {
    std::size_t end = rest.size();
    while (end > 0 && is_digit(rest[end - 1])) --end;
    const std::string_view name = rest.substr(0, end);
    std::string subscript = name.empty() ? "" : word(name);
    if (end < rest.size()) subscript += std::string(name.empty() ? "" : " ") + std::string(rest.substr(end));
    parts.subscripts.push_back(subscript);
  }
  return parts;
}

}  // namespace

std::string latex_name(std::string_view name) {
  // Brackets hold indices, primes are time derivatives, dots separate owners from what they own.
  std::string plain;
  std::vector<std::string> indices;
  std::size_t primes = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '\'') {
      ++primes;
    } else if (name[i] == '[') {
      const std::size_t close = std::min(name.find(']', i), name.size());
      std::string index;
      for (char c : name.substr(i + 1, close - i - 1))
        if (c != ' ') index += c;
      const bool plain_index = std::all_of(index.begin(), index.end(), [](char c) { return is_digit(c) || c == ','; });
      if (!index.empty()) indices.push_back(plain_index ? index : upright(index));
      i = close;
    } else if (name.substr(i, 2) == "\xE2\x82" && i + 2 < name.size() && subscript_digit(name[i + 2]) < 10) {
      plain += static_cast<char>('0' + subscript_digit(name[i + 2]));
      i += 2;
    } else {
      plain += name[i];
    }
  }
  const std::size_t dot = plain.rfind('.');
  std::string owner;
  if (dot != std::string::npos) {
    owner = plain.substr(0, dot);
    plain = plain.substr(dot + 1);
  }
  if (plain.empty()) return upright(name);

  Parts parts = split_identifier(plain);
  std::string letter = parts.letter;
  if (!owner.empty()) {
    for (const auto& [name_of_body, symbol] : body_words) {
      if (plain == name_of_body) letter = symbol;
    }
    // e_0 is the cosine of half of the angle, in nsmc the first component.
    if (plain == "quaternion" && indices.size() == 1 && indices[0].size() == 1 && is_digit(indices[0][0]))
      --indices[0][0];
  }
  if (primes > 0 && primes <= 4) {
    static constexpr std::array dots{"\\dot", "\\ddot", "\\dddot", "\\ddddot"};
    letter = braced(dots[primes - 1], letter);
  } else if (primes > 4) {
    letter += braced("^", fmt::format("({})", primes));
  }
  parts.subscripts.insert(parts.subscripts.end(), indices.begin(), indices.end());
  if (!owner.empty()) {
    parts.subscripts.push_back(upright(owner));
  }
  if (!parts.subscripts.empty()) letter += braced("_", joined(parts.subscripts));
  return letter;
}

}  // namespace nsmc::sym
