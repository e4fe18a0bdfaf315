// What people bring along from Modelica, MATLAB, Python and C++, and how nsmc says it: one table of words, one of signs
// and one of characters (habits.cpp). Whoever reports something unknown or unexpected asks here before it looks for a
// similar name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace nsmc {

// Where a word stands that is not known there.
enum class HabitOf : std::uint8_t { name, function, unit, declaration, setting, law, joint, shape };

struct Advice {
  std::string hint;
  // What to write in the place of what is wrong, where that is certain: a word, a call ("$1" stands for its argument),
  // or signs.
  std::optional<std::string> write;
};

std::optional<Advice> habit(HabitOf of, std::string_view word);

// `text` with the argument of a call in the place of "$1".
std::string with_argument(std::string_view text, std::string_view argument);

// A token as far as habits look at it.
struct HabitToken {
  enum class Kind : std::uint8_t { keyword, name, number, string, sign };  // keyword: of a declaration
  std::string_view text;
  Kind kind = Kind::sign;
  bool begins_line = false;
};

struct SignAdvice : Advice {
  std::size_t first = 0, last = 0;  // the tokens in whose place `write` stands, both included
};

// The tokens of a declaration that the parser refused at the token `at` (which may be the one that follows it).
std::optional<SignAdvice> sign_habit(std::span<const HabitToken> tokens, std::size_t at);

// What the author of a character means that the language does not have; `rest` is the text behind it, `operand`: one
// stands before it on its line.
std::string_view character_habit(std::string_view character, std::string_view rest, bool operand, bool in_vector);

}  // namespace nsmc
