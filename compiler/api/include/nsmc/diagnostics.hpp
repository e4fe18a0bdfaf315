// What nsmc has to say about a model, and where.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nsmc {

// A range of a source file. Lines and columns count from 1, columns in code points; offsets from 0, in bytes.
struct Place {
  std::string file;
  std::uint32_t line = 0, column = 0, end_line = 0, end_column = 0;
  std::uint32_t begin = 0, end = 0;
};

struct DiagnosticInfo {
  struct Note {
    Place place;
    std::string text;
  };
  struct Replacement {
    Place place;
    std::string text;
  };
  std::string code;     // "N0401", stable
  std::string name;     // "dimension_mismatch"
  bool error = true;    // false: a warning
  std::string message;  // lower case, no period
  Place place;
  std::vector<Note> notes;                 // other places that matter
  std::string hint;                        // how to mend it; may be empty
  std::optional<Replacement> replacement;  // what to write where to mend it, if that is certain
};

}  // namespace nsmc
